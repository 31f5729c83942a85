//! The folders whose texts agents obey: those of a skill, and those of a plugin or an extension.

use base::{ProjectPath, SortedSet};
use edit::Files;

use super::configuration::plain;

/// Folders of a plugin whose files its agent reads or runs.
const PLUGIN: &[&str] = &["commands", "agents", "skills", "hooks", "output-styles"];
/// Folders of a skill.
const SKILL: &[&str] = &["references", "scripts"];

/// These folders of one state of a tree, each with the file that makes it one.
pub(super) struct AgentFolders<'n>(Vec<(String, &'n ProjectPath)>);

impl<'n> AgentFolders<'n> {
    pub(super) fn of(files: &dyn Files, names: &SortedSet<&'n ProjectPath>) -> Self {
        let mut found = Vec::new();
        for path in names.iter().copied() {
            let name = path.file_name().to_ascii_lowercase();
            let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
            let hidden = is_hidden_folder(&folder);
            let mut add = |folder: &str, of_root: &[&str]| match folder {
                // Of a repository that is one itself, only the folders that one is made of.
                "" => found.extend(of_root.iter().map(|it| (format!("{it}/"), path))),
                folder => found.push((folder.to_owned(), path)),
            };
            match (name.as_str(), hidden) {
                ("skill.md", _) => add(&folder, SKILL),
                ("gemini-extension.json", _) => add(&folder, PLUGIN),
                ("plugin.json", Some(own)) => add(own, PLUGIN),
                ("marketplace.json", Some(own)) => {
                    PLUGIN.iter().for_each(|it| add(&format!("{own}{it}/"), &[]));
                    let text = files.read(path).ok().flatten().map(|it| it.text);
                    let words = text.as_deref().map(sources).unwrap_or_default();
                    words.iter().for_each(|it| add(&format!("{own}{it}/"), &[]));
                }
                _ => {}
            }
        }
        Self(found)
    }

    /// The file that makes all texts around this one instructions.
    pub(super) fn by(&self, path: &ProjectPath) -> Option<&'n ProjectPath> {
        let is_in =
            |it: &&(String, &ProjectPath)| path.as_str().starts_with(&it.0) && *it.1 != *path;
        self.0.iter().find(is_in).map(|it| it.1)
    }
}

/// The folder that a hidden one in a path is in: `a/` of `a/.claude-plugin/`.
fn is_hidden_folder(folder: &str) -> Option<&str> {
    match folder.starts_with('.') {
        true => Some(""),
        false => folder.find("/.").map(|at| &folder[..=at]),
    }
}

/// The folders that the list of a marketplace names.
fn sources(text: &str) -> Vec<String> {
    let words = text.split(['"', '\'']).filter(|it| it.contains('/') && !it.contains("://"));
    let paths = words.filter_map(plain).filter(|it| !it.starts_with('/'));
    paths.map(|it| it.trim_end_matches('/').to_owned()).collect()
}
