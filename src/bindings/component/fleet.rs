//! The fleet of this instance.

use super::abi::{Arguments, answers, cases, commands, record};
use super::evaluation::{OfFleet, some};
use super::with_fleet;
use crate::error::Error;
use crate::fleet::{
    Assumption, Audience, Fleet, ObjectRef, Options, OutdatedObject, Presence, Scope, Subject, Wanted, WantedKind,
    WantedObject, WorkloadCluster,
};
use crate::snapshot::{Kind, Profile};
use crate::time::Time;

answers! {
    "capi:policy/fleet@0.2.0":
    "upsert" (a b c d e f g h) arguments => {
        let (object, cluster) = (arguments.text(), workload_cluster(&mut arguments));
        with_fleet(|fleet| fleet.upsert(object, cluster))
    },
    "replace" (a b c d e f g h i j k l m n o p) arguments => {
        let (scope, objects) = (scope(&mut arguments), arguments.texts());
        with_fleet(|fleet| fleet.replace(&scope, objects.iter().map(String::as_str)))
    },
    "observe" (a b c d e f g h i) arguments => observe(&mut arguments),
    "wanted" () nothing => with_fleet(|fleet| fleet.wanted()),
    "decidable" () nothing => with_fleet(|fleet| fleet.decidable()),
    "due" (a b) arguments => due(&arguments.text()),
    "evaluate" (a b c d e f g h i j k l) arguments => {
        let object = subject(&mut arguments);
        options(&mut arguments).and_then(|options| with_fleet(|fleet| fleet.evaluate(&object, options))).map(OfFleet)
    },
    "snapshot" (a b c d e f g h i j k l) arguments => {
        let object = subject(&mut arguments);
        options(&mut arguments).and_then(|options| with_fleet(|fleet| fleet.snapshot(&object, options)))
    },
    "size" () nothing => {
        let (objects, bytes) = with_fleet(|fleet| fleet.size());
        Contents { objects: u32::try_from(objects).unwrap_or(u32::MAX), bytes: bytes as u64 }
    },
}

commands! {
    "capi:policy/fleet@0.2.0":
    "remove" (a b c d e f g h i j k l m n o p) arguments => {
        let object = object(&mut arguments);
        with_fleet(|fleet| fleet.remove(&object));
    },
    "mark-complete" (a b c d e f g h i j k l m n) arguments => mark(&mut arguments, true),
    "mark-incomplete" (a b c d e f g h i j k l m n) arguments => mark(&mut arguments, false),
    "assume" (a) arguments => {
        let assumption = match arguments.number() {
            0 => Assumption::Nothing,
            1 => Assumption::PresentKindsAreComplete,
            _ => Assumption::EverythingIsComplete,
        };
        with_fleet(|fleet| fleet.assume(assumption));
    },
    "clear" () nothing => with_fleet(Fleet::clear),
}

fn observe(arguments: &mut Arguments<'_>) -> Result<(), Error> {
    // The largest case takes six places.
    let audience = match arguments.number() {
        0 => {
            arguments.pass(6);
            Audience::All
        }
        1 => {
            let cluster = named_cluster(arguments);
            arguments.pass(1);
            Audience::WorkloadCluster(cluster)
        }
        _ => Audience::Object(subject(arguments)),
    };
    let facts = arguments.text();
    with_fleet(|fleet| fleet.observe(&audience, &facts))
}

fn due(now: &str) -> Result<Vec<Subject>, Error> {
    let now = Time::parse_named("now", now)?;
    Ok(with_fleet(|fleet| fleet.due(now)))
}

fn mark(arguments: &mut Arguments<'_>, complete: bool) {
    let scope = scope(arguments);
    with_fleet(|fleet| fleet.mark(&scope, complete));
}

fn named_cluster(arguments: &mut Arguments<'_>) -> WorkloadCluster {
    let namespace = arguments.optional_text().unwrap_or_default();
    WorkloadCluster { namespace, name: arguments.text() }
}

fn workload_cluster(arguments: &mut Arguments<'_>) -> Option<WorkloadCluster> {
    arguments.option(5, named_cluster)
}

fn object(arguments: &mut Arguments<'_>) -> ObjectRef {
    let (group, kind) = (arguments.optional_text().unwrap_or_default(), arguments.text());
    let (namespace, name) = (arguments.optional_text().unwrap_or_default(), arguments.text());
    ObjectRef::new((&group, &kind), &namespace, &name).of_workload(workload_cluster(arguments))
}

fn scope(arguments: &mut Arguments<'_>) -> Scope {
    let (group, kind) = (arguments.optional_text().unwrap_or_default(), arguments.text());
    let (namespace, workload_cluster) = (arguments.optional_text(), workload_cluster(arguments));
    Scope { namespace, workload_cluster, ..Scope::of((&group, &kind)) }
}

fn subject(arguments: &mut Arguments<'_>) -> Subject {
    let kind = match arguments.number() {
        0 => Kind::Cluster,
        1 => Kind::KubeadmControlPlane,
        2 => Kind::MachineDeployment,
        3 => Kind::MachineSet,
        4 => Kind::MachineHealthCheck,
        5 => Kind::MachinePool,
        _ => Kind::Machine,
    };
    Subject { kind, namespace: arguments.optional_text().unwrap_or_default(), name: arguments.text() }
}

fn options(arguments: &mut Arguments<'_>) -> Result<Options, Error> {
    let (now, profile, explain) = (arguments.text(), arguments.optional_text(), arguments.flag());
    let profile = profile.as_deref().map_or(Ok(Profile::default()), Profile::named)?;
    Ok(Options { now: Time::parse_named("now", &now)?, profile, explain })
}

struct Contents {
    objects: u32,
    bytes: u64,
}

record! {
    Contents { contents:
        objects: u32 = contents.objects,
        bytes: u64 = contents.bytes,
    }
    Subject { s:
        kind: Kind = s.kind,
        namespace: Option<&str> = some(&s.namespace),
        name: &str = &s.name,
    }
    WorkloadCluster { cluster:
        namespace: Option<&str> = some(&cluster.namespace),
        name: &str = &cluster.name,
    }
    ObjectRef { object:
        group: Option<&str> = some(&object.place.group),
        kind: &str = &object.place.kind,
        namespace: Option<&str> = some(&object.place.namespace),
        name: &str = &object.name,
        workload_cluster: Option<&WorkloadCluster> = object.place.workload_cluster.as_ref(),
    }
    Scope { scope:
        group: Option<&str> = some(&scope.group),
        kind: &str = &scope.kind,
        namespace: Option<&str> = scope.namespace.as_deref(),
        workload_cluster: Option<&WorkloadCluster> = scope.workload_cluster.as_ref(),
    }
    Wanted { wanted:
        kinds: &Vec<WantedKind> = &wanted.kinds,
        objects: &Vec<WantedObject> = &wanted.objects,
        outdated: &Vec<OutdatedObject> = &wanted.outdated,
    }
    WantedKind { wanted:
        scope: &Scope = &wanted.scope,
        complete: bool = wanted.complete,
    }
    WantedObject { wanted:
        object: &ObjectRef = &wanted.object,
        presence: Presence = wanted.presence,
    }
    OutdatedObject { outdated:
        object: &ObjectRef = &outdated.object,
        version: &str = &outdated.version,
    }
}

cases! {
    Presence { Found Missing NotRead }
}
