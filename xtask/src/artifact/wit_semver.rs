//! Compares the WIT package with the last one that was released: `wit/released/`, which a release fills.

use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use wit_parser::{PackageId, Resolve};

const WORLD: &str = "policy";

/// Fails when the package breaks hosts that its version promises to serve.
pub fn check(root: &Path) -> Result<()> {
    let (now, released) = (root.join("wit"), root.join("wit/released"));
    if !released.is_dir() {
        crate::run::say("the WIT package has not been released yet: there is nothing to compare it with");
        return Ok(());
    }
    compare(&released, &now)
}

fn compare(released: &Path, now: &Path) -> Result<()> {
    let (old, new) = (Package::load(released)?, Package::load(now)?);
    let (old_version, version) = (&old.version, &new.version);
    if version == old_version {
        let same = old.encoded()? == new.encoded()?;
        ensure!(same, "capi:policy@{version} is released, and wit/ says something else: give it another version");
        return Ok(());
    }
    ensure!(new.numbers > old.numbers, "capi:policy@{version} is older than {old_version}, which is released");
    let compatible = |(major, minor, _): (u64, u64, u64)| (major, if major == 0 { minor } else { 0 });
    if compatible(new.numbers) != compatible(old.numbers) {
        return Ok(());
    }
    let mut both = Resolve::default();
    let (old, _) = both.push_dir(released)?;
    let (new, _) = both.push_dir(now)?;
    let [old, new] = [both.select_world(&[old], Some(WORLD))?, both.select_world(&[new], Some(WORLD))?];
    // The check asks whether a component of the first world fits a host of the second. Ours only exports, so it is the host that
    // has to find in a new policy what it knows from the old one.
    let compared = wit_component::semver_check(both, new, old);
    compared.with_context(|| format!("capi:policy@{version} breaks hosts of {old_version}"))
}

struct Package {
    resolve: Resolve,
    id: PackageId,
    version: String,
    numbers: (u64, u64, u64),
}

impl Package {
    fn load(folder: &Path) -> Result<Self> {
        let mut resolve = Resolve::default();
        let (id, _) = resolve.push_dir(folder).with_context(|| folder.display().to_string())?;
        let Some(version) = &resolve.packages[id].name.version else {
            bail!("{}: the package has no version", folder.display());
        };
        let (version, numbers) = (version.to_string(), (version.major, version.minor, version.patch));
        Ok(Self { resolve, id, version, numbers })
    }

    fn encoded(&self) -> Result<Vec<u8>> {
        wit_component::encode(&self.resolve, self.id, false)
    }
}

#[cfg(test)]
mod tests {
    use super::compare;
    use std::fs;

    /// What is said about a package after another.
    fn verdict(released: (&str, &str), now: (&str, &str)) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let [old, new] = [("released", released), ("now", now)].map(|(name, (version, functions))| {
            let path = folder.path().join(name);
            fs::create_dir(&path).expect("a folder");
            let text = format!(
                "package capi:policy@{version};\ninterface json {{ {functions} }}\nworld policy {{ export json; }}\n"
            );
            fs::write(path.join("world.wit"), text).expect("a file");
            path
        });
        compare(&old, &new).map_or_else(|error| error.to_string(), |()| "fine".to_owned())
    }

    #[test]
    fn what_breaks_hosts_needs_another_minor_version() {
        let [one, two] = ["a: func() -> string;", "a: func() -> string; b: func();"];
        assert_eq!(verdict(("0.2.0", one), ("0.2.0", one)), "fine");
        assert_eq!(
            verdict(("0.2.0", one), ("0.2.0", two)),
            "capi:policy@0.2.0 is released, and wit/ says something else: give it another version"
        );
        assert_eq!(verdict(("0.2.0", one), ("0.2.1", two)), "fine");
        assert_eq!(verdict(("0.2.0", two), ("0.2.1", one)), "capi:policy@0.2.1 breaks hosts of 0.2.0");
        assert_eq!(verdict(("0.2.0", two), ("0.3.0", one)), "fine");
        assert_eq!(verdict(("0.2.1", one), ("0.2.0", two)), "capi:policy@0.2.0 is older than 0.2.1, which is released");
    }
}
