//! Whether a name of the calling function would capture a name of the inlined text.

use preserve::outline::{TokenKind, tokens};
use syntax::places::PartKind;

use super::function::generic_types;
use crate::rename::Source;

/// A name in `free` that the functions around a position of a file define or bind.
pub(super) fn captured<'n>(source: &Source, at: usize, free: &'n [String]) -> Option<&'n str> {
    let functions = source.places.definitions.iter().filter(|it| {
        it.kind == syntax::places::DefinitionKind::Function
            && it.span.start <= at
            && at < it.span.end
    });
    let functions: Vec<_> = functions.collect();
    let outer = functions.iter().max_by_key(|it| it.span.len())?;
    for function in &functions {
        let list = function.parts.iter().find(|it| it.kind == PartKind::Generics);
        let generics = list
            .map_or_else(Vec::new, |it| generic_types(source.slice(it.span.start..it.span.end)));
        if let Some(name) = free.iter().find(|it| generics.contains(it)) {
            return Some(name);
        }
    }
    let list = tokens(source.slice(outer.span.start..outer.span.end));
    let text = |at: Option<usize>| at.and_then(|it| list.get(it)).map_or("", |it| it.text);
    for (at, token) in list.iter().enumerate() {
        if token.kind != TokenKind::Word {
            continue;
        }
        let word = token.text.trim_start_matches("r#");
        let Some(name) = free.iter().find(|it| *it == word) else { continue };
        let (before, next) = (text(at.checked_sub(1)), text(Some(at + 1)));
        let is_lower = word.starts_with(|it: char| it.is_lowercase() || it == '_');
        let is_item = matches!(
            before,
            "fn" | "const" | "static" | "struct" | "enum" | "type" | "trait" | "mod"
        );
        let is_variable =
            is_lower && matches!(before, "let" | "mut" | "ref" | "for" | "|" | "@" | "as");
        let defines = (is_item || is_variable) && next != "::";
        let is_parameter = next == ":" && matches!(before, "(" | "," | "|");
        let is_pattern = is_lower
            && matches!(before, "(" | "," | "{" | "&")
            && matches!(next, "," | ")" | "}" | "=>");
        let is_own = outer.span.start + token.span.start == outer.name_span.start;
        if (defines || is_parameter || is_pattern) && !is_own {
            return Some(name);
        }
    }
    None
}
