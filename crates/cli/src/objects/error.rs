//! Why input can't be read, and what to do about it.

use std::io;
use thiserror::Error;

/// Input that can't be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file itself.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What went wrong.
        source: io::Error,
    },
    /// Its text.
    #[error("{path} is neither YAML nor JSON: {detail}")]
    Syntax {
        /// The file.
        path: String,
        /// What the parser stumbled over.
        detail: String,
    },
    /// A document that is nothing this program knows.
    #[error(
        "{path}: document {number} is neither a Kubernetes object (apiVersion, kind, metadata) nor a snapshot (now and an object); it has {found}"
    )]
    Unknown {
        /// The file.
        path: String,
        /// Which document of it, from 1.
        number: usize,
        /// What it has.
        found: String,
    },
    /// A corpus file.
    #[error(transparent)]
    Corpus(#[from] capi_policy_corpus::Error),
    /// Nothing at all.
    #[error(
        "no objects in {paths}; get some with\n  kubectl get clusters,kubeadmcontrolplanes,machinedeployments,machinesets,machinepools,machines,machinehealthchecks -A -o yaml > fleet.yaml"
    )]
    Empty {
        /// What was read.
        paths: String,
    },
}
