//! The simulator for a page: a run that goes on piece by piece, so that whoever waits sees how far it is. Conversion only:
//! what is run and what comes of it is the same as with `capi-policy simulate`.

#![allow(unsafe_code, reason = "made by wasm-bindgen")]

use capi_policy_simulator::Scenario;
use capi_policy_simulator::day::{Day, Seeds, Terms};
use capi_policy_simulator::property::Demand;
use capi_policy_simulator::report::{Report, svg};
use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

/// A page keeps all days in memory, and nobody waits for more.
const MOST_DAYS: u64 = 20_000;
/// A scenario that a person writes has a few kilobytes.
const LONGEST: usize = 1 << 20;

/// A run over variants and days: what a page shows once it is over.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Run {
    variants: Vec<(String, Scenario)>,
    demands: Vec<Demand>,
    given: Option<Vec<Value>>,
    seeds: Seeds,
    days: Vec<Vec<Day>>,
    /// The clusters of the day that is being run.
    clusters: Vec<Day>,
    done: u32,
}

/// What a page shows of a run.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'v> {
    /// What the scenario demands of each day.
    demands: Vec<String>,
    variants: Vec<VariantView<'v>>,
}

/// What a page shows of a variant.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VariantView<'v> {
    #[serde(flatten)]
    report: Report<'v>,
    /// On how many days each demand is not met.
    failing: Vec<usize>,
}

#[wasm_bindgen]
impl Run {
    /// Reads a scenario (YAML or JSON). `seeds`: a number, or the first and the last as `1..200`. `compare`: nothing for the
    /// scenario as it is, an empty text for its own variants, or a field and its values. `objects`: JSON of a list to start from.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::needless_pass_by_value, reason = "wasm-bindgen passes optional texts by value")]
    pub fn new(text: &str, seeds: &str, compare: Option<String>, objects: Option<String>) -> Result<Self, String> {
        let scenario = read(text)?;
        let seeds: Seeds = seeds.parse().map_err(|problem| format!("seeds: {problem}"))?;
        let given: Option<Vec<Value>> = match objects {
            Some(objects) => Some(serde_json::from_str(&objects).map_err(|error| format!("objects: {error}"))?),
            None => None,
        };
        let demands = scenario.demands(&[], &[]).map_err(|invalid| invalid.to_string())?;
        let variants =
            scenario.variants(compare.as_slice(), given.as_deref()).map_err(|invalid| invalid.to_string())?;
        let run = Self { days: Vec::new(), clusters: Vec::new(), done: 0, variants, demands, given, seeds };
        let days = seeds.count().saturating_mul(run.variants.len() as u64);
        if days > MOST_DAYS {
            return Err(format!("seeds: expected at most {MOST_DAYS} days in a page, found {days}"));
        }
        Ok(run)
    }

    /// How many pieces there are: one for each cluster, day and variant.
    pub fn pieces(&self) -> u32 {
        let clusters: u64 = (0..self.variants.len()).map(|variant| u64::from(self.terms(variant).clusters())).sum();
        u32::try_from(clusters.saturating_mul(self.seeds.count())).unwrap_or(u32::MAX)
    }

    /// How many of them are done.
    pub fn done(&self) -> u32 {
        self.done
    }

    /// Runs the next piece; false when there are no more.
    pub fn step(&mut self) -> Result<bool, String> {
        let per_variant = usize::try_from(self.seeds.count()).unwrap_or(usize::MAX);
        if self.days.last().is_none_or(|days| days.len() == per_variant) {
            if self.days.len() == self.variants.len() {
                return Ok(false);
            }
            self.days.push(Vec::new());
        }
        let variant = self.days.len() - 1;
        let terms = self.terms(variant);
        let Some(seed) = self.seeds.all().nth(self.days[variant].len()) else { return Ok(false) };
        let cluster = u32::try_from(self.clusters.len()).unwrap_or(u32::MAX);
        let day = terms.cluster(seed, cluster).map_err(|error| error.to_string())?;
        let last = cluster + 1 == terms.clusters();
        self.clusters.push(day);
        self.done += 1;
        if last {
            self.days[variant].push(Day::together(seed, std::mem::take(&mut self.clusters)));
        }
        Ok(true)
    }

    /// What to show, as JSON: figures, days only where there is one of each.
    pub fn view(&self) -> Result<String, String> {
        let variants = self.reports().map(|mut report| {
            let failing = |demand: &Demand| report.days.iter().filter(|day| !demand.is_met(day)).count();
            let failing = self.demands.iter().map(failing).collect();
            if report.days.len() > 1 {
                report.days = &[];
            }
            VariantView { report, failing }
        });
        let view =
            View { demands: self.demands.iter().map(ToString::to_string).collect(), variants: variants.collect() };
        serde_json::to_string(&view).map_err(|error| error.to_string())
    }

    /// Everything, as `capi-policy simulate -o json` prints it.
    pub fn json(&self) -> Result<String, String> {
        let reports: Vec<_> = self.reports().collect();
        serde_json::to_string_pretty(&reports).map(|text| text + "\n").map_err(|error| error.to_string())
    }

    /// The picture, as `capi-policy simulate -o svg` prints it.
    pub fn svg(&self) -> String {
        svg(&self.reports().collect::<Vec<_>>())
    }
}

impl Run {
    fn terms(&self, variant: usize) -> Terms<'_> {
        let events = self.seeds.is_one() && self.variants.len() == 1;
        Terms { scenario: &self.variants[variant].1, given: self.given.as_deref(), events }
    }

    fn reports(&self) -> impl Iterator<Item = Report<'_>> {
        let named = self.variants.iter().zip(&self.days);
        named.map(|((name, scenario), days)| Report::new(name, scenario, days))
    }
}

fn read(text: &str) -> Result<Scenario, String> {
    if text.len() > LONGEST {
        return Err(format!("scenario: expected at most 1 MB of text, found {} bytes", text.len()));
    }
    let value: Value = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
    Scenario::read(&value).map_err(|invalid| invalid.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTAGE: &str = include_str!("../../../scenarios/zone-outage.yaml");

    fn refusal(text: &str, seeds: &str, compare: Option<&str>) -> String {
        Run::new(text, seeds, compare.map(str::to_owned), None).expect_err("a refusal")
    }

    #[test]
    fn it_goes_on_day_by_day() {
        let mut run = Run::new(OUTAGE, "1..2", Some(String::new()), None).expect("a run");
        assert_eq!(run.pieces(), 8);
        let mut seen = Vec::new();
        while run.step().expect("a day") {
            seen.push(run.done());
        }
        assert_eq!(seen, [1, 2, 3, 4, 5, 6, 7, 8]);
        let days: Vec<_> = run.reports().map(|report| (report.name.to_owned(), report.days.len())).collect();
        let names = ["at most 20%", "at most 40%", "at most 100%", "range [1-3]"];
        assert_eq!(days, names.map(|name| (name.to_owned(), 2)));
    }

    #[test]
    fn what_is_wrong_is_said_with_path_and_value() {
        let wrong = refusal("horizon: 365000d\nmachineDeployments: { workers: { replicas: 3 } }", "1", None);
        assert_eq!(wrong, "horizon: expected 1m to 366d, found 365000d");
        assert_eq!(
            refusal("horizon: 1h", "1", None),
            "scenario: expected a fleet (machineDeployments or controlPlane), found none"
        );
        assert!(refusal(OUTAGE, "3..1", None).starts_with("seeds: expected a number or a range"));
        assert_eq!(refusal(OUTAGE, "1..20001", None), "seeds: expected at most 20000 days in a page, found 20001");
        assert!(refusal(OUTAGE, "1", Some("horizon")).starts_with("compare: expected PATH=VALUE,VALUE"));
        assert_eq!(
            refusal(OUTAGE, "1", Some("horizon=-1h")).split(", expected").next(),
            Some(r#"compare "horizon=-1h": horizon: invalid value: string "-1h""#)
        );
    }
}
