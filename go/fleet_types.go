package capipolicy

// Cluster names a workload cluster: the Cluster object of the management
// cluster.
type Cluster struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// Ref names an object in a fleet.
type Ref struct {
	// Group is the API group, as in cluster.x-k8s.io; empty for core objects.
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	// WorkloadCluster is where a Node was read from; nil for everything else.
	WorkloadCluster *Cluster `json:"workloadCluster,omitempty"`
}

// Scope is what can be listed at once: the objects of a kind, in one namespace
// or, without one, in all of them, and for Nodes in one workload cluster.
type Scope struct {
	Group           string   `json:"group,omitempty"`
	Kind            string   `json:"kind"`
	Namespace       string   `json:"namespace,omitempty"`
	WorkloadCluster *Cluster `json:"workloadCluster,omitempty"`
}

// Subject is an object that can be decided about.
type Subject struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// Audience is what facts are about: one object, all objects of a workload
// cluster, or, as its zero value, all objects. Facts about an object win over
// those about its cluster, and those over facts about all.
type Audience struct {
	WorkloadCluster *Cluster `json:"workloadCluster,omitempty"`
	Kind            string   `json:"kind,omitempty"`
	Namespace       string   `json:"namespace,omitempty"`
	Name            string   `json:"name,omitempty"`
}

// Assumption says what counts as completely listed where neither MarkComplete nor
// Replace said so. An object that is not there does not exist if its kind is
// completely listed; otherwise nobody has read it.
type Assumption string

const (
	// AssumeNothing is the default.
	AssumeNothing Assumption = "nothing"
	// AssumePresentKindsAreComplete is for files and pasted text: a kind is
	// complete when at least one object of it is there.
	AssumePresentKindsAreComplete Assumption = "presentKindsAreComplete"
	// AssumeEverythingIsComplete is for callers that put in all that there is
	// before they ask.
	AssumeEverythingIsComplete Assumption = "everythingIsComplete"
)

// Wanted is what a fleet needs to decide about the objects that it has.
type Wanted struct {
	// Kinds are to be listed and watched.
	Kinds []WantedKind `json:"kinds"`
	// Objects are those that others refer to.
	Objects []WantedObject `json:"objects"`
	// Outdated are objects in an API version that the policy does not read.
	Outdated []OutdatedObject `json:"outdated"`
}

// WantedKind is a kind to list.
type WantedKind struct {
	Scope
	// Complete says that the fleet was told that it has all of them.
	Complete bool `json:"complete"`
}

// Presence says what a fleet knows about an object.
type Presence string

const (
	// PresenceFound means that the fleet has the object.
	PresenceFound Presence = "found"
	// PresenceMissing means that there is no such object.
	PresenceMissing Presence = "missing"
	// PresenceNotRead means that nobody has looked yet.
	PresenceNotRead Presence = "notRead"
)

// WantedObject is an object that another one refers to.
type WantedObject struct {
	Ref
	Presence Presence `json:"presence"`
}

// OutdatedObject is an object in an API version that the policy does not read.
type OutdatedObject struct {
	Ref
	// Version is the API version, as in v1beta1.
	Version string `json:"version"`
}

// Size says how much a fleet holds.
type Size struct {
	Objects int64 `json:"objects"`
	// Bytes is the size of their JSON.
	Bytes int64 `json:"bytes"`
}

// due asks what there is to decide about; without kinds, about all of them.
type due struct {
	Now   string   `json:"now"`
	Kinds []string `json:"kinds,omitempty"`
}

// request asks for a decision.
type request struct {
	Subject
	Now     string  `json:"now"`
	Profile Profile `json:"profile,omitempty"`
	Explain bool    `json:"explain,omitempty"`
	Until   string  `json:"until,omitempty"`
}
