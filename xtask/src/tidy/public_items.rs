//! Public items of a Rust file, read from the text: the code is formatted by rustfmt, so an item begins
//! a line.

use std::collections::BTreeSet;

use super::names::identifiers;
use super::source::{Source, item_end};

/// The kinds of items that the rules tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A function or method.
    Function,
    /// A type or trait.
    Type,
    /// A constant or static.
    Constant,
    /// A name of another crate in a `pub use`.
    Reexport,
}

/// A public item.
#[derive(Debug)]
pub(super) struct Item {
    /// File.
    pub(super) path: String,
    /// Line from 1.
    pub(super) line: usize,
    /// Name.
    pub(super) name: String,
    /// Kind.
    pub(super) kind: Kind,
    /// Whether it is in an implementation, and so needs no import.
    pub(super) is_member: bool,
    /// Words of its signature: the head of a function, the public part of a type; of a re-export the
    /// crate that it comes from.
    pub(super) signature: BTreeSet<String>,
}

/// The public items of a file outside of tests.
pub(super) fn public_items(path: &str, source: &Source) -> Vec<Item> {
    let mut found = Vec::new();
    let is_root = path.ends_with("/src/lib.rs");
    let modules: BTreeSet<&str> =
        source.code.iter().filter_map(|line| module_name(line)).chain(["crate", "self"]).collect();
    for (at, line) in source.code.iter().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("pub ").filter(|_| !source.test[at]) else {
            continue;
        };
        let text = || source.code[at..].join("\n");
        if let Some(path_of) = rest.strip_prefix("use ") {
            let first = path_of.split([':', ' ', '{']).next().unwrap_or_default();
            if is_root && !modules.contains(first) {
                let text = text();
                let declaration = text.split(';').next().unwrap_or_default();
                found.extend(leaves(declaration).into_iter().map(|name| Item {
                    path: path.to_owned(),
                    line: at + 1,
                    name,
                    kind: Kind::Reexport,
                    is_member: false,
                    signature: BTreeSet::from([first.to_owned()]),
                }));
            }
        } else if let Some((kind, name)) = item_name(rest) {
            // The visibility of a type within the call of a macro is part of that macro.
            let is_type = rest.starts_with("enum ") || rest.starts_with("struct ");
            if is_type && line.starts_with(' ') {
                continue;
            }
            let signature = identifiers(&signature(kind, &text())).map(str::to_owned).collect();
            let (path, name) = (path.to_owned(), name.to_owned());
            let is_member = line.starts_with(' ');
            found.push(Item { path, line: at + 1, name, kind, is_member, signature });
        }
    }
    found
}

/// The name of the module that a line declares.
fn module_name(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let (_, name) = line.split_once("mod ")?;
    Some(name.trim_end_matches([';', ' ', '{']))
}

/// The kind and name of the item after `pub `.
fn item_name(rest: &str) -> Option<(Kind, &str)> {
    let mut parts = rest.split_whitespace().peekable();
    while let Some(part) = parts.next() {
        let is_function = matches!(parts.peek(), Some(&("fn" | "async" | "unsafe" | "extern")));
        let kind = match part {
            "fn" => Kind::Function,
            "const" if is_function => continue,
            "struct" | "enum" | "union" | "trait" | "type" => Kind::Type,
            "const" | "static" => Kind::Constant,
            "async" | "unsafe" => continue,
            _ => return None,
        };
        let name = identifiers(parts.next()?).next()?;
        return Some((kind, name)).filter(|(_, name)| *name != "_");
    }
    None
}

/// The part of an item that its users see: the head of a function, the public fields of a struct, all
/// of anything else.
fn signature(kind: Kind, text: &str) -> String {
    if kind == Kind::Function {
        let mut head = String::new();
        for line in text.lines() {
            head.push_str(line.split('{').next().unwrap_or_default());
            head.push('\n');
            if line.contains('{') || line.ends_with(';') {
                break;
            }
        }
        return head;
    }
    let item = &text[..item_end(text).min(text.len())];
    let is_struct = item.trim_start().starts_with("pub struct ");
    let is_seen = |line: &&str| {
        let line = line.trim_start();
        !is_struct || line.starts_with("pub ") || !line.contains(": ")
    };
    item.lines().filter(is_seen).collect::<Vec<_>>().join("\n")
}

/// The names that a `pub use` declares: the last word of each path, or what follows `as`.
fn leaves(declaration: &str) -> Vec<String> {
    let parts = declaration.split(['{', '}', ',']).map(str::trim);
    let leaf = |part: &str| identifiers(part).last().map(str::to_owned);
    parts.filter(|part| !part.ends_with("::")).filter_map(leaf).filter(|it| it != "self").collect()
}

/// The names of the public modules that a file declares.
pub(super) fn public_modules(source: &Source) -> impl Iterator<Item = &str> {
    let names = source.code.iter().filter_map(|line| line.strip_prefix("pub mod "));
    names.map(|rest| rest.trim_end_matches([';', ' ', '{', '}']))
}

/// The types that `type Name = …;` lines within implementations name.
pub(super) fn assigned_types(source: &Source) -> BTreeSet<String> {
    let lines = source.code.iter().map(String::as_str).filter(|line| line.starts_with("    type "));
    lines.flat_map(identifiers).map(str::to_owned).collect()
}
