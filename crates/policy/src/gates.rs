//! [`Policy`]: the threads of the gate, those shipped and those that a user adds.
//!
//! The evidence of a change becomes events (`events.rs`): what was proposed, checked, tested and counted.
//! The threads decide: a shipped one for each rule (`requirements.rs`), with the numbers and rungs of the
//! settings in the event that opens it. Threads of users run beside them; since an event happens only if *no*
//! thread blocks it, they can only tighten the gate, as long as they do not forge events of the engine,
//! which [`Policy::of`] refuses.

use std::sync::Arc;

use crate::GateRules;
use crate::events::{APPLY, VOCABULARY, samples};
use crate::program::{
    Blocker, Event, ExplorationLimits, ExplorationReport, Offered, Pattern, Program, ProgramError,
    Property, Run, Thread, verify,
};
use crate::requirements::{Requirement, requirements};
use crate::structure::Structure;
use base::SortedSet;

/// Most events that follow from one; more is a program that does not end.
const BUDGET: u64 = 1_000;
/// Maximum number of threads of a file: each is asked at each event.
const MAX_THREADS: usize = 200;

/// The threads of the gate under rules, and those of users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    program: Arc<Program>,
    /// Conditions that must precede `apply`, whatever the threads are.
    properties: Vec<(&'static str, Property)>,
}

/// An event, or a field of one, that graftage never reports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnknownEvent {
    /// Name of the event.
    pub event: String,
    /// Name of the field; `None`: there is no such event.
    pub field: Option<String>,
}

/// Why threads of a user are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// A text is no policy.
    #[error("{0}")]
    Text(String),
    /// Names or priorities collide.
    #[error("{0}")]
    Threads(#[from] ProgramError),
    /// A thread requests or blocks what only graftage reports, and so could loosen the gate.
    #[error(
        "thread `{thread}` {verb} `{event}`, which only graftage may report; a policy may wait for \
         any event and block `apply`"
    )]
    Loosens {
        /// The thread.
        thread: String,
        /// `requests` or `blocks`.
        verb: &'static str,
        /// The event.
        event: String,
    },
    /// Events follow each other without end.
    #[error("the threads never come to rest: {0}")]
    Endless(String),
}

impl Policy {
    /// The threads that graftage ships, as these rules set them, beside those that the rules add.
    pub fn of(rules: &GateRules) -> Result<Policy, PolicyError> {
        rules.threads.iter().try_for_each(only_tightens)?;
        let shipped = requirements(rules).map(|it| it.thread(rules));
        let program = Program::new(shipped.chain(rules.threads.iter().cloned()).collect())?;
        let properties = requirements(rules).map(|it| (it.rule, only_after(it, rules)));
        Ok(Policy { program: Arc::new(program), properties: properties.collect() })
    }

    /// Whether a thread is one of those that graftage ships.
    pub fn is_shipped(thread: &Thread) -> bool {
        Requirement::named(&thread.name).is_some()
    }

    /// Threads in the text form of a policy: `[[thread]]`, and constraints (`[[lever]]`, `[[loop]]`, …)
    /// with the thread of each.
    pub fn threads_of(text: &str) -> Result<Vec<Thread>, PolicyError> {
        let structure: Structure =
            toml::from_str(text).map_err(|error| PolicyError::Text(error.to_string()))?;
        if let Some(misfit) = structure.misfits().first() {
            return Err(PolicyError::Text(misfit.to_string()));
        }
        let threads = structure.threads();
        if threads.len() > MAX_THREADS {
            let reason = format!("it has {} threads; at most {MAX_THREADS} fit", threads.len());
            return Err(PolicyError::Text(reason));
        }
        Ok(Program::new(threads)?.threads().to_vec())
    }

    /// All threads, in order of priority.
    pub fn threads(&self) -> &[Thread] {
        self.program.threads()
    }

    /// The policy without one thread: for showing what the thread is there for.
    #[cfg(test)]
    pub(crate) fn without(&self, name: &str) -> Policy {
        Policy { program: Arc::new(self.program.without(name)), ..self.clone() }
    }

    /// The threads that block `apply` after these events.
    pub(crate) fn blockers(
        &self,
        events: &[Event],
        apply: Event,
    ) -> Result<Vec<Blocker>, PolicyError> {
        let mut run = Run::new(Arc::clone(&self.program));
        let endless = |error: crate::program::RunError| PolicyError::Endless(error.to_string());
        run.run(BUDGET, &mut |_| {}).map_err(endless)?;
        for event in events {
            run.offer(event.clone(), BUDGET, &mut |_| {}).map_err(endless)?;
        }
        match run.offer(apply, BUDGET, &mut |_| {}).map_err(endless)? {
            Offered::Selected => Ok(Vec::new()),
            Offered::Blocked(blockers) => Ok(blockers),
        }
    }

    /// Explores the whole state space: no change is applied that breaks a rule of the gate, and
    /// some change can be applied.
    pub fn verify(&self) -> ExplorationReport {
        let (samples, is_complete) = samples(&self.program);
        let mut properties: Vec<Property> =
            self.properties.iter().map(|(_, property)| property.clone()).collect();
        properties.push(Property::NoDeadlock);
        properties.push(Property::NoHotEnd);
        properties.push(Property::Possible(Pattern::named(APPLY)));
        let mut report = verify(&self.program, &samples, &properties, ExplorationLimits::default());
        report.complete &= is_complete;
        report
    }

    /// Whether a report has verified that nothing is applied against one rule of the gate.
    pub fn holds(&self, rule: &str, report: &ExplorationReport) -> bool {
        let property = self.properties.iter().find(|(name, _)| *name == rule);
        report.complete
            && property.is_some_and(|(_, property)| {
                let words = property.words();
                report.properties.contains(&words)
                    && !report.violations.iter().any(|it| it.property == words)
            })
    }

    /// The events that graftage reports, in the order of a change: `checked errors (number)`.
    pub fn events() -> Vec<String> {
        VOCABULARY.iter().map(ToString::to_string).collect()
    }

    /// Events in patterns that graftage never reports, and fields that it never reports of an event: a
    /// misspelt gate never opens.
    pub fn unknown_events(&self) -> Vec<UnknownEvent> {
        let requested: Vec<&Event> = self.threads().iter().flat_map(Thread::requests).collect();
        let is_requested = |pattern: &Pattern| requested.iter().any(|it| it.name == pattern.name());
        let mut unknown = SortedSet::new();
        for pattern in self.threads().iter().flat_map(Thread::patterns) {
            match VOCABULARY.iter().find(|it| it.name == pattern.name()) {
                None if is_requested(pattern) => {}
                None => {
                    unknown.insert(UnknownEvent { event: pattern.name().to_owned(), field: None });
                }
                Some(word) => {
                    let fields = pattern.fields().filter(|it| !word.has(it));
                    unknown.extend(fields.map(|field| UnknownEvent {
                        event: word.name.to_owned(),
                        field: Some(field.to_owned()),
                    }));
                }
            }
        }
        unknown.into_iter().collect()
    }
}

/// Refuses a thread that requests an event of graftage, or blocks one other than `apply`: it could make
/// a gate open or stay open.
fn only_tightens(thread: &Thread) -> Result<(), PolicyError> {
    let is_engines = |name: &str| VOCABULARY.iter().any(|it| it.name == name);
    let loosens = |verb, event: String| {
        Err(PolicyError::Loosens { thread: thread.name.clone(), verb, event })
    };
    if let Some(event) = thread.requests().find(|event| is_engines(&event.name)) {
        return loosens("requests", event.to_string());
    }
    let is_other = |pattern: &&Pattern| is_engines(pattern.name()) && pattern.name() != APPLY;
    match thread.blocked().into_iter().find(is_other) {
        Some(pattern) => loosens("blocks", pattern.to_string()),
        None => Ok(()),
    }
}

/// Property of the gate, whatever its threads are: `apply` only after the event of a rule.
fn only_after(requirement: &Requirement, rules: &GateRules) -> Property {
    Property::OnlyAfter {
        event: Pattern::named(APPLY),
        after: requirement.opened_by(rules),
        until: requirement.closed_by(),
    }
}
