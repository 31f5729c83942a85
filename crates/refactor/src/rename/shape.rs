//! Finds the tokens of a name in code, and the syntax around each ([`SiteShape`]): whether it can
//! name a field, a type, a macro.

use base::{ByteSpan, SortedMap};
use preserve::outline::{Token, TokenKind, tokens};
use syntax::places::{DefinitionKind, Places, UseKind};

use super::macro_name::can_be_macro;
use super::quoted;
use super::written_field::written_field;
use super::written_impl::{qualifying_trait, written_trait};
use super::{RenameKind, RenameSite, SiteRegion, SiteVerdict, Source};

/// The path before `::` where a variable of `quote!` writes it: `#krate::name`.
pub(super) const QUOTED_PATH: &str = "#";

/// The syntax around a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteShape {
    /// The name of a definition.
    Definition,
    /// `.name(…)`.
    MethodCall {
        /// Whether the receiver is `self`.
        on_self: bool,
    },
    /// `.name`.
    FieldAccess {
        /// Whether the receiver is `self`.
        on_self: bool,
    },
    /// `Path { name: … }`, in a literal or pattern.
    FieldInit {
        /// Last segment of the path.
        of: String,
        /// Its value or pattern.
        value: ByteSpan,
        /// Whether the name is also the value: `Path { name }`.
        is_shorthand: bool,
        /// Whether it is a pattern.
        is_pattern: bool,
    },
    /// `name!(…)`, or a name of `#[macro_use(name)]`.
    MacroCall {
        /// The token before `::`; empty without a path.
        before: String,
    },
    /// `before::name`.
    Qualified {
        /// The token before `::`; of `<… as Trait>::name` the name of the trait.
        before: String,
        /// Whether it is in a `use`.
        in_use: bool,
        /// Whether `(`, `!`, `{` or `::` follows.
        next: String,
    },
    /// A name without path.
    Bare {
        /// Whether it is in a `use`.
        in_use: bool,
        /// The next token.
        next: String,
    },
    /// `name = …` in generic arguments.
    Binding,
    /// `fn name`, `type name`, `const name` in tokens that are no definition yet: of a macro.
    Generated {
        /// The trait of the impl that the tokens write out around it; empty if they name none.
        of: String,
    },
}

impl SiteShape {
    /// Whether a use of this kind of item can have the syntax.
    pub(crate) fn can_name(&self, kind: RenameKind) -> bool {
        use RenameKind as K;
        if kind == K::Macro {
            return can_be_macro(self);
        }
        match self {
            Self::Definition => false,
            Self::MethodCall { .. } => kind == K::Method,
            Self::FieldAccess { .. } => kind == K::Field,
            Self::FieldInit { is_shorthand, is_pattern, .. } => {
                kind == K::Field
                    || (*is_shorthand
                        && !is_pattern
                        && matches!(kind, K::Function | K::Value | K::Variant | K::Generic))
            }
            Self::MacroCall { .. } => false,
            Self::Qualified { next, in_use, .. } => match kind {
                K::Field | K::Generic => false,
                K::Module => *in_use || next == "::",
                _ => true,
            },
            Self::Bare { next, in_use } => match kind {
                K::Field | K::Method | K::Member => false,
                K::Module => *in_use || next == "::",
                _ => true,
            },
            Self::Binding => kind == K::Member,
            Self::Generated { .. } => matches!(kind, K::Member | K::Method),
        }
    }

    /// Whether the syntax can name what a macro generates from an item of this kind: a method with the
    /// name of a field.
    pub(crate) fn can_name_generated(&self, kind: RenameKind) -> bool {
        kind == RenameKind::Field
            && matches!(self, Self::MethodCall { .. } | Self::Qualified { in_use: false, .. })
    }

    /// Whether the syntax is clearly a use of this kind, not a variable of that name.
    pub(crate) fn is_use_of(&self, kind: RenameKind) -> bool {
        match self {
            Self::Bare { next, in_use } => {
                let is_call = kind == RenameKind::Function && next == "(";
                self.can_name(kind) && (*in_use || is_call || kind == RenameKind::Variant)
            }
            _ => self.can_name(kind),
        }
    }
}

/// The tokens of `name` in the code of a file.
pub(super) fn sites(source: &Source, name: &str) -> Vec<RenameSite> {
    let macros: Vec<ByteSpan> = source
        .places
        .definitions
        .iter()
        .filter(|it| it.kind == DefinitionKind::Macro)
        .map(|it| it.span)
        .collect();
    let site = |(span, shape): (ByteSpan, SiteShape)| {
        let in_macro = macros.iter().any(|it| it.contains(span) && it.start != span.start);
        let region = match in_macro && shape != SiteShape::Definition {
            true => SiteRegion::MacroBody,
            false => SiteRegion::Code,
        };
        let path = source.path.clone();
        RenameSite { path, span, shape, region, verdict: SiteVerdict::Unlikely, example: None }
    };
    shapes(&source.text, &source.places, name).into_iter().map(site).collect()
}

/// The tokens of `name` in a text with their syntax.
pub(super) fn shapes(text: &str, places: &Places, name: &str) -> Vec<(ByteSpan, SiteShape)> {
    let tokens = tokens(text);
    let inits = field_inits(places, name, &tokens);
    let in_use = use_trees(&tokens);
    let quoted = quoted::quoting(text);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Word || token.text.trim_start_matches("r#") != name {
            continue;
        }
        let around = Around { tokens: &tokens, at };
        let in_use = in_use.iter().any(|it| it.contains(token.span));
        // A macro variable, a lifetime's name or a new name of an import is no use.
        if matches!(around.before(1), "$" | "'") || (in_use && around.before(1) == "as") {
            continue;
        }
        let mut defining = places.definitions.iter().filter(|it| it.name_span == token.span);
        let defines = defining.any(|it| !quoted::is_quoted_part(it, &quoted));
        let shape = match inits.get(&token.span.start) {
            _ if defines => SiteShape::Definition,
            Some(init) => init.clone(),
            None => around.shape(in_use),
        };
        found.push((token.span, shape));
    }
    found
}

/// A token and its neighbours.
struct Around<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
}

impl<'a> Around<'a> {
    fn before(&self, back: usize) -> &'a str {
        self.at.checked_sub(back).and_then(|it| self.tokens.get(it)).map_or("", |it| it.text)
    }

    fn after(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.at + ahead).map_or("", |it| it.text)
    }

    fn shape(&self, in_use: bool) -> SiteShape {
        let next = self.after(1).to_owned();
        match self.before(1) {
            "fn" | "type" | "const" => {
                let of = written_trait(self.tokens, self.at).unwrap_or_default().to_owned();
                SiteShape::Generated { of }
            }
            "." => {
                let on_self = self.before(2) == "self" && self.before(3) != ".";
                let is_call = next == "(" || (next == "::" && self.after(2) == "<");
                match is_call {
                    true => SiteShape::MethodCall { on_self },
                    false => SiteShape::FieldAccess { on_self },
                }
            }
            before if next == "!" && matches!(self.after(2), "(" | "[" | "{") => {
                let before = if before == "::" { self.segment() } else { "" }.to_owned();
                SiteShape::MacroCall { before }
            }
            "(" | "," if self.in_macro_use() => SiteShape::MacroCall { before: String::new() },
            "::" => {
                let before = qualifying_trait(self.tokens, self.at);
                let before = before.unwrap_or_else(|| self.segment()).to_owned();
                SiteShape::Qualified { before, in_use, next }
            }
            "<" | "," if next == "=" && self.in_angles() => SiteShape::Binding,
            "{" | "," if in_use => {
                // `use a::{name}`: the path before the braces.
                let before = self.use_prefix();
                SiteShape::Qualified { before, in_use, next }
            }
            _ => written_field(self.tokens, self.at).unwrap_or(SiteShape::Bare { in_use, next }),
        }
    }

    /// The segment of the path before the token.
    fn segment(&self) -> &'a str {
        let before = self.before(2).trim_start_matches("r#");
        match (self.before(3), before) {
            ("$", "crate") => "$crate",
            // A variable of `quote!`, whatever its name.
            ("#", _) => QUOTED_PATH,
            _ => before,
        }
    }

    /// Whether the token is in the list of `macro_use(…)`.
    fn in_macro_use(&self) -> bool {
        let mut list = self.tokens[..self.at].iter().rev();
        let open = list.find(|it| !(it.text == "," || it.kind == TokenKind::Word));
        open.is_some_and(|it| it.text == "(")
            && list.next().is_some_and(|it| it.text == "macro_use")
    }

    /// Whether the nearest open bracket before the token is `<`.
    fn in_angles(&self) -> bool {
        let mut depth = 0i32;
        for token in self.tokens[..self.at].iter().rev().take(200) {
            match token.text {
                ">" | ")" | "]" | "}" => depth += 1,
                "<" if depth == 0 => return true,
                "(" | "[" | "{" if depth == 0 => return false,
                "<" | "(" | "[" | "{" => depth -= 1,
                ";" => return false,
                _ => {}
            }
        }
        false
    }

    /// The segment before the braces of a `use` list around the token.
    fn use_prefix(&self) -> String {
        let mut depth = 0usize;
        for at in (0..self.at).rev() {
            match self.tokens[at].text {
                "}" => depth += 1,
                "{" if depth > 0 => depth -= 1,
                "{" => {
                    let is_path = at >= 2 && self.tokens[at - 1].text == "::";
                    let before = if is_path { self.tokens[at - 2].text } else { "" };
                    let is_variable =
                        at >= 3 && before == "crate" && self.tokens[at - 3].text == "$";
                    let before = if is_variable { "$crate" } else { before };
                    return before.trim_start_matches("r#").to_owned();
                }
                ";" => break,
                _ => {}
            }
        }
        String::new()
    }
}

/// The spans of `use …;`.
fn use_trees(tokens: &[Token<'_>]) -> Vec<ByteSpan> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let starts = match at.checked_sub(1).map(|it| tokens[it].text) {
            None => true,
            Some(before) => matches!(before, ";" | "{" | "}" | "]" | ")" | "pub" | "crate"),
        };
        if tokens[at].text == "use" && starts {
            let end = (at..tokens.len()).find(|it| tokens[*it].text == ";");
            let end = end.unwrap_or(tokens.len() - 1);
            found.push(ByteSpan::new(tokens[at].span.start, tokens[end].span.end));
            at = end;
        }
        at += 1;
    }
    found
}

/// The fields of this name in literals and patterns, by the start of the name's token.
fn field_inits(places: &Places, name: &str, tokens: &[Token<'_>]) -> SortedMap<usize, SiteShape> {
    let mut found = SortedMap::new();
    for of in &places.uses {
        if !matches!(of.kind, UseKind::Literal | UseKind::RecordPattern) {
            continue;
        }
        for arg in of.args.iter().filter(|it| it.name == name) {
            let first = tokens.partition_point(|it| it.span.start < arg.span.start);
            let inside = || tokens[first..].iter().take_while(|it| it.span.end <= arg.span.end);
            let is_name = |it: &&Token<'_>| it.text.trim_start_matches("r#") == name;
            // The name is before the colon; of the shorthand it is the last token.
            let before_value =
                inside().take_while(|it| it.span.start < arg.value.start).find(is_name);
            let token = before_value.or_else(|| inside().filter(is_name).last());
            let Some(token) = token else { continue };
            let shape = SiteShape::FieldInit {
                of: of.name.clone(),
                value: arg.value,
                is_shorthand: before_value.is_none(),
                is_pattern: of.kind == UseKind::RecordPattern,
            };
            found.insert(token.span.start, shape);
        }
    }
    found
}
