package capipolicy

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// Engine is a loaded policy. It is safe for concurrent use.
type Engine struct {
	pool *pool
}

// New compiles the embedded policy.
func New(opts Options) (*Engine, error) {
	wasm, _ := embedded()
	return Load(wasm, opts)
}

// Load compiles the core module of a policy, capi_policy.core.wasm, and checks
// that it is one this package can run; if not, the error is an
// *IncompatibleError.
func Load(wasm []byte, opts Options) (*Engine, error) {
	limits, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	policy, err := compile(context.Background(), wasm, limits)
	if err != nil {
		return nil, err
	}
	engine := &Engine{pool: newPool(policy, limits)}
	catalog, err := engine.Catalog(context.Background())
	if err != nil {
		engine.Close()
		return nil, err
	}
	if want := "capi:policy@" + policy.version; catalog.WIT != want {
		engine.Close()
		return nil, &IncompatibleError{Version: policy.version, Detail: fmt.Sprintf("its catalog says %q", catalog.WIT)}
	}
	return engine, nil
}

// Close waits for running calls to end and frees what the Engine holds. Later
// calls, also of its fleets, return ErrClosed.
func (e *Engine) Close() { e.pool.close() }

// Evaluate decides about the object that a snapshot is about. The snapshot is
// anything that encoding/json writes as a snapshot: a map, what
// MarshalSnapshot gives, or a type of the module
// github.com/capi-policy/capi-policy/go/clusterapi.
func (e *Engine) Evaluate(ctx context.Context, snapshot any) (*Evaluation, error) {
	text, err := encode(snapshot)
	if err != nil {
		return nil, err
	}
	answer, err := e.EvaluateJSON(ctx, text)
	if err != nil {
		return nil, err
	}
	return decode[Evaluation](e.pool.policy.exports["evaluate"], answer)
}

// EvaluateJSON is Evaluate with JSON in and out: the evaluation is in the very
// bytes of the policy and decodes into an Evaluation.
func (e *Engine) EvaluateJSON(ctx context.Context, snapshot []byte) ([]byte, error) {
	return e.result(ctx, e.pool.policy.exports["evaluate"], snapshot)
}

// Forecast gives the decisions to come up to a moment if nothing but time
// changes. The snapshot is as for Evaluate.
func (e *Engine) Forecast(ctx context.Context, snapshot any, until time.Time) (*Forecast, error) {
	text, err := encode(snapshot)
	if err != nil {
		return nil, err
	}
	export := e.pool.policy.exports["forecast"]
	answer, err := e.result(ctx, export, text, []byte(until.UTC().Format(time.RFC3339)))
	if err != nil {
		return nil, err
	}
	return decode[Forecast](export, answer)
}

// Catalog says what the policy is and which rules it runs.
func (e *Engine) Catalog(ctx context.Context) (*Catalog, error) {
	export := e.pool.policy.exports["catalog"]
	text, err := e.pool.call(ctx, export, nil, export.liftString)
	if err != nil {
		return nil, err
	}
	return decode[Catalog](export, text)
}

// result calls an export that takes texts, the snapshot first, and returns a
// result<string, string>.
func (e *Engine) result(ctx context.Context, export export, texts ...[]byte) ([]byte, error) {
	if err := checkText(texts[0], e.pool.limits); err != nil {
		return nil, err
	}
	arguments := make([]argument, 0, len(texts))
	for _, text := range texts {
		arguments = append(arguments, argument{text: text})
	}
	return e.pool.call(ctx, export, arguments, export.liftResult)
}

// checkText refuses what must not be passed to a policy.
func checkText(text []byte, limits Options) error {
	// The policy may trust that texts are UTF-8: the canonical ABI says so.
	if !utf8.Valid(text) {
		return &SnapshotError{Code: CodeSyntax, Message: "not JSON: not UTF-8"}
	}
	// Copying a text into the policy cannot be interrupted, so it is bounded.
	if int64(len(text)) > limits.MemoryBytes {
		return memoryLimit(limits.MemoryBytes, nil)
	}
	return nil
}

// encode is json.Marshal without looking a second time at what is JSON already.
func encode(value any) ([]byte, error) {
	switch value := value.(type) {
	case []byte:
		return value, nil
	case json.RawMessage:
		return value, nil
	case json.Marshaler:
		return value.MarshalJSON()
	}
	return json.Marshal(value)
}

func decode[T any](export export, text []byte) (*T, error) {
	into := new(T)
	if err := json.Unmarshal(text, into); err != nil {
		return nil, &AnswerError{Call: export.name, Detail: err.Error()}
	}
	return into, nil
}
