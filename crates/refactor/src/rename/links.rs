//! Decides what a link of the documentation leads to, where its own file shows that: a link without a path by the
//! items and imports of the module that it is resolved in. Follows no glob and no path through other modules.

use base::ByteSpan;
use syntax::places::{Definition, DefinitionKind};

use super::verdict::{is_of_type, is_owned};
use super::{KnownSites, RenameKind, RenameSite, Renaming, SiteRegion, SiteShape, Source};

/// Whether a link leads to the renamed item; `None` where its file does not show it.
pub(super) fn leads_to_item(
    plan: &Renaming,
    known: &KnownSites,
    site: &RenameSite,
) -> Option<bool> {
    if site.region != SiteRegion::Link {
        return None;
    }
    if is_of_type(site) && is_of_module(plan.target.kind) && !is_owned(plan, site) {
        return Some(false);
    }
    let is_local = match &site.shape {
        SiteShape::Bare { .. } => true,
        SiteShape::Qualified { before, .. } => before == "self",
        _ => false,
    };
    let source = plan.source(&site.path).filter(|_| is_local)?;
    let scope = scope_at(source, site.span.start)?;
    let is_here = |at: usize| scope_at(source, at) == Some(scope);
    let defined =
        source.places.definitions.iter().filter(|it| {
            it.name == plan.target.from && is_member(it) && is_here(it.name_span.start)
        });
    let defined = defined
        .map(|it| Some(plan.target.definitions.contains(&(site.path.clone(), it.name_span.start))));
    let imported = plan.sites_of(&site.path).iter();
    let imported = imported.filter(|it| is_import(source, it) && is_here(it.span.start));
    let imported = imported.map(|it| match (known.item.contains(&it.key()), is_owned(plan, it)) {
        (true, _) | (_, true) => Some(true),
        _ => known.other.contains(&it.key()).then_some(false),
    });
    let mut all = defined.chain(imported);
    let first = all.next()??;
    all.all(|it| it == Some(first)).then_some(first)
}

/// Module of a position, by its braces, or the whole file; `None` in a function or a macro's definition.
fn scope_at(source: &Source, at: usize) -> Option<ByteSpan> {
    let is_in = |it: &ByteSpan| it.start < at && at < it.end;
    let all = || source.places.definitions.iter();
    let is_opaque = |it: &Definition| match it.kind {
        DefinitionKind::Function => it.body.as_ref().is_some_and(is_in),
        DefinitionKind::Macro => is_in(&it.span) && it.name_span.end <= at,
        _ => false,
    };
    if all().any(is_opaque) {
        return None;
    }
    let modules = all().filter(|it| it.kind == DefinitionKind::Module);
    let bodies = modules.filter_map(|it| it.body).filter(is_in);
    let file = ByteSpan::new(0, source.text.len());
    Some(bodies.min_by_key(|it| it.len()).unwrap_or(file))
}

/// Whether a definition is a member of a module.
fn is_member(it: &Definition) -> bool {
    let is_part = matches!(it.kind, DefinitionKind::Field | DefinitionKind::Variant);
    it.owner.is_empty() && it.of_trait.is_none() && !is_part
}

/// Whether a token is the name that an import adds.
fn is_import(source: &Source, site: &RenameSite) -> bool {
    let is_last = match &site.shape {
        SiteShape::Bare { in_use: true, next }
        | SiteShape::Qualified { in_use: true, next, .. } => next != "::",
        _ => false,
    };
    let after = source.text.get(site.span.end..).unwrap_or("").trim_start();
    let is_aliased = after.strip_prefix("as").is_some_and(|it| it.starts_with(char::is_whitespace));
    site.region == SiteRegion::Code && is_last && !is_aliased
}

/// Whether an item of this kind is a member of a module, which no path through a type names.
fn is_of_module(kind: RenameKind) -> bool {
    use RenameKind as K;
    matches!(kind, K::Function | K::Type | K::Value | K::Module)
}
