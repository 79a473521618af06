package capipolicy

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
)

// journal is what a Fleet without a cache behind it is filled from again.
type journal struct {
	objects map[string]kept
	// lists are the scopes that were replaced, by key.
	lists map[string]Scope
	// missing are the objects that were deleted, by key.
	missing  map[string]Ref
	complete map[string]Scope
	facts    map[Audience]Observed
	clusters map[Cluster]Observed
}

// kept is an object as the policy got it.
type kept struct {
	ref  Ref
	text []byte
	// list is the key of the scope that says what kind of object it is, if it
	// does not say so itself.
	list string
}

func newJournal() *journal {
	return &journal{
		objects: map[string]kept{}, lists: map[string]Scope{}, missing: map[string]Ref{}, complete: map[string]Scope{},
		facts: map[Audience]Observed{}, clusters: map[Cluster]Observed{},
	}
}

// objectHeader is the part of an object that names it.
type objectHeader struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"metadata"`
}

func (j *journal) upsert(object any, cluster *Cluster) {
	// It was written once already for the policy, which has taken it.
	if text, err := encode(object); err == nil {
		j.keep(text, Scope{WorkloadCluster: cluster})
	}
}

// keep keeps an object of a scope.
func (j *journal) keep(text []byte, scope Scope) {
	var header objectHeader
	if json.Unmarshal(text, &header) != nil {
		return
	}
	object := kept{text: bytes.Clone(text)}
	group, kind := groupOf(header.APIVersion), header.Kind
	if kind == "" {
		group, kind, object.list = scope.Group, scope.Kind, scope.key()
	}
	object.ref = Ref{
		Group: group, Kind: kind, Namespace: header.Metadata.Namespace, Name: header.Metadata.Name, WorkloadCluster: scope.WorkloadCluster,
	}
	j.objects[object.ref.key()] = object
	delete(j.missing, object.ref.key())
}

func (j *journal) remove(ref Ref) {
	delete(j.objects, ref.key())
	j.missing[ref.key()] = ref
}

func (j *journal) replace(scope Scope, objects any) {
	for key, object := range j.objects {
		if scope.has(object.ref) {
			delete(j.objects, key)
		}
	}
	j.complete[scope.key()], j.lists[scope.key()] = scope, scope
	text, err := encode(objects)
	if err != nil {
		return
	}
	var items []json.RawMessage
	if json.Unmarshal(text, &items) != nil {
		var list struct{ Items []json.RawMessage }
		if json.Unmarshal(text, &list) != nil {
			return
		}
		items = list.Items
	}
	for _, item := range items {
		j.keep(item, scope)
	}
}

func (j *journal) mark(scope Scope, complete bool) {
	if complete {
		j.complete[scope.key()] = scope
	} else {
		delete(j.complete, scope.key())
	}
}

func (j *journal) observe(audience Audience, facts Observed) {
	if cluster := audience.WorkloadCluster; cluster != nil {
		j.clusters[*cluster] = facts
		return
	}
	j.facts[audience] = facts
}

// refill fills a fleet with everything that is kept.
func (j *journal) refill(ctx context.Context, fill *Fill) error {
	if err := j.refillLists(ctx, fill); err != nil {
		return err
	}
	for _, object := range j.objects {
		if object.list != "" {
			continue
		}
		if err := fill.change(ctx, upsert(object.text, object.ref.WorkloadCluster)); err != nil {
			return err
		}
	}
	for _, scope := range j.complete {
		if err := fill.MarkComplete(ctx, scope); err != nil {
			return err
		}
	}
	for _, ref := range j.missing {
		if err := fill.Delete(ctx, ref); err != nil {
			return err
		}
	}
	for audience, facts := range j.facts {
		if err := fill.Observe(ctx, audience, facts); err != nil {
			return err
		}
	}
	for cluster, facts := range j.clusters {
		if err := fill.Observe(ctx, Audience{WorkloadCluster: &cluster}, facts); err != nil {
			return err
		}
	}
	return nil
}

// refillLists fills in the objects that don't say what they are.
func (j *journal) refillLists(ctx context.Context, fill *Fill) error {
	items := map[string][]json.RawMessage{}
	for _, object := range j.objects {
		if object.list != "" {
			items[object.list] = append(items[object.list], object.text)
		}
	}
	for key, objects := range items {
		if err := fill.Replace(ctx, j.lists[key], objects); err != nil {
			return err
		}
		// Replacing a list says that it is complete, which may have been taken back.
		if err := fill.change(ctx, mark(j.lists[key], false)); err != nil {
			return err
		}
	}
	return nil
}

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
	if s.WorkloadCluster == nil || ref.WorkloadCluster == nil {
		return s.WorkloadCluster == ref.WorkloadCluster
	}
	return *s.WorkloadCluster == *ref.WorkloadCluster
}

// groupOf cuts the version off, as in cluster.x-k8s.io/v1beta2.
func groupOf(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}
