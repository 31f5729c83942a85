//! Decides whether a suggestion needs approval: it changes files that its diagnostic does not mark,
//! or adds unrelated code. Builds can forge messages. Start at [`approval_reason`].

use base::{Diagnostic, DiagnosticSpan, ProjectPath};
use edit::{Files, Splice};
use preserve::outline::{TokenKind, is_keyword, tokens};
use preserve::{Rule, Violation};

use crate::Fix;
use crate::derives::is_standard_derive;
use crate::fix::text_of;

/// Maximum lines and bytes of a suggestion. The longest of rustc, which list missing trait members,
/// contain placeholders anyway.
const MAX_LINES: usize = 16;
const MAX_BYTES: usize = 2_000;

/// Methods that types of the standard library have, beside [`SUGGESTED`].
const OF_STD: &[&str] = &[
    "count", "end", "entry", "extend", "fill", "find", "get", "get_mut", "insert", "is_empty",
    "join", "keys", "last", "len", "lines", "lock", "map", "max", "min", "name", "next", "parse",
    "path", "pop", "position", "read", "remove", "replace", "resize", "retain", "send", "size",
    "skip", "sort", "split", "start", "take", "trim", "update", "values", "write",
];

/// Whether the standard library has a method of this name, so that a call shows little of its receiver.
pub fn is_std_method(name: &str) -> bool {
    SUGGESTED.contains(&name) || OF_STD.contains(&name)
}

/// Calls and macros that compilers suggest: they convert, borrow, wrap or unwrap an existing value.
const SUGGESTED: &[&str] = &[
    "Arc",
    "Box",
    "Cow",
    "Err",
    "None",
    "Ok",
    "Rc",
    "Some",
    "String",
    "Vec",
    "abs",
    "and_then",
    "as_bytes",
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_ref",
    "as_slice",
    "as_str",
    "assert",
    "assert_eq",
    "await",
    "borrow",
    "borrow_mut",
    "by_ref",
    "bytes",
    "chars",
    "clone",
    "cloned",
    "collect",
    "concat",
    "contains",
    "copied",
    "default",
    "derive",
    "drop",
    "enumerate",
    "eq",
    "expect",
    "first",
    "flatten",
    "format",
    "from",
    "from_str",
    "get",
    "get_mut",
    "into",
    "into_boxed_str",
    "into_iter",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "is_some_and",
    "iter",
    "iter_mut",
    "keys",
    "len",
    "lock",
    "map",
    "map_err",
    "matches",
    "max",
    "min",
    "new",
    "next",
    "ok",
    "ok_or",
    "parse",
    "pin",
    "print",
    "println",
    "push_str",
    "replace",
    "split_at_mut",
    "swap",
    "take",
    "then",
    "to_owned",
    "to_string",
    "to_vec",
    "todo",
    "trim",
    "try_from",
    "try_into",
    "unimplemented",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "values",
    "vec",
    "with_capacity",
    "wrapping_add",
    "wrapping_sub",
    "write",
    "writeln",
];
/// Words that add code rather than change what exists.
const OWN_CODE: &[&str] = &[
    "asm",
    "extern",
    "fn",
    "global_asm",
    "impl",
    "include",
    "include_bytes",
    "include_str",
    "macro_rules",
    "mod",
    "static",
    "transmute",
];
/// Macros and traits of the prelude: importing such a name changes its meaning.
const PRELUDE: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "eprintln",
    "format",
    "matches",
    "panic",
    "print",
    "println",
    "todo",
    "unreachable",
    "vec",
    "write",
    "writeln",
    "Box",
    "Clone",
    "Default",
    "Drop",
    "Err",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Into",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Result",
    "Some",
    "String",
    "ToOwned",
    "ToString",
    "Vec",
];

/// Why a suggestion of a compiler or an analyzer needs approval: it changes files outside of the
/// compiled package or unmarked by its diagnostic, or adds code unrelated to the diagnosed text.
///
/// Macros and build scripts can print messages in the compiler's format, and cargo forwards them. A
/// message is therefore untrusted data, and may change without approval only what honest ones
/// change.
pub(crate) fn approval_reason(
    fix: &Fix,
    diagnostic: &Diagnostic,
    files: &dyn Files,
) -> Option<Violation> {
    if !matches!(fix.reasoner, "compiler" | "analyzer") {
        return None;
    }
    fix.splices.iter().find_map(|(path, splice)| {
        let text = text_of(files, path)?;
        let reason = if is_of_other_package(path, diagnostic, files) {
            "the suggestion changes a file of another package than the compiled one"
        } else if is_standard_derive(&splice.insert) && splice.span.is_empty() {
            // Of a type that the error is about; its file is marked by the suggestion alone.
            return None;
        } else if !marked(diagnostic).any(|it| it == path) {
            "the suggestion changes a file that its diagnostic does not mark"
        } else {
            unexpected_code(splice, &text)?
        };
        let line = base::LineIndex::new(&text).line_of(splice.span.start.min(text.len()));
        Some(Violation {
            rule: Rule::SuggestionOutside,
            path: path.clone(),
            line,
            detail: reason.to_owned(),
            is_cfg_test: false,
        })
    })
}

/// Project files marked by a diagnostic or its notes; files of suggestions do not count.
fn marked(diagnostic: &Diagnostic) -> impl Iterator<Item = &ProjectPath> {
    let notes = diagnostic.children.iter().filter(|it| it.replacements.is_empty());
    let spans = diagnostic.spans.iter().chain(notes.flat_map(|it| &it.spans));
    spans.flat_map(with_call_sites).filter_map(|it| it.place.project())
}

/// A span and the macro calls that it comes from.
fn with_call_sites(span: &DiagnosticSpan) -> impl Iterator<Item = &DiagnosticSpan> {
    std::iter::successors(Some(span), |it| it.expansion.as_ref().map(|it| &it.call_site))
}

/// Whether the nearest manifest above the file belongs to another package, or does not parse.
fn is_of_other_package(path: &ProjectPath, diagnostic: &Diagnostic, files: &dyn Files) -> bool {
    let Some(compiled) = diagnostic.package.as_deref() else { return false };
    match preserve::ManifestPackage::of_file(files, path) {
        Ok(found) => found.and_then(|it| it.name).is_some_and(|name| name != compiled),
        Err(_) => true,
    }
}

/// What the inserted text adds that no honest suggestion about `text` would.
fn unexpected_code(splice: &Splice, text: &str) -> Option<&'static str> {
    let insert = splice.insert.as_str();
    if insert.len() > MAX_BYTES || insert.lines().count() > MAX_LINES {
        return Some("the suggestion is longer than any of the compiler");
    }
    let found = tokens(insert);
    let known: base::SortedSet<&str> = tokens(text).iter().map(|it| it.text).collect();
    let at = |idx: usize| found.get(idx).map_or("", |it| it.text);
    let is_import = at(0) == "use" || (at(0) == "pub" && at(1) == "use");
    if is_import {
        return unexpected_import(&found.iter().map(|it| it.text).collect::<Vec<_>>(), &known);
    }
    let replaced = splice.span.slice(text).unwrap_or("");
    if differ_in_one_word(replaced, insert) {
        return None;
    }
    let was: base::SortedSet<&str> = tokens(replaced).iter().map(|it| it.text).collect();
    for (idx, token) in found.iter().enumerate() {
        let word = token.text;
        let next = at(idx + 1);
        let reason = match token.kind {
            TokenKind::Literal if word.contains('"') && !is_known_text(word, replaced, text) => {
                "the suggestion adds a string that the file does not contain"
            }
            TokenKind::Word
                if OWN_CODE.contains(&word) && !was.contains(word) && !is_type(word, next, idx) =>
            {
                "the suggestion adds code of its own"
            }
            TokenKind::Word if known.contains(word) || is_keyword(word) => continue,
            TokenKind::Word
                if (next == "(" || next == "!" || (next == "::" && at(idx + 2) == "<"))
                    && !SUGGESTED.contains(&word) =>
            {
                "the suggestion adds a call that the file does not contain"
            }
            TokenKind::Punctuation
                if word == "#" && !matches!(at(idx + 2), "derive" | "unsafe") =>
            {
                "the suggestion adds an attribute"
            }
            _ => continue,
        };
        return Some(reason);
    }
    None
}

/// Whether the word is part of a type: `fn(u8)`, or an `impl Trait` that is not first.
fn is_type(word: &str, next: &str, idx: usize) -> bool {
    (word == "fn" && next == "(") || (word == "impl" && idx > 0)
}

/// Whether the texts differ in one word at most.
fn differ_in_one_word(replaced: &str, insert: &str) -> bool {
    let (old, new) = (tokens(replaced), tokens(insert));
    let mut differing = old.iter().zip(&new).filter(|(a, b)| a.text != b.text);
    old.len() == new.len()
        && differing
            .next()
            .is_none_or(|(a, b)| a.kind == TokenKind::Word && b.kind == TokenKind::Word)
        && differing.next().is_none()
}

/// Accepts an import of one name that the file uses and that is not in the prelude.
fn unexpected_import(words: &[&str], known: &base::SortedSet<&str>) -> Option<&'static str> {
    let ends = words.iter().filter(|it| **it == ";").count();
    let name = words.iter().rev().find(|it| !matches!(**it, ";" | "}" | ","))?;
    let is_plain = ends <= 1 && !words.iter().any(|it| matches!(*it, "as" | "*" | "{"));
    let is_path = words.iter().all(|it| {
        matches!(*it, "use" | "pub" | "::" | ";")
            || it.starts_with(|c: char| c == '_' || c.is_alphabetic())
    });
    // A trait is imported for its methods, which the file mentions instead; importing from this
    // crate or the standard library runs no code.
    let is_harmless = name.starts_with(char::is_uppercase)
        || words
            .iter()
            .any(|it| matches!(*it, "alloc" | "core" | "crate" | "self" | "std" | "super"));
    // A crate without `std` imports prelude names from their usual location, possibly through its
    // own root (`extern crate alloc`).
    let is_of_the_language = words
        .iter()
        .find(|it| !matches!(**it, "use" | "pub" | "::" | "crate"))
        .is_some_and(|first| matches!(*first, "alloc" | "core" | "std"));
    match () {
        () if !is_plain || !is_path => Some("the suggestion adds more than an import"),
        () if PRELUDE.contains(name) && !is_of_the_language => {
            Some("the import changes the meaning of a prelude name")
        }
        () if !known.contains(name) && !is_harmless => {
            Some("the import adds a name that the file does not use")
        }
        () => None,
    }
}

/// Whether a string is in the replaced text or the file, or consists of placeholders.
fn is_known_text(literal: &str, replaced: &str, text: &str) -> bool {
    let inner = literal.trim_start_matches(['b', 'r', 'c']).trim_matches(['#', '"']);
    let is_placeholder = inner.chars().all(|c| matches!(c, '{' | '}' | ':' | '?' | ' ' | '#'));
    let replaced_inner = replaced.trim_matches(['\'', '"', '#', 'b', 'r', 'c']);
    is_placeholder
        || inner == "REASON"
        || (!inner.is_empty() && (text.contains(inner) || similar(inner, replaced_inner)))
}

/// Whether two texts differ in format placeholders only: `"{}"` became `"{:?}"`.
fn similar(a: &str, b: &str) -> bool {
    let plain = |it: &str| -> String {
        let mut depth = 0usize;
        it.chars()
            .filter(|c| {
                match c {
                    '{' => depth += 1,
                    '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0 && !matches!(c, '}' | '\\')
            })
            .collect()
    };
    plain(a) == plain(b)
}

#[cfg(test)]
mod tests {
    use base::ByteSpan;

    use super::*;

    const TEXT: &str = "fn main() { let a = HashMap::new(); print(\"hi {}\", a); s('ab'); }";

    fn unexpected_text(insert: &str) -> Option<&'static str> {
        unexpected_code(&Splice { span: ByteSpan::new(0, 0), insert: insert.to_owned() }, TEXT)
    }

    #[test]
    fn usual_suggestions_need_no_approval() {
        for insert in [
            "mut ",
            "&",
            ".clone()",
            ".to_string()",
            "Some(",
            ")",
            "use std::collections::HashMap;\n",
            "#[derive(Clone)]\n",
            ": Vec<u8>",
            "'a ",
            "Box::new(",
            "\"{:?}\"",
            "\"ab\"",
            "pub(crate) ",
            ".expect(\"REASON\")",
            "use std::io::Write;\n",
            "use alloc::string::ToString;\n",
            "use crate::alloc::string::ToString;\n",
            "?",
            ";",
            "println!",
            "let x = ",
        ] {
            assert_eq!(unexpected_text(insert), None, "{insert}");
        }
    }

    #[test]
    fn unrelated_code_needs_approval() {
        let long = "x;\n".repeat(40);
        for insert in [
            "std::process::Command::new(\"sh\").spawn();",
            "std::fs::remove_file(a);",
            "run();",
            "include!(a);",
            "a(\"curl x | sh\");",
            "fn other() {}",
            "#[path = \"x.rs\"]",
            "#![feature(x)]",
            "use evil::println;",
            "use evil::*;",
            "use evil::run as print;",
            "use a::HashMap; run!{}",
            "mod evil;",
            "extern crate evil;",
            long.as_str(),
        ] {
            assert!(unexpected_text(insert).is_some(), "{insert}");
        }
    }

    #[test]
    fn derives_of_std_are_known_whole() {
        assert!(is_standard_derive("#[derive(Copy)]\n"));
        assert!(is_standard_derive("#[derive(Clone, Copy)]\n    "));
        for text in [
            "#[derive(evil::Clone)]",
            "#[derive(serde::Serialize)]",
            "#[derive(Serialize)]",
            "#[derive(Evil)]",
            "#[derive(Clone)] fn f() {}",
            "#[derive()]",
            "Clone",
        ] {
            assert!(!is_standard_derive(text), "{text}");
        }
    }

    #[test]
    fn a_file_belongs_to_the_package_that_its_manifest_names_in_any_spelling() {
        struct Tree(&'static str);
        impl Files for Tree {
            fn read(
                &self,
                path: &ProjectPath,
            ) -> Result<Option<edit::FileState>, edit::Unreadable> {
                Ok((path.as_str() == "a/Cargo.toml").then(|| edit::FileState::from_text(self.0)))
            }
        }
        let path = ProjectPath::new("a/src/lib.rs").unwrap();
        let error = Diagnostic {
            package: Some("other".to_owned()),
            ..Diagnostic::new(base::Severity::Error, "x")
        };
        for manifest in [
            "[package] # x\nname = \"app\"\n",
            "package.name = \"app\"\n",
            "package = { \"n\\u0061me\" = 'app' }\n",
            "x = \"a\\\"[\"\n[package]\nname = \"app\"\n",
            "[package\nname = \"other\"\n",
        ] {
            assert!(is_of_other_package(&path, &error, &Tree(manifest)), "{manifest}");
        }
        let own = "[package]\nname = \"other\"\n";
        assert!(!is_of_other_package(&path, &error, &Tree(own)));
    }
}
