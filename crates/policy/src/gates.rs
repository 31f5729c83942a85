//! [`Policy`]: the threads of the gate, those shipped and those that a user adds.
//!
//! The evidence of a change becomes events (`events.rs`): what was proposed, checked and tested, and
//! for each rule whether it is kept. The shipped threads (`policy.toml`) block `apply` until all
//! rules are kept. Threads of users run beside them; since an event happens only if *no* thread
//! blocks it, they can only tighten the gate, as long as they do not forge events of the engine,
//! which [`Policy::with`] refuses.

use std::sync::{Arc, LazyLock};

use crate::events::{APPLY, VOCABULARY, samples};
use crate::program::{
    Blocker, Event, Limits, Offered, Pattern, Program, ProgramError, Property, Report, Run, Thread,
    verify,
};
use crate::protected::PROTECTED_FILE;
use crate::structure::Structure;
use base::SortedSet;

/// The text of the shipped policy.
pub(crate) const SHIPPED: &str = include_str!("../policy.toml");

/// The rules of the gate, each with a thread of its name.
pub(crate) const RULES: [&str; 8] =
    ["compile", "compiled", "tests", "preservation", "files", PROTECTED_FILE, "size", "public-api"];

/// Most events that follow from one; more is a program that does not end.
const BUDGET: u64 = 1_000;
/// Maximum number of threads of a file: each is asked at each event.
const MAX_THREADS: usize = 200;

static POLICY: LazyLock<Result<Policy, toml::de::Error>> = LazyLock::new(|| {
    let program: Program = toml::from_str(SHIPPED)?;
    Ok(Policy { program: Arc::new(program) })
});

/// A set of gate threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    program: Arc<Program>,
}

/// Why threads of a user are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// The shipped policy cannot be read.
    #[error("the shipped policy is damaged: {0}")]
    Shipped(String),
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
    /// The shipped policy.
    pub fn shipped() -> Result<&'static Policy, PolicyError> {
        POLICY.as_ref().map_err(|error| PolicyError::Shipped(error.to_string()))
    }

    /// The shipped policy with threads of a user.
    pub fn tightened_by(threads: &[Thread]) -> Result<Policy, PolicyError> {
        Self::shipped()?.with(threads)
    }

    /// The policy with threads of a user.
    pub(crate) fn with(&self, threads: &[Thread]) -> Result<Policy, PolicyError> {
        threads.iter().try_for_each(only_tightens)?;
        let program = self.program.with(threads.iter().cloned())?;
        Ok(Policy { program: Arc::new(program) })
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
        Policy { program: Arc::new(self.program.without(name)) }
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
    pub fn verify(&self) -> Report {
        let (samples, is_complete) = samples(&self.program);
        let mut report = verify(&self.program, &samples, &properties(), Limits::default());
        report.complete &= is_complete;
        report
    }

    /// The events that graftage reports, in the order of a change: `checked errors (number)`.
    pub fn events() -> Vec<String> {
        VOCABULARY.iter().map(ToString::to_string).collect()
    }

    /// Names of events in patterns that graftage never reports: a misspelt gate never opens.
    pub fn unknown_events(&self) -> Vec<String> {
        let requested = self.threads().iter().flat_map(Thread::requests);
        let requested: SortedSet<&str> = requested.map(|it| it.name.as_str()).collect();
        let known =
            |name: &str| VOCABULARY.iter().any(|it| it.name == name) || requested.contains(name);
        let patterns = self.threads().iter().flat_map(Thread::patterns);
        let unknown: SortedSet<&str> =
            patterns.map(Pattern::name).filter(|name| !known(name)).collect();
        unknown.into_iter().map(str::to_owned).collect()
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

/// What must hold of the gate, whatever its threads are.
fn properties() -> Vec<Property> {
    let apply = Pattern::named(APPLY);
    let only_after = |rule: &&str| Property::OnlyAfter {
        event: apply.clone(),
        after: Pattern::is(rule, "kept", true),
        until: ["proposed", "applied", rule].map(Pattern::named).to_vec(),
    };
    let mut all: Vec<Property> = RULES.iter().map(only_after).collect();
    all.push(Property::NoDeadlock);
    all.push(Property::NoHotEnd);
    all.push(Property::Possible(apply));
    all
}
