//! Times during which something held, in seconds from the start.

/// From and until.
pub type Spans = Vec<(i64, i64)>;

/// The times during which one of them held, in order, without overlap.
pub fn union(mut spans: Spans) -> Spans {
    spans.sort_unstable();
    let mut merged: Spans = Vec::new();
    for (from, until) in spans.into_iter().filter(|(from, until)| from < until) {
        match merged.last_mut().filter(|last| from <= last.1) {
            Some(last) => last.1 = last.1.max(until),
            None => merged.push((from, until)),
        }
    }
    merged
}

/// Notes when something begins and ends.
#[derive(Clone, Debug, Default)]
pub struct Switch {
    since: Option<i64>,
    spans: Spans,
}

impl Switch {
    /// Whether it holds from now on.
    pub fn set(&mut self, holds: bool, now: i64) {
        match (self.since, holds) {
            (None, true) => self.since = Some(now),
            (Some(since), false) => {
                self.since = None;
                self.spans.push((since, now));
            }
            _ => {}
        }
    }

    /// All the times, up to the end.
    pub fn finish(mut self, end: i64) -> Spans {
        self.set(false, end);
        self.spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overlaps_or_touches_becomes_one() {
        assert_eq!(union(vec![(5, 9), (0, 3), (3, 4), (6, 12), (20, 20)]), [(0, 4), (5, 12)]);
    }
}
