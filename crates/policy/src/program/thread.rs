//! [`Thread`]: one rule of a program, as data. [`ThreadPosition`]: where it is while the program runs.

use serde::{Deserialize, Serialize};

use super::{Event, Pattern};

/// One behavioural thread: a rule that requests, waits for and blocks events, and knows of no other.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thread {
    /// Name, unique in its program.
    pub name: String,
    /// Priority of its requests, unique in its program; the lowest number is selected first.
    pub priority: u32,
    /// Why it blocks; follows "blocked because".
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
    /// What it does.
    #[serde(flatten)]
    pub body: ThreadBody,
}

/// What a thread does. Data, so that programs can be read from files, compared, hashed and verified.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThreadBody {
    /// Synchronisations in sequence.
    Steps(Steps),
    /// Blocks events while it is closed.
    Gate(Gate),
    /// Blocks events that would exceed a sum.
    Limit(Limit),
}

/// Synchronisations in sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Steps {
    /// The steps.
    pub steps: Vec<Sync>,
    /// Whether the first follows the last; otherwise the thread ends.
    pub repeat: bool,
    /// Steps after an interrupt, in place of the others; never repeated.
    pub cleanup: Vec<Sync>,
}

/// What a thread asks for until its next step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sync {
    /// Events that it wants to happen, the first one most.
    pub request: Vec<Event>,
    /// Events that it waits for.
    pub wait: Vec<Pattern>,
    /// Events that must not happen meanwhile.
    pub block: Vec<Pattern>,
    /// Events that end the thread, before any of the above.
    pub interrupt: Vec<Pattern>,
    /// Whether the thread must not stay here for ever.
    pub hot: bool,
    /// Whether a program may end while the thread is here, its requests unfulfilled.
    pub terminal: bool,
}

/// Blocks events while it is closed, as it is at first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Events that it blocks.
    pub blocks: Vec<Pattern>,
    /// Events that open it; they count before `closes`.
    pub opens: Vec<Pattern>,
    /// Events that close it again, if they do not open it: `checked errors = 0` opens, any other
    /// `checked` closes.
    #[serde(default)]
    pub closes: Vec<Pattern>,
}

/// Sums a field of events up, and blocks what would exceed a maximum.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Events that count, and are blocked when the sum would exceed the maximum with them.
    pub counts: Pattern,
    /// Field that is added up; without one each event counts 1. An event without the field counts as
    /// too much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Greatest sum.
    pub most: u64,
    /// Events that begin a new sum.
    #[serde(default)]
    pub resets: Vec<Pattern>,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ThreadPosition {
    /// At a step.
    Step(u32),
    /// At a step of its clean-up.
    Cleanup(u32),
    /// It has ended.
    Ended,
    /// A gate that blocks.
    Closed,
    /// A gate that blocks nothing.
    Open,
    /// The sum of a limit.
    Sum(u64),
}

impl Thread {
    /// A gate with a name, a priority and the reason why it blocks.
    pub(crate) fn gate((name, priority, because): (&str, u32, &str), gate: Gate) -> Self {
        let body = ThreadBody::Gate(gate);
        Self { name: name.to_owned(), priority, because: because.to_owned(), body }
    }

    /// What it does, as a sentence without its end.
    pub fn description(&self) -> String {
        let list = |patterns: &[Pattern]| {
            let names: Vec<String> = patterns.iter().map(|it| format!("`{it}`")).collect();
            names.join(", ")
        };
        match &self.body {
            ThreadBody::Steps(steps) => {
                let repeat = if steps.repeat { ", again and again" } else { "" };
                format!("goes through {} steps{repeat}", steps.steps.len())
            }
            ThreadBody::Gate(gate) => {
                let again = if gate.closes.is_empty() { "" } else { ", again after " };
                let until = if gate.opens.is_empty() { "" } else { " until " };
                format!(
                    "blocks {}{until}{}{again}{}",
                    list(&gate.blocks),
                    list(&gate.opens),
                    list(&gate.closes)
                )
            }
            ThreadBody::Limit(limit) => {
                let of =
                    limit.field.as_ref().map_or(String::new(), |field| format!(" of `{field}`"));
                format!("blocks `{}` beyond a sum{of} of {}", limit.counts, limit.most)
            }
        }
    }

    /// All its patterns.
    pub fn patterns(&self) -> Vec<&Pattern> {
        match &self.body {
            ThreadBody::Steps(steps) => {
                let syncs = steps.syncs();
                syncs.flat_map(|it| it.wait.iter().chain(&it.block).chain(&it.interrupt)).collect()
            }
            ThreadBody::Gate(gate) => {
                gate.blocks.iter().chain(&gate.opens).chain(&gate.closes).collect()
            }
            ThreadBody::Limit(limit) => {
                std::iter::once(&limit.counts).chain(&limit.resets).collect()
            }
        }
    }

    /// The events that it adds up, with their field.
    pub(super) fn sum(&self) -> Option<(&Pattern, &str)> {
        match &self.body {
            ThreadBody::Limit(Limit { counts, field: Some(field), .. }) => Some((counts, field)),
            _ => None,
        }
    }

    /// All events that it requests.
    pub(crate) fn requests(&self) -> impl Iterator<Item = &Event> {
        let steps = match &self.body {
            ThreadBody::Steps(steps) => Some(steps.syncs()),
            _ => None,
        };
        steps.into_iter().flatten().flat_map(|sync| &sync.request)
    }

    /// All events that it can block.
    pub(crate) fn blocked(&self) -> Vec<&Pattern> {
        match &self.body {
            ThreadBody::Steps(steps) => steps.syncs().flat_map(|sync| &sync.block).collect(),
            ThreadBody::Gate(gate) => gate.blocks.iter().collect(),
            ThreadBody::Limit(limit) => vec![&limit.counts],
        }
    }

    /// Where it begins.
    pub(super) fn start(&self) -> ThreadPosition {
        match &self.body {
            ThreadBody::Steps(steps) if steps.steps.is_empty() => ThreadPosition::Ended,
            ThreadBody::Steps(_) => ThreadPosition::Step(0),
            ThreadBody::Gate(_) => ThreadPosition::Closed,
            ThreadBody::Limit(_) => ThreadPosition::Sum(0),
        }
    }

    /// The synchronisation at a position; `None` for an ended thread, a gate or a limit.
    pub(super) fn sync(&self, position: ThreadPosition) -> Option<&Sync> {
        let ThreadBody::Steps(steps) = &self.body else { return None };
        match position {
            ThreadPosition::Step(at) => steps.steps.get(at as usize),
            ThreadPosition::Cleanup(at) => steps.cleanup.get(at as usize),
            _ => None,
        }
    }

    /// Whether it blocks an event.
    pub(super) fn blocks(&self, position: ThreadPosition, event: &Event) -> bool {
        let any = |patterns: &[Pattern]| patterns.iter().any(|it| it.matches(event));
        match (&self.body, position) {
            (ThreadBody::Gate(gate), ThreadPosition::Closed) => any(&gate.blocks),
            (ThreadBody::Limit(limit), ThreadPosition::Sum(sum)) => {
                limit.counts.matches(event)
                    && limit.amount(event).is_none_or(|more| sum.saturating_add(more) > limit.most)
            }
            _ => self.sync(position).is_some_and(|sync| any(&sync.block)),
        }
    }

    /// Its position after an event. An interrupt counts before a request and a wait.
    pub(super) fn after(&self, position: ThreadPosition, event: &Event) -> ThreadPosition {
        let any = |patterns: &[Pattern]| patterns.iter().any(|it| it.matches(event));
        match (&self.body, position) {
            (ThreadBody::Gate(gate), _) if any(&gate.opens) => ThreadPosition::Open,
            (ThreadBody::Gate(gate), _) if any(&gate.closes) => ThreadPosition::Closed,
            (ThreadBody::Limit(limit), ThreadPosition::Sum(sum)) => {
                let sum = if any(&limit.resets) { 0 } else { sum };
                let more = limit.counts.matches(event).then(|| limit.amount(event)).flatten();
                ThreadPosition::Sum(sum.saturating_add(more.unwrap_or(0)))
            }
            (ThreadBody::Steps(steps), _) => {
                let Some(sync) = self.sync(position) else { return position };
                if any(&sync.interrupt) {
                    return steps.interrupted(position);
                }
                if sync.request.contains(event) || any(&sync.wait) {
                    return steps.next(position);
                }
                position
            }
            _ => position,
        }
    }
}

impl Steps {
    fn syncs(&self) -> impl Iterator<Item = &Sync> {
        self.steps.iter().chain(&self.cleanup)
    }

    fn next(&self, position: ThreadPosition) -> ThreadPosition {
        match position {
            ThreadPosition::Step(at) if (at as usize + 1) < self.steps.len() => {
                ThreadPosition::Step(at + 1)
            }
            ThreadPosition::Step(_) if self.repeat => ThreadPosition::Step(0),
            ThreadPosition::Cleanup(at) if (at as usize + 1) < self.cleanup.len() => {
                ThreadPosition::Cleanup(at + 1)
            }
            _ => ThreadPosition::Ended,
        }
    }

    fn interrupted(&self, position: ThreadPosition) -> ThreadPosition {
        match position {
            ThreadPosition::Step(_) if !self.cleanup.is_empty() => ThreadPosition::Cleanup(0),
            _ => ThreadPosition::Ended,
        }
    }
}

impl Limit {
    /// What an event adds; `None` if it lacks the field or has no count there.
    fn amount(&self, event: &Event) -> Option<u64> {
        let Some(field) = &self.field else { return Some(1) };
        match event.fields.get(field) {
            Some(super::Value::Number(number)) => u64::try_from(*number).ok(),
            _ => None,
        }
    }
}
