//! `use` declarations as the names that they add, each with the tokens of its path.

use base::ByteSpan;
use preserve::outline::{ElementKind, Outline, Token, TokenKind};

/// Deepest nesting of groups that is read.
const DEEPEST: usize = 32;

/// One `use` declaration.
#[derive(Clone, Debug)]
pub(super) struct UseItem {
    /// With its attributes.
    pub(super) span: ByteSpan,
    /// From its visibility on.
    pub(super) code: ByteSpan,
    /// Its visibility with a blank after it; empty if it has none.
    pub(super) visibility: String,
    /// Its attributes, as written.
    pub(super) attributes: Vec<String>,
    pub(super) leaves: Vec<UseLeaf>,
}

/// One name that a declaration adds.
#[derive(Clone, Debug)]
pub(super) struct UseLeaf {
    /// Its path with the tokens, without a last `self`; of a glob the path before `*`.
    pub(super) path: Vec<(String, ByteSpan)>,
    /// The name that it adds, `*` or `_`.
    pub(super) name: String,
    /// Last token of what it imports, before `as`: a name, `self` or `*`.
    pub(super) end: ByteSpan,
    /// Whether its path begins with `::`.
    pub(super) is_global: bool,
    /// Whether a brace is between `use` and its last token.
    pub(super) in_group: bool,
}

impl UseLeaf {
    pub(super) fn is_glob(&self) -> bool {
        self.name == "*"
    }

    /// The names of its path.
    pub(super) fn names(&self) -> Vec<&str> {
        self.path.iter().map(|(it, _)| it.as_str()).collect()
    }

    /// What the declaration imports, after the path before it: `b`, `b as c`.
    pub(super) fn tail(&self) -> String {
        let last = self.path.last().map_or("", |(it, _)| it.as_str());
        match self.name.as_str() {
            "*" => "*".to_owned(),
            name if name == last.trim_start_matches("r#") => last.to_owned(),
            name => format!("{last} as {name}"),
        }
    }
}

/// The declarations of a text, in order.
pub(super) fn use_items(text: &str) -> Vec<UseItem> {
    let outline = Outline::of(text);
    let imports = outline.elements.iter().filter(|it| it.kind == ElementKind::Import);
    let mut found: Vec<UseItem> = imports
        .filter_map(|it| {
            let list = outline.tokens.get(it.start..it.end)?;
            let start = (it.start..it.end).find(|at| outline.tokens[*at].is("use"))?;
            let (first, last) = (list.first()?, list.last()?);
            let code = code_start(&outline, it.start, start);
            let attributes = outline.attributes.iter();
            let own = attributes.filter(|a| (it.start..start).contains(&a.name));
            let attribute = |a: &preserve::outline::Attribute| {
                let open = outline.tokens[..a.end].iter().rposition(|it| it.is("#"))?;
                let open = open.max(it.start);
                text.get(outline.tokens[open].span.start..outline.tokens.get(a.end)?.span.end)
            };
            let code_span = outline.tokens.get(code)?.span.start;
            let use_start = outline.tokens[start].span.start;
            Some(UseItem {
                span: ByteSpan::new(first.span.start, last.span.end),
                code: ByteSpan::new(code_span, last.span.end),
                visibility: text.get(code_span..use_start)?.to_owned(),
                attributes: own.filter_map(attribute).map(str::to_owned).collect(),
                leaves: leaves(&outline.tokens[start + 1..it.end]),
            })
        })
        .collect();
    found.sort_by_key(|it| it.span.start);
    found
}

/// The first token after the attributes of a declaration.
fn code_start(outline: &Outline<'_>, start: usize, keyword: usize) -> usize {
    let own = outline.attributes.iter().filter(|it| (start..keyword).contains(&it.name));
    own.map(|it| it.end + 1).max().unwrap_or(start)
}

/// What is read of a tree.
#[derive(Clone, Default)]
struct Prefix {
    path: Vec<(String, ByteSpan)>,
    is_global: bool,
}

/// The leaves of the tokens after `use`.
fn leaves(tokens: &[Token<'_>]) -> Vec<UseLeaf> {
    let mut found = Vec::new();
    let mut outer: Vec<Prefix> = vec![Prefix::default()];
    let mut now = Prefix::default();
    let mut last: Option<ByteSpan> = None;
    let mut alias: Option<String> = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "{" if outer.len() > DEEPEST => return found,
            "{" => {
                outer.push(now.clone());
                last = None;
            }
            "::" => now.is_global |= now.path.is_empty(),
            "as" => {
                alias = tokens.get(at + 1).map(|it| it.text.trim_start_matches("r#").to_owned());
                at += 1;
            }
            "," | "}" | ";" => {
                if let Some(end) = last.take() {
                    found.extend(leaf(&now, alias.take(), end, outer.len() > 1));
                }
                if token.is("}") && outer.len() > 1 {
                    outer.pop();
                }
                now = outer.last().cloned().unwrap_or_default();
            }
            text if token.kind == TokenKind::Word || text == "*" => {
                last = Some(token.span);
                now.path.push((text.to_owned(), token.span));
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn leaf(of: &Prefix, alias: Option<String>, end: ByteSpan, in_group: bool) -> Option<UseLeaf> {
    let mut path = of.path.clone();
    let last = path.last()?.0.clone();
    if last == "*" || path.len() > 1 && last == "self" {
        path.pop();
    }
    let name = match last.as_str() {
        "*" => "*".to_owned(),
        _ => alias.unwrap_or_else(|| {
            path.last().map_or_else(String::new, |it| it.0.trim_start_matches("r#").to_owned())
        }),
    };
    Some(UseLeaf { path, name, end, is_global: of.is_global, in_group })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let show = |it: &UseLeaf| {
            let global = if it.is_global { "::" } else { "" };
            format!("{global}{} -> {}", it.names().join("::"), it.name)
        };
        use_items(text).iter().flat_map(|it| it.leaves.iter().map(show)).collect()
    }

    #[test]
    fn trees_give_their_leaves() {
        assert_eq!(
            shown(
                "use a::{b, c::{self, d as e}, f::*}; fn x() { use ::g::h; }\n#[cfg(x)] pub(crate) use i as _;"
            ),
            ["a::b -> b", "a::c -> c", "a::c::d -> e", "a::f -> *", "::g::h -> h", "i -> _"]
        );
    }

    #[test]
    fn a_declaration_has_its_attributes_and_visibility() {
        let text = "#[cfg(a)]\n#[b]\npub(crate) use c::d;";
        let found = use_items(text);
        assert_eq!(found[0].attributes, ["#[cfg(a)]", "#[b]"]);
        assert_eq!(found[0].visibility, "pub(crate) ");
        assert_eq!(found[0].code.slice(text), Some("pub(crate) use c::d;"));
    }

    #[test]
    fn broken_trees_give_what_they_have() {
        assert_eq!(shown("use a::{b, c"), ["a::b -> b"]);
        assert_eq!(shown("use ;"), [""; 0]);
        let deep = format!("use {}a;", "a::{".repeat(500));
        assert_eq!(shown(&deep), [""; 0]);
    }
}
