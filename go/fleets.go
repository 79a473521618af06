package capipolicy

import (
	"context"
	"sync"
)

// Fleets are one Fleet for each workload cluster, made when it is needed. They
// are safe for concurrent use.
type Fleets struct {
	engine  *Engine
	profile Profile
	refill  func(ctx context.Context, cluster Cluster, fill *Fill) error
	mutex   sync.Mutex
	fleets  map[Cluster]*Fleet
}

// NewFleets makes an empty set. Refill fills the Fleet of a cluster, as
// FleetOptions.Refill does.
func NewFleets(engine *Engine, profile Profile, refill func(ctx context.Context, cluster Cluster, fill *Fill) error) *Fleets {
	return &Fleets{engine: engine, profile: profile, refill: refill, fleets: map[Cluster]*Fleet{}}
}

// Get is the Fleet of a cluster, which is made if there is none yet.
func (f *Fleets) Get(cluster Cluster) *Fleet {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	fleet, ok := f.fleets[cluster]
	if !ok {
		fleet = NewFleet(f.engine, FleetOptions{Profile: f.profile, Refill: func(ctx context.Context, fill *Fill) error {
			return f.refill(ctx, cluster, fill)
		}})
		f.fleets[cluster] = fleet
	}
	return fleet
}

// Lookup is the Fleet of a cluster if it has been made, else nil. An event about
// an object of another cluster needs no Fleet: the refill will find the object.
func (f *Fleets) Lookup(cluster Cluster) *Fleet {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.fleets[cluster]
}

// Remove closes the Fleet of a cluster that is gone.
func (f *Fleets) Remove(cluster Cluster) {
	f.mutex.Lock()
	fleet := f.fleets[cluster]
	delete(f.fleets, cluster)
	f.mutex.Unlock()
	if fleet != nil {
		fleet.Close()
	}
}

// Close closes every Fleet.
func (f *Fleets) Close() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for cluster, fleet := range f.fleets {
		fleet.Close()
		delete(f.fleets, cluster)
	}
}
