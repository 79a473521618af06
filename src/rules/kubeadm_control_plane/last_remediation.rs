//! Annotations in, the last remediation of the control plane out.

use super::Input;
use crate::error::Error;
use crate::outcome::{LastRemediation, written};
use crate::time::Time;
use crate::view::{KubeadmControlPlane, Metadata, Str, annotation};
use capi_policy_json::fields;

fields! {
    /// What an annotation says about a remediation.
    #[derive(Default)]
    struct Note<'a> {
        "machine" => machine: Str<'a>,
        "timestamp" => timestamp: Option<Time>,
        "retryCount" => retry_count: i64,
    }
}

/// The remediation in progress, else the latest that a machine remembers; `None` when nothing is noted.
pub fn noted(input: &Input<'_>) -> Result<Option<LastRemediation>, Error> {
    let own = &input.control_plane.metadata;
    if let Some(text) = own.annotation(annotation::REMEDIATION_IN_PROGRESS) {
        return read("kubeadmControlPlane", annotation::REMEDIATION_IN_PROGRESS, text).map(Some);
    }
    let notes = input.machines.iter().filter_map(|m| read_replaced(&m.metadata));
    notes.reduce(|last, next| Ok(later(last?, next?))).transpose()
}

/// What the object says already.
pub fn stored(control_plane: &KubeadmControlPlane<'_>) -> Option<LastRemediation> {
    control_plane.status.last_remediation.as_ref().map(|stored| LastRemediation {
        machine: stored.machine.to_string(),
        time: stored.time.unwrap_or(Time::ZERO),
        retry_count: stored.retry_count,
    })
}

fn read_replaced(machine: &Metadata<'_>) -> Option<Result<LastRemediation, Error>> {
    let text = machine.annotation(annotation::REMEDIATION_FOR)?;
    Some(read(&format!("machine {}", machine.name), annotation::REMEDIATION_FOR, text))
}

/// The later of two; at the same time, the machine that comes first by name.
fn later(a: LastRemediation, b: LastRemediation) -> LastRemediation {
    let b_first = b.time > a.time || b.time == a.time && b.machine < a.machine;
    if b_first { b } else { a }
}

fn read(of: &str, key: &str, text: &str) -> Result<LastRemediation, Error> {
    let note: Note<'_> = capi_policy_json::read(text).map_err(|_| {
        let expected = "JSON with machine, timestamp and retryCount";
        Error::expected(format!("annotation {key} of {of}"), expected, written(&text))
    })?;
    let Note { machine, timestamp, retry_count } = note;
    Ok(LastRemediation { machine: machine.to_string(), time: timestamp.unwrap_or(Time::ZERO), retry_count })
}

#[cfg(test)]
mod tests {
    use super::{LastRemediation, later, read};
    use crate::time::Time;

    #[test]
    fn the_latest_counts_and_then_the_first_by_name() {
        let of = |machine: &str, time: i64| LastRemediation {
            machine: machine.to_owned(),
            time: Time::ZERO.plus(time),
            retry_count: 0,
        };
        for [a, b, wanted] in
            [[("a", 1), ("b", 2), ("b", 2)], [("b", 1), ("a", 1), ("a", 1)], [("b", 2), ("a", 1), ("b", 2)]]
        {
            for (one, other) in [(a, b), (b, a)] {
                assert_eq!(later(of(one.0, one.1), of(other.0, other.1)), of(wanted.0, wanted.1));
            }
        }
    }

    #[test]
    fn what_is_no_json_is_named() {
        let error = read("machine m1", "key", "not json").expect_err("no JSON").to_string();
        assert_eq!(
            error,
            r#"annotation key of machine m1: expected JSON with machine, timestamp and retryCount, found "not json""#
        );
        assert!(read("m1", "key", r#"{ "machine": "m0", "timestamp": "yesterday" }"#).is_err());
        assert_eq!(read("m1", "key", r#"{ "machine": "m0", "retryCount": 2 }"#).map(|r| r.retry_count), Ok(2));
    }
}
