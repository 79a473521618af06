//! What the host could and could not read, and what it found out on the way.

use crate::time::Time;
use crate::view::Str;
use capi_policy_json::{Fault, Read, Reader, fields};
use std::collections::BTreeSet;

fields! {
    /// What the host could and could not read. Absent means that everything was read.
    #[allow(clippy::struct_excessive_bools, reason = "independent facts, each with a name of its own in the snapshot")]
    pub struct Observed<'a> {
        /// The MachineSets could be listed.
        "machineSetsListed" => machine_sets_listed: bool = true,
        /// The Machines could be listed.
        "machinesListed" => machines_listed: bool = true,
        /// The Cluster of a health check exists.
        "clusterFound" => cluster_found: bool = true,
        /// There is a connection to the workload cluster.
        "workloadClusterConnected" => workload_cluster_connected: bool = true,
        /// Names of Nodes that can't be read because of an error other than "not found".
        "nodeReadErrors" => node_read_errors: Names<'a>,
        /// The API server refused a new remediation request.
        "remediationRequestCreateFails" => remediation_request_create_fails: bool,
        /// The bootstrap template of a MachineDeployment or MachineSet does not exist.
        "bootstrapTemplateNotFound" => bootstrap_template_not_found: bool,
        /// The infrastructure template of a MachineDeployment, MachineSet or control plane does not exist.
        "infrastructureTemplateNotFound" => infrastructure_template_not_found: bool,
        /// MachineSet: preflight checks that block the creation of machines, in the order to be shown.
        "scaleUpPreflightCheckErrMessages" => scale_up_preflight_check_err_messages: Vec<Str<'a>>,
        /// Machine, MachinePool: its bootstrap config does not exist; when absent, that is so if the snapshot has none.
        "bootstrapConfigNotFound" => bootstrap_config_not_found: Option<bool>,
        /// Machine, MachinePool: its infrastructure does not exist; when absent, that is so if the snapshot has none.
        "infraMachineNotFound" => infra_machine_not_found: Option<bool>,
        /// Cluster: its infrastructure does not exist; when absent, that is so if the snapshot has none.
        "infraClusterNotFound" => infra_cluster_not_found: Option<bool>,
        /// Cluster: its control plane does not exist; when absent, that is so if the snapshot has none.
        "controlPlaneNotFound" => control_plane_not_found: Option<bool>,
        /// Cluster: the contract its control plane follows, `v1beta1` or `v1beta2`.
        "controlPlaneContractVersion" => control_plane_contract_version: Str<'a>,
        /// Cluster: its MachineDeployments, MachineSets and Machines could be listed.
        "descendantsListed" => descendants_listed: bool = true,
        /// Machine: why its Node can't be read; `ClusterNotConnected` or anything else.
        "nodeGetError" => node_get_error: Str<'a>,
        /// Probes of the workload cluster.
        "healthCheckingState" => health_checking_state: HealthCheckingState,
        /// Machine: how long Node conditions are kept without a successful probe.
        "remoteConditionsGracePeriodSeconds" => remote_conditions_grace_period_seconds: i64,
        /// Cluster: how long failing probes are tolerated.
        "remoteConnectionGracePeriodSeconds" => remote_connection_grace_period_seconds: i64,
        /// Feature gates of Cluster API's controllers.
        "featureGates" => feature_gates: FeatureGates,
        /// MachineSet: preflight checks that are switched on for its controller; all of them when absent.
        "preflightChecks" => preflight_checks: Option<Vec<Str<'a>>>,
        /// Control plane: alarms of etcd's members.
        "etcdAlarms" => etcd_alarms: Vec<EtcdAlarm<'a>>,
        /// Control plane: the id of the member that leads; absent when none is known.
        "etcdLeaderID" => etcd_leader_id: Option<Str<'a>>,
        /// Control plane: the Nodes of the workload cluster can't be listed.
        "nodeListFails" => node_list_fails: bool,
        /// Control plane: there is no client for the workload cluster.
        "workloadClientFails" => workload_client_fails: bool,
        /// Control plane: members of etcd to which the leadership can't be moved.
        "moveEtcdLeadershipFails" => move_etcd_leadership_fails: Vec<Str<'a>>,
        /// Control plane: members of etcd can't be removed.
        "removeEtcdMemberFails" => remove_etcd_member_fails: bool,
        /// Control plane: machines that are not as the spec wants them; when absent, those whose `UpToDate` is False.
        "machinesNotUpToDate" => machines_not_up_to_date: Option<Vec<NotUpToDate<'a>>>,
        /// Control plane: machines of which nobody read the KubeadmConfig or the infrastructure, so that nobody can tell whether they are up to date.
        "machinesNotCompared" => machines_not_compared: Vec<Str<'a>>,
        /// MachineDeployment: old MachineSets whose change an extension makes in place.
        "canUpdateInPlace" => can_update_in_place: Vec<Str<'a>>,
        /// MachineDeployment: old MachineSets for which the extension can't be called.
        "canUpdateInPlaceFails" => can_update_in_place_fails: Vec<Str<'a>>,
        /// Machines that the API server refuses to delete.
        "machineDeleteFails" => machine_delete_fails: Vec<Str<'a>>,
        /// Control plane: results of the preflight checks.
        "preflightCheckResults" => preflight_check_results: PreflightCheckResults,
        /// Control plane: the members of etcd; absent when they could not be read.
        "etcdMembers" => etcd_members: Option<Vec<EtcdMember<'a>>>,
        /// Control plane: members, machines and nodes fit together.
        "etcdMembersAndMachinesAreMatching" => etcd_members_and_machines_are_matching: bool,
        /// Control plane: whether the workload cluster has the kubeadm ConfigMap: `true`, `false` or `error`.
        "hasKubeadmConfig" => has_kubeadm_config: Str<'a>,
        /// Control plane: what etcd answered about its members; absent when it was not read.
        "etcd" => etcd: Option<EtcdAnswers<'a>>,
        /// Control plane: why there is no client for the workload cluster; `NotConnected` or anything else.
        "workloadClient" => workload_client: Str<'a>,
        /// Control plane: why the Nodes of the workload cluster can't be listed.
        "nodeListError" => node_list_error: Str<'a>,
        /// Control plane: names of Pods that can't be read because of an error other than "not found".
        "podGetErrors" => pod_get_errors: Vec<Str<'a>>,
        /// Control plane: the Secrets of the Cluster's certificates, by name and keys; absent when they were not read.
        "secrets" => secrets: Option<Vec<CertificateSecret<'a>>>,
        /// Control plane: names of Secrets that can't be read because of an error other than "not found".
        "secretGetFails" => secret_get_fails: Vec<Str<'a>>,
        /// Control plane: the API server refuses new Secrets.
        "secretCreateFails" => secret_create_fails: bool,
        /// Control plane: the API server refuses changes of Secrets.
        "secretPatchFails" => secret_patch_fails: bool,
        /// Cluster: what the topology controller found out; absent when that is not known.
        "topology" => topology: Option<Topology<'a>>,
        /// What the deletion flow reports.
        "deletingReason" => deleting_reason: Str<'a>,
        /// What the deletion flow reports.
        "deletingMessage" => deleting_message: Str<'a>,
        /// What the in-place update flow reports.
        "updatingReason" => updating_reason: Str<'a>,
        /// What the in-place update flow reports.
        "updatingMessage" => updating_message: Str<'a>,
    }

    /// Feature gates of Cluster API's controllers, as it ships them where nothing else is said.
    #[derive(Copy)]
    pub struct FeatureGates {
        /// Clusters may be made from a ClusterClass.
        "clusterTopology" => cluster_topology: bool,
        /// Machines may be updated in place.
        "inPlaceUpdates" => in_place_updates: bool,
        /// MachineSets check their control plane before they make machines.
        "machineSetPreflightChecks" => machine_set_preflight_checks: bool = true,
    }

    /// Probes of a workload cluster.
    #[derive(Copy)]
    pub struct HealthCheckingState {
        /// The last probe; absent when there was none.
        "lastProbeTime" => last_probe_time: Option<Time>,
        /// The last one that succeeded; absent when none did.
        "lastProbeSuccessTime" => last_probe_success_time: Option<Time>,
        /// How many failed in a row.
        "consecutiveFailures" => consecutive_failures: i64,
    }

    /// Results of a control plane's preflight checks: true is bad.
    #[derive(Copy)]
    #[allow(clippy::struct_excessive_bools, reason = "independent facts, each with a name of its own in the snapshot")]
    pub struct PreflightCheckResults {
        /// A machine is being deleted.
        "hasDeletingMachine" => has_deleting_machine: bool,
        /// A certificate is missing.
        "certificateMissing" => certificate_missing: bool,
        /// Components are not healthy.
        "controlPlaneComponentsNotHealthy" => control_plane_components_not_healthy: bool,
        /// Etcd is not healthy.
        "etcdClusterNotHealthy" => etcd_cluster_not_healthy: bool,
        /// The topology wants another version first.
        "topologyVersionMismatch" => topology_version_mismatch: bool,
    }

    /// What etcd answered through the Pods of its members.
    pub struct EtcdAnswers<'a> {
        /// Names of Nodes whose member can't be reached.
        "unreachableNodes" => unreachable_nodes: Vec<Str<'a>>,
        /// Why no member can be reached.
        "connectError" => connect_error: Str<'a>,
        /// Its members.
        "members" => members: Vec<EtcdMember<'a>>,
        /// Why the members can't be listed.
        "membersError" => members_error: Str<'a>,
        /// The id of the leader, as decimal digits.
        "leaderID" => leader_id: Str<'a>,
        /// Its alarms.
        "alarms" => alarms: Vec<EtcdAlarm<'a>>,
        /// Why the alarms can't be listed.
        "alarmsError" => alarms_error: Str<'a>,
    }

    /// An alarm of etcd.
    pub struct EtcdAlarm<'a> {
        /// The id of the member it is about, as decimal digits.
        "memberID" => member_id: Str<'a>,
        /// `NONE`, `NOSPACE` or `CORRUPT`.
        "type" => kind: Str<'a>,
    }

    /// A Secret that holds a certificate of a Cluster. Its contents stay with the host.
    pub struct CertificateSecret<'a> {
        /// Its name.
        "name" => name: Str<'a>,
        /// The keys it has.
        "keys" => keys: Vec<Str<'a>>,
    }

    /// What the topology controller found out about a Cluster.
    pub struct Topology<'a> {
        /// Why the topology could not be reconciled.
        "reconcileError" => reconcile_error: Str<'a>,
        /// What lifecycle hooks answered.
        "hookResponses" => hook_responses: Vec<HookResponse<'a>>,
        /// The upgrade plans could be computed.
        "computeUpgradePlanSucceeded" => compute_upgrade_plan_succeeded: bool,
        /// How far the upgrade of the control plane is.
        "controlPlaneUpgrade" => control_plane_upgrade: ControlPlaneUpgrade<'a>,
        /// How far the upgrade of the MachineDeployments is.
        "machineDeploymentsUpgrade" => machine_deployments_upgrade: WorkersUpgrade<'a>,
        /// How far the upgrade of the MachinePools is.
        "machinePoolsUpgrade" => machine_pools_upgrade: WorkersUpgrade<'a>,
        /// The kind of the control plane.
        "controlPlaneKind" => control_plane_kind: Str<'a>,
        /// The version that the topology wants the control plane to have now.
        "controlPlaneVersion" => control_plane_version: Str<'a>,
    }

    /// What a lifecycle hook answered.
    pub struct HookResponse<'a> {
        /// The hook.
        "hook" => hook: Str<'a>,
        /// It blocks for so long; 0: not at all.
        "retryAfterSeconds" => retry_after_seconds: i64,
        /// Its message.
        "message" => message: Str<'a>,
    }

    /// How far the upgrade of a control plane is.
    pub struct ControlPlaneUpgrade<'a> {
        /// It has to wait.
        "isPendingUpgrade" => is_pending_upgrade: bool,
        /// It starts now.
        "isStartingUpgrade" => is_starting_upgrade: bool,
        /// It goes on.
        "isUpgrading" => is_upgrading: bool,
        /// The versions that are left.
        "upgradePlan" => upgrade_plan: Vec<Str<'a>>,
    }

    /// How far the upgrade of workers is, by their names.
    pub struct WorkersUpgrade<'a> {
        /// They have to wait.
        "pendingUpgrade" => pending_upgrade: Vec<Str<'a>>,
        /// They are upgraded now.
        "upgrading" => upgrading: Vec<Str<'a>>,
        /// Deferred on request.
        "deferred" => deferred: Vec<Str<'a>>,
        /// They are made after the upgrade.
        "pendingCreate" => pending_create: Vec<Str<'a>>,
        /// The versions that are left.
        "upgradePlan" => upgrade_plan: Vec<Str<'a>>,
    }

    /// A control-plane machine that is not as the spec wants it.
    pub struct NotUpToDate<'a> {
        /// Its name.
        "machine" => machine: Str<'a>,
        /// Whether only fields differ that can be changed in place.
        "eligibleForInPlaceUpdate" => eligible_for_in_place_update: bool,
        /// Whether an extension takes the update.
        "canUpdateInPlace" => can_update_in_place: bool,
    }

    /// One member of etcd.
    pub struct EtcdMember<'a> {
        /// Its id, as decimal digits.
        "id" => id: Str<'a>,
        /// Its name.
        "name" => name: Str<'a>,
        /// Whether it does not vote yet.
        "isLearner" => is_learner: bool,
    }
}

/// A set of names, sorted: a health check looks up as many as it has machines.
#[derive(Clone, Debug, Default)]
pub struct Names<'a>(BTreeSet<Str<'a>>);

impl<'a> Names<'a> {
    /// Whether a name is among them.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(&Str::from(name))
    }

    /// All of them, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &Str<'a>> {
        self.0.iter()
    }
}

impl<'a> Read<'a> for Names<'a> {
    fn read(&mut self, reader: &mut Reader<'a>) -> Result<(), Fault> {
        let mut names = Vec::new();
        names.read(reader)?;
        self.0.clear();
        self.0.extend(names);
        Ok(())
    }
}
