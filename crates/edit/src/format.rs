//! Detects the format of a request and calls its parser.

use std::path::Path;

use crate::{EditError, EditRequest, json_request, search_replace, udiff_read, whole_file};

/// Parses a request: JSON (tagged edits, or the legacy form of a splice), a unified diff,
/// search/replace blocks, or whole files. The first marker of a format decides; a text without any
/// is rejected with the reason for each format. Absolute paths must be below `project_root`, which
/// is only compared, never opened.
pub fn parse_request(text: &str, project_root: &Path) -> Result<EditRequest, EditError> {
    let text = unfenced(text.strip_prefix('\u{feff}').unwrap_or(text));
    if text.trim().is_empty() {
        return Err(EditError::Empty);
    }
    if text.trim_start().starts_with(['{', '[']) {
        return json_request::read(text, project_root);
    }
    let mut diff_at = None;
    let mut block_at = None;
    let mut lines = text.lines().enumerate().peekable();
    while let Some((idx, line)) = lines.next() {
        let next = lines.peek().map_or("", |(_, next)| next);
        if udiff_read::is_header(line, next) {
            diff_at.get_or_insert(idx);
        }
        if search_replace::is_opening(line) {
            block_at.get_or_insert(idx);
        }
    }
    match (diff_at, block_at) {
        (Some(diff), Some(block)) if block < diff => search_replace::read(text, project_root),
        (Some(_), _) => udiff_read::read(text, project_root),
        (None, Some(_)) => search_replace::read(text, project_root),
        (None, None) if whole_file::has_fence(text) => whole_file::read(text, project_root),
        (None, None) => Err(EditError::NoFormat {
            reasons: vec![
                "JSON: does not start with `{`".into(),
                "unified diff: no `--- ` and `+++ ` lines and no `diff --git` line".into(),
                "search/replace: no `<<<<<<< SEARCH` line".into(),
                "whole file: no fence of three backticks".into(),
            ],
        }),
    }
}

/// The content of a single code fence around the whole request, where its info string is JSON or a
/// diff: models often wrap their output.
fn unfenced(text: &str) -> &str {
    let trimmed = text.trim();
    let Some((first, rest)) = trimmed.split_once('\n') else { return text };
    let info = first.trim_start_matches('`').trim();
    let ticks = first.len() - first.trim_start_matches('`').len();
    if ticks < 3 || !matches!(info, "json" | "diff" | "patch" | "udiff") {
        return text;
    }
    match rest.rfind('\n') {
        Some(at) if rest[at + 1..].trim_end() == &first[..ticks] => &rest[..=at],
        _ => text,
    }
}
