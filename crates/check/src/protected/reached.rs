//! The files that a Rust file reaches by `mod`, `#[path]` and `include!`, to know the parts of a build script and of
//! the packages that it depends on.

use base::{ProjectPath, SortedSet};
use edit::Files;
use preserve::normal;
use preserve::outline::{Token, TokenKind, tokens};

/// Most files that one root reaches.
const MAX_FILES: usize = 1_000;
/// Most names that one root reaches, whether or not there is a file.
const MAX_NAMES: usize = 50_000;

/// The files that a file reaches.
pub(super) struct Reached {
    /// The file itself and all that it names, whether or not they exist. Of a module both places where its
    /// file may be are parts.
    pub(super) files: SortedSet<ProjectPath>,
    /// The files that may be parts too.
    pub(super) open: Open,
}

/// The files that a text may include without naming them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Open {
    /// None: each is named.
    Nothing,
    /// Those of its package: it has the word `include` where it calls nothing.
    Package,
    /// Any: the path of an `include!`, or the name of a module, is made of what its words do not show.
    Anything,
}

/// Follows what a file names.
pub(super) fn by(files: &dyn Files, root: &ProjectPath) -> Reached {
    let mut found = Reached { files: SortedSet::from([root.clone()]), open: Open::Nothing };
    let mut queue = vec![root.clone()];
    let mut read = 0;
    while let Some(path) = queue.pop() {
        let Some(state) = files.read(&path).ok().flatten() else { continue };
        read += 1;
        if read > MAX_FILES || found.files.len() > MAX_NAMES {
            found.open = Open::Anything;
            break;
        }
        found.open = found.open.max(includes_unseen(&state.text));
        for next in named(&path, &state.text) {
            if found.files.insert(next.clone()) {
                queue.push(next);
            }
        }
    }
    found
}

/// The files that a text may include otherwise than with texts for the path, joined by `concat!` or not.
fn includes_unseen(text: &str) -> Open {
    let list = tokens(text);
    let at = |idx: usize| list.get(idx).map_or("", |it| it.text);
    let open = |idx: usize| match at(idx).trim_start_matches("r#") {
        // `mod $name;`, `#[path = $path]`: a macro is given the name.
        "mod" if at(idx + 1) == "$" && at(idx + 3) == "{" => Open::Package,
        "mod" if at(idx + 1) == "$" => Open::Anything,
        "path" if at(idx + 1) == "=" && at(idx + 2) == "$" => Open::Anything,
        // A method of another thing.
        "include" if idx > 0 && at(idx - 1) == "." => Open::Nothing,
        "include" if at(idx + 1) != "!" => Open::Package,
        "include" if !is_seen(&list[(idx + 2).min(list.len())..]) => Open::Anything,
        _ => Open::Nothing,
    };
    (0..list.len()).map(open).max().unwrap_or(Open::Nothing)
}

/// Whether the words of a macro's input, at the start of a list, are all that its path is made of. Of the
/// variables of the environment the package's folder is known, and that of what its build script made, which is
/// outside of the project.
fn is_seen(list: &[Token<'_>]) -> bool {
    if !list.first().is_some_and(|it| matches!(it.text, "(" | "[" | "{")) {
        return false;
    }
    let mut depth = 0usize;
    let mut input = list.iter().enumerate().take_while(|(_, it)| {
        match it.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > 0
    });
    let is_folder = |idx: usize| {
        let name = list.get(idx + 3).filter(|it| it.kind == TokenKind::Literal);
        let known = ["CARGO_MANIFEST_DIR", "OUT_DIR"];
        list.get(idx + 1).is_some_and(|it| it.is("!"))
            && name.is_some_and(|it| known.contains(&preserve::literal_text(it.text).as_str()))
    };
    let is_seen = |(idx, it): (usize, &Token<'_>)| match it.kind {
        TokenKind::Literal => it.text.contains('"'),
        TokenKind::Word if it.text == "env" => is_folder(idx),
        TokenKind::Word => it.text == "concat",
        TokenKind::Punctuation => it.text != "$",
        TokenKind::Lifetime => false,
    };
    input.all(is_seen)
}

/// Macros whose literals name no code.
const DATA: [&str; 14] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "env",
    "eprint",
    "eprintln",
    "format",
    "option_env",
    "panic",
    "print",
    "println",
    "write",
    "writeln",
];

/// The files that a text names.
fn named(path: &ProjectPath, text: &str) -> Vec<ProjectPath> {
    let list = tokens(text);
    let at = |idx: usize| list.get(idx).map_or("", |it| it.text);
    let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
    // Modules of `a.rs` may be in `a/`, those of `mod.rs` and of a root beside it.
    let stem = path.as_str().strip_suffix(".rs").map_or(path.as_str(), |it| it);
    let mut names = Vec::new();
    // The inline modules around, each with the number of brackets around it.
    let (mut inline, mut depth): (Vec<(usize, String)>, usize) = (Vec::new(), 0);
    // The path of an attribute above an item.
    let mut given: Option<String> = None;
    for (idx, token) in list.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                inline.retain(|it| it.0 < depth);
            }
            _ => {}
        }
        let inner: String = inline.iter().map(|it| format!("{}/", it.1)).collect();
        let folders = [format!("{folder}{inner}"), format!("{stem}/{inner}"), folder.clone()];
        if token.text == "mod" {
            let name = at(idx + 1).trim_start_matches("r#");
            match at(idx + 2) {
                ";" => names.extend(folders.iter().flat_map(|folder| {
                    [format!("{folder}{name}.rs"), format!("{folder}{name}/mod.rs")]
                })),
                "{" => inline.push((depth, given.take().unwrap_or_else(|| name.to_owned()))),
                _ => {}
            }
        }
        // The file of `#[path = "…"]`, or of `include!("…")`, also under another name.
        let is_path = at(idx) == "path" && at(idx + 1) == "=";
        // `#![doc = include_str!("../README.md")]` is no code.
        let is_doc = idx > 1 && at(idx - 1) == "=" && at(idx - 2) == "doc";
        let is_name = token.kind == TokenKind::Word && !DATA.contains(&token.text);
        let is_call = is_name && at(idx + 1) == "!" && !is_doc;
        let written = match (is_path, is_call) {
            (true, _) => literals(&list[(idx + 2).min(list.len())..], false),
            (_, true) => literals(&list[(idx + 3).min(list.len())..], true),
            _ => String::new(),
        };
        if is_path && !written.is_empty() {
            given = Some(written.clone());
        } else if matches!(token.text, ";" | "}") {
            given = None;
        }
        if !written.is_empty() {
            names.extend(folders.iter().map(|folder| format!("{folder}{written}")));
        }
    }
    names.iter().filter_map(|it| normal(it)).collect()
}

/// The text of the literal at the start of a list; if it `joins`, of all literals up to the end of a call,
/// as `concat!` joins them, but for names of variables.
fn literals(list: &[Token<'_>], joins: bool) -> String {
    let mut text = String::new();
    let mut depth = 1_usize;
    for (at, token) in list.iter().enumerate().take(60) {
        let of_env = at > 2 && list[at - 3].text.ends_with("env") && list[at - 2].is("!");
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ if token.kind == TokenKind::Literal && !of_env => {
                text.push_str(&preserve::literal_text(token.text));
            }
            _ => {}
        }
        if !joins || depth == 0 {
            break;
        }
    }
    text.trim_start_matches('/').to_owned()
}
