//! Semantic versions as Cluster API reads them.

use std::cmp::Ordering;
use std::fmt;

/// A semantic version. The order of the variants of [`Part`] is that of precedence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version<'a> {
    /// Major, minor, patch.
    pub core: [u64; 3],
    pre_release: Vec<Part<'a>>,
    build: Vec<Part<'a>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    /// The number, and how it is written.
    Number(u64, &'a str),
    Word(&'a str),
}

impl<'a> Version<'a> {
    /// Reads `v1.33.1-rc.0+build`, `1.33` or `1` too. The error says why Cluster API can't read it, in its words.
    pub fn parse(text: &'a str) -> Result<Self, String> {
        let text = text.trim();
        let mut rest = text.strip_prefix('v').unwrap_or(text).splitn(3, '.');
        let (major, minor, patch) = (rest.next().unwrap_or_default(), rest.next(), rest.next());
        if patch.is_none() && minor.unwrap_or(major).contains(['+', '-']) {
            return Err("Short version cannot contain PreRelease/Build meta data".to_owned());
        }
        let major = without_zeros(major);
        if major.is_empty() && minor.is_none() {
            return Err(invalid("major number", major));
        }
        let (patch, build) = cut(without_zeros(patch.unwrap_or("0")), '+');
        let (patch, pre_release) = cut(patch, '-');
        let core = [
            number(major).ok_or_else(|| invalid("major number", major))?,
            number(without_zeros(minor.unwrap_or("0"))).ok_or_else(|| invalid("minor number", minor.unwrap_or("")))?,
            number(patch).ok_or_else(|| invalid("patch number", patch))?,
        ];
        let pre_release = pre_release.map(pre_release_part).collect::<Result<_, _>>()?;
        let build = build.map(build_part).collect::<Result<_, _>>()?;
        Ok(Self { core, pre_release, build })
    }

    /// The minor version.
    pub fn minor(&self) -> u64 {
        let [_, minor, _] = self.core;
        minor
    }

    /// The order of both, build metadata included. `None` where they differ only in words of the build metadata, which may
    /// be anything, a commit for instance.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        let order = self.precedence(other);
        if order.is_ne() {
            return Some(order);
        }
        let different =
            self.build.iter().zip(&other.build).find(|(mine, others)| mine.order(others) != Some(Ordering::Equal));
        match different {
            Some((mine, others)) => mine.order(others),
            None => Some(self.build.len().cmp(&other.build.len())),
        }
    }

    /// The order of both without build metadata.
    pub fn precedence(&self, other: &Self) -> Ordering {
        self.core
            .cmp(&other.core)
            .then(self.pre_release.is_empty().cmp(&other.pre_release.is_empty()))
            .then_with(|| self.pre_release.cmp(&other.pre_release))
    }
}

impl Part<'_> {
    /// Numbers have an order, words have none.
    fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Part::Number(mine, _), Part::Number(others, _)) => Some(mine.cmp(others)),
            (Part::Word(mine), Part::Word(others)) => (mine == others).then_some(Ordering::Equal),
            _ => Some(self.cmp(other)),
        }
    }
}

impl fmt::Display for Version<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.core;
        write!(f, "{major}.{minor}.{patch}")?;
        for (mark, parts) in [('-', &self.pre_release), ('+', &self.build)] {
            for (i, part) in parts.iter().enumerate() {
                let separator = if i == 0 { mark } else { '.' };
                let (Part::Number(_, text) | Part::Word(text)) = part;
                write!(f, "{separator}{text}")?;
            }
        }
        Ok(())
    }
}

/// Zeros in front of a number don't count, except the last.
fn without_zeros(text: &str) -> &str {
    let digits = text.trim_start_matches('0');
    if digits.starts_with(|c: char| c.is_ascii_digit()) || digits.len() == text.len() {
        return digits;
    }
    // The last zero belongs to the number.
    text.get(text.len().saturating_sub(digits.len()).saturating_sub(1)..).unwrap_or(digits)
}

fn number(digits: &str) -> Option<u64> {
    is_number(digits).then(|| digits.parse().ok()).flatten()
}

fn invalid(what: &str, text: &str) -> String {
    format!("Invalid character(s) found in {what} {text:?}")
}

/// What stands before a separator, and the dotted parts after it.
fn cut(text: &str, separator: char) -> (&str, impl Iterator<Item = &str>) {
    let (before, after) = text.split_once(separator).map_or((text, None), |(before, after)| (before, Some(after)));
    (before, after.into_iter().flat_map(|parts| parts.split('.')))
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn pre_release_part(text: &str) -> Result<Part<'_>, String> {
    match number(text) {
        _ if text.is_empty() => Err("Prerelease is empty".to_owned()),
        Some(_) if text.len() > 1 && text.starts_with('0') => {
            Err(format!("Numeric PreRelease version must not contain leading zeroes {text:?}"))
        }
        Some(number) => Ok(Part::Number(number, text)),
        None if is_word(text) && !is_number(text) => Ok(Part::Word(text)),
        None => Err(invalid("prerelease", text)),
    }
}

fn build_part(text: &str) -> Result<Part<'_>, String> {
    match number(text) {
        _ if text.is_empty() => Err("Build meta data is empty".to_owned()),
        Some(number) => Ok(Part::Number(number, text)),
        None if is_number(text) => Ok(Part::Number(u64::MAX, text)),
        None if is_word(text) => Ok(Part::Word(text)),
        None => Err(invalid("build meta data", text)),
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn a_version_is_written_without_v_and_without_zeros() {
        for (text, written) in [
            ("v1.33.1", "1.33.1"),
            (" 1.33 ", "1.33.0"),
            ("v1", "1.0.0"),
            ("v01.033.001-rc.1+vendor.7", "1.33.1-rc.1+vendor.7"),
            ("v1.30.0-0", "1.30.0-0"),
            ("v1.00.0", "1.0.0"),
        ] {
            assert_eq!(Version::parse(text).map(|v| v.to_string()), Ok(written.to_owned()));
        }
    }

    #[test]
    fn what_is_no_version_says_why() {
        for (text, error) in [
            ("not-a-version", "Short version cannot contain PreRelease/Build meta data"),
            ("latest", "Invalid character(s) found in major number \"latest\""),
            ("v1.x.0", "Invalid character(s) found in minor number \"x\""),
            ("v1.2.3.4", "Invalid character(s) found in patch number \"3.4\""),
            ("v1.30.0-rc..1", "Prerelease is empty"),
            ("v1.30.0-01", "Numeric PreRelease version must not contain leading zeroes \"01\""),
            ("v1.30.0+", "Build meta data is empty"),
            ("v1.30.0+a_b", "Invalid character(s) found in build meta data \"a_b\""),
        ] {
            assert_eq!(Version::parse(text), Err(error.to_owned()), "{text}");
        }
    }
}
