//! The conformance attestation: which recorded answers of Cluster API a policy gives.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

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

    /// The releases of which every answer that was run is given.
    pub fn releases(&self) -> BTreeSet<String> {
        let all: BTreeSet<_> = self.corpora.iter().map(|corpus| &corpus.release).collect();
        let conformant = |release: &&String| {
            let mut of_release = self.corpora.iter().filter(|corpus| corpus.release == **release);
            of_release.all(|corpus| corpus.answers > 0 && corpus.equal == corpus.answers)
        };
        all.into_iter().filter(conformant).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Conformance, Corpus};

    #[test]
    fn one_missing_answer_is_one_too_many() {
        let corpus = |release: &str, answers, equal| Corpus {
            file: "Machine.jsonl.gz".to_owned(),
            digest: "sha256:0".to_owned(),
            release: release.to_owned(),
            answers,
            equal,
        };
        let corpora = vec![
            corpus("v1.13", 250, 250),
            corpus("v1.14", 250, 250),
            corpus("v1.14", 250, 249),
            corpus("v1.15", 0, 0),
        ];
        let conformance = Conformance { policy: "capi-policy 0.1.0".to_owned(), corpora };
        assert_eq!(conformance.releases().into_iter().collect::<Vec<_>>(), ["v1.13"]);
    }
}
