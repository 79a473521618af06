//! Pages with the figures of this run between their two marks.

use super::figures::Figures;
use super::markdown;
use super::targets::Target;
use anyhow::{Context, Result};

/// `docs/performance.md`: picture and targets.
pub fn with_targets(readme: &str, figures: &Figures, targets: &[Target]) -> Result<String> {
    let (picture, table) = (super::picture::description(figures), markdown::targets(targets));
    between_marks(readme, "bench", &format!("![{picture}](bench.svg)\n\n{table}"))
}

/// The README of the Go package: the package and upstream's code.
pub fn with_go(readme: &str, figures: &Figures) -> Result<String> {
    let targets = markdown::targets(&super::targets::go(figures));
    between_marks(readme, "bench", &format!("{targets}\n{}", markdown::go(figures)))
}

/// `docs/performance.md`: simulations.
pub fn with_simulations(readme: &str, table: &str) -> Result<String> {
    between_marks(readme, "simulations", table)
}

/// `docs/performance.md`: Cluster API's controllers under the same load.
pub fn with_duel(readme: &str, table: &str) -> Result<String> {
    between_marks(readme, "duel", table)
}

fn between_marks(readme: &str, mark: &str, text: &str) -> Result<String> {
    let (begin, end) = (format!("<!-- {mark} -->\n"), format!("<!-- /{mark} -->"));
    let missing = || format!("expected a line <!-- {mark} --> and, after it, {end}");
    let (before, rest) = readme.split_once(&begin).with_context(missing)?;
    let (_, after) = rest.split_once(&end).with_context(missing)?;
    Ok(format!("{before}{begin}{text}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{with_go, with_targets};
    use crate::bench::figures::tests::figures;
    use crate::bench::instructions::tests::instructions;
    use crate::bench::targets::all;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let figures = figures();
        let fill = |text: &str| with_targets(text, &figures, &all(&figures, &instructions()));
        let once = fill("# A\n<!-- bench -->\nold\n<!-- /bench -->\nB\n").expect("a text");
        assert!(once.starts_with("# A\n<!-- bench -->\n![") && once.ends_with("|\n<!-- /bench -->\nB\n"), "{once}");
        assert!(!once.contains("old"));
        assert_eq!(fill(&once).expect("a text"), once);
        assert!(fill("# A\n<!-- bench -->\n").is_err());
        let go = with_go("<!-- bench -->\n<!-- /bench -->\n", &figures).expect("a text");
        assert!(go.contains("| MachineDeployment, 1,000 machines | 8.00 ms  |        | 48.0 ms  | 6.00 "), "{go}");
    }
}
