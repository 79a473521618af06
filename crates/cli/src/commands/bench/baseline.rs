//! A saved result and a new one in, what got slower out.

use super::measure::Measurement;
use super::{ratio, time};
use crate::commands::Answer;
use crate::render::grid::{GREEN, Grid, RED, plain, styled};
use crate::render::{print, width};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// Reads a saved result.
pub fn read(path: &Path) -> Result<Vec<Measurement>> {
    let name = path.display();
    let text =
        fs::read_to_string(path).with_context(|| format!("{name}: make one with `capi-policy bench --save {name}`"))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{name}: expected a file written by `capi-policy bench --save`"))
}

/// Shows the change of each median; a difference is one that is slower by more than `threshold` percent.
pub fn compare(before: &[Measurement], after: &[Measurement], threshold: f64) -> Result<Answer> {
    let mut grid = Grid::new(&["SUBJECT", "ENGINE", "BEFORE", "AFTER", "CHANGE", "TIMES NATIVE"]);
    let (mut compared, mut slower) = (0, 0);
    for new in after {
        let Some(old) = before.iter().find(|old| (&old.subject, &old.engine) == (&new.subject, &new.engine)) else {
            continue;
        };
        compared += 1;
        let change = (new.p50_micros / old.p50_micros - 1.0) * 100.0;
        let too_slow = change > threshold;
        slower += usize::from(too_slow);
        grid.row(vec![
            plain(&new.subject),
            plain(&new.engine),
            plain(time(old.p50_micros)),
            plain(time(new.p50_micros)),
            styled(format!("{change:+.1} %"), if too_slow { RED } else { GREEN }),
            plain(format!("{} → {}", ratio(old.times_native), ratio(new.times_native))),
        ]);
    }
    if compared == 0 {
        bail!("the saved result has none of these subjects; save one with the same -f");
    }
    print(&format!("\n{}", grid.render(width())))?;
    print(&format!("\n{slower} of {compared} slower by more than {threshold} %\n"))?;
    Ok(if slower == 0 { Answer::Fine } else { Answer::Differences })
}
