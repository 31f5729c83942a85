//! [`Property`]: what must hold of every run of a program.

use serde::{Deserialize, Serialize};

use super::{Event, Pattern};

/// One property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Property {
    /// Safety: such an event never happens.
    Never(Pattern),
    /// Safety: an event happens only if another one happened since the last that resets it.
    OnlyAfter {
        /// The event.
        event: Pattern,
        /// What must have happened before.
        after: Pattern,
        /// The events that reset it.
        until: Vec<Pattern>,
    },
    /// Safety: no run ends with a request that is blocked, other than at a terminal step.
    NoDeadlock,
    /// Liveness: no run ends at a hot step, and none stays at one for ever.
    NoHotEnd,
    /// Liveness: in every run, after one event another follows.
    LeadsTo {
        /// The event.
        event: Pattern,
        /// What must follow.
        to: Pattern,
    },
    /// Some run has such an event: nothing blocks it for ever.
    Possible(Pattern),
}

/// What a property remembers of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Memory {
    /// Nothing that matters.
    Idle,
    /// The condition happened, or something must follow.
    Set,
    /// It is violated by the last event.
    Violated,
}

impl Property {
    /// The memory after an event.
    pub(super) fn after(&self, memory: Memory, event: &Event) -> Memory {
        match self {
            Property::Never(pattern) if pattern.matches(event) => Memory::Violated,
            Property::OnlyAfter { event: wanted, after, until } => {
                if wanted.matches(event) && memory != Memory::Set {
                    return Memory::Violated;
                }
                let is_reset = until.iter().any(|it| it.matches(event));
                let is_set = after.matches(event) || memory == Memory::Set && !is_reset;
                if is_set { Memory::Set } else { Memory::Idle }
            }
            Property::LeadsTo { to, .. } if to.matches(event) => Memory::Idle,
            Property::LeadsTo { event: from, .. } if from.matches(event) => Memory::Set,
            Property::Possible(pattern) if pattern.matches(event) => Memory::Set,
            _ => memory,
        }
    }

    /// The property as a sentence.
    pub(crate) fn words(&self) -> String {
        match self {
            Property::Never(pattern) => format!("`{pattern}` never happens"),
            Property::OnlyAfter { event, after, .. } => {
                format!("`{event}` happens only after `{after}`")
            }
            Property::NoDeadlock => "no run ends with a blocked request".to_owned(),
            Property::NoHotEnd => "no run ends or stays at a hot step".to_owned(),
            Property::LeadsTo { event, to } => format!("after `{event}` follows `{to}`"),
            Property::Possible(pattern) => format!("`{pattern}` can happen"),
        }
    }
}
