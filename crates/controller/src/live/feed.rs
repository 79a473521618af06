//! One list that is read, and then watched.

use super::Event;
use crate::discovery::{Served, discover};
use crate::intake::config;
use crate::key::{GroupKind, STATIC_PODS};
use crate::printable::short;
use crate::server_list::ServerList;
use crate::{clock, static_pods, workload};
use anyhow::Result;
use capi_policy_host::{ObjectName, Scope};
use futures::StreamExt;
use futures::stream::BoxStream;
use k8s_openapi::api::core::v1::{Node, Pod};
use kube::core::{ApiResource, DynamicObject, TypeMeta};
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client, ResourceExt};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::Instant;

/// What is known of a list.
pub struct Feed {
    types: TypeMeta,
    state: State,
    /// What the list that is being read has so far.
    pub listed: BTreeSet<ObjectName>,
    /// What was passed on.
    pub known: BTreeSet<ObjectName>,
    since: Instant,
    /// How large the objects of a workload cluster were so far.
    bytes: usize,
    given_up: bool,
}

/// How long the list of a workload cluster, which belongs to somebody else, may take.
const LIST_WITHIN: Duration = Duration::from_mins(1);

enum State {
    Reading,
    Complete,
    Failed(String),
}

/// What came of opening a list.
pub enum Opened {
    As(ApiResource, BoxStream<'static, Event>),
    /// The server does not know the kind.
    NotServed,
    Failed(String),
}

/// Where lists are.
pub struct Source<'a> {
    pub client: &'a Client,
    pub servers: &'a ServerList,
}

impl Source<'_> {
    pub async fn open(&self, scope: &Scope) -> Opened {
        if let Some(cluster) = &scope.workload_cluster {
            return match workload::connect(self.client, &cluster.namespace, &cluster.name, self.servers).await {
                Ok((client, _)) if *scope.kind == *GroupKind::pod().kind => {
                    let components = config().labels(static_pods::COMPONENTS);
                    events(client, &ApiResource::erase::<Pod>(&()), Some(STATIC_PODS), components)
                }
                Ok((client, _)) => events(client, &ApiResource::erase::<Node>(&()), None, config()),
                Err(error) => Opened::Failed(short(&format!("{error:#}")).into_owned()),
            };
        }
        match discover(self.client, &GroupKind::new(&scope.group, &scope.kind)).await {
            Ok(Served::As(resource)) => events(self.client.clone(), &resource, scope.namespace.as_deref(), config()),
            Ok(Served::Not) => Opened::NotServed,
            Ok(Served::InOtherVersions(versions)) => Opened::Failed(format!(
                "served as {} only, and the policy reads v1beta2: update Cluster API to v1.11 or later",
                versions.join(", ")
            )),
            Err(error) => Opened::Failed(short(&error.to_string()).into_owned()),
        }
    }
}

fn events(client: Client, resource: &ApiResource, namespace: Option<&str>, config: watcher::Config) -> Opened {
    let api: Api<DynamicObject> = match namespace {
        Some(namespace) => Api::namespaced_with(client, namespace, resource),
        None => Api::all_with(client, resource),
    };
    Opened::As(resource.clone(), watcher(api, config).default_backoff().boxed())
}

impl Feed {
    /// A list that was opened, and what comes of it. A kind that the server does not know has no objects; but where some
    /// object refers to one, more is wrong than that.
    pub fn new(opened: Opened, referred_to: bool) -> (Self, Option<BoxStream<'static, Event>>) {
        let (state, types, events) = match opened {
            Opened::As(resource, events) => {
                let types = TypeMeta { api_version: resource.api_version, kind: resource.kind };
                (State::Reading, types, Some(events))
            }
            Opened::NotServed if referred_to => {
                (State::Failed("not served, though objects refer to them".to_owned()), TypeMeta::default(), None)
            }
            Opened::NotServed => (State::Complete, TypeMeta::default(), None),
            Opened::Failed(why) => (State::Failed(why), TypeMeta::default(), None),
        };
        let (listed, known) = (BTreeSet::new(), BTreeSet::new());
        (Self { types, state, listed, known, since: clock::instant(), bytes: 0, given_up: false }, events)
    }

    pub fn is_reading(&self) -> bool {
        matches!(self.state, State::Reading)
    }

    pub fn is_complete(&self) -> bool {
        matches!(self.state, State::Complete)
    }

    pub fn failed(&self) -> Option<&str> {
        match &self.state {
            State::Failed(why) => Some(why),
            State::Reading | State::Complete => None,
        }
    }

    pub fn fail(&mut self, why: String) {
        self.state = State::Failed(why);
    }

    /// Whether nothing of this list is wanted any more: its server takes too long or sends too much. `more` bytes have come.
    pub fn is_given_up(&mut self, scope: &Scope, more: usize) -> bool {
        if scope.workload_cluster.is_some() && !self.given_up {
            self.bytes = self.bytes.saturating_add(more);
            let why = if self.bytes > workload::MOST_BYTES {
                Some(format!("more than {} bytes of objects", workload::MOST_BYTES))
            } else if self.is_reading() && self.since.elapsed() > LIST_WITHIN {
                Some(format!("not complete after {} s", LIST_WITHIN.as_secs()))
            } else {
                None
            };
            if let Some(why) = why {
                self.given_up = true;
                self.fail(why);
            }
        }
        self.given_up
    }

    /// The list is complete: what it does not have is gone.
    pub fn complete(&mut self) -> BTreeSet<ObjectName> {
        self.state = State::Complete;
        let listed = std::mem::take(&mut self.listed);
        let gone = self.known.difference(&listed).cloned().collect();
        self.known = listed;
        gone
    }

    /// An object's name, and its text as the fleet takes it. Items of lists don't say what they are.
    pub fn object(&self, scope: &Scope, mut object: DynamicObject) -> Result<(ObjectName, String)> {
        object.metadata.managed_fields = None;
        object.types = Some(self.types.clone());
        let name = ObjectName {
            group: scope.group.clone(),
            kind: scope.kind.clone(),
            namespace: object.namespace().unwrap_or_default(),
            name: object.name_any(),
            workload_cluster: scope.workload_cluster.clone(),
        };
        Ok((name, serde_json::to_string(&object)?))
    }
}

/// Why a list can't be read, as a person wants to know it.
pub fn reason(error: &watcher::Error) -> String {
    use watcher::Error::{InitialListFailed, WatchFailed, WatchStartFailed};
    match error {
        InitialListFailed(kube::Error::Api(status))
        | WatchStartFailed(kube::Error::Api(status))
        | WatchFailed(kube::Error::Api(status)) => short(&status.message).into_owned(),
        other => short(&other.to_string()).into_owned(),
    }
}
