//! [`Modules`]: whether a Rust file is compiled for tests only, by the declarations of its module and of
//! those above it.

use std::sync::Arc;

use base::{ProjectPath, SortedMap, SortedSet};
use preserve::is_test_path;

use super::declared::{Declaration, declarations};
use super::targets;
use super::texts::{Side, Texts};

/// Maximum depth of modules.
const DEEPEST: usize = 32;
/// Most files whose declaration is looked for in the whole tree.
const MAX_SEARCHES: usize = 256;

/// The modules of one side of a change.
pub(super) struct Modules<'a, 't> {
    texts: &'t mut Texts<'a>,
    side: Side,
    /// Results; false of a file whose declarations are being read.
    known: SortedMap<ProjectPath, bool>,
    searches: usize,
    /// The roots of test targets; `None` before they are asked for.
    targets: Option<SortedSet<ProjectPath>>,
}

impl<'a, 't> Modules<'a, 't> {
    pub(super) fn new(texts: &'t mut Texts<'a>, side: Side) -> Self {
        Self { texts, side, known: SortedMap::new(), searches: 0, targets: None }
    }

    /// Whether all declarations of the file are for tests, or in files that are.
    pub(super) fn is_for_tests(&mut self, path: &ProjectPath) -> bool {
        self.result(path, 0)
    }

    /// Whether the tree has a file.
    pub(super) fn has(&self, path: &ProjectPath) -> bool {
        self.texts.has(path)
    }

    /// The Rust files of the tree and the change.
    pub(super) fn rust_files(&self) -> Vec<&'a ProjectPath> {
        self.texts.rust_files()
    }

    /// Text of a file on this side.
    pub(super) fn text(&mut self, path: &ProjectPath) -> Option<Arc<str>> {
        self.texts.text(path, self.side)
    }

    /// Whether a file is for tests; `depth` declarations led to it.
    fn result(&mut self, path: &ProjectPath, depth: usize) -> bool {
        if is_test_path(path.as_str()) || self.is_test_target(path) {
            return true;
        }
        if let Some(known) = self.known.get(path) {
            return *known;
        }
        if depth > DEEPEST {
            return false;
        }
        self.known.insert(path.clone(), false);
        let declarers = self.declarers(path);
        // The root of a crate, which no module declares, is not for tests.
        let found = !declarers.is_empty()
            && declarers
                .iter()
                .all(|(declarer, is_for_tests)| *is_for_tests || self.result(declarer, depth + 1));
        self.known.insert(path.clone(), found);
        found
    }

    /// Whether a manifest makes the file the root of a test target.
    fn is_test_target(&mut self, path: &ProjectPath) -> bool {
        let (texts, side) = (&mut *self.texts, self.side);
        self.targets.get_or_insert_with(|| targets::of_tests(texts, side)).contains(path)
    }

    /// Whether a file of the tree declares the file of a module.
    pub(super) fn is_declared(&mut self, path: &ProjectPath) -> bool {
        !self.declarers(path).is_empty()
    }

    /// The files that declare a module's file, each with whether that is for tests: by the name of the
    /// module in the nearest folder, else anywhere by `#[path]`, by `include!`, or in the root of a crate
    /// with another name.
    fn declarers(&mut self, path: &ProjectPath) -> Vec<(ProjectPath, bool)> {
        let mut folder = path.parent();
        loop {
            let found = self.among(&roots(folder.as_ref()).iter().collect::<Vec<_>>(), path);
            if !found.is_empty() {
                return found;
            }
            let Some(inner) = folder else { break };
            folder = inner.parent();
        }
        if is_crate_root(path) || self.searches == MAX_SEARCHES {
            return Vec::new();
        }
        self.searches += 1;
        let all = self.rust_files();
        self.among(&all, path)
    }

    /// The declarations of a file in these; those in definitions of macros only where there are no others.
    fn among(&mut self, list: &[&ProjectPath], path: &ProjectPath) -> Vec<(ProjectPath, bool)> {
        let name = module_name(path);
        let mut found: Vec<(ProjectPath, Declaration)> = Vec::new();
        for declarer in list.iter().copied().filter(|it| *it != path) {
            let Some(text) = self.text(declarer).filter(|it| it.contains(name)) else { continue };
            let declared = declarations((declarer, &text), path, &|it| self.texts.has(it));
            found.extend(declared.into_iter().map(|it| (declarer.clone(), it)));
        }
        if found.iter().any(|it| !it.1.is_in_macro) {
            found.retain(|it| !it.1.is_in_macro);
        }
        found.into_iter().map(|(path, it)| (path, it.is_for_tests)).collect()
    }
}

/// The files that declare the modules in a folder.
fn roots(folder: Option<&ProjectPath>) -> Vec<ProjectPath> {
    let within = folder.map_or_else(String::new, |it| format!("{it}/"));
    let mut files: Vec<String> =
        ["mod.rs", "lib.rs", "main.rs"].iter().map(|it| format!("{within}{it}")).collect();
    files.extend(folder.map(|it| format!("{it}.rs")));
    files.iter().filter_map(|it| ProjectPath::new(it).ok()).collect()
}

/// The name of a module by its file, as a declaration or a `#[path]` has it.
pub(super) fn module_name(path: &ProjectPath) -> &str {
    let mut parts = path.as_str().rsplit('/');
    match (parts.next().unwrap_or_default(), parts.next()) {
        ("mod.rs", Some(folder)) => folder,
        (name, _) => name.strip_suffix(".rs").unwrap_or(name),
    }
}

/// Whether cargo or a convention makes the file the root of a crate.
fn is_crate_root(path: &ProjectPath) -> bool {
    let folder = path.as_str().rsplit('/').nth(1).unwrap_or_default();
    matches!(path.file_name(), "lib.rs" | "main.rs" | "build.rs")
        || matches!(folder, "bin" | "examples" | "benches")
}
