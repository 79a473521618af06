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
package clusterapi
