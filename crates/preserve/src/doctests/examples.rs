//! The examples of documentation, found by the Markdown parser that rustdoc uses. Start at [`of_code`].

use base::SortedSet;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::documentation::{Documentation, Position, documentation};
use super::language::{TestLevel, Testing};
use crate::outline::{TokenKind, tokens};

/// One code block of documentation.
#[derive(Clone, Debug)]
pub(super) struct Example {
    pub(super) line: u32,
    /// Name of the documented item.
    pub(super) item: String,
    pub(super) testing: Testing,
    position: Position,
    /// Attributes before it in the same documentation whose text is elsewhere: it may hide the example.
    unread: SortedSet<String>,
    /// The block as documentation has it, with marks of hidden lines.
    pub(super) text: String,
}

impl Example {
    /// Whether rustdoc compiles it, on some target at least.
    pub(super) fn is_tested(&self) -> bool {
        self.testing.level > TestLevel::Skipped && self.position > Position::Untested
    }

    /// Whether it is tested no less than `old`, and with the same result.
    pub(super) fn is_tested_as(&self, old: &Self) -> bool {
        self.testing.covers(&old.testing)
            && self.position >= old.position
            && self.unread.is_subset(&old.unread)
    }

    /// The assertions: their macros and literals, in order.
    pub(super) fn assertions(&self) -> Vec<String> {
        assertions(&self.text)
    }
}

/// The examples in the documentation of a Rust text.
pub(super) fn of_code(text: &str) -> Vec<Example> {
    documentation(text).iter().flat_map(in_documentation).collect()
}

/// The examples of a page.
pub(super) fn of_page(text: &str) -> Vec<Example> {
    in_documentation(&page(text))
}

fn page(text: &str) -> Documentation {
    Documentation {
        name: String::new(),
        is_module: false,
        position: Position::OnItem,
        lines: (1..).zip(text.lines().map(str::to_owned)).collect(),
        unread: Vec::new(),
    }
}

/// Whether the end of documentation would hide an example that follows it: in a comment, or in a block
/// of code.
pub(super) fn hides_more(documentation: &Documentation) -> bool {
    const NEXT: &str = "follows!();";
    let mut all = documentation.clone();
    all.lines.extend(["```", NEXT, "```"].map(|it| (0, it.to_owned())));
    let last = in_documentation(&all).pop();
    last.is_none_or(|it| it.text.trim_end() != NEXT || !it.is_tested())
}

/// Whether the end of a page would hide an example that follows it.
pub(super) fn page_hides_more(text: &str) -> bool {
    hides_more(&page(text))
}

fn in_documentation(of: &Documentation) -> Vec<Example> {
    let mut text = String::new();
    let mut starts = Vec::with_capacity(of.lines.len());
    for (_, line) in &of.lines {
        starts.push(text.len());
        text.push_str(line);
        text.push('\n');
    }
    let mut found = Vec::new();
    let mut open: Option<Example> = None;
    for (event, range) in Parser::new(&text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let index = starts.partition_point(|it| *it <= range.start).saturating_sub(1);
                let before = of.unread.iter().filter(|it| it.0 <= index);
                let info = match &kind {
                    CodeBlockKind::Fenced(info) => info,
                    CodeBlockKind::Indented => "",
                };
                open = Some(Example {
                    line: of.lines.get(index).map_or(1, |it| it.0),
                    item: of.name.clone(),
                    testing: Testing::of(info),
                    position: of.position,
                    unread: before.map(|it| it.1.clone()).collect(),
                    text: String::new(),
                });
            }
            Event::Text(part) => {
                if let Some(example) = &mut open {
                    example.text.push_str(&part);
                }
            }
            Event::End(TagEnd::CodeBlock) => found.extend(open.take()),
            _ => {}
        }
    }
    found
}

/// The assertions of an example: their macros and literals.
fn assertions(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if !token.text.starts_with("assert") || tokens.get(at + 1).is_none_or(|it| !it.is("!")) {
            continue;
        }
        let mut depth = 0usize;
        let mut words = vec![token.text];
        for it in tokens.iter().skip(at + 2) {
            match it.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                text if it.kind == TokenKind::Literal => words.push(text),
                text @ ("!" | "==" | "!=" | "<" | ">" | "||" | "true" | "false") => {
                    words.push(text);
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        found.push(words.join(" "));
    }
    found
}
