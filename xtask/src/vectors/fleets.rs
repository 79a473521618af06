//! Raw objects and what the library's fleet decides about them: `target/fleets.jsonl`.
//!
//! One line for each part of the example fleet that a person might have at hand, and each profile:
//! `{"id", "now", "profile", "objects", "evaluations"}`. Command line, Go and browser read the same objects and have to come to
//! the same evaluations, so that none of them knows something about relations, or about what was not read, that others don't.

use crate::run;
use anyhow::{Context, Result};
use capi_policy::Profile;
use capi_policy::fleet::{Assumption, Fleet, Options};
use capi_policy::time::Time;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

/// When the example fleet is in trouble.
const NOW: &str = "2026-01-15T12:00:00Z";
const PROFILES: [&str; 2] = ["documented", "cluster-api"];

#[derive(Serialize)]
struct Line<'a> {
    id: String,
    now: &'a str,
    profile: &'a str,
    objects: &'a [Value],
    evaluations: Vec<Box<RawValue>>,
}

/// Writes the file.
pub fn write(root: &Path) -> Result<()> {
    let path = root.join("target/fleets.jsonl");
    let mut out = BufWriter::new(fs::File::create(&path).with_context(|| path.display().to_string())?);
    let mut decisions = 0_usize;
    for (name, objects) in variants(root)? {
        for profile in PROFILES {
            let evaluations = decide(&objects, profile).with_context(|| format!("{name}, {profile}"))?;
            decisions += evaluations.len();
            let id = format!("{name}, {profile}");
            serde_json::to_writer(&mut out, &Line { id, now: NOW, profile, objects: &objects, evaluations })?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()?;
    run::say(&format!("wrote {decisions} decisions about raw objects to target/fleets.jsonl"));
    Ok(())
}

fn decide(objects: &[Value], profile: &str) -> Result<Vec<Box<RawValue>>> {
    let mut fleet = Fleet::default();
    fleet.assume(Assumption::PresentKindsAreComplete);
    for object in objects {
        fleet.upsert(object.to_string(), None)?;
    }
    let profile = Profile::named(profile)?;
    let options = Options { now: Time::parse(NOW).context(NOW)?, profile, explain: false };
    let subjects = fleet.decidable();
    let evaluate = |subject| Ok(RawValue::from_string(serde_json::to_string(&fleet.evaluate(subject, options)?)?)?);
    subjects.iter().map(evaluate).collect()
}

/// The example fleet, whole and in parts.
fn variants(root: &Path) -> Result<Vec<(&'static str, Vec<Value>)>> {
    let file: Value = serde_saphyr::from_str(&fs::read_to_string(root.join("examples/fleet.yaml"))?)?;
    let objects = file["items"].as_array().context("examples/fleet.yaml: no items")?.clone();
    let readme = kinds_of_the_readme(root)?;
    let only = |wanted: &dyn Fn(&Value) -> bool| objects.iter().filter(|object| wanted(object)).cloned().collect();
    let is_infrastructure =
        |object: &Value| object["apiVersion"].as_str().is_some_and(|version| version.starts_with("infrastructure."));
    let of_readme = |object: &Value| {
        object["kind"].as_str().is_some_and(|kind| readme.contains(&format!("{}s", kind.to_lowercase())))
    };
    Ok(vec![
        ("complete", objects.clone()),
        ("without Nodes", only(&|object| object["kind"] != "Node")),
        ("without infrastructure", only(&|object| !is_infrastructure(object))),
        ("with the kinds of the README's command", only(&of_readme)),
        ("two clusters of one name in two namespaces", [objects.clone(), elsewhere(&objects)?].concat()),
    ])
}

/// What the README's `kubectl get` reads.
fn kinds_of_the_readme(root: &Path) -> Result<Vec<String>> {
    let readme = fs::read_to_string(root.join("README.md"))?;
    let line = readme.lines().find_map(|line| line.strip_prefix("kubectl get ")).context("README: no `kubectl get`")?;
    Ok(line.split(' ').next().unwrap_or_default().split(',').map(str::to_owned).collect())
}

/// The same again in another namespace: other uids, and one machine less, so that what leaks from one to the other shows.
fn elsewhere(objects: &[Value]) -> Result<Vec<Value>> {
    let mut copies = objects.to_vec();
    let machine = copies.iter().position(|object| object["kind"] == "Machine").context("no Machine")?;
    copies.remove(machine);
    copies.iter_mut().for_each(move_elsewhere);
    Ok(copies)
}

fn move_elsewhere(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                match (name.as_str(), member.as_str()) {
                    ("uid", Some(uid)) => *member = format!("{uid}-b").into(),
                    ("namespace" | "cluster.x-k8s.io/cluster-namespace", Some("prod")) => *member = "elsewhere".into(),
                    _ => move_elsewhere(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(move_elsewhere),
        _ => {}
    }
}
