// Package capipolicy evaluates Cluster API objects with the capi-policy
// WebAssembly module: a snapshot of Kubernetes objects and a time go in,
// conditions, status fields, actions and the time of the next look come out.
//
// The policy is the module inside the capi-policy component, so a Go
// controller runs the same bytes as every other host. It has no imports: it
// reads no clock, no file and no network, and the same snapshot always gives
// the same decision.
//
//	engine, err := capipolicy.Load(wasm, capipolicy.Options{})
//	if err != nil {
//		return err
//	}
//	defer engine.Close()
//
//	decision, err := engine.EvaluateMachineHealthCheck(ctx, capipolicy.MachineHealthCheckSnapshot{
//		Settings:           capipolicy.Settings{Now: time.Now()},
//		MachineHealthCheck: mhc,
//		Cluster:            cluster,
//		Machines:           machines,
//		Nodes:              nodes,
//	})
//
// An Engine is safe for concurrent use. Every call runs in an instance of its
// own, bounded in memory and time; a cancelled context ends a running
// evaluation with ctx.Err(). The other errors have types: [SnapshotError],
// [LimitError], [TrapError], [AnswerError] and [IncompatibleError].
package capipolicy
