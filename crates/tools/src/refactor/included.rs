//! Files that `include!("…")` names: code without the extension of Rust files.

use std::collections::BTreeSet;

use base::ProjectPath;
use preserve::outline::tokens;

/// The files of the project that a text includes by a literal path, relative to its folder, each with
/// the position of the call.
pub(super) fn included(
    path: &ProjectPath,
    text: &str,
    files: &BTreeSet<ProjectPath>,
) -> Vec<(ProjectPath, usize)> {
    if !text.contains("include!") {
        return Vec::new();
    }
    let tokens = tokens(text);
    let calls = tokens
        .windows(4)
        .filter(|it| it[0].is("include") && it[1].is("!") && matches!(it[2].text, "(" | "[" | "{"));
    let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
    let found = calls.filter_map(|it| {
        let named = it[3].text.strip_prefix('"')?.strip_suffix('"')?;
        Some((ProjectPath::new(&format!("{folder}{named}")).ok()?, it[0].span.start))
    });
    found.filter(|it| files.contains(&it.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_paths_of_files_of_the_project_are_found() {
        let path = |text: &str| ProjectPath::new(text).unwrap();
        let files = BTreeSet::from([path("src/more.in"), path("src/a/b.rs")]);
        let text = r#"include!("more.in"); include!["a/b.rs"]; include!("none"); include!(concat!("x"));
            include!("../../etc/passwd"); include_str!("more.in");"#;
        let found = included(&path("src/lib.rs"), text, &files);
        assert_eq!(found, [(path("src/more.in"), 0), (path("src/a/b.rs"), 21)]);
    }
}
