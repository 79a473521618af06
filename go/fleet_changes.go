package capipolicy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
)

// Upsert adds an object or replaces it. It is anything that encoding/json writes
// as the API server does, with apiVersion and kind; see Typed for objects of a
// cache, which lack them.
func (f *Fleet) Upsert(ctx context.Context, object any) error {
	return f.change(ctx, upsert(object, nil))
}

// UpsertNode is Upsert for a Node of a workload cluster.
func (f *Fleet) UpsertNode(ctx context.Context, cluster Cluster, node any) error {
	return f.change(ctx, upsert(node, &cluster))
}

// Delete removes an object. It also says that there is no such object, which
// matters for those that others refer to.
func (f *Fleet) Delete(ctx context.Context, ref Ref) error {
	s := remove(ref)
	s.then = func([]byte) error {
		delete(f.updated, ref.subject())
		return nil
	}
	return f.change(ctx, s)
}

// Replace makes a list all that there is in a scope. The list is an array or a
// Kubernetes List; objects without apiVersion and kind get those of the scope.
func (f *Fleet) Replace(ctx context.Context, scope Scope, objects any) error {
	return f.change(ctx, replace(scope, objects))
}

// MarkComplete says that the fleet has all objects of a scope, as after an
// informer has synced: an object that it does not have then does not exist,
// while otherwise nobody has read it.
func (f *Fleet) MarkComplete(ctx context.Context, scope Scope) error {
	return f.change(ctx, mark(scope, true))
}

// MarkIncomplete takes MarkComplete back, as when a connection broke.
func (f *Fleet) MarkIncomplete(ctx context.Context, scope Scope) error {
	return f.change(ctx, mark(scope, false))
}

// Assume says what counts as completely listed where nobody said so; see the
// constants.
func (f *Fleet) Assume(ctx context.Context, assumption Assumption) error {
	return f.change(ctx, assume(assumption))
}

// Observe reports facts that are not in objects. They replace what was reported
// for the same audience.
func (f *Fleet) Observe(ctx context.Context, audience Audience, facts Observed) error {
	return f.change(ctx, observe(audience, facts))
}

func (f *Fleet) change(ctx context.Context, s step) error {
	_, err := f.run(ctx, s)
	return err
}

// Fill is an empty Fleet that FleetOptions.Refill fills. Its methods are those
// of Fleet.
type Fill struct{ fleet *Fleet }

// Upsert is Fleet.Upsert.
func (f *Fill) Upsert(ctx context.Context, object any) error {
	return f.change(ctx, upsert(object, nil))
}

// UpsertNode is Fleet.UpsertNode.
func (f *Fill) UpsertNode(ctx context.Context, cluster Cluster, node any) error {
	return f.change(ctx, upsert(node, &cluster))
}

// Delete is Fleet.Delete.
func (f *Fill) Delete(ctx context.Context, ref Ref) error { return f.change(ctx, remove(ref)) }

// Replace is Fleet.Replace.
func (f *Fill) Replace(ctx context.Context, scope Scope, objects any) error {
	return f.change(ctx, replace(scope, objects))
}

// MarkComplete is Fleet.MarkComplete.
func (f *Fill) MarkComplete(ctx context.Context, scope Scope) error {
	return f.change(ctx, mark(scope, true))
}

// Assume is Fleet.Assume.
func (f *Fill) Assume(ctx context.Context, assumption Assumption) error {
	return f.change(ctx, assume(assumption))
}

// Observe is Fleet.Observe.
func (f *Fill) Observe(ctx context.Context, audience Audience, facts Observed) error {
	return f.change(ctx, observe(audience, facts))
}

func (f *Fill) change(ctx context.Context, s step) error {
	if f.fleet.instance == nil {
		return errors.New("capipolicy: the instance to fill is gone")
	}
	arguments, err := s.arguments(f.fleet.engine.pool.limits)
	if err != nil {
		return err
	}
	// What is refilled from the journal is in there already.
	s.note = nil
	_, err = f.fleet.inTurn(ctx, s, arguments, func() {})
	return err
}

// The functions that have a meaning of their own in a journal.
const (
	markComplete = "fleet-mark-complete"
	observeFacts = "fleet-observe"
)

// step is a call of one of the fleet's functions.
type step struct {
	function string
	// values are the parameters; the last one is an option if option is set.
	values []any
	option bool
	// done says that the function has no answer but done or an error.
	done bool
	// ref and scope are what it changes.
	ref   Ref
	scope Scope
	// note keeps the step for a refill.
	note func(*journal, step, []argument)
	// then is run in the same turn once the call has succeeded.
	then func(answer []byte) error
}

func upsert(object any, cluster *Cluster) step {
	s := step{function: "fleet-upsert", values: []any{object, nil}, option: true, done: true, ref: Ref{WorkloadCluster: cluster}, note: (*journal).upsert}
	if cluster != nil {
		s.values[1] = *cluster
	}
	return s
}

func remove(ref Ref) step {
	return step{function: "fleet-remove", values: []any{ref}, done: true, ref: ref, note: (*journal).remove}
}

func replace(scope Scope, objects any) step {
	return step{function: "fleet-replace", values: []any{scope, objects}, done: true, scope: scope, note: (*journal).replace}
}

func mark(scope Scope, complete bool) step {
	function := "fleet-mark-incomplete"
	if complete {
		function = markComplete
	}
	return step{function: function, values: []any{scope}, done: true, scope: scope, note: (*journal).mark}
}

func assume(assumption Assumption) step {
	return step{function: "fleet-assume", values: []any{[]byte(assumption)}, done: true, note: (*journal).other}
}

func observe(audience Audience, facts Observed) step {
	about := Ref{Kind: audience.Kind, Namespace: audience.Namespace, Name: audience.Name}
	return step{function: observeFacts, values: []any{audience, facts}, done: true, ref: about, note: (*journal).other}
}

// arguments writes the values as the policy reads them.
func (s step) arguments(limits Options) ([]argument, error) {
	arguments := make([]argument, 0, len(s.values))
	for n, value := range s.values {
		a := argument{option: s.option && n == len(s.values)-1}
		if value != nil {
			var err error
			if a.text, err = encode(value); err != nil {
				return nil, err
			}
			if err := checkText(a.text, limits); err != nil {
				return nil, err
			}
		}
		arguments = append(arguments, a)
	}
	return arguments, nil
}

// lifter reads what the function returns.
func (s step) lifter(e export) lifter {
	switch s.function {
	case "fleet-wanted", "fleet-decidable", "fleet-size":
		return e.liftString
	}
	if s.done {
		return e.liftDone
	}
	return e.liftResult
}

// Typed is an object with apiVersion and kind, which objects of client-go's and
// controller-runtime's caches lack.
func Typed(apiVersion, kind string, object any) json.Marshaler {
	return typed{apiVersion, kind, object}
}

type typed struct {
	apiVersion, kind string
	object           any
}

// MarshalJSON implements json.Marshaler.
func (t typed) MarshalJSON() ([]byte, error) {
	text, err := encode(t.object)
	if err != nil {
		return nil, err
	}
	if len(text) < 2 || text[0] != '{' {
		return nil, errors.New("capipolicy: an object that is not a JSON object")
	}
	if bytes.HasPrefix(text, []byte(`{"kind":`)) || bytes.HasPrefix(text, []byte(`{"apiVersion":`)) {
		return text, nil
	}
	head, err := json.Marshal(struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}{t.apiVersion, t.kind})
	if err != nil {
		return nil, err
	}
	if text[1] == '}' {
		return head, nil
	}
	head[len(head)-1] = ','
	return append(head, text[1:]...), nil
}
