//! Who else writes the fields that decisions write. The first write of a field may take it over; whoever writes it again
//! afterwards is in conflict with us, is reported, and has it.

use super::clock;
use super::key::Key;
use super::metrics::Metrics;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Conditions that others may write as well: the machine's owner, after the health check has set it, and flows that report
/// how far they are.
const SHARED: &[&str] = &["OwnerRemediated", "Deleting", "Updating"];
/// So many times a field may be found changed from what we wrote before that is no coincidence.
const COINCIDENCES: u32 = 3;
/// How long a field in conflict is left alone, at first and in the end.
const FIRST_PAUSE: Duration = Duration::from_mins(1);
const LONGEST_PAUSE: Duration = Duration::from_hours(1);

/// What was written where, and by whom else.
pub struct Writers {
    objects: Mutex<BTreeMap<Key, Object>>,
    reported: Mutex<BTreeSet<(String, String, String)>>,
    metrics: Arc<Metrics>,
    /// What the names of our own field managers start with.
    own: String,
}

#[derive(Default)]
struct Object {
    uid: Option<String>,
    fields: BTreeMap<String, Field>,
}

#[derive(Default)]
struct Field {
    /// Digest of what we wrote last.
    written: Option<[u8; 32]>,
    /// How often it was found changed although we would write the same.
    changed: u32,
    conflicts: u32,
    until: Option<Instant>,
}

/// A field that another manager owns with another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// A condition's type, or a field of the status.
    pub field: String,
    pub manager: String,
}

impl Writers {
    pub fn new(metrics: Arc<Metrics>, field_manager: &str) -> Self {
        let own = format!("{field_manager}-");
        Self { objects: Mutex::default(), reported: Mutex::default(), metrics, own }
    }

    fn objects(&self) -> MutexGuard<'_, BTreeMap<Key, Object>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fields of an object that are left to another writer for now.
    pub fn left_to_others(&self, key: &Key, uid: Option<&str>) -> BTreeSet<String> {
        let objects = self.objects();
        let Some(object) = objects.get(key).filter(|object| object.uid.as_deref() == uid) else {
            return BTreeSet::new();
        };
        let now = clock::instant();
        let left = object.fields.iter().filter(|(_, field)| field.until.is_some_and(|until| now < until));
        left.map(|(name, _)| name.clone()).collect()
    }

    /// A field differs from what is about to be written. Says whether somebody keeps changing it back.
    pub fn keeps_changing(&self, key: &Key, uid: Option<&str>, name: &str, decided: &[u8; 32]) -> bool {
        let mut objects = self.objects();
        let Some(object) = objects.get_mut(key).filter(|object| object.uid.as_deref() == uid) else { return false };
        let Some(field) = object.fields.get_mut(name).filter(|field| field.written.as_ref() == Some(decided)) else {
            return false;
        };
        field.changed = field.changed.saturating_add(1);
        field.changed > COINCIDENCES && !is_shared(name)
    }

    /// Notes what was written.
    pub fn wrote(&self, key: &Key, uid: Option<&str>, fields: impl Iterator<Item = (String, [u8; 32])>) {
        let mut objects = self.objects();
        let object = objects.entry(key.clone()).or_default();
        if object.uid.as_deref() != uid {
            *object = Object { uid: uid.map(str::to_owned), fields: BTreeMap::new() };
        }
        for (name, digest) in fields {
            let field = object.fields.entry(name).or_default();
            if field.written.replace(digest) != Some(digest) {
                field.changed = 0;
            }
        }
    }

    /// Whether a conflict is no more than taking a field over for the first time.
    pub fn may_take(&self, key: &Key, uid: Option<&str>, conflict: &Conflict) -> bool {
        if is_shared(&conflict.field) || conflict.manager.starts_with(&self.own) {
            return true;
        }
        let objects = self.objects();
        let object = objects.get(key).filter(|object| object.uid.as_deref() == uid);
        object.and_then(|object| object.fields.get(&conflict.field)).is_none_or(|field| field.written.is_none())
    }

    /// Leaves a field to the other writer for a while, longer each time.
    pub fn leave(&self, key: &Key, uid: Option<&str>, conflict: &Conflict) {
        let mut objects = self.objects();
        let object = objects.entry(key.clone()).or_default();
        if object.uid.as_deref() != uid {
            *object = Object { uid: uid.map(str::to_owned), fields: BTreeMap::new() };
        }
        let field = object.fields.entry(conflict.field.clone()).or_default();
        let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(field.conflicts.min(16))).min(LONGEST_PAUSE);
        field.conflicts = field.conflicts.saturating_add(1);
        field.changed = 0;
        field.until = clock::instant().checked_add(pause);
        drop(objects);
        self.metrics.writer_conflict(&key.kind.kind, &conflict.field);
        let which = (key.kind.kind.to_string(), conflict.field.clone(), conflict.manager.clone());
        if self.reported.lock().unwrap_or_else(PoisonError::into_inner).insert(which) {
            let Conflict { field, manager } = conflict;
            tracing::warn!(%key, field, manager, "another writer of this field; it is left to that one. Said once for each kind, field and manager");
        }
    }

    /// Forgets objects that are gone.
    pub fn retain(&self, exists: impl Fn(&Key) -> bool) {
        self.objects().retain(|key, _| exists(key));
    }
}

fn is_shared(name: &str) -> bool {
    SHARED.contains(&name)
}

/// The conflicts that the server names when an apply without force meets other managers' fields; none in other errors.
pub fn conflicts(error: &kube::Error) -> Vec<Conflict> {
    let kube::Error::Api(status) = error else { return Vec::new() };
    let causes = status.details.iter().flat_map(|details| &details.causes);
    let mut found: Vec<Conflict> = Vec::new();
    for cause in causes.filter(|cause| cause.reason == "FieldManagerConflict") {
        // conflict with "manager" with subresource "status"
        let manager = cause.message.split('"').nth(1).unwrap_or(&cause.message).to_owned();
        let conflict = Conflict { field: field(&cause.field), manager };
        if !found.contains(&conflict) {
            found.push(conflict);
        }
    }
    found
}

/// `.status.conditions[type="Ready"].status` is about `Ready`, `.status.currentHealthy` about that.
fn field(path: &str) -> String {
    if let Some((_, rest)) = path.split_once("[type=\"") {
        return rest.split('"').next().unwrap_or(rest).to_owned();
    }
    let path = path.strip_prefix(".status.").unwrap_or(path);
    path.split(['.', '[']).next().unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{COINCIDENCES, Conflict, Writers, conflicts};
    use crate::key::{GroupKind, Key};
    use crate::metrics::Metrics;
    use std::sync::Arc;
    use std::time::Duration;

    fn machine() -> Key {
        Key::new(GroupKind::new("cluster.x-k8s.io", "Machine"), "ns", "m1")
    }

    fn conflict(field: &str, manager: &str) -> Conflict {
        Conflict { field: field.to_owned(), manager: manager.to_owned() }
    }

    fn writers() -> Writers {
        Writers::new(Arc::new(Metrics::new()), "capi-policy")
    }

    #[tokio::test(start_paused = true)]
    async fn a_field_is_taken_once_and_then_left_to_whoever_takes_it_back() {
        let (writers, key, uid) = (writers(), machine(), Some("u"));
        let theirs = conflict("HealthCheckSucceeded", "manager");
        assert!(writers.may_take(&key, uid, &theirs), "at first");
        writers.wrote(&key, uid, [("HealthCheckSucceeded".to_owned(), [1; 32])].into_iter());
        assert!(!writers.may_take(&key, uid, &theirs), "they took it back");
        assert!(writers.may_take(&key, Some("another"), &theirs), "of another object with that name");
        writers.leave(&key, uid, &theirs);
        assert_eq!(writers.left_to_others(&key, uid).len(), 1);
        tokio::time::advance(Duration::from_secs(61)).await;
        assert_eq!(writers.left_to_others(&key, uid).len(), 0, "tried again, without force");
        assert!(!writers.may_take(&key, uid, &theirs));
        writers.leave(&key, uid, &theirs);
        tokio::time::advance(Duration::from_secs(61)).await;
        assert_eq!(writers.left_to_others(&key, uid).len(), 1, "the pause is longer now");
    }

    #[test]
    fn the_owner_and_our_own_kinds_are_no_conflict() {
        let (writers, key, uid) = (writers(), machine(), Some("u"));
        let both = ["OwnerRemediated", "NodeHealthy"].map(|field| (field.to_owned(), [1; 32]));
        writers.wrote(&key, uid, both.into_iter());
        assert!(writers.may_take(&key, uid, &conflict("OwnerRemediated", "manager")));
        writers.wrote(&key, uid, [("Updating".to_owned(), [1; 32])].into_iter());
        assert!(writers.may_take(&key, uid, &conflict("Updating", "manager")), "who updates reports there");
        assert!(writers.may_take(&key, uid, &conflict("NodeHealthy", "capi-policy-machine")));
        assert!(!writers.may_take(&key, uid, &conflict("NodeHealthy", "manager")));
    }

    #[test]
    fn whoever_writes_under_our_name_is_found_by_what_changes() {
        let (writers, key, uid) = (writers(), machine(), Some("u"));
        let write = |digest: u8| writers.wrote(&key, uid, [("Ready".to_owned(), [digest; 32])].into_iter());
        let changes = |digest: u8| writers.keeps_changing(&key, uid, "Ready", &[digest; 32]);
        write(1);
        assert!(!changes(2), "we ourselves decide otherwise");
        write(2);
        for _ in 0..COINCIDENCES {
            assert!(!changes(2));
            write(2);
        }
        assert!(changes(2));
    }

    #[test]
    fn conflicts_are_read_from_the_servers_answer() {
        let cause = |field: &str| {
            serde_json::json!({
                "reason": "FieldManagerConflict", "field": field,
                "message": "conflict with \"manager\" with subresource \"status\" using cluster.x-k8s.io/v1beta2",
            })
        };
        let status = serde_json::json!({
            "status": "Failure", "code": 409, "reason": "Conflict", "message": "Apply failed with 3 conflicts",
            "details": { "causes": [
                cause(".status.conditions[type=\"Ready\"].status"),
                cause(".status.conditions[type=\"Ready\"].message"),
                cause(".status.currentHealthy"),
            ] },
        });
        let status: kube::core::Status = serde_json::from_value(status).expect("a status");
        let found = conflicts(&kube::Error::Api(status.boxed()));
        assert_eq!(found, [conflict("Ready", "manager"), conflict("currentHealthy", "manager")]);
        let other = kube::core::Status::failure("the object has been modified", "Conflict").with_code(409);
        assert_eq!(conflicts(&kube::Error::Api(other.boxed())), []);
    }
}
