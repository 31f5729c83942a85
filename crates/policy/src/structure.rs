//! [`Structure`]: the structural vocabulary – objects, channels, levers, loops, blocks – as annotations
//! of a plan, a tool or a story. Each becomes one thread that enforces it, and the properties that it
//! promises; [`Structure::verify`] explores both.
//!
//! | word | meaning here | enforced by its thread | promised |
//! |---|---|---|---|
//! | object | what is made, used and removed: a proposal, a file | used only while it exists | the same |
//! | channel | the payload of an event, and who sends it | other values | no other value |
//! | lever | what may be moved, and how far | outside its range, before its conditions, too often | the same |
//! | loop | an action that asks for a response | a second action meanwhile, if exclusive | the response follows |
//! | block | threads that act as one, in an order | another order | the same |
//!
//! The rest, which cannot be threads, is compared at once ([`Structure::misfits`]): who requests an event, which
//! objects are in which.

mod block;
mod check;

use serde::{Deserialize, Serialize};

pub use check::{Misfit, StructureReport, StructureViolation};

use crate::program::{Gate, Limit, Pattern, Property, Steps, Sync, Thread, ThreadBody, Value};

/// Constraints, with threads beside them, as a file has them: `[[thread]]`, `[[object]]`, `[[loop]]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Structure {
    /// Threads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thread: Vec<Thread>,
    /// Objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub object: Vec<Annotated<Object>>,
    /// Channels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub channel: Vec<Annotated<Channel>>,
    /// Levers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lever: Vec<Annotated<Lever>>,
    /// Loops.
    #[serde(rename = "loop", skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<Annotated<Loop>>,
    /// Blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub block: Vec<Annotated<Block>>,
}

/// A constraint with its name and its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Annotated<T> {
    /// Name, unique; also that of its thread.
    pub name: String,
    /// What it annotates: a tool, a step of a plan, a story.
    pub at: String,
    /// Priority of its thread, unique in its program.
    pub priority: u32,
    /// Why it is there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
    /// The constraint.
    #[serde(flatten)]
    pub is: T,
}

/// What is made, used and removed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Object {
    /// Events that make it.
    pub made_by: Vec<Pattern>,
    /// Events that need it.
    pub used_by: Vec<Pattern>,
    /// Events that remove it; it can be made again.
    #[serde(default)]
    pub removed_by: Vec<Pattern>,
    /// Name of the object that it is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
}

/// The payload of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Channel {
    /// Name of the event.
    pub event: String,
    /// Field with the payload.
    pub field: String,
    /// The payloads that it takes.
    #[serde(rename = "carries")]
    pub payload: Payload,
    /// Threads that may send; none: only the environment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Vec<String>>,
}

/// The payloads of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Payload {
    /// True or false.
    Flag,
    /// A number in a range.
    Number(NumberRange),
    /// One of these texts.
    Selection(Vec<String>),
}

/// A range of numbers, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberRange {
    /// Least number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<i64>,
    /// Greatest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<i64>,
}

/// What may be moved, and how far.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lever {
    /// Name of the event that moves it.
    pub event: String,
    /// Its limit.
    pub limit: LeverLimit,
}

/// The limit of a lever.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LeverLimit {
    /// A field stays in a range.
    Range {
        /// Field.
        field: String,
        /// Least number.
        #[serde(default)]
        least: Option<i64>,
        /// Greatest number.
        #[serde(default)]
        most: Option<i64>,
    },
    /// It cannot be moved before one of these events, and not again after one of those.
    After {
        /// Events that release it.
        opens: Vec<Pattern>,
        /// Events that hold it again.
        #[serde(default)]
        closes: Vec<Pattern>,
    },
    /// It can be moved so often.
    Times {
        /// Greatest number.
        most: u64,
        /// Events that begin a new count.
        #[serde(default)]
        resets: Vec<Pattern>,
    },
}

/// An action that asks for a response.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Loop {
    /// Action.
    pub action: Pattern,
    /// Response.
    pub response: Pattern,
    /// Whether no second action may come before the response.
    #[serde(default)]
    pub exclusive: bool,
}

/// Threads that act as one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Block {
    /// Names of its threads.
    pub threads: Vec<String>,
    /// Events that they may request.
    #[serde(default)]
    pub requests: Vec<Pattern>,
    /// Names of events that they may block.
    #[serde(default)]
    pub blocks: Vec<String>,
    /// Events that happen in this order, again and again.
    #[serde(default)]
    pub order: Vec<Pattern>,
}

/// What a constraint is: its thread and what it promises.
pub(crate) trait Constraint {
    /// What its thread does.
    fn body(&self) -> ThreadBody;
    /// What holds of every run with its thread.
    fn properties(&self) -> Vec<Property>;
}

impl Constraint for Object {
    fn body(&self) -> ThreadBody {
        let (blocks, opens, closes) = (&self.used_by, &self.made_by, &self.removed_by);
        let (blocks, opens, closes) = (blocks.clone(), opens.clone(), closes.clone());
        ThreadBody::Gate(Gate { blocks, opens, closes })
    }

    fn properties(&self) -> Vec<Property> {
        // A use needs one of several events: without the gate's own memory this is known for one only.
        let [made] = self.made_by.as_slice() else { return Vec::new() };
        let only_after = |used: &Pattern| Property::OnlyAfter {
            event: used.clone(),
            after: made.clone(),
            until: self.removed_by.clone(),
        };
        self.used_by.iter().map(only_after).collect()
    }
}

impl Constraint for Channel {
    fn body(&self) -> ThreadBody {
        never(self.others())
    }

    fn properties(&self) -> Vec<Property> {
        self.others().into_iter().map(Property::Never).collect()
    }
}

impl Channel {
    /// The events with another payload.
    fn others(&self) -> Vec<Pattern> {
        let none_of = |values: &mut dyn Iterator<Item = Value>| {
            let pattern = Pattern::named(&self.event);
            vec![values.fold(pattern, |it, value| it.except(&self.field, value))]
        };
        match &self.payload {
            Payload::Flag => none_of(&mut [true, false].into_iter().map(Value::Flag)),
            Payload::Selection(options) => none_of(&mut options.iter().cloned().map(Value::Text)),
            Payload::Number(range) => range.outside(&self.event, &self.field),
        }
    }
}

impl NumberRange {
    fn outside(self, event: &str, field: &str) -> Vec<Pattern> {
        let below = self.least.map(|it| Pattern::named(event).below(field, it));
        let above = self.most.map(|it| Pattern::named(event).above(field, it));
        below.into_iter().chain(above).collect()
    }
}

impl Constraint for Lever {
    fn body(&self) -> ThreadBody {
        let moved = Pattern::named(&self.event);
        match &self.limit {
            LeverLimit::Range { field, least, most } => {
                never(NumberRange { least: *least, most: *most }.outside(&self.event, field))
            }
            LeverLimit::After { opens, closes } => {
                let (opens, closes) = (opens.clone(), closes.clone());
                ThreadBody::Gate(Gate { blocks: vec![moved], opens, closes })
            }
            LeverLimit::Times { most, resets } => {
                let (most, resets) = (*most, resets.clone());
                ThreadBody::Limit(Limit { counts: moved, field: None, most, resets })
            }
        }
    }

    fn properties(&self) -> Vec<Property> {
        let moved = Pattern::named(&self.event);
        let mut all = match &self.limit {
            LeverLimit::Range { field, least, most } => {
                let outside =
                    NumberRange { least: *least, most: *most }.outside(&self.event, field);
                outside.into_iter().map(Property::Never).collect()
            }
            LeverLimit::After { opens, closes } => match opens.as_slice() {
                [open] => vec![Property::OnlyAfter {
                    event: moved.clone(),
                    after: open.clone(),
                    until: closes.clone(),
                }],
                _ => Vec::new(),
            },
            LeverLimit::Times { .. } => Vec::new(),
        };
        // A lever that can never be moved is none.
        all.push(Property::Possible(moved));
        all
    }
}

impl Constraint for Loop {
    fn body(&self) -> ThreadBody {
        let wait = |pattern: &Pattern| Sync { wait: vec![pattern.clone()], ..Sync::default() };
        let block = if self.exclusive { vec![self.action.clone()] } else { Vec::new() };
        let pending = Sync { block, hot: true, ..wait(&self.response) };
        let steps = vec![wait(&self.action), pending];
        ThreadBody::Steps(Steps { steps, repeat: true, cleanup: Vec::new() })
    }

    fn properties(&self) -> Vec<Property> {
        let (event, to) = (self.action.clone(), self.response.clone());
        vec![Property::LeadsTo { event, to }, Property::Possible(self.action.clone())]
    }
}

/// Blocks these events for ever.
fn never(blocks: Vec<Pattern>) -> ThreadBody {
    ThreadBody::Gate(Gate { blocks, opens: Vec::new(), closes: Vec::new() })
}

impl Structure {
    /// The constraints with their kinds.
    fn constraints(&self) -> Vec<Placed<'_>> {
        fn placed<'s, T: Constraint>(
            kind: &'static str,
            all: &'s [Annotated<T>],
        ) -> impl Iterator<Item = Placed<'s>> {
            all.iter().map(move |it| Placed {
                kind,
                name: &it.name,
                at: &it.at,
                because: &it.because,
                priority: it.priority,
                is: &it.is,
            })
        }
        let mut all: Vec<Placed<'_>> = placed("object", &self.object).collect();
        all.extend(placed("channel", &self.channel));
        all.extend(placed("lever", &self.lever));
        all.extend(placed("loop", &self.loops));
        all.extend(placed("block", &self.block));
        all
    }

    /// All threads: those that are given, and one for each constraint, which names its place.
    pub fn threads(&self) -> Vec<Thread> {
        let own = self.constraints().into_iter().map(|it| Thread {
            name: it.name.to_owned(),
            priority: it.priority,
            because: it.reason(),
            body: it.is.body(),
        });
        self.thread.iter().cloned().chain(own).collect()
    }
}

/// A constraint with its place.
struct Placed<'s> {
    kind: &'static str,
    name: &'s str,
    at: &'s str,
    because: &'s str,
    priority: u32,
    is: &'s dyn Constraint,
}

impl Placed<'_> {
    fn reason(&self) -> String {
        let (kind, at) = (self.kind, self.at);
        match self.because {
            "" => format!("the {kind} of {at} does not allow it"),
            because => format!("{because} ({kind} of {at})"),
        }
    }
}
