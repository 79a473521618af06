#![doc = include_str!("paused.md")]

use crate::progress::{Mode, Progress, decide};
use crate::snapshot::Kind;
use crate::table::{EVERY_KIND, Table, facts, in_progress, otherwise, row, subject};
use crate::view::{Cluster, Condition, Metadata, annotation};

/// Any object that can be paused.
pub struct Pausable;

/// What decides whether an object is paused.
pub struct Pausing<'a> {
    /// The object's kind.
    pub kind: &'static str,
    /// Its Cluster.
    pub cluster: Option<&'a Cluster<'a>>,
    /// The object's metadata.
    pub metadata: &'a Metadata<'a>,
    /// What is decided about the object.
    pub progress: Progress<'a>,
}

/// Whether the object is reconciled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// It is left alone.
    Pause,
    /// It is reconciled.
    Reconcile,
}

subject!(Pausable, Pausing, Act);

in_progress!(Pausing);

/// Whether the object is reconciled at all.
#[rustfmt::skip]
pub static PAUSED: Table<Pausable> = Table {
    id: "PAUSED",
    kind: EVERY_KIND,
    condition: "Paused",
    about: "A paused Cluster pauses all that belongs to it; an annotation pauses one object. A paused health check checks nothing.",
    source: "Cluster API v1.13.6, `util/paused`",
    facts: facts![cluster_paused, object_annotated; causes],
    rows: &[
        //   row         when            status  reason       message
        row!("PAUSED-1", cluster_paused or object_annotated => True,  "Paused",    "{causes}", act Pause),
        row!("PAUSED-2", otherwise => False, "NotPaused", "",            act Reconcile),
    ],
};

/// Begins the decisions about an object: whether it is paused is the first one.
pub fn paused<'a>(
    mode: Mode,
    kind: Kind,
    (metadata, stored): (&'a Metadata<'a>, &'a [Condition<'a>]),
    cluster: Option<&'a Cluster<'a>>,
) -> (Progress<'a>, bool) {
    let progress = Progress::new(mode, metadata, stored);
    let mut pausing = Pausing { kind: kind.name(), metadata, cluster, progress };
    let paused = decide(&PAUSED, &mut pausing).act == Some(Act::Pause);
    (pausing.progress, paused)
}

/// `spec.paused` of the Cluster is true.
fn cluster_paused(p: &Pausing<'_>) -> bool {
    p.cluster.is_some_and(|cluster| cluster.spec.paused)
}

/// The object has the annotation `cluster.x-k8s.io/paused`.
fn object_annotated(p: &Pausing<'_>) -> bool {
    p.metadata.annotation(annotation::PAUSED).is_some()
}

/// What pauses the object: the Cluster, the annotation, or both.
fn causes(p: &Pausing<'_>) -> String {
    paused_by(p.kind, p.metadata, p.cluster)
}

/// What pauses an object; empty when nothing does.
pub fn paused_by(kind: &str, metadata: &Metadata<'_>, cluster: Option<&Cluster<'_>>) -> String {
    let by_cluster = cluster.is_some_and(|cluster| cluster.spec.paused);
    let by_cluster = by_cluster.then(|| "Cluster spec.paused is set to true".to_owned());
    let annotated = metadata.annotation(annotation::PAUSED).is_some();
    let by_annotation = annotated.then(|| format!("{kind} has the cluster.x-k8s.io/paused annotation"));
    let causes: Vec<_> = [by_cluster, by_annotation].into_iter().flatten().collect();
    causes.join(", ")
}
