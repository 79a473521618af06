package capipolicy

// Each kind's objects without the methods of its snapshot, so that MarshalJSON
// does not find itself.
type (
	machineDeploymentObjects   MachineDeploymentSnapshot
	machineSetObjects          MachineSetSnapshot
	kubeadmControlPlaneObjects KubeadmControlPlaneSnapshot
	machineObjects             MachineSnapshot
	machineHealthCheckObjects  MachineHealthCheckSnapshot
	clusterObjects             ClusterSnapshot
)

// MarshalJSON gives the text that Engine.Evaluate and Engine.Forecast take.
func (s MachineDeploymentSnapshot) MarshalJSON() ([]byte, error) {
	return marshal("MachineDeployment", s.Settings, machineDeploymentObjects(s))
}

// MarshalJSON gives the text that Engine.Evaluate and Engine.Forecast take.
func (s MachineSetSnapshot) MarshalJSON() ([]byte, error) {
	return marshal("MachineSet", s.Settings, machineSetObjects(s))
}

// MarshalJSON gives the text that Engine.Evaluate and Engine.Forecast take.
func (s KubeadmControlPlaneSnapshot) MarshalJSON() ([]byte, error) {
	return marshal("KubeadmControlPlane", s.Settings, kubeadmControlPlaneObjects(s))
}

// MarshalJSON gives the text that Engine.Evaluate and Engine.Forecast take.
func (s MachineSnapshot) MarshalJSON() ([]byte, error) {
	return marshal("Machine", s.Settings, machineObjects(s))
}

// MarshalJSON gives the text that Engine.Evaluate and Engine.Forecast take.
func (s MachineHealthCheckSnapshot) MarshalJSON() ([]byte, error) {
	return marshal("MachineHealthCheck", s.Settings, machineHealthCheckObjects(s))
}

// MarshalJSON gives the text that Engine.Evaluate and Engine.Forecast take.
func (s ClusterSnapshot) MarshalJSON() ([]byte, error) {
	return marshal("Cluster", s.Settings, clusterObjects(s))
}
