//! After an edit and at the end: the compiler's errors, only those that are new, by item.

use std::fmt::Write as _;

use base::{Ctx, Severity};
use check::Tests;
use project::Workspace;

use super::seen::Seen;
use super::{HookAnswer, HookInput};
use crate::{CheckRequest, Error, ReportedDiagnostic, check_tree};

/// The most errors of an answer.
const LISTED: usize = 8;
/// The most characters of one message.
const MESSAGE: usize = 300;

/// The errors that this edit has added.
pub(super) fn after_edit(
    ctx: &Ctx,
    workspace: &Workspace,
    input: &HookInput,
) -> Result<HookAnswer, Error> {
    let Some(path) = input.file(workspace.project().root()) else {
        return Ok(HookAnswer::default());
    };
    let mut seen = Seen::read(workspace, input.session());
    if seen.edited.insert(path.to_string()) {
        seen.write(ctx, workspace, input.session());
    }
    let errors = errors(ctx, workspace)?;
    let before = seen.errors.replace(errors.iter().map(identity).collect());
    seen.write(ctx, workspace, input.session());
    let is_known = |error: &ReportedDiagnostic| {
        before.as_ref().is_some_and(|it| it.contains(&identity(error)))
    };
    let new: Vec<&ReportedDiagnostic> = errors.iter().filter(|error| !is_known(error)).collect();
    if new.is_empty() {
        return Ok(HookAnswer::default());
    }
    let old = errors.len() - new.len();
    let mut text = match before {
        Some(_) => {
            format!("graftage: {} since the last check\n", base::counted(new.len(), "new error"))
        }
        None => format!(
            "graftage: {} now; this is the first check of the session, so some may be older than \
             this edit\n",
            base::counted(new.len(), "error")
        ),
    };
    list(&mut text, &new);
    if old > 0 {
        let _ = writeln!(text, "({} from before)", base::counted(old, "error"));
    }
    Ok(HookAnswer::context("PostToolUse", text))
}

/// What is broken or not proven when the agent wants to end. It is sent back once.
pub(super) fn at_end(
    ctx: &Ctx,
    workspace: &Workspace,
    input: &HookInput,
) -> Result<HookAnswer, Error> {
    let seen = Seen::read(workspace, input.session());
    if seen.edited.is_empty() {
        return Ok(HookAnswer::default());
    }
    let errors = errors(ctx, workspace)?;
    let files = base::counted(seen.edited.len(), "file");
    if errors.is_empty() {
        return Ok(HookAnswer::note(format!(
            "graftage: the project builds; {files} edited outside graftage, whose tests were not \
             run by it (`graftage check --tests affected` proves them)"
        )));
    }
    let mut text =
        format!("graftage: the project does not build, {}\n", base::counted(errors.len(), "error"));
    list(&mut text, &errors.iter().collect::<Vec<_>>());
    let _ = write!(text, "Repair them (the tools `fix` and `finish` may do it), or say why not.");
    Ok(match input.is_asked_already() {
        true => HookAnswer::note(text),
        false => HookAnswer::block(text),
    })
}

fn errors(ctx: &Ctx, workspace: &Workspace) -> Result<Vec<ReportedDiagnostic>, Error> {
    let request = CheckRequest { tests: Some(Tests::None), ..CheckRequest::default() };
    let checked = check_tree(ctx, workspace, &request, &mut |_| {})?;
    let mut errors: Vec<ReportedDiagnostic> =
        checked.diagnostics.into_iter().filter(|it| it.severity == Severity::Error).collect();
    if let Some(failure) = checked.failure.filter(|_| errors.is_empty()) {
        errors.push(ReportedDiagnostic::of_failure(failure));
    }
    Ok(errors)
}

/// An error without its line, which every edit above it changes.
fn identity(error: &ReportedDiagnostic) -> String {
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    format!(
        "{}\n{}\n{}\n{}",
        text(&error.file),
        text(&error.code),
        text(&error.item),
        error.message
    )
}

fn list(text: &mut String, errors: &[&ReportedDiagnostic]) {
    for error in errors.iter().take(LISTED) {
        let line = error.line.or(error.changed_line).map(|it| format!(":{it}")).unwrap_or_default();
        let place = error.file.as_ref().map(|file| format!("{file}{line}: ")).unwrap_or_default();
        let code = error.code.as_ref().map(|it| format!("[{it}] ")).unwrap_or_default();
        let message: String = error.message.chars().take(MESSAGE).collect();
        let _ = write!(text, "- {place}{code}{message}");
        if let Some(item) = &error.item {
            let _ = write!(text, " (in `{item}`)");
        }
        if let Some(hint) = &error.hint {
            let _ = write!(text, "; help: {hint}");
        }
        text.push('\n');
    }
    if errors.len() > LISTED {
        let _ = writeln!(text, "- and {} more", errors.len() - LISTED);
    }
}
