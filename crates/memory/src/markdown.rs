//! Links of a Markdown text.
//!
//! Read by a Markdown parser: what looks like a link in a code block or in a comment is none, titles,
//! nested brackets and reference links are read by the rules of CommonMark. Total: any text has links.

use base::LineIndex;
use globset::GlobMatcher;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

/// A link `[display_text](relative_path)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkdownLink {
    /// Text of the link, without markup; white space as single spaces.
    pub display_text: String,
    /// Destination: a path without fragment and query, decoded; of an external link, all of it.
    pub relative_path: String,
    /// Line on which the link begins, from 1.
    pub line_number: u32,
}

/// Which links are wanted.
#[derive(Clone, Debug, Default)]
pub struct LinkOptions {
    /// Pattern that the path must match; none: every path.
    pub path_pattern: Option<GlobMatcher>,
    /// Extensions that the path may have, without a dot; none: every path.
    pub extensions: Vec<String>,
    /// Whether links to other sites are wanted too; the two conditions do not apply to them.
    pub external: bool,
}

/// The links of a text, in its order. Images are none; a link that only leads to a heading of the text
/// is none.
pub fn extract_links(text: &str, options: &LinkOptions) -> Vec<MarkdownLink> {
    let lines = LineIndex::new(text);
    let mut links = Vec::new();
    let mut open: Option<MarkdownLink> = None;
    let mut images = 0usize;
    let extensions = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    for (event, range) in Parser::new_ext(text, extensions).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) if images == 0 => {
                let dest_url = match link_type {
                    LinkType::Email => format!("mailto:{dest_url}").into(),
                    _ => dest_url,
                };
                open = destination(&dest_url, options).map(|relative_path| MarkdownLink {
                    display_text: String::new(),
                    relative_path,
                    line_number: lines.line_of(range.start),
                });
            }
            Event::End(TagEnd::Link) => {
                if let Some(mut link) = open.take() {
                    let words: Vec<&str> = link.display_text.split_whitespace().collect();
                    link.display_text = words.join(" ");
                    links.push(link);
                }
            }
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images = images.saturating_sub(1),
            Event::Text(part) | Event::Code(part) if images == 0 => {
                if let Some(link) = &mut open {
                    link.display_text.push_str(&part);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(link) = &mut open {
                    link.display_text.push(' ');
                }
            }
            _ => {}
        }
    }
    links
}

/// Whether a destination leads out of the repository: it has a scheme (`https:`, `mailto:`) or a host.
pub fn is_external_link(destination: &str) -> bool {
    if destination.starts_with("//") {
        return true;
    }
    let Some((scheme, _)) = destination.split_once(':') else { return false };
    let mut chars = scheme.chars();
    chars.next().is_some_and(|first| first.is_ascii_alphabetic())
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// The extension of the file that a destination names, in lower case without a dot; `None` without one.
pub fn get_extension(destination: &str) -> Option<String> {
    let path = destination.split(['#', '?']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let (stem, extension) = name.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then(|| extension.to_lowercase())
}

/// The path of a destination that is wanted.
fn destination(destination: &str, options: &LinkOptions) -> Option<String> {
    if is_external_link(destination) {
        return options.external.then(|| destination.to_owned());
    }
    let path = decoded(destination.split(['#', '?']).next().unwrap_or_default());
    let is_wanted = !path.is_empty()
        && (options.extensions.is_empty()
            || get_extension(&path).is_some_and(|it| options.extensions.contains(&it)))
        && options.path_pattern.as_ref().is_none_or(|pattern| pattern.is_match(&path));
    is_wanted.then_some(path)
}

/// Decodes `%20`; what does not decode to text stays as it is.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = |at: usize| after.get(at).and_then(|it| char::from(*it).to_digit(16));
        match (*first, hex(0).zip(hex(1))) {
            (b'%', Some((high, low))) => {
                bytes.push((high * 16 + low) as u8);
                rest = after.get(2..).unwrap_or_default();
            }
            (byte, _) => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}
