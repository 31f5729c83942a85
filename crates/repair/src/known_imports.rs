//! Reasoner: for a name that a file misses, the import that other files of the package have, else
//! the path of the package's item of that name.

use std::sync::Arc;

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath, SortedMap, SortedSet, is_one_word};
use edit::{Files, Splice};
use preserve::TomlText;
use preserve::outline::{Outline, tokens};
use refactor::UseItem;
use syntax::places::DefinitionKind;

use crate::fix::text_of;
use crate::import_conditions::{all_of, condition, condition_at, modules_of, of_modules, split};
use crate::no_std::WithoutStd;
use crate::shorter::existing_form;
use crate::sources::{Source, Sources};
use crate::{Fix, Reasoner};

/// Most paths proposed for one name.
const MAX_PATHS: usize = 3;

/// For a name that a file misses: the import under which other files of the package know it, else the
/// path of the item of that name in the package.
///
/// The compiler proposes imports too, but only a name of similar spelling where it finds one, and it
/// does not know which of several items the project means.
pub(crate) struct KnownImports {
    /// Rust files of the project.
    sources: Arc<[ProjectPath]>,
}

impl KnownImports {
    /// Looks in `sources`, the Rust files of the project.
    pub(crate) fn new(sources: Arc<[ProjectPath]>) -> Self {
        Self { sources }
    }
}

impl Reasoner for KnownImports {
    fn name(&self) -> &'static str {
        "imports"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        // Each name that a file misses, with the errors that report it.
        let mut missing: SortedMap<(&ProjectPath, String), Vec<Place>> = SortedMap::new();
        for (seed, diagnostic) in diagnostics.iter().enumerate().filter(|(_, it)| it.is_error()) {
            let own = diagnostic.spans.iter().find(|it| it.primary);
            let place = own.and_then(|it| Some((it.place.project()?, it.bytes)));
            let Some((path, span)) = place else { continue };
            let is_import = diagnostic.code.as_deref() == Some("E0432");
            let name = match is_import {
                true => text_of(files, path).and_then(|it| imported_name(&it, span)),
                false => missing_name(diagnostic).map(str::to_owned),
            };
            if let Some(name) = name {
                missing.entry((path, name)).or_default().push(Place { seed, span, is_import });
            }
        }
        if missing.is_empty() {
            return Vec::new();
        }
        let project = Sources::some(&self.sources, files);
        let mut fixes = Vec::new();
        for ((path, name), places) in missing {
            let Some(text) = text_of(files, path) else { continue };
            let is_broken = places.iter().any(|it| it.is_import);
            let mut paths = paths_of(&project, &name, path, is_broken);
            let is_macro = places.iter().any(|it| diagnostics[it.seed].code.is_none());
            let of_dependency = paths.is_empty() && is_macro && is_dependency(&name, path, files);
            if of_dependency {
                paths.push(Known { path: format!("{name}::{name}"), condition: None });
            }
            if let Some(library) = library_of_program(path, files) {
                let is_own = |it: &Known| declares(&text, &it.path);
                for known in paths.iter_mut().filter(|it| !is_own(it)) {
                    if let Some(rest) = known.path.strip_prefix("crate::") {
                        known.path = format!("{library}::{rest}");
                    }
                }
            }
            if let Some(of) = WithoutStd::of(path, files) {
                let portable = |it: &mut Known| it.path = of.rewrite(&it.path).unwrap_or_default();
                paths.iter_mut().filter(|it| it.path.starts_with("std::")).for_each(portable);
                paths.retain(|it| !it.path.is_empty());
                paths.dedup();
            }
            let applicability = match paths.len() {
                1 => Applicability::MaybeIncorrect,
                _ => Applicability::Unspecified,
            };
            for known in paths {
                let splices = splices(&text, &known, &places);
                let rationale = match of_dependency {
                    true => format!("the dependency `{name}` may have a macro of its name"),
                    false => format!("`{name}` is `{}` elsewhere in the package", known.path),
                };
                fixes.extend(places.iter().map(|place| Fix {
                    splices: splices.iter().map(|it| (path.clone(), it.clone())).collect(),
                    rationale: rationale.clone(),
                    applicability,
                    reasoner: self.name(),
                    seed: place.seed,
                    guesses: Vec::new(),
                }));
            }
        }
        fixes
    }
}

/// Whether the package of a file depends on a crate, in whatever way: many have a macro of their name.
fn is_dependency(name: &str, path: &ProjectPath, files: &dyn Files) -> bool {
    let folder = match (split(path), path.parent()) {
        // A build script.
        ((_, ""), Some(parent)) => format!("{parent}/"),
        ((folder, _), _) => folder.to_owned(),
    };
    let manifest = ProjectPath::new(&format!("{folder}Cargo.toml")).ok();
    let text = manifest.and_then(|it| text_of(files, &it));
    let Some(manifest) = text.and_then(|it| TomlText::parse(&it).ok()) else { return false };
    manifest.iter().any(|(key, _)| {
        let mut pairs = key.parts().windows(2);
        pairs.any(|it| it[0].ends_with("dependencies") && it[1].replace('-', "_") == name)
    })
}

/// The name of the library beside a program, of which `crate` is another one; `None` if the file is no root
/// of a program, or its package has no library.
fn library_of_program(path: &ProjectPath, files: &dyn Files) -> Option<String> {
    let (folder, target) = split(path);
    let inner = path.as_str().get(folder.len()..)?;
    let is_root = inner == "src/main.rs" || inner.starts_with("src/bin/");
    let at = |file: &str| ProjectPath::new(&format!("{folder}{file}")).ok();
    text_of(files, &at("src/lib.rs")?).filter(|_| is_root && target == "src")?;
    let manifest = TomlText::parse(&text_of(files, &at("Cargo.toml")?)?).ok()?;
    let name = manifest.text(&["lib", "name"]).or_else(|| manifest.text(&["package", "name"]))?;
    Some(name.replace('-', "_"))
}

/// Whether a text declares the first module of a path from its root.
fn declares(text: &str, path: &str) -> bool {
    let mut parts = path.split("::").skip(1);
    let (first, rest) = (parts.next().unwrap_or_default(), parts.next());
    let list = tokens(text);
    let mut pairs = list.windows(2);
    rest.is_some() && pairs.any(|it| it[0].is("mod") && it[1].is(first))
}

/// A path under which a name is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    path: String,
    /// The `#[cfg(…)]` under which it is, if it has one.
    condition: Option<String>,
}

/// A place that misses a name.
struct Place {
    seed: usize,
    span: ByteSpan,
    /// Whether it is an import that cannot be resolved: another one replaces it.
    is_import: bool,
}

/// The name that the import at a span adds to the scope.
fn imported_name(text: &str, span: ByteSpan) -> Option<String> {
    let name = preserve::last_name(span.slice(text)?);
    is_one_word(name).then(|| name.to_owned())
}

/// The name that is not in scope.
fn missing_name(diagnostic: &Diagnostic) -> Option<&str> {
    let message = diagnostic.message.as_str();
    let is_missing = match diagnostic.code.as_deref() {
        Some("E0405" | "E0412" | "E0422" | "E0423" | "E0425" | "E0433" | "E0531" | "E0574") => {
            message.starts_with("cannot find ") && message.ends_with(" in this scope")
        }
        None => message.starts_with("cannot find macro "),
        _ => false,
    };
    let name = message.split('`').nth(1).filter(|_| is_missing)?;
    is_one_word(name).then_some(name)
}

/// The paths by which the package of `path` imports `name`, the most frequent first; without any,
/// the paths of its items of that name. If `is_broken`, the file's own imports of it do not count.
fn paths_of(project: &Sources<'_>, name: &str, path: &ProjectPath, is_broken: bool) -> Vec<Known> {
    let (package, target) = split(path);
    let same = |it: &ProjectPath| split(it).0 == package;
    let near = project.read().iter().filter(|it| same(it.path) && it.text.contains(name));
    let mut counts: SortedMap<String, (usize, Option<String>)> = SortedMap::new();
    // Those of tests, benches and examples, of which the library need not have the crates.
    let mut of_others = counts.clone();
    let mut items = SortedSet::new();
    for source in near.filter(|it| !is_broken || it.path != path) {
        let (other, text) = (source.path, &source.text);
        let outline = Outline::of(text);
        for (import, at) in preserve::imports(&outline) {
            let is_relative = import.starts_with("super::") || import.starts_with("self::");
            // `crate` is another one in tests, benches and examples.
            let is_known = !import.starts_with("crate::") || split(other).1 == target;
            if preserve::last_name(&import) == name && !is_relative && is_known {
                let item = outline.tokens.get(at).and_then(|it| text.get(it.span.start..));
                let condition = condition(item);
                let list = if split(other).1 == target { &mut counts } else { &mut of_others };
                let (count, known) = list.entry(import).or_insert((0, condition.clone()));
                *count += 1;
                known.take_if(|it| Some(&*it) != condition.as_ref());
            }
        }
        if split(other).1 == target && target == "src" {
            items.extend(item_path(source, name));
        }
    }
    if counts.is_empty() {
        counts = of_others;
    }
    let known = |(path, (count, condition))| (count, Known { path, condition });
    let mut found: Vec<(usize, Known)> = counts.into_iter().map(known).collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut found: Vec<Known> = found.into_iter().map(|(_, it)| it).collect();
    if found.is_empty() {
        found.extend(items);
    }
    found.truncate(MAX_PATHS);
    for known in &mut found {
        let around = of_modules(project, package, &known.path, path);
        known.condition = all_of(known.condition.take().into_iter().chain(around));
    }
    found
}

/// The path of the item `name` that a file of `src` defines outside of inner modules.
fn item_path(source: &Source<'_>, name: &str) -> Option<Known> {
    use DefinitionKind as K;
    let (path, text) = (source.path, &source.text);
    let all = &source.places().definitions;
    let item =
        all.iter().find(|it| it.name == name && it.owner.is_empty() && it.kind != K::Macro)?;
    let is_inside =
        |it: &&syntax::places::Definition| it.body.is_some_and(|body| body.contains(item.span));
    if all.iter().any(|it| is_inside(&it)) {
        return None;
    }
    let modules = modules_of(split(path).0, path);
    let middle: String = modules.iter().map(|it| format!("{it}::")).collect();
    let condition = condition(item.span.slice(text));
    Some(Known { path: format!("crate::{middle}{name}"), condition })
}

/// The import in each module of the text that misses the name, and the removal of one that cannot be
/// resolved.
fn splices(text: &str, known: &Known, places: &[Place]) -> Vec<Splice> {
    let import = &known.path;
    let outline = Outline::of(text);
    let mut found: Vec<Splice> = Vec::new();
    let form = |it: &Place| (!it.is_import).then(|| existing_form(import, text, it.span))?;
    let forms = places.iter().map(form);
    if let Some(forms) = forms.collect::<Option<Vec<Splice>>>() {
        return forms;
    }
    let common = |at: usize| {
        let of_module = |it: &&Place| refactor::import_place(&outline, text, it.span) == at;
        let all = places.iter().filter(of_module);
        let mut conditions = all.map(|it| condition_at(&outline, text, it.span, at));
        let first = conditions.next().flatten()?;
        conditions.all(|it| it.as_deref() == Some(&first)).then_some(first)
    };
    for place in places {
        let declared = UseItem::around(text, place.span).filter(|_| place.is_import);
        if let Some(replaced) = declared.as_ref().and_then(|it| it.with_path(import)) {
            found.push(replaced);
            continue;
        }
        let removed = place.is_import.then(|| refactor::without_import(text, place.span)).flatten();
        let at = match &removed {
            Some(removed) => {
                refactor::import_place(&outline, text, place.span).min(removed.span.start)
            }
            None => refactor::import_place(&outline, text, place.span),
        };
        let line = text.get(..at).and_then(|it| it.rfind('\n')).map_or(0, |it| it + 1);
        let indent = text.get(line..at).filter(|it| it.trim().is_empty()).unwrap_or("");
        let old = declared.as_ref().and_then(|it| condition(Some(it.text())));
        let condition = known.condition.clone().or(old).or_else(|| common(at));
        let condition = condition.iter().map(|it| format!("{it}\n{indent}"));
        let insert = format!("{}use {import};\n{indent}", condition.collect::<String>());
        let added = Splice { span: ByteSpan::new(at, at), insert };
        for splice in [Some(added), removed].into_iter().flatten() {
            if !found.contains(&splice) {
                found.push(splice);
            }
        }
    }
    found.sort_by_key(|it| it.span);
    found
}

#[cfg(test)]
mod tests {
    use base::{DiagnosticSpan, Severity};

    use super::*;
    use crate::fake::Tree;

    fn proposed(file: &str, message: &str, others: &[(&str, &str)]) -> Vec<String> {
        proposed_for("E0405", file, message, others)
    }

    fn proposed_for(code: &str, file: &str, message: &str, others: &[(&str, &str)]) -> Vec<String> {
        proposed_in("src/a.rs", code, file, message, others)
    }

    fn proposed_in(
        name: &str,
        code: &str,
        file: &str,
        message: &str,
        others: &[(&str, &str)],
    ) -> Vec<String> {
        let path = ProjectPath::new(name).unwrap();
        let at = file.find("$0").unwrap();
        let file = file.replace("$0", "");
        let span = ByteSpan::new(at, at + 1);
        let error = Diagnostic {
            code: Some(code.to_owned()),
            spans: vec![DiagnosticSpan::primary(&path, &file, span)],
            ..Diagnostic::new(Severity::Error, message)
        };
        let mut texts = vec![(name, file.as_str())];
        texts.extend(others);
        let sources = texts.iter().map(|(path, _)| ProjectPath::new(path).unwrap()).collect();
        let files = Tree(texts.into_iter().collect());
        let fixes = KnownImports::new(sources).propose(&[error], &files);
        fixes
            .iter()
            .map(|fix| {
                let mut text = file.clone();
                for (_, splice) in fix.splices.iter().rev() {
                    text.replace_range(splice.span.start..splice.span.end, &splice.insert);
                }
                text
            })
            .collect()
    }

    #[test]
    fn a_macro_that_nothing_imports_is_that_of_a_dependency_of_its_name() {
        let manifest = |table: &str| format!("[package]\nname = \"a\"\n\n{table}");
        let found = |table: &str| {
            let path = ProjectPath::new("build.rs").unwrap();
            let text = "fn main() { quote!(); }\n";
            let at = text.find("quote").unwrap();
            let span = DiagnosticSpan::primary(&path, text, ByteSpan::new(at, at + 5));
            let error = Diagnostic {
                spans: vec![span],
                ..Diagnostic::new(Severity::Error, "cannot find macro `quote` in this scope")
            };
            let manifest = manifest(table);
            let files = Tree([("build.rs", text), ("Cargo.toml", &manifest)].into_iter().collect());
            let fixes = KnownImports::new(Arc::from([path])).propose(&[error], &files);
            let insert = |it: &Fix| it.splices.iter().map(|it| it.1.insert.clone()).collect();
            fixes.iter().map(insert).collect::<Vec<String>>()
        };
        assert_eq!(found("[build-dependencies.quote]\nversion = \"1\"\n"), ["use quote::quote;\n"]);
        assert_eq!(
            found("[target.'cfg(unix)'.dependencies]\nquote = \"1\"\n"),
            ["use quote::quote;\n"]
        );
        assert_eq!(found("[dependencies]\nother = \"1\"\n"), [""; 0]);
    }

    const MESSAGE: &str = "cannot find trait `T` in this scope";

    #[test]
    fn a_name_is_imported_as_in_other_files() {
        let others = [
            ("src/b.rs", "use dep::{S, T};"),
            ("src/c.rs", "use other::T;"),
            ("src/d.rs", "use other::T;"),
            ("src/e.rs", "use super::T;"),
            ("tests/f.rs", "use crate::T;"),
            ("g/src/lib.rs", "use third::T;"),
        ];
        assert_eq!(
            proposed("//! Doc.\n\nuse x::Y;\nimpl $0T for A {}\n", MESSAGE, &others),
            [
                "//! Doc.\n\nuse other::T;\nuse x::Y;\nimpl T for A {}\n",
                "//! Doc.\n\nuse dep::T;\nuse x::Y;\nimpl T for A {}\n",
            ]
        );
    }

    #[test]
    fn a_program_names_an_item_of_its_library_by_the_library() {
        let others = [
            ("Cargo.toml", "[package]\nname = \"a-b\"\n"),
            ("src/lib.rs", "pub mod m;\n"),
            ("src/m.rs", "pub trait T {}\n"),
        ];
        let proposed = |text: &str, others: &[(&str, &str)]| {
            proposed_in("src/main.rs", "E0405", text, MESSAGE, others)
        };
        let text = "impl $0T for A {}\n";
        assert_eq!(proposed(text, &others), ["use a_b::m::T;\nimpl T for A {}\n"]);
        // A module of the program, and a package without a library.
        let own = format!("mod m;\n{text}");
        assert_eq!(proposed(&own, &others), ["use crate::m::T;\nmod m;\nimpl T for A {}\n"]);
        let without = [others[0], others[2]];
        assert_eq!(proposed(text, &without), ["use crate::m::T;\nimpl T for A {}\n"]);
    }

    #[test]
    fn an_import_has_the_condition_of_the_only_item_that_uses_it() {
        let others = [("src/b.rs", "use dep::T;")];
        assert_eq!(
            proposed("use x::Y;\n#[cfg(unix)]\nimpl $0T for A {}\n", MESSAGE, &others),
            ["#[cfg(unix)]\nuse dep::T;\nuse x::Y;\n#[cfg(unix)]\nimpl T for A {}\n"]
        );
        assert_eq!(
            proposed("#[cfg(test)]\nmod m {\n    impl $0T for A {}\n}\n", MESSAGE, &others),
            ["#[cfg(test)]\nmod m {\n    use dep::T;\n    impl T for A {}\n}\n"]
        );
    }

    #[test]
    fn an_item_of_the_package_is_imported_by_its_path() {
        let others = [("src/b/mod.rs", "pub trait T {}"), ("src/c.rs", "mod inner { trait T {} }")];
        assert_eq!(
            proposed("mod m {\n    impl $0T for A {}\n}\n", MESSAGE, &others),
            ["mod m {\n    use crate::b::T;\n    impl T for A {}\n}\n"]
        );
    }

    #[test]
    fn an_unresolved_import_is_replaced() {
        let others = [("src/b.rs", "use dep::new::T;")];
        let error = |file| proposed_for("E0432", file, "unresolved import `old::T`", &others);
        assert_eq!(error("use a::{B, $0T};\n"), ["use dep::new::T;\nuse a::B;\n"]);
        assert_eq!(error("use old::$0T;\nfn f() {}\n"), ["use dep::new::T;\nfn f() {}\n"]);
        assert_eq!(
            error("use b;\n#[cfg(x)]\npub use old::$0T;\nfn f() {}\n"),
            ["use b;\n#[cfg(x)]\npub use dep::new::T;\nfn f() {}\n"]
        );
    }

    #[test]
    fn an_import_has_the_condition_that_it_has_elsewhere() {
        let file = "use x::Y;\nimpl $0T for A {}\n";
        let gated = [("src/b.rs", "#[cfg(feature = \"f\")]\nuse dep::T;")];
        assert_eq!(
            proposed(file, MESSAGE, &gated),
            ["#[cfg(feature = \"f\")]\nuse dep::T;\nuse x::Y;\nimpl T for A {}\n"]
        );
        let both = [gated[0], ("src/c.rs", "use dep::T;")];
        assert_eq!(proposed(file, MESSAGE, &both), ["use dep::T;\nuse x::Y;\nimpl T for A {}\n"]);
        let item = [("src/b.rs", "#[derive(A)]\n#[cfg(f)]\npub trait T {}")];
        assert_eq!(
            proposed(file, MESSAGE, &item),
            ["#[cfg(f)]\nuse crate::b::T;\nuse x::Y;\nimpl T for A {}\n"]
        );
    }

    #[test]
    fn an_import_has_the_condition_of_the_module_that_it_leads_to() {
        let file = "use x::Y;\nimpl $0T for A {}\n";
        let gated = "#[cfg(f)]\nmod m;\nmod a;\n";
        let module = ("src/m.rs", "#[cfg(g)]\npub trait T {}");
        assert_eq!(
            proposed(file, MESSAGE, &[("src/lib.rs", gated), module]),
            ["#[cfg(all(g, f))]\nuse crate::m::T;\nuse x::Y;\nimpl T for A {}\n"]
        );
        // The user is under the condition too.
        let both = "#[cfg(f)]\nmod m;\n#[cfg(f)]\nmod a;\n";
        assert_eq!(
            proposed(file, MESSAGE, &[("src/lib.rs", both), ("src/m.rs", "pub trait T {}")]),
            ["use crate::m::T;\nuse x::Y;\nimpl T for A {}\n"]
        );
    }

    #[test]
    fn an_import_has_the_condition_of_the_one_that_it_replaces() {
        let others = [("src/b.rs", "use dep::new::T;")];
        assert_eq!(
            proposed_for(
                "E0432",
                "use b;\n#[cfg(x)]\nuse old::{S, $0T};\nfn f() {}\n",
                "unresolved import `old::T`",
                &others
            ),
            ["#[cfg(x)]\nuse dep::new::T;\nuse b;\n#[cfg(x)]\nuse old::S;\nfn f() {}\n"]
        );
    }

    #[test]
    fn a_name_of_an_imported_module_needs_no_import() {
        let others = [("src/b.rs", "pub trait T {}")];
        assert_eq!(
            proposed("use crate::b;\nimpl $0T for A {}\n", MESSAGE, &others),
            ["use crate::b;\nimpl b::T for A {}\n"]
        );
    }

    #[test]
    fn unknown_names_and_other_errors_give_nothing() {
        assert_eq!(proposed("impl $0T for A {}", MESSAGE, &[("src/b.rs", "use a::U;")]), [""; 0]);
        let others = [("src/b.rs", "use a::T;")];
        assert_eq!(proposed("impl $0T for A {}", "expected trait, found `T`", &others), [""; 0]);
    }
}
