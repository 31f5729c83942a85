//! The command line: one file per command. Everything a command does is a typed function of
//! `tools`, `agent` or `eval`; here arguments become requests and answers become text or JSON.
//!
//! Invariants: with `--json` standard output carries one JSON document and nothing else; logs and
//! progress go to standard error; exit statuses are those of [`exit::Status`].

mod args;
mod args_map;
mod args_search;
mod commands;
mod exit;
mod memory;
mod output;
mod progress;
mod session;
mod shown;

use std::process::ExitCode;

use clap::Parser;

/// Trees and facts are made of many small pieces: a sixth of what a first index costs goes into
/// asking for memory and giving it back. The feature `override` lets the parser, which is C, have
/// the same.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // The sandbox starts this very binary as its inner stage; that must come before all else.
    sandbox::inner_main_if_asked();
    let args = args::Args::parse();
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
