//! Workspaces as values, and the parts of them that a set of configurations leaves unbuilt.

use base::SortedMap;

use build::{Manifest, ManifestDependency, Target};

use super::*;

fn manifest(name: &str, features: &[(&str, &[&str])], targets: &[(&str, &str)]) -> Manifest {
    let owned = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    Manifest {
        name: name.to_owned(),
        features: features.iter().map(|(name, on)| ((*name).to_owned(), owned(on))).collect(),
        targets: targets
            .iter()
            .map(|(kind, name)| Target {
                kind: (*kind).to_owned(),
                name: (*name).to_owned(),
                ..Target::default()
            })
            .collect(),
        ..Manifest::default()
    }
}

pub(super) fn workspace() -> CargoWorkspace {
    let mut a = manifest(
        "a",
        &[("default", &["std"]), ("std", &[]), ("net", &["b/tls"]), ("x", &[])],
        &[
            ("lib", "a"),
            ("bin", "tool"),
            ("example", "demo"),
            ("bench", "speed"),
            ("test", "it"),
            ("build", "build-script-build"),
        ],
    );
    a.dependencies.push(ManifestDependency {
        package: "b".to_owned(),
        features: vec!["fast".to_owned()],
        ..ManifestDependency::default()
    });
    a.targets[1].required_features = vec!["x".to_owned()];
    let b = manifest("b", &[("fast", &[]), ("tls", &[]), ("default", &[])], &[("lib", "b")]);
    CargoWorkspace { manifests: vec![a, b], ..CargoWorkspace::default() }
}

fn missing(scopes: &[&str], looks_at: LooksAt) -> Vec<String> {
    let scopes: Vec<Scope> = scopes.iter().map(|it| Scope::parse(it).unwrap()).collect();
    let seen = Seen { workspace: &workspace(), scopes: &scopes, looks_at };
    let mut missing = Vec::new();
    seen.packages(&mut missing);
    seen.targets(&mut missing);
    seen.features(&mut missing);
    texts(missing)
}

/// The texts of parts, which read back as the same parts.
fn texts(parts: Vec<UncheckedPart>) -> Vec<String> {
    for part in &parts {
        assert_eq!(UncheckedPart::from(part.text.clone()), *part);
    }
    parts.into_iter().map(String::from).collect()
}

#[test]
fn a_plain_check_names_tests_examples_benches_and_features_that_are_off() {
    assert_eq!(
        missing(&[""], LooksAt::Code),
        [
            "code of tests (`cfg(test)`)",
            "bin `tool` of `a`: needs `x`",
            "example `demo` of `a`",
            "bench `speed` of `a`",
            "test `it` of `a`",
            "feature `net` of `a`",
            "feature `x` of `a`",
            "feature `tls` of `b`",
        ]
    );
}

#[test]
fn all_features_and_targets_leave_nothing_out() {
    assert_eq!(missing(&["--all-features --all-targets"], LooksAt::Code), Vec::<String>::new());
    assert_eq!(
        missing(&["--all-targets", "--features net,x"], LooksAt::TestCode),
        Vec::<String>::new()
    );
}

#[test]
fn a_package_that_is_not_asked_for_is_named() {
    let found = missing(&["-p b --all-targets"], LooksAt::TestCode);
    assert_eq!(found, ["package `a`", "feature `fast` of `b`", "feature `tls` of `b`"]);
}

#[test]
fn features_are_unified_over_the_workspace() {
    let on = features::active(&workspace(), &Scope::parse("--features net").unwrap());
    let expected: SortedMap<String, SortedSet<String>> =
        [("a", vec!["default", "net", "std"]), ("b", vec!["default", "fast", "tls"])]
            .into_iter()
            .map(|(name, on)| (name.to_owned(), on.into_iter().map(str::to_owned).collect()))
            .collect();
    assert_eq!(on, expected);
}

#[test]
fn a_feature_of_an_optional_dependency_enables_it() {
    let mut a = manifest(
        "a",
        &[
            ("full", &["de/derive"]),
            ("weak", &["de?/derive"]),
            ("always", &["b/tls"]),
            ("de", &["dep:de"]),
            ("b", &[]),
        ],
        &[("lib", "a")],
    );
    for (package, optional) in [("de", true), ("b", false)] {
        let package = package.to_owned();
        a.dependencies.push(ManifestDependency { package, optional, ..Default::default() });
    }
    let workspace = CargoWorkspace { manifests: vec![a], ..CargoWorkspace::default() };
    let on = |scope: &str| {
        let on = features::active(&workspace, &Scope::parse(scope).unwrap());
        on["a"].iter().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(on("--features full"), "de full");
    assert_eq!(on("--features weak"), "weak");
    assert_eq!(on("--features always"), "always");
}

#[test]
fn a_package_whose_features_others_turn_on_is_named() {
    let alone = |scopes: &[&str]| {
        let scopes: Vec<Scope> = scopes.iter().map(|it| Scope::parse(it).unwrap()).collect();
        let seen = Seen { workspace: &workspace(), scopes: &scopes, looks_at: LooksAt::Code };
        let mut missing = Vec::new();
        seen.alone(&mut missing);
        texts(missing).join("; ")
    };
    assert_eq!(alone(&["--workspace"]), "by itself, with fewer features: `b`");
    assert_eq!(alone(&["--workspace", "-p b"]), "");
    assert_eq!(alone(&["-p a"]), "");
    assert_eq!(alone(&["--workspace --all-features"]), "");
}

#[test]
fn examples_beside_macros_of_the_project_are_named() {
    let package = |name: &str, macros: &str, on: &[&str]| build::Package {
        name: name.to_owned(),
        is_proc_macro: name == macros,
        depends_on: on.iter().map(|it| (*it).to_owned()).collect(),
        ..build::Package::default()
    };
    let part = |macros: &str| {
        let packages = vec![
            package("a", macros, &["m"]),
            package("b", macros, &[]),
            package("m", macros, &[]),
        ];
        let workspace = CargoWorkspace { packages, ..workspace() };
        let scopes = [Scope::parse("").unwrap()];
        let seen = Seen { workspace: &workspace, scopes: &scopes, looks_at: LooksAt::TestCode };
        seen.unproven_examples()
    };
    let text = part("m").unwrap();
    assert!(
        text.starts_with("documentation tests of `a`, `m`, whose compiler loads macros"),
        "{text}"
    );
    assert_eq!(part("none"), None);
}
