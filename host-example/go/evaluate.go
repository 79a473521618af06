package capipolicy

import (
	"context"
	"encoding/json"
)

// EvaluateMachineDeployment decides about a MachineDeployment.
func (e *Engine) EvaluateMachineDeployment(ctx context.Context, s MachineDeploymentSnapshot) (*Evaluation, error) {
	return e.evaluate(ctx, s)
}

// EvaluateMachineSet decides about a MachineSet.
func (e *Engine) EvaluateMachineSet(ctx context.Context, s MachineSetSnapshot) (*Evaluation, error) {
	return e.evaluate(ctx, s)
}

// EvaluateKubeadmControlPlane decides about a KubeadmControlPlane.
func (e *Engine) EvaluateKubeadmControlPlane(ctx context.Context, s KubeadmControlPlaneSnapshot) (*Evaluation, error) {
	return e.evaluate(ctx, s)
}

// EvaluateMachine decides about a Machine.
func (e *Engine) EvaluateMachine(ctx context.Context, s MachineSnapshot) (*Evaluation, error) {
	return e.evaluate(ctx, s)
}

// EvaluateMachineHealthCheck decides about a MachineHealthCheck and judges the
// machines that it selects.
func (e *Engine) EvaluateMachineHealthCheck(ctx context.Context, s MachineHealthCheckSnapshot) (*Evaluation, error) {
	return e.evaluate(ctx, s)
}

// EvaluateCluster decides about a Cluster.
func (e *Engine) EvaluateCluster(ctx context.Context, s ClusterSnapshot) (*Evaluation, error) {
	return e.evaluate(ctx, s)
}

func (e *Engine) evaluate(ctx context.Context, snapshot json.Marshaler) (*Evaluation, error) {
	// Not json.Marshal, which would check and compact the text once more.
	text, err := snapshot.MarshalJSON()
	if err != nil {
		return nil, err
	}
	answer, err := e.Evaluate(ctx, text)
	if err != nil {
		return nil, err
	}
	return decode[Evaluation](e.pool.policy.evaluate, answer)
}
