package capipolicy

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// Fleet holds objects between decisions, knows how they relate to each other,
// and so decides about one of them without being given the others again. Its
// answers are those of Engine.Evaluate for a fresh snapshot of the same
// objects.
//
// A Fleet has an instance of the policy of its own; make one for each workload
// cluster. It is a cache: after a trap, or after a call that was given up, it is
// filled again before the next call, see FleetOptions.Refill. It is safe for
// concurrent use; calls wait for each other.
type Fleet struct {
	engine *Engine
	opts   FleetOptions
	// turn is held by whoever uses the next three.
	turn     chan struct{}
	instance *instance
	journal  *journal
	// updated are the decisions that the next updates are relative to.
	updated map[Subject]*Evaluation
	once    sync.Once
	closed  chan struct{}
}

// FleetOptions say what a Fleet is for.
type FleetOptions struct {
	// Profile says which rules apply. Default: ProfileDocumented.
	Profile Profile
	// Refill fills an empty fleet from the caller's cache, with everything that
	// it has to have: objects, complete scopes, facts. It is called before the
	// first call, and before the next call after the instance was lost; it must
	// use the Fleet through fill alone. Without Refill the Fleet keeps the JSON
	// of all objects itself, for which it needs memory, and the names of those
	// that were deleted from scopes that are not complete.
	Refill func(ctx context.Context, fill *Fill) error
}

// NewFleet makes an empty fleet. Close it before its Engine.
func NewFleet(engine *Engine, opts FleetOptions) *Fleet {
	f := &Fleet{engine: engine, opts: opts, turn: make(chan struct{}, 1), closed: make(chan struct{})}
	if opts.Refill == nil {
		f.journal = newJournal()
	}
	return f
}

// Close frees what the Fleet holds. Later calls return ErrClosed.
func (f *Fleet) Close() {
	f.once.Do(func() {
		close(f.closed)
		f.turn <- struct{}{}
		f.drop()
	})
}

// Evaluate decides about an object, completely.
func (f *Fleet) Evaluate(ctx context.Context, subject Subject, now time.Time) (*Evaluation, error) {
	return ask[Evaluation](ctx, f, "fleet-evaluate", f.request(subject, now))
}

// EvaluateJSON is Evaluate in the very bytes of the policy.
func (f *Fleet) EvaluateJSON(ctx context.Context, subject Subject, now time.Time) ([]byte, error) {
	return f.ask(ctx, "fleet-evaluate", f.request(subject, now))
}

// Explain is Evaluate with Evaluation.Explanations.
func (f *Fleet) Explain(ctx context.Context, subject Subject, now time.Time) (*Evaluation, error) {
	request := f.request(subject, now)
	request.Explain = true
	return ask[Evaluation](ctx, f, "fleet-evaluate", request)
}

// Update decides about an object. It is Evaluate for controllers, which decide
// about the same objects again and again: the policy writes, and this package
// reads, only what is different from the last Update of the same object, which
// for a health check of many machines is far less.
func (f *Fleet) Update(ctx context.Context, subject Subject, now time.Time) (*Update, error) {
	var update *Update
	s := step{function: "fleet-update", values: []any{f.request(subject, now)}}
	s.then = func(answer []byte) error {
		got, err := decode[reduced](export{name: s.function}, answer)
		if err != nil {
			return err
		}
		before := f.updated[subject]
		if got.Reduced != nil && before == nil {
			return &AnswerError{Call: s.function, Detail: "a decision is reduced without one before"}
		}
		update = got.after(before)
		f.updated[subject] = update.Evaluation
		return nil
	}
	_, err := f.run(ctx, s)
	return update, err
}

// Forecast gives the decisions to come up to a moment if nothing but time
// changes.
func (f *Fleet) Forecast(ctx context.Context, subject Subject, now, until time.Time) (*Forecast, error) {
	request := f.request(subject, now)
	request.Until = until.UTC().Format(time.RFC3339)
	return ask[Forecast](ctx, f, "fleet-forecast", request)
}

// Snapshot gives what a decision reads, for Engine.Evaluate, captures and bug
// reports.
func (f *Fleet) Snapshot(ctx context.Context, subject Subject, now time.Time) (json.RawMessage, error) {
	return f.ask(ctx, "fleet-snapshot", f.request(subject, now))
}

// Due lists the objects to decide about now: something that their decision
// reads has changed, or their time has come. A controller that decides about
// some kinds only names them: to it, all others stay due for ever.
func (f *Fleet) Due(ctx context.Context, now time.Time, kinds ...string) ([]Subject, error) {
	return list[Subject](ctx, f, "fleet-due", due{Now: now.UTC().Format(time.RFC3339), Kinds: kinds})
}

// Decidable lists the objects that can be decided about.
func (f *Fleet) Decidable(ctx context.Context) ([]Subject, error) {
	return list[Subject](ctx, f, "fleet-decidable")
}

// Wanted says what the fleet needs to decide, and what of it it has.
func (f *Fleet) Wanted(ctx context.Context) (*Wanted, error) {
	return ask[Wanted](ctx, f, "fleet-wanted")
}

// Size says how much the fleet holds.
func (f *Fleet) Size(ctx context.Context) (*Size, error) {
	return ask[Size](ctx, f, "fleet-size")
}

// MemoryBytes is how much memory the policy has for this fleet; 0 while there
// is no instance. It never shrinks: where Size has become far less, Reset gives
// memory back.
func (f *Fleet) MemoryBytes() (bytes int) {
	f.inspect(func() {
		if f.instance != nil {
			bytes = len(f.instance.wasm.Memory())
		}
	})
	return bytes
}

// Reset throws the instance away. The next call fills a new one.
func (f *Fleet) Reset() { f.inspect(f.drop) }

// inspect runs what calls nothing in this caller's turn, unless the fleet is
// closed.
func (f *Fleet) inspect(do func()) {
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
		do()
	case <-f.closed:
	}
}

func (f *Fleet) request(subject Subject, now time.Time) *request {
	return &request{Subject: subject, Now: now.UTC().Format(time.RFC3339), Profile: f.opts.Profile}
}

// ask calls a function that changes no object.
func (f *Fleet) ask(ctx context.Context, function string, arguments ...any) ([]byte, error) {
	return f.run(ctx, step{function: function, values: arguments})
}

func ask[T any](ctx context.Context, f *Fleet, function string, arguments ...any) (*T, error) {
	answer, err := f.ask(ctx, function, arguments...)
	if err != nil {
		return nil, err
	}
	return decode[T](export{name: function}, answer)
}

func list[T any](ctx context.Context, f *Fleet, function string, arguments ...any) ([]T, error) {
	answer, err := ask[[]T](ctx, f, function, arguments...)
	if err != nil {
		return nil, err
	}
	return *answer, nil
}

// run runs a step in this caller's turn.
func (f *Fleet) run(ctx context.Context, s step) ([]byte, error) {
	arguments, err := s.arguments(f.engine.pool.limits)
	if err != nil {
		return nil, err
	}
	select {
	case <-f.closed:
		return nil, ErrClosed
	case <-f.engine.pool.closed:
		return nil, ErrClosed
	default:
	}
	select {
	case f.turn <- struct{}{}:
	case <-f.closed:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := f.ready(ctx); err != nil {
		<-f.turn
		return nil, err
	}
	return f.inTurn(ctx, s, arguments, func() { <-f.turn })
}

// inTurn runs a step on the instance that is there. The instance is lost if the
// call did not end as it should, or not in time: nobody knows what it has
// changed then.
func (f *Fleet) inTurn(ctx context.Context, s step, arguments []argument, release func()) ([]byte, error) {
	i := f.instance
	export := f.engine.pool.policy.exports[s.function]
	var failed error
	answer, err := i.call(ctx, export, arguments, s.lifter(export), func(got answer) {
		switch {
		case i.broken || got.abandoned:
			f.drop()
		case got.err == nil:
			failed = f.finish(s, arguments, got.text)
		}
		release()
	})
	if err == nil {
		err = failed
	}
	return answer, err
}

// finish does what belongs to a call that has succeeded.
func (f *Fleet) finish(s step, arguments []argument, answer []byte) error {
	if s.note != nil && f.journal != nil {
		s.note(f.journal, s, arguments)
	}
	if s.then == nil {
		return nil
	}
	err := s.then(answer)
	if err != nil {
		f.drop()
	}
	return err
}

// ready makes an instance and fills it, if there is none.
func (f *Fleet) ready(ctx context.Context) error {
	if f.instance != nil {
		return nil
	}
	instance, err := newInstance(ctx, f.engine.pool.policy, f.engine.pool.limits)
	if err != nil {
		return err
	}
	f.instance, f.updated = instance, map[Subject]*Evaluation{}
	refill := f.opts.Refill
	if f.journal != nil {
		refill = f.journal.refill
	}
	if err := refill(ctx, &Fill{f}); err != nil {
		f.drop()
		return fmt.Errorf("filling the fleet: %w", err)
	}
	return nil
}

func (f *Fleet) drop() {
	if f.instance != nil {
		f.instance.close()
		f.instance = nil
	}
}
