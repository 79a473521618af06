//! Release notes out of the changelog.

use crate::run;
use anyhow::{Context, Result, ensure};
use std::fs;

/// What `CHANGELOG.md` says about a version.
pub fn of(version: &str) -> Result<String> {
    let changelog = fs::read_to_string(run::root().join("CHANGELOG.md")).context("CHANGELOG.md")?;
    section(&changelog, version)
}

fn section(changelog: &str, version: &str) -> Result<String> {
    let mut sections = changelog.split("\n## ").skip(1);
    let of_version = |section: &&str| section.split_whitespace().next() == Some(version);
    let section = sections.find(of_version).with_context(|| format!("CHANGELOG.md has no section {version}"))?;
    let text = section.split_once('\n').map_or("", |(_, text)| text).trim();
    ensure!(!text.is_empty(), "CHANGELOG.md says nothing about {version}");
    Ok(format!("# capi-policy {version}\n\n{text}\n"))
}

#[cfg(test)]
mod tests {
    use super::section;

    const CHANGELOG: &str = "# Changelog\n\n## 0.2.0\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n";

    #[test]
    fn a_version_is_told_alone() {
        assert_eq!(section(CHANGELOG, "0.2.0").expect("a section"), "# capi-policy 0.2.0\n\n- New.\n");
        assert_eq!(section(CHANGELOG, "0.1.0").expect("a section"), "# capi-policy 0.1.0\n\n- First.\n");
    }

    #[test]
    fn a_version_without_notes_is_not_released() {
        assert!(section(CHANGELOG, "0.3.0").is_err());
        assert!(section("# Changelog\n\n## 0.1.0\n\n## 0.0.1\n\n- Old.\n", "0.1.0").is_err());
    }
}
