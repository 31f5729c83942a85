//! [`TestChoice`]: which tests a run of the ladder runs. [`Prover::test_choice`] makes it by whole packages,
//! never by single tests, from the setting `check.tests` or a command's `--tests`; `test_rung.rs` runs it.

use std::sync::Arc;

use base::{ProjectPath, SortedSet};
use build::CargoWorkspace;
use edit::Files;

use crate::changed_examples::ChangedExamples;
use crate::draft::Draft;
use crate::protected::links::Links;
use crate::prover::Prover;
use crate::{Ladder, RenamedName, Scope, Tests, included_by};

/// Files beside the workspace's manifest that decide about all of its packages, also where that is one's own.
const DECIDES: [&str; 4] = ["Cargo.toml", "Cargo.lock", "rust-toolchain", "rust-toolchain.toml"];
/// Maximum number of packages that are named.
const LISTED: usize = 4;

/// Which tests to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestChoice {
    pub(crate) tests: Tests,
    /// Whether documentation tests are among the affected ones.
    pub(crate) documentation: bool,
    pub(crate) filter: Option<String>,
    /// Packages to test; `None`: those of the configuration.
    pub(crate) packages: Option<Affected>,
    /// A name that the change gives to tests, or to what their names contain.
    pub(crate) renamed: Option<RenamedName>,
    /// An item that the change moves, with its documentation tests.
    pub(crate) moved: Option<Arc<preserve::MovedItem>>,
    /// The examples that the change makes other ones.
    pub(crate) examples: ChangedExamples,
}

/// The members of the workspace by what a change affects, each sorted by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Affected {
    pub(crate) packages: Vec<String>,
    pub(crate) others: Vec<String>,
}

impl Prover {
    /// Which tests a ladder runs for this change; `None`: none.
    pub(crate) fn test_choice(
        &self,
        ladder: &Ladder,
        workspace: Option<&CargoWorkspace>,
        draft: &Draft,
    ) -> Option<TestChoice> {
        let packages = match ladder.tests {
            Tests::None => return None,
            Tests::Affected => workspace.and_then(|it| self.affected(it, draft)),
            Tests::All => None,
        };
        Some(TestChoice {
            tests: ladder.tests,
            documentation: ladder.documentation,
            filter: ladder.filter.clone(),
            packages,
            renamed: ladder.renamed.clone(),
            moved: ladder.moved.clone(),
            examples: ChangedExamples::of(&draft.overlay),
        })
    }

    /// The members with changed files, those that use such a file, and all that depend on them; `None` where a
    /// change reaches all.
    fn affected(&self, workspace: &CargoWorkspace, draft: &Draft) -> Option<Affected> {
        let (root, overlay) = (self.project.root(), &draft.overlay);
        // Packages of others may depend on one that is replaced by one of the project.
        if build::has_replaced_packages(root) {
            return None;
        }
        let decides = |path: &ProjectPath| {
            let is_root = path.join_to(root).parent() == Some(&workspace.root);
            is_root && DECIDES.contains(&path.file_name()) || path.as_str().contains(".cargo/")
        };
        let mut touched = Vec::new();
        for (path, _) in overlay.changes() {
            if decides(path) {
                return None;
            }
            touched.push(workspace.owner(&path.join_to(root))?.name.clone());
        }
        if let Some(tree) = &draft.findings.tree {
            let links = Links::of(tree.links());
            for (path, _) in overlay.changes() {
                let names = links.names_of(path)?;
                if names.iter().any(decides) {
                    return None;
                }
                let owners = names.iter().filter_map(|it| workspace.owner(&it.join_to(root)));
                touched.extend(owners.map(|it| it.name.clone()));
            }
            let files = (&self.project as &(dyn Files + Sync), tree);
            touched.extend(included_by::packages(files, (workspace, root), overlay));
        }
        let affected = workspace.with_dependents(&touched);
        let members = workspace.members().map(str::to_owned);
        let (packages, others) = members.partition(|name| affected.contains(name));
        Some(Affected { packages, others })
    }
}

impl TestChoice {
    /// The same choice with all packages that were compiled anew; `None` if it has them.
    pub(crate) fn with_rebuilt(&self, rebuilt: &SortedSet<String>) -> Option<Self> {
        let known = self.packages.as_ref()?;
        let (more, others): (Vec<_>, Vec<_>) =
            known.others.iter().cloned().partition(|it| rebuilt.contains(it));
        if more.is_empty() {
            return None;
        }
        let mut packages = [known.packages.as_slice(), &more].concat();
        packages.sort_unstable();
        Some(Self { packages: Some(Affected { packages, others }), ..self.clone() })
    }

    /// Whether the change affects no package.
    pub(crate) fn is_empty(&self) -> bool {
        self.packages.as_ref().is_some_and(|it| it.packages.is_empty())
    }

    /// The packages that the change does not affect, as far as cargo knows; `None` where it may affect all.
    pub(crate) fn unaffected(&self) -> Option<&[String]> {
        Some(&self.packages.as_ref()?.others)
    }

    /// The packages whose tests do not run, since cargo knows no way from them to what changes: they may
    /// still read it, so that an answer names them. `None` if there are none.
    pub(crate) fn left_out(&self) -> Option<String> {
        let others = &self.packages.as_ref()?.others;
        let names: Vec<String> = others.iter().map(|it| format!("`{it}`")).collect();
        let of = match names.as_slice() {
            [] => return None,
            few if few.len() <= LISTED => few.join(", "),
            many => format!("{} packages", many.len()),
        };
        Some(format!("tests of {of}, not known to use what changes (`--tests all` runs them)"))
    }

    /// Identifies runs of tests that may be compared with each other.
    pub(crate) fn label(&self, scope: &Scope) -> String {
        let kind = match (self.tests, self.documentation) {
            (Tests::All, _) => "all",
            (_, true) => "affected and documentation",
            (_, false) => "affected",
        };
        let packages = match &self.packages {
            Some(it) if scope.packages.is_empty() => it.packages.join(","),
            _ => String::new(),
        };
        let filter = self.filter.as_deref().unwrap_or_default();
        format!("tests {kind} {scope} [{packages}] [{filter}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_are_not_tested_are_named() {
        let left_out = |others: &[&str]| {
            let others = others.iter().map(|it| (*it).to_owned()).collect();
            let packages = Some(Affected { packages: Vec::new(), others });
            let choice = TestChoice {
                tests: Tests::Affected,
                documentation: false,
                filter: None,
                packages,
                renamed: None,
                moved: None,
                examples: ChangedExamples::default(),
            };
            choice.left_out().unwrap_or_default()
        };
        assert_eq!(left_out(&[]), "");
        let all = "not known to use what changes (`--tests all` runs them)";
        assert_eq!(left_out(&["a"]), format!("tests of `a`, {all}"));
        assert_eq!(left_out(&["a", "b"]), format!("tests of `a`, `b`, {all}"));
        let many = left_out(&["a", "b", "c", "d", "e"]);
        assert_eq!(many, format!("tests of 5 packages, {all}"));
    }
}
