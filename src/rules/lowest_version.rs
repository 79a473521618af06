//! Versions in, the lowest of them out.

use std::cmp::Ordering;

/// The lowest version, as it is written. What is not a version does not count.
///
/// Words in build metadata may be anything, a commit for instance: of versions that differ in nothing else, the first is
/// taken.
pub fn lowest<'a>(versions: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let versions = versions.into_iter().filter_map(|text| Some((Version::parse(text)?, text)));
    versions.reduce(|low, next| if next.0.cmp_to(&low.0) == Ordering::Less { next } else { low }).map(|(_, text)| text)
}

/// A semantic version. The order of the variants of [`Part`] is that of precedence.
struct Version<'a> {
    core: [u64; 3],
    pre_release: Vec<Part<'a>>,
    build: Vec<Part<'a>>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    Number(u64),
    Word(&'a str),
}

impl<'a> Version<'a> {
    /// Reads `v1.33.1-rc.0+build`, `1.33` or `1` too.
    fn parse(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let (rest, build) = cut(text, '+')?;
        let (core, pre_release) = cut(rest, '-')?;
        let mut numbers = core.split('.').map(number);
        let (major, minor, patch) = (numbers.next()??, numbers.next(), numbers.next());
        let short = patch.is_none();
        if numbers.next().is_some() || short && !(pre_release.is_empty() && build.is_empty()) {
            return None;
        }
        let core = [major, minor.unwrap_or(Some(0))?, patch.unwrap_or(Some(0))?];
        let zero_led = |part: &&str| number(part).is_some() && part.len() > 1 && part.starts_with('0');
        if pre_release.iter().any(zero_led) {
            return None;
        }
        let parts = |texts: Vec<&'a str>| texts.into_iter().map(Part::of).collect();
        Some(Self { core, pre_release: parts(pre_release), build: parts(build) })
    }

    fn cmp_to(&self, other: &Self) -> Ordering {
        self.core
            .cmp(&other.core)
            .then(self.pre_release.is_empty().cmp(&other.pre_release.is_empty()))
            .then_with(|| self.pre_release.cmp(&other.pre_release))
            .then_with(|| self.build_to(other))
    }

    /// Numbers have an order, words have none.
    fn build_to(&self, other: &Self) -> Ordering {
        let different = self.build.iter().zip(&other.build).find(|(mine, others)| mine != others);
        match different {
            Some((Part::Word(_), Part::Word(_))) => Ordering::Equal,
            Some((mine, others)) => mine.cmp(others),
            None => self.build.len().cmp(&other.build.len()),
        }
    }
}

impl<'a> Part<'a> {
    fn of(text: &'a str) -> Self {
        number(text).map_or(Self::Word(text), Self::Number)
    }
}

fn number(digits: &str) -> Option<u64> {
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// What stands before a separator, and the dotted parts after it; `None` when a part is not one.
fn cut(text: &str, separator: char) -> Option<(&str, Vec<&str>)> {
    let Some((before, after)) = text.split_once(separator) else { return Some((text, Vec::new())) };
    let valid = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let parts: Vec<_> = after.split('.').collect();
    parts.iter().all(|part| valid(part)).then_some((before, parts))
}

#[cfg(test)]
mod tests {
    use super::lowest;

    #[test]
    fn versions_have_the_order_of_semantic_versions() {
        let ascending = [
            "1",
            "v1.30.0-alpha.1",
            "v1.30.0-alpha.2",
            "v1.30.0-alpha.beta",
            "v1.30.0-beta",
            "v1.30",
            "v1.30.0+1",
            "v1.30.0+2",
            "v1.30.0+2.a",
            "v1.30.9",
            "v1.30.10",
            "v1.31.0",
        ];
        for pair in ascending.windows(2) {
            let backwards: Vec<_> = pair.iter().rev().copied().collect();
            assert_eq!((lowest(pair.to_vec()), lowest(backwards)), (pair.first().copied(), pair.first().copied()));
        }
    }

    #[test]
    fn what_is_no_version_does_not_count() {
        let none = ["", "latest", "v1.2.3.4", "v1.30-rc.1", "v1.30.0-rc..1", "v1.30.0-rc_1", "v1.30.0-01"];
        assert_eq!(lowest(none), None);
        assert_eq!(lowest(["latest", "v1.31.0"]), Some("v1.31.0"));
    }

    #[test]
    fn a_zero_a_word_that_starts_with_one_and_a_hyphen_are_fine() {
        for version in ["v1.30.0-0", "v1.30.0-rc.0", "v1.30.0-0a", "v1.30.0-rc-1"] {
            assert_eq!(lowest(["v1.30.0", version]), Some(version));
        }
    }
}
