//! A wall clock that is wrong for one program.

use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The clock.
pub struct WrongClock {
    library: PathBuf,
    offset: PathBuf,
}

impl WrongClock {
    /// One that is wrong by so many seconds.
    pub fn create(directory: &Path, name: &str, seconds: i64) -> Result<Self> {
        let (library, offset) = (directory.join(format!("{name}.so")), directory.join(format!("{name}.offset")));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/wrong_clock.c");
        let compiled = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).status()?;
        ensure!(compiled.success(), "cc ended with {compiled}");
        let clock = Self { library, offset };
        clock.set(seconds)?;
        Ok(clock)
    }

    /// It jumps.
    pub fn set(&self, seconds: i64) -> Result<()> {
        let new = self.offset.with_extension("new");
        std::fs::write(&new, format!("{seconds}\n"))?;
        Ok(std::fs::rename(&new, &self.offset)?)
    }

    /// How a program is started that has this clock.
    pub fn prefix(&self) -> [String; 3] {
        [
            "/usr/bin/env".to_owned(),
            format!("LD_PRELOAD={}", self.library.display()),
            format!("CLOCK_OFFSET_FILE={}", self.offset.display()),
        ]
    }
}
