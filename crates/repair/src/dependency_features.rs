//! Reasoner: an item that a dependency has behind a feature: the feature is enabled in the manifest.

use base::{ByteSpan, Diagnostic, ProjectPath, SortedMap};
use edit::{Files, TextEdit};
use preserve::outline::{TokenKind, tokens};

use crate::fix::text_of;
use crate::phase::errors;
use crate::{Fix, Reasoner};

/// For names that the compiler reports as configured out, derive macros of an imported trait,
/// attribute macros and modules that a dependency does not have: `features` of the dependency, all of
/// one manifest in one change.
pub(crate) struct DependencyFeatures;

impl Reasoner for DependencyFeatures {
    fn name(&self) -> &'static str {
        "features"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut wanted: SortedMap<ProjectPath, Vec<(usize, Needed)>> = SortedMap::new();
        for (seed, error) in errors(diagnostics) {
            let Some(needed) = needed(error, files) else { continue };
            let path = error.user_span().and_then(|it| it.place.project());
            let manifest = path.and_then(|it| manifest_of(it, &needed.package, files));
            let in_tests = error.user_span().is_some_and(|it| {
                let text = path.and_then(|it| text_of(files, it));
                let at = it.bytes.start;
                path.zip(text).is_some_and(|(path, text)| preserve::is_dev_code(path, &text, at))
            });
            if let Some(manifest) = manifest {
                wanted.entry(manifest).or_default().push((seed, Needed { in_tests, ..needed }));
            }
        }
        let mut fixes = Vec::new();
        for (manifest, list) in wanted {
            // The public feature of a derive has another name than the optional crate behind it.
            for is_literal in [false, true] {
                fixes.extend(enabled(self, &manifest, &list, is_literal, files));
            }
        }
        fixes
    }
}

/// A feature of a dependency.
struct Needed {
    package: String,
    feature: String,
    /// Whether the error is in code of tests, examples or benches.
    in_tests: bool,
}

impl Needed {
    fn name(&self, is_literal: bool) -> &str {
        let derive = format!("{}_derive", self.package.replace('-', "_"));
        let is_derive = self.feature.replace('-', "_") == derive;
        if is_derive && !is_literal { "derive" } else { &self.feature }
    }
}

/// One change of a manifest for all of these errors, once for each of them.
fn enabled(
    reasoner: &dyn Reasoner,
    manifest: &ProjectPath,
    list: &[(usize, Needed)],
    is_literal: bool,
    files: &dyn Files,
) -> Vec<Fix> {
    if is_literal && list.iter().all(|(_, it)| it.name(false) == it.feature) {
        return Vec::new();
    }
    let Some(old) = text_of(files, manifest) else { return Vec::new() };
    let mut new = old.to_string();
    let mut names: Vec<String> = Vec::new();
    for (_, it) in list {
        let name = it.name(is_literal);
        let same =
            list.iter().filter(|of| (&of.1.package, of.1.name(is_literal)) == (&it.package, name));
        let for_tests = same.into_iter().all(|of| of.1.in_tests);
        if let Some(text) = change::with_feature(&new, (&it.package, name), for_tests) {
            new = text;
            names.push(format!("`{name}` of `{}`", it.package));
        }
    }
    let splices = TextEdit::diff(&old, &new).splices;
    if splices.is_empty() {
        return Vec::new();
    }
    let fix = Fix {
        splices: splices.into_iter().map(|it| (manifest.clone(), it)).collect(),
        rationale: format!("enable the feature {}", names.join(", ")),
        applicability: base::Applicability::MaybeIncorrect,
        reasoner: reasoner.name(),
        seed: 0,
        guesses: Vec::new(),
    };
    list.iter().map(|(seed, _)| Fix { seed: *seed, ..fix.clone() }).collect()
}

/// The feature that an error asks for.
fn needed(error: &Diagnostic, files: &dyn Files) -> Option<Needed> {
    gated(error, files).or_else(|| named(error, files))
}

/// The feature of an item that the compiler found and that was configured out.
fn gated(error: &Diagnostic, files: &dyn Files) -> Option<Needed> {
    let root = || {
        let span = error.user_span()?;
        let text = text_of(files, span.place.project()?)?;
        root_of_path(&text, span.bytes).map(str::to_owned)
    };
    let spans = error.children.iter().flat_map(|it| &it.spans);
    spans.filter(|it| it.place.project().is_none()).find_map(|it| {
        let label = it.label.as_deref().unwrap_or("");
        let feature = label.split_once("gated behind the `")?.1.split_once('`')?;
        let is_feature = feature.1.trim_start().starts_with("feature");
        let package = package_of(it.place.as_str()).or_else(root)?;
        is_feature.then(|| Needed { package, feature: feature.0.to_owned(), in_tests: false })
    })
}

/// The package of a file in cargo's registry: `registry/src/host/name-1.2.3/…`.
pub(crate) fn package_of(path: &str) -> Option<String> {
    let mut folders = path.split(['/', '\\']).skip_while(|it| *it != "registry");
    let folder = folders.nth(3)?;
    let is_version = |at: usize| {
        folder.get(at + 1..).is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()))
    };
    let (at, _) = folder.match_indices('-').find(|(at, _)| is_version(*at))?;
    folder.get(..at).map(str::to_owned)
}

/// The feature by the conventions of crates: `derive` for a trait without a derive macro, `macros`
/// for an attribute, the name of a module without the item, or the one that a message names.
fn named(error: &Diagnostic, files: &dyn Files) -> Option<Needed> {
    let span = error.user_span()?;
    let text = text_of(files, span.place.project()?)?;
    let message = error.message.as_str();
    let of = |root: &str, feature: &str| {
        Some(Needed { package: root.to_owned(), feature: feature.to_owned(), in_tests: false })
    };
    if message.starts_with("cannot find derive macro ") {
        let note = error.children.iter().find(|it| it.message.contains("only a trait"));
        let Some(note) = note else {
            return of(&macro_crate(span.place.project()?, files)?, "derive");
        };
        let import = note.spans.first()?;
        let text = text_of(files, import.place.project()?)?;
        return of(root_of_import(&text, import.bytes)?, "derive");
    }
    // The attribute of a derive macro, `#[serde(…)]`, where all that is in scope is its crate. A macro
    // that the compiler names exists, and only its derive is missing.
    let has_macro = error.children.iter().any(|it| it.message.contains("by the derive macro"));
    if !has_macro
        && let Some(rest) = message.strip_prefix("cannot find attribute `")
        && let Some((name, _)) = rest.split_once('`')
        && error.children.iter().any(|it| it.message.contains("it is a crate, not an attribute"))
    {
        return of(name, "derive");
    }
    if let Some((_, rest)) = message.split_once("the `")
        && let Some((feature, rest)) = rest.split_once('`')
        && rest.trim_start().starts_with("feature is disabled")
    {
        return of(root_of_path(&text, span.bytes)?, feature);
    }
    if let Some(feature) = change::offered(error) {
        let ty = message.split_once("trait bound `")?.1.split([':', '<', ' ']).next()?;
        return of(root_of_name(&text, ty)?, feature);
    }
    let root = root_of_path(&text, span.bytes)?;
    let head = text.get(..span.bytes.start)?.trim_end_matches(|it| it == ':' || base::is_word(it));
    let is_call = text.get(span.bytes.end..).is_some_and(|it| it.starts_with('!'));
    match error.code.as_deref()? {
        "E0433" if head.ends_with("#[") || is_call => of(root, "macros"),
        "E0432" => {
            let label = span.label.as_deref()?;
            let module = label.strip_prefix("no `")?.split("` in `").nth(1)?.strip_suffix('`')?;
            (module != root).then(|| of(root, module))?
        }
        _ => None,
    }
}

/// The crate of which all macros are in scope in the package of a file, by `#[macro_use] extern crate name;` at its
/// root, where that is the only one.
fn macro_crate(file: &ProjectPath, files: &dyn Files) -> Option<String> {
    let mut folders = file.as_str().match_indices("src/").map(|it| it.0).collect::<Vec<_>>();
    folders.reverse();
    let root = |at: usize| {
        let folder = &file.as_str()[..at];
        let names = ["src/lib.rs", "src/main.rs"];
        let paths = names.iter().filter_map(|it| ProjectPath::new(&format!("{folder}{it}")).ok());
        paths.filter_map(|it| text_of(files, &it)).next()
    };
    let text = folders.into_iter().find_map(root)?;
    let all = text.match_indices("extern crate ").filter_map(|(at, word)| {
        let head = text.get(..at)?.trim_end();
        let name = text.get(at + word.len()..)?.split([';', ' ']).next()?;
        head.ends_with("#[macro_use]").then(|| name.to_owned())
    });
    let all: Vec<String> = all.collect();
    (all.len() == 1).then(|| all.into_iter().next()).flatten()
}

/// The crate that a type of this name comes from: by an import, or by a path.
fn root_of_name<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let name = name.trim_start_matches('&').rsplit("::").next()?;
    base::word_places(text, name).find_map(|at| {
        let span = ByteSpan::new(at, at + name.len());
        let head = text.get(..at)?;
        let statement = head.rsplit([';', '}']).next().unwrap_or("").trim_start();
        let is_import = statement.starts_with("use ") || statement.starts_with("pub use ");
        let root = match is_import {
            true => root_of_import(text, span),
            false => root_of_path(text, span).filter(|it| *it != name),
        };
        root.filter(|it| is_dependency(it))
    })
}

/// Whether the first name of a path may be that of a dependency.
fn is_dependency(root: &str) -> bool {
    !matches!(root, "crate" | "self" | "super" | "std" | "core" | "alloc")
}

/// The first name of the path at a span.
fn root_of_path(text: &str, span: ByteSpan) -> Option<&str> {
    let head = text.get(..span.start)?;
    let start = head.trim_end_matches(|it| it == ':' || base::is_word(it)).len();
    let path = text.get(start..span.end)?.trim_start_matches(['#', '[']).trim_start_matches("::");
    let root = path.split(|it| !base::is_word(it)).next()?;
    (!root.is_empty() && is_dependency(root)).then_some(root)
}

/// The first name of the import around a span.
fn root_of_import(text: &str, span: ByteSpan) -> Option<&str> {
    let head = text.get(..span.end)?;
    let from = head.rfind("use ")?;
    let list = tokens(text.get(from..)?);
    let root = list.iter().skip(1).find(|it| it.kind == TokenKind::Word)?;
    text.get(from + root.span.start..from + root.span.end)
}

/// The nearest manifest above a file that names the dependency.
pub(crate) fn manifest_of(
    file: &ProjectPath,
    package: &str,
    files: &dyn Files,
) -> Option<ProjectPath> {
    let mut folder = file.as_str();
    while let Some((parent, _)) = folder.rsplit_once('/') {
        folder = parent;
        let path = ProjectPath::new(&format!("{folder}/Cargo.toml")).ok()?;
        if let Some(text) = text_of(files, &path) {
            return text.contains(package).then_some(path);
        }
    }
    let path = ProjectPath::new("Cargo.toml").ok()?;
    text_of(files, &path).filter(|it| it.contains(package)).map(|_| path)
}

#[cfg(test)]
mod tests {

    use base::{DiagnosticFile, DiagnosticSpan, SortedMap};

    use super::*;
    use crate::fake::{FakeError, Tree};

    const MANIFEST: &str = "[dependencies]\nserde = \"1\"\ntokio = { version = \"1\" }\n";

    fn proposed(text: &str, errors: &[Diagnostic]) -> Vec<String> {
        let files = Tree(SortedMap::from([("src/lib.rs", text), ("Cargo.toml", MANIFEST)]));
        let mut found: Vec<String> = Vec::new();
        for fix in DependencyFeatures.propose(errors, &files) {
            let mut fixed = MANIFEST.to_owned();
            for (_, splice) in fix.splices.iter().rev() {
                fixed.replace_range(splice.span.start..splice.span.end, &splice.insert);
            }
            if !found.contains(&fixed) {
                found.push(fixed);
            }
        }
        found
    }

    #[test]
    fn a_derive_of_an_imported_trait_enables_derive() {
        let text = "use serde::{Deserialize, Serialize};\n#[derive(Serialize)]\nstruct A;\n";
        let error = FakeError::new("", "cannot find derive macro `Serialize` in this scope")
            .at("(«Serialize»)")
            .note(
                "`Serialize` is imported here, but it is only a trait, without a derive macro",
                &[(", «Serialize»}", true)],
            );
        let wanted =
            MANIFEST.replace("\"1\"\ntokio", "{ version = \"1\", features = [\"derive\"] }\ntokio");
        assert_eq!(proposed(text, &[error.build(text)]), [wanted]);
    }

    #[test]
    fn a_derive_of_a_crate_whose_macros_are_in_scope_enables_derive() {
        let text = "#[macro_use] extern crate serde;\n#[derive(Serialize)]\nstruct A;\n";
        let error = FakeError::new("", "cannot find derive macro `Serialize` in this scope")
            .at("(«Serialize»)");
        let wanted =
            MANIFEST.replace("\"1\"\ntokio", "{ version = \"1\", features = [\"derive\"] }\ntokio");
        assert_eq!(proposed(text, &[error.build(text)]), [wanted]);
        let two = format!("#[macro_use]\nextern crate log;\n{text}");
        assert_eq!(proposed(&two, &[error.build(&two)]), [""; 0]);
    }

    #[test]
    fn a_macro_of_a_crate_enables_its_macros() {
        let text = "fn f() { tokio::select! {} }\n";
        let error = FakeError::new("E0433", "cannot find `select` in `tokio`").at("::«select»!");
        let wanted =
            MANIFEST.replace("{ version = \"1\" }", "{ version = \"1\", features = [\"macros\"] }");
        assert_eq!(proposed(text, &[error.build(text)]), [wanted]);
    }

    #[test]
    fn an_attribute_of_a_crate_in_scope_enables_derive() {
        let text = "#[macro_use]\nextern crate serde;\n#[serde(untagged)]\nenum A {}\n";
        let error = FakeError::new("", "cannot find attribute `serde` in this scope")
            .at("#[«serde»(")
            .note(
                "`serde` is imported here, but it is a crate, not an attribute",
                &[("«extern crate serde;»", true)],
            );
        let wanted =
            MANIFEST.replace("\"1\"\ntokio", "{ version = \"1\", features = [\"derive\"] }\ntokio");
        assert_eq!(proposed(text, &[error.build(text)]), [wanted]);
    }

    #[test]
    fn an_attribute_of_a_macro_that_exists_needs_no_feature() {
        let text = "use serde_derive::Serialize;\n#[serde(untagged)]\nenum A {}\n";
        let error = FakeError::new("", "cannot find attribute `serde` in this scope")
            .at("#[«serde»(")
            .note("`serde` is in scope, but it is a crate, not an attribute", &[])
            .note(
                "`serde` is an attribute that can be used by the derive macro `Serialize`, you \
                 might be missing a `derive` attribute",
                &[],
            );
        assert_eq!(proposed(text, &[error.build(text)]), [""; 0]);
    }

    #[test]
    fn the_features_that_the_compiler_names_are_enabled_together() {
        let text = "fn f() { tokio::time::sleep(); tokio::spawn(); }\n";
        let error = |at: &str, feature: &str| {
            let mut error = FakeError::new("E0433", "cannot find `it` in `tokio`")
                .at(at)
                .note("found an item that was configured out", &[(at, true)])
                .build(text);
            error.children[0].spans = vec![DiagnosticSpan {
                place: DiagnosticFile::Foreign(
                    "/c/registry/src/index-1/tokio-1.54.1/src/lib.rs".to_owned(),
                ),
                label: Some(format!("the item is gated behind the `{feature}` feature")),
                ..error.spans[0].clone()
            }];
            error
        };
        let errors = [error("«time»::", "time"), error("«spawn»", "rt")];
        let wanted = MANIFEST
            .replace("{ version = \"1\" }", "{ version = \"1\", features = [\"time\", \"rt\"] }");
        assert_eq!(proposed(text, &errors), [wanted]);
    }

    #[test]
    fn attributes_and_modules_name_their_feature() {
        let text =
            "use tokio::sync::Mutex;\n#[tokio::main]\nasync fn main() {}\nuse crate::a::B;\n";
        let attribute = FakeError::new("E0433", "cannot find `main` in `tokio`");
        let import = FakeError::new("E0432", "unresolved import `tokio::sync::Mutex`")
            .labelled("no `Mutex` in `sync`")
            .at("use «tokio::sync::Mutex»");
        let wanted = MANIFEST.replace(
            "{ version = \"1\" }",
            "{ version = \"1\", features = [\"macros\", \"sync\"] }",
        );
        let errors = [attribute.at("[tokio::«main»]").build(text), import.build(text)];
        assert_eq!(proposed(text, &errors), [wanted]);
        let own = FakeError::new("E0432", "unresolved import `crate::a::B`")
            .labelled("no `B` in `a`")
            .at("use «crate::a::B»");
        assert_eq!(proposed(text, &[own.build(text)]), [""; 0]);
    }

    #[test]
    fn an_impl_that_a_crate_offers_behind_a_feature_is_enabled() {
        let text = "use tokio::{A, time::Req};\n#[derive(Serialize)]\nstruct B { a: Req }\n";
        let error = FakeError::new(
            "E0277",
            "the trait bound `Req: serde::Serialize` is not satisfied",
        )
        .at("(«Serialize»)")
        .note(
            "for types from other crates check whether the crate offers a `serde` feature flag",
            &[],
        );
        let wanted =
            MANIFEST.replace("{ version = \"1\" }", "{ version = \"1\", features = [\"serde\"] }");
        assert_eq!(proposed(text, &[error.build(text)]), [wanted.as_str()]);
        let path =
            text.replace("use tokio::{A, time::Req};\n", "").replace("a: Req", "a: tokio::Req");
        assert_eq!(proposed(&path, &[error.build(&path)]), [wanted.as_str()]);
        let own = text.replace("use tokio", "use crate");
        assert_eq!(proposed(&own, &[error.build(&own)]), [""; 0]);
    }

    #[test]
    fn the_package_is_the_folder_in_the_registry() {
        let of = |it: &str| package_of(it).unwrap_or_default();
        assert_eq!(of("/home/registry/src/index.io-1949/serde-1.0.2/src/lib.rs"), "serde");
        assert_eq!(of("/home/registry/src/index.io-1949/a-b_c-0.1.0-rc.1/src/a.rs"), "a-b_c");
        assert_eq!(of("/rustc/1/library/core/src/a-1.rs"), "");
    }
}
