//! The packages that use files outside of their folders: a target that the manifest puts elsewhere with what is
//! beside it, what another package includes (`#[path]`, `include_str!`) or reads by a path that a literal has.

use std::path::{Path, PathBuf};

use base::ProjectPath;
use build::{CargoWorkspace, Package};
use edit::{Files, Overlay};
use policy::Tree;
use preserve::{LARGEST_SOURCE, normal, text_literals};
use rayon::prelude::*;

/// The packages with a target beside a file of the change, and those of which a source names a file of the change, or a folder around one, by a path that leads
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
    let outer = outer_targets(workspace);
    let uses_it = |(owner, path): (&Package, &ProjectPath)| {
        let folder = owner.dir.strip_prefix(root).ok()?.to_str()?.to_owned();
        let text = files.read(path).ok().flatten()?.text;
        let is_below = |it: &Package| it.dir != owner.dir && it.dir.starts_with(&owner.dir);
        let has_inner = workspace.packages.iter().any(is_below);
        let is_others = |it: &ProjectPath| {
            workspace.owner(&it.join_to(root)).is_none_or(|it| it.dir != owner.dir)
        };
        let names = || {
            let uses = Uses { path, folder: &folder, text: &text, has_inner };
            changed.iter().any(|it| is_others(it) && uses.names(it))
        };
        let may_name = has_inner || text.contains("..");
        // What is too large to be read may name any.
        (may_name && (text.len() > LARGEST_SOURCE || names())).then(|| owner.name.clone())
    };
    let users = |path: &ProjectPath| {
        let file = path.join_to(root);
        let around = outer.iter().filter(|it| file.starts_with(&it.0)).map(|it| it.1);
        workspace.owner(&file).into_iter().chain(around).collect::<Vec<_>>()
    };
    let users_of = |path| users(path).into_iter().filter_map(move |owner| uses_it((owner, path)));
    let mut found: Vec<String> = sources.into_par_iter().flat_map_iter(users_of).collect();
    found.extend(changed.iter().flat_map(|it| users(it)).map(|it| it.name.clone()));
    found.sort_unstable();
    found.dedup();
    found
}

/// The folders of target roots that are outside of their package, each with the package: the modules of a root are
/// beside it.
fn outer_targets(workspace: &CargoWorkspace) -> Vec<(PathBuf, &Package)> {
    let mut found = Vec::new();
    for manifest in &workspace.manifests {
        let package = workspace.packages.iter().find(|it| it.dir == manifest.dir);
        // cargo gives `b/../common/b.rs`.
        let roots = manifest.targets.iter().map(|it| base::normal_path(&it.root));
        let outer = roots.filter(|it| !it.starts_with(&manifest.dir));
        found.extend(outer.filter_map(|it| Some((it.parent()?.to_owned(), package?))));
    }
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
