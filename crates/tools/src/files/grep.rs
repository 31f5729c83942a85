//! `grep`: lines that match a regular expression.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use base::Ctx;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{
    BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkContextKind, SinkMatch,
};
use project::{ExitKind, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use untrusted_fs::Dir;

use super::glob::matching_files;
use crate::{Effect, Tool, ToolCard, ToolError};

/// The most bytes of a file that is searched.
const LARGEST: u64 = 32 << 20;

/// The most characters of a line in an answer.
const LINE: usize = 300;

/// The most bytes of an answer's lines.
const ANSWER: usize = 40 << 10;

/// The most bytes of a pattern, and of the program that it is compiled to.
const PATTERN: usize = 1_000;
const PROGRAM: usize = 4 << 20;

/// The most time of a search.
const SLOWEST: Duration = Duration::from_secs(20);

/// Searches files.
pub(crate) struct GrepTool;

/// Input of [`GrepTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GrepInput {
    /// Regular expression of Rust's `regex`.
    #[schemars(length(min = 1))]
    pattern: String,
    /// Only files that match this glob.
    #[serde(default = "everything")]
    files: String,
    /// Take the pattern literally.
    #[serde(default)]
    literal: bool,
    /// Ignore case.
    #[serde(default)]
    ignore_case: bool,
    /// Lines around each match.
    #[serde(default)]
    #[schemars(range(max = 10))]
    context: usize,
    /// Maximum number of matching lines.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
    /// Matching lines to skip.
    #[serde(default)]
    offset: usize,
}

fn everything() -> String {
    "**".to_owned()
}

fn fifty() -> usize {
    50
}

/// Output of [`GrepTool`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct GrepOutput {
    /// Files with matches, sorted.
    files: Vec<GrepFile>,
    /// Offset of the next matches, if there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    /// Number of files that were not searched: too large, or not readable.
    #[serde(skip_serializing_if = "is_zero")]
    skipped: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The matches of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct GrepFile {
    /// Path.
    file: String,
    /// `12:text` of a match, `13-text` of a line around it.
    lines: Vec<String>,
}

impl Tool for GrepTool {
    type Input = GrepInput;
    type Output = GrepOutput;
    const CARD: ToolCard = ToolCard {
        name: "grep",
        title: "Search text",
        description: "Lists the lines that match a regular expression, without ignored, hidden \
                      and binary files. For callers and uses, `graph` is exact.",
        effect: Effect::Reads,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: GrepInput,
    ) -> Result<GrepOutput, ToolError> {
        let matcher = matcher(&input)?;
        let paths = matching_files(ctx, workspace, "files", &input.files)?;
        let cannot = |error: untrusted_fs::Fault| {
            let reason = format!("the project cannot be read: {error}");
            ToolError::new(ExitKind::Environment, reason, "check its permissions")
        };
        let root = Dir::open(workspace.project().root()).map_err(cannot)?;
        let mut searcher = SearcherBuilder::new()
            .binary_detection(BinaryDetection::quit(0))
            .before_context(input.context)
            .after_context(input.context)
            .line_number(true)
            .build();
        let mut page = Page { left_out: input.offset, wanted: input.limit, bytes: 0, more: false };
        let mut output = GrepOutput { files: Vec::new(), next_offset: None, skipped: 0 };
        let deadline = Instant::now() + SLOWEST;
        for path in paths {
            ctx.check_cancelled()?;
            let Ok(Some(file)) = root.open_file(path.as_str()) else {
                output.skipped += 1;
                continue;
            };
            if file.metadata().map_or(true, |meta| meta.len() > LARGEST) {
                output.skipped += 1;
                continue;
            }
            let mut lines = FileLines { page: &mut page, lines: Vec::new(), before: Vec::new() };
            // A file that grows meanwhile is read up to the limit.
            let source = Watched { inner: file.take(LARGEST), ctx, deadline };
            let searched = searcher.search_reader(&matcher, source, &mut lines);
            let lines = lines.lines;
            match searched {
                Ok(()) => {}
                Err(_) if ctx.is_cancelled() => return Err(base::Cancelled.into()),
                Err(_) if Instant::now() > deadline => return Err(too_slow()),
                Err(_) => output.skipped += 1,
            }
            if !lines.is_empty() {
                output.files.push(GrepFile { file: path.to_string(), lines });
            }
            if page.more {
                let shown = input.limit - page.wanted;
                output.next_offset = Some(input.offset.saturating_add(shown));
                break;
            }
        }
        Ok(output)
    }
}

fn matcher(input: &GrepInput) -> Result<RegexMatcher, ToolError> {
    let refused = |reason: String, fix: &str| Err(ToolError::field("pattern", reason, fix));
    if input.pattern.len() > PATTERN {
        return refused(format!("it has more than {PATTERN} bytes"), "pass a shorter pattern");
    }
    let built = RegexMatcherBuilder::new()
        .case_insensitive(input.ignore_case)
        .fixed_strings(input.literal)
        .size_limit(PROGRAM)
        .dfa_size_limit(PROGRAM)
        .nest_limit(50)
        .line_terminator(Some(b'\n'))
        .build(&input.pattern);
    match built {
        Ok(matcher) => Ok(matcher),
        Err(error) => {
            let fix = "correct the expression, or pass `literal`: true to search the text as it is";
            refused(error.to_string(), fix)
        }
    }
}

fn too_slow() -> ToolError {
    let reason = format!("the search took more than {} s", SLOWEST.as_secs());
    ToolError::new(ExitKind::No, reason, "pass a simpler `pattern`, or a narrower `files`")
}

/// The part of the matches that is answered.
struct Page {
    /// Matches that are still to be left out.
    left_out: usize,
    /// Matches that are still wanted.
    wanted: usize,
    /// Bytes of the lines so far.
    bytes: usize,
    /// Whether there are more.
    more: bool,
}

struct FileLines<'a> {
    page: &'a mut Page,
    lines: Vec<String>,
    /// Lines before a match that may be left out.
    before: Vec<String>,
}

impl FileLines<'_> {
    fn push(&mut self, line: String) {
        self.page.bytes += line.len();
        self.lines.push(line);
    }
}

impl Sink for FileLines<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        if self.page.left_out > 0 {
            self.page.left_out -= 1;
            self.before.clear();
            return Ok(true);
        }
        if self.page.wanted == 0 || self.page.bytes > ANSWER {
            self.page.more = true;
            return Ok(false);
        }
        self.page.wanted -= 1;
        for line in std::mem::take(&mut self.before) {
            self.push(line);
        }
        let line = shown(found.line_number(), ':', found.bytes());
        self.push(line);
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        let line = shown(context.line_number(), '-', context.bytes());
        match context.kind() {
            SinkContextKind::Before => self.before.push(line),
            // After a match that was left out.
            _ if self.lines.is_empty() => {}
            _ => self.push(line),
        }
        Ok(true)
    }
}

fn shown(number: Option<u64>, mark: char, line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end_matches(['\n', '\r']);
    let cut = text.char_indices().nth(LINE).map(|(at, _)| at);
    let (text, more) = cut.map_or((text, ""), |at| (&text[..at], "…"));
    format!("{}{mark}{text}{more}", number.unwrap_or_default())
}

/// A file whose search ends with the call, or after [`SLOWEST`].
struct Watched<'a, R> {
    inner: R,
    ctx: &'a Ctx,
    deadline: Instant,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ctx.is_cancelled() || Instant::now() > self.deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.inner.read(buffer)
    }
}
