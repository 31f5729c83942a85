//! The files, and the keys of manifests, that only a person may change: whatever decides how code is
//! built, tested, limited, trusted, committed, or run by the user's other tools. The table is data; the
//! gate compares every change with it, from any caller, and a person allows one file by its name
//! (`--allow protected-file:PATH`). The rows are in `protected_table.rs`. Start at [`protected`] and [`protected_key`].

use std::sync::LazyLock;

use base::ProjectPath;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};

use crate::protected_table::{FREE_KEYS, PROTECTED};

/// The rule of the gate, and the prefix of what allows one file: `protected-file:PATH`.
pub const PROTECTED_FILE: &str = "protected-file";

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Protected {
    /// Names of files or folders, at any depth and in any case; a folder has all that is below it. Of a
    /// manifest, the keys.
    pub names: &'static [&'static str],
    /// Whether `names` are keys of a `Cargo.toml`.
    pub is_key: bool,
    /// Reason: what the file decides.
    pub reason: &'static str,
    /// Who may change it without a name.
    pub except: Exception,
    /// Role of the files.
    #[serde(skip)]
    pub(crate) role: FileRole,
}

impl Protected {
    /// Whether the row has what no other row has, for being hidden.
    pub fn is_for_hidden(&self) -> bool {
        self.role == FileRole::Hidden
    }

    /// Whether the files have commands that people and their tools run, whatever their endings are.
    pub fn runs_commands(&self) -> bool {
        self.role == FileRole::Commands
    }
}

/// Role of the files of a row, where more than the gate depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileRole {
    /// They set variables or keep secrets.
    Environment,
    /// They have commands that people and their tools run.
    Commands,
    /// They are hidden, and no other row has them.
    Hidden,
    /// Any other.
    Other,
}

/// Who may change a protected file without that a person allows it by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exception {
    /// No caller.
    None,
    /// The rules of graftage itself: repairs, upgrades, migrations, refactorings. No edit of a model, an
    /// agent or a program.
    OwnRules,
}

/// Origin of a change, as the caller of the gate declares it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChangeSource {
    /// Edits from outside: of a person, a model, an agent, a program.
    #[default]
    Edits,
    /// Rules of graftage, whose edits of models were filtered by file before.
    OwnRules,
}

/// A part of a change that a person must allow by the name of its file, where the path alone does not
/// show it: keys of manifests, build scripts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProtectedChange {
    /// File.
    pub path: ProjectPath,
    /// Key of a manifest; `None`: the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Reason: what it decides.
    pub reason: String,
    /// Whether graftage's own rules may change it.
    #[serde(default)]
    pub by_rules: bool,
}

static FILES: LazyLock<Option<GlobSet>> = LazyLock::new(|| {
    let mut builder = GlobSetBuilder::new();
    for row in PROTECTED.iter().filter(|row| !row.is_key) {
        let names: Vec<String> = row.names.iter().map(|it| it.to_lowercase()).collect();
        let globs: Vec<String> =
            names.iter().flat_map(|it| [format!("**/{it}"), format!("**/{it}/**")]).collect();
        let glob = match &globs[..] {
            [one] => one.clone(),
            many => format!("{{{}}}", many.join(",")),
        };
        builder.add(GlobBuilder::new(&glob).literal_separator(true).build().ok()?);
    }
    builder.build().ok()
});

/// The row of a file that only a person may change; `None` if any change of it may pass the gate.
///
/// Spellings that a file system takes for the same name are the same: other case, a full stop or blank
/// at the end, characters without width.
pub fn protected(path: &ProjectPath) -> Option<&'static Protected> {
    let rows = PROTECTED.iter().filter(|row| !row.is_key);
    // Without the table every file is protected.
    let Some(files) = FILES.as_ref() else { return rows.into_iter().next() };
    // What makes any folder a repository, with hooks and a configuration of its own.
    if folded(path.file_name()) == "head" {
        return rows.into_iter().find(|row| row.names.contains(&".git"));
    }
    let found = files.matches(folded(path.as_str())).into_iter().next()?;
    rows.into_iter().nth(found).filter(|row| row.role != FileRole::Hidden || !is_known_hidden(path))
}

/// Whether the only hidden part of a path is one that decides nothing.
fn is_known_hidden(path: &ProjectPath) -> bool {
    const KNOWN: [&str; 4] = [".gitkeep", ".editorconfig", ".mailmap", ".sqlx"];
    let text = folded(path.as_str());
    let mut hidden = text.split('/').filter(|part| part.trim_start().starts_with('.'));
    hidden.all(|part| KNOWN.contains(&part) || part.ends_with(".rs"))
}

/// Whether the file is one that keeps secrets, by its name: a hidden one that sets variables or keeps
/// credentials, `*.env`, or cargo's credentials.
pub fn has_secrets(path: &ProjectPath) -> bool {
    let name = folded(path.file_name());
    let is_named = is_hidden(path) || name.ends_with(".env") || name == "_netrc";
    // Of cargo: the tokens of registries. Of a configuration at the root, runs see a copy without them.
    let text = folded(path.as_str());
    let is_token = text.contains(".cargo/credentials") || text.contains("/.cargo/config");
    is_token || is_named && protected(path).is_some_and(|row| row.role == FileRole::Environment)
}

/// Whether a part of the path is hidden: it begins with a full stop, in any spelling that a file system
/// takes for one.
pub fn is_hidden(path: &ProjectPath) -> bool {
    let text = folded(path.as_str());
    [text.as_str(), path.as_str()]
        .iter()
        .any(|text| text.split('/').any(|part| part.trim_start().starts_with('.')))
}

/// The row of a key of a manifest, given as its parts; tables in lists as `test[NAME]`.
pub fn protected_key(parts: &[String], value: Option<&str>) -> Option<&'static Protected> {
    let first = parts.first()?;
    let table = first.split_once('[').map_or(first.as_str(), |(table, _)| table);
    let path = || std::iter::once(table).chain(parts.iter().skip(1).map(String::as_str));
    let is_free = parts.get(1).is_none_or(|it| FREE_KEYS.contains(&it.as_str()));
    let matches =
        |name: &str| match (name.strip_suffix(".**"), name.strip_prefix("*dependencies.*.")) {
            _ if name.strip_suffix(".*") == Some(table) => !is_free,
            (Some(head), _) => head.split('.').eq(path().take(head.split('.').count())),
            (_, Some(last)) => match parts {
                [.., table, _, own] => table.ends_with("dependencies") && own == last,
                _ => false,
            },
            (None, None) => name.split('.').eq(path()),
        };
    let row = PROTECTED.iter().find(|row| row.is_key && row.names.iter().any(|it| matches(it)))?;
    let is_target = parts.len() == 2 && matches!(table, "bin" | "test" | "bench" | "example");
    let is_found_by_cargo = is_target && parts[1] == "path" && value.is_some_and(is_usual);
    (!is_found_by_cargo).then_some(row)
}

/// Whether the path of a target is in a folder where cargo looks for targets.
fn is_usual(path: &str) -> bool {
    let folders = ["src/", "tests/", "examples/", "benches/"];
    let is_plain = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
    is_plain && folders.iter().any(|it| path.starts_with(it))
}

/// A path as the most tolerant file system compares it.
fn folded(path: &str) -> String {
    let part = |part: &str| -> String {
        let stream = part.split(':').next().unwrap_or(part);
        let stream = if stream.is_empty() { part } else { stream };
        let seen = stream.chars().filter(|it| !is_ignored(*it));
        let lower: String = seen.flat_map(char::to_lowercase).map(plain).collect();
        let trimmed = lower.trim_end_matches(['.', ' ']);
        if trimmed.is_empty() { lower } else { trimmed.to_owned() }
    };
    path.split(['/', '\\']).map(part).collect::<Vec<_>>().join("/")
}

/// Characters that compare equal although lower case does not make them so.
fn plain(c: char) -> char {
    match c {
        'ſ' => 's',
        'ı' => 'i',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    }
}

/// Characters that a file system ignores in a name.
fn is_ignored(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{307}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e0fff}'
    ) || c.is_control()
}
