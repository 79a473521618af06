package capipolicy_test

import (
	"testing"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/internal/suite"
)

func TestEmbeddedPolicy(t *testing.T) {
	suite.Run(t, func(t testing.TB, opts capipolicy.Options) *capipolicy.Engine {
		t.Helper()
		engine, err := capipolicy.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(engine.Close)
		return engine
	})
}

func TestEveryMemberOfADecisionHasAField(t *testing.T) { suite.EveryMemberHasAField(t) }
