//! `task`: a goal in a person's words, as a plan of subgoals. Rules make what they understand; the rest
//! is asked of a model, where there is one. Each subgoal is proven before the next begins.
//!
//! A [`Plan`] is kept in the store of plans, so it can be shown, changed and resumed. Start at
//! [`advance`], which takes a plan as far as it goes without writing the tree.

mod by_model;
mod plan;
mod run;

pub use by_model::StepRequest;
pub use plan::{Doer, Plan, Subgoal, SubgoalStatus, read_plan, write_plan};
pub(crate) use run::by_rules;
pub use run::{Advanced, GoalOptions};
pub(crate) use run::{advance, begin_plan};
