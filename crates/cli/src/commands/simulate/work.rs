//! Runs days on several threads.

use anyhow::Result;
use capi_policy_simulator::Scenario;
use capi_policy_simulator::day::{Day, Seeds, Terms, in_parallel};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

/// How to run.
pub struct Run<'r> {
    /// Objects to start from.
    pub given: Option<&'r [Value]>,
    /// Whether to keep everything that happens.
    pub events: bool,
    /// How many threads.
    pub threads: usize,
    /// Whether to show how far it is.
    pub progress: bool,
}

/// A cluster on a day under a variant: what a thread does at a time.
struct Piece {
    variant: usize,
    seed: u64,
    cluster: u32,
}

impl Run<'_> {
    /// The days of each variant.
    pub fn days(&self, variants: &[(String, Scenario)], seeds: &Seeds) -> Result<Vec<Vec<Day>>> {
        let terms: Vec<_> =
            variants.iter().map(|(_, scenario)| Terms { scenario, given: self.given, events: self.events }).collect();
        let mut pieces = Vec::new();
        for (variant, terms) in terms.iter().enumerate() {
            for seed in seeds.all() {
                pieces.extend((0..terms.clusters()).map(|cluster| Piece { variant, seed, cluster }));
            }
        }
        let bar = self.bar(pieces.len());
        let run = |piece: &Piece| terms[piece.variant].cluster(piece.seed, piece.cluster);
        let results = in_parallel(&pieces, self.threads, run, || bar.inc(1));
        bar.finish_and_clear();
        let mut days = vec![Vec::new(); variants.len()];
        let mut clusters = Vec::new();
        for (piece, result) in pieces.iter().zip(results) {
            clusters.push(result?);
            if piece.cluster + 1 == terms[piece.variant].clusters() {
                days[piece.variant].push(Day::together(piece.seed, std::mem::take(&mut clusters)));
            }
        }
        Ok(days)
    }

    fn bar(&self, pieces: usize) -> ProgressBar {
        if !self.progress && pieces < 100 {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta}");
        ProgressBar::new(u64::try_from(pieces).unwrap_or(0))
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }
}
