//! Files that code names: `include!("…")`, which is code without the extension of Rust files, and pages
//! that documentation includes.

use base::{ProjectPath, SortedSet};
use preserve::outline::tokens;
use preserve::{TestFiles, normal};

/// The files of the project that a text includes by a literal path, relative to its folder, each with
/// the position of the call.
pub(super) fn included(
    path: &ProjectPath,
    text: &str,
    files: &SortedSet<ProjectPath>,
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

/// The pages of the project that the documentation of a text includes by a path relative to its folder,
/// each with the position of the path.
pub(super) fn pages(
    path: &ProjectPath,
    text: &str,
    files: &SortedSet<ProjectPath>,
) -> Vec<(ProjectPath, usize)> {
    let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
    let named = TestFiles::included_pages(text).into_iter();
    let found = named.filter_map(|(at, it)| Some((normal(&format!("{folder}{it}"))?, at)));
    found.filter(|it| files.contains(&it.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_paths_of_files_of_the_project_are_found() {
        let path = |text: &str| ProjectPath::new(text).unwrap();
        let files = SortedSet::from([path("src/more.in"), path("src/a/b.rs")]);
        let text = r#"include!("more.in"); include!["a/b.rs"]; include!("none"); include!(concat!("x"));
            include!("../../etc/passwd"); include_str!("more.in");"#;
        let found = included(&path("src/lib.rs"), text, &files);
        assert_eq!(found, [(path("src/more.in"), 0), (path("src/a/b.rs"), 21)]);
    }

    #[test]
    fn pages_of_the_documentation_are_found() {
        let path = |text: &str| ProjectPath::new(text).unwrap();
        let files = SortedSet::from([path("README.md"), path("a/src/x.md"), path("a/y.md")]);
        let text = "#![doc = include_str!(\"../../README.md\")]\n#[cfg_attr(doctest, doc = \
            include_str!(\"x.md\"))]\nconst Y: &str = include_str!(\"../y.md\");\n";
        let found = pages(&path("a/src/lib.rs"), text, &files);
        let found = found.iter().map(|it| it.0.as_str()).collect::<Vec<_>>();
        assert_eq!(found, ["README.md", "a/src/x.md"]);
    }
}
