//! The `#[cfg(…)]` that an added import needs: that of the item, of the modules that it is in, or of the
//! code that uses it.

use base::{ByteSpan, ProjectPath};
use preserve::outline::{Element, ElementKind, Outline, tokens};
use syntax::places::DefinitionKind;

use crate::sources::Sources;

/// The first `cfg` among the attributes with which an item begins.
pub(crate) fn condition(item: Option<&str>) -> Option<String> {
    let item = item?;
    let list = tokens(item);
    let mut at = 0;
    while list.get(at)?.is("#") {
        let mut depth = 0_usize;
        let end = list[at..].iter().position(|it| {
            match it.text {
                "[" => depth += 1,
                "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && it.is("]")
        })?;
        if list.get(at + 2)?.is("cfg") {
            return item.get(list[at].span.start..list[at + end].span.end).map(str::to_owned);
        }
        at += end + 1;
    }
    None
}

/// The `#[cfg(…)]` of the item that contains a place, but not the import at `at`: the import is used
/// under that condition.
pub(crate) fn condition_at(
    outline: &Outline<'_>,
    text: &str,
    place: ByteSpan,
    at: usize,
) -> Option<String> {
    let start = |it: &Element| outline.tokens.get(it.start).map_or(0, |it| it.span.start);
    let end = |it: &Element| {
        let last = it.end.checked_sub(1).and_then(|it| outline.tokens.get(it));
        last.map_or(0, |it| it.span.end)
    };
    let around = outline.elements.iter().filter(|it| {
        it.kind == ElementKind::Item
            && start(it) <= place.start
            && place.end <= end(it)
            && !(start(it) < at && at < end(it))
    });
    let outermost = around.min_by_key(|it| it.start)?;
    condition(text.get(start(outermost)..end(outermost)))
}

/// Conditions as one: `#[cfg(all(a, b))]`; `None` without any.
pub(crate) fn all_of(conditions: impl Iterator<Item = String>) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    for it in conditions {
        if !all.contains(&it) {
            all.push(it);
        }
    }
    if all.len() < 2 {
        return all.pop();
    }
    let inner = |it: &String| {
        let list = tokens(it);
        // `#`, `[`, `cfg`, `(` … `)`, `]`.
        let (first, last) = (list.get(3)?.span.end, list.iter().rev().nth(1)?.span.start);
        it.get(first..last).map(|it| it.trim().to_owned())
    };
    let inner: Option<Vec<String>> = all.iter().map(inner).collect();
    inner.map(|it| format!("#[cfg(all({}))]", it.join(", ")))
}

/// The conditions of the `mod` items that a path of the crate leads through, without those that `user`
/// is in as well.
pub(crate) fn of_modules(
    project: &Sources<'_>,
    package: &str,
    path: &str,
    user: &ProjectPath,
) -> Vec<String> {
    let Some(path) = path.strip_prefix("crate::") else { return Vec::new() };
    let names: Vec<&str> = path.split("::").collect();
    let own = modules_of(package, user);
    let shared = names.iter().zip(&own).take_while(|(a, b)| a == b).count();
    let known: Vec<String> = declared(project, package, &own);
    let modules = names.get(..names.len().saturating_sub(1)).unwrap_or(&[]);
    let all =
        (shared + 1..=modules.len()).flat_map(|it| of_module(project, package, &modules[..it]));
    all.filter(|it| !known.contains(it)).collect()
}

/// The conditions of the `mod` items down to a module.
fn declared(project: &Sources<'_>, package: &str, modules: &[&str]) -> Vec<String> {
    (1..=modules.len()).flat_map(|it| of_module(project, package, &modules[..it])).collect()
}

/// The condition of the `mod` item of a module.
fn of_module(project: &Sources<'_>, package: &str, module: &[&str]) -> Option<String> {
    let (name, around) = module.split_last()?;
    let folder: String = around.iter().map(|it| format!("{it}/")).collect();
    let above = folder.trim_end_matches('/');
    let files = match around {
        [] => ["lib.rs".to_owned(), "main.rs".to_owned()],
        _ => [format!("{above}.rs"), format!("{folder}mod.rs")],
    };
    let files = files.map(|it| format!("{package}src/{it}"));
    let mut sources =
        project.read().iter().filter(|it| files.iter().any(|path| it.path.as_str() == path));
    sources.find_map(|source| {
        let mut all = source.places().definitions.iter();
        let it = all.find(|it| it.kind == DefinitionKind::Module && it.name == *name)?;
        condition(it.span.slice(&source.text))
    })
}

/// The modules of a file below the root of its crate.
pub(crate) fn modules_of<'p>(package: &str, path: &'p ProjectPath) -> Vec<&'p str> {
    let inside = path.as_str().strip_prefix(package).and_then(|it| it.strip_prefix("src/"));
    let Some(inside) = inside.and_then(|it| it.strip_suffix(".rs")) else { return Vec::new() };
    let mut modules: Vec<&str> = inside.split('/').collect();
    if matches!(modules.last(), Some(&("mod" | "lib" | "main"))) {
        modules.pop();
    }
    modules
}

/// The package's folder and the folder of the target in it: `a/` and `src` of `a/src/b.rs`.
pub(crate) fn split(path: &ProjectPath) -> (&str, &str) {
    let path = path.as_str();
    for target in ["src", "tests", "benches", "examples"] {
        let at = match path.strip_prefix(target) {
            Some(rest) if rest.starts_with('/') => Some(0),
            _ => path.find(&format!("/{target}/")).map(|it| it + 1),
        };
        if let Some(at) = at {
            return (&path[..at], &path[at..at + target.len()]);
        }
    }
    ("", "")
}
