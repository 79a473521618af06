// Package clusterapi evaluates with the types of Cluster API and Kubernetes:
//
//	decision, err := engine.Evaluate(ctx, clusterapi.MachineHealthCheckSnapshot{
//		Settings:           capipolicy.Settings{Now: time.Now()},
//		MachineHealthCheck: mhc,
//		Cluster:            cluster,
//		Machines:           machines,
//		Nodes:              nodes,
//	})
//	for _, c := range clusterapi.Conditions(decision.Conditions) {
//		meta.SetStatusCondition(&mhc.Status.Conditions, c)
//	}
//
// A snapshot encodes all of its objects for every evaluation. Where objects are
// many and change one at a time, a [capipolicy.Fleet] costs far less.
package clusterapi
