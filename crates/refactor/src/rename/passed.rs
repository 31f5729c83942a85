//! Names that are passed to `macro_rules!` macros as names: a macro that is called by a parameter, and what
//! rules make of a name besides a use, another item or a text.

use std::sync::Arc;

use base::{ByteSpan, LineIndex, ProjectPath};
use preserve::outline::{Outline, TokenKind};
use syntax::places::{DefinitionKind, places};

use super::shape::SiteShape;
use super::{RenameSite, Renaming, SiteRegion};

/// A renamed token in the input of a macro that makes more of it than a use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PassedName {
    /// File of the call.
    pub path: ProjectPath,
    /// Line of the token, from 1.
    pub line: u32,
    /// Name of the macro.
    pub macro_name: String,
    /// Result of its rules for the name.
    pub makes: MadeOfName,
}

/// Result of rules for a name that they get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MadeOfName {
    /// An item of the same name.
    Item,
    /// A text.
    Text,
}

impl std::fmt::Display for PassedName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let makes = match self.makes {
            MadeOfName::Item => "another item of that name",
            MadeOfName::Text => "a text of the name",
        };
        let Self { path, line, macro_name, .. } = self;
        write!(f, "`{macro_name}!` makes {makes} at {path}:{line}")
    }
}

/// Macros of the standard library that make a text of tokens.
const TEXTS: [&str; 1] = ["stringify"];

impl Renaming {
    /// The tokens that the plan changes and of which a macro of `files` makes another item or a text, by
    /// place.
    pub fn passed_names(&self, files: &[(ProjectPath, Arc<str>)]) -> Vec<PassedName> {
        let mut found = Vec::new();
        for source in self.sources() {
            let own = self.sites_of(&source.path).iter();
            let mut own = own.filter(|it| it.is_in() && it.region == SiteRegion::Code).peekable();
            if own.peek().is_none() {
                continue;
            }
            let outline = Outline::of(&source.text);
            let lines = LineIndex::new(&source.text);
            for site in own {
                let Some(call) = call_around(&outline, site.span) else { continue };
                let makes = definitions(files, call.name)
                    .filter_map(|it| self.made_by(it, call.input.slice(&source.text)?))
                    .min();
                found.extend(makes.map(|makes| PassedName {
                    path: source.path.clone(),
                    line: lines.line_of(site.span.start),
                    macro_name: call.name.to_owned(),
                    makes,
                }));
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Parts of the expansion of a call with the old name that are no uses.
    fn made_by(&self, definition: &str, input: &str) -> Option<MadeOfName> {
        let text = syntax::expand(definition, input)?.text;
        let name = &self.target().from;
        if places(&text).definitions.iter().any(|it| it.name == *name) {
            return Some(MadeOfName::Item);
        }
        let outline = Outline::of(&text);
        let is_text = |(at, token): (usize, &preserve::outline::Token<'_>)| {
            TEXTS.contains(&token.text) && outline.text(at + 1) == "!" && {
                let close = outline.close.get(at + 2).copied().unwrap_or(at);
                (at + 3..close).any(|it| outline.text(it) == name)
            }
        };
        outline.tokens.iter().enumerate().any(is_text).then_some(MadeOfName::Text)
    }
}

/// Whether a token may be the name of a macro that another macro calls: `call!(name, 1)`.
pub(super) fn may_be_called(text: &str, site: &RenameSite) -> bool {
    let is_bare = matches!(&site.shape, SiteShape::Bare { in_use: false, next }
        if !matches!(next.as_str(), "::" | "(" | "."));
    is_bare && call_around(&Outline::of(text), site.span).is_some()
}

/// A macro call.
struct MacroInput<'t> {
    name: &'t str,
    /// Its tokens, delimiters included.
    input: ByteSpan,
}

/// The innermost macro call whose input has a token.
fn call_around<'t>(outline: &Outline<'t>, span: ByteSpan) -> Option<MacroInput<'t>> {
    let calls = outline.tokens.iter().enumerate().filter_map(|(at, token)| {
        if token.kind != TokenKind::Word || outline.text(at + 1) != "!" || token.is("macro_rules") {
            return None;
        }
        let open = outline.tokens.get(at + 2)?;
        let close = outline.tokens.get(*outline.close.get(at + 2)?)?;
        let input = ByteSpan::new(open.span.start, close.span.end);
        (close.span.end > open.span.end && input.contains(span))
            .then_some(MacroInput { name: token.text, input })
    });
    calls.min_by_key(|it| it.input.len())
}

/// The definitions of macros of a name.
fn definitions<'t>(
    files: &'t [(ProjectPath, Arc<str>)],
    name: &'t str,
) -> impl Iterator<Item = &'t str> {
    let files = files.iter().filter(move |it| it.1.contains("macro_rules!") && it.1.contains(name));
    files.flat_map(move |(_, text)| {
        let all = places(text).definitions.into_iter();
        let own = all.filter(|it| it.kind == DefinitionKind::Macro && it.name == name);
        own.filter_map(|it| it.span.slice(text)).collect::<Vec<_>>()
    })
}

/// Whether an error is about a macro of a name.
pub(super) fn misses_macro(message: &str, name: &str) -> bool {
    message.starts_with("cannot find macro") && base::has_word(message, name)
}
