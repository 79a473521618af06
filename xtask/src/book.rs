//! The documentation as a book: the pages that `docs/SUMMARY.md` names, every table, and the playground.
//!
//! The pages stay where they are in the repository, and so do the links between them. What a page links to has to exist; what
//! is no page of the book becomes a link to the repository.

use crate::{playground, run, tools};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

const SITE: &str = "dist/site";
const STAGE: &str = "target/book";
/// Where the playground is in the site, beside the page about it.
const PLAYGROUND: &str = "docs/playground";
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// Builds the site, with the playground in it.
pub fn build() -> Result<()> {
    let site = pages()?;
    playground::build()?;
    copy_folder(&run::root().join("pkg/playground/dist"), &site.join(PLAYGROUND))?;
    run::say(&format!("{SITE}: the book, and the playground in {SITE}/{PLAYGROUND}"));
    Ok(())
}

/// Builds the pages alone.
fn pages() -> Result<PathBuf> {
    let mdbook = tools::cargo("mdbook", "0.5.4", &["--no-default-features", "--features", "search"])?;
    let (stage, site) = (run::root().join(STAGE), run::root().join(SITE));
    for folder in [&stage, &site] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    let summary = summary()?;
    let pages: BTreeSet<_> =
        links(&summary).into_iter().map(|link| resolve(Path::new("docs/SUMMARY.md"), link)).collect();
    for page in &pages {
        stage_page(page, &pages, &stage.join("src"))?;
    }
    fs::write(stage.join("src/SUMMARY.md"), at_root(&summary))?;
    fs::copy(run::root().join("docs/book.toml"), stage.join("book.toml"))?;
    run::exec(run::command(&mdbook, &["build", "--dest-dir"]).arg(&site).arg(&stage))?;
    Ok(site)
}

/// `docs/SUMMARY.md` with a page for each table below the page about tables.
fn summary() -> Result<String> {
    let text = fs::read_to_string(run::root().join("docs/SUMMARY.md")).context("docs/SUMMARY.md")?;
    let mut tables = String::new();
    for table in capi_policy::catalog::tables() {
        let _ = writeln!(tables, "  - [{} `{}`](../src/rules/{})", table.kind, table.condition, table.file());
    }
    let entry = "- [Tables](tables.md)\n";
    ensure!(text.contains(entry), "docs/SUMMARY.md has no line {entry:?}");
    Ok(text.replace(entry, &format!("{entry}{tables}")))
}

/// The summary as it stands at the root of the stage.
fn at_root(summary: &str) -> String {
    let root = |link: &str| resolve(Path::new("docs/SUMMARY.md"), link).display().to_string();
    rewrite(summary, |link| Some(root(link)))
}

/// Copies a page and the pictures it shows.
fn stage_page(page: &Path, pages: &BTreeSet<PathBuf>, stage: &Path) -> Result<()> {
    let text = fs::read_to_string(run::root().join(page)).with_context(|| page.display().to_string())?;
    let mut missing = Vec::new();
    let mut pictures = Vec::new();
    let text = rewrite(&text, |link| {
        if link.contains("://") || link.starts_with('#') {
            return None;
        }
        let target = resolve(page, link);
        if target.starts_with(PLAYGROUND) {
            return None;
        }
        if !run::root().join(&target).exists() {
            missing.push(link.to_owned());
        }
        if target.extension().is_some_and(|e| e == "png" || e == "svg") {
            pictures.push(target);
            return None;
        }
        (!pages.contains(&target)).then(|| format!("{REPOSITORY}{}", target.display()))
    });
    ensure!(missing.is_empty(), "{}: nothing is where these links lead: {missing:?}", page.display());
    write(&stage.join(page), text.as_bytes())?;
    for picture in pictures {
        write(&stage.join(&picture), &fs::read(run::root().join(&picture))?)?;
    }
    Ok(())
}

/// The targets of the links of a text, without what stands after `#`.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.split('#').next().unwrap_or_default()).collect()
}

/// A text with other targets where `change` gives one; what is in code stays.
fn rewrite(text: &str, mut change: impl FnMut(&str) -> Option<String>) -> String {
    let mut fenced = false;
    let line = |line: &str| {
        fenced ^= line.trim_start().starts_with("```");
        if fenced { line.to_owned() } else { rewrite_line(line, &mut change) }
    };
    text.split_inclusive('\n').map(line).collect()
}

fn rewrite_line(line: &str, change: &mut impl FnMut(&str) -> Option<String>) -> String {
    let mut parts = line.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("](");
        let in_code = text.matches('`').count() % 2 == 1;
        let target = part
            .split_once(')')
            .filter(|_| !in_code)
            .map(|(target, rest)| (target.split_once('#').map_or(target, |(path, _)| path), target, rest));
        match target {
            Some((path, target, rest)) if !target.starts_with('#') && !path.contains("://") => {
                let fragment = target.strip_prefix(path).unwrap_or_default();
                let path = change(path).unwrap_or_else(|| path.to_owned());
                let _ = write!(text, "{path}{fragment}){rest}");
            }
            _ => text.push_str(part),
        }
    }
    text
}

/// Where a link of a page leads, from the root of the repository.
fn resolve(page: &Path, link: &str) -> PathBuf {
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

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for entry in from.read_dir().with_context(|| from.display().to_string())? {
        let path = entry?.path();
        let copy = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy_folder(&path, &copy)? } else { write(&copy, &fs::read(&path)?)? }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{resolve, rewrite};
    use std::path::Path;

    #[test]
    fn links_are_resolved_from_their_page() {
        assert_eq!(resolve(Path::new("docs/how-to/a.md"), "../../go/README.md"), Path::new("go/README.md"));
    }

    #[test]
    fn only_links_change() {
        let text = "[a](b.md#c) `x](y)` [d](https://e)\n```\n[f](g)\n```\n";
        let changed = rewrite(text, |link| Some(format!("new/{link}")));
        assert_eq!(changed, "[a](new/b.md#c) `x](y)` [d](https://e)\n```\n[f](g)\n```\n");
    }
}
