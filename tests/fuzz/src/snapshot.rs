//! Bytes in, a snapshot out that the policy can often evaluate.

use crate::bytes::Bytes;
use crate::shape::{self, NOW, SNAPSHOT};
use capi_policy::Kind;
use serde_json::{Value, json};

/// Lists whose objects need names of their own, or the snapshot is refused.
const UNIQUE: &[&str] = &["machines", "machineSets", "machineDeployments", "nodes"];

/// The snapshot that these bytes choose.
pub fn from_bytes(bytes: &[u8]) -> Value {
    made(&mut Bytes::new(bytes))
}

pub(crate) fn made(bytes: &mut Bytes<'_>) -> Value {
    let kind = *bytes.pick(Kind::ALL);
    let options = bytes.byte();
    let (named, documented, explain, keep_names) =
        (options & 1 == 0, options & 2 == 0, options & 4 == 0, options & 0xf0 == 0xf0);
    let mut snapshot = json!({ "now": NOW, kind.field(): shape::of_field(kind.field()).value(bytes) });
    snapshot["profile"] = json!(if documented { "documented" } else { "cluster-api" });
    if named {
        snapshot["kind"] = json!(kind);
    }
    if explain {
        snapshot["explain"] = json!(true);
    }
    for _ in 0..bytes.below(12) {
        let (field, shape) = bytes.pick(SNAPSHOT);
        snapshot[*field] = shape.value(bytes);
    }
    for field in UNIQUE.iter().filter(|_| !keep_names) {
        for (i, object) in snapshot[*field].as_array_mut().into_iter().flatten().enumerate() {
            if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
                metadata.insert("name".to_owned(), json!(format!("m{i}")));
            } else if object.is_object() {
                object["metadata"] = json!({ "name": format!("m{i}") });
            }
        }
        if snapshot[*field].is_null() {
            snapshot.as_object_mut().map(|members| members.remove(*field));
        }
    }
    snapshot
}
