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

// Load compiles the core module of a policy, capi_policy.core.wasm, and checks
// that it is one this package can run; if not, the error is an
// *IncompatibleError.
func Load(wasm []byte, opts Options) (*Engine, error) {
	limits, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	policy, err := compile(wasm, limits.MemoryBytes)
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
// calls return ErrClosed.
func (e *Engine) Close() { e.pool.close() }

// Evaluate decides about the object that a snapshot is about. The snapshot and
// the evaluation are JSON; the evaluation is in the very bytes of the policy
// and decodes into an Evaluation.
func (e *Engine) Evaluate(ctx context.Context, snapshotJSON []byte) ([]byte, error) {
	return e.result(ctx, e.pool.policy.evaluate, snapshotJSON)
}

// Forecast gives the decisions to come up to a moment if nothing but time
// changes.
func (e *Engine) Forecast(ctx context.Context, snapshotJSON []byte, until time.Time) (*Forecast, error) {
	export := e.pool.policy.forecast
	text, err := e.result(ctx, export, snapshotJSON, []byte(until.UTC().Format(time.RFC3339)))
	if err != nil {
		return nil, err
	}
	return decode[Forecast](export, text)
}

// Catalog says what the policy is and which rules it runs.
func (e *Engine) Catalog(ctx context.Context) (*Catalog, error) {
	export := e.pool.policy.catalog
	var text []byte
	err := e.pool.with(ctx, func(i *instance) error {
		return i.call(ctx, export, nil, func(memory []byte, area uint32) (err error) {
			if text, err = liftString(memory, area); err != nil {
				return &AnswerError{Call: export.name, Detail: err.Error()}
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return decode[Catalog](export, text)
}

// result calls an export that takes texts, the snapshot first, and returns a
// result<string, string>.
func (e *Engine) result(ctx context.Context, export export, texts ...[]byte) ([]byte, error) {
	// The policy may trust that texts are UTF-8: the canonical ABI says so.
	if !utf8.Valid(texts[0]) {
		return nil, &SnapshotError{Code: CodeSyntax, Detail: "not UTF-8", Message: "not JSON: not UTF-8"}
	}
	// Copying a text into the policy cannot be interrupted, so it is bounded.
	if limit := e.pool.limits.MemoryBytes; int64(len(texts[0])) > limit {
		return nil, memoryLimit(limit, nil)
	}
	var answer []byte
	err := e.pool.with(ctx, func(i *instance) error {
		return i.call(ctx, export, texts, func(memory []byte, area uint32) error {
			text, isErr, err := liftResult(memory, area)
			if err != nil {
				return &AnswerError{Call: export.name, Detail: err.Error()}
			}
			if isErr {
				return snapshotError(text)
			}
			answer = text
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return answer, nil
}

func decode[T any](export export, text []byte) (*T, error) {
	into := new(T)
	if err := json.Unmarshal(text, into); err != nil {
		return nil, &AnswerError{Call: export.name, Detail: err.Error()}
	}
	return into, nil
}
