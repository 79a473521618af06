package clusterapi_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	capipolicy "github.com/capi-policy/capi-policy/go"
	"github.com/capi-policy/capi-policy/go/clusterapi"
)

func TestMergeLeavesWhatIsNotOwned(t *testing.T) {
	condition := func(kind, status string) metav1.Condition {
		return metav1.Condition{Type: kind, Status: metav1.ConditionStatus(status), Reason: "Test", LastTransitionTime: metav1.NewTime(now)}
	}
	stored := []metav1.Condition{condition("Ready", "True"), condition("HealthCheckSucceeded", "False"), condition("OwnerRemediated", "False")}
	before := slices.Clone(stored)
	decided := []capipolicy.Condition{{Type: "HealthCheckSucceeded", Status: "True", Reason: "Test", LastTransitionTime: now}}
	merged, changed := clusterapi.Merge(stored, decided, clusterapi.MachineConditionsOfHealthChecks...)
	want := []metav1.Condition{condition("Ready", "True"), condition("HealthCheckSucceeded", "True")}
	if diff := cmp.Diff(want, merged); diff != "" || !changed {
		t.Errorf("changed %t, -want +got:\n%s", changed, diff)
	}
	if diff := cmp.Diff(before, stored); diff != "" {
		t.Errorf("what the object carries was changed:\n%s", diff)
	}
	if again, changed := clusterapi.Merge(merged, decided, clusterapi.MachineConditionsOfHealthChecks...); changed {
		t.Errorf("changed again: %v", again)
	}
}

func TestStoreHealthCheck(t *testing.T) {
	mhc := &clusterv1.MachineHealthCheck{ObjectMeta: metav1.ObjectMeta{Name: "workers"}}
	owner := capipolicy.OwnerReference{APIVersion: "cluster.x-k8s.io/v1beta2", Kind: "Cluster", Name: "prod", UID: "u1"}
	decision := &capipolicy.Evaluation{
		Conditions: []capipolicy.Condition{{Type: "RemediationAllowed", Status: "True", Reason: "RemediationAllowed", LastTransitionTime: now}},
		Status:     capipolicy.Status{ExpectedMachines: ptr.To[int32](2), Targets: []string{"m1", "m2"}, ObservedGeneration: ptr.To[int64](3)},
		Actions:    capipolicy.Actions{capipolicy.SetOwnerReference{Owner: owner}, capipolicy.AddLabel{Key: "k", Value: "v"}},
	}
	for range 2 { // a second time changes nothing
		clusterapi.StoreHealthCheck(mhc, decision)
		want := clusterv1.MachineHealthCheck{
			ObjectMeta: metav1.ObjectMeta{
				Name: "workers", Labels: map[string]string{"k": "v"},
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "cluster.x-k8s.io/v1beta2", Kind: "Cluster", Name: "prod", UID: "u1"}},
			},
			Status: clusterv1.MachineHealthCheckStatus{
				Conditions:       clusterapi.Conditions(decision.Conditions),
				ExpectedMachines: ptr.To[int32](2), Targets: []string{"m1", "m2"}, ObservedGeneration: 3,
			},
		}
		if diff := cmp.Diff(want, *mhc); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestObjectsOfActions(t *testing.T) {
	tests := map[string]capipolicy.Action{
		"example.com/v1 Reboot default/m1": capipolicy.CreateRemediationRequest{
			Object: []byte(`{"apiVersion":"example.com/v1","kind":"Reboot","metadata":{"name":"m1","namespace":"default"}}`),
		},
		"example.com/v1 Reboot default/m2":            capipolicy.DeleteRemediationRequest{APIVersion: "example.com/v1", Kind: "Reboot", Namespace: "default", Name: "m2"},
		"cluster.x-k8s.io/v1beta2 Machine default/m3": capipolicy.DeleteMachine{Namespace: "default", Name: "m3"},
	}
	for want, action := range tests {
		o, err := clusterapi.Object(action)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.GetAPIVersion() + " " + o.GetKind() + " " + o.GetNamespace() + "/" + o.GetName(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if o, err := clusterapi.Object(capipolicy.AddLabel{}); o != nil || err != nil {
		t.Errorf("got %v, %v", o, err)
	}
	if _, err := clusterapi.Object(capipolicy.UnknownAction{Name: "dance"}); err == nil {
		t.Error("an unknown action was passed over")
	}
}
