//! Links in Markdown: where they lead, whether something is there, and other targets for them.

use super::PLAYGROUND;
use crate::run;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The links of a page of the repository that lead to no file, or to no heading of one.
pub fn broken(page: &Path, text: &str) -> Result<Vec<String>> {
    let mut targets = Vec::new();
    rewrite(text, |path, fragment| {
        let target = if path.is_empty() { page.to_owned() } else { resolve(page, path) };
        targets.push((target, fragment.to_owned(), format!("{path}{fragment}")));
        None
    });
    let mut broken = Vec::new();
    for (target, fragment, link) in targets.into_iter().filter(|(target, ..)| !target.starts_with(PLAYGROUND)) {
        let file = run::root().join(&target);
        let is_page = target.extension().is_some_and(|extension| extension == "md");
        let is_there = match fragment.strip_prefix('#') {
            Some(fragment) if is_page && file.exists() => {
                let text = fs::read_to_string(&file).with_context(|| target.display().to_string())?;
                headings(&text).contains(fragment)
            }
            _ => file.exists(),
        };
        if !is_there {
            broken.push(link);
        }
    }
    Ok(broken)
}

/// What the headings of a page are called in links to them.
fn headings(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut names = BTreeSet::new();
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if fenced || title == line || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        names.insert(kept.collect::<String>().to_lowercase().replace(' ', "-"));
    }
    names
}

/// A text with other targets where `change` gives one for a path and what follows it, from `#` on; what is in code stays, and so do
/// links to other sites.
pub fn rewrite(text: &str, mut change: impl FnMut(&str, &str) -> Option<String>) -> String {
    let mut fenced = false;
    let line = |line: &str| {
        fenced ^= line.trim_start().starts_with("```");
        if fenced { line.to_owned() } else { rewrite_line(line, &mut change) }
    };
    text.split_inclusive('\n').map(line).collect()
}

fn rewrite_line(line: &str, change: &mut impl FnMut(&str, &str) -> Option<String>) -> String {
    let mut parts = line.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("](");
        let in_code = text.matches('`').count() % 2 == 1;
        match part.split_once(')').filter(|(target, _)| !in_code && !target.contains("://")) {
            Some((target, rest)) => {
                let (path, fragment) = target.split_at(target.find('#').unwrap_or(target.len()));
                let path = change(path, fragment).unwrap_or_else(|| path.to_owned());
                let _ = write!(text, "{path}{fragment}){rest}");
            }
            None => text.push_str(part),
        }
    }
    text
}

/// Where a link of a page leads, from the root of the repository.
pub fn resolve(page: &Path, link: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for part in page.parent().unwrap_or(Path::new("")).join(link).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::{broken, headings, resolve, rewrite};
    use crate::run;
    use std::fs;
    use std::path::Path;

    #[test]
    fn links_are_resolved_from_their_page() {
        assert_eq!(resolve(Path::new("docs/how-to/a.md"), "../../go/README.md"), Path::new("go/README.md"));
    }

    #[test]
    fn only_links_change() {
        let text = "[a](b.md#c) `x](y)` [d](https://e)\n```\n[f](g)\n```\n";
        let changed = rewrite(text, |link, _| Some(format!("new/{link}")));
        assert_eq!(changed, "[a](new/b.md#c) `x](y)` [d](https://e)\n```\n[f](g)\n```\n");
    }

    #[test]
    fn headings_are_called_as_on_the_web() {
        let names = headings("# Who writes what?\n```sh\n# a comment\n```\n## `--set`, and _more_\n#no heading\n");
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["--set-and-_more_", "who-writes-what"]);
    }

    #[test]
    fn every_link_of_every_document_leads_somewhere() {
        let files = run::output(&mut run::command("git", &["ls-files", "*.md"])).unwrap();
        let mut all = Vec::new();
        for file in files.lines() {
            let text = fs::read_to_string(run::root().join(file)).unwrap();
            let links = broken(Path::new(file), &text).unwrap();
            all.extend(links.into_iter().map(|link| format!("{file}: {link}")));
        }
        assert!(all.is_empty(), "links that lead nowhere: {all:#?}");
        let gone =
            broken(Path::new("docs/a.md"), "[a](nowhere.md) [b](../README.md#no-such-heading) [c](#here)\n# Here\n");
        assert_eq!(gone.unwrap(), ["nowhere.md", "../README.md#no-such-heading", "#here"]);
    }
}
