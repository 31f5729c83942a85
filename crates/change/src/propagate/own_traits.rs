//! Whether an impl is one of a trait of another crate, which a change of the project's own trait of
//! that name does not concern.

use base::{ByteSpan, ProjectPath};
use preserve::outline::{Outline, TokenKind, tokens};
use refactor::PlacedText;
use refactor::heads;
use syntax::places::{Definition, DefinitionKind};

use crate::manifest::is_of_workspace;
use crate::project::Project;

/// Crates that no project defines.
const STANDARD: &[&str] = &["std", "core", "alloc"];

/// Whether a definition is in an impl of a trait of another crate, while the project has its own trait
/// of that name.
pub(super) fn is_foreign(project: &Project<'_>, text: &PlacedText, it: &Definition) -> bool {
    let Some(of_trait) = it.of_trait.as_deref() else { return false };
    let all = heads(&text.text);
    let around = all.iter().filter(|head| head.whole.contains(it.span));
    let Some(span) = around.min_by_key(|head| head.whole.len()).and_then(|it| it.of_trait) else {
        return false;
    };
    let Some(first) = first_segment(text, span) else { return false };
    is_defined(project, of_trait) && is_other_crate(project, text, &first)
}

/// The first segment of the path of a trait in an impl, or of the import of its module that adds the only
/// segment.
fn first_segment(text: &PlacedText, span: ByteSpan) -> Option<String> {
    let list = tokens(text.slice(span));
    let path = list.iter().take_while(|it| !it.is("<"));
    let path: Vec<&str> = path.filter(|it| it.kind == TokenKind::Word).map(|it| it.text).collect();
    let first = *path.first()?;
    let outline = Outline::of(&text.text);
    let imports = preserve::imports(&outline);
    let is_here = |at: usize| {
        let place = outline.tokens.get(at).map(|it| module_at(text, it.span.start));
        place == Some(module_at(text, span.start))
    };
    let mut own = imports.iter().filter(|(_, at)| is_here(**at)).map(|it| it.0.as_str());
    match own.find(|it| preserve::last_name(it) == first && *it != first) {
        Some(it) => it.split("::").find(|it| !it.is_empty()).map(str::to_owned),
        None => (path.len() > 1).then(|| first.to_owned()),
    }
}

/// The body of the innermost inline module around a position.
fn module_at(text: &PlacedText, at: usize) -> Option<ByteSpan> {
    let all = text.places.definitions.iter().filter(|it| it.kind == DefinitionKind::Module);
    let around = all.filter_map(|it| it.body).filter(|it| it.start <= at && at < it.end);
    around.min_by_key(|it| it.len())
}

fn is_defined(project: &Project<'_>, of_trait: &str) -> bool {
    let is_it = |it: &Definition| it.kind == DefinitionKind::Trait && it.name == of_trait;
    project.with_word(of_trait).iter().any(|it| it.places.definitions.iter().any(is_it))
}

/// Whether the first segment of a path is a crate that is not of the workspace.
fn is_other_crate(project: &Project<'_>, text: &PlacedText, first: &str) -> bool {
    if matches!(first, "crate" | "self" | "super" | "Self") {
        return false;
    }
    let is_module = |it: &Definition| it.kind == DefinitionKind::Module && it.name == first;
    let mut texts = project.with_word(first).into_iter();
    let is_own = texts.any(|it| it.places.definitions.iter().any(is_module))
        || manifest_of(project, &text.path).is_some_and(|it| is_of_workspace(&it, first));
    STANDARD.contains(&first) || !is_own
}

/// The nearest manifest above a file.
fn manifest_of(project: &Project<'_>, path: &ProjectPath) -> Option<std::sync::Arc<str>> {
    let mut folder = path.parent();
    loop {
        let own = folder.as_ref().map_or_else(String::new, |it| format!("{it}/"));
        let path = ProjectPath::new(&format!("{own}Cargo.toml")).ok()?;
        if let Some(text) = project.plain(&path) {
            return Some(text);
        }
        folder = folder?.parent();
    }
}
