//! Checksums of a release, and whether a second build gave the same bytes.

use crate::artifact::sha256;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const FILE: &str = "SHA256SUMS";

/// The checksum of each file, by its path below the folder.
pub type Sums = BTreeMap<String, String>;

/// What an earlier build left.
pub fn read(folder: &Path) -> Option<Sums> {
    let text = fs::read_to_string(folder.join(FILE)).ok()?;
    Some(text.lines().filter_map(|line| line.split_once("  ")).map(|(sum, name)| (name.into(), sum.into())).collect())
}

/// Writes the checksums of every file in the folder, as `sha256sum --check` reads them.
pub fn write(folder: &Path) -> Result<Sums> {
    let mut sums = Sums::new();
    collect(folder, "", &mut sums)?;
    let lines: Vec<_> = sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
    fs::write(folder.join(FILE), lines.concat())?;
    Ok(sums)
}

fn collect(folder: &Path, prefix: &str, sums: &mut Sums) -> Result<()> {
    for entry in folder.read_dir().with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), sums)?;
        } else {
            sums.insert(name, sha256(&fs::read(&path)?));
        }
    }
    Ok(())
}

/// What there is to tell about the files, compared with those of an earlier build.
pub fn compare(before: Option<&Sums>, after: &Sums) -> String {
    let mut text = String::new();
    for (name, sum) in after {
        let _ = writeln!(text, "{sum}  {name}");
    }
    let Some(before) = before else {
        let _ = write!(text, "dist/release: {} files; a second run says which of them come out the same", after.len());
        return text;
    };
    let differ: Vec<_> =
        after.iter().filter(|(name, sum)| before.get(*name) != Some(sum)).map(|(name, _)| name.as_str()).collect();
    let _ = write!(
        text,
        "dist/release: {} files, {} the same as in the run before",
        after.len(),
        after.len() - differ.len()
    );
    if !differ.is_empty() {
        let _ = write!(text, "; others: {}", differ.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Sums, compare, read, write};

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("go")).expect("a folder");
        std::fs::write(folder.path().join("a"), "x").expect("a file");
        std::fs::write(folder.path().join("go/b"), "").expect("a file");
        let sums = write(folder.path()).expect("sums");
        assert_eq!(sums.keys().collect::<Vec<_>>(), ["a", "go/b"]);
        assert_eq!(read(folder.path()), Some(sums));
    }

    #[test]
    fn files_that_differ_are_named() {
        let sums = |a: &str| Sums::from([("a".to_owned(), a.to_owned()), ("b".to_owned(), "2".to_owned())]);
        assert!(compare(Some(&sums("1")), &sums("1")).ends_with("2 the same as in the run before"));
        assert!(compare(Some(&sums("0")), &sums("1")).ends_with("1 the same as in the run before; others: a"));
    }
}
