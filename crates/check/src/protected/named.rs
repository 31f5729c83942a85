//! The files that protected ones run: scripts that hooks, build servers, makefiles and runners of tests name.
//! A change of such a script changes what those run.

use base::{ProjectPath, SortedSet};
use edit::Files;

use super::configuration::{leads_to, plain};
use super::inert::is_in_sources;

/// Words before a file that a makefile includes, or that a shell runs.
const RUNNERS: [&str; 13] = [
    "bash", "deno", "include", "node", "perl", "python", "python3", "ruby", "sh", "sinclude",
    "source", "zsh", ".",
];

/// Largest protected file whose words are read, in bytes.
const LARGEST: usize = 1 << 20;

/// The first of the protected files, in the order of their names, that has a word which leads to this file.
/// Sources in their folders, manifests and notes for people are named by many that run none of them, and are their
/// own.
pub(super) fn by<'n>(
    files: &dyn Files,
    names: &SortedSet<&'n ProjectPath>,
    path: &ProjectPath,
) -> Option<&'n ProjectPath> {
    let imports = |it: &&ProjectPath| instructs_agents(it) && has_word(files, it, path, is_link);
    let by_instructions = names.iter().copied().find(imports).or_else(|| of_agents(names, path));
    if by_instructions.is_some() {
        return by_instructions;
    }
    // Many name a source or a note that run none of them.
    let counts = if is_plain(path) { is_run } else { |_: &str| true };
    names.iter().copied().find(|it| runs_others(it) && has_word(files, it, path, counts))
}

/// Whether a word of instructions after this text is a link: of an import, or of Markdown.
fn is_link(before: &str) -> bool {
    ["@", "](", "](<", "](./", "<", "]: "].iter().any(|it| before.ends_with(it))
}

/// Whether a word after this text is that of a line which includes or runs it.
fn is_run(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.split_whitespace().any(|it| RUNNERS.contains(&it.trim_start_matches(['-', '@'])))
}

/// Folders of a plugin whose files its agent reads or runs.
const PLUGIN: &[&str] = &["commands", "agents", "skills", "hooks", "output-styles"];

/// The file of an agent's folder, a skill or a plugin, that makes all texts in it instructions.
fn of_agents<'n>(
    names: &SortedSet<&'n ProjectPath>,
    path: &ProjectPath,
) -> Option<&'n ProjectPath> {
    let named = |at: &str| names.get(&ProjectPath::new(at).ok()?).copied();
    let mut folder = path.parent();
    while let Some(at) = folder {
        for name in ["SKILL.md", ".claude-plugin/plugin.json"] {
            if let Some(found) = named(&format!("{at}/{name}")) {
                return Some(found);
            }
        }
        folder = at.parent();
    }
    // Of a repository that is a plugin itself, only the folders that one is made of.
    let (first, _) = path.as_str().split_once('/')?;
    PLUGIN.contains(&first).then(|| named(".claude-plugin/plugin.json")).flatten()
}

/// Whether a file has instructions for agents, which read what these import (`@docs/rules.md`).
fn instructs_agents(path: &ProjectPath) -> bool {
    path.file_name().ends_with(".md") && policy::protected(path).is_some()
}

fn is_plain(path: &ProjectPath) -> bool {
    let name = path.file_name().to_ascii_lowercase();
    let is_note = [".md", ".adoc", ".png", ".svg", ".lock"].iter().any(|it| name.ends_with(it));
    let is_source = name.ends_with(".rs") && is_in_sources(path);
    is_note || is_source || name == "cargo.toml"
}

/// Whether a file has words that other programs run.
fn runs_others(path: &ProjectPath) -> bool {
    let name = path.file_name();
    let names_alone = ["CODEOWNERS", "Cargo.lock", ".gitattributes", ".gitmodules"];
    let is_list = names_alone.contains(&name) || name.ends_with("ignore") || name.ends_with(".md");
    // Of cargo's configuration the words of values count.
    let is_of_cargo = path.as_str().split('/').any(|it| it == ".cargo");
    !is_list && !is_of_cargo && policy::protected(path).is_some()
}

/// Whether a file has a word that leads to the path, after a text that counts.
fn has_word(
    files: &dyn Files,
    by: &ProjectPath,
    path: &ProjectPath,
    counts: impl Fn(&str) -> bool,
) -> bool {
    let Some(state) = files.read(by).ok().flatten() else { return false };
    let last = path.file_name();
    if state.text.len() > LARGEST || !state.text.contains(last) {
        return false;
    }
    let separates = |c: char| c.is_whitespace() || "\"'`,:;=()[]{}<>|&!$@*?".contains(c);
    let mut at = 0;
    state.text.split(separates).any(|word| {
        let before = &state.text[..at];
        // The separator behind it.
        at += word.len();
        at += state.text[at..].chars().next().map_or(0, char::len_utf8);
        let is_it = || plain(word).is_some_and(|it| leads_to(&it, path.as_str()));
        word.ends_with(last) && counts(before) && is_it()
    })
}
