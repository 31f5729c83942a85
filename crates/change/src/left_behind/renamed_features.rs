//! A feature that has another name in its manifest: who enables it, in this manifest and others, and the
//! conditions on it.

use std::sync::Arc;

use base::{LineIndex, ProjectPath, SortedSet};
use edit::Splice;
use preserve::feature_conditions;
use toml_edit::{Document, Item, TableLike, Value};

use super::{LeftBehind, Tree};
use crate::Difference;

/// Tables of a manifest with dependencies.
const DEPENDENCIES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// A feature with its former and its present name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RenamedFeature {
    pub(super) manifest: ProjectPath,
    pub(super) from: String,
    pub(super) to: String,
}

/// The features of the manifests that have another name: one is gone, one is new, and they enable the same.
pub(super) fn renamed(difference: &Difference) -> Vec<RenamedFeature> {
    let one = |(manifest, sides): (&ProjectPath, &crate::Sides)| {
        let (base, now) = (features(sides.base.as_deref()?)?, features(sides.now.as_deref()?)?);
        let only = |of: &[(String, String)], other: &[(String, String)]| {
            let is_new = |it: &&(String, String)| other.iter().all(|known| known.0 != it.0);
            let mut found = of.iter().filter(is_new);
            found.next().filter(|_| found.next().is_none()).cloned()
        };
        let ((from, was), (to, is)) = (only(&base, &now)?, only(&now, &base)?);
        (was == is).then(|| RenamedFeature { manifest: manifest.clone(), from, to })
    };
    difference.manifests().filter_map(one).collect()
}

/// The features of the difference with another name: the folder of their package, with a slash, the former and
/// the present name.
pub(crate) fn features_with_other_names(
    difference: &Difference,
) -> SortedSet<(String, String, String)> {
    let folder = |it: &ProjectPath| it.parent().map_or_else(String::new, |it| format!("{it}/"));
    renamed(difference).into_iter().map(|it| (folder(&it.manifest), it.from, it.to)).collect()
}

/// Whether a manifest names a feature otherwise than before.
pub fn renames_feature(difference: &Difference) -> bool {
    !renamed(difference).is_empty()
}

/// The places that have the old name, each with its edit.
pub(super) fn renamed_features(tree: &Tree<'_>) -> Vec<LeftBehind> {
    let mut found = Vec::new();
    for it in renamed(tree.difference) {
        let folder = it.manifest.parent().map_or_else(String::new, |it| format!("{it}/"));
        let why = format!("feature `{}` of `{}` was `{}`", it.to, it.manifest, it.from);
        let mut add = |path: &ProjectPath, text: &str, what: String, splice: Splice| {
            let line = LineIndex::new(text).line_of(splice.span.start);
            let why = why.clone();
            let (path, splice) = (path.clone(), Some(splice));
            found.push(LeftBehind { path, line, what, why, splice, unproven: None });
        };
        for (path, text) in tree.sources.iter().filter(|it| it.0.as_str().starts_with(&folder)) {
            for span in feature_conditions(text, &it.from) {
                let what = format!("`feature = \"{}\"`", it.from);
                add(path, text, what, Splice { span, insert: format!("\"{}\"", it.to) });
            }
        }
        let own = tree.manifests.iter().find(|(path, _)| *path == it.manifest);
        let Some(package) = own.and_then(|(_, text)| package_name(text)) else { continue };
        for (path, text) in &tree.manifests {
            let is_own = *path == it.manifest;
            for (span, old) in names(text, &it.from, (!is_own).then_some(package.as_str())) {
                let insert = format!("\"{}{}\"", &old[..old.len() - it.from.len()], it.to);
                let what = format!("`\"{old}\"` names the feature `{}`", it.from);
                let span = base::ByteSpan::new(span.start, span.end);
                add(path, text, what, Splice { span, insert });
            }
        }
    }
    found
}

/// The features of a manifest, each with what it enables.
fn features(manifest: &str) -> Option<Vec<(String, String)>> {
    let document = Document::parse(manifest).ok()?;
    let table = document.get("features")?.as_table_like()?;
    let enabled = |it: &Item| {
        let all = it.as_array().into_iter().flatten().filter_map(Value::as_str);
        all.collect::<Vec<_>>().join(" ")
    };
    Some(table.iter().map(|(name, value)| (name.to_owned(), enabled(value))).collect())
}

fn package_name(manifest: &str) -> Option<String> {
    let document = Document::parse(manifest).ok()?;
    document.get("package")?.get("name")?.as_str().map(str::to_owned)
}

/// The texts of a manifest that name a feature, with their spans: of its own package, or of the
/// dependency `package`.
fn names(
    manifest: &Arc<str>,
    feature: &str,
    package: Option<&str>,
) -> Vec<(std::ops::Range<usize>, String)> {
    let Ok(document) = Document::parse(&**manifest) else { return Vec::new() };
    let mut found = Vec::new();
    let mut take = |list: &Item, is_it: &dyn Fn(&str) -> bool| {
        for value in list.as_array().into_iter().flatten() {
            if let (Some(text), Some(span)) = (value.as_str(), value.span())
                && is_it(text)
            {
                found.push((span, text.to_owned()));
            }
        }
    };
    let enabled = document.get("features").and_then(Item::as_table_like);
    let lists = || enabled.into_iter().flat_map(TableLike::iter).map(|it| it.1);
    match package {
        None => {
            let is_it = |text: &str| text == feature;
            lists().for_each(|it| take(it, &is_it));
            asked(document.as_item(), false, &mut |_, list| take(list, &is_it));
        }
        Some(package) => {
            let mut keys = Vec::new();
            dependencies(document.as_item(), &mut |key, entry| {
                let of = entry.get("package").and_then(Item::as_str).unwrap_or(key);
                if of == package {
                    keys.push(key.to_owned());
                    if let Some(list) = entry.get("features") {
                        take(list, &|text| text == feature);
                    }
                }
            });
            let is_it = |text: &str| {
                let part = text.split_once('/').filter(|(_, of)| *of == feature);
                part.is_some_and(|(key, _)| keys.iter().any(|it| it == key.trim_end_matches('?')))
            };
            lists().for_each(|it| take(it, &is_it));
        }
    }
    found
}

/// The lists of features that targets require, and that settings of other tools below `metadata` name, with
/// their keys.
pub(super) fn asked(item: &Item, in_metadata: bool, on: &mut dyn FnMut(&str, &Item)) {
    if let Some(table) = item.as_table_like() {
        for (key, value) in table.iter() {
            if key == "required-features" || (in_metadata && key == "features") {
                on(key, value);
            }
            asked(value, in_metadata || key == "metadata", on);
        }
    }
    for table in item.as_array_of_tables().into_iter().flatten() {
        for (key, value) in table.iter() {
            if key == "required-features" {
                on(key, value);
            }
        }
    }
}

/// The entries of all dependencies with their keys, those of platforms and of the workspace included.
fn dependencies(item: &Item, on: &mut dyn FnMut(&str, &Item)) {
    for name in DEPENDENCIES {
        let table = item.get(name).and_then(Item::as_table_like);
        table.into_iter().flat_map(TableLike::iter).for_each(|(key, entry)| on(key, entry));
    }
    let targets = item.get("target").and_then(Item::as_table_like);
    targets.into_iter().flat_map(TableLike::iter).for_each(|(_, it)| dependencies(it, on));
    if let Some(workspace) = item.get("workspace") {
        dependencies(workspace, on);
    }
}
