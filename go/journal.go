package capipolicy

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// journal is what a Fleet without a cache behind it is filled from again: the
// changes that it took, in their order, without those that later ones made up
// for. What is lost is that an object was missing before its scope became
// incomplete: then it counts as not read.
type journal struct {
	count int
	// objects are upserts and deletions, by the object's key.
	objects map[string]entry
	// lists are replacements, marks say what is complete, by the scope's key.
	lists, marks map[string]entry
	// others are facts and assumptions. Facts about an object go with it.
	others map[string]entry
}

// entry is a change that was taken.
type entry struct {
	number int
	step   step
}

func newJournal() *journal {
	return &journal{objects: map[string]entry{}, lists: map[string]entry{}, marks: map[string]entry{}, others: map[string]entry{}}
}

// entry keeps a change with the texts that the policy got.
func (j *journal) entry(s step, arguments []argument) entry {
	j.count++
	s.values = make([]any, len(arguments))
	for n, a := range arguments {
		if a.text != nil {
			s.values[n] = slices.Clone(a.text)
		}
	}
	return entry{j.count, s}
}

// objectHeader is the part of an object that names it. What the policy has read
// is JSON of this shape.
type objectHeader struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"metadata"`
}

func (j *journal) upsert(s step, arguments []argument) {
	var object objectHeader
	_ = json.Unmarshal(arguments[0].text, &object)
	group, _, found := strings.Cut(object.APIVersion, "/")
	if !found {
		group = ""
	}
	s.ref.Group, s.ref.Kind, s.ref.Namespace, s.ref.Name = group, object.Kind, object.Metadata.Namespace, object.Metadata.Name
	j.objects[s.ref.key()] = j.entry(s, arguments)
}

// remove keeps that an object does not exist, unless that follows from its kind
// being listed completely.
func (j *journal) remove(s step, arguments []argument) {
	j.forgetFacts(func(about Subject) bool { return about == s.ref.subject() })
	covers := func(e entry) bool { return e.step.scope.has(s.ref) }
	listed := slices.ContainsFunc(slices.Collect(maps.Values(j.lists)), covers)
	complete := slices.ContainsFunc(slices.Collect(maps.Values(j.marks)), func(e entry) bool {
		return covers(e) && e.step.function == markComplete
	})
	key := s.ref.key()
	if _, known := j.objects[key]; known && complete && !listed {
		delete(j.objects, key)
		return
	}
	j.objects[key] = j.entry(s, arguments)
}

func (j *journal) replace(s step, arguments []argument) {
	var items []objectHeader
	if json.Unmarshal(arguments[1].text, &items) != nil {
		var list struct{ Items []objectHeader }
		_ = json.Unmarshal(arguments[1].text, &list)
		items = list.Items
	}
	listed := map[Subject]bool{}
	for _, item := range items {
		listed[Subject{Kind: s.scope.Kind, Namespace: item.Metadata.Namespace, Name: item.Metadata.Name}] = true
	}
	j.forgetFacts(func(about Subject) bool {
		return about.Kind == s.scope.Kind && (s.scope.Namespace == "" || s.scope.Namespace == about.Namespace) && !listed[about]
	})
	maps.DeleteFunc(j.objects, func(_ string, e entry) bool { return s.scope.has(e.step.ref) })
	j.lists[s.scope.key()] = j.entry(s, arguments)
}

func (j *journal) mark(s step, arguments []argument) {
	j.marks[s.scope.key()] = j.entry(s, arguments)
}

func (j *journal) other(s step, arguments []argument) {
	key := s.function
	if s.function == observeFacts {
		key += string(arguments[0].text)
	}
	j.others[key] = j.entry(s, arguments)
}

func (j *journal) forgetFacts(of func(about Subject) bool) {
	maps.DeleteFunc(j.others, func(_ string, e entry) bool { return of(e.step.ref.subject()) })
}

// refill makes all changes again.
func (j *journal) refill(ctx context.Context, fill *Fill) error {
	var all []entry
	for _, entries := range []map[string]entry{j.objects, j.lists, j.marks, j.others} {
		all = slices.AppendSeq(all, maps.Values(entries))
	}
	slices.SortFunc(all, func(a, b entry) int { return a.number - b.number })
	for _, e := range all {
		if err := fill.change(ctx, e.step); err != nil {
			return err
		}
	}
	return nil
}

func (r Ref) subject() Subject { return Subject{Kind: r.Kind, Namespace: r.Namespace, Name: r.Name} }

func (r Ref) key() string {
	key := []string{r.Group, r.Kind, r.Namespace, r.Name}
	if r.WorkloadCluster != nil {
		key = append(key, r.WorkloadCluster.Namespace, r.WorkloadCluster.Name)
	}
	return strings.Join(key, "/")
}

func (s Scope) key() string {
	return Ref{Group: s.Group, Kind: s.Kind, Namespace: s.Namespace, WorkloadCluster: s.WorkloadCluster}.key()
}

// has says whether an object is in the scope.
func (s Scope) has(ref Ref) bool {
	if s.Group != ref.Group || s.Kind != ref.Kind || s.Namespace != "" && s.Namespace != ref.Namespace {
		return false
	}
	return s.WorkloadCluster == nil || ref.WorkloadCluster != nil && *s.WorkloadCluster == *ref.WorkloadCluster
}
