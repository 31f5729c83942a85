//! The first verdict for each token of the old name, from the code map and the syntax, before the
//! compiler runs. `learn.rs` corrects it.

use base::{ByteSpan, ProjectPath};
use preserve::outline::{Token, TokenKind, tokens};
use syntax::places::{Definition, DefinitionKind, generic_params};

use super::owner::{has_method, is_of_foreign_receiver, is_of_own_receiver, owner_at};
use super::{KnownSites, RenameKind, RenameSite, Renaming, SiteRegion, SiteShape, SiteVerdict};
use super::{links, macro_name, quoted};

/// Crates whose modules are never the project's.
pub(super) const STANDARD: &[&str] = &["std", "core", "alloc"];
/// Types and variants of the prelude, which code without an import names.
const PRELUDE: &[&str] = &["Box", "Err", "None", "Ok", "Option", "Result", "Some", "String", "Vec"];
/// Attributes of types that generate nothing.
const BUILT_IN: &[&str] = &[
    "allow",
    "cfg",
    "cfg_attr",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "must_use",
    "non_exhaustive",
    "repr",
    "serde",
    "warn",
];
/// Derived traits that generate no item with the name of a field.
const DERIVED: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
];

/// Number of other items that tokens of the old name may mean: definitions, imports of what the map
/// does not know, and an item of the prelude.
pub(super) fn rivals(plan: &Renaming, known: &KnownSites) -> usize {
    let target = &plan.target;
    let is_field = target.kind == RenameKind::Field;
    let is_macro = target.kind == RenameKind::Macro;
    let is_method = target.kind == RenameKind::Method;
    let is_part = matches!(target.kind, RenameKind::Method | RenameKind::Member);
    let competes = |it: &Definition| {
        it.name == target.from
            // No call of a method can mean a module, a type or a variant.
            && !(is_method && is_type_or_module(it.kind))
            && (it.kind == DefinitionKind::Field) == is_field
            && (!is_macro || it.kind == DefinitionKind::Macro)
    };
    let definitions: usize = plan
        .sources
        .iter()
        .map(|source| {
            let quoted = if is_part { quoted::quoting(&source.text) } else { Vec::new() };
            let other = |it: &&Definition| {
                competes(it)
                    && !quoted::is_quoted_part(it, &quoted)
                    && !target.definitions.contains(&(source.path.clone(), it.name_span.start))
            };
            source.places.definitions.iter().filter(other).count()
        })
        .sum();
    let is_import = |it: &&RenameSite| match &it.shape {
        SiteShape::Qualified { in_use, before, .. } => {
            *in_use
                && (!is_macro || it.shape.can_name(target.kind))
                && !known.item.contains(&it.key())
                && (known.other.contains(&it.key()) || STANDARD.contains(&before.as_str()))
        }
        _ => false,
    };
    let imports = plan.sites.iter().filter(|_| !is_field).filter(is_import).count();
    let is_common = is_method && known.is_common;
    definitions + imports + usize::from(is_of_prelude(plan) || is_common)
}

fn is_type_or_module(kind: DefinitionKind) -> bool {
    use DefinitionKind as K;
    matches!(kind, K::Module | K::Struct | K::Enum | K::Trait | K::TypeAlias | K::Variant)
}

/// The verdict before the compiler is asked. The first that applies decides: a definition is the item or not; a
/// generic parameter and a macro have rules of their own; the edges of the map; strings; fields in `offset_of!`
/// and in links; imports and receivers that name another item; shapes that cannot name it; else what the region
/// (code, link, macro body, example) makes likely.
pub(super) fn first(plan: &Renaming, known: &KnownSites, site: &RenameSite) -> SiteVerdict {
    let (target, key) = (&plan.target, site.key());
    if site.shape == SiteShape::Definition {
        let is_own = target.definitions.contains(&key);
        return if is_own { SiteVerdict::Item } else { SiteVerdict::Other };
    }
    if target.kind == RenameKind::Generic {
        // `const N: usize` and `T = ()` look like other things.
        let is_own = target.definitions.contains(&key);
        return if is_own { SiteVerdict::Item } else { generic(plan, site) };
    }
    if target.kind == RenameKind::Macro {
        return macro_name::first(plan, known, site);
    }
    // To the map a macro call is also a use of what it expands to; its token names the macro.
    let is_macro = matches!(site.shape, SiteShape::MacroCall { .. });
    if known.item.contains(&key) && !is_macro {
        return SiteVerdict::Item;
    }
    if site.region.is_string() {
        return in_string(plan, known, site);
    }
    if target.kind == RenameKind::Field && is_offset(plan, site) {
        return SiteVerdict::Likely;
    }
    match links::leads_to_item(plan, known, site) {
        Some(true) if site.shape.can_name(target.kind) => return SiteVerdict::Likely,
        Some(false) => return SiteVerdict::Other,
        _ => {}
    }
    if site.region == SiteRegion::Link && target.kind == RenameKind::Field {
        let is_it = is_owned(plan, site) && !has_method(plan);
        return if is_it { SiteVerdict::Likely } else { SiteVerdict::Other };
    }
    if known.other.contains(&key) {
        return SiteVerdict::Other;
    }
    if is_imported_member(plan, site) || is_of_foreign_receiver(plan, site) {
        return SiteVerdict::Other;
    }
    if target.kind == RenameKind::Function && is_of_type(site) && !is_owned(plan, site) {
        return SiteVerdict::Other;
    }
    if !site.shape.can_name(target.kind) {
        // Errors of the compiler, and of examples, show whether a macro generates it.
        let is_generated = site.shape.can_name_generated(target.kind) && generates(plan);
        return if is_generated { SiteVerdict::Unlikely } else { SiteVerdict::Other };
    }
    let is_only = plan.rivals == 0;
    let is_likely = match site.region {
        // Decided above.
        SiteRegion::Capture
        | SiteRegion::MaybeCapture
        | SiteRegion::Message
        | SiteRegion::PathString
        | SiteRegion::MaybePath
        | SiteRegion::ArgumentId => false,
        SiteRegion::Code if known.open.contains(&key) => true,
        SiteRegion::Code => {
            is_owned(plan, site)
                || is_of_own_receiver(plan, site)
                || (is_only && in_code(plan, site))
                || is_imported(plan, known, site)
        }
        SiteRegion::Link if is_standard(plan, site) => return SiteVerdict::Other,
        SiteRegion::Link => is_owned(plan, site) || (is_only && target.kind != RenameKind::Method),
        SiteRegion::MacroBody => is_owned(plan, site) || is_only,
        SiteRegion::Example if defines_it(plan, site) => return SiteVerdict::Other,
        // Documentation tests contradict.
        SiteRegion::Example => {
            let is_member = matches!(
                target.kind,
                RenameKind::Method | RenameKind::Field | RenameKind::Member | RenameKind::Variant
            );
            // An example that is not run cannot contradict.
            let is_known = !is_member && !is_of_prelude(plan);
            is_owned(plan, site) || is_only || is_known
        }
    };
    if is_likely { SiteVerdict::Likely } else { SiteVerdict::Unlikely }
}

/// Whether a file imports the item by its name and nothing else of that name, so that the name alone means
/// the item.
fn is_imported(plan: &Renaming, known: &KnownSites, site: &RenameSite) -> bool {
    if !matches!(site.shape, SiteShape::Bare { in_use: false, .. }) || may_be_local(plan, site) {
        return false;
    }
    let is_import = |it: &RenameSite| {
        matches!(
            it.shape,
            SiteShape::Bare { in_use: true, .. } | SiteShape::Qualified { in_use: true, .. }
        )
    };
    let is_own = |it: &RenameSite| known.item.contains(&it.key()) || is_owned(plan, it);
    let (mut own, mut other) = (false, false);
    for it in plan.sites_of(&site.path) {
        match &it.shape {
            _ if is_import(it) && is_own(it) => own = true,
            _ if is_import(it) => other = true,
            SiteShape::Definition => other |= !plan.target.definitions.contains(&it.key()),
            _ => {}
        }
    }
    own && !other
}

/// Whether a site in an import would be a member of a trait or an impl, which no import names.
fn is_imported_member(plan: &Renaming, site: &RenameSite) -> bool {
    let is_import = matches!(
        &site.shape,
        SiteShape::Qualified { in_use: true, .. } | SiteShape::Bare { in_use: true, .. }
    );
    let is_member = matches!(plan.target.kind, RenameKind::Member | RenameKind::Method);
    is_member && is_import && matches!(site.region, SiteRegion::Code | SiteRegion::Example)
}

/// Whether a site is a member of a type, which no function of a module is: `Bytes::new`.
pub(super) fn is_of_type(site: &RenameSite) -> bool {
    matches!(&site.shape, SiteShape::Qualified { before, .. }
        if before.starts_with(char::is_uppercase) || before == ">")
}

/// Whether the path of a site begins with a crate of the standard library, and with no module of its file.
fn is_standard(plan: &Renaming, site: &RenameSite) -> bool {
    let Some(source) = plan.source(&site.path) else { return false };
    let before = source.text.get(..site.span.start).unwrap_or("");
    let start = before.trim_end_matches(|it| it == ':' || base::is_word(it)).len();
    let Some((first, _)) = before[start..].split_once("::") else { return false };
    let is_first = |it: &Definition| it.kind == DefinitionKind::Module && it.name == first;
    STANDARD.contains(&first) && !source.places.definitions.iter().any(is_first)
}

/// Whether a name without a path that is not called may be a variable: its function has one of the name
/// of the renamed function. (A constant cannot be hidden by one.)
fn may_be_local(plan: &Renaming, site: &RenameSite) -> bool {
    let is_called = matches!(&site.shape, SiteShape::Bare { next, .. } if next == "(");
    if plan.target.kind != RenameKind::Function || is_called {
        return false;
    }
    let Some(source) = plan.source(&site.path) else { return false };
    let Some(around) = source.places.function_at(site.span.start) else { return false };
    let list = tokens(source.slice(around.span.start..around.span.end));
    (0..list.len()).any(|at| list[at].is(&plan.target.from) && binds(&list, at))
}

/// Whether a name is in a pattern: of `let`, `for`, a parameter, a closure or an arm.
fn binds(list: &[Token<'_>], at: usize) -> bool {
    let text = |at: usize| list.get(at).map_or("", |it| it.text);
    let before = at.checked_sub(1).map_or("", text);
    let after = text(at + 1);
    if matches!(before, "let" | "mut" | "ref" | "for" | "|") || matches!(after, "@" | "|") {
        return true;
    }
    if after == ":" && matches!(before, "(" | ",") {
        return true;
    }
    // `Some(name) = …`, `(_, name) => …`, `(a, name) in …`.
    let is_part = |it: &&Token<'_>| {
        it.kind == TokenKind::Word && !it.is("in") || matches!(it.text, ")" | "," | "&" | "..")
    };
    let rest = list.get(at + 1..).unwrap_or_default();
    let end = rest.iter().take_while(is_part).count();
    let closes = rest[..end].iter().any(|it| it.is(")"));
    closes && matches!(rest.get(end).map_or("", |it| it.text), "=" | "=>" | "in")
}

/// A token in a string literal: a capture names a constant or a static, that of an attribute's message
/// a field.
fn in_string(plan: &Renaming, known: &KnownSites, site: &RenameSite) -> SiteVerdict {
    let kind = plan.target.kind;
    let is_open = known.open.contains(&site.key());
    let is_likely = match site.region {
        SiteRegion::Message if kind == RenameKind::Field => {
            return if is_inside_owner(plan, site) {
                SiteVerdict::Likely
            } else {
                SiteVerdict::Other
            };
        }
        SiteRegion::Capture | SiteRegion::Message if kind == RenameKind::Value => {
            is_open || plan.rivals == 0
        }
        SiteRegion::MaybeCapture if kind == RenameKind::Value => is_open,
        SiteRegion::PathString if site.shape.can_name(kind) || is_module(kind, &site.shape) => {
            is_owned(plan, site) || is_open || plan.rivals == 0
        }
        SiteRegion::ArgumentId if plan.is_equal_string(site) && is_inside_owner(plan, site) => {
            !plan.has_own_id()
        }
        SiteRegion::MaybePath if plan.is_equal_string(site) && is_inside_owner(plan, site) => false,
        SiteRegion::MaybePath | SiteRegion::ArgumentId if site.shape.can_name(kind) => is_open,
        _ => return SiteVerdict::Other,
    };
    if is_likely { SiteVerdict::Likely } else { SiteVerdict::Unlikely }
}

/// Whether a path in a string can be that of a module: `#[serde(with = "codec")]`.
fn is_module(kind: RenameKind, shape: &SiteShape) -> bool {
    let is_last = matches!(shape, SiteShape::Bare { next, .. } | SiteShape::Qualified { next, .. }
        if next.is_empty());
    kind == RenameKind::Module && is_last
}

/// Whether a site is within the type, variants included, that the renamed field is a part of.
fn is_inside_owner(plan: &Renaming, site: &RenameSite) -> bool {
    let Some(source) = plan.source(&site.path) else { return false };
    let owns = |it: &Definition| {
        let own = plan.target.definitions.iter();
        let mut own = own.filter(|(path, _)| *path == site.path);
        own.any(|(_, at)| it.span.start <= *at && *at < it.span.end)
    };
    let is_owner = |it: &&Definition| {
        matches!(it.kind, DefinitionKind::Struct | DefinitionKind::Enum | DefinitionKind::Variant)
    };
    let around = source.places.definitions.iter().filter(is_owner);
    let around = around.filter(|it| it.span.contains(site.span) && owns(it));
    // Of an enum the variant whose attribute it is.
    around.min_by_key(|it| it.span.len()).is_some_and(|it| {
        let variants = source.places.definitions.iter();
        let mut variants = variants.filter(|it| it.kind == DefinitionKind::Variant);
        it.kind != DefinitionKind::Enum || !variants.any(|of| of.span.contains(site.span))
    })
}

/// Whether code that does not import the item means one of the prelude by the name.
fn is_of_prelude(plan: &Renaming) -> bool {
    let name = plan.target.from.as_str();
    match plan.target.kind {
        RenameKind::Field => false,
        RenameKind::Macro => macro_name::is_of_prelude(name),
        _ => PRELUDE.contains(&name),
    }
}

/// Whether code outside of the crate can use the macro. One whose definition has the new name already is
/// found by that.
pub(super) fn is_exported(plan: &Renaming) -> bool {
    let target = &plan.target;
    let is_it = |path: &ProjectPath, it: &Definition| match target.definitions.is_empty() {
        true => it.kind == DefinitionKind::Macro && it.name == target.to,
        false => target.definitions.contains(&(path.clone(), it.name_span.start)),
    };
    plan.sources.iter().any(|source| {
        let own = source.places.definitions.iter().filter(|it| is_it(&source.path, it));
        let heads = own.filter_map(|it| source.text.get(it.span.start..it.name_span.start));
        heads.into_iter().any(|it| it.contains("macro_export"))
    })
}

/// Whether a macro of the type may generate items from its fields.
fn generates(plan: &Renaming) -> bool {
    plan.target.definitions.iter().any(|(path, at)| {
        let Some(source) = plan.source(path) else { return false };
        let around = source.places.definitions.iter().filter(|it| {
            matches!(it.kind, DefinitionKind::Struct | DefinitionKind::Enum)
                && it.span.start <= *at
                && *at < it.span.end
        });
        let heads = around.filter_map(|it| source.text.get(it.span.start..it.name_span.start));
        heads.into_iter().any(has_macro)
    })
}

/// Whether the head of an item has an attribute or a derived trait that is not of the compiler.
fn has_macro(head: &str) -> bool {
    let tokens = tokens(head);
    let text = |at: usize| tokens.get(at).map_or("", |it| it.text);
    (0..tokens.len()).filter(|at| text(*at) == "#" && text(at + 1) == "[").any(|at| {
        let name = text(at + 2);
        if name != "derive" {
            return !BUILT_IN.contains(&name);
        }
        let list = (at + 4..tokens.len()).take_while(|it| text(*it) != ")");
        let mut names = list
            .filter(|it| tokens[*it].kind == TokenKind::Word && matches!(text(it + 1), "," | ")"));
        names.any(|it| !DERIVED.contains(&text(it)))
    })
}

/// Whether the syntax names a member through its owner.
pub(super) fn is_owned(plan: &Renaming, site: &RenameSite) -> bool {
    let target = &plan.target;
    let is_owner = |it: &str| match it {
        "Self" | "self" => owner_at(plan, site).is_some_and(|it| target.owners.contains(it)),
        _ => target.owners.contains(it),
    };
    match &site.shape {
        SiteShape::Qualified { before, .. } => is_owner(before),
        SiteShape::MacroCall { before } => !before.is_empty() && is_owner(before),
        SiteShape::Generated { of } => target.owners.contains(of),
        SiteShape::FieldInit { of, .. } if target.kind == RenameKind::Field => is_owner(of),
        SiteShape::FieldAccess { on_self: true } | SiteShape::MethodCall { on_self: true } => {
            is_owner("self")
        }
        _ => false,
    }
}

/// Whether the example that a name without a path is in has an item of its own of that name, or a variable
/// where a function is meant that is not called.
fn defines_it(plan: &Renaming, site: &RenameSite) -> bool {
    let SiteShape::Bare { in_use: false, next } = &site.shape else { return false };
    let may_be_variable = plan.target.kind == RenameKind::Function && next != "(";
    let text = plan.source(&site.path).map_or("", |it| &it.text);
    let is_variable = |it: &RenameSite| {
        let before = text.get(..it.span.start).unwrap_or("").trim_end();
        let word = &before[before.trim_end_matches(base::is_word).len()..];
        before.ends_with('|') || matches!(word, "let" | "mut" | "ref" | "for")
    };
    let in_example = plan.sites_of(&site.path).iter().filter(|it| it.example == site.example);
    in_example
        .into_iter()
        .any(|it| it.shape == SiteShape::Definition || may_be_variable && is_variable(it))
}

/// Whether a site is the field in `offset_of!(Type, field)`.
fn is_offset(plan: &Renaming, site: &RenameSite) -> bool {
    let before = plan.source(&site.path).and_then(|it| it.text.get(..site.span.start));
    let Some(input) = before.and_then(|it| it.rsplit_once("offset_of!")).map(|it| it.1) else {
        return false;
    };
    let input = input.trim_start().strip_prefix(['(', '[', '{']).unwrap_or(")");
    let Some((ty, rest)) = input.split_once(',') else { return false };
    let ty = ty.split('<').next().unwrap_or("").trim();
    let is_first = rest.trim().is_empty() && !input.contains([')', ';']);
    is_first && ty.rsplit("::").next().is_some_and(|it| plan.target.owners.contains(it.trim()))
}

/// Whether the only item of its name is meant in code that the map does not explain.
fn in_code(plan: &Renaming, site: &RenameSite) -> bool {
    if plan.is_quoted_member(site) || plan.is_quoted_call(site) {
        return true;
    }
    match (plan.target.kind, &site.shape) {
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
fn generic(plan: &Renaming, site: &RenameSite) -> SiteVerdict {
    let is_name = matches!(
        &site.shape,
        SiteShape::Bare { in_use: false, .. } | SiteShape::FieldInit { is_shorthand: true, .. }
    );
    let is_code = matches!(site.region, SiteRegion::Code | SiteRegion::Capture);
    let is_own = is_name && is_code && !is_redeclared(plan, site);
    if is_own { SiteVerdict::Item } else { SiteVerdict::Other }
}

/// Whether an item inside of the one with the generic parameter, around the site, has a parameter of
/// that name too.
fn is_redeclared(plan: &Renaming, site: &RenameSite) -> bool {
    let Some(((_, within), source)) = plan.target.within.as_ref().zip(plan.source(&site.path))
    else {
        return false;
    };
    let names_it = |list: ByteSpan| {
        let tokens = generic_params(list.slice(&source.text).unwrap_or(""), list.start);
        tokens.iter().any(|it| it.slice(&source.text) == Some(plan.target.from.as_str()))
    };
    source.places.generic_lists().any(|(_, item, list)| {
        let is_inner = item != *within && within.contains(item) && item.contains(site.span);
        is_inner && names_it(list)
    })
}
