//! Reports the longest functions, the types with most fields and the circles of imports, so that a
//! reader sees where to look. Nothing here fails a build.
//!
//! The code is formatted by rustfmt, so an item ends at the first `}` in the column of its head.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Report, crates, files};

/// A longer function is reported, in lines from head to end.
const LONG_FUNCTION: usize = 60;
/// A type with more named fields is reported.
const MANY_FIELDS: usize = 15;
/// How many of each are listed; the rest is counted.
const LISTED: usize = 10;

/// Reports on the sources of all crates, tests excepted.
pub(super) fn inspect(root: &Path, report: &mut Report) {
    let (mut functions, mut types) = (Vec::new(), Vec::new());
    for name in crates(root) {
        let source = format!("crates/{name}/src");
        let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for path in files(root, &source) {
            let Ok(text) = std::fs::read_to_string(root.join(&path)) else { continue };
            let Some(module) = module_of(&path, &source).filter(|_| path.ends_with(".rs")) else {
                continue;
            };
            functions.extend(long_functions(&path, &text));
            types.extend(large_types(&path, &text));
            imports.entry(module).or_default().extend(imported(&text));
        }
        for circle in circles(&imports) {
            report.warnings.push(format!("crates/{name}: modules import each other: {circle}"));
        }
    }
    list(&format!("functions over {LONG_FUNCTION} lines"), functions, report);
    list(&format!("types of more than {MANY_FIELDS} fields"), types, report);
}

/// The first module in the path of a file; tests are none.
fn module_of(path: &str, source: &str) -> Option<String> {
    let inner = path.strip_prefix(source)?.trim_start_matches('/');
    let is_test = inner.split(['/', '.']).any(|part| part == "tests");
    let first = inner.split(['/', '.']).next().filter(|_| !is_test)?;
    Some(first.to_owned())
}

/// An item that is too large: its size, and where it is.
type Large = (usize, String);

fn long_functions(path: &str, text: &str) -> Vec<Large> {
    let is_function = |head: &str| {
        let words = head
            .split(' ')
            .take_while(|word| !word.contains(['(', '=']) || word.starts_with("pub("));
        words.clone().any(|word| word == "fn") || head.starts_with("fn ")
    };
    let items = items(text, is_function).into_iter();
    let long = items.filter(|(_, lines)| lines.len() > LONG_FUNCTION);
    long.map(|(at, lines)| (lines.len(), format!("{path}:{at}: {} lines", lines.len()))).collect()
}

fn large_types(path: &str, text: &str) -> Vec<Large> {
    let is_type = |head: &str| head.split(' ').any(|word| word == "struct") && head.ends_with('{');
    let mut large = Vec::new();
    for (at, lines) in items(text, is_type) {
        let indent = lines.first().map_or(0, |line| indent_of(line)) + 4;
        let is_field = |line: &&&str| {
            let code = line.trim_start();
            let is_comment = code.starts_with("//") || code.starts_with('#');
            indent_of(line) == indent && !is_comment && code.contains(": ")
        };
        let count = lines.iter().filter(is_field).count();
        if count > MANY_FIELDS {
            large.push((count, format!("{path}:{at}: {count} fields")));
        }
    }
    large
}

/// The items with a head that fits: the number of their first line, and their lines. Code after
/// `mod tests` is left out.
fn items(text: &str, fits: impl Fn(&str) -> bool) -> Vec<(usize, Vec<&str>)> {
    let lines: Vec<&str> =
        text.lines().take_while(|line| !line.starts_with("mod tests {")).collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let head = line.trim();
        if head.starts_with("//") || head.ends_with(';') || head.ends_with('}') || !fits(head) {
            continue;
        }
        let indent = indent_of(line);
        let rest = lines.get(at..).unwrap_or_default();
        let ends = |line: &&str| indent_of(line) == indent && line.trim_start().starts_with('}');
        if let Some(len) = rest.iter().position(ends) {
            found.push((at + 1, rest.get(..=len).unwrap_or_default().to_vec()));
        }
    }
    found
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The modules of the crate that a file imports from.
fn imported(text: &str) -> Vec<String> {
    let code = text.lines().take_while(|line| !line.starts_with("mod tests {"));
    let uses = code.filter_map(|line| line.trim_start().split_once("use crate::"));
    let names = uses.map(|(_, path)| path.split([':', ';', ',', ' ']).next().unwrap_or(path));
    let is_module = |name: &&str| name.starts_with(|first: char| first.is_ascii_lowercase());
    names.filter(is_module).map(str::to_owned).collect()
}

/// The groups of modules that reach each other over imports.
fn circles(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let reached = |from: &str| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from.to_owned()];
        while let Some(module) = open.pop() {
            for next in imports.get(&module).into_iter().flatten() {
                if imports.contains_key(next) && reached.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        reached
    };
    let all: BTreeMap<&String, BTreeSet<String>> =
        imports.keys().map(|module| (module, reached(module))).collect();
    let mut groups = BTreeSet::new();
    for (module, reached) in &all {
        let back = |other: &&String| {
            *other != *module && all.get(other).is_some_and(|it| it.contains(*module))
        };
        let mut group: Vec<&String> = reached.iter().filter(back).collect();
        if !group.is_empty() {
            group.push(module);
            group.sort();
            groups.insert(group.into_iter().map(String::as_str).collect::<Vec<_>>().join(", "));
        }
    }
    groups.into_iter().collect()
}

/// Adds the largest, and how many there are.
fn list(what: &str, mut large: Vec<Large>, report: &mut Report) {
    large.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let places: Vec<&str> = large.iter().take(LISTED).map(|(_, place)| place.as_str()).collect();
    if !places.is_empty() {
        report.warnings.push(format!("{} {what}: {}", large.len(), places.join("; ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_functions_and_large_types_are_found_with_their_place() {
        let body = "    a();\n".repeat(70);
        let fields: String =
            (0..16).map(|n| format!("    /// Doc: of it.\n    a{n}: u8,\n")).collect();
        let text = format!(
            "fn short() {{\n}}\n\npub(crate) async fn long() {{\n{body}}}\n\nstruct S {{\n{fields}}}\n"
        );
        assert_eq!(long_functions("a.rs", &text), [(72, "a.rs:4: 72 lines".to_owned())]);
        assert_eq!(large_types("a.rs", &text), [(16, "a.rs:77: 16 fields".to_owned())]);
        // Tests in their own file end nothing; those in this one do.
        let declared = format!("mod tests;\n{text}");
        assert_eq!(long_functions("a.rs", &declared), [(72, "a.rs:5: 72 lines".to_owned())]);
        assert_eq!(long_functions("a.rs", &format!("mod tests {{\n{text}")), []);
    }

    #[test]
    fn modules_that_import_each_other_are_a_circle() {
        let module =
            |name: &str, text: &str| (name.to_owned(), imported(text).into_iter().collect());
        let imports = BTreeMap::from([
            module("a", "use crate::b::B;\n"),
            module("b", "    use crate::{c, Other};\nuse crate::c::C;\n"),
            module("c", "use crate::a;\n"),
            module("d", "use crate::a::A;\n"),
        ]);
        assert_eq!(circles(&imports), ["a, b, c"]);
    }
}
