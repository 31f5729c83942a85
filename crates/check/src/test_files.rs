//! The files of a change that only tests use although their paths do not show it: helpers in the file of
//! a module under `cfg(test)`, and data that only test code names; and the pages with examples that
//! documentation includes. Found in the tree before the change
//! and after it, so that no change takes the status from a file that it edits. Start at [`of`].
//!
//! Nothing is read for a change whose paths decide. Manifests are not read: a test target with a path of
//! its own is recognised by its path only.

mod declared;
mod modules;
mod names;
mod texts;

use base::ProjectPath;
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
    let mut texts = Texts::new(files, tree.files().keys(), overlay);
    for side in [Side::Before, Side::After] {
        let mut modules = Modules::new(&mut texts, side);
        let (code, pages): (Vec<&ProjectPath>, Vec<&ProjectPath>) =
            open.code.iter().partition(|it| it.extension() == Some("rs"));
        found.code.extend(code.into_iter().filter(|it| modules.is_for_tests(it)).cloned());
        found.code.extend(names::in_documentation(&mut modules, &pages));
        found.data.extend(names::only_in_tests(&mut modules, &open.data));
    }
    found
}

#[cfg(test)]
mod tests;
