//! Minutes and a seed in; random changes and faults, and after each round a comparison with a fresh evaluation, out.

mod change;
mod fresh;
mod random;
mod remediations;
mod site;

use anyhow::{Context, Result, bail};
use capi_policy_e2e::wait::{eventually, now, within};
use change::{Change, Kind};
use random::Random;
use remediations::Remediations;
use serde_json::json;
use site::{Fault, Site};
use std::collections::BTreeMap;
use std::time::Duration;

/// Deadlines pass in seconds, and a host that was refused comes back within a minute.
const SETTLED_WITHIN: u64 = 240;
/// How long a change may take while the server is away.
const CHANGED_WITHIN: u64 = 120;
/// How long the host is given to do something before the next step.
const BUSY_WITHIN: Duration = Duration::from_secs(3);

/// What the run came to.
#[derive(Default)]
struct Tally {
    rounds: usize,
    changes: BTreeMap<Kind, usize>,
    faults: BTreeMap<Fault, usize>,
    fresh: usize,
    compared: usize,
}

/// One round, as it is told when it fails.
#[derive(Default)]
struct Round {
    changes: Vec<Change>,
    faults: Vec<Fault>,
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[tokio::main]
async fn main() -> Result<()> {
    let minutes = number("SOAK_MINUTES").unwrap_or(20);
    let seed = number("SOAK_SEED").unwrap_or_else(any_seed);
    println!("{minutes} minutes with seed {seed}");
    let mut site = Site::start().await?;
    let result = soak(&mut site, seed, Duration::from_secs(minutes * 60)).await;
    if result.is_err() {
        site.plane.keep();
        println!("logs, decisions and captured objects stay in {}", site.plane.directory().display());
    }
    result.with_context(|| format!("seed {seed}"))
}

async fn soak(site: &mut Site, seed: u64, length: Duration) -> Result<()> {
    let (mut random, mut tally, mut remediations) = (Random::new(seed), Tally::default(), Remediations::default());
    settled(site, &mut tally).await.context("before the first change")?;
    let (start, memory) = (now(), site.host.resident_kilobytes()?);
    // The host is left running in the second half: a leak shows when it runs for long.
    let mut halfway = None;
    while start.elapsed() < length {
        let leave_host = start.elapsed() > length / 2;
        if leave_host && halfway.is_none() {
            halfway = Some((tally.rounds, site.host.resident_kilobytes()?));
        }
        tally.rounds += 1;
        let (began, mut round) = (now(), Round::default());
        let compared = play(site, &mut random, &mut round, &mut tally, leave_host, &mut remediations).await;
        let compared = compared.with_context(|| format!("round {}\n{}", tally.rounds, told(&round)))?;
        println!(
            "round {:>3} after {:>4} s: {} changes, faults {:?}, {compared} compared, equal after {:.1} s; host {} MB",
            tally.rounds,
            start.elapsed().as_secs(),
            round.changes.len(),
            round.faults,
            began.elapsed().as_secs_f32(),
            site.host.resident_kilobytes()? / 1024,
        );
    }
    let (since, half) = halfway.unwrap_or((0, memory));
    println!("{} rounds in {} s, every one equal to a fresh evaluation", tally.rounds, start.elapsed().as_secs());
    println!("changes: {:?}", tally.changes);
    println!("faults: {:?}, {} writes refused", tally.faults, site.proxy.rules.refused());
    println!(
        "{} evaluations by the host, {} fresh ones, {} conditions and status fields compared, {} remediations, none twice",
        site.evaluations().await,
        tally.fresh,
        tally.compared,
        remediations.done,
    );
    let end = site.host.resident_kilobytes()?;
    println!(
        "resident memory of the host: {memory} kB at the start, {half} kB after round {since}, {end} kB at the end"
    );
    site.host.stop().await
}

/// Changes and faults, then quiet: what was compared.
async fn play(
    site: &mut Site,
    random: &mut Random,
    round: &mut Round,
    tally: &mut Tally,
    leave_host: bool,
    remediations: &mut Remediations,
) -> Result<usize> {
    let steps = 4 + random.below(6);
    for _ in 0..steps {
        if random.one_in(4) {
            let fault = *random.pick(site::FAULTS).context("no fault")?;
            let ends_host = matches!(fault, Fault::HostKilled | Fault::HostStopped);
            if !(ends_host && leave_host) {
                round.faults.push(fault);
                *tally.faults.entry(fault).or_default() += 1;
                site.break_something(fault, random).await.with_context(|| format!("{fault:?}"))?;
                if ends_host {
                    change(site, random, round, tally, true).await?;
                    site.start_host()?;
                }
            }
        }
        change(site, random, round, tally, false).await?;
        if random.one_in(2) {
            busy(site).await;
        }
    }
    site.refuse(0);
    let compared = settled(site, tally).await?;
    remediations.check(&site.proxy.rules.done(), &round.changes)?;
    for fleet in &site.fleets {
        eventually("what is left over goes", within(CHANGED_WITHIN), async || Ok(Some(change::sweep(fleet).await?)))
            .await?;
    }
    Ok(compared)
}

/// Makes one change, of a kind that can be made just now.
async fn change(
    site: &mut Site,
    random: &mut Random,
    round: &mut Round,
    tally: &mut Tally,
    host_gone: bool,
) -> Result<()> {
    loop {
        let kind = *random.pick(change::KINDS).context("no change")?;
        let fleet = random.pick(&site.fleets).context("no cluster")?.clone();
        let dice = Random::new(random.next());
        let made = if kind == Kind::PolicySwapped {
            if host_gone {
                continue;
            }
            Some(Change { kind, cluster: String::new(), what: site.swap_policy().await?.to_owned() })
        } else {
            eventually(&format!("{kind:?}"), within(CHANGED_WITHIN), async || {
                Ok(Some(change::make(kind, &fleet, &mut dice.clone()).await?))
            })
            .await?
        };
        if let Some(made) = made {
            *tally.changes.entry(kind).or_default() += 1;
            round.changes.push(made);
            return Ok(());
        }
    }
}

/// Waits until the host has written something, if it has anything to write.
async fn busy(site: &Site) {
    let before = site.proxy.rules.done().len();
    let wrote =
        eventually("the host writes", BUSY_WITHIN, async || Ok((site.proxy.rules.done().len() > before).then_some(())));
    // Not every change is one that it has a word about.
    let _ = wrote.await;
}

/// Waits until nothing moves any more and everything stored is what a fresh evaluation decides: how much that was.
async fn settled(site: &Site, tally: &mut Tally) -> Result<usize> {
    let clusters: Vec<String> = site.fleets.iter().map(|fleet| fleet.name.clone()).collect();
    let (mut last, mut different) = (Vec::new(), Vec::new());
    let wait = eventually("everything is as a fresh evaluation decides it", within(SETTLED_WITHIN), async || {
        let compared = fresh::compare(&site.kube, &site.plane.kubeconfig, site.plane.directory(), &clusters).await?;
        let Some(compared) = compared else { return Ok(None) };
        tally.fresh += compared.evaluations;
        different.clone_from(&compared.differences);
        if !different.is_empty() {
            last.clear();
            return Ok(None);
        }
        let told = site.host.differences().await?["differences"] == json!([]);
        // Twice the same: an equality may be one of a moment.
        let quiet = std::mem::replace(&mut last, compared.versions.clone()) == compared.versions;
        Ok((told && quiet).then_some(compared.compared))
    });
    match wait.await {
        Ok(compared) => {
            tally.compared += compared;
            Ok(compared)
        }
        Err(error) => bail!("{error:#}\n{}", different.join("\n")),
    }
}

fn told(round: &Round) -> String {
    let changes =
        round.changes.iter().map(|change| format!("  {:?} {} {}\n", change.kind, change.cluster, change.what));
    format!("faults {:?}, changes:\n{}", round.faults, changes.collect::<String>())
}

#[allow(clippy::disallowed_methods, reason = "another run, other choices")]
fn any_seed() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |since| since.as_secs())
}
