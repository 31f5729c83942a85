//! The type that a site belongs to, and its other members.

use syntax::places::{Definition, DefinitionKind};

use super::{RenameSite, Renaming, SiteRegion, Source};

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
