//! An item that moves to another module: the item that the user names, and the crates of the map.

use base::{Ctx, ProjectPath};
use project::Workspace;
use refactor::{CrateRoot, Relocation, Renaming};

use super::fault::RefactorFault;
use super::{CodePlaces, RefactorContext, family, find, known};
use crate::Error;

/// A move before its proof.
pub struct RelocationDraft {
    /// The plan.
    pub relocation: Relocation,
    /// The item: ``function `parse` ``.
    pub item: String,
    /// Its name.
    pub name: String,
    /// File of the definition.
    pub file: String,
    /// Line of the definition, from 1.
    pub line: u32,
    /// The tokens of its name.
    pub uses: Renaming,
    /// The code that the tokens are in.
    pub places: CodePlaces,
}

/// Finds `item` and plans its move to the module `to`.
///
/// # Errors
/// [`CodeError::NoItem`](code::CodeError::NoItem), [`CodeError::Ambiguous`](code::CodeError::Ambiguous), or [`Error::NotMoved`] with the reason.
pub fn relocation_plan(
    ctx: &Ctx,
    workspace: &Workspace,
    item: &str,
    to: &str,
) -> Result<RelocationDraft, Error> {
    let refuse =
        |fault: RefactorFault| Error::NotMoved { item: item.to_owned(), reason: fault.to_string() };
    let context = RefactorContext::open(ctx, workspace)?;
    let named = find::find_free(&context, item)?;
    let Some(definition) = named.definition() else {
        return Err(refuse(RefactorFault::GenericParameter));
    };
    let own = family::item_at(&context, &named.source.path, definition);
    if own.is_some_and(|it| it.flags.from_macro) {
        return Err(refuse(RefactorFault::FromMacro));
    }
    let key = (named.source.path.clone(), definition.name_span.start);
    let files = context.texts();
    let family = family::family(&context, &named).map_err(refuse)?;
    let name = named.name().to_owned();
    let target = family.target(&named, &name);
    let uses = Renaming::new(target, &known::known(&context, &family.items, &name), &files);
    let places = CodePlaces::of(&context, &uses);
    let relocation =
        Relocation::new(&key, to, &files, &roots(&context)).map_err(|it| refuse(it.into()))?;
    Ok(RelocationDraft {
        relocation,
        item: named.to_string(),
        name,
        file: named.source.path.to_string(),
        line: named.line(),
        uses,
        places,
    })
}

/// The crates of the map, libraries first.
pub(super) fn roots(context: &RefactorContext<'_>) -> Vec<CrateRoot> {
    let map = context.map.map();
    let root = |it: graph::CrateView<'_>| {
        let root = ProjectPath::new(map.file(it.root)?.path).ok()?;
        let name = it.name.rsplit('/').next().unwrap_or(it.name).replace('-', "_");
        let is_library = !matches!(it.kind, "bin" | "test" | "bench" | "example" | "custom-build");
        Some(CrateRoot { name, is_library, root })
    };
    let mut found: Vec<CrateRoot> = map.crates().filter_map(root).collect();
    found.sort_by_key(|it| !it.is_library);
    found
}
