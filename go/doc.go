// Package capipolicy decides the conditions, status fields and health checks of
// Cluster API objects: a snapshot of Kubernetes objects and a time go in,
// conditions, status fields, actions and the time of the next evaluation come
// out.
//
//	engine, err := capipolicy.New(capipolicy.Options{})
//	if err != nil {
//		return err
//	}
//	defer engine.Close()
//
//	decision, err := engine.Evaluate(ctx, map[string]any{
//		"now":     time.Now(),
//		"machine": machine,
//		"cluster": cluster,
//		"node":    node,
//	})
//
// Snapshots are anything that encoding/json writes, so this module needs no
// Kubernetes modules. The module
// github.com/capi-policy/capi-policy/go/clusterapi has snapshots of Cluster
// API's types.
//
// A controller that has its objects in a cache keeps a [Fleet] instead: an event
// then costs the encoding of one object, and the answer is what has changed.
//
// # The policy
//
// The policy is a WebAssembly module, the one inside the capi-policy component,
// and is embedded: a Go controller runs the same bytes as every other host. It
// has no imports: it reads no clock, no file and no network, and the same
// snapshot always gives the same decision. [New] loads the embedded one, [Load]
// any other.
//
// # Instances
//
// An [Engine] is safe for concurrent use. It keeps a bounded pool of instances,
// and an instance serves one call at a time. What happens to it afterwards
// depends on the policy:
//
//   - The embedded policy (also when Load gets its very bytes) leaves nothing
//     behind that a later call could see, so its instances are used again. One
//     that trapped, or that grew beyond 64 MiB, is not.
//   - Any other policy gets a fresh instance for every call.
//
// # Deadlines
//
// When the context of a call ends, or Options.Timeout is over, the call returns.
// What happens to the computation depends on the policy, too:
//
//   - The embedded policy is known to end, and so it runs without checks in its
//     loops, which cost up to five times as much. Its computation goes on until
//     it ends, which is bounded by the size of the snapshot (at most 40 MB), and
//     occupies one of Options.Instances until then. A call that reads little
//     takes milliseconds and is waited for.
//   - Any other policy is stopped, with checks in every loop and function.
//
// The other errors have types: [SnapshotError], [LimitError], [TrapError],
// [AnswerError] and [IncompatibleError].
//
// # Runtimes
//
// The default runtime, wazero, needs no cgo. It compiles to machine code on
// amd64 and arm64 and interprets elsewhere. While compiled code runs, Go cannot
// preempt its goroutine, so a garbage collection that starts in the middle of a
// large evaluation waits for it. The module
// github.com/capi-policy/capi-policy/go/wasmtime runs the policy with wasmtime
// instead, which is faster and has no such pause, but needs cgo.
package capipolicy
