//! A target and a time in, findings out: mutates seeds without looking at what they reach. For where libFuzzer is not
//! installed; the same seed of the random numbers gives the same inputs.

use crate::{Target, words};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::time::{Duration, Instant};

/// The longest input that is made.
const LONGEST: usize = 8 << 10;

/// When a run ends that finds nothing.
#[derive(Clone, Copy)]
pub enum Limit {
    /// After so long.
    Time(Duration),
    /// After so many inputs, which are the same ones on every machine.
    Executions(u64),
}

/// What a run came to.
pub struct Report {
    /// How many inputs were tried.
    pub executions: u64,
    /// How long it took.
    pub took: Duration,
    /// Inputs that broke a promise, with what was said then.
    pub findings: Vec<(Vec<u8>, String)>,
}

/// Tries inputs until the limit is reached or a few have failed.
#[allow(clippy::disallowed_methods, reason = "the run has to end")]
pub fn run(target: &Target, seeds: &[Vec<u8>], limit: Limit, seed: u64) -> Report {
    let start = Instant::now();
    let (words, mut random) = (words(), Random(seed));
    let mut report = Report { executions: 0, took: Duration::ZERO, findings: Vec::new() };
    let mut made = seeds.to_vec();
    let mut first = seeds.iter();
    let over = |report: &Report| match limit {
        Limit::Time(time) => start.elapsed() >= time,
        Limit::Executions(executions) => report.executions >= executions,
    };
    while !over(&report) && report.findings.len() < 3 {
        let input = first.next().cloned().unwrap_or_else(|| random.mutated(&made, &words, target.text));
        report.executions += 1;
        if let Err(said) = tried(target, &input) {
            report.findings.push((input, said));
        } else if random.below(200) == 0 {
            // Some mutants go on from mutants.
            let place = random.below(2_000);
            if made.len() <= seeds.len() + place {
                made.push(input);
            } else {
                made[seeds.len() + place] = input;
            }
        }
    }
    report.took = start.elapsed();
    report
}

thread_local! {
    /// What the last panic of a try on this thread said; nothing while no try is under way.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Tries one input: what the panic said, when there was one.
pub fn tried(target: &Target, input: &[u8]) -> Result<(), String> {
    listen();
    SAID.set(Some(String::new()));
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let said = SAID.take().unwrap_or_default();
    outcome.map_err(|_| said)
}

/// Keeps what panics say from the terminal while a try is under way on their thread.
fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| match SAID.take() {
            Some(_) => SAID.set(Some(info.to_string())),
            None => usual(info),
        }));
    });
}

/// So many inputs of up to so many bytes without meaning, always the same.
pub fn noise(count: usize, longest: usize) -> Vec<Vec<u8>> {
    let mut random = Random(1);
    (0..count).map(|_| random.bytes(longest)).collect()
}

/// Numbers that look random: xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap_or(0) % end.max(1)
    }

    fn bytes(&mut self, longest: usize) -> Vec<u8> {
        (0..self.below(longest)).map(|_| self.next().to_le_bytes()[3]).collect()
    }

    fn mutated(&mut self, inputs: &[Vec<u8>], words: &[&str], text: bool) -> Vec<u8> {
        let mut input = inputs[self.below(inputs.len())].clone();
        if !text && self.below(4) == 0 {
            input = self.bytes(1_000);
        }
        for _ in 0..=self.below(6) {
            let at = self.below(input.len() + 1);
            let length = self.below(32).min(input.len() - at);
            match self.below(8) {
                0 => drop(input.drain(at..at + length)),
                1 => drop(input.splice(at..at, words[self.below(words.len())].bytes())),
                2 => drop(input.splice(at..at + length, words[self.below(words.len())].bytes())),
                3 => {
                    let copy = input[at..at + length].to_vec();
                    let to = self.below(input.len() + 1);
                    input.splice(to..to, copy);
                }
                4 => {
                    let other = &inputs[self.below(inputs.len())];
                    let from = self.below(other.len() + 1);
                    let end = (from + self.below(200)).min(other.len());
                    input.splice(at..at, other[from..end].iter().copied());
                }
                5 if text => {
                    let marks = br#"{}[]",:\0123456789.-+eETZtrufalsn "#;
                    input.insert(at, marks[self.below(marks.len())]);
                }
                _ => {
                    let byte = self.next().to_le_bytes()[4];
                    if let Some(place) = input.get_mut(at) {
                        *place = if text { byte & 0x7f } else { byte };
                    }
                }
            }
        }
        input.truncate(LONGEST);
        input
    }
}
