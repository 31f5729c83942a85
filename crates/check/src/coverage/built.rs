//! [`BuiltCode`]: whether some configuration of a proof builds a piece of code, by its target and the
//! `cfg`s around it.

use std::sync::Arc;

use base::{Ctx, SortedMap, SortedSet};
use build::CargoWorkspace;
use syntax::CfgPredicate;

use super::{LooksAt, Seen, features, gates};
use crate::prover::Prover;
use crate::{CheckError, Ladder, Scope};

/// Limit of characters of a predicate in a message.
const LONGEST_SHOWN: usize = 60;

/// A target of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeTarget<'a> {
    /// Name of the package.
    pub package: &'a str,
    /// `lib`, `bin`, `test`, `example`, `bench`, `proc-macro`, `build`.
    pub kind: &'a str,
    /// Name of the target; of a build script any.
    pub name: &'a str,
}

impl CodeTarget<'_> {
    /// Whether it is this target of its package, which has at most one build script.
    fn is(&self, of: &build::Target) -> bool {
        let spelled = |it: &str| it.replace('-', "_");
        is_kind(&of.kind, self.kind)
            && (is_kind(self.kind, "build") || spelled(&of.name) == spelled(self.name))
    }
}

/// The code that the check rung of a proof compiles.
#[derive(Clone, Debug)]
pub struct BuiltCode {
    workspace: Arc<CargoWorkspace>,
    scopes: Vec<Scope>,
    looks_at: LooksAt,
    /// Per configuration, the targets that are known not to build: package and name in reports.
    unbuilt: Vec<SortedSet<(String, String)>>,
    /// Per configuration, the flags of build scripts that are known, by package.
    script_cfgs: Vec<SortedMap<String, SortedSet<String>>>,
}

impl Prover {
    /// The code that a proof with this ladder compiles; `None` if cargo cannot read the manifests.
    ///
    /// # Errors
    /// As [`Prover::workspace`].
    pub fn built_code(&self, ctx: &Ctx, ladder: &Ladder) -> Result<Option<BuiltCode>, CheckError> {
        let scopes = self.scopes.iter().chain(&ladder.more).cloned().collect();
        let workspace = self.workspace(ctx)?;
        let looks_at = LooksAt::of(ladder);
        let (unbuilt, script_cfgs) = (self.unbuilt(), self.script_cfgs());
        Ok(workspace.map(|workspace| BuiltCode {
            workspace,
            scopes,
            looks_at,
            unbuilt,
            script_cfgs,
        }))
    }
}

impl BuiltCode {
    /// The same with one more configuration.
    #[must_use]
    pub fn with(&self, scope: Scope) -> Self {
        let mut wider = self.clone();
        wider.scopes.push(scope);
        wider
    }

    /// Why no configuration compiles code of a target behind these `cfg` predicates; `None` if one
    /// does. A flag that nothing here decides, such as one of a build script that was not run, counts as off.
    pub fn why_not(&self, target: CodeTarget<'_>, predicates: &[&str]) -> Option<String> {
        let package = target.package;
        let seen = self.seen();
        if !seen.is_built(package) {
            return Some(format!("package `{package}` is not built"));
        }
        let Some(manifest) = self.workspace.manifests.iter().find(|it| it.name == package) else {
            return Some(format!("package `{package}` is not one of the workspace"));
        };
        // A file that no module declares is of no target, though in the folder of its package.
        let Some(own) = manifest.targets.iter().find(|it| target.is(it)) else {
            return Some(format!("no target of `{package}` has the file"));
        };
        let needs = &own.required_features;
        let built = self.scopes.iter().enumerate();
        let built: Vec<(usize, &Scope)> =
            built.filter(|it| seen.builds(it.1, manifest, target.kind)).collect();
        if built.is_empty() {
            return Some(format!("{} `{}` is not built", target.kind, target.name));
        }
        let on: Vec<((usize, &Scope), SortedSet<String>)> =
            built.into_iter().map(|it| (it, self.features(it.1, package))).collect();
        let has = |on: &SortedSet<String>| needs.iter().all(|it| on.contains(it));
        if !on.iter().any(|(_, on)| has(on)) {
            let needs = needs.join("`, `");
            return Some(format!("{} `{}` needs the feature `{needs}`", target.kind, target.name));
        }
        let value = |predicate: &str, on: &((usize, &Scope), SortedSet<String>), test: bool| {
            let ((idx, scope), on) = on;
            let parsed = CfgPredicate::parse(predicate)?;
            gates::holds(&parsed, &|key, value| {
                leaf(scope, on, test, key, value)
                    .or_else(|| self.is_passed(*idx, target, key, value).then_some(true))
            })
        };
        let holds = |predicate: &&str, on: &((usize, &Scope), SortedSet<String>), test: bool| {
            value(predicate, on, test) == Some(true)
        };
        let runs: Vec<_> = on
            .iter()
            .filter(|(_, on)| has(on))
            .flat_map(|it| self.modes(it.0.1, target.kind).iter().map(move |test| (it, *test)))
            .filter(|(it, test)| !self.fails(it.0.0, target, *test))
            .collect();
        if runs.is_empty() {
            let (kind, name) = (target.kind, target.name);
            return Some(format!("{kind} `{name}` does not build, with the change or without it"));
        }
        let all = |(on, test): &(&((usize, &Scope), SortedSet<String>), bool)| {
            predicates.iter().all(|it| holds(it, on, *test))
        };
        if runs.iter().any(all) {
            return None;
        }
        let off = predicates.iter().find(|it| !runs.iter().any(|(on, test)| holds(it, on, *test)));
        let off = off.or(predicates.first()).copied().unwrap_or_default();
        let is_open = runs.iter().any(|(on, test)| value(off, on, *test).is_none());
        let shown = Self::shown(off);
        Some(match is_open {
            true => format!("a build script or a flag decides whether `cfg({shown})` is on"),
            false => format!("`cfg({shown})` is not on"),
        })
    }

    /// Whether the build script of the target's package passes a flag in a configuration.
    fn is_passed(&self, scope: usize, of: CodeTarget<'_>, key: &str, value: Option<&str>) -> bool {
        let flag = value.map_or_else(|| key.to_owned(), |it| format!("{key}=\"{it}\""));
        let known = self.script_cfgs.get(scope).and_then(|it| it.get(of.package));
        !is_kind(of.kind, "build") && known.is_some_and(|it| it.contains(&flag))
    }

    /// Whether a package that is built has a build script whose flags are not known.
    pub fn misses_flags(&self) -> bool {
        let seen = self.seen();
        let built = self.workspace.manifests.iter().filter(|it| seen.is_built(&it.name));
        let mut scripted =
            built.filter(|it| it.targets.iter().any(|target| is_kind(&target.kind, "build")));
        scripted.any(|it| !self.script_cfgs.iter().any(|known| known.contains_key(&it.name)))
    }

    /// A predicate for a message: on one line, and cut off after sixty characters.
    pub fn shown(predicate: &str) -> String {
        let line = match CfgPredicate::parse(predicate) {
            Some(parsed) => parsed.to_string(),
            None => predicate.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        match line.char_indices().nth(LONGEST_SHOWN) {
            Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(&line).trim_end()),
            None => line,
        }
    }

    /// Whether a target is known not to build in a configuration, as a test or not.
    fn fails(&self, scope: usize, target: CodeTarget<'_>, test: bool) -> bool {
        let name = match (target.kind, test) {
            ("lib" | "proc-macro", true) => "lib test".to_owned(),
            ("bin", true) => format!("bin {} test", target.name),
            (kind @ ("test" | "example" | "bench"), _) => format!("{kind} {}", target.name),
            _ => return false,
        };
        let key = (target.package.to_owned(), name);
        self.unbuilt.get(scope).is_some_and(|it| it.contains(&key))
    }

    /// The same without tests, benches and examples.
    #[must_use]
    pub fn without_tests(&self) -> Self {
        Self { looks_at: LooksAt::Code, ..self.clone() }
    }

    /// Whether the target is compiled with `cfg(test)`, without it, or both ways.
    fn modes(&self, scope: &Scope, kind: &str) -> &'static [bool] {
        let looks_at_tests = self.looks_at != LooksAt::Code || scope.all_targets;
        match kind {
            "test" => &[true],
            "lib" | "bin" | "proc-macro" | "bench" if looks_at_tests => &[false, true],
            _ => &[false],
        }
    }

    fn features(&self, scope: &Scope, package: &str) -> SortedSet<String> {
        features::active(&self.workspace, scope).remove(package).unwrap_or_default()
    }

    fn seen(&self) -> Seen<'_> {
        Seen { workspace: &self.workspace, scopes: &self.scopes, looks_at: self.looks_at }
    }
}

/// Whether two names of kinds mean the same: a build script has two, a library of macros is one.
fn is_kind(a: &str, b: &str) -> bool {
    fn plain(kind: &str) -> &str {
        match kind {
            "custom-build" => "build",
            "proc-macro" => "lib",
            kind => kind,
        }
    }
    plain(a) == plain(b)
}

/// The value of a part of a predicate; `None`: nothing here decides it.
fn leaf(
    scope: &Scope,
    on: &SortedSet<String>,
    test: bool,
    key: &str,
    value: Option<&str>,
) -> Option<bool> {
    match (key, value) {
        ("feature", Some(name)) => Some(on.contains(name)),
        ("test", None) => Some(test),
        ("debug_assertions", None) => Some(true),
        _ => gates::known(key, value, scope),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::workspace;
    use super::*;

    const LINUX: &str = "--target x86_64-unknown-linux-gnu";

    fn why(scopes: &[&str], looks_at: LooksAt, of: (&str, &str, &str), cfg: &[&str]) -> String {
        let scopes = scopes.iter().map(|it| Scope::parse(it).unwrap()).collect();
        let flags = SortedSet::from(["fast".to_owned(), "kind=\"b\"".to_owned()]);
        let built = BuiltCode {
            workspace: Arc::new(workspace()),
            scopes,
            looks_at,
            unbuilt: Vec::new(),
            script_cfgs: vec![SortedMap::from([("a".to_owned(), flags)])],
        };
        let target = CodeTarget { package: of.0, kind: of.1, name: of.2 };
        built.why_not(target, cfg).unwrap_or_else(|| "built".to_owned())
    }

    #[test]
    fn code_is_built_where_one_configuration_has_all_that_it_needs() {
        let lib = ("a", "lib", "a");
        let tests = LooksAt::TestCode;
        for (scopes, looks_at, of, cfg, expected) in [
            (&[""][..], LooksAt::Code, lib, &[][..], "built"),
            (&[""], LooksAt::Code, lib, &["test"], "`cfg(test)` is not on"),
            (&[""], tests, lib, &["test"], "built"),
            (&[""], tests, lib, &["not(test)", "unix"], "built"),
            (&[""], tests, lib, &["test", "not(test)"], "`cfg(test)` is not on"),
            (&[""], tests, lib, &["feature = \"std\""], "built"),
            (&[""], tests, lib, &["feature = \"x\""], "`cfg(feature = \"x\")` is not on"),
            (&["", "--all-features"], tests, lib, &["feature = \"x\"", "test"], "built"),
            (
                &[""],
                tests,
                lib,
                &["loom"],
                "a build script or a flag decides whether `cfg(loom)` is on",
            ),
            (&[""], tests, lib, &["any(loom, feature = \"std\")"], "built"),
            (&[""], tests, lib, &["fast", "kind = \"b\"", "all(fast, test)"], "built"),
            (&[""], tests, lib, &["not(fast)"], "`cfg(not(fast))` is not on"),
            (
                &[""],
                tests,
                ("b", "lib", "b"),
                &["fast"],
                "a build script or a flag decides whether `cfg(fast)` is on",
            ),
            (
                &[""],
                tests,
                ("a", "build", "build"),
                &["fast"],
                "a build script or a flag decides whether `cfg(fast)` is on",
            ),
            (&[""], LooksAt::Tests, ("a", "example", "demo"), &[], "example `demo` is not built"),
            (&[""], tests, ("a", "example", "demo"), &[], "built"),
            (&[""], tests, ("a", "bin", "tool"), &[], "bin `tool` needs the feature `x`"),
            (&["-p b"], tests, lib, &[], "package `a` is not built"),
            (&[""], tests, ("a", "build", "build"), &[], "built"),
            (&[""], tests, ("a", "bin", "a"), &[], "no target of `a` has the file"),
            (&[LINUX], tests, lib, &["target_has_atomic = \"8\""], "built"),
            (
                &[LINUX],
                tests,
                lib,
                &[
                    "any(\n    windows,\n    all(unix, target_has_atomic = \"128\", feature = \"std\"),\n)",
                ],
                "a build script or a flag decides whether \
                 `cfg(any(windows, all(unix, target_has_atomic = \"128\", feature =…)` is on",
            ),
        ] {
            assert_eq!(why(scopes, looks_at, of, cfg), expected, "{scopes:?} {of:?} {cfg:?}");
        }
    }
}
