//! `rules`: what the project asks of those who change a path.

use std::fmt::Write as _;

use tools::{BrokenLink, ReferenceCard, RefusedRule, RulesAnswer, RulesRequest};

use crate::args_guidance::{Rules, RulesShow};
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, WARN, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: &Rules) -> Result<Status, Failure> {
    match command {
        Rules::Show(args) => show(session, args),
        Rules::List => list(session),
    }
}

fn show(session: &Session, args: &RulesShow) -> Result<Status, Failure> {
    let workspace = session.map_workspace()?;
    let request = RulesRequest {
        path: session.path_from_here(&args.path)?,
        intent: args.intent.clone(),
        budget: args.budget,
        references: args.references,
    };
    let answer = tools::rules(&session.ctx, &workspace, &request)?;
    let status = if answer.text.is_empty() { Status::No } else { Status::Done };
    if session.global.json {
        output::json(&answer)?;
        return Ok(status);
    }
    let mut text = output::safe(&answer.text);
    for rule in answer.rules.iter().filter(|it| it.left_out_bytes > 0) {
        let (cut, all) = (rule.left_out_bytes, rule.bytes + rule.left_out_bytes);
        let file = output::safe(rule.file.as_str());
        let _ = writeln!(
            text,
            "{}: {file}: {cut} of {} exceed the budget",
            paint(DIM, "not shown"),
            base::counted(all, "byte")
        );
    }
    for reference in answer.references.iter().filter(|it| !it.shown) {
        let _ = writeln!(text, "{}", not_shown(reference));
    }
    problems(&mut text, &answer.broken, &answer.refused);
    if answer.text.is_empty() {
        text.insert_str(0, &none(&answer));
    }
    output::say(&text)?;
    if !session.global.quiet {
        output::note(&paint(DIM, &headline(&answer)));
    }
    Ok(status)
}

fn list(session: &Session) -> Result<Status, Failure> {
    let answer = tools::rules_list(&session.ctx, &session.map_workspace()?)?;
    let status = if answer.root.is_some() { Status::Done } else { Status::No };
    if session.global.json {
        output::json(&answer)?;
        return Ok(status);
    }
    let mut text = match &answer.root {
        Some(root) => format!(
            "{}  {}\n",
            paint(BOLD, &output::safe(root.file.as_str())),
            base::counted(root.bytes, "byte")
        ),
        None => "no rules: the root has no AGENTS.md or CLAUDE.md\n".to_owned(),
    };
    for reference in &answer.references {
        let _ = writeln!(
            text,
            "  {}  {}  ({}:{})",
            output::safe(reference.file.as_str()),
            output::brief(&reference.title),
            output::safe(reference.source.as_str()),
            reference.line
        );
    }
    problems(&mut text, &answer.broken, &answer.refused);
    output::say(&text)?;
    Ok(status)
}

/// Why there is no text.
fn none(answer: &RulesAnswer) -> String {
    match answer.rules.len() {
        files @ 1.. => format!(
            "{} of rules, and none fits {}\n",
            base::counted(files, "file"),
            base::counted(answer.budget, "token")
        ),
        0 => "no rules: neither the root nor a folder on the way has AGENTS.md or CLAUDE.md\n"
            .to_owned(),
    }
}

/// `not shown: docs/testing.md (How to test, AGENTS.md:4): no intent was given`.
fn not_shown(reference: &ReferenceCard) -> String {
    format!(
        "{}: {} ({}, {}:{}): {}",
        paint(DIM, "not shown"),
        output::safe(reference.file.as_str()),
        output::brief(&reference.title),
        output::safe(reference.source.as_str()),
        reference.line,
        output::brief(reference.reason.as_deref().unwrap_or_default())
    )
}

fn problems(text: &mut String, broken: &[BrokenLink], refused: &[RefusedRule]) {
    for link in broken {
        let _ = writeln!(
            text,
            "{}: `{}` ({}:{}): {}",
            paint(WARN, "broken link"),
            output::brief(&link.link),
            output::safe(link.source.as_str()),
            link.line,
            output::brief(&link.reason)
        );
    }
    for it in refused {
        let (file, reason) = (output::safe(it.file.as_str()), output::brief(&it.reason));
        let _ = writeln!(text, "{}: {file}: {reason}", paint(WARN, "refused"));
    }
}

/// `2 files of rules, 1 linked file, at most 913 of 8000 tokens`, for standard error.
fn headline(answer: &RulesAnswer) -> String {
    let linked = answer.references.iter().filter(|it| it.shown).count();
    format!(
        "{} of rules, {}, at most {} of {} tokens",
        base::counted(answer.rules.iter().filter(|it| it.bytes > 0).count(), "file"),
        base::counted(linked, "linked file"),
        answer.tokens,
        answer.budget
    )
}
