//! The names that moved code takes from the module around it.

use base::{ByteSpan, SortedMap, SortedSet};
use preserve::outline::{Outline, Token, TokenKind};

/// The places of a name that begins a path.
#[derive(Clone, Debug, Default)]
pub(super) struct Head {
    /// Its tokens.
    pub(super) spans: Vec<ByteSpan>,
    /// Whether a macro of that name is called.
    pub(super) is_macro: bool,
}

/// Attributes whose arguments are no paths.
const PLAIN: &[&str] = &[
    "cfg",
    "cfg_attr",
    "doc",
    "allow",
    "warn",
    "deny",
    "expect",
    "forbid",
    "inline",
    "must_use",
    "repr",
    "deprecated",
    "test",
    "ignore",
    "should_panic",
    "non_exhaustive",
    "cold",
    "derive",
    "track_caller",
    "automatically_derived",
    "rustfmt",
    "clippy",
    "path",
    "macro_export",
];

/// The types of the language; an import of the module `str` leaves the type `str` as it is.
const PRIMITIVE: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

/// The names in a text that begin a path or are one, and are not bound in it.
pub(super) fn heads(text: &str) -> SortedMap<String, Head> {
    let outline = Outline::of(text);
    let list = &outline.tokens;
    let plain = plain_tokens(&outline);
    let bound = bound_names(list);
    let mut found: SortedMap<String, Head> = SortedMap::new();
    for (at, token) in list.iter().enumerate() {
        let is_name = token.kind == TokenKind::Word
            && !preserve::outline::is_keyword(token.text)
            && !is_word_of_language(token.text);
        let name = token.text.trim_start_matches("r#");
        let around = Around { list, at };
        let is_bare = bound.contains(name) && !around.is_certain();
        if is_name && !plain.contains(&at) && around.is_head() && !is_bare && !around.is_primitive()
        {
            let head = found.entry(name.to_owned()).or_default();
            head.spans.push(token.span);
            head.is_macro |= around.is_macro();
        }
    }
    found
}

/// Tokens in the arguments of attributes that name nothing, and the names of these attributes.
fn plain_tokens(outline: &Outline<'_>) -> SortedSet<usize> {
    let mut found = SortedSet::new();
    for attribute in &outline.attributes {
        let name = outline.text(attribute.name);
        if PLAIN.contains(&name) {
            found.insert(attribute.name);
            if name != "derive" {
                found.extend(attribute.name..attribute.end);
            }
        }
    }
    found
}

fn is_word_of_language(text: &str) -> bool {
    matches!(
        text,
        "self" | "Self" | "super" | "crate" | "true" | "false" | "_" | "auto" | "default"
    )
}

struct Around<'a, 't> {
    list: &'a [Token<'t>],
    at: usize,
}

impl<'t> Around<'_, 't> {
    fn before(&self, back: usize) -> &'t str {
        self.at.checked_sub(back).map_or("", |it| self.list[it].text)
    }

    fn after(&self, ahead: usize) -> &'t str {
        self.list.get(self.at + ahead).map_or("", |it| it.text)
    }

    fn is_macro(&self) -> bool {
        self.after(1) == "!" && matches!(self.after(2), "(" | "[" | "{")
    }

    /// Whether the name begins a path and defines nothing.
    fn is_head(&self) -> bool {
        let before = self.before(1);
        let defines = matches!(
            before,
            "." | "::"
                | "$"
                | "fn"
                | "struct"
                | "enum"
                | "union"
                | "trait"
                | "mod"
                | "type"
                | "static"
        ) || before == "const" && self.before(2) != "*"
            || before == "as" && self.is_alias();
        let is_field = self.after(1) == ":" && before != "?";
        !defines && !is_field
    }

    /// Whether `as` gives an import another name.
    fn is_alias(&self) -> bool {
        let mut back = (0..self.at).rev().map(|it| self.list[it].text);
        back.find(|it| matches!(*it, ";" | "use" | "(" | "=" | "|")) == Some("use")
    }

    /// Whether the name is a type of the language, also where a module of that name is imported.
    fn is_primitive(&self) -> bool {
        PRIMITIVE.contains(&self.list[self.at].text) && self.after(1) != "::"
    }

    /// Whether the name is certainly no variable: a path, a call, a macro, a type.
    fn is_certain(&self) -> bool {
        matches!(self.after(1), "(" | "::") || self.is_macro()
    }
}

/// The lower-case names that patterns and parameters bind, roughly.
fn bound_names(list: &[Token<'_>]) -> SortedSet<String> {
    let mut found = SortedSet::new();
    for at in 0..list.len() {
        let around = Around { list, at };
        let token = &list[at];
        let lower = token.text.chars().next().is_some_and(|it| it.is_lowercase() || it == '_');
        if token.kind != TokenKind::Word || !lower {
            continue;
        }
        let binds = matches!(around.before(1), "let" | "for" | "|" | "ref" | "mut" | "@")
            || around.after(1) == ":"
            || matches!(around.before(1), "(" | "," | "{")
                && matches!(around.after(1), "," | ")" | "}" | "|");
        if binds {
            found.insert(token.text.trim_start_matches("r#").to_owned());
        }
    }
    found
}
