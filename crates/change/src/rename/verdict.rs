//! The first verdict for each token of the old name, from the code map and the syntax, before the
//! compiler runs. `learn.rs` corrects it.

use syntax::places::{Definition, DefinitionKind};

use super::{KnownSites, RenameKind, RenameSite, Renaming, SiteRegion, SiteShape, SiteVerdict};

/// Crates whose modules are never the project's.
const STANDARD: &[&str] = &["std", "core", "alloc"];

/// Number of other items that tokens of the old name may mean: definitions, and imports of what the
/// map does not know.
pub(super) fn rivals(plan: &Renaming, known: &KnownSites) -> usize {
    let target = &plan.target;
    let is_field = target.kind == RenameKind::Field;
    let competes =
        |it: &Definition| it.name == target.from && (it.kind == DefinitionKind::Field) == is_field;
    let definitions: usize = plan
        .sources
        .iter()
        .map(|source| {
            let other = |it: &&Definition| {
                competes(it)
                    && !target.definitions.contains(&(source.path.clone(), it.name_span.start))
            };
            source.places.definitions.iter().filter(other).count()
        })
        .sum();
    let is_import = |it: &&RenameSite| match &it.shape {
        SiteShape::Qualified { in_use, before, .. } => {
            *in_use
                && !known.item.contains(&it.key())
                && (known.other.contains(&it.key()) || STANDARD.contains(&before.as_str()))
        }
        _ => false,
    };
    let imports = plan.sites.iter().filter(|_| !is_field).filter(is_import).count();
    definitions + imports
}

/// The verdict before the compiler is asked.
pub(super) fn first(plan: &Renaming, known: &KnownSites, site: &RenameSite) -> SiteVerdict {
    let (target, key) = (&plan.target, site.key());
    if site.shape == SiteShape::Definition {
        let is_own = target.definitions.contains(&key);
        return if is_own { SiteVerdict::Item } else { SiteVerdict::Other };
    }
    if target.kind == RenameKind::Generic {
        return generic(site);
    }
    if known.item.contains(&key) {
        return SiteVerdict::Item;
    }
    if site.region == SiteRegion::Link && target.kind == RenameKind::Field {
        return if is_owned(plan, site) { SiteVerdict::Likely } else { SiteVerdict::Other };
    }
    if !site.shape.can_name(target.kind) || known.other.contains(&key) {
        return SiteVerdict::Other;
    }
    if site.region == SiteRegion::Example && target.kind == RenameKind::Macro && !is_exported(plan)
    {
        return SiteVerdict::Other;
    }
    let is_only = plan.rivals == 0;
    let is_likely = match site.region {
        SiteRegion::Code if known.open.contains(&key) => true,
        SiteRegion::Code => is_owned(plan, site) || (is_only && in_code(target.kind, site)),
        SiteRegion::Link => is_owned(plan, site) || (is_only && target.kind != RenameKind::Method),
        SiteRegion::MacroBody => is_owned(plan, site) || is_only,
        // Documentation tests contradict.
        SiteRegion::Example => {
            let is_member = matches!(target.kind, RenameKind::Method | RenameKind::Field);
            is_owned(plan, site) || is_only || !is_member
        }
    };
    if is_likely { SiteVerdict::Likely } else { SiteVerdict::Unlikely }
}

/// Whether code outside of the crate can use the macro.
fn is_exported(plan: &Renaming) -> bool {
    plan.target.definitions.iter().any(|(path, at)| {
        let Some(source) = plan.source(path) else { return false };
        let own = source.places.definitions.iter().find(|it| it.name_span.start == *at);
        let head = own.and_then(|it| source.text.get(it.span.start..*at));
        head.is_some_and(|it| it.contains("macro_export"))
    })
}

/// Whether the syntax names a member through its owner.
fn is_owned(plan: &Renaming, site: &RenameSite) -> bool {
    let target = &plan.target;
    let is_owner = |it: &str| match it {
        "Self" | "self" => owner_at(plan, site).is_some_and(|it| target.owners.contains(it)),
        _ => target.owners.contains(it),
    };
    match &site.shape {
        SiteShape::Qualified { before, .. } => is_owner(before),
        SiteShape::FieldInit { of, .. } if target.kind == RenameKind::Field => is_owner(of),
        SiteShape::FieldAccess { on_self: true } | SiteShape::MethodCall { on_self: true } => {
            is_owner("self")
        }
        _ => false,
    }
}

/// Whether the only item of its name is meant in code that the map does not explain.
fn in_code(kind: RenameKind, site: &RenameSite) -> bool {
    match (kind, &site.shape) {
        // The map knows calls; a name that it does not know is a variable or external.
        (RenameKind::Function | RenameKind::Method, _) => false,
        (RenameKind::Module, SiteShape::Qualified { before, .. }) => {
            !STANDARD.contains(&before.as_str())
        }
        _ => true,
    }
}

/// A generic parameter: every path in its item that begins with its name, unless an inner item has a
/// parameter of that name too.
fn generic(site: &RenameSite) -> SiteVerdict {
    let is_name = matches!(
        &site.shape,
        SiteShape::Bare { in_use: false, .. } | SiteShape::FieldInit { is_shorthand: true, .. }
    );
    if is_name && site.region == SiteRegion::Code { SiteVerdict::Item } else { SiteVerdict::Other }
}

/// The type or trait whose member the site is in.
fn owner_at<'a>(plan: &'a Renaming, site: &RenameSite) -> Option<&'a str> {
    let source = plan.source(&site.path)?;
    let around = source.places.definitions.iter().filter(|it| {
        !it.owner.is_empty() && it.kind != DefinitionKind::Field && it.span.contains(site.span)
    });
    around.min_by_key(|it| it.span.len()).map(|it| it.owner.as_str())
}
