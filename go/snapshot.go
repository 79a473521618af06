package capipolicy

import (
	"encoding/json"
	"errors"
	"time"
)

// Profile says which rules apply where the documentation of Cluster API and
// its code differ.
type Profile string

const (
	// ProfileDocumented is what the documentation says. It is the default.
	ProfileDocumented Profile = "documented"
	// ProfileClusterAPI is what the newest release of Cluster API does that
	// the policy knows. It moves with each release: name the version in what
	// you deploy.
	ProfileClusterAPI Profile = "cluster-api"
	// ProfileClusterAPIv1_13 is what Cluster API v1.13 does.
	ProfileClusterAPIv1_13 Profile = "cluster-api-v1.13"
	// ProfileClusterAPIv1_14 is what Cluster API v1.14 does.
	ProfileClusterAPIv1_14 Profile = "cluster-api-v1.14"
)

// Settings belong to every snapshot.
type Settings struct {
	// Now is the time of the evaluation. It is required: a policy has no clock.
	Now time.Time
	// Profile says which rules apply. Default: ProfileDocumented.
	Profile Profile
	// Explain asks for Evaluation.Explanations.
	Explain bool
	// Observed is what could and could not be read. Its zero value means that
	// everything was read.
	Observed Observed
}

// header is what every snapshot has beside its objects.
type header struct {
	Kind     string   `json:"kind"`
	Now      string   `json:"now,omitempty"`
	Profile  Profile  `json:"profile,omitempty"`
	Explain  bool     `json:"explain,omitempty"`
	Observed Observed `json:"observed,omitzero"`
}

// MarshalSnapshot gives the JSON of a snapshot about an object of this kind.
// The objects are anything that encoding/json writes as a JSON object, with the
// names that the policy knows:
//
//	text, err := capipolicy.MarshalSnapshot("Machine", capipolicy.Settings{Now: time.Now()}, map[string]any{
//		"machine": machine,
//		"node":    node,
//	})
func MarshalSnapshot(kind string, s Settings, objects any) (json.RawMessage, error) {
	now := ""
	if !s.Now.IsZero() {
		now = s.Now.UTC().Format(time.RFC3339)
	}
	first, err := json.Marshal(header{kind, now, s.Profile, s.Explain, s.Observed})
	if err != nil {
		return nil, err
	}
	rest, err := encode(objects)
	if err != nil {
		return nil, err
	}
	if len(rest) < 2 || rest[0] != '{' {
		return nil, errors.New("capipolicy: the objects of a snapshot are not a JSON object")
	}
	if rest[1] == '}' {
		return first, nil
	}
	first[len(first)-1] = ','
	return append(first, rest[1:]...), nil
}
