//! The files that the configurations of cargo in a project include.

use std::collections::BTreeSet;

use base::ProjectPath;
use edit::Files;
use preserve::{TomlData, TomlText, normal};

/// Most configurations that are followed.
const MAX_FILES: usize = 100;

/// The files that these configurations include, directly or by another one.
pub(super) fn included(
    files: &dyn Files,
    configurations: impl Iterator<Item = ProjectPath>,
) -> BTreeSet<ProjectPath> {
    let mut queue: Vec<ProjectPath> = configurations.collect();
    let mut found = BTreeSet::new();
    while let Some(path) = queue.pop() {
        let Some(state) = files.read(&path).ok().flatten() else { continue };
        let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
        let text = TomlText::of_broken(&state.text);
        let names = text.iter().filter(|(key, _)| {
            key.parts().first().is_some_and(|it| it == "include" || it.starts_with("include["))
        });
        let names = names.flat_map(|(_, value)| value.data.members().to_vec());
        for name in names.filter_map(|it| path_of(&it)) {
            let Some(next) = normal(&format!("{folder}{name}")) else { continue };
            if found.len() < MAX_FILES && found.insert(next.clone()) {
                queue.push(next);
            }
        }
    }
    found
}

/// The path of one entry: a string, or a table with a `path`.
fn path_of(entry: &TomlData) -> Option<String> {
    match entry {
        TomlData::Text(path) => Some(path.clone()),
        TomlData::Table(table) => {
            TomlText::of_broken(&format!("x = {table}")).text(&["x", "path"]).map(str::to_owned)
        }
        _ => None,
    }
}
