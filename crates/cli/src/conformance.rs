//! The conformance attestation: which recorded answers of Cluster API a policy gives.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// The kinds that recorded answers of every release are about.
const KINDS: &[&str] =
    &["Cluster", "KubeadmControlPlane", "MachineDeployment", "MachineSet", "Machine", "MachineHealthCheck"];

/// What `conform --attest` claims about a policy.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Conformance {
    /// The policy's name and version.
    pub policy: String,
    /// Every file that was run.
    pub corpora: Vec<Corpus>,
}

/// One file of recorded answers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Corpus {
    /// Its name.
    pub file: String,
    /// Its digest, as in `sha256:…`.
    pub digest: String,
    /// What the answers are about, as in `MachineSet`.
    pub families: BTreeSet<String>,
    /// The release of Cluster API that gave the answers, as in `v1.14`.
    pub release: String,
    /// How many there are.
    pub answers: usize,
    /// How many of them the policy gives, byte for byte.
    pub equal: usize,
}

impl Conformance {
    /// The predicate of a statement; none when it has another form.
    pub fn read(predicate: &Value) -> Option<Self> {
        serde_json::from_value(predicate.clone()).ok()
    }

    /// The releases of which every answer that was run is given, and of which answers about every kind were run.
    pub fn releases(&self) -> BTreeSet<String> {
        let all: BTreeSet<_> = self.corpora.iter().map(|corpus| &corpus.release).collect();
        let conformant = |release: &&String| {
            let of_release = || self.corpora.iter().filter(|corpus| corpus.release == **release);
            let about = |kind: &&str| of_release().any(|corpus| corpus.families.contains(*kind));
            of_release().all(|corpus| corpus.answers > 0 && corpus.equal == corpus.answers) && KINDS.iter().all(about)
        };
        all.into_iter().filter(conformant).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Conformance, Corpus, KINDS};

    fn corpus(release: &str, families: &[&str], answers: usize, equal: usize) -> Corpus {
        Corpus {
            file: "answers.jsonl.gz".to_owned(),
            digest: "sha256:0".to_owned(),
            families: families.iter().map(|family| (*family).to_owned()).collect(),
            release: release.to_owned(),
            answers,
            equal,
        }
    }

    #[test]
    fn one_missing_answer_is_one_too_many_and_every_kind_is_needed() {
        let corpora = vec![
            corpus("v1.12", &KINDS[1..], 1250, 1250),
            corpus("v1.13", KINDS, 1500, 1500),
            corpus("v1.14", KINDS, 1500, 1500),
            corpus("v1.14", &["MachineSetScaling"], 250, 249),
            corpus("v1.15", KINDS, 0, 0),
        ];
        let conformance = Conformance { policy: "capi-policy 0.1.0".to_owned(), corpora };
        assert_eq!(conformance.releases().into_iter().collect::<Vec<_>>(), ["v1.13"]);
    }
}
