//! Whether a workload cluster can be reached: not while an incident cuts it off, and not while its etcd has no quorum.

use super::Hardware;
use crate::model::World;
use capi_policy::fleet::{Audience, WorkloadCluster};
use capi_policy::time::Time;
use capi_policy::{Error, Kind};
use serde_json::json;

/// How long a machine waits that can't join because etcd has no quorum, before it tries again.
const TRY_AGAIN_SECONDS: i64 = 60;
/// How long Cluster API takes a connection for one that may come back, and the conditions that depend on it for true.
const CONNECTION_GRACE_SECONDS: i64 = 50;
const CONDITIONS_GRACE_SECONDS: i64 = 300;

/// The connection to a workload cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    cut_until: Option<Time>,
    no_quorum: bool,
}

impl Reach {
    /// Whether it is there.
    pub fn holds(self) -> bool {
        self.cut_until.is_none() && !self.no_quorum
    }

    /// Seconds until it makes sense to try again.
    pub fn wait(self, now: Time) -> Option<i64> {
        let cut = self.cut_until.map(|until| until.since(now));
        cut.or(self.no_quorum.then_some(TRY_AGAIN_SECONDS))
    }

    /// It is cut off.
    pub fn cut_until(&mut self, end: Time) {
        self.cut_until = Some(self.cut_until.map_or(end, |known| known.max(end)));
    }

    /// An incident that cut it off is over.
    pub fn end_cut(&mut self, now: Time) {
        self.cut_until = self.cut_until.filter(|until| *until > now);
    }
}

impl Hardware<'_> {
    /// Changes a connection, and tells everybody when it is lost or back.
    pub(super) fn with_reach(
        &mut self,
        cluster: &WorkloadCluster,
        world: &mut World<'_>,
        change: impl FnOnce(&mut Reach),
    ) -> Result<(), Error> {
        let reach = self.reach.entry(cluster.clone()).or_default();
        let before = reach.holds();
        change(reach);
        let holds = reach.holds();
        if holds == before {
            return Ok(());
        }
        let probe = world.now.to_string();
        let facts = if holds {
            json!({})
        } else {
            json!({
                "workloadClusterConnected": false, "nodeGetError": "ClusterNotConnected",
                "healthCheckingState": { "lastProbeTime": probe, "lastProbeSuccessTime": probe },
                "remoteConnectionGracePeriodSeconds": CONNECTION_GRACE_SECONDS,
                "remoteConditionsGracePeriodSeconds": CONDITIONS_GRACE_SECONDS,
            })
        };
        world.state.fleet().observe(&Audience::WorkloadCluster(cluster.clone()), &facts.to_string())?;
        if holds { self.report_all(cluster, world) } else { Ok(()) }
    }

    /// Whether enough members of etcd work, after something happened to the machines of an owner.
    pub(super) fn check_quorum(&mut self, owner: usize, world: &mut World<'_>) -> Result<(), Error> {
        let Some(subject) = self.owners[owner].object.subject() else { return Ok(()) };
        if subject.kind != Kind::KubeadmControlPlane {
            return Ok(());
        }
        let members = world.state.observed(&subject).and_then(|observed| observed["etcdMembers"].as_array());
        let members: Vec<&str> = members.into_iter().flatten().filter_map(|member| member["name"].as_str()).collect();
        let lives = self.lives.iter().filter(|(_, life)| life.owner == owner);
        let working = lives.clone().filter(|(_, life)| life.works() && members.contains(&&*life.node)).count();
        let cluster = lives.map(|(_, life)| life.cluster.clone()).next();
        let lost = !members.is_empty() && working * 2 <= members.len();
        self.owners[owner].quorum_lost = lost;
        match cluster {
            Some(cluster) => self.with_reach(&cluster, world, |reach| reach.no_quorum = lost),
            None => Ok(()),
        }
    }
}
