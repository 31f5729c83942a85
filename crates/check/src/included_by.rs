//! The packages that use files outside of their folders: what another package includes (`#[path]`,
//! `include_str!`), or reads by a path that a literal has, is tested by both.

use std::path::Path;

use base::ProjectPath;
use build::CargoWorkspace;
use edit::{Files, Overlay};
use policy::Tree;
use preserve::{LARGEST_SOURCE, normal, text_literals};
use rayon::prelude::*;

/// The packages of which a source names a file of the change, or a folder around one, by a path that leads
/// out of its own folder or package, or down into another one. Paths begin in the folder of the source or of the package.
pub(crate) fn packages(
    (files, tree): (&(dyn Files + Sync), &Tree),
    (workspace, root): (&CargoWorkspace, &Path),
    overlay: &Overlay,
) -> Vec<String> {
    if workspace.members().count() < 2 {
        return Vec::new();
    }
    let changed: Vec<&ProjectPath> = overlay.changes().map(|it| it.0).collect();
    let sources: Vec<_> =
        tree.files().keys().filter(|path| path.extension() == Some("rs")).collect();
    let owner_of = |path: &ProjectPath| {
        let owner = workspace.owner(&path.join_to(root))?;
        let folder = owner.dir.strip_prefix(root).ok()?.to_str()?.to_owned();
        let text = files.read(path).ok().flatten()?.text;
        let is_below = |it: &build::Package| it.dir != owner.dir && it.dir.starts_with(&owner.dir);
        let has_inner = workspace.packages.iter().any(is_below);
        let is_others = |it: &ProjectPath| {
            workspace.owner(&it.join_to(root)).is_none_or(|it| it.dir != owner.dir)
        };
        let names = || {
            let uses = Uses { path, folder: &folder, text: &text, has_inner };
            changed.iter().any(|it| is_others(it) && uses.names(it))
        };
        let may_name = has_inner || text.contains("..");
        (text.len() <= LARGEST_SOURCE && may_name && names()).then(|| owner.name.clone())
    };
    let mut found: Vec<String> = sources.into_par_iter().filter_map(owner_of).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A source of a package.
struct Uses<'a> {
    path: &'a ProjectPath,
    /// Folder of the package, relative to the root.
    folder: &'a str,
    text: &'a str,
    /// Whether other packages are below the folder.
    has_inner: bool,
}

impl Uses<'_> {
    fn names(&self, file: &ProjectPath) -> bool {
        let own = self.path.parent();
        let bases = [own.as_ref().map_or("", ProjectPath::as_str), self.folder];
        let is_it = |named: &ProjectPath| {
            let holds_own = self.path.is_within(named);
            file.is_within(named) && !holds_own
        };
        let literals = text_literals(self.path, self.text).into_iter();
        let mut leading = literals.filter(|it| it.0.contains("..") || self.has_inner);
        leading.any(|(literal, _)| {
            bases
                .iter()
                .any(|base| normal(&format!("{base}/{literal}")).is_some_and(|it| is_it(&it)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_out_of_a_package_leads_to_a_file_or_a_folder() {
        let path = |text: &str| ProjectPath::new(text).unwrap();
        let names = |text: &str, file: &str| {
            let own = path("b/tests/it.rs");
            let uses = Uses { path: &own, folder: "b", text, has_inner: false };
            let inner = Uses { has_inner: true, ..uses };
            assert!(inner.names(&path("b/in/src/x.txt")) == text.contains("in/src"), "{text}");
            uses.names(&path(file))
        };
        for (text, file, expected) in [
            ("#[path = \"../../a/src/limit.rs\"] mod limit;", "a/src/limit.rs", true),
            ("include_str!(\"../../a/x.txt\")", "a/x.txt", true),
            (
                "include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../a/x.txt\"))",
                "a/x.txt",
                true,
            ),
            ("read(\"../a/data\")", "a/data/1.txt", true),
            ("read(\"../a/data\")", "a/other/1.txt", false),
            ("read(\"..\")", "a/src/lib.rs", false),
            ("f(0..1); \"x.txt\"", "a/x.txt", false),
            ("include_str!(\"../in/src/x.txt\")", "a/x.txt", false),
            ("read(\"in/src\")", "a/x.txt", false),
        ] {
            assert_eq!(names(text, file), expected, "{text} {file}");
        }
    }
}
