//! The type that a site belongs to, and its other members.

use syntax::places::{Definition, DefinitionKind, PartKind};

use crate::text::type_head;

use super::{RenameKind, RenameSite, Renaming, SiteRegion, SiteShape, Source};

/// The type or trait whose member the site is in.
pub(super) fn owner_at<'a>(plan: &'a Renaming, site: &RenameSite) -> Option<&'a str> {
    let source = plan.source(&site.path)?;
    let around = source.places.definitions.iter().filter(|it| {
        !it.owner.is_empty() && it.kind != DefinitionKind::Field && it.span.contains(site.span)
    });
    let around = around.min_by_key(|it| it.span.len()).map(|it| it.owner.as_str());
    around.or_else(|| documented_owner(source, site))
}

/// The type that `Self` means in documentation of a type or of a member: that of the item which follows.
fn documented_owner<'a>(source: &'a Source, site: &RenameSite) -> Option<&'a str> {
    if site.region != SiteRegion::Link {
        return None;
    }
    let all = || source.places.definitions.iter();
    // Whether its comments are a part of an item or stand before it.
    let own = all().filter(|it| it.span.contains(site.span) && site.span.end <= it.name_span.start);
    let next = all().filter(|it| it.span.start >= site.span.end).min_by_key(|it| it.span.start);
    let it = own.min_by_key(|it| it.span.len()).or(next)?;
    let is_type =
        matches!(it.kind, DefinitionKind::Struct | DefinitionKind::Enum | DefinitionKind::Trait);
    let owner = if it.owner.is_empty() && is_type { &it.name } else { &it.owner };
    Some(owner.as_str()).filter(|it| !it.is_empty())
}

/// Whether the type of a field has a function or constant of the same name, to which links of the documentation
/// lead then.
pub(super) fn has_method(plan: &Renaming) -> bool {
    let target = &plan.target;
    let is_it = |it: &Definition| {
        matches!(it.kind, DefinitionKind::Function | DefinitionKind::Const)
            && it.name == target.from
            && target.owners.contains(&it.owner)
    };
    plan.sources.iter().any(|it| it.places.definitions.iter().any(is_it))
}

/// Whether a member is one of a parameter whose written type is that of the item.
pub(super) fn is_of_own_receiver(plan: &Renaming, site: &RenameSite) -> bool {
    let is_member = matches!(plan.target.kind, RenameKind::Field | RenameKind::Method);
    let written = written_receiver(plan, site).filter(|_| is_member);
    written.is_some_and(|it| plan.target.owners.contains(type_head(it)))
}

/// Whether a field is one of a parameter whose written type is of another crate and has nothing of the item's.
pub(super) fn is_of_foreign_receiver(plan: &Renaming, site: &RenameSite) -> bool {
    if plan.target.kind != RenameKind::Field {
        return false;
    }
    let Some(written) = written_receiver(plan, site) else { return false };
    let name = type_head(written);
    let names_it = plan.target.owners.iter().any(|it| base::has_word(written, it));
    let is_ours = |source: &Source| {
        let generics = source.places.generic_lists().map(|it| it.2);
        let mut generics = generics.filter_map(|it| it.slice(&source.text));
        source.places.definitions.iter().any(|it| it.name == name)
            || source.path == site.path && generics.any(|it| base::has_word(it, name))
    };
    let is_path = name.starts_with(char::is_uppercase) && name != "Self";
    is_path && !names_it && !plan.sources.iter().any(is_ours)
}

/// The type of the parameter that a member is accessed on, as it is written; `None` where the name may mean
/// a variable.
fn written_receiver<'a>(plan: &'a Renaming, site: &RenameSite) -> Option<&'a str> {
    let is_access = matches!(
        site.shape,
        SiteShape::FieldAccess { on_self: false } | SiteShape::MethodCall { on_self: false }
    );
    let source = plan.source(&site.path).filter(|_| is_access)?;
    let before = source.text.get(..site.span.start)?.trim_end().strip_suffix('.')?.trim_end();
    let start = before.trim_end_matches(base::is_word).len();
    let (before, receiver) = before.split_at(start);
    let before = before.trim_end();
    let is_part = before.ends_with("::") || before.ends_with('.') && !before.ends_with("..");
    if receiver.is_empty() || is_part {
        return None;
    }
    let function = source.places.function_at(site.span.start)?;
    let body = function.body?.slice(&source.text)?;
    let binds = |at: usize| {
        let head = body[..at].trim_end();
        let head = head.strip_suffix("mut").unwrap_or(head).trim_end();
        let word = &head[head.trim_end_matches(base::is_word).len()..];
        matches!(word, "let" | "ref" | "for")
            || head.ends_with(['|', '(', ',', '&', '@', '{'])
                && !head.ends_with("&&")
                && body[at + receiver.len()..]
                    .trim_start()
                    .starts_with(['|', ')', ',', ':', '}', '@'])
    };
    if base::word_places(body, receiver).any(binds) {
        return None;
    }
    let is_it = |it: &&syntax::places::DefinitionPart| {
        it.kind == PartKind::Parameter && it.name == receiver
    };
    let parameter = function.parts.iter().find(is_it)?.span.slice(&source.text)?;
    parameter.split_once(':').map(|it| it.1.trim())
}
