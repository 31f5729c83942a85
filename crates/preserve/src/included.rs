//! The files of a change that are Rust code although their names do not show it: what `include!`, `#[path]`
//! or a macro of the project names in a literal. Start at [`code_files`].

use base::{ProjectPath, SortedSet};
use edit::{FileChange, Overlay};

use crate::literal_text;
use crate::outline::{Token, TokenKind, tokens};

/// Macros whose literals name no code.
const DATA: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "error",
    "expect",
    "format",
    "format_args",
    "include_bytes",
    "include_str",
    "info",
    "json",
    "matches",
    "option_env",
    "panic",
    "print",
    "println",
    "todo",
    "trace",
    "unimplemented",
    "unreachable",
    "vec",
    "warn",
    "write",
    "writeln",
];
/// Endings of files that are only ever included as code.
const ENDINGS: &[&str] = &["in", "inc", "incl"];

/// The files of a change that are compared as Rust sources although they do not end in `.rs`: those that a
/// Rust text of the change names where code is named, before or after it, and those with an ending of
/// included code.
pub(crate) fn code_files(overlay: &Overlay) -> SortedSet<ProjectPath> {
    let is_rust = |path: &ProjectPath| path.as_str().ends_with(".rs");
    let others: Vec<&ProjectPath> =
        overlay.changes().map(|it| it.0).filter(|path| !is_rust(path)).collect();
    if others.is_empty() {
        return SortedSet::new();
    }
    let mut named: SortedSet<String> = SortedSet::new();
    // Included code may include more.
    for (_, change) in overlay.changes().filter(|(path, _)| path.file_name() != "Cargo.toml") {
        for text in [change.before_text(), change.after_text()] {
            if text.contains('!') || text.contains("path") {
                named.extend(names_of_code(text));
            }
        }
    }
    // By another name, or in a macro, it may include any file.
    let adds_include =
        |it: &FileChange| count_of_include(it.after_text()) > count_of_include(it.before_text());
    let has_new_include = overlay.changes().any(|(_, change)| adds_include(change));
    let is_code = |path: &&ProjectPath| {
        has_new_include && path.file_name() != "Cargo.toml"
            || path.extension().is_some_and(|it| ENDINGS.contains(&it))
            || named.iter().any(|it| path.as_str().ends_with(it.as_str()))
    };
    others.into_iter().filter(is_code).cloned().collect()
}

/// How often a text has the word `include` otherwise than with a literal for the file: it may include any.
fn count_of_include(text: &str) -> usize {
    if !text.contains("include") {
        return 0;
    }
    let list = tokens(text);
    let is_plain = |at: usize| {
        let is = |by: usize, of: &[&str]| list.get(at + by).is_some_and(|it| of.contains(&it.text));
        let is_literal = list.get(at + 3).is_some_and(|it| it.kind == TokenKind::Literal);
        is(1, &["!"]) && is(2, &["(", "[", "{"]) && is_literal && is(4, &[")", "]", "}", ","])
    };
    let is_include = |at: &usize| list[*at].text.trim_start_matches("r#") == "include";
    (0..list.len()).filter(|at| is_include(at) && !is_plain(*at)).count()
}

/// The ends of the paths that a text names where code is named: the value of `path = "…"`, and the literals
/// in calls of macros.
fn names_of_code(text: &str) -> Vec<String> {
    let list = tokens(text);
    let mut found = Vec::new();
    // The macro calls around, by the number of brackets around each, with whether they name code.
    let (mut around, mut depth): (Vec<(usize, bool)>, usize) = (Vec::new(), 0);
    for (at, token) in list.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => {
                depth += 1;
                let name = |back: usize| at.checked_sub(back).map_or("", |it| list[it].text);
                if name(1) == "!" && name(2) != "macro_rules" {
                    let is_inside_data = around.last().is_some_and(|it| !it.1);
                    around.push((depth, !is_inside_data && !DATA.contains(&name(2))));
                }
            }
            ")" | "]" | "}" => {
                around.retain(|it| it.0 < depth);
                depth = depth.saturating_sub(1);
            }
            _ if token.kind == TokenKind::Literal => {
                let is_path = at > 1 && list[at - 1].is("=") && list[at - 2].is("path");
                if is_path || around.last().is_some_and(|it| it.1) {
                    found.extend(end_of_path(token));
                }
            }
            _ => {}
        }
    }
    found
}

/// The last part of the path that a literal names.
fn end_of_path(token: &Token<'_>) -> Option<String> {
    let text = token.text.contains('"').then(|| literal_text(token.text))?;
    let last = text.rsplit(['/', '\\']).next()?;
    (last.len() > 2).then(|| last.to_owned())
}

#[cfg(test)]
mod tests {
    use base::Timestamp;
    use edit::FileState;

    use super::*;
    use crate::violations;

    #[test]
    fn included_code_is_compared_as_code_whatever_its_name_is() {
        let before = "pub fn f() -> i32 {\n    1\n}\n";
        let path = |it: &str| ProjectPath::new(it).unwrap();
        let broken = |lib: &str, name: &str, text: &str| {
            let lib = format!("{before}{lib}");
            let states = [
                (
                    path("src/lib.rs"),
                    Some(FileState::from_text(before)),
                    Some(FileState::from_text(lib.as_str())),
                ),
                (path(name), None, Some(FileState::from_text(text))),
            ];
            let overlay = Overlay::from_states("t", Timestamp(0), states.to_vec());
            let found = violations(&overlay, &[]);
            found
                .iter()
                .filter(|it| it.path == path(name))
                .map(|it| it.rule.as_str())
                .collect::<Vec<_>>()
        };
        let exits = "pub fn g() {\n    std::process::exit(0)\n}\n";
        for (lib, name) in [
            ("include!(\"n.txt\");\n", "src/n.txt"),
            ("#[path = \"m.code\"]\nmod m;\n", "src/m.code"),
            ("include!(concat!(\"in/\", \"c.txt\"));\n", "src/in/c.txt"),
            ("use std::include as inc;\ninc!(\"n\\x2etxt\");\n", "src/n.txt"),
            ("use std::include as trace;\ntrace!(\"n.txt\");\n", "src/n.txt"),
            ("macro_rules! info { ($t:expr) => { include!($t) } }\n", "src/n.txt"),
            ("include!(concat!(\"n\", '.', \"txt\"));\n", "src/n.txt"),
            ("include!(\"code\");\n", "src/code"),
            ("", "src/n.inc"),
        ] {
            assert_eq!(broken(lib, name, exits), ["exit-added"], "{lib}");
        }
        for (lib, name) in [
            ("const N: &str = include_str!(\"n.txt\");\n", "src/n.txt"),
            ("fn h() { println!(\"{}\", \"n.txt\") }\n", "src/n.txt"),
            ("fn h() -> String { read(\"n.txt\") }\n", "src/n.txt"),
            ("include!(\"other.txt\");\n", "src/n.txt"),
        ] {
            assert_eq!(broken(lib, name, exits), [""; 0], "{lib}");
        }
    }
}
