//! The command line: one file per command. Each command is a typed function of `tools`, `agent` or
//! `eval`; this crate turns arguments into requests, and results into text or JSON.
//!
//! Invariants: with `--json`, standard output is one JSON document and nothing else; logs and
//! progress go to standard error; exit statuses are those of [`exit::Status`].
//!
//! Start at [`commands::run`].

mod args;
mod args_edit;
mod args_fleet;
mod args_guidance;
mod args_hook;
mod args_map;
mod args_memory;
mod args_refactor;
mod args_search;
mod args_serve;
mod args_tools;
mod args_tui;
mod args_world;
mod commands;
mod consent;
mod exit;
mod help;
mod log;
mod memory;
mod not_checked;
mod out_folder;
mod output;
mod progress;
mod session;
mod shown;
mod style;
mod version;

use std::process::ExitCode;

use clap::FromArgMatches as _;

/// Syntax trees and facts are many small allocations: with the system's allocator a sixth of the
/// first index is allocation. The feature `override` makes the database, a C library, use it too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // The sandbox starts this binary as its inner stage, which must not parse arguments.
    sandbox::inner_main_if_asked();
    let args = args::Args::from_arg_matches(&help::command().get_matches());
    let args = args.unwrap_or_else(|error| error.exit());
    let status = match session::Session::new(&args.global) {
        Ok(session) => commands::run(&session, args.command).unwrap_or_else(|failure| {
            output::failure(args.global.json, &failure);
            failure.status
        }),
        Err(failure) => {
            output::failure(args.global.json, &failure);
            failure.status
        }
    };
    ExitCode::from(status as u8)
}
