package capipolicy_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	capipolicy "github.com/capi-policy/capi-policy/go"
)

func Example() {
	engine, err := capipolicy.New(capipolicy.Options{})
	if err != nil {
		panic(err)
	}
	defer engine.Close()

	decision, err := engine.Evaluate(context.Background(), map[string]any{
		"now": "2025-06-01T12:00:00Z",
		"machineDeployment": map[string]any{
			"metadata": map[string]any{"name": "workers", "namespace": "default", "deletionTimestamp": "2025-06-01T11:59:00Z"},
		},
	})
	if err != nil {
		panic(err)
	}
	for _, c := range decision.Conditions {
		if c.Type == "Deleting" {
			fmt.Printf("%s=%s, reason %s, message %q (%s)\n", c.Type, c.Status, c.Reason, c.Message, c.Row)
		}
	}
	// Output: Deleting=True, reason Deleting, message "Deletion completed" (MD-DEL-7)
}

func ExampleEngine_EvaluateJSON() {
	engine, err := capipolicy.New(capipolicy.Options{MemoryBytes: 64 << 20, Timeout: time.Second})
	if err != nil {
		panic(err)
	}
	defer engine.Close()

	_, err = engine.EvaluateJSON(context.Background(), []byte(`{"now": "2025-06-01T12:00:00Z",
		"machine": {"metadata": {"name": "m1", "deletionTimestamp": "yesterday"}}}`))
	var refused *capipolicy.SnapshotError
	if errors.As(err, &refused) {
		fmt.Println(refused.Path)
	}
	// Output: machine.metadata.deletionTimestamp
}
