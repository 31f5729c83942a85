//! `context`: prints the code for a query that fits a token budget.

use code::{ContextAnswer, ContextRequest};

use crate::args_search;
use crate::exit::{Failure, Status};
use crate::output::{self, DIM, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, args: &args_search::Context) -> Result<Status, Failure> {
    if args.reserve >= args.budget {
        return Err(Failure::input(
            format!("`--reserve {}` leaves nothing of `--budget {}`", args.reserve, args.budget),
            "use a larger `--budget` or a smaller `--reserve`",
        ));
    }
    let request = ContextRequest {
        reserve: args.reserve,
        intent: Some(args.intent.into()),
        focus: args.focus.clone(),
        ..ContextRequest::new(super::text(&args.task)?, args.budget)
    };
    let workspace = session.map_workspace()?;
    let answer = code::context(&session.ctx, &workspace, &request)?;
    session.bar.clear();
    if session.global.json {
        output::json(&answer)?;
    } else {
        output::say(&output::safe(&answer.text))?;
        if !session.global.quiet {
            output::note(&paint(DIM, &headline(&answer)));
        }
    }
    Ok(if answer.snippets.is_empty() { Status::No } else { Status::Done })
}

/// `12 snippets, at most 913 of 1000 tokens, in 1.2 ms`, for standard error: standard output is the
/// packed text.
fn headline(answer: &ContextAnswer) -> String {
    let snippets = base::counted(answer.snippets.len(), "snippet");
    let ms = answer.took_us as f64 / 1e3;
    format!("{snippets}, at most {} of {} tokens, in {ms:.1} ms", answer.tokens, answer.budget)
}
