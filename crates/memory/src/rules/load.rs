//! Reads one file of rules.

use std::sync::Arc;

use base::{ContentHash, ProjectPath};
use untrusted_fs::Dir;

use super::fault::RuleFault;
use super::{RuleText, RuleTier, RulesOptions};

/// The names of a folder's rules; the first that is there is read.
const NAMES: [&str; 3] = ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"];

/// A file that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The file.
    pub path: ProjectPath,
    /// The reason.
    pub reason: String,
}

/// A file of rules.
#[derive(Clone, Debug)]
pub(super) struct LoadedRule {
    pub(super) path: ProjectPath,
    pub(super) content: Arc<str>,
    pub(super) hash: ContentHash,
}

impl LoadedRule {
    pub(super) fn text(&self, tier: RuleTier) -> RuleText {
        let (path, content) = (self.path.clone(), self.content.to_string());
        RuleText { path, tier, hash: self.hash, content, left_out: 0 }
    }
}

/// The rules of a folder, `None` being the root. An empty file counts as none.
pub(super) fn folder_rule(
    dir: &Dir,
    folder: Option<&ProjectPath>,
    options: &RulesOptions,
    refused: &mut Vec<Refused>,
) -> Option<LoadedRule> {
    for name in NAMES {
        let path = folder.map_or_else(|| name.to_owned(), |folder| format!("{folder}/{name}"));
        let Ok(path) = ProjectPath::new(&path) else { continue };
        match linked_rule(dir, &path, options) {
            Ok(Some(rule)) if rule.content.trim().is_empty() => {}
            Ok(Some(rule)) => return Some(rule),
            Ok(None) => {}
            Err(fault) => refused.push(Refused { path, reason: fault.to_string() }),
        }
    }
    None
}

/// Reads a file; `Ok(None)` if it does not exist.
pub(super) fn linked_rule(
    dir: &Dir,
    path: &ProjectPath,
    options: &RulesOptions,
) -> Result<Option<LoadedRule>, RuleFault> {
    let read = dir.read(path.as_str(), options.file_limit)?;
    let Some(found) = read else { return Ok(None) };
    let hash = ContentHash::of(&found.bytes);
    let content = String::from_utf8(found.bytes).map_err(|_| RuleFault::NotUtf8)?;
    let content = content.trim_start_matches('\u{feff}').into();
    Ok(Some(LoadedRule { path: path.clone(), content, hash }))
}
