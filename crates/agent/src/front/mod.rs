//! The interface of a project for front ends: start work, follow it, cancel it, review a change, take a part of it,
//! undo it. The terminal interface uses it, and any other front end may.
//!
//! - [`JobRunner`] runs [`JobRequest`]s on threads of its own and reports [`JobEvent`]s to its subscribers. Start here.
//! - [`Review`] is a change that a person edits and takes a part of, as a value.
//! - [`Mailbox`] delivers the events to the thread that owns a front end's state.
//! - [`parse_command`] reads a line such as `finish` or `rename Foo::bar to baz` as a job.
//!
//! Invariants: nothing is written except by [`JobRequest::Write`] and [`JobRequest::Restore`], each with the nonce of a
//! question that was shown ([`JobRequest::Ask`], [`JobRequest::AskRestore`]); a write is of exactly the change that was
//! proven, on the tree that it was proven on.

mod changes;
mod command;
mod job;
mod mail;
mod offers;
mod review;
mod runner;
mod views;
mod words;

pub use command::{CommandError, parse_command};
pub use job::{
    AnswerLine, ChangeRequest, Inquiry, InquiryAnswer, JobEnd, JobEvent, JobId, JobRequest,
    OfferedChange, OverlayEvent, PlanCard, RestoreRequest, WriteRequest,
};
pub use mail::{Delivery, Mail, Mailbox};
pub use review::{Acceptance, NotAcceptable, OfferId, ProofCard, Review};
pub use runner::{JobRunner, ProjectSource};
pub use words::{Weight, WeightedLine, answer_text, placed, report_lines, step_lines};
