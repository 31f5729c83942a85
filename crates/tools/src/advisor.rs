//! rust-analyzer's quick fixes as repair candidates.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use analyzer::AnalyzerError;
use analyzer::session::{Action, FileEdits, Health, LspPosition, LspRange, Session};
use base::{ByteSpan, Ctx, LineIndex, ProjectPath};
use edit::{Files, Splice};
use project::Workspace;
use repair::{Advice, Advisor, Overlaid};

use crate::Error;

/// Time limit for the lock of the server and for its loading.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Kinds of code actions that fix diagnostics; other assists refactor correct code.
const ACTION_KINDS: &[&str] = &["quickfix"];

/// The source of rust-analyzer's quick fixes; `None`: there is no rust-analyzer
/// ([`Workspace::no_analyzer`] has the reason). The first request starts the server.
///
/// # Errors
/// A missing toolchain, or an interrupt by the user.
pub fn advisor(ctx: &Ctx, workspace: &Workspace) -> Result<Option<Box<dyn Advisor>>, Error> {
    let root = workspace.project().root();
    let session = workspace.session(ctx)?;
    Ok(session.map(|session| Box::new(QuickFixes::new(ctx, root, session)) as Box<dyn Advisor>))
}

/// Quick fixes of a live rust-analyzer, which receives the texts of each candidate.
struct QuickFixes {
    ctx: Ctx,
    root: PathBuf,
    session: Arc<Session>,
}

impl QuickFixes {
    fn new(ctx: &Ctx, root: &Path, session: Arc<Session>) -> Self {
        Self { ctx: ctx.clone(), root: root.to_owned(), session }
    }

    fn collect(
        &self,
        locations: &[(ProjectPath, ByteSpan)],
        files: &Overlaid<'_>,
        advice: &mut Vec<Vec<Advice>>,
    ) -> Result<(), AnalyzerError> {
        let ctx = &self.ctx;
        let mut guard = self.session.lock_overlays(ctx, TIMEOUT)?;
        // Proposals of a server with other problems are still checked by cargo.
        if self.session.ready(ctx, TIMEOUT)? == Health::Loading {
            return Ok(());
        }
        for (path, change) in files.overlay.changes() {
            if let Some(after) = change.after.as_ref().filter(|_| path.extension() == Some("rs")) {
                let before = change.before.as_ref().map(|state| &*state.text);
                guard.show(ctx, &path.join_to(&self.root), &after.text, before)?;
            }
        }
        for (path, span) in locations {
            let mut found = Vec::new();
            if let Some(text) = text_of(files, path)
                && let Some(range) = range(&text, *span)
            {
                let path = path.join_to(&self.root);
                let offered = self.session.actions(ctx, &path, range, ACTION_KINDS)?;
                found.extend(offered.iter().filter_map(|it| self.advice(it, files)));
            }
            advice.push(found);
        }
        Ok(())
    }

    /// The action as splices; `None` if it changes files outside the project.
    fn advice(&self, action: &Action, files: &Overlaid<'_>) -> Option<Advice> {
        let mut splices = Vec::new();
        for FileEdits { path, edits } in &action.edits {
            let path = ProjectPath::within(&self.root, path).ok()?;
            let text = text_of(files, &path)?;
            for edit in edits {
                let span =
                    ByteSpan::new(offset(&text, edit.range.start)?, offset(&text, edit.range.end)?);
                if span.slice(&text)? != edit.text {
                    splices.push((path.clone(), Splice { span, insert: edit.text.clone() }));
                }
            }
        }
        splices.sort_by(|(a, x), (b, y)| a.cmp(b).then(x.span.cmp(&y.span)));
        (!splices.is_empty()).then(|| Advice { title: action.title.clone(), splices })
    }
}

impl Advisor for QuickFixes {
    fn advise(
        &self,
        locations: &[(ProjectPath, ByteSpan)],
        files: &Overlaid<'_>,
    ) -> Vec<Vec<Advice>> {
        let mut advice = Vec::new();
        if let Err(error) = self.collect(locations, files, &mut advice) {
            // The advice so far remains usable, and the other reasoners continue.
            self.ctx.progress("rust-analyzer", error.to_string());
        }
        advice
    }
}

fn text_of(files: &Overlaid<'_>, path: &ProjectPath) -> Option<Arc<str>> {
    files.read(path).ok().flatten().map(|state| state.text)
}

fn range(text: &str, span: ByteSpan) -> Option<LspRange> {
    let lines = LineIndex::new(text);
    let at = |byte: usize| {
        let line = lines.line_of(byte);
        let start = lines.line_span(line)?.start;
        let column = u32::try_from(byte.checked_sub(start)?).ok()?;
        Some(LspPosition { line: line.checked_sub(1)?, column })
    };
    Some(LspRange { start: at(span.start)?, end: at(span.end)? })
}

fn offset(text: &str, position: LspPosition) -> Option<usize> {
    let line = LineIndex::new(text).line_span(position.line.checked_add(1)?)?;
    let byte = line.start + position.column as usize;
    text.is_char_boundary(byte).then_some(byte)
}
