//! The files of a change that only tests use although their paths do not show it: helpers in the file of
//! a module under `cfg(test)`, and data that only test code names; and the pages with examples that
//! documentation includes; and the names that tests of unchanged files use. Found in the tree before the change
//! and after it, so that no change takes the status from a file that it edits. Start at [`of`].
//!
//! Nothing is read for a change whose paths and names decide.

mod declared;
mod modules;
mod names;
mod targets;
mod texts;
mod used;

use base::{ProjectPath, SortedMap};
use edit::{Files, Overlay};
use policy::Tree;
use preserve::TestFiles;

use modules::Modules;
use texts::{Side, Texts};

/// Finds the files of `overlay`, a change of `tree`, that only tests use.
pub(crate) fn of(files: &dyn Files, tree: &Tree, overlay: &Overlay) -> TestFiles {
    let mut open = TestFiles::undecided(overlay);
    // These have a gate of their own.
    open.data.retain(|it| policy::protected(it).is_none());
    let mut found = TestFiles::default();
    if open.is_empty() {
        return found;
    }
    let aliases = aliases(tree, overlay);
    let mut texts = Texts::new(files, tree.files().keys(), overlay, &aliases);
    // A file is what the names of the links to it say.
    for (alias, path) in &aliases {
        for list in [&mut open.code, &mut open.data] {
            if list.contains(path) {
                list.insert(alias.clone());
            }
        }
    }
    for side in [Side::Before, Side::After] {
        let mut modules = Modules::new(&mut texts, side);
        let (code, pages): (Vec<&ProjectPath>, Vec<&ProjectPath>) =
            open.code.iter().partition(|it| it.extension() == Some("rs"));
        found.code.extend(code.into_iter().filter(|it| modules.is_for_tests(it)).cloned());
        found.code.extend(names::in_documentation(&mut modules, &pages));
        found.data.extend(names::only_in_tests(&mut modules, &open.data));
    }
    for (alias, path) in &aliases {
        for list in [&mut found.code, &mut found.data] {
            if list.remove(alias) {
                list.insert(path.clone());
            }
        }
        if open.data.contains(path) && preserve::is_test_path(alias.as_str()) {
            found.data.insert(path.clone());
        }
    }
    found.names = used::in_tests(&mut texts, open.names);
    found
}

/// The other paths of the files of a change, through the links of the tree, each with the file.
fn aliases(tree: &Tree, overlay: &Overlay) -> SortedMap<ProjectPath, ProjectPath> {
    let mut found = SortedMap::new();
    for (link, target) in tree.links() {
        for (path, _) in overlay.changes().filter(|(path, _)| path.is_within(target)) {
            let rest = &path.as_str()[target.as_str().len()..];
            let alias = ProjectPath::new(&format!("{link}{rest}")).ok();
            found.extend(alias.map(|it| (it, path.clone())));
        }
    }
    found
}

#[cfg(test)]
mod tests;
