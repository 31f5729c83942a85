//! A feature that a manifest no longer has: code that only it enables, and texts that name it.

use std::collections::BTreeSet;

use base::{Diagnostic, LineIndex, ProjectPath, has_word};
use preserve::outline::{TokenKind, tokens};
use toml_edit::{DocumentMut, Item, TableLike};

use super::{LeftBehind, Tree};
use crate::project::quoted;

/// A feature that is gone.
struct Gone<'a> {
    /// Folder of the package, with a slash; empty for the root.
    folder: String,
    manifest: &'a ProjectPath,
    name: String,
}

pub(super) fn features(tree: &Tree<'_>, warnings: &[Diagnostic]) -> Vec<LeftBehind> {
    let mut found = Vec::new();
    for gone in gone(tree) {
        let mut places: BTreeSet<(ProjectPath, u32, String)> = BTreeSet::new();
        for (path, text) in tree.sources.iter().filter(|it| it.0.as_str().starts_with(&gone.folder))
        {
            let found = conditions(text, &gone.name);
            if found.is_empty() {
                continue;
            }
            let lines = LineIndex::new(text);
            places.extend(found.into_iter().map(|at| {
                let what = format!("`feature = \"{}\"`: nothing builds what it is for", gone.name);
                (path.clone(), lines.line_of(at), what)
            }));
        }
        for it in warnings.iter().filter(|it| it.code.as_deref() == Some("unexpected_cfgs")) {
            let place =
                it.user_span().and_then(|span| Some((span.place.project()?, span.start.line)));
            let is_it = quoted(&it.message).any(|it| it == gone.name);
            if let Some((path, line)) = place.filter(|_| is_it)
                && !places.iter().any(|known| (&known.0, known.1) == (path, line))
            {
                places.insert((path.clone(), line, it.message.clone()));
            }
        }
        for (path, text) in &tree.markdown {
            for (at, line) in text.lines().enumerate() {
                if line.contains("feature") && has_word(line, &gone.name) {
                    let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
                    places.insert((
                        path.clone(),
                        line,
                        format!("feature `{}` in the text", gone.name),
                    ));
                }
            }
        }
        let why = format!("feature `{}` is removed from `{}`", gone.name, gone.manifest);
        found.extend(places.into_iter().map(|(path, line, what)| LeftBehind {
            path,
            line,
            what,
            why: why.clone(),
            splice: None,
            unproven: None,
        }));
    }
    found
}

/// The features that the manifests of the difference had.
fn gone<'a>(tree: &'a Tree<'_>) -> Vec<Gone<'a>> {
    let mut found = Vec::new();
    for (manifest, sides) in tree.difference.manifests() {
        let (Some(base), Some(now)) = (&sides.base, &sides.now) else { continue };
        let (before, now) = (names(base), names(now));
        let folder = manifest.parent().map_or_else(String::new, |it| format!("{it}/"));
        found.extend(before.difference(&now).map(|name| Gone {
            folder: folder.clone(),
            manifest,
            name: name.clone(),
        }));
    }
    found
}

/// The features of a manifest, those of optional dependencies included.
fn names(manifest: &str) -> BTreeSet<String> {
    let Ok(document) = manifest.parse::<DocumentMut>() else { return BTreeSet::new() };
    let mut found = BTreeSet::new();
    let mut explicit = BTreeSet::new();
    if let Some(table) = document.get("features").and_then(Item::as_table_like) {
        for (name, value) in table.iter() {
            found.insert(name.to_owned());
            let values = value.as_array().into_iter().flatten().filter_map(|it| it.as_str());
            explicit.extend(values.filter_map(|it| it.strip_prefix("dep:")).map(str::to_owned));
        }
    }
    let mut optional = |table: &dyn TableLike| {
        for (name, entry) in table.iter() {
            let is_optional = entry.get("optional").and_then(Item::as_bool) == Some(true);
            if is_optional && !explicit.contains(name) {
                found.insert(name.to_owned());
            }
        }
    };
    document.get("dependencies").and_then(Item::as_table_like).map(&mut optional);
    let targets = document.get("target").and_then(Item::as_table_like);
    for (_, target) in targets.into_iter().flat_map(TableLike::iter) {
        target.get("dependencies").and_then(Item::as_table_like).map(&mut optional);
    }
    found
}

/// The places of `feature = "name"` in a text.
fn conditions(text: &str, name: &str) -> Vec<usize> {
    if !text.contains(name) {
        return Vec::new();
    }
    let list = tokens(text);
    let literal = format!("\"{name}\"");
    let is_it = |at: &usize| {
        list[*at].is("feature")
            && list.get(at + 1).is_some_and(|it| it.is("="))
            && list
                .get(at + 2)
                .is_some_and(|it| it.kind == TokenKind::Literal && it.text == literal)
    };
    (0..list.len()).filter(is_it).map(|at| list[at].span.start).collect()
}
