//! A changed parameter, type or field: the definition that the user names, with its uses.

use base::{Ctx, has_word};
use code::CodeError;
use project::Workspace;
use refactor::{BadRequest, KnownSites, Renaming, Reshape, Reshaping};
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::family::{self, Family};
use super::fault::RefactorFault;
use super::find::{self, Named};
use super::{CodePlaces, RefactorContext, SourceText, known};
use crate::Error;

/// A changed definition before its proof.
pub struct ReshapeDraft {
    /// The change with the tokens that may be uses.
    pub reshaping: Reshaping,
    /// The code that the tokens are in.
    pub places: CodePlaces,
    /// The item: ``method `S::get` ``.
    pub item: String,
    /// File of the definition.
    pub file: String,
    /// Line of the definition, from 1.
    pub line: u32,
    /// Notes for the user: who else is affected.
    pub notes: Vec<String>,
}

/// Finds `item` and what `change` asks of it. For another type, the last segment of `item` may be a
/// parameter: `Type::method::parameter`.
///
/// # Errors
/// [`CodeError::NoItem`](code::CodeError::NoItem), [`CodeError::Ambiguous`](code::CodeError::Ambiguous), [`Error::BadText`], or [`Error::NotReshaped`] with the
/// reason.
pub fn reshape_plan(
    ctx: &Ctx,
    workspace: &Workspace,
    item: &str,
    change: &Reshape,
) -> Result<ReshapeDraft, Error> {
    let refuse = |fault: RefactorFault| Error::NotReshaped {
        item: item.to_owned(),
        reason: fault.to_string(),
    };
    let context = RefactorContext::open(ctx, workspace)?;
    let (named, change) = find_part(&context, item, change)?;
    let Some(definition) = named.definition() else {
        return Err(refuse(RefactorFault::GenericParameter));
    };
    let family = family::family(&context, &named).map_err(refuse)?;
    let name = named.name().to_owned();
    let target = family.target(&named, &name);
    let known = match change {
        // The compiler reports each use that does not fit.
        Reshape::ChangeType { .. } => KnownSites::default(),
        _ => known::known(&context, &family.items, &name),
    };
    let files = context.texts();
    let renaming = Renaming::with_pages(target, &known, &files, context.page_texts.clone());
    let key = (named.source.path.clone(), definition.name_span.start);
    let places = CodePlaces::of(&context, &renaming);
    let reshaping = Reshaping::new(&change, renaming, &key).map_err(|bad| match bad {
        BadRequest::NoFragment { .. } | BadRequest::Name { .. } => {
            Error::BadText { reason: bad.to_string() }
        }
        bad => refuse(RefactorFault::Reshape(bad)),
    })?;
    Ok(ReshapeDraft {
        reshaping,
        places,
        item: named.to_string(),
        file: named.source.path.to_string(),
        line: named.line(),
        notes: notes(&context, &family, &named),
    })
}

/// The definition, and the change with the parameter that the last segment of `item` names.
fn find_part<'a>(
    context: &'a RefactorContext<'_>,
    item: &str,
    change: &Reshape,
) -> Result<(Named<'a>, Reshape), Error> {
    let found = match change {
        Reshape::ChangeType { .. } => find::find(context, item),
        _ => find::find_but_field(context, item),
    };
    let Reshape::ChangeType { part: None, ty } = change else {
        return Ok((found?, change.clone()));
    };
    let (
        Err(
            Error::Code(
                CodeError::NoItem { .. }
                | CodeError::OutsideItem { .. }
                | CodeError::NotMapped { .. },
            )
            | Error::InMacroCall { .. },
        ),
        Some((owner, last)),
    ) = (&found, item.rsplit_once("::"))
    else {
        return Ok((found?, change.clone()));
    };
    let owner = find::find(context, owner).ok().filter(|it| {
        let parts = it.definition().map_or(&[][..], |it| &it.parts);
        let parameters = parts.iter().filter(|it| it.kind == PartKind::Parameter);
        parameters.enumerate().any(|(at, it)| it.name == last || at.to_string() == last)
    });
    match owner {
        Some(owner) => {
            let part = Some(last.to_owned());
            Ok((owner, Reshape::ChangeType { part, ty: ty.clone() }))
        }
        None => Ok((found?, change.clone())),
    }
}

/// Who else is affected.
fn notes(context: &RefactorContext<'_>, family: &Family<'_>, named: &Named<'_>) -> Vec<String> {
    let mut notes = family.notes(context, named, None);
    let linked = family.members.iter().find_map(|(source, it)| linked_as(source, it));
    notes.extend(linked.map(|it| {
        format!(
            "its attribute or ABI ({it}) is an interface: callers in other languages must follow"
        )
    }));
    notes
}

/// What makes a function part of the interface to other languages.
fn linked_as(source: &SourceText, it: &Definition) -> Option<&'static str> {
    if it.kind != DefinitionKind::Function {
        return None;
    }
    let head = source.text.get(it.span.start..it.name_span.start).unwrap_or("");
    ["no_mangle", "export_name", "extern"].into_iter().find(|word| has_word(head, word))
}
