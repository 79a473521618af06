//! Compiled code is kept, found again, and made anew when it is damaged.

mod policies;

use capi_policy_host::{Cache, Engine, Limits, Options, PolicyEngine};
use policies::{SNAPSHOT, hostile, real};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

fn load(folder: &Path) -> PolicyEngine {
    let options = Options { cache: Cache::Folder(folder.to_owned()), ..Options::default() };
    PolicyEngine::load(real(), &options).expect("the policy")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    folder.read_dir().expect("the cache").map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn the_second_start_finds_what_the_first_compiled() {
    let folder = tempfile::tempdir().expect("a folder");
    let compiled = load(folder.path());
    assert!(!compiled.about().from_cache());
    let cached = load(folder.path());
    assert!(cached.about().from_cache());
    assert_eq!(cached.evaluate(SNAPSHOT).expect("a decision"), compiled.evaluate(SNAPSHOT).expect("a decision"));
    assert_eq!(entries(folder.path()).len(), 1);
}

#[test]
fn a_damaged_entry_is_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    load(folder.path());
    let file = entries(folder.path()).pop().expect("an entry");
    let good = fs::read(&file).expect("the entry");
    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for damaged in [&flipped[..], &good[..good.len() / 2], &good[..10], b""] {
        fs::write(&file, damaged).expect("write");
        let engine = load(folder.path());
        assert!(!engine.about().from_cache());
        assert!(engine.evaluate(SNAPSHOT).expect("a decision").contains("NotDeleting"));
        assert!(load(folder.path()).about().from_cache(), "the entry is good again");
    }
}

/// Compiled code that somebody else can have written is not run.
#[test]
#[cfg(unix)]
fn an_entry_that_others_can_write_is_made_anew() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    load(folder.path());
    let file = entries(folder.path()).pop().expect("an entry");
    let allow = |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    assert_eq!(fs::metadata(&file).expect("the entry").permissions().mode() & 0o777, 0o600);
    allow(&file, 0o666);
    assert!(!load(folder.path()).about().from_cache(), "everybody can write the entry");
    assert!(load(folder.path()).about().from_cache(), "it was made anew");
    allow(folder.path(), 0o777);
    assert!(!load(folder.path()).about().from_cache(), "everybody can put an entry there");
}

#[test]
fn another_policy_and_other_settings_have_entries_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    load(folder.path());
    let options = Options { cache: Cache::Folder(folder.path().to_owned()), ..Options::default() };
    let other = PolicyEngine::from_bytes(&hostile("remembers"), &options).expect("loads");
    assert!(!other.about().from_cache());
    assert_eq!(entries(folder.path()).len(), 2);
}

#[test]
fn many_may_start_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| load(folder.path()).evaluate(SNAPSHOT).expect("a decision"));
        }
    });
    assert!(load(folder.path()).about().from_cache());
    assert_eq!(entries(folder.path()).len(), 1, "nothing unfinished is left behind");
}

#[test]
fn a_cache_that_cannot_be_written_is_done_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a file");
    fs::write(&file, "in the way").expect("write");
    assert!(!load(&file.join("cache")).about().from_cache());
    let options = Options { limits: Limits::default(), cache: Cache::Off };
    assert!(!PolicyEngine::load(real(), &options).expect("the policy").about().from_cache());
}
