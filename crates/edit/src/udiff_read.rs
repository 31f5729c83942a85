//! Parser of unified diffs, git's and others, tolerant of what models commonly get wrong: counts in
//! hunk headers, missing prefixes, converted line endings.

use std::path::Path;

use crate::endings::strip_eol;
use crate::request::{Body, project_path};
use crate::udiff_hunk::{
    FileDiff, Hunk, HunkLine, LineKind, header_numbers, hunk_line, no_newline,
};
use crate::udiff_names::{git_names, unquote};
use crate::{EditError, EditRequest, Format};

/// Whether the diff of a file begins with `line`.
pub(crate) fn is_header(line: &str, next: &str) -> bool {
    line.starts_with("diff --git ") || (line.starts_with("--- ") && next.starts_with("+++ "))
}

/// Parses a unified diff, git's or another; text before, between and after the diffs of files is
/// ignored.
pub(crate) fn read(text: &str, root: &Path) -> Result<EditRequest, EditError> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let end = lines.iter().rposition(|line| !strip_eol(line).is_empty()).map_or(0, |at| at + 1);
    let mut parser = DiffParser { lines, at: 0, end, root, notes: Vec::new() };
    let mut files = Vec::new();
    while let Some(line) = parser.line(0) {
        if is_header(line, parser.line(1).unwrap_or("")) {
            files.push(parser.file()?);
        } else if line.starts_with("@@ ") {
            return Err(parser.error("a hunk without a file header before it"));
        } else {
            parser.at += 1;
        }
    }
    if files.is_empty() {
        return Err(EditError::Empty);
    }
    Ok(EditRequest {
        format: Format::UnifiedDiff,
        confidence: None,
        notes: parser.notes,
        body: Body::Diff(files),
    })
}

struct DiffParser<'a> {
    lines: Vec<&'a str>,
    at: usize,
    /// Index after the last non-empty line (a line of one space is a blank context line).
    end: usize,
    root: &'a Path,
    notes: Vec<String>,
}

/// The names in the header of a file.
#[derive(Default)]
struct HeaderNames {
    git: Option<(String, String)>,
    /// HeaderNames in `---` and `+++`; `Some(None)` is `/dev/null`.
    old: Option<Option<String>>,
    new: Option<Option<String>>,
    rename_from: Option<String>,
    rename_to: Option<String>,
    is_new: bool,
    is_deleted: bool,
}

impl<'a> DiffParser<'a> {
    /// The line `ahead` lines after the current one, without its terminator.
    fn line(&self, ahead: usize) -> Option<&'a str> {
        self.lines.get(self.at + ahead).map(|line| line.trim_end_matches(['\n', '\r']))
    }

    fn error(&self, message: impl Into<String>) -> EditError {
        EditError::DiffSyntax { line: self.at + 1, message: message.into() }
    }

    fn file(&mut self) -> Result<FileDiff, EditError> {
        let mut names = HeaderNames::default();
        let mut file = FileDiff::default();
        let begin = self.at + 1;
        let is_crlf = self.lines.get(self.at).is_some_and(|line| line.ends_with("\r\n"));
        if let Some(rest) = self.line(0).and_then(|line| line.strip_prefix("diff --git ")) {
            names.git = git_names(rest);
            self.at += 1;
        }
        while let Some(line) = self.line(0) {
            if line.starts_with("@@") || line.starts_with("diff --git ") {
                break;
            }
            if line.starts_with("--- ") && self.line(1).is_some_and(|it| it.starts_with("+++ ")) {
                if names.old.is_some() {
                    break;
                }
                names.old = Some(self.name(line.get(4..).unwrap_or(""))?);
                self.at += 1;
                let new = self.line(0).and_then(|line| line.get(4..)).unwrap_or("");
                names.new = Some(self.name(new)?);
                self.at += 1;
                continue;
            }
            if names.old.is_some() {
                break;
            }
            self.extended(line, &mut names, &mut file)?;
            self.at += 1;
        }
        while self.line(0).is_some_and(|line| line.starts_with("@@")) {
            let hunk = self.hunk(file.hunks.len() + 1)?;
            file.hunks.push(hunk);
        }
        self.resolve(&names, &mut file, begin)?;
        // A diff whose own headers end in CRLF was converted in transit: its line endings are not
        // those of a new file (lines of an existing file are compared with it).
        let lines = || file.hunks.iter().flat_map(|hunk| &hunk.lines);
        if is_crlf && file.old.is_none() && lines().all(|line| line.text.ends_with("\r\n")) {
            for line in file.hunks.iter_mut().flat_map(|hunk| &mut hunk.lines) {
                line.text = line.text.replace("\r\n", "\n");
            }
        }
        Ok(file)
    }

    /// Parses one of git's extended header lines.
    fn extended(
        &self,
        line: &str,
        names: &mut HeaderNames,
        file: &mut FileDiff,
    ) -> Result<(), EditError> {
        let mode = |mode: &str| match mode.trim() {
            "100644" | "100664" => Ok(Some(false)),
            "100755" | "100775" => Ok(Some(true)),
            "120000" => Err(self.error("symbolic links cannot be edited")),
            "160000" => Err(self.error("submodules cannot be edited")),
            other => Err(self.error(format!("unknown file mode `{other}`"))),
        };
        let name = |text: &str| unquote(text).ok_or_else(|| self.error("a badly quoted path"));
        if let Some(rest) = line.strip_prefix("new file mode ") {
            names.is_new = true;
            file.executable = mode(rest)?;
        } else if let Some(rest) = line.strip_prefix("deleted file mode ") {
            names.is_deleted = true;
            mode(rest)?;
        } else if let Some(rest) = line.strip_prefix("new mode ") {
            file.executable = mode(rest)?;
        } else if let Some(rest) = line.strip_prefix("old mode ") {
            mode(rest)?;
        } else if let Some(rest) = line.strip_prefix("rename from ") {
            names.rename_from = Some(name(rest)?);
        } else if let Some(rest) = line.strip_prefix("rename to ") {
            names.rename_to = Some(name(rest)?);
        } else if let Some(rest) = line.strip_prefix("copy from ") {
            names.rename_from = Some(name(rest)?);
            file.is_copy = true;
        } else if let Some(rest) = line.strip_prefix("copy to ") {
            names.rename_to = Some(name(rest)?);
        } else if line.starts_with("GIT binary patch") || line.starts_with("Binary files ") {
            return Err(self.error("binary patches are not supported"));
        } else if line.starts_with("index ") && line.ends_with(" 120000") {
            mode("120000")?;
        }
        Ok(())
    }

    /// The name in a `---` or `+++` line; `None` for `/dev/null`.
    fn name(&self, text: &str) -> Result<Option<String>, EditError> {
        let text = match text.split_once('\t') {
            Some((name, _)) => name,
            None => text.trim_end(),
        };
        if text == "/dev/null" {
            return Ok(None);
        }
        unquote(text).map(Some).ok_or_else(|| self.error("a badly quoted path"))
    }

    /// Determines old and new path, without the prefixes `a/` and `b/`.
    fn resolve(
        &self,
        names: &HeaderNames,
        file: &mut FileDiff,
        begin: usize,
    ) -> Result<(), EditError> {
        let at = format!("line {begin} of the diff");
        let is_git = names.git.is_some();
        let (mut old, mut new) = match (&names.rename_from, &names.rename_to) {
            (Some(from), Some(to)) => (Some(from.clone()), Some(to.clone())),
            (None, None) => match (&names.old, &names.new, &names.git) {
                (Some(old), Some(new), _) => {
                    let both =
                        |old: &str, new: &str| old.starts_with("a/") && new.starts_with("b/");
                    let strip = match (old, new) {
                        (Some(old), Some(new)) => both(old, new),
                        _ => true,
                    };
                    let bare = |name: &Option<String>, prefix: &str| {
                        name.as_ref().map(|name| match name.strip_prefix(prefix) {
                            Some(rest) if strip => rest.to_owned(),
                            _ => name.clone(),
                        })
                    };
                    (bare(old, "a/"), bare(new, "b/"))
                }
                (_, _, Some((old, new))) => (
                    Some(old.strip_prefix("a/").unwrap_or(old).to_owned()),
                    Some(new.strip_prefix("b/").unwrap_or(new).to_owned()),
                ),
                _ => return Err(self.error("no file name in the header")),
            },
            _ => {
                return Err(self.error("`rename from` without `rename to`, or the other way round"));
            }
        };
        if names.is_new {
            old = None;
        }
        if names.is_deleted {
            new = None;
        }
        if old.is_none() && new.is_none() {
            return Err(self.error("both sides are `/dev/null`"));
        }
        let names_differ = matches!((&old, &new), (Some(old), Some(new)) if old != new);
        if names_differ && names.rename_from.is_none() {
            // `diff -u x.orig x`: the new name is the file. Git marks a rename explicitly.
            if is_git {
                return Err(self.error("the two names differ without a `rename from` line"));
            }
            old.clone_from(&new);
        }
        let path =
            |name: Option<String>| name.map(|name| project_path(self.root, &name, &at)).transpose();
        file.old = path(old)?;
        file.new = path(new)?;
        let changes = !file.hunks.is_empty() || file.executable.is_some() || file.old != file.new;
        if changes {
            Ok(())
        } else {
            Err(EditError::DiffSyntax {
                line: begin,
                message: "a file header without hunks".into(),
            })
        }
    }

    /// Parses a hunk by the counts of its header; where they are wrong, up to its end, with a note.
    fn hunk(&mut self, number: usize) -> Result<Hunk, EditError> {
        let header = self.line(0).unwrap_or("");
        let (start, counts) = header_numbers(header)
            .ok_or_else(|| self.error("a hunk header must read `@@ -1,3 +1,4 @@`"))?;
        self.at += 1;
        let begin = self.at;
        if let Some((old, new)) = counts {
            if let Some(lines) = self.counted(old, new) {
                return Ok(Hunk { start, lines });
            }
            self.at = begin;
            self.notes.push(format!(
                "line {begin} of the diff: hunk {number} has line counts that differ from its header"
            ));
        }
        let lines = self.uncounted()?;
        if lines.is_empty() {
            return Err(self.error("a hunk without lines"));
        }
        Ok(Hunk { start, lines })
    }

    fn counted(&mut self, mut old: usize, mut new: usize) -> Option<Vec<HunkLine>> {
        let mut lines: Vec<HunkLine> = Vec::new();
        while old > 0 || new > 0 {
            let raw = *self.lines.get(self.at)?;
            if raw.starts_with('\\') {
                no_newline(&mut lines)?;
                self.at += 1;
                continue;
            }
            let line = hunk_line(raw)?;
            if line.kind != LineKind::Add {
                old = old.checked_sub(1)?;
            }
            if line.kind != LineKind::Remove {
                new = new.checked_sub(1)?;
            }
            lines.push(line);
            self.at += 1;
        }
        if self.lines.get(self.at).is_some_and(|raw| raw.starts_with('\\')) {
            no_newline(&mut lines)?;
            self.at += 1;
        }
        // The hunk must end here: at a header, the end, or text that is not a line of a hunk.
        let next = self.line(0).unwrap_or("");
        let signature = matches!(next, "-- " | "--");
        let continues = next.starts_with([' ', '+', '-'])
            && !signature
            && !is_header(next, self.line(1).unwrap_or(""));
        (!continues).then_some(lines)
    }

    fn uncounted(&mut self) -> Result<Vec<HunkLine>, EditError> {
        let mut lines: Vec<HunkLine> = Vec::new();
        while let Some(raw) = self.lines.get(self.at).copied() {
            let bare = self.line(0).unwrap_or("");
            if bare.starts_with("@@") || is_header(bare, self.line(1).unwrap_or("")) {
                break;
            }
            // A blank line at the very end of the request is not part of the hunk.
            if (bare.is_empty() && self.at >= self.end) || bare.starts_with("```") {
                self.at += 1;
                break;
            }
            if raw.starts_with('\\') {
                no_newline(&mut lines)
                    .ok_or_else(|| self.error("`\\ No newline` without a line before it"))?;
            } else {
                let line = hunk_line(raw).ok_or_else(|| {
                    self.error("a hunk's line must begin with a space, `-`, `+` or `\\`")
                })?;
                lines.push(line);
            }
            self.at += 1;
        }
        Ok(lines)
    }
}
