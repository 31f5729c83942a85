//! One file per command. To add one: a variant of `Command` in `args.rs` (arguments there or in `args_*.rs`);
//! an arm in [`run`]; its name in `GROUPS` of `help.rs`; a file here (a map command: in `map/`, re-exported in
//! `map/mod.rs`) that calls one function of `code`, `tools`, `agent` or `eval` and prints its answer, with
//! `output::json` if `--json` was given, else with `output::say`; a test in `tests/cli`;
//! `UPDATE_REFERENCE=1 cargo test -p graftage help` for the page in `docs/reference`.

mod apply;
mod bundle;
mod check;
pub(crate) mod client_config;
mod completions;
mod config;
mod demo;
mod dobby;
mod doctor;
mod edit;
mod eval;
mod finish;
mod fix;
mod fleet;
mod hook;
mod left_behind;
mod manual;
mod map;
mod memory;
mod model;
mod plan;
mod policy;
mod proposals;
mod questions;
mod refactor;
mod rules;
mod search;
mod serve;
mod skills;
mod start;
mod stats;
mod task;
mod tools;
mod tui;
mod undo;
mod upgrade;
mod watch;
mod world;
mod world_rewards;

use crate::args::Command;
use crate::exit::{Failure, Status};
use crate::session::Session;

/// Runs a command; without one, shows where it was started and what can be done there.
pub(crate) fn run(session: &Session, command: Option<Command>) -> Result<Status, Failure> {
    let Some(command) = command else { return start::run(session) };
    let status = match command {
        Command::Demo => demo::run(session),
        Command::Check(args) => check::run(session, &args),
        Command::Fix(args) => fix::run(session, &args),
        Command::Finish(args) => finish::run(session, &args),
        Command::Apply(args) => apply::run(session, &args),
        Command::Upgrade(args) => upgrade::run(session, &args),
        Command::Refactor(args) => refactor::run(session, &args),
        Command::Task(args) => task::run(session, &args),
        Command::Tools(args) => tools::run(session, &args),
        Command::Policy(args) => policy::run(session, &args),
        Command::Rules(args) => rules::run(session, &args),
        Command::World(args) => world::run(session, &args),
        Command::Skills(args) => skills::run(session, &args),
        Command::Plan(args) => plan::run(session, &args),
        Command::Edit(args) => edit::run(session, &args),
        Command::Index(args) => map::index(session, &args),
        Command::Stream(args) => map::stream(session, &args),
        Command::Search(args) => search::search(session, &args),
        Command::Context(args) => search::context(session, &args),
        Command::Show(args) => map::show(session, &args),
        Command::Callers(args) => map::callers(session, &args),
        Command::Callees(args) => map::callees(session, &args),
        Command::Impact(args) => map::impact(session, &args),
        Command::Path(args) => map::path(session, &args),
        Command::Query(args) => map::query(session, &args),
        Command::Docs(args) => map::docs(session, &args),
        Command::Clean => map::clean(session),
        Command::Tui(args) => tui::run(session, &args),
        Command::Undo(args) => undo::undo(session, &args),
        Command::Redo(args) => undo::redo(session, &args),
        Command::Eval(args) => eval::run(session, &args),
        Command::Serve(args) => serve::run(session, &args),
        Command::Fleet(args) => fleet::run(session, &args),
        Command::Dobby(args) => dobby::run(session, &args),
        Command::Worker(_) => fleet::worker(),
        Command::Stats => stats::run(session),
        Command::Hook(args) => hook::run(session, &args),
        Command::Memory(args) => memory::run(session, &args),
        Command::Doctor(args) => doctor::run(session, &args),
        Command::Config(args) => config::run(session, &args),
        Command::Completions(args) => completions::shell(&args),
        Command::Man(args) => manual::run(&args),
    };
    session.bar.clear();
    status
}
