package capipolicy

// Catalog says what a policy is and which rules it runs.
type Catalog struct {
	// Name and Version are those of the policy.
	Name    string `json:"name"`
	Version string `json:"version"`
	// WIT is the interface that it implements, as in capi:policy@0.2.0.
	WIT string `json:"wit"`
	// ClusterAPI holds the versions of Cluster API whose answers the profile
	// of their release gives, byte for byte.
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
	// Profiles are the profiles that have this row; none means all of them.
	Profiles []Profile `json:"profiles,omitempty"`
	// Outcome is what follows.
	Outcome `json:",inline"`
	// Others is what follows under other profiles, where that differs.
	Others []ProfileOutcome `json:"others,omitempty"`
}

// ProfileOutcome is what a row does under one profile.
type ProfileOutcome struct {
	Profile Profile `json:"profile"`
	Outcome `json:",inline"`
}

// Outcome is what a row does. In texts, names in braces stand for facts.
type Outcome struct {
	// Status is the status it sets, keep, or copy and what is taken over;
	// empty where the row leaves the condition alone.
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
	// Act is what the row decides beside the condition.
	Act string `json:"act,omitempty"`
}
