//! What of a structure does not fit: compared at once ([`Structure::misfits`]), and explored
//! ([`Structure::verify`]).

use std::fmt;
use std::sync::Arc;

use base::{SortedMap, SortedSet};
use serde::Serialize;

use super::{Annotated, Block, Channel, LeverLimit, Object, Payload, Structure};
use crate::program::{
    Event, ExplorationLimits, ExplorationReport, Program, ProgramError, Property,
    PropertyViolation, Run, Thread, verify,
};

/// A constraint that the program or the other constraints contradict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Misfit {
    /// Name of the constraint.
    pub constraint: String,
    /// What it annotates.
    pub at: String,
    /// What does not fit.
    pub reason: String,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of {}: {}", self.constraint, self.at, self.reason)
    }
}

/// The result of [`Structure::verify`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StructureReport {
    /// What the exploration found.
    pub report: ExplorationReport,
    /// Violated promises with their constraints.
    pub violations: Vec<StructureViolation>,
    /// What does not fit.
    pub misfits: Vec<Misfit>,
}

/// A run that violates a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StructureViolation {
    /// Name of the constraint; empty where threads block each other.
    pub constraint: String,
    /// What it annotates.
    pub at: String,
    /// The promise, as a sentence.
    pub property: String,
    /// Events from the beginning.
    pub trace: Vec<Event>,
}

impl StructureReport {
    /// Whether everything fits and every promise is kept in every state.
    pub fn is_verified(&self) -> bool {
        self.misfits.is_empty() && self.report.is_verified()
    }
}

impl Structure {
    /// Explores the threads of the structure, in an environment that may offer these events.
    ///
    /// # Errors
    /// Names or priorities that collide.
    pub fn verify(
        &self,
        external: &[Event],
        limits: ExplorationLimits,
    ) -> Result<StructureReport, ProgramError> {
        let program = Program::new(self.threads())?;
        let constraints = self.constraints();
        let promises: Vec<(usize, Property)> = constraints
            .iter()
            .enumerate()
            .flat_map(|(at, it)| it.is.properties().into_iter().map(move |property| (at, property)))
            .collect();
        let mut properties: Vec<Property> = promises.iter().map(|it| it.1.clone()).collect();
        properties.push(Property::NoDeadlock);
        // One at a time: a run is not continued after a violation of another.
        let mut report = verify(&program, external, &properties[promises.len()..], limits);
        let mut violations = Vec::new();
        for deadlock in &report.violations {
            violations.extend(self.stuck(&program, deadlock));
        }
        for (at, property) in &promises {
            let own = verify(&program, external, std::slice::from_ref(property), limits);
            report.complete &= own.complete;
            report.states = report.states.max(own.states);
            report.edges = report.edges.max(own.edges);
            violations.extend(own.violations.iter().map(|violation| StructureViolation {
                constraint: constraints[*at].name.to_owned(),
                at: constraints[*at].at.to_owned(),
                property: violation.property.clone(),
                trace: violation.trace.clone(),
            }));
            report.properties.extend(own.properties);
            report.violations.extend(own.violations);
        }
        Ok(StructureReport { report, violations, misfits: self.misfits() })
    }

    /// The constraints that block the requests at the end of a run; one without a name where threads block
    /// each other.
    fn stuck(&self, program: &Program, deadlock: &PropertyViolation) -> Vec<StructureViolation> {
        let mut run = Run::new(Arc::new(program.clone()));
        // The trace is one of this program.
        let is_there = run.replay(&deadlock.trace).is_ok();
        let requested = if is_there { run.snapshot().requested } else { Vec::new() };
        let blockers: SortedSet<&str> = requested
            .iter()
            .flat_map(|it| &it.blocked_by)
            .map(|blocker| blocker.thread.as_str())
            .collect();
        let violation = |constraint: &str, at: &str| StructureViolation {
            constraint: constraint.to_owned(),
            at: at.to_owned(),
            property: deadlock.property.clone(),
            trace: deadlock.trace.clone(),
        };
        let own = self.constraints().into_iter().filter(|it| blockers.contains(it.name));
        let own: Vec<StructureViolation> = own.map(|it| violation(it.name, it.at)).collect();
        if own.is_empty() { vec![violation("", "")] } else { own }
    }

    /// What contradicts the threads or the other constraints.
    pub fn misfits(&self) -> Vec<Misfit> {
        let mut all = Vec::new();
        let threads = self.threads();
        for it in &self.object {
            all.extend(it.is.misfit(self).map(|reason| misfit(it, reason)));
        }
        for it in &self.channel {
            all.extend(it.is.misfits(&self.thread).into_iter().map(|reason| misfit(it, reason)));
        }
        for it in &self.lever {
            if let LeverLimit::Range { least: Some(least), most: Some(most), .. } = it.is.limit
                && least > most
            {
                all.push(misfit(it, format!("no number is from {least} to {most}")));
            }
        }
        for it in &self.block {
            all.extend(it.is.misfits(&threads).into_iter().map(|reason| misfit(it, reason)));
        }
        all
    }
}

fn misfit<T>(it: &Annotated<T>, reason: String) -> Misfit {
    Misfit { constraint: it.name.clone(), at: it.at.clone(), reason }
}

impl Object {
    /// Whether the objects that it is a part of exist and do not contain each other.
    fn misfit(&self, structure: &Structure) -> Option<String> {
        let all: SortedMap<&str, &Object> =
            structure.object.iter().map(|it| (it.name.as_str(), &it.is)).collect();
        let mut seen = SortedSet::new();
        let mut within = self.within.as_deref();
        while let Some(name) = within {
            if !seen.insert(name) {
                return Some(format!("`{name}` contains itself"));
            }
            let Some(object) = all.get(name) else {
                return Some(format!("there is no object `{name}`"));
            };
            within = object.within.as_deref();
        }
        None
    }
}

impl Channel {
    /// Threads that send without being senders, and payloads that it does not take.
    fn misfits(&self, threads: &[Thread]) -> Vec<String> {
        let mut all = Vec::new();
        if let Payload::Number(range) = &self.payload
            && let (Some(least), Some(most)) = (range.least, range.most)
            && least > most
        {
            all.push(format!("no number is from {least} to {most}"));
        }
        let Some(from) = &self.from else { return all };
        for name in from.iter().filter(|name| !threads.iter().any(|it| it.name == **name)) {
            all.push(format!("there is no thread `{name}`"));
        }
        for thread in threads.iter().filter(|it| !from.contains(&it.name)) {
            let sent = thread.requests().filter(|event| event.name == self.event);
            all.extend(
                sent.map(|event| format!("thread `{}` may not send `{event}`", thread.name)),
            );
        }
        all
    }
}

impl Block {
    /// What its threads request or block beyond what it declares.
    fn misfits(&self, threads: &[Thread]) -> Vec<String> {
        let mut all = Vec::new();
        for name in &self.threads {
            let Some(thread) = threads.iter().find(|it| it.name == *name) else {
                all.push(format!("there is no thread `{name}`"));
                continue;
            };
            let foreign = |event: &&Event| !self.requests.iter().any(|it| it.matches(event));
            let requested = thread.requests().filter(foreign);
            all.extend(requested.map(|event| format!("thread `{name}` may not request `{event}`")));
            let blocked = thread.blocked().into_iter();
            let blocked = blocked.filter(|it| !self.blocks.iter().any(|known| known == it.name()));
            all.extend(blocked.map(|event| format!("thread `{name}` may not block `{event}`")));
        }
        all
    }
}
