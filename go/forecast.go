package capipolicy

import "time"

// Forecast holds the decisions to come if nothing but time changes.
type Forecast struct {
	// Now is the decision now.
	Now Evaluation `json:"now"`
	// Until is up to when the forecast looks.
	Until time.Time `json:"until"`
	// Moments are those at which something changes, in order.
	Moments []Moment `json:"moments"`
	// Complete is false when there were too many moments to look at all of
	// them.
	Complete bool `json:"complete"`
}

// Moment is when the decision changes.
type Moment struct {
	At time.Time `json:"at"`
	// Changes are what is different from just before.
	Changes []Change `json:"changes"`
}

// Change is one thing that changes.
type Change struct {
	// Subject is the name of the object or machine it is about.
	Subject string `json:"subject"`
	// What is verdict, action, or the type of a condition.
	What string `json:"what"`
	// From is what it was; empty when there was nothing.
	From string `json:"from,omitempty"`
	// To is what it becomes; empty when nothing is left.
	To string `json:"to,omitempty"`
	// Row is the row that decides so; empty for actions and for what ends.
	Row string `json:"row,omitempty"`
}
