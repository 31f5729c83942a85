//! Code of the same repository outside the project: other workspaces that use it by path. It is read,
//! never changed.

use std::path::{Path, PathBuf};

use base::{Ctx, LineIndex, has_word};
use preserve::outline::{TokenKind, tokens};
use refactor::{Renaming, UnprovenName};

use project::Workspace;

/// Maximum number of folders above the project that are searched for the repository.
const LEVELS: usize = 16;
/// Maximum number of listed places.
const LISTED: usize = 50;

/// The tokens of the old name in Rust files of the same repository that are outside the project and name
/// one of its `crates`, without those that cannot name the item by their syntax: the way from the project up to the repository (`../`), and the places with their
/// paths there. Files that cannot be read are left out.
pub fn sibling_names(
    ctx: &Ctx,
    workspace: &Workspace,
    crates: &[String],
    renaming: &Renaming,
) -> (String, Vec<UnprovenName>) {
    let name = renaming.target().from.as_str();
    let project = workspace.project().root();
    let mut found = Vec::new();
    let Some(root) = repository_above(project) else { return (String::new(), found) };
    let Ok(own) = project.strip_prefix(&root) else { return (String::new(), found) };
    let up = "../".repeat(own.components().count());
    let Ok(snapshot) = repo::Snapshot::of_folder(ctx, &root) else { return (up, found) };
    for path in snapshot.files.keys() {
        if path.extension() != Some("rs") || Path::new(path.as_str()).starts_with(own) {
            continue;
        }
        let text = untrusted_fs::read_source(&root, path.as_str());
        let Some(text) = text.and_then(|it| String::from_utf8(it).ok()) else { continue };
        if !crates.iter().any(|it| has_word(&text, it)) {
            continue;
        }
        let lines = LineIndex::new(&text);
        let named = tokens(&text).into_iter();
        let named = named.filter(|it| it.kind == TokenKind::Word && it.text == name);
        let named = named.filter(|it| renaming.can_be_elsewhere(&text, it.span.start));
        found.extend(named.map(|it| UnprovenName {
            path: path.clone(),
            line: lines.line_of(it.span.start),
            at: it.span.start,
            what: format!("`{name}` in another workspace of the repository"),
            why: "it is outside of the project".to_owned(),
            edited: false,
            in_comment: false,
        }));
        if found.len() > LISTED {
            break;
        }
    }
    found.truncate(LISTED);
    (up, found)
}

/// The folder with `.git` above the project; `None` if there is none, or it is the project's own.
fn repository_above(project: &Path) -> Option<PathBuf> {
    let is_repository = |it: &Path| {
        untrusted_fs::Dir::open(it).is_ok_and(|dir| matches!(dir.kind(".git"), Ok(Some(_))))
    };
    let root = project.ancestors().take(LEVELS).find(|it| is_repository(it))?;
    (root != project).then(|| root.to_path_buf())
}
