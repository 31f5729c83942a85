//! [`verify()`]: explores every state that a program can reach, and compares it with properties.
//!
//! A state is the position of each thread and what each property remembers; a state is explored
//! once, however many runs lead to it. Between two requests the environment may offer any of the given
//! events. Search is breadth-first, so that a counter-example is as short as any.

use std::collections::HashMap;

use serde::Serialize;

use super::property::Memory;
use super::run::Choice;
use super::{Event, Program, Property, ThreadPosition};

/// Limits of an exploration.
#[derive(Clone, Copy, Debug)]
pub struct ExplorationLimits {
    /// Most states.
    pub states: usize,
    /// Most transitions; they cost the time and the states the memory.
    pub edges: usize,
    /// Which requests may happen.
    pub choice: Choice,
}

impl Default for ExplorationLimits {
    fn default() -> Self {
        Self { states: 100_000, edges: 1_000_000, choice: Choice::Priority }
    }
}

/// The result of [`verify()`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplorationReport {
    /// Number of states.
    pub states: usize,
    /// Number of transitions.
    pub edges: usize,
    /// The properties, as sentences.
    pub properties: Vec<String>,
    /// The first violation of each property that is violated.
    pub violations: Vec<PropertyViolation>,
    /// Whether all states were explored.
    pub complete: bool,
}

impl ExplorationReport {
    /// Whether every property holds in every state. Never after an incomplete exploration.
    pub fn is_verified(&self) -> bool {
        self.complete && self.violations.is_empty()
    }
}

/// A run that violates a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PropertyViolation {
    /// The property, as a sentence.
    pub property: String,
    /// Events from the beginning; [`super::Run::replay`] repeats them.
    pub trace: Vec<Event>,
    /// Index in `trace` from which the run can repeat for ever; `None`: it ends.
    pub repeats_from: Option<usize>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    positions: Vec<ThreadPosition>,
    memory: Vec<Memory>,
}

/// The states that can be reached, with their transitions.
struct Space<'p> {
    program: &'p Program,
    properties: &'p [Property],
    states: Vec<State>,
    /// For each state but the first: the state and the event that first led to it.
    parents: Vec<Option<(usize, u32)>>,
    /// For each state its transitions.
    next: Vec<Vec<(u32, usize)>>,
    /// The events of transitions, by number.
    events: Vec<Event>,
    complete: bool,
}

/// Verifies a program whose environment may offer the events in `external`, in any order and number.
pub fn verify(
    program: &Program,
    external: &[Event],
    properties: &[Property],
    limits: ExplorationLimits,
) -> ExplorationReport {
    let space = Space::explore(program, external, properties, limits);
    let mut violations = Vec::new();
    for (at, property) in properties.iter().enumerate() {
        violations.extend(space.violation(at, property));
    }
    ExplorationReport {
        states: space.states.len(),
        edges: space.next.iter().map(Vec::len).sum(),
        properties: properties.iter().map(Property::words).collect(),
        violations,
        complete: space.complete,
    }
}

impl<'p> Space<'p> {
    fn explore(
        program: &'p Program,
        external: &[Event],
        properties: &'p [Property],
        limits: ExplorationLimits,
    ) -> Self {
        let first =
            State { positions: program.start(), memory: vec![Memory::Idle; properties.len()] };
        let mut known: HashMap<State, usize> = HashMap::from([(first.clone(), 0)]);
        let mut space = Self {
            program,
            properties,
            states: vec![first],
            parents: vec![None],
            next: Vec::new(),
            events: Vec::new(),
            complete: true,
        };
        let mut numbers: HashMap<Event, u32> = HashMap::new();
        let mut edges = 0;
        while let Some(state) = space.states.get(space.next.len()).cloned() {
            let from = space.next.len();
            let mut next = Vec::new();
            if edges > limits.edges {
                space.next.push(next);
                continue;
            }
            for event in space.possible(&state, external, limits.choice) {
                edges += 1;
                if edges > limits.edges {
                    space.complete = false;
                    break;
                }
                let after = space.after(&state, &event);
                let event = *numbers.entry(event).or_insert_with_key(|event| {
                    space.events.push(event.clone());
                    space.events.len() as u32 - 1
                });
                let to = match known.get(&after) {
                    Some(to) => *to,
                    None if space.states.len() >= limits.states => {
                        space.complete = false;
                        continue;
                    }
                    None => {
                        let to = space.states.len();
                        known.insert(after.clone(), to);
                        space.states.push(after);
                        space.parents.push(Some((from, event)));
                        to
                    }
                };
                next.push((event, to));
            }
            space.next.push(next);
        }
        space
    }

    /// The events that can happen in a state: requests first; from outside once none is enabled.
    fn possible(&self, state: &State, external: &[Event], choice: Choice) -> Vec<Event> {
        // A violated run is not continued.
        if state.memory.contains(&Memory::Violated) {
            return Vec::new();
        }
        let most = if choice == Choice::Priority { 1 } else { usize::MAX };
        let mut events: Vec<Event> = Vec::new();
        for event in self.program.enabled(&state.positions).take(most) {
            if !events.contains(event) {
                events.push(event.clone());
            }
        }
        if events.is_empty() {
            let open = |event: &&Event| !self.program.is_blocked(&state.positions, event);
            events.extend(external.iter().filter(open).cloned());
        }
        events
    }

    fn after(&self, state: &State, event: &Event) -> State {
        let mut next = state.clone();
        self.program.advance(&mut next.positions, event);
        for (property, memory) in self.properties.iter().zip(&mut next.memory) {
            *memory = property.after(*memory, event);
        }
        next
    }

    fn violation(&self, at: usize, property: &Property) -> Option<PropertyViolation> {
        let is_end = |state: usize| {
            self.next[state].is_empty() && !self.states[state].memory.contains(&Memory::Violated)
        };
        let found = |state: usize| PropertyViolation {
            property: property.words(),
            trace: self.trace_to(state),
            repeats_from: None,
        };
        let mut all = 0..self.states.len();
        match property {
            Property::Never(_) | Property::OnlyAfter { .. } => {
                all.find(|state| self.states[*state].memory[at] == Memory::Violated).map(found)
            }
            Property::NoDeadlock => {
                let is_stuck = |state: &usize| {
                    is_end(*state) && self.program.is_stuck(&self.states[*state].positions)
                };
                self.only_if_complete(all.find(is_stuck)).map(found)
            }
            Property::NoHotEnd => {
                let hot = |state: usize| self.hot(state);
                (0..self.program.threads().len()).find_map(|thread| {
                    let stays = |state: usize| hot(state).contains(&thread);
                    self.lasting(&stays, &is_end, property)
                })
            }
            Property::LeadsTo { .. } => {
                let waits = |state: usize| self.states[state].memory[at] == Memory::Set;
                self.lasting(&waits, &is_end, property)
            }
            Property::Possible(_) => {
                let is_possible = all.any(|state| self.states[state].memory[at] == Memory::Set);
                (self.complete && !is_possible).then(|| found(0))
            }
        }
    }

    /// An end is one only where its transitions are all known.
    fn only_if_complete(&self, state: Option<usize>) -> Option<usize> {
        state.filter(|_| self.complete)
    }

    /// The threads at a hot step.
    fn hot(&self, state: usize) -> Vec<usize> {
        let threads = self.program.threads().iter().zip(&self.states[state].positions);
        let hot = threads
            .enumerate()
            .filter(|(_, (thread, position))| thread.sync(**position).is_some_and(|sync| sync.hot));
        hot.map(|(at, _)| at).collect()
    }

    /// A run that ends in a state of this kind, or stays in such states for ever.
    fn lasting(
        &self,
        is_kind: &dyn Fn(usize) -> bool,
        is_end: &dyn Fn(usize) -> bool,
        property: &Property,
    ) -> Option<PropertyViolation> {
        let words = property.words();
        let end = (0..self.states.len()).find(|state| is_kind(*state) && is_end(*state));
        if let Some(end) = self.only_if_complete(end) {
            return Some(PropertyViolation {
                property: words,
                trace: self.trace_to(end),
                repeats_from: None,
            });
        }
        let (entry, cycle) = self.cycle(is_kind)?;
        let mut trace = self.trace_to(entry);
        let repeats_from = Some(trace.len());
        trace.extend(cycle);
        Some(PropertyViolation { property: words, trace, repeats_from })
    }

    /// A cycle through states of one kind: a state on it and the events around it. By depth-first search
    /// with an explicit stack.
    fn cycle(&self, is_kind: &dyn Fn(usize) -> bool) -> Option<(usize, Vec<Event>)> {
        // 0: not seen, 1: on the path, 2: done.
        let mut marks = vec![0u8; self.states.len()];
        for first in (0..self.states.len()).filter(|state| is_kind(*state)) {
            if marks[first] != 0 {
                continue;
            }
            let mut path: Vec<(usize, usize)> = vec![(first, 0)];
            marks[first] = 1;
            while let Some((state, at)) = path.last_mut() {
                let Some((_, to)) = self.next[*state].get(*at) else {
                    marks[*state] = 2;
                    path.pop();
                    continue;
                };
                *at += 1;
                if !is_kind(*to) || marks[*to] == 2 {
                    continue;
                }
                if marks[*to] == 1 {
                    let from = path.iter().position(|(state, _)| state == to)?;
                    let events = path[from..]
                        .iter()
                        .map(|(state, at)| self.event(self.next[*state][*at - 1].0));
                    return Some((*to, events.collect()));
                }
                marks[*to] = 1;
                path.push((*to, 0));
            }
        }
        None
    }

    fn event(&self, number: u32) -> Event {
        self.events.get(number as usize).cloned().unwrap_or_else(|| Event::new(""))
    }

    /// The events that first led to a state.
    fn trace_to(&self, mut state: usize) -> Vec<Event> {
        let mut trace = Vec::new();
        while let Some((before, event)) = &self.parents[state] {
            trace.push(self.event(*event));
            state = *before;
        }
        trace.reverse();
        trace
    }
}
