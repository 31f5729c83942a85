//! The packages that use files outside of their folders: a target that the manifest puts elsewhere with what is
//! beside it, what another package includes (`#[path]`, `include_str!`) or reads by a path that a literal has.

use std::path::{Path, PathBuf};

use base::ProjectPath;
use build::{CargoWorkspace, Package};
use edit::{Files, Overlay};
use policy::Tree;
use preserve::{LARGEST_SOURCE, normal, text_literals};
use rayon::prelude::*;

/// Endings of sources: of Rust, and of what a source includes. A file without any may be one.
const SOURCES: [&str; 6] = ["in", "inc", "rs", "template", "tmpl", "tpl"];

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
    let folders: Vec<String> = workspace
        .packages
        .iter()
        .filter_map(|it| Some(it.dir.strip_prefix(root).ok()?.to_str()?.to_owned()))
        .collect();
    let all = tree.files().keys().chain(tree.ignored().keys());
    let is_source = |it: &&ProjectPath| it.extension().is_none_or(|it| SOURCES.contains(&it));
    let sources: Vec<_> = all.filter(is_source).collect();
    let outer = outer_targets(workspace);
    let uses_it = |(owner, path): (&Package, &ProjectPath)| {
        let text = files.read(path).ok().flatten()?.text;
        // The literals of a part are not read.
        if path.extension() != Some("rs") {
            let is_named = |it: &&ProjectPath| text.contains(it.file_name());
            let names = text.contains("..") && changed.iter().any(is_named);
            return names.then(|| owner.name.clone());
        }
        let is_below = |it: &Package| it.dir != owner.dir && it.dir.starts_with(&owner.dir);
        let has_inner = workspace.packages.iter().any(is_below);
        let is_others = |it: &ProjectPath| {
            workspace.owner(&it.join_to(root)).is_none_or(|it| it.dir != owner.dir)
        };
        let names = || {
            let uses = Uses { path, folders: &folders, text: &text, has_inner };
            changed.iter().any(|it| is_others(it) && uses.names(it))
        };
        let is_named = |it: &&ProjectPath| text.contains(it.file_name());
        let may_name = has_inner || ["..", "\\x", "\\u"].iter().any(|it| text.contains(it));
        let may_name = may_name || changed.iter().any(is_named);
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
    /// Folders of the packages, relative to the root: code of one may run in that of another.
    folders: &'a [String],
    text: &'a str,
    /// Whether other packages are below the folder.
    has_inner: bool,
}

impl Uses<'_> {
    fn names(&self, file: &ProjectPath) -> bool {
        let own = self.path.parent();
        let own = own.as_ref().map_or("", ProjectPath::as_str);
        let bases = || [own].into_iter().chain(self.folders.iter().map(String::as_str));
        let is_it = |named: &ProjectPath| {
            let holds_own = self.path.is_within(named);
            file.is_within(named) && !holds_own
        };
        let literals = text_literals(self.path, self.text).into_iter();
        let mut literals = literals.map(|it| it.0);
        literals.any(|literal| {
            let leads = literal.contains("..") || self.has_inner;
            let found = |base| normal(&format!("{base}/{literal}")).is_some_and(|it| is_it(&it));
            // The rest of the path may be made of parts.
            let tail = literal.trim_start_matches(['.', '/']);
            let is_tail = tail.contains('/')
                && file
                    .as_str()
                    .strip_suffix(tail)
                    .is_some_and(|it| it.is_empty() || it.ends_with('/'));
            leads && bases().any(found) || is_tail
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
            let folders = ["b".to_owned()];
            let uses = Uses { path: &own, folders: &folders, text, has_inner: false };
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
