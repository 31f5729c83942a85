//! `world rewards`: the rewards of a run of stories, and two runs beside each other.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;
use world::{Ranking, StoryFilter, StoryPlay, Trajectory, TrajectoryStats};

use crate::args_world::WorldRewards;
use crate::exit::{Failure, Status};
use crate::output::{self, BAD, BOLD, GOOD, paint};
use crate::session::{Session, read_request};

pub(crate) fn run(session: &Session, args: &WorldRewards) -> Result<Status, Failure> {
    let first = read(&args.run, args)?;
    let Some(other) = &args.other else {
        if args.lines {
            let lines = first.plays.iter().map(|it| format!("{}\n", it.line));
            output::say(&lines.collect::<String>())?;
        } else if session.global.json {
            output::json(&first.stats())?;
        } else {
            output::say(&numbers(&first.stats()))?;
        }
        return Ok(Status::Done);
    };
    let second = read(other, args)?;
    let ranking = first.ranked(&second);
    if session.global.json {
        let stats = [first.stats(), second.stats()];
        output::json(&json!({ "runs": stats, "ranking": ranking }))?;
    } else {
        output::say(&compared(&ranking))?;
    }
    Ok(if ranking.sums.0 > ranking.sums.1 { Status::Done } else { Status::No })
}

fn read(path: &Path, args: &WorldRewards) -> Result<Trajectory, Failure> {
    let mut run = Trajectory::parse(&read_request(path)?).map_err(|error| {
        let message = format!("`{}` is no trajectory: {error}", path.display());
        Failure::input(message, "`graftage world test --trajectory FILE` writes one")
    })?;
    let filter = args.filter.clone().map(StoryFilter::Contains);
    run.plays.retain(|it: &StoryPlay| {
        filter.as_ref().is_none_or(|filter| filter.takes(&it.file, &it.name))
            && it.reward >= args.least
            && !(args.failed && it.passed)
    });
    Ok(run)
}

fn numbers(stats: &TrajectoryStats) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "plays          {}, {} passed", stats.plays, stats.passed);
    let _ = writeln!(
        text,
        "reward         mean {}, least {}, greatest {}",
        share(stats.mean.into()),
        share(stats.least.into()),
        share(stats.most.into())
    );
    let (held, all) = (stats.assertions_passed, stats.assertions);
    let _ = writeln!(text, "expectations   {held} of {all} held, in {} steps", stats.steps);
    let (held, all) = (stats.accessible, stats.with_accessibility);
    let _ = writeln!(text, "accessibility  {held} of {all} held");
    let _ = writeln!(text, "closed gates   {}", stats.closed_gates);
    text
}

fn compared(ranking: &Ranking) -> String {
    let mut text = String::new();
    let (first, second) = ranking.sums;
    let verdict = match first.cmp(&second) {
        std::cmp::Ordering::Greater => paint(GOOD, "the first run is better"),
        std::cmp::Ordering::Less => paint(BAD, "the second run is better"),
        std::cmp::Ordering::Equal => paint(BOLD, "the runs are equal"),
    };
    let _ = writeln!(text, "{verdict}: {} and {}", share(first), share(second));
    for (which, stories) in [("first", &ranking.first), ("second", &ranking.second)] {
        for story in stories {
            let _ = writeln!(text, "  better in the {which}: {}", output::safe(story));
        }
    }
    let _ = writeln!(text, "  the same: {}", ranking.same);
    text
}

/// Thousandths as a number.
fn share(thousandths: u64) -> String {
    format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000)
}
