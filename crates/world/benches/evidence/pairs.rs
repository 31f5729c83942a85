//! 100 pairs of a good and a worse page. The worse one has one more planted fault: one against none, and two against
//! one of them.

use graftage_world::{Trajectory, WorldReport, trajectory};

use crate::fault_table::FAULTS;
use crate::{Pages, World};

/// Pairs of a page with one fault and the same page with two.
const DOUBLE: usize = 40;

pub(crate) fn run(world: &mut World) {
    let whole = rewards(&play(world, &Pages::of("todo")));
    println!(
        "the whole page: mean reward {} of {} stories",
        whole.stats().mean,
        whole.stats().plays
    );
    let (mut pairs, mut ranked, mut at) = (0, 0, Vec::new());
    let mut compare = |better: &Trajectory, worse: &Trajectory, what: String| {
        pairs += 1;
        let ranking = better.ranked(worse);
        let is_right = ranking.sums.0 > ranking.sums.1;
        ranked += usize::from(is_right);
        if !is_right {
            println!("wrong: {what}: {:?}", ranking.sums);
        }
        is_right
    };
    let mut single = Vec::new();
    for (idx, fault) in FAULTS.iter().enumerate() {
        let Some(pages) = with_fault(&Pages::of("todo"), fault) else { continue };
        let worse = rewards(&play(world, &pages));
        compare(&whole, &worse, format!("{fault:?}"));
        single.push((idx, pages, worse));
    }
    // The second fault concerns a story that passes with the first.
    for (idx, pages, better) in &single {
        let passes = |name: &str| better.plays.iter().any(|it| it.name == name && it.passed);
        let second = (1..FAULTS.len()).map(|by| &FAULTS[(idx + by * 7) % FAULTS.len()]);
        let second = second.filter(|it| passes(it.3));
        let Some((fault, both)) = second.filter_map(|it| Some((it, with_fault(pages, it)?))).next()
        else {
            continue;
        };
        at.push((*idx, fault, both));
        if at.len() == DOUBLE {
            break;
        }
    }
    for (idx, fault, both) in at {
        let Some((_, _, better)) = single.iter().find(|it| it.0 == idx) else { continue };
        let worse = rewards(&play(world, &both));
        compare(better, &worse, format!("{:?} and {fault:?}", FAULTS[idx]));
    }
    println!("{pairs} pairs, {ranked} ranked rightly");
}

/// The page with one more fault; `None` where its text is not there once.
fn with_fault(pages: &Pages, fault: &(&str, &str, &str, &str)) -> Option<Pages> {
    let (file, from, to, _) = *fault;
    let text = pages.text(file);
    let is_once = text.matches(from).count() == 1;
    let mut pages = pages.clone();
    pages.0.insert(file.to_owned(), text.replace(from, to).into_bytes());
    is_once.then_some(pages)
}

fn play(world: &mut World, pages: &Pages) -> WorldReport {
    let text = pages.text("todo.toml").replace("timeout_ms = 1500\n", "");
    let text = text.replace("[[story]]", "[[story]]\ntimeout_ms = 1000");
    world.play(pages, "todo.toml", &text, false)
}

/// The rewards as a reader of the trajectory has them.
fn rewards(report: &WorldReport) -> Trajectory {
    let results: Vec<_> = report.stories.iter().collect();
    Trajectory::parse(&trajectory(&results).unwrap()).unwrap()
}
