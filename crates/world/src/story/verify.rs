//! The static tier: what is known of stories before a browser runs. The constraints of a file and the expected events of
//! each story are explored as one program; what can never happen is a fault of the file.
//!
//! A page is an environment that may report any event at any time: only what no page could do is refused.

use policy::program::{
    Event, ExplorationLimits, Pattern, Program, Property, Steps, Sync, Thread, ThreadBody,
    alphabet, verify,
};
use policy::structure::LeverLimit;

use super::constraints::Constraints;
use super::problem::StoryProblem;
use super::{Action, Story};

/// Most constraints of a file.
const MOST_CONSTRAINTS: usize = 200;
/// Most states and transitions of one exploration.
const LIMITS: ExplorationLimits =
    ExplorationLimits { states: 10_000, edges: 50_000, choice: policy::program::Choice::Priority };
/// Most transitions of all explorations of a file.
const MOST_EDGES: usize = 500_000;

/// The result of the static tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StaticVerdict {
    /// Constraints of the file.
    pub(crate) constraints: usize,
    /// Sequences of events that were shown to be possible.
    pub(crate) possible: usize,
    /// States that were explored for them.
    pub(crate) states: usize,
}

/// A sequence of events that some page must be able to report.
struct Promise {
    line: usize,
    events: Vec<Pattern>,
}

/// A fault with its line.
type Misplaced = (usize, StoryProblem);

/// Verifies the constraints of a file, and that each of its stories can pass with them.
pub(super) fn verified(
    constraints: &Constraints,
    stories: &[Story],
) -> Result<StaticVerdict, Misplaced> {
    let Constraints { structure, lines } = constraints;
    let threads = structure.threads();
    if threads.len() > MOST_CONSTRAINTS {
        let problem = StoryProblem::TooMany { what: "constraints", most: MOST_CONSTRAINTS };
        return Err((1, problem));
    }
    if let Some(misfit) = structure.misfits().into_iter().next() {
        let line = lines.get(&misfit.constraint).copied().unwrap_or(1);
        let problem = StoryProblem::Constraint { name: misfit.constraint, reason: misfit.reason };
        return Err((line, problem));
    }
    if let Err(error) = Program::new(threads.clone()) {
        let problem = StoryProblem::Constraints { reason: error.to_string() };
        return Err((1, problem));
    }
    let mut verdict = StaticVerdict { constraints: threads.len(), ..StaticVerdict::default() };
    let mut left = MOST_EDGES;
    for promise in promises(constraints) {
        check(&threads, &promise, (&mut verdict, &mut left))?;
    }
    for story in stories {
        let (blocking, promises) = expected(story);
        let all: Vec<Thread> = threads.iter().cloned().chain(blocking).collect();
        for promise in promises {
            check(&all, &promise, (&mut verdict, &mut left))?;
        }
    }
    Ok(verdict)
}

/// The promises of the constraints themselves.
fn promises(constraints: &Constraints) -> Vec<Promise> {
    let mut all = Vec::new();
    let Constraints { structure, lines } = constraints;
    let mut add = |name: &String, events: Vec<Pattern>| {
        all.push(Promise { line: lines.get(name).copied().unwrap_or(1), events });
    };
    for it in &structure.object {
        for used in &it.is.used_by {
            add(&it.name, it.is.made_by.first().into_iter().chain([used]).cloned().collect());
        }
    }
    for it in &structure.channel {
        add(&it.name, vec![Pattern::named(&it.is.event)]);
    }
    for it in &structure.lever {
        let opened = match &it.is.limit {
            LeverLimit::After { opens, .. } => opens.first().cloned(),
            _ => None,
        };
        add(&it.name, opened.into_iter().chain([Pattern::named(&it.is.event)]).collect());
    }
    for it in &structure.loops {
        add(&it.name, vec![it.is.action.clone(), it.is.response.clone()]);
    }
    for it in &structure.block {
        add(&it.name, it.is.order.clone());
    }
    all
}

/// The threads of a story that block events until its end, and the sequences that it expects.
fn expected(story: &Story) -> (Vec<Thread>, Vec<Promise>) {
    let (mut blocking, mut promises) = (Vec::new(), Vec::new());
    for step in &story.play {
        let Action::ExpectPage(expected) = &step.action else { continue };
        for thread in expected.events.iter().flat_map(|it| it.threads()) {
            let ThreadBody::Steps(steps) = &thread.body else { continue };
            let syncs = steps.steps.iter();
            if syncs.clone().any(|sync| !sync.block.is_empty()) {
                let priority = u32::MAX / 2 + blocking.len() as u32;
                let name = format!("{} of line {}", thread.name, step.line);
                blocking.push(Thread { name, priority, ..thread.clone() });
            }
            let events: Vec<Pattern> = syncs.flat_map(|it| it.wait.iter().cloned()).collect();
            if !events.is_empty() {
                promises.push(Promise { line: step.line, events });
            }
        }
    }
    (blocking, promises)
}

/// Explores whether some page can report a sequence of events, with the threads that concern it.
fn check(
    threads: &[Thread],
    promise: &Promise,
    (verdict, left): (&mut StaticVerdict, &mut usize),
) -> Result<(), Misplaced> {
    const DONE: &str = "#done";
    let related = related(threads, &promise.events);
    let wait = |pattern: &Pattern| Sync { wait: vec![pattern.clone()], ..Sync::default() };
    let mut steps: Vec<Sync> = promise.events.iter().map(wait).collect();
    steps.push(Sync { request: vec![Event::new(DONE)], ..Sync::default() });
    let follower = Thread {
        name: DONE.to_owned(),
        priority: 0,
        because: String::new(),
        body: ThreadBody::Steps(Steps { steps, ..Steps::default() }),
    };
    let names: Vec<String> = related.iter().map(|it| format!("`{}`", it.name)).collect();
    let fault = |problem| (promise.line, problem);
    let program = Program::new(related.into_iter().cloned().chain([follower]).collect())
        .map_err(|error| fault(StoryProblem::Constraints { reason: error.to_string() }))?;
    let (events, is_whole) = alphabet(&program);
    let limits = ExplorationLimits { edges: LIMITS.edges.min(*left), ..LIMITS };
    let possible = Property::Possible(Pattern::named(DONE));
    let report = verify(&program, &events, &[possible], limits);
    *left = left.saturating_sub(report.edges);
    verdict.possible += 1;
    verdict.states += report.states;
    if !is_whole || !report.complete {
        return Err(fault(StoryProblem::Unexplored { states: report.states }));
    }
    match report.is_verified() {
        true => Ok(()),
        false => {
            let events: Vec<String> = promise.events.iter().map(|it| format!("`{it}`")).collect();
            let (events, by) = (events.join(", then "), names.join(", "));
            Err(fault(StoryProblem::Impossible { events, by }))
        }
    }
}

/// The threads that concern some events: those that name one of them, and then those that name an event of these.
fn related<'t>(threads: &'t [Thread], events: &[Pattern]) -> Vec<&'t Thread> {
    let mut names: Vec<&str> = events.iter().map(Pattern::name).collect();
    let mut rest: Vec<&Thread> = threads.iter().collect();
    let mut found = Vec::new();
    loop {
        let concerns =
            |thread: &&Thread| thread.patterns().iter().any(|it| names.contains(&it.name()));
        let (more, others): (Vec<&Thread>, Vec<&Thread>) = rest.into_iter().partition(concerns);
        if more.is_empty() {
            return found;
        }
        for thread in &more {
            names.extend(thread.patterns().iter().map(|it| it.name()));
        }
        found.extend(more);
        rest = others;
    }
}
