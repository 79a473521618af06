package capipolicy

// Catalog says what a policy is and which rules it runs.
type Catalog struct {
	// Name and Version are those of the policy.
	Name    string `json:"name"`
	Version string `json:"version"`
	// WIT is the interface that it implements, as in capi:policy@0.1.0.
	WIT string `json:"wit"`
	// ClusterAPI holds the versions of Cluster API that ProfileClusterAPI
	// gives the same answers as.
	ClusterAPI []string `json:"clusterApi"`
	// Profiles are the profiles it knows.
	Profiles []Profile `json:"profiles"`
	// Tables are its rules, sorted by id.
	Tables []Table `json:"tables"`
}

// Table is a transition table: the first row whose guard holds decides.
type Table struct {
	// ID is what the ids of its rows start with.
	ID string `json:"id"`
	// Kind is the kind of the evaluated object.
	Kind string `json:"kind"`
	// Condition is the condition it sets, or the name of what it decides.
	Condition string `json:"condition"`
	// About is what it decides, for a reader.
	About string `json:"about"`
	// Source is where it comes from.
	Source string `json:"source"`
	Rows   []Row  `json:"rows"`
}

// Row is one row of a Table.
type Row struct {
	ID string `json:"id"`
	// When is the guard in words.
	When string `json:"when"`
	// Outcome is what follows.
	Outcome `json:",inline"`
	// ClusterAPI is what follows under ProfileClusterAPI, where that differs.
	ClusterAPI *Outcome `json:"clusterApi,omitempty"`
}

// Outcome is what a row does. Texts in angle brackets are made from the facts.
type Outcome struct {
	// Status is the status it sets, keep, or the step that follows.
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}
