//! The files that a Rust file reaches by `mod`, `#[path]` and `include!`, to know the parts of a build script.

use std::collections::BTreeSet;

use base::ProjectPath;
use edit::Files;
use preserve::normal;
use preserve::outline::{TokenKind, tokens};

/// Most files of one build script.
const MAX_FILES: usize = 1_000;

/// The file itself and all that it reaches, whether or not they exist. Of a module both places where its
/// file may be are parts.
pub(super) fn by(files: &dyn Files, root: &ProjectPath) -> BTreeSet<ProjectPath> {
    let mut found = BTreeSet::from([root.clone()]);
    let mut queue = vec![root.clone()];
    while let Some(path) = queue.pop() {
        let Some(state) = files.read(&path).ok().flatten() else { continue };
        for next in named(&path, &state.text) {
            if found.len() < MAX_FILES && found.insert(next.clone()) {
                queue.push(next);
            }
        }
    }
    found
}

/// The files that a text names.
fn named(path: &ProjectPath, text: &str) -> Vec<ProjectPath> {
    let list = tokens(text);
    let at = |idx: usize| list.get(idx).map_or("", |it| it.text);
    let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
    // Modules of `a.rs` may be in `a/`, those of `mod.rs` and of a root beside it.
    let stem = path.as_str().strip_suffix(".rs").map_or(path.as_str(), |it| it);
    let folders = [folder.clone(), format!("{stem}/")];
    let mut names = Vec::new();
    for (idx, token) in list.iter().enumerate() {
        if token.text == "mod" && at(idx + 2) == ";" {
            let name = at(idx + 1).trim_start_matches("r#");
            for folder in &folders {
                names.push(format!("{folder}{name}.rs"));
                names.push(format!("{folder}{name}/mod.rs"));
            }
        }
        // The file of `#[path = "…"]`, or of an `include…!("…")`.
        let is_path = at(idx) == "path" && at(idx + 1) == "=";
        let is_include = token.text.starts_with("include") && at(idx + 1) == "!";
        let literal = list.get(idx + if is_path { 2 } else { 3 });
        if let Some(literal) = literal.filter(|it| it.kind == TokenKind::Literal)
            && (is_path || is_include)
        {
            let written = literal.text.trim_start_matches(['r', '#']).trim_matches(['#', '"']);
            names.extend(folders.iter().map(|folder| format!("{folder}{written}")));
        }
    }
    names.iter().filter_map(|it| normal(it)).collect()
}
