//! An item that goes into its uses: the item that the user names, with the tokens of its name.

use base::Ctx;
use project::Workspace;
use refactor::{Inlining, Renaming};

use super::fault::RefactorFault;
use super::relocate::roots;
use super::{CodePlaces, RefactorContext, family, find, known};
use crate::Error;

/// An inlined item before its proof.
pub struct InlineDraft {
    /// The item with the tokens that may be uses.
    pub inlining: Inlining,
    /// The code that the tokens are in.
    pub places: CodePlaces,
    /// The item: ``method `S::get` ``.
    pub item: String,
    /// File of the definition.
    pub file: String,
    /// Line of the definition, from 1.
    pub line: u32,
}

/// Finds `item` and the tokens of its name. With `keep` its definition stays.
///
/// # Errors
/// [`CodeError::NoItem`](code::CodeError::NoItem), [`CodeError::Ambiguous`](code::CodeError::Ambiguous), or [`Error::NotInlined`] with the reason.
pub fn inline_plan(
    ctx: &Ctx,
    workspace: &Workspace,
    item: &str,
    keep: bool,
) -> Result<InlineDraft, Error> {
    let refuse = |fault: RefactorFault| Error::NotInlined {
        item: item.to_owned(),
        reason: fault.to_string(),
    };
    let context = RefactorContext::open(ctx, workspace)?;
    let named = find::find(&context, item)?;
    let Some(definition) = named.definition() else {
        return Err(refuse(RefactorFault::GenericParameter));
    };
    let family = family::family(&context, &named).map_err(refuse)?;
    let name = named.name().to_owned();
    let target = family.target(&named, &name);
    let known = known::known(&context, &family.items, &name);
    let files = context.texts();
    let uses = Renaming::new(target, &known, &files);
    let key = (named.source.path.clone(), definition.name_span.start);
    let places = CodePlaces::of(&context, &uses);
    let inlining = Inlining::new(uses, &key, keep, &files, &roots(&context))
        .map_err(|it| refuse(it.into()))?;
    Ok(InlineDraft {
        inlining,
        places,
        item: named.to_string(),
        file: named.source.path.to_string(),
        line: named.line(),
    })
}
