//! Formats counts, names and code for pages.

use base::ItemKind;

use super::tree::{CrateDoc, ItemDoc, UseCounts};

pub(super) fn title(krate: &CrateDoc) -> String {
    krate.folder.split('.').nth(1).unwrap_or(&krate.folder).to_owned()
}

pub(super) fn private_mark(visibility: &str) -> &'static str {
    if visibility == "pub" { "" } else { " (private)" }
}

/// Item counts: `3 structs, 12 functions, 4 tests`.
pub(super) fn counts(items: &[&ItemDoc], tests: usize) -> String {
    let mut parts = Vec::new();
    for (kind, one, many) in [
        (ItemKind::Struct, "struct", "structs"),
        (ItemKind::Enum, "enum", "enums"),
        (ItemKind::Union, "union", "unions"),
        (ItemKind::Trait, "trait", "traits"),
        (ItemKind::Function, "function", "functions"),
        (ItemKind::Method, "method", "methods"),
        (ItemKind::Macro, "macro", "macros"),
        (ItemKind::TypeAlias, "type alias", "type aliases"),
        (ItemKind::Const, "constant", "constants"),
        (ItemKind::Static, "static", "statics"),
    ] {
        let count = items.iter().filter(|item| item.kind == kind).count();
        if count > 0 {
            parts.push(counted(count, one, many));
        }
    }
    if tests > 0 {
        parts.push(counted(tests, "test", "tests"));
    }
    if parts.is_empty() { "no items".to_owned() } else { parts.join(", ") }
}

pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Use counts: `used by 7 items, perhaps 2 more, 3 tests`.
pub(super) fn used(used: UseCounts) -> String {
    let mut parts = Vec::new();
    if used.proven > 0 {
        parts.push(counted(used.proven, "item", "items"));
    }
    if used.candidate > 0 {
        parts.push(format!("perhaps {} more", used.candidate));
    }
    if used.tests > 0 {
        parts.push(counted(used.tests, "test", "tests"));
    }
    match parts.is_empty() {
        true => "not used here".to_owned(),
        false => format!("used by {}", parts.join(", ")),
    }
}

/// Short use counts: `7, perhaps 2, 3 tests`.
pub(super) fn used_short(used: UseCounts) -> String {
    let mut parts = Vec::new();
    if used.proven > 0 {
        parts.push(used.proven.to_string());
    }
    if used.candidate > 0 {
        parts.push(format!("perhaps {}", used.candidate));
    }
    if used.tests > 0 {
        parts.push(counted(used.tests, "test", "tests"));
    }
    parts.join(", ")
}

/// The text of a type without comments, attributes and empty lines.
pub(super) fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with("//") && !line.starts_with("#[")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Escapes text for a table cell.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Inline code; code with backticks gets double backticks.
pub(super) fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// Removes the common indentation of all lines after the first.
pub(super) fn undent(text: &str) -> String {
    let rest = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let shared = rest.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    let rest = lines.map(|line| line.get(shared..).unwrap_or_else(|| line.trim_start()));
    std::iter::once(first.as_str()).chain(rest).collect::<Vec<_>>().join("\n")
}
