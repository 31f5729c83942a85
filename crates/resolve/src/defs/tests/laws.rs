//! Properties that hold for every workspace.

use base::{ItemKind, SortedMap};
use proptest::prelude::*;

use super::fixture::{build, show};
use crate::{Def, DefId, DefMap, Deps, FileIdx, Namespace, Resolution, TypeHead, WorkspaceInput};

pub(super) const PATHS: [&str; 7] = [
    "a/src/lib.rs",
    "a/src/m.rs",
    "a/src/m/n.rs",
    "a/src/k.rs",
    "b/src/main.rs",
    "b/src/m.rs",
    "b/src/lost.rs",
];

fn header(path: &str) -> String {
    match path {
        "a/src/lib.rs" => "crate:a/a cfg:unix".to_owned(),
        "b/src/main.rs" => "crate:b/b edition:2018 deps:a=a/a,out".to_owned(),
        _ => String::new(),
    }
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["m", "n", "k", "f", "g", "T", "U", "E", "A", "R", "x"])
}

fn path() -> impl Strategy<Value = String> {
    let first = prop_oneof![
        3 => name().prop_map(str::to_owned),
        4 => prop::sample::select(vec!["crate", "self", "super", "a", "out", "super::super", "std"])
            .prop_map(str::to_owned),
    ];
    (first, prop::collection::vec(name(), 0..3))
        .prop_map(|(first, rest)| rest.iter().fold(first, |all, part| format!("{all}::{part}")))
}

pub(super) fn line() -> impl Strategy<Value = String> {
    let vis = prop::sample::select(vec!["", "pub ", "pub(crate) ", "pub(super) "]);
    let cfg = prop_oneof![
        8 => Just(""),
        1 => Just("#[cfg(unix)] "),
        1 => Just("#[cfg(windows)] "),
    ];
    let plain = prop_oneof![
        4 => name().prop_map(|n| format!("fn {n}() {{}}")),
        3 => name().prop_map(|n| format!("struct {n};")),
        1 => name().prop_map(|n| format!("struct {n}<N> {{ x: N }}")),
        2 => (name(), name(), name()).prop_map(|(n, a, b)| format!("enum {n} {{ {a}, {b}(u8) }}")),
        2 => (name(), name()).prop_map(|(n, f)| format!("trait {n} {{ fn {f}(&self); const x: u8; }}")),
        1 => (name(), path()).prop_map(|(n, of)| format!("type {n} = {of};")),
        3 => (name(), name(), name()).prop_map(|(m, f, p)| {
            format!("mod {m} {{ pub fn {f}() {{}} pub use super::{p}; pub struct T; }}")
        }),
        3 => name().prop_map(|m| format!("mod {m};")),
        1 => name().prop_map(|m| format!("#[macro_use] mod {m};")),
        4 => path().prop_map(|p| format!("use {p};")),
        3 => path().prop_map(|p| format!("use {p}::*;")),
        2 => (path(), name()).prop_map(|(p, n)| format!("use {p} as {n};")),
        1 => name().prop_map(|n| format!("extern crate {n};")),
    ];
    let bare = prop_oneof![
        2 => (path(), name()).prop_map(|(t, f)| format!("impl {t} {{ pub fn {f}(&self) {{}} }}")),
        2 => (path(), path(), name())
            .prop_map(|(r, t, f)| format!("impl {r} for {t} {{ fn {f}(&self) {{}} }}")),
        1 => path().prop_map(|p| format!("use {p} as _;")),
        1 => name().prop_map(|n| {
            format!("macro_rules! {n} {{ ($($i:item)*) => {{ $( #[cfg(unix)] $i )* }} }}")
        }),
        1 => (name(), name()).prop_map(|(n, f)| {
            format!("macro_rules! {n} {{ () => {{ pub fn {f}() {{ $crate::g() }} struct U; }} }}")
        }),
        1 => (name(), name()).prop_map(|(n, f)| {
            format!("#[macro_export] macro_rules! {n} {{ ($i:ident) => {{ pub mod $i {{ pub fn {f}() {{}} }} }} }}")
        }),
        1 => (name(), name(), name(), name()).prop_map(|(n, m, own, next)| {
            format!(
                "#[macro_export] macro_rules! {n} {{ () => {{ pub mod {m}; use self::{m}::*; \
                 macro_rules! {own} {{ ($e:expr) => {{ pub fn f() {{ $e }} }} }} \
                 {own}!(1); $crate::{next}!(); }} }}"
            )
        }),
        2 => (path(), name()).prop_map(|(p, n)| format!("{p}! {{ pub fn {n}() {{}} }}")),
        1 => path().prop_map(|p| format!("{p}!();")),
        1 => (path(), name()).prop_map(|(p, n)| format!("{p}!({n});")),
        2 => (name(), path(), name(), name()).prop_map(|(f, p, g, t)| {
            format!("fn {f}() {{ use {p}; fn {g}() {{}} {{ struct {t}; }} }}")
        }),
        1 => prop::sample::select(vec!["}", "{", "impl", "use ::*;", "mod", "use self;", "#![cfg(unix)]"])
            .prop_map(str::to_owned),
    ];
    prop_oneof![
        3 => (cfg, vis, plain).prop_map(|(cfg, vis, it)| format!("{cfg}{vis}{it}")),
        1 => bare,
    ]
}

pub(super) type Texts = SortedMap<usize, Vec<String>>;

pub(super) fn texts() -> impl Strategy<Value = Texts> {
    prop::collection::vec(prop::collection::vec(line(), 0..8), PATHS.len())
        .prop_map(|all| all.into_iter().enumerate().collect())
}

pub(super) fn workspace_of(texts: &Texts, order: &[usize]) -> WorkspaceInput {
    let files: Vec<_> = order
        .iter()
        .map(|at| {
            let text = texts.get(at).map(|it| it.join("\n")).unwrap_or_default();
            // The module tree exists in most cases.
            let lead = match PATHS[*at] {
                "a/src/lib.rs" => "#[macro_use] mod m; pub mod k;\n",
                "a/src/m.rs" => "pub mod n;\n",
                "b/src/main.rs" => "mod m;\n",
                _ => "",
            };
            (PATHS[*at].to_owned(), header(PATHS[*at]), format!("{lead}{text}"))
        })
        .collect();
    build(&files)
}

fn stable(map: &DefMap, of: DefId) -> String {
    let Def { is_active, existence, .. } = map.def(of);
    format!("{} {:x} {is_active} {existence:?}", map.canon(of), map.def(of).ident)
}

fn all(map: &DefMap, defs: &[DefId]) -> String {
    let mut all: Vec<_> = defs.iter().map(|it| stable(map, *it)).collect();
    all.sort();
    all.join(" | ")
}

/// Paths resolved in every scope.
const PATHS_IN_SCOPE: [&str; 22] = [
    "m",
    "n",
    "k",
    "f",
    "g",
    "T",
    "U",
    "E",
    "A",
    "R",
    "x",
    "a::T",
    "crate::m::f",
    "super::g",
    "self::E::A",
    "m::f",
    "crate::k::U",
    "a::m::n::T",
    "out::T",
    "std::x",
    "Self::f",
    "k::R",
];

/// Every query and its result, with the keys that it depends on. Queries are named by file and
/// item, so that they can be compared between builds.
fn all_queries(map: &DefMap, path: &str) -> Vec<(String, String, Vec<u64>)> {
    let mut out = Vec::new();
    let Some(file) = map.ids().find_map(|it| {
        let file = map.def(it).file;
        (map.source(file).path.as_str() == path && map.source(file).call.is_none()).then_some(file)
    }) else {
        return out;
    };
    let mut scopes: Vec<DefId> = map.module_of_file(file).into_iter().collect();
    let len = map.source(file).facts.file.items.len() as u32;
    scopes.extend((0..len).map(|it| map.def_of(file, it)));
    for (number, scope) in scopes.into_iter().enumerate() {
        if map.def(scope).existence == crate::Existence::No {
            continue;
        }
        let at = map.scope_of(scope);
        for path in PATHS_IN_SCOPE {
            let segments: Option<Vec<_>> = path.split("::").map(|it| map.symbol(it)).collect();
            let Some(segments) = segments else { continue };
            for ns in [Namespace::Type, Namespace::Value, Namespace::Macro] {
                let mut deps = Deps::new();
                let found = map.resolve(&mut deps, &at, &segments, false, ns);
                let mut result = match &found {
                    Resolution::Def(def) => stable(map, *def),
                    Resolution::Ambiguous(defs) => all(map, defs),
                    Resolution::Partial(def, used) => format!("{} after {used}", stable(map, *def)),
                    Resolution::SelfType(def) => format!("Self {}", stable(map, *def)),
                    Resolution::Param(def, _) => format!("param {}", stable(map, *def)),
                    other => format!("{other:?}"),
                };
                if let Resolution::Def(def) | Resolution::Partial(def, _) = found {
                    result += &impls_and_members(map, &mut deps, def);
                }
                out.push((format!("{number} {path} {ns:?}"), result, deps.into_sorted()));
            }
        }
        let mut deps = Deps::new();
        let traits = map.traits_in_scope(&mut deps, &at);
        out.push((format!("{number} traits"), all(map, &traits), deps.into_sorted()));
    }
    for name in ["f", "g", "x"] {
        let Some(symbol) = map.symbol(name) else { continue };
        let mut deps = Deps::new();
        let names = ["A", "T", "f"];
        let mut mentioned: Vec<_> = names.iter().filter_map(|it| map.symbol(it)).collect();
        let known = mentioned.len();
        mentioned.sort_unstable();
        let found = map.guesses(&mut deps, symbol, &mentioned);
        let result = format!("{} {}", found.is_none(), all(map, &found.unwrap_or_default()));
        let known = names
            .iter()
            .filter(|it| map.symbol(it).is_some())
            .fold(known.to_string(), |a, b| a + b);
        out.push((format!("methods {name} {known}"), result, deps.into_sorted()));
    }
    out
}

/// The impls and members of a type, trait or module.
fn impls_and_members(map: &DefMap, deps: &mut Deps, of: DefId) -> String {
    let mut result = String::new();
    let heads = match map.def(of).kind {
        ItemKind::Struct | ItemKind::Enum => vec![TypeHead::Adt(of)],
        ItemKind::Trait => {
            result += &format!(" impls {}", all(map, map.impls_of_trait(deps, of)));
            vec![TypeHead::Dyn(of)]
        }
        _ => Vec::new(),
    };
    result += &format!(" members {}", all(map, map.members(deps, of)));
    for head in heads {
        let inherent = map.inherent_impls(deps, head).to_vec();
        let traits = map.trait_impls(deps, head).to_vec();
        for it in inherent.iter().chain(&traits) {
            let of_trait = map.trait_of(deps, *it);
            let impls_for =
                of_trait.map_or(&[][..], |of_trait| map.impls_for(deps, of_trait, head));
            result += &format!(" like {}", all(map, impls_for));
            let of_trait = of_trait.map(|it| stable(map, it));
            result += &format!("; {} of {of_trait:?}", stable(map, *it));
            map.signature(deps, *it);
            for name in ["f", "g"] {
                let Some(name) = map.symbol(name) else { continue };
                let member = map.member(deps, *it, name, Namespace::Value);
                result += &member.map_or(String::new(), |it| stable(map, it));
            }
        }
    }
    map.signature(deps, of);
    if !map.is_std(of)
        && let Some((_, item, _)) = map.facts(of)
        && !matches!(map.def(of).kind, ItemKind::Module | ItemKind::Crate)
    {
        let end = item.body.map_or(item.span.end, |it| it.start);
        result += &map.source(map.def(of).file).text[item.code_span.start..end];
    }
    result
}

pub(super) fn problems(map: &DefMap) -> Vec<String> {
    let mut all: Vec<_> = map
        .problems()
        .iter()
        .map(|it| format!("{} {} {}", map.source(it.file).path.as_str(), it.offset, it.kind))
        .collect();
    all.sort();
    all
}

pub(super) fn shown(map: &DefMap) -> Vec<String> {
    // Without what patches removed.
    let mut all: Vec<_> = map
        .ids()
        .filter(|it| map.def(*it).krate.0 != u32::MAX && !map.is_std(*it))
        .map(|it| show(map, it))
        .collect();
    all.sort();
    all
}

#[test]
fn a_name_not_found_in_a_module_depends_on_the_absence_of_globs() {
    let sorted: Vec<_> = (0..PATHS.len()).collect();
    let texts = Texts::from([(1, vec!["pub mod g { pub struct T; }".to_owned()])]);
    let mut edited = texts.clone();
    edited.insert(0, vec!["use m::*;".to_owned()]);
    let old = DefMap::build(&workspace_of(&texts, &sorted));
    let new = DefMap::build(&workspace_of(&edited, &sorted));
    let glob_queries = |map: &DefMap| {
        let all = all_queries(map, PATHS[1]).into_iter();
        all.filter(|(query, ..)| query.contains("super::g")).collect::<Vec<_>>()
    };
    let (before, after) = (glob_queries(&old), glob_queries(&new));
    let result_after = |query: &str| after.iter().find(|it| it.0 == query).map(|it| &it.1);
    let mut others =
        before.iter().filter(|(query, result, _)| result_after(query) != Some(result)).peekable();
    assert!(others.peek().is_some(), "the glob adds it: {before:?}");
    let changed = new.changed(&old);
    assert!(others.all(|(_, _, keys)| changed.intersects(keys)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_files_does_not_matter(
        texts in texts(),
        order in Just((0..PATHS.len()).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let sorted: Vec<_> = (0..PATHS.len()).collect();
        let one = DefMap::build(&workspace_of(&texts, &sorted));
        let other = DefMap::build(&workspace_of(&texts, &order));
        prop_assert_eq!(one.fingerprint(), other.fingerprint());
        prop_assert!(one.changed(&other).is_empty());
        prop_assert_eq!(problems(&one), problems(&other));
        prop_assert_eq!(shown(&one), shown(&other));
        for path in PATHS {
            prop_assert_eq!(all_queries(&one, path), all_queries(&other, path));
        }
    }

    #[test]
    fn every_changed_result_depends_on_a_changed_key(
        texts in texts(),
        at in 0..PATHS.len(),
        edits in prop::collection::vec((0_usize..9, prop::option::of(line())), 1..3),
    ) {
        let sorted: Vec<_> = (0..PATHS.len()).collect();
        let mut edited = texts.clone();
        let lines = edited.entry(at).or_default();
        for (at_line, line) in edits {
            let at_line = at_line.min(lines.len());
            match line {
                Some(line) => lines.insert(at_line, line),
                None if at_line < lines.len() => {
                    lines.remove(at_line);
                }
                None => {}
            }
        }
        let old = DefMap::build(&workspace_of(&texts, &sorted));
        let workspace = workspace_of(&edited, &sorted);
        let new = DefMap::build_after(&workspace, &old);
        prop_assert_eq!(new.fingerprint(), DefMap::build(&workspace).fingerprint());
        let changed = new.changed(&old);
        for (number, path) in PATHS.iter().enumerate().filter(|(number, _)| *number != at) {
            let (before, after) = (all_queries(&old, path), all_queries(&new, path));
            let after: SortedMap<_, _> = after.iter().map(|(query, it, _)| (query, it)).collect();
            let file_changed = |map: &DefMap| {
                let mut deps = Deps::new();
                map.note_file(&mut deps, FileIdx(number as u32));
                changed.intersects(&deps.into_sorted())
            };
            for (query, result, keys) in &before {
                let result_after = after.get(query).copied();
                // A query that cannot be made any more (no such symbol) is not made by any other
                // file either.
                let same = result_after.is_none_or(|result_after| result_after == result);
                prop_assert!(
                    same || changed.intersects(keys) || file_changed(&old),
                    "{path}: {query}: {result} became {result_after:?}"
                );
            }
        }
    }
}
