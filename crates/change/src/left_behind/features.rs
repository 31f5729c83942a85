//! A feature that a manifest no longer has: code that only it enables, and texts that name it.

use base::{Diagnostic, LineIndex, ProjectPath, SortedSet};
use preserve::feature_conditions;
use refactor::quoted;
use toml_edit::{Document, DocumentMut, Item, TableLike, Value};

use super::renamed_features::{asked, renamed};
use super::{LeftBehind, Tree};

/// A feature that is gone.
struct Gone<'a> {
    /// Folder of the package, with a slash; empty for the root.
    folder: String,
    manifest: &'a ProjectPath,
    name: String,
}

pub(super) fn features(tree: &Tree<'_>, warnings: &[Diagnostic]) -> Vec<LeftBehind> {
    let mut found = Vec::new();
    let renamed = renamed(tree.difference);
    for gone in gone(tree) {
        if let Some(it) =
            renamed.iter().find(|it| (&it.manifest, &it.from) == (gone.manifest, &gone.name))
        {
            let why = format!("feature `{}` of `{}` was `{}`", it.to, it.manifest, it.from);
            let texts = named_in_texts(tree, &gone).into_iter().filter(|it| it.0 != *gone.manifest);
            found.extend(texts.map(|(path, line, what)| remark(path, line, what, &why)));
            continue;
        }
        let mut places: SortedSet<(ProjectPath, u32, String)> = SortedSet::new();
        for (path, text) in tree.sources.iter().filter(|it| it.0.as_str().starts_with(&gone.folder))
        {
            let found = feature_conditions(text, &gone.name);
            if found.is_empty() {
                continue;
            }
            let lines = LineIndex::new(text);
            places.extend(found.into_iter().map(|at| {
                let what = format!("`feature = \"{}\"`: nothing builds what it is for", gone.name);
                (path.clone(), lines.line_of(at.start), what)
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
        places.extend(named_in_texts(tree, &gone));
        let why = format!("feature `{}` is removed from `{}`", gone.name, gone.manifest);
        found.extend(places.into_iter().map(|(path, line, what)| remark(path, line, what, &why)));
    }
    found
}

fn remark(path: ProjectPath, line: u32, what: String, why: &str) -> LeftBehind {
    LeftBehind { path, line, what, why: why.to_owned(), splice: None, unproven: None }
}

/// The texts that name a feature: pages, comments, and the manifest itself.
fn named_in_texts(tree: &Tree<'_>, gone: &Gone<'_>) -> Vec<(ProjectPath, u32, String)> {
    let mut found = Vec::new();
    let mut add = |path: &ProjectPath, line: usize, what: String| {
        found.push((path.clone(), u32::try_from(line + 1).unwrap_or(u32::MAX), what));
    };
    for (path, text) in tree.markdown.iter().chain(&tree.of_tools) {
        for line in mentions(text.lines().enumerate(), &gone.name) {
            add(path, line, format!("feature `{}` in the text", gone.name));
        }
    }
    for (path, text) in tree.sources.iter().filter(|it| it.0.as_str().starts_with(&gone.folder)) {
        let comments = text.lines().enumerate().filter_map(|(at, line)| {
            let comment = line.trim_start().strip_prefix("//")?;
            Some((at, comment.trim_start_matches(['/', '!'])))
        });
        for line in mentions(comments, &gone.name) {
            add(path, line, format!("feature `{}` in a comment", gone.name));
        }
    }
    let own = tree.difference.manifests().find(|it| it.0 == gone.manifest);
    let now = own.and_then(|(_, sides)| sides.now.as_deref()).unwrap_or_default();
    for (line, key) in asked_for(now, &gone.name) {
        add(gone.manifest, line, format!("`{key}` names the feature `{}`", gone.name));
    }
    found
}

/// The lines that name a feature: beside the word, as code or as a flag, or as code, in bold or as an item of a
/// list below a heading about features, also below the headings within that section.
fn mentions<'t>(lines: impl Iterator<Item = (usize, &'t str)>, name: &str) -> Vec<usize> {
    let marked = [format!("`{name}`"), format!("__{name}__"), format!("**{name}**")];
    let mut found = Vec::new();
    // The level of the heading about features.
    let mut about: Option<usize> = None;
    let mut last = None;
    for (at, line) in lines {
        // Comments that are apart have no heading in common.
        about = about.filter(|_| last.is_none_or(|last| last + 1 == at));
        last = Some(at);
        let has_word_feature = line.to_ascii_lowercase().contains("feature");
        let level = line.trim_start().bytes().take_while(|it| *it == b'#').count();
        if level > 0 && has_word_feature {
            about = Some(about.map_or(level, |it| it.min(level)));
        } else if level > 0 {
            about = about.filter(|it| *it < level);
        }
        let item = line.trim_start().trim_start_matches(['*', '-', '+']).trim_start();
        let is_item = item.strip_prefix(name).is_some_and(|it| {
            let is_longer = it.starts_with(|c: char| base::is_word(c) || c == '-');
            item.len() < line.trim_start().len() && !is_longer
        });
        let is_marked = || is_item || marked.iter().any(|it| line.contains(it));
        if (has_word_feature && base::has_word(line, name)) || (about.is_some() && is_marked()) {
            found.push(at);
        }
    }
    found
}

/// The lines of a manifest that ask for a feature of its own package, from 0, with their keys: targets, and
/// settings of other tools.
fn asked_for(manifest: &str, name: &str) -> Vec<(usize, String)> {
    let Ok(document) = Document::parse(manifest) else { return Vec::new() };
    let lines = LineIndex::new(manifest);
    let mut found = Vec::new();
    asked(document.as_item(), false, &mut |key, list| {
        let values = list.as_array().into_iter().flatten();
        let spans = values.filter(|it| it.as_str() == Some(name)).filter_map(Value::span);
        found.extend(spans.map(|it| (lines.line_of(it.start) as usize - 1, key.to_owned())));
    });
    found.sort_unstable();
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
fn names(manifest: &str) -> SortedSet<String> {
    let Ok(document) = manifest.parse::<DocumentMut>() else { return SortedSet::new() };
    let mut found = SortedSet::new();
    let mut explicit = SortedSet::new();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_named_below_headings_about_them() {
        let text = "# A\n__x-y__: none\n## Features\n### Default\n* __x-y__: a\n- **x-y**\n- x-y: b\n- x-yz: c\n\
                    x-y alone\n## Similar\n* __x-y__\nthe feature x-y\n";
        assert_eq!(mentions(text.lines().enumerate(), "x-y"), [4, 5, 6, 11]);
    }
}
