//! The documentation as a book: the pages that `docs/SUMMARY.md` names, every table, and the playground.
//!
//! The pages stay where they are in the repository, and so do the links between them. What a page links to has to exist; what
//! is no page of the book becomes a link to the repository.

mod links;

use crate::{playground, run, tools};
use anyhow::{Context, Result, ensure};
use links::{resolve, rewrite};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

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
    let mut pages = BTreeSet::new();
    rewrite(&summary, |link, _| {
        pages.insert(resolve(Path::new("docs/SUMMARY.md"), link));
        None
    });
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
    rewrite(summary, |link, _| Some(root(link)))
}

/// Copies a page and the pictures it shows.
fn stage_page(page: &Path, pages: &BTreeSet<PathBuf>, stage: &Path) -> Result<()> {
    let text = fs::read_to_string(run::root().join(page)).with_context(|| page.display().to_string())?;
    let missing = links::broken(page, &text)?;
    ensure!(missing.is_empty(), "{}: nothing is where these links lead: {missing:?}", page.display());
    let mut pictures = Vec::new();
    let text = rewrite(&text, |link, _| {
        let target = resolve(page, link);
        if target.starts_with(PLAYGROUND) || link.is_empty() {
            return None;
        }
        if target.extension().is_some_and(|e| e == "png" || e == "svg") {
            pictures.push(target);
            return None;
        }
        (!pages.contains(&target)).then(|| format!("{REPOSITORY}{}", target.display()))
    });
    write(&stage.join(page), text.as_bytes())?;
    for picture in pictures {
        write(&stage.join(&picture), &fs::read(run::root().join(&picture))?)?;
    }
    Ok(())
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
