//! The texts that move: the definition with its comments, and the impls of its type.

use base::ByteSpan;
use preserve::outline::{Element, ElementKind, Outline, Token};
use syntax::places::{Definition, DefinitionKind};

use super::fault::RelocateFault;
use super::modules::ModulePath;
use super::scope::Scopes;
use crate::impl_head::{closed, head};
use crate::import_place::comments_start;
use crate::text::{PlacedText, line_start};

/// The parts of a module that move, in the order of the text.
pub(super) struct Pieces {
    pub(super) file: usize,
    /// Each from the first line of its comments to the end of its last line, without the newline.
    pub(super) spans: Vec<ByteSpan>,
    /// How many of them are impls.
    pub(super) impls: usize,
}

impl Pieces {
    /// The texts of the parts.
    pub(super) fn texts<'s>(&self, scopes: &'s Scopes) -> Vec<&'s str> {
        self.spans.iter().map(|it| scopes.file(self.file).slice(*it)).collect()
    }

    pub(super) fn contain(&self, file: usize, at: usize) -> bool {
        self.file == file && self.spans.iter().any(|it| it.start <= at && at < it.end)
    }
}

/// The definition and the impls of its type in the same module.
pub(super) fn pieces(
    scopes: &Scopes,
    module: &ModulePath,
    file: usize,
    of: &Definition,
) -> Result<Pieces, RelocateFault> {
    let source = scopes.file(file);
    let outline = Outline::of(&source.text);
    let is_here = |it: &Element| scopes.is_directly_in(module, file, start_of(&outline, it));
    let items = outline.elements.iter().filter(|it| it.kind == ElementKind::Item);
    let own: Vec<&Element> =
        items.filter(|it| is_here(it) && is_outermost(source, &outline, it)).collect();
    let definition = own.iter().find(|it| {
        let name = outline.tokens.get(outline.item_name(it));
        // Not the call of a macro around it.
        outline.text(it.head + 1) != "!" && name.is_some_and(|it| it.span == of.name_span)
    });
    let Some(definition) = definition else {
        return Err(RelocateFault::Inside);
    };
    let mut found = vec![whole(source, &outline, definition)];
    let takes_impls = matches!(of.kind, DefinitionKind::Struct | DefinitionKind::Enum);
    let mut impls = 0;
    for it in own.iter().filter(|_| takes_impls) {
        if impl_type(&outline, &source.text, it) == Some(of.name.as_str()) {
            found.push(whole(source, &outline, it));
            impls += 1;
        }
    }
    found.sort_by_key(|it| it.start);
    if found.windows(2).any(|it| it[0].end > it[1].start) {
        return Err(RelocateFault::SharedLines);
    }
    for span in &found {
        let line = line_start(&source.text, span.start);
        let after = source.text[span.end..].lines().next().unwrap_or("");
        if !source.text[line..span.start].trim().is_empty() || !after.trim().is_empty() {
            return Err(RelocateFault::SharedLines);
        }
    }
    Ok(Pieces { file, spans: found, impls })
}

fn start_of(outline: &Outline<'_>, it: &Element) -> usize {
    outline.tokens.get(it.start).map_or(0, |it| it.span.start)
}

/// Whether only modules are around an element.
pub(super) fn is_outermost(source: &PlacedText, outline: &Outline<'_>, it: &Element) -> bool {
    let around = (0..it.start).filter(|open| outline.close[*open] >= it.end);
    let bodies = source.places.definitions.iter().filter(|it| it.kind == DefinitionKind::Module);
    let bodies: Vec<usize> = bodies.filter_map(|it| it.body).map(|it| it.start).collect();
    around.into_iter().all(|open| bodies.contains(&outline.tokens[open].span.start))
}

/// The type of an impl, if it is a name alone.
fn impl_type<'t>(outline: &Outline<'t>, text: &'t str, it: &Element) -> Option<&'t str> {
    let at = (it.head..it.end).find(|at| !matches!(outline.text(*at), "unsafe" | "default"))?;
    if outline.text(at) != "impl" {
        return None;
    }
    let ty = head(text, &outline.tokens, at)?.ty;
    let list: Vec<&Token<'t>> = outline.tokens.iter().filter(|it| ty.contains(it.span)).collect();
    let list = match list.as_slice() {
        [first, path, rest @ ..] if first.is("self") && path.is("::") => rest,
        list => list,
    };
    let (name, arguments) = list.split_first()?;
    let arguments: Vec<Token<'t>> = arguments.iter().map(|it| **it).collect();
    let is_alone = arguments.is_empty()
        || arguments[0].is("<") && closed(&arguments) == Some(arguments.len() - 1);
    is_alone.then(|| name.text.trim_start_matches("r#"))
}

/// An element with the comments directly before it and at its end.
fn whole(source: &PlacedText, outline: &Outline<'_>, it: &Element) -> ByteSpan {
    let text: &str = &source.text;
    let first = start_of(outline, it);
    let last = outline.tokens.get(it.end.saturating_sub(1)).map_or(first, |it| it.span.end);
    let floor = it.start.checked_sub(1).and_then(|at| outline.tokens.get(at));
    let start = comments_start(text, floor.map_or(0, |it| it.span.end), first);
    let rest = text[last..].lines().next().unwrap_or("");
    let end = if rest.trim_start().starts_with("//") { last + rest.trim_end().len() } else { last };
    ByteSpan::new(start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_an_impl_is_a_name_alone() {
        let types = |text: &str| -> Vec<Option<String>> {
            let outline = Outline::of(text);
            let items = outline.elements.iter().filter(|it| it.kind == ElementKind::Item);
            items.map(|it| impl_type(&outline, text, it).map(str::to_owned)).collect()
        };
        let name = |it: &str| vec![Some(it.to_owned())];
        assert_eq!(types("impl A {}"), name("A"));
        assert_eq!(
            types("unsafe impl<T: Fn() -> u8> B<Vec<Vec<T>>> for self::A<C<D<T>>> {}"),
            name("A")
        );
        assert_eq!(types("impl B<A> for r#A where A: Sized {}"), name("A"));
        assert_eq!(types("impl B for &A {}"), [None]);
        assert_eq!(types("impl B for m::A {}"), [None]);
        assert_eq!(types("struct A;"), [None]);
    }
}
