//! The last remediation of the control plane, from its annotation and those of its machines.

use super::Input;
use crate::error::Error;
use crate::json::written;
use crate::outcome::LastRemediation;
use crate::time::Time;
use crate::view::{KubeadmControlPlane, Metadata, Str, annotation};
use capi_policy_json::fields;

fields! {
    /// What an annotation says about a remediation.
    pub struct Note<'a> {
        "machine" => machine: Str<'a>,
        "timestamp" => timestamp: Option<Time>,
        "retryCount" => retry_count: i64,
    }
}

/// The remediation in progress, else the latest that a machine remembers; `None` when nothing is noted.
pub fn noted(input: &Input<'_>) -> Result<Option<LastRemediation>, Error> {
    match in_progress(&input.object.metadata)? {
        Some(note) => Ok(Some(note.into())),
        None => remembered(input),
    }
}

/// What the control plane remediates now.
pub fn in_progress<'a>(control_plane: &'a Metadata<'_>) -> Result<Option<Note<'a>>, Error> {
    let text = control_plane.annotation(annotation::REMEDIATION_IN_PROGRESS);
    text.map(|text| read("kubeadmControlPlane", annotation::REMEDIATION_IN_PROGRESS, text)).transpose()
}

/// The latest remediation that a machine remembers.
pub fn remembered(input: &Input<'_>) -> Result<Option<LastRemediation>, Error> {
    let notes = input.machines.iter().filter_map(|m| replaced(&m.metadata)).map(|note| note.map(Into::into));
    notes.collect::<Result<_, _>>().map(latest)
}

/// What a machine replaces.
pub fn replaced<'a>(machine: &'a Metadata<'_>) -> Option<Result<Note<'a>, Error>> {
    let text = machine.annotation(annotation::REMEDIATION_FOR)?;
    Some(read(&format!("machine {}", machine.name), annotation::REMEDIATION_FOR, text))
}

/// A remediation as annotations note it.
pub fn note(remediation: &LastRemediation) -> String {
    let LastRemediation { machine, time, retry_count } = remediation;
    format!(r#"{{"machine":{},"timestamp":{},"retryCount":{retry_count}}}"#, written(machine), written(time))
}

/// What the object says already.
pub fn stored(control_plane: &KubeadmControlPlane<'_>) -> Option<LastRemediation> {
    control_plane.status.last_remediation.as_ref().map(|stored| LastRemediation {
        machine: stored.machine.to_string(),
        time: stored.time.unwrap_or(Time::ZERO),
        retry_count: stored.retry_count,
    })
}

/// The latest; at the same time, the machine that comes first by name, then the one that was tried most often.
fn latest(notes: Vec<LastRemediation>) -> Option<LastRemediation> {
    let later = |a: &LastRemediation, b: &LastRemediation| {
        (a.time, &b.machine, a.retry_count).cmp(&(b.time, &a.machine, b.retry_count))
    };
    notes.into_iter().max_by(later)
}

fn read<'a>(of: &str, key: &str, text: &'a str) -> Result<Note<'a>, Error> {
    capi_policy_json::read(text).map_err(|_| {
        let expected = "JSON with machine, timestamp and retryCount";
        Error::expected(format!("annotation {key} of {of}"), expected, written(&text))
    })
}

impl From<Note<'_>> for LastRemediation {
    fn from(note: Note<'_>) -> Self {
        let Note { machine, timestamp, retry_count } = note;
        Self { machine: machine.to_string(), time: timestamp.unwrap_or(Time::ZERO), retry_count }
    }
}

#[cfg(test)]
mod tests {
    use super::{LastRemediation, latest, read};
    use crate::time::Time;

    #[test]
    fn the_latest_counts_then_the_first_by_name_then_the_most_tried() {
        let of = |(machine, time, retry_count): (&str, i64, i64)| LastRemediation {
            machine: machine.to_owned(),
            time: Time::ZERO.plus(time),
            retry_count,
        };
        for (last, other) in [(("b", 2, 0), ("a", 1, 9)), (("a", 1, 0), ("b", 1, 9)), (("a", 1, 2), ("a", 1, 1))] {
            for notes in [[last, other], [other, last]] {
                assert_eq!(latest(notes.map(of).into()), Some(of(last)));
            }
        }
        assert_eq!(latest(Vec::new()), None);
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
