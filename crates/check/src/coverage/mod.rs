//! What a proof did not cover: packages, targets, features and code behind `cfg` that none of its
//! configurations builds. Reported so that a tree that is broken there is not called clean silently.

mod built;
mod features;
mod gates;

pub use built::{BuiltCode, CodeTarget};
pub(crate) use gates::holds;

use base::SortedSet;

use build::{CargoWorkspace, Manifest};
use policy::{ProofCoverage, Tree, UncheckedKind, UncheckedPart};

use crate::prover::Prover;
use crate::{Ladder, Scope, Tests};

/// The maximum number of entries; the last one counts the rest.
const LISTED: usize = 40;
/// The maximum number of packages that one entry names.
const NAMED: usize = 4;

impl Prover {
    /// The coverage of a proof on `tree`, computed once for each tree and ladder.
    pub(crate) fn coverage(
        &self,
        tree: &Tree,
        workspace: Option<&CargoWorkspace>,
        ladder: &Ladder,
    ) -> ProofCoverage {
        let tests = LooksAt::of(ladder);
        let scopes: Vec<Scope> = self.scopes.iter().chain(&ladder.more).cloned().collect();
        // Documentation tests of the affected packages are all that a change can break.
        let examples = match ladder.tests {
            Tests::Affected if ladder.documentation => Tests::All,
            tests => tests,
        };
        let key = (tree.hash(), (tests, examples), scopes.clone());
        if let Some((known, coverage)) = &base::lock(&self.known).coverage
            && *known == key
        {
            return coverage.clone();
        }
        let mut missing = Vec::new();
        if let Some(workspace) = workspace {
            let seen = Seen { workspace, scopes: &scopes, looks_at: tests };
            seen.packages(&mut missing);
            seen.targets(&mut missing);
            seen.features(&mut missing);
            seen.alone(&mut missing);
            let texts = gates::texts(self.project.root(), tree, workspace, &seen);
            missing.extend(gates::closed(&texts, &scopes));
            let has_examples = texts.iter().any(|it| preserve::may_have_examples(&it.1));
            let examples = match examples {
                Tests::Affected => {
                    Some("documentation examples (`--tests all` runs them)".to_owned())
                }
                Tests::All => seen.unproven_examples(),
                Tests::None => None,
            };
            let part = examples.filter(|_| has_examples).map(UncheckedPart::other);
            missing.splice(0..0, part);
        }
        if missing.len() > LISTED {
            let more = missing.len() + 1 - LISTED;
            missing.truncate(LISTED - 1);
            missing.push(UncheckedPart::other(format!("{more} more")));
        }
        let coverage = ProofCoverage {
            configurations: scopes.iter().map(ToString::to_string).collect(),
            not_looked_at: missing,
        };
        base::lock(&self.known).coverage = Some((key, coverage.clone()));
        coverage
    }
}

/// The tree, targets and configurations of a coverage.
pub(crate) type CoverageKey = (base::ContentHash, (LooksAt, Tests), Vec<Scope>);

/// The targets that a proof builds besides those that its configurations name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LooksAt {
    /// Libraries and binaries alone.
    Code,
    /// Unit and integration tests, since they run.
    Tests,
    /// Every target: tests, examples and benches.
    TestCode,
}

impl LooksAt {
    fn of(ladder: &Ladder) -> Self {
        match ladder.test_code {
            true => Self::TestCode,
            false if ladder.tests != Tests::None => Self::Tests,
            false => Self::Code,
        }
    }
}

/// The configurations of a proof over a workspace.
pub(crate) struct Seen<'a> {
    workspace: &'a CargoWorkspace,
    scopes: &'a [Scope],
    looks_at: LooksAt,
}

impl Seen<'_> {
    /// Whether some configuration builds the package.
    pub(crate) fn is_built(&self, package: &str) -> bool {
        self.scopes.iter().any(|scope| names(scope, package))
    }

    fn built(&self) -> impl Iterator<Item = &Manifest> {
        self.workspace.manifests.iter().filter(|it| self.is_built(&it.name))
    }

    fn packages(&self, missing: &mut Vec<UncheckedPart>) {
        let left_out = self.workspace.manifests.iter().filter(|it| !self.is_built(&it.name));
        missing.extend(left_out.map(|manifest| UncheckedPart {
            kind: UncheckedKind::Package,
            name: format!("`{}`", manifest.name),
            text: format!("package `{}`", manifest.name),
        }));
    }

    fn targets(&self, missing: &mut Vec<UncheckedPart>) {
        if self.looks_at == LooksAt::Code && !self.scopes.iter().any(|scope| scope.all_targets) {
            missing.push(UncheckedPart {
                kind: UncheckedKind::TestCode,
                name: "`cfg(test)`".to_owned(),
                text: "code of tests (`cfg(test)`)".to_owned(),
            });
        }
        for manifest in self.built() {
            for target in &manifest.targets {
                let (name, kind) = (&target.name, target.kind.as_str());
                let part = |needs: &str| UncheckedPart {
                    kind: UncheckedKind::of_target(kind),
                    name: format!("`{name}`"),
                    text: format!("{kind} `{name}` of `{}`{needs}", manifest.name),
                };
                if !self.scopes.iter().any(|scope| self.builds(scope, manifest, kind)) {
                    missing.push(part(""));
                } else if !self.scopes.iter().any(|scope| {
                    let on = features::active(self.workspace, scope);
                    let on = on.get(manifest.name.as_str());
                    target.required_features.iter().all(|it| on.is_some_and(|on| on.contains(it)))
                }) {
                    let needs = target.required_features.join("`, `");
                    missing.push(part(&format!(": needs `{needs}`")));
                }
            }
        }
    }

    fn builds(&self, scope: &Scope, manifest: &Manifest, kind: &str) -> bool {
        names(scope, &manifest.name)
            && match kind {
                "example" | "bench" => {
                    (scope.all_targets || self.looks_at == LooksAt::TestCode) && !scope.lib_only
                }
                "test" => (scope.all_targets || self.looks_at != LooksAt::Code) && !scope.lib_only,
                "bin" => !scope.lib_only,
                _ => true,
            }
    }

    fn features(&self, missing: &mut Vec<UncheckedPart>) {
        let active: Vec<_> =
            self.scopes.iter().map(|scope| features::active(self.workspace, scope)).collect();
        for manifest in self.built() {
            let on: SortedSet<&str> = active
                .iter()
                .filter_map(|active| active.get(manifest.name.as_str()))
                .flatten()
                .map(String::as_str)
                .collect();
            let off =
                manifest.features.keys().filter(|it| *it != "default" && !on.contains(it.as_str()));
            missing.extend(off.map(|name| UncheckedPart {
                kind: UncheckedKind::Feature,
                name: format!("`{name}`"),
                text: format!("feature `{name}` of `{}`", manifest.name),
            }));
        }
    }
}

impl Seen<'_> {
    /// The packages that have features only since others are built with them: by themselves, as a plain
    /// `cargo test` in their folder builds them, they are other code.
    fn alone(&self, missing: &mut Vec<UncheckedPart>) {
        let is_whole = |it: &&Scope| it.packages.is_empty() && !it.all_features;
        let Some(whole) = self.scopes.iter().find(is_whole) else { return };
        let together = features::active(self.workspace, whole);
        let has_more = |name: &String| {
            let scope = Scope { packages: vec![name.clone()], ..whole.clone() };
            let own = features::active(self.workspace, &scope).remove(name).unwrap_or_default();
            let is_checked = self.scopes.iter().any(|it| it.packages == scope.packages);
            !is_checked && together.get(name).is_some_and(|it| !it.is_subset(&own))
        };
        let names = self.workspace.manifests.iter().map(|it| &it.name).filter(|it| has_more(it));
        if let Some(names) = listed(names) {
            let text = format!("by itself, with fewer features: {names}");
            missing.push(UncheckedPart::other(text));
        }
    }

    /// The documentation tests whose success proves nothing: rustdoc loads macros of the project, which
    /// can replace the run.
    fn unproven_examples(&self) -> Option<String> {
        let loading = self.workspace.loads_own_macros();
        let names = listed(loading.iter().filter(|it| self.is_built(it)))?;
        Some(format!(
            "documentation tests of {names}, whose compiler loads macros of the project, and those that run \
             with them: only their failures count"
        ))
    }
}

/// The first names as text; `None` if there are none.
fn listed<'n>(names: impl Iterator<Item = &'n String>) -> Option<String> {
    let names: Vec<String> = names.map(|it| format!("`{it}`")).collect();
    let shown = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        _ if names.is_empty() => None,
        0 => Some(shown),
        more => Some(format!("{shown} and {more} more")),
    }
}

/// Whether a configuration names the package.
fn names(scope: &Scope, package: &str) -> bool {
    scope.packages.is_empty() || scope.packages.iter().any(|name| name == package)
}

#[cfg(test)]
mod tests;
