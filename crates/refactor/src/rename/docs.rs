//! The tokens of a name in documentation: links to items, and examples.

use std::sync::Arc;

use base::{ByteSpan, LineIndex, ProjectPath, has_word, is_word};
use preserve::outline::tokens;
use syntax::places::places;

use super::shape::{SiteShape, shapes};
use super::{RenameSite, SiteRegion, SiteVerdict, Source};

/// One line of documentation: the span of its content, without the comment's marker.
struct DocLine {
    span: ByteSpan,
}

/// An example in the documentation, as a text of its own.
pub(crate) struct DocExample {
    /// The code, in a function.
    pub(crate) code: String,
    /// Where each line starts in the code and in the file.
    starts: Vec<(usize, usize)>,
    /// Text of each line before its code: indent and marks of the comment.
    heads: Vec<String>,
    /// The first and the last line in the file, from 1.
    lines: Option<(u32, u32)>,
    /// Whether a test of the documentation compiles it, and it has to compile.
    pub(crate) is_compiled: bool,
}

impl DocExample {
    /// The place in the file of a place in the code.
    pub(crate) fn to_file(&self, at: usize) -> Option<usize> {
        let line = self.starts.partition_point(|(start, _)| *start <= at).checked_sub(1)?;
        let (start, real) = self.starts.get(line)?;
        Some(real + (at - start))
    }

    /// A text to insert at a place of the code, with the marks of the comment after each line break.
    pub(crate) fn commented(&self, at: usize, insert: &str) -> String {
        let line = self.starts.partition_point(|(start, _)| *start <= at).checked_sub(1);
        let head = line.and_then(|it| self.heads.get(it)).map_or("", String::as_str);
        insert.replace('\n', &format!("\n{head}"))
    }

    /// The place in the code of a place in the file.
    pub(crate) fn to_code(&self, at: usize) -> Option<usize> {
        let line = self.starts.partition_point(|(_, real)| *real <= at).checked_sub(1)?;
        let (start, real) = self.starts.get(line)?;
        let end = self.code.get(*start..)?.find('\n').map_or(self.code.len(), |it| start + it);
        Some(start + (at - real)).filter(|it| *it <= end)
    }
}

/// The examples in the documentation of a text.
pub(crate) fn examples(text: &str) -> Vec<DocExample> {
    examples_in(text, &blocks(text))
}

/// The examples of a file: of a page all its blocks of Rust.
pub(crate) fn examples_of(source: &Source) -> Vec<DocExample> {
    examples_in(&source.text, &doc_blocks(source))
}

fn examples_in(text: &str, blocks: &[Vec<DocLine>]) -> Vec<DocExample> {
    let index = LineIndex::new(text);
    let mut found = Vec::new();
    visit_blocks(text, blocks, |part| {
        if let DocPart::Example(info, lines) = part {
            found.push(example(text, &index, (info, lines)));
        }
    });
    found
}

/// Whether an example of the documentation has one of these names: in a comment of `texts`, or in a
/// Markdown file if one of them includes such files.
pub fn examples_name(texts: &[(ProjectPath, Arc<str>)], names: &[&str]) -> bool {
    let has = |text: &str| names.iter().any(|it| has_word(text, it));
    let is_rust = |path: &ProjectPath| path.extension() == Some("rs");
    let includes = |text: &str| text.contains("include_str!") && text.contains(".md\"");
    let includes = texts.iter().any(|(path, text)| is_rust(path) && includes(text));
    texts.iter().any(|(path, text)| match is_rust(path) {
        true => has(text) && examples(text).iter().any(|it| has(&it.code)),
        false => includes && text.contains("```") && has(text),
    })
}

/// The lines of the documentation of a text outside of code blocks.
pub(crate) fn prose(text: &str) -> Vec<ByteSpan> {
    let mut found = Vec::new();
    visit(text, |part| {
        if let DocPart::Line(line) = part {
            found.push(line);
        }
    });
    found
}

/// A part of the documentation.
enum DocPart<'a> {
    /// The info string and the lines of a code block in Rust.
    Example(&'a str, &'a [ByteSpan]),
    /// A line outside of code blocks.
    Line(ByteSpan),
}

/// The tokens of `name` in the documentation of a file.
pub(super) fn sites(source: &Source, name: &str) -> Vec<RenameSite> {
    let text: &str = &source.text;
    let index = LineIndex::new(text);
    let mut found = Vec::new();
    visit_blocks(text, &doc_blocks(source), |part| match part {
        DocPart::Example(info, lines) => {
            found.extend(in_example(source, name, &example(text, &index, (info, lines))));
        }
        // The links of a page are for its readers elsewhere too.
        DocPart::Line(_) if source.is_page => {}
        DocPart::Line(line) => found.extend(links(source, name, line)),
    });
    found
}

/// Passes on the parts of the documentation of a Rust text, in order.
fn visit(text: &str, on: impl FnMut(DocPart<'_>)) {
    visit_blocks(text, &blocks(text), on);
}

fn visit_blocks(text: &str, blocks: &[Vec<DocLine>], mut on: impl FnMut(DocPart<'_>)) {
    for block in blocks {
        let mut fence: Option<(&str, &str, Vec<ByteSpan>)> = None;
        for line in block {
            let content = line.span.slice(text).unwrap_or("");
            match (&mut fence, fence_of(content)) {
                (None, Some((marks, info))) => fence = Some((marks, info, Vec::new())),
                (None, None) => on(DocPart::Line(line.span)),
                // A fence of other marks, fewer marks, or with a word after them closes nothing.
                (Some((opened, info, code)), Some((marks, ""))) if marks.starts_with(*opened) => {
                    if is_rust(info) {
                        on(DocPart::Example(info, code));
                    }
                    fence = None;
                }
                (Some((_, _, code)), _) => code.push(line.span),
            }
        }
        // A block that is not closed ends with the documentation, and is compiled.
        if let Some((_, info, code)) = fence.as_ref().filter(|it| is_rust(it.1)) {
            on(DocPart::Example(info, code));
        }
    }
}

/// The marks that open or close a code block, and what follows them.
fn fence_of(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let mark = line.chars().next().filter(|it| matches!(it, '`' | '~'))?;
    let info = line.trim_start_matches(mark);
    let marks = &line[..line.len() - info.len()];
    (marks.len() >= 3 && !(mark == '`' && info.contains('`'))).then(|| (marks, info.trim()))
}

/// Whether a code block with this info string is Rust.
fn is_rust(info: &str) -> bool {
    info.split([',', ' ']).map(str::trim).filter(|it| !it.is_empty()).all(|it| {
        matches!(it, "rust" | "should_panic" | "no_run" | "ignore" | "compile_fail")
            || it.starts_with("edition")
            || it.starts_with("ignore-")
            || (it.starts_with('E') && it[1..].bytes().all(|it| it.is_ascii_digit()))
    })
}

/// Whether an example with this info string has to compile in the tests of the documentation.
fn has_to_compile(info: &str) -> bool {
    !info.split([',', ' ']).any(|it| matches!(it.trim(), "ignore" | "compile_fail"))
}

/// The blocks of documentation of a file; of a page one with all its lines.
fn doc_blocks(source: &Source) -> Vec<Vec<DocLine>> {
    match source.is_page {
        true => vec![page_lines(&source.text)],
        false => blocks(&source.text),
    }
}

/// The lines of a page.
fn page_lines(text: &str) -> Vec<DocLine> {
    let mut start = 0;
    let span = |line: &str| {
        let from = start;
        start += line.len();
        DocLine { span: ByteSpan::new(from, from + line.trim_end().len()) }
    };
    text.split_inclusive('\n').map(span).collect()
}

/// The blocks of documentation comments: lines without other code between them than attributes, which may
/// make lines of their own.
fn blocks(text: &str) -> Vec<Vec<DocLine>> {
    let mut found: Vec<Vec<DocLine>> = Vec::new();
    let tokens = tokens(text);
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|it| it.is(text));
    // Whether a bracket is that of an attribute.
    let begins = |at: usize| {
        let before = |by: usize, text: &str| at.checked_sub(by).is_some_and(|it| is(it, text));
        is(at, "[") && (before(1, "#") || before(1, "!") && before(2, "#"))
    };
    // The number of open brackets of an attribute, and whether only attributes follow the last block.
    let (mut depth, mut continues) = (0_usize, false);
    let mut end = 0;
    for at in 0..=tokens.len() {
        let start = tokens.get(at).map_or(text.len(), |it| it.span.start);
        let lines = doc_lines(text, ByteSpan::new(end, start.max(end)));
        if !lines.is_empty() {
            match found.last_mut().filter(|_| continues) {
                Some(last) => last.extend(lines),
                None => found.push(lines),
            }
            (depth, continues) = (0, true);
        }
        let Some(token) = tokens.get(at) else { break };
        end = token.span.end;
        match token.text {
            "[" if depth > 0 || begins(at) => depth += 1,
            "]" => depth = depth.saturating_sub(1),
            "#" if begins(at + 1) || begins(at + 2) => {}
            "!" if begins(at + 1) => {}
            _ => continues &= depth > 0,
        }
    }
    found
}

/// The documentation between two tokens.
fn doc_lines(text: &str, gap: ByteSpan) -> Vec<DocLine> {
    let mut found = Vec::new();
    let mut in_block = false;
    let mut start = gap.start;
    for line in gap.slice(text).unwrap_or("").split_inclusive('\n') {
        let content = line.trim_end();
        let indent = content.len() - content.trim_start().len();
        let trimmed = content.trim_start();
        let mut from = start + indent;
        let mut end = start + content.len();
        let is_line = (trimmed.starts_with("///") && !trimmed.starts_with("////"))
            || trimmed.starts_with("//!");
        if in_block || is_line {
            if is_line && !in_block {
                from += 3;
            }
            if in_block && trimmed.contains("*/") {
                in_block = false;
                end -= 2;
            }
            found.push(DocLine { span: ByteSpan::new(from.min(end), end) });
        } else if trimmed.starts_with("/**") || trimmed.starts_with("/*!") {
            in_block = !trimmed[3..].contains("*/");
            let end = if in_block { end } else { from + 3 };
            found.push(DocLine { span: ByteSpan::new(from + 3, end.max(from + 3)) });
        }
        start += line.len();
    }
    found
}

/// The example that these lines are, after a fence with this info string.
fn example(text: &str, index: &LineIndex, (info, lines): (&str, &[ByteSpan])) -> DocExample {
    let mut code = String::from("fn main() {\n");
    let mut starts = Vec::new();
    let mut heads = Vec::new();
    for line in lines {
        let content = line.slice(text).unwrap_or("");
        let hidden = content.trim_start();
        // `# ` hides a line of code.
        let skip = match hidden.strip_prefix("# ") {
            Some(rest) => content.len() - rest.len(),
            None => 0,
        };
        starts.push((code.len(), line.start + skip));
        let before = text.get(..line.start + skip).unwrap_or("");
        heads.push(before[before.rfind('\n').map_or(0, |it| it + 1)..].to_owned());
        code.push_str(content.get(skip..).unwrap_or(""));
        code.push('\n');
    }
    code.push('}');
    let ends = lines.first().zip(lines.last());
    let lines = ends.map(|(first, last)| (index.line_of(first.start), index.line_of(last.start)));
    DocExample { code, starts, heads, lines, is_compiled: has_to_compile(info) }
}

/// The tokens of the name in an example.
fn in_example(source: &Source, name: &str, example: &DocExample) -> Vec<RenameSite> {
    if !example.code.contains(name) {
        return Vec::new();
    }
    let to_file = |at: usize| example.to_file(at);
    let places = places(&example.code);
    let mut found = Vec::new();
    let of_trait = |span: ByteSpan| {
        let mut all = places.definitions.iter().filter(|it| it.name_span == span);
        all.find_map(|it| it.of_trait.clone())
    };
    for (span, shape) in shapes(&example.code, &places, name) {
        // The member of an impl is what the trait's member is.
        let shape = match of_trait(span).filter(|_| shape == SiteShape::Definition) {
            Some(before) => {
                let next = "(".to_owned();
                SiteShape::Qualified { before, in_use: false, next }
            }
            None => shape,
        };
        let (Some(start), Some(shape)) = (to_file(span.start), moved(shape, &to_file)) else {
            continue;
        };
        found.push(RenameSite {
            path: source.path.clone(),
            span: ByteSpan::new(start, start + span.len()),
            shape,
            region: SiteRegion::Example,
            verdict: SiteVerdict::Unlikely,
            example: example.lines,
        });
    }
    found
}

/// The shape with its spans in the file; a definition in an example is an item of its own.
fn moved(shape: SiteShape, to_file: &dyn Fn(usize) -> Option<usize>) -> Option<SiteShape> {
    Some(match shape {
        SiteShape::FieldInit { of, value, is_shorthand, is_pattern } => {
            let start = to_file(value.start)?;
            let value = ByteSpan::new(start, start + value.len());
            SiteShape::FieldInit { of, value, is_shorthand, is_pattern }
        }
        other => other,
    })
}

/// The tokens of the name in the links of one line: `` [`path`] ``, `[path]`, `(path)` after a label,
/// `[label]: path`; and in code with the owner's name, `` `Owner::name` ``.
fn links(source: &Source, name: &str, line: ByteSpan) -> Vec<RenameSite> {
    let text: &str = &source.text;
    let content = line.slice(text).unwrap_or("");
    let mut found = Vec::new();
    for at in base::word_places(content, name) {
        let (before, after) = (&content[..at], &content[at + name.len()..]);
        let is_path = |it: char| is_word(it) || it == ':';
        let path_start = before.trim_end_matches(is_path);
        let lead = path_start.trim_end_matches(['`', '<', '>']);
        // `struct@name`, `fn@name`.
        let lead = match lead.strip_suffix('@') {
            Some(it) => it.trim_end_matches(is_word).trim_end_matches('`'),
            None => lead,
        };
        let is_link = lead.ends_with('[') || lead.ends_with("](") || lead.ends_with("]: ");
        let qualifier = before[path_start.len()..].trim_end_matches("::");
        let has_owner = before.ends_with("::") && !qualifier.is_empty();
        let is_code = path_start.ends_with('`');
        if !(is_link || (is_code && has_owner)) {
            continue;
        }
        let owner = qualifier.rsplit("::").next().unwrap_or("");
        let next = match after.starts_with("::") {
            true => "::".to_owned(),
            false => String::new(),
        };
        let shape = match (has_owner, after.starts_with('!')) {
            (_, true) => SiteShape::MacroCall { before: owner.to_owned() },
            (false, _) if let Some(owner) = owner_of_target(after, name) => {
                SiteShape::Qualified { before: owner.to_owned(), in_use: true, next }
            }
            (true, _) => SiteShape::Qualified { before: owner.to_owned(), in_use: true, next },
            (false, _) => SiteShape::Bare { in_use: true, next },
        };
        let start = line.start + at;
        found.push(RenameSite {
            path: source.path.clone(),
            span: ByteSpan::new(start, start + name.len()),
            shape,
            region: SiteRegion::Link,
            verdict: SiteVerdict::Unlikely,
            example: None,
        });
    }
    found
}

/// For the label of a link, whose target ends with the same name, the owner there: `Owner` of
/// `` [`name`](Owner::name) ``; `after` is the text after the label's name.
fn owner_of_target<'t>(after: &'t str, name: &str) -> Option<&'t str> {
    let rest = after.strip_prefix("()").unwrap_or(after);
    let rest = rest.strip_prefix('`').unwrap_or(rest).strip_prefix("](")?;
    let target = rest[..rest.find(')')?].trim_end_matches('(').trim_matches('`');
    let (owner, last) = target.rsplit_once("::")?;
    let owner = owner.rsplit(|it: char| !is_word(it)).next().filter(|it| !it.is_empty())?;
    (last == name).then_some(owner)
}
