//! The tokens of a name in string literals: captures of format strings (`"{name}"`), and paths in
//! attributes (`#[serde(with = "name")]`).

use base::{ByteSpan, is_word};
use preserve::outline::{Outline, Token, TokenKind};
use syntax::places::places;

use super::argument_ids;
use super::shape::{SiteShape, shapes};
use super::{RenameSite, SiteRegion, SiteVerdict, Source};

/// Macros of the standard library, and of crates that imitate them, with a format string.
const FORMATTING: &[&str] = &[
    "anyhow",
    "assert",
    "assert_eq",
    "assert_ne",
    "bail",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "ensure",
    "eprint",
    "eprintln",
    "error",
    "format",
    "format_args",
    "info",
    "panic",
    "print",
    "println",
    "todo",
    "trace",
    "unimplemented",
    "unreachable",
    "warn",
    "write",
    "writeln",
];

/// Attributes whose strings have captures that name fields of their item.
const MESSAGES: &[&str] = &["debug", "display", "error"];

/// Attributes and keys whose strings are texts, names of another language, or file names.
const TEXTS: &[&str] = &[
    "about",
    "alias",
    "author",
    "cfg",
    "content",
    "deprecated",
    "doc",
    "env",
    "expected",
    "expecting",
    "export_name",
    "feature",
    "help",
    "id",
    "link",
    "link_name",
    "link_section",
    "long",
    "message",
    "must_use",
    "name",
    "note",
    "path",
    "reason",
    "rename",
    "rename_all",
    "should_panic",
    "short",
    "since",
    "tag",
    "title",
    "value_name",
    "version",
];

/// Keys whose strings are paths of functions, types or modules in the attributes of widely used
/// crates.
const PATHS: &[&str] = &[
    "bound",
    "build_fn",
    "crate",
    "custom",
    "default",
    "deserialize_with",
    "from",
    "function",
    "getter",
    "into",
    "parse",
    "remote",
    "schema_with",
    "serialize_with",
    "skip_serializing_if",
    "try_from",
    "validator",
    "value_parser",
    "with",
];

/// The tokens of `name` in the string literals of a file.
pub(super) fn sites(source: &Source, name: &str) -> Vec<RenameSite> {
    let quotes_it = |it: &Token<'_>| it.text.contains('"') && it.text.contains(name);
    let outline = Outline::of(&source.text);
    let strings: Vec<usize> = (0..outline.tokens.len())
        .filter(|at| outline.tokens[*at].kind == TokenKind::Literal)
        .filter(|at| quotes_it(&outline.tokens[*at]))
        .collect();
    if strings.is_empty() {
        return Vec::new();
    }
    let callers = callers(&outline);
    let mut found = Vec::new();
    for at in strings {
        let Some(content) = content(&outline.tokens[at]) else { continue };
        match attribute(&outline, at) {
            Some(attribute) => in_attribute(source, name, (attribute, content), &mut found),
            None => {
                let region = match callers[at] {
                    // A value that is compared or written to.
                    Some((name, index)) if index < first_format(name) => continue,
                    Some((name, _)) if FORMATTING.contains(&name) => SiteRegion::Capture,
                    Some(_) => SiteRegion::MaybeCapture,
                    None => continue,
                };
                let spans = captures(&source.text, content, name).into_iter();
                found.extend(spans.map(|it| site(source, it, bare(), region)));
            }
        }
    }
    found
}

/// The string of an attribute: its names, without those of the lists around.
struct AttributeString<'a> {
    /// Last word of the attribute's path.
    name: &'a str,
    /// The word before `=`; empty if there is none.
    key: &'a str,
    /// Whether it is the identifier of an argument, by its key and position.
    is_id: bool,
}

/// The tokens of the name in a string of an attribute.
fn in_attribute(
    source: &Source,
    name: &str,
    (attribute, content): (AttributeString<'_>, ByteSpan),
    found: &mut Vec<RenameSite>,
) {
    if MESSAGES.contains(&attribute.name) && attribute.key.is_empty() {
        let spans = captures(&source.text, content, name).into_iter();
        found.extend(spans.map(|it| site(source, it, bare(), SiteRegion::Message)));
        return;
    }
    let text = source.slice(content.start..content.end);
    if TEXTS.contains(&attribute.name) || TEXTS.contains(&attribute.key) || !is_code(text) {
        return;
    }
    let region = match PATHS.contains(&attribute.key) {
        _ if attribute.is_id && text == name => SiteRegion::ArgumentId,
        true => SiteRegion::PathString,
        false => SiteRegion::MaybePath,
    };
    for (span, shape) in shapes(text, &places(text), name) {
        let span = ByteSpan::new(content.start + span.start, content.start + span.end);
        found.push(site(source, span, shape, region));
    }
}

fn site(source: &Source, span: ByteSpan, shape: SiteShape, region: SiteRegion) -> RenameSite {
    let path = source.path.clone();
    RenameSite { path, span, shape, region, verdict: SiteVerdict::Unlikely, example: None }
}

fn bare() -> SiteShape {
    SiteShape::Bare { in_use: false, next: String::new() }
}

/// Whether a text can be a path, with generic arguments or a call.
fn is_code(text: &str) -> bool {
    let is_part = |it: char| is_word(it) || "<>,&'()".contains(it);
    let words = text.split("::").flat_map(|it| it.split(", "));
    words.into_iter().all(|it| it.chars().all(is_part))
}

/// The span between the quotes of a string literal.
fn content(token: &Token<'_>) -> Option<ByteSpan> {
    let open = token.text.find('"')?;
    let close = token.text.rfind('"').filter(|it| *it > open)?;
    let prefix = token.text[..open].trim_end_matches('#');
    matches!(prefix, "" | "r")
        .then(|| ByteSpan::new(token.span.start + open + 1, token.span.start + close))
}

/// The macro whose input each token is directly in, and the index of its argument.
fn callers<'a>(outline: &Outline<'a>) -> Vec<Option<(&'a str, usize)>> {
    let mut open: Vec<Option<(&'a str, usize)>> = Vec::new();
    let mut found = Vec::with_capacity(outline.tokens.len());
    for (at, token) in outline.tokens.iter().enumerate() {
        if matches!(token.text, ")" | "]" | "}") {
            open.pop();
        }
        found.push(open.last().copied().flatten());
        if token.is(",")
            && let Some(Some((_, index))) = open.last_mut()
        {
            *index += 1;
        }
        if matches!(token.text, "(" | "[" | "{") {
            let is_macro = outline.before(at, 1) == "!";
            open.push(is_macro.then(|| (outline.before(at, 2), 0)));
        }
    }
    found
}

/// The index of the first argument of a macro that can be its format string.
fn first_format(name: &str) -> usize {
    match name.trim_start_matches("debug_") {
        "assert_eq" | "assert_ne" => 2,
        "assert" | "ensure" | "write" | "writeln" => 1,
        _ => 0,
    }
}

/// The attribute around a string literal.
fn attribute<'a>(outline: &Outline<'a>, at: usize) -> Option<AttributeString<'a>> {
    let around = outline.attributes.iter().find(|it| it.name < at && at < it.end)?;
    let is_value = outline.before(at, 1) == "=";
    let key = if is_value { outline.before(at, 2) } else { "" };
    let is_id = argument_ids::is_id(outline, around.name, at);
    Some(AttributeString { name: outline.text(around.name), key, is_id })
}

/// The spans of a name among the captures of a format string: `{name}`, `{name:?}`, `{:name$}`,
/// `{:.name$}`.
fn captures(text: &str, content: ByteSpan, name: &str) -> Vec<ByteSpan> {
    let string = content.slice(text).unwrap_or("");
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = string.get(at..).and_then(|it| it.find('{')).map(|it| at + it) {
        let rest = &string[open + 1..];
        if rest.starts_with('{') {
            at = open + 2;
            continue;
        }
        let Some(len) = rest.find('}') else { break };
        let group = &rest[..len];
        at = open + 1 + len + 1;
        // `\u{7f}`.
        if string[..open].ends_with("\\u") {
            continue;
        }
        for word in base::word_places(group, name) {
            let (before, after) = (&group[..word], group[word + name.len()..].trim_start());
            let is_argument =
                before.trim().is_empty() && (after.is_empty() || after.starts_with(':'));
            let is_count = before.contains(':') && after.starts_with('$');
            if is_argument || is_count {
                let start = content.start + open + 1 + word;
                found.push(ByteSpan::new(start, start + name.len()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let path = base::ProjectPath::new("a.rs").unwrap();
        let source = Source { path, text: text.into(), places: places(text), is_page: false };
        let sites = sites(&source, "name");
        assert!(sites.iter().all(|it| source.slice(it.span.start..it.span.end) == "name"));
        sites.iter().map(|it| format!("{} {:?}", it.span.start, it.region)).collect()
    }

    #[test]
    fn captures_of_format_strings_are_found() {
        assert_eq!(found(r#"f!("{name}");"#), ["5 MaybeCapture"]);
        assert_eq!(found(r#"format!("{name}{name:?}");"#), ["10 Capture", "16 Capture"]);
        assert_eq!(found(r##"write!(f, r#"{x:name$.name$}"#);"##), ["16 Capture", "22 Capture"]);
        assert_eq!(found(r#"assert_eq!(f(a, b), c, "{name}");"#), ["25 Capture"]);
        for text in [
            r#"format!("name {{name}} {names} {x.name}");"#,
            r#"let a = "{name}";"#,
            r#"format!("\u{name}");"#,
            r#"format!(concat("{name}"));"#,
            r#"format!("{name"#,
            r#"assert_eq!(f(), "{name}");"#,
            r#"assert!("{name}".is_empty());"#,
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn paths_in_attributes_are_found_and_texts_are_not() {
        assert_eq!(found(r#"#[serde(with = "a::name")] struct S;"#), ["19 PathString"]);
        assert_eq!(found(r#"#[x(other = "name")] struct S;"#), ["13 MaybePath"]);
        assert_eq!(found(r#"#[error("bad {name}")] struct S;"#), ["14 Message"]);
        for text in [
            r#"#[serde(rename = "name")] struct S;"#,
            r#"#[doc = "name"] struct S;"#,
            r#"#[x(help = "a name")] struct S;"#,
            r#"#[x(y = "the name is")] struct S;"#,
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
