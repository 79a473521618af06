package main

import (
	"context"
	"errors"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/controllers/clustercache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/clusterapi"
)

// read takes the snapshot: what the decision depends on, and what could not be
// read of it.
func (r *reconciler) read(ctx context.Context, mhc *clusterv1.MachineHealthCheck) (*clusterapi.MachineHealthCheckSnapshot, error) {
	s := &clusterapi.MachineHealthCheckSnapshot{
		Settings:           capipolicy.Settings{Now: time.Now(), Profile: r.profile},
		MachineHealthCheck: mhc,
	}
	cluster := &clusterv1.Cluster{}
	key := client.ObjectKey{Namespace: mhc.Namespace, Name: mhc.Spec.ClusterName}
	switch err := r.client.Get(ctx, key, cluster); {
	case apierrors.IsNotFound(err):
		s.Observed.ClusterFound = ptr.To(false)
		return s, nil
	case err != nil:
		return nil, err
	}
	s.Cluster = cluster
	machines := &clusterv1.MachineList{}
	if err := r.client.List(ctx, machines, client.InNamespace(mhc.Namespace),
		client.MatchingLabels{clusterv1.ClusterNameLabel: cluster.Name}); err != nil {
		return nil, err
	}
	for i := range machines.Items {
		s.Machines = append(s.Machines, &machines.Items[i])
	}
	if err := r.readNodes(ctx, s); err != nil {
		return nil, err
	}
	return s, r.readRemediation(ctx, s)
}

// errConnecting says that the Nodes of a workload cluster could not be read
// since the start.
var errConnecting = errors.New("not connected to the workload cluster yet")

// readNodes reads the Nodes of the machines from the workload cluster.
func (r *reconciler) readNodes(ctx context.Context, s *clusterapi.MachineHealthCheckSnapshot) error {
	key := client.ObjectKeyFromObject(s.Cluster)
	workload, err := r.workloads.GetReader(ctx, key)
	notConnected := errors.Is(err, clustercache.ErrClusterNotConnected)
	if err != nil && !notConnected {
		return err
	}
	for _, machine := range s.Machines {
		if !machine.Status.NodeRef.IsDefined() {
			continue
		}
		if notConnected {
			// A connection that broke is a fact to judge by; one that was never
			// there says nothing about the Nodes.
			if r.workloads.GetHealthCheckingState(ctx, key).LastProbeSuccessTime.IsZero() {
				return errConnecting
			}
			s.Observed.WorkloadClusterConnected = ptr.To(false)
			return nil
		}
		node := &corev1.Node{}
		switch err := workload.Get(ctx, client.ObjectKey{Name: machine.Status.NodeRef.Name}, node); {
		case err == nil:
			s.Nodes = append(s.Nodes, node)
		case !apierrors.IsNotFound(err):
			s.Observed.NodeReadErrors = append(s.Observed.NodeReadErrors, machine.Status.NodeRef.Name)
		}
	}
	return nil
}

// readRemediation reads the template of external remediation and the requests
// that were made from it.
func (r *reconciler) readRemediation(ctx context.Context, s *clusterapi.MachineHealthCheckSnapshot) error {
	mhc := s.MachineHealthCheck
	ref := mhc.Spec.Remediation.TemplateRef
	if !ref.IsDefined() {
		return nil
	}
	template := &unstructured.Unstructured{}
	template.SetAPIVersion(ref.APIVersion)
	template.SetKind(ref.Kind)
	switch err := r.client.Get(ctx, client.ObjectKey{Namespace: mhc.Namespace, Name: ref.Name}, template); {
	case apierrors.IsNotFound(err):
	case err != nil:
		return err
	default:
		s.RemediationTemplate = template
	}
	requests := &unstructured.UnstructuredList{}
	requests.SetAPIVersion(ref.APIVersion)
	requests.SetKind(strings.TrimSuffix(ref.Kind, clusterv1.TemplateSuffix) + "List")
	if err := r.client.List(ctx, requests, client.InNamespace(mhc.Namespace)); err != nil {
		return err
	}
	for i := range requests.Items {
		s.RemediationRequests = append(s.RemediationRequests, &requests.Items[i])
	}
	return nil
}
