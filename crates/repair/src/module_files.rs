//! Reasoner: declares the modules whose files are there, for paths that miss them.

use std::sync::Arc;

use base::{Applicability, Diagnostic, ProjectPath, SortedMap, SortedSet, is_one_word};
use edit::{Files, Splice};
use syntax::places::{Definition, DefinitionKind, places};

use crate::fix::text_of;
use crate::phase::errors;
use crate::{Fix, Reasoner};

/// For paths through modules that no file declares, although their files are in the tree: one change
/// with all the declarations.
///
/// The compiler proposes a declaration only in the file that misses it, one for each module.
pub(crate) struct ModuleFiles {
    /// Rust files of the project.
    sources: Arc<[ProjectPath]>,
}

impl ModuleFiles {
    /// Looks in `sources`, the Rust files of the project.
    pub(crate) fn new(sources: Arc<[ProjectPath]>) -> Self {
        Self { sources }
    }

    /// The file that should declare `name`, if only one file of a module of that name, in the same
    /// target as `user`, is not declared.
    fn parent(&self, name: &str, user: &ProjectPath, files: &dyn Files) -> Option<ProjectPath> {
        let mut parents = SortedSet::new();
        for file in self.sources.iter() {
            let path = file.as_str();
            let own = [format!("{name}.rs"), format!("{name}/mod.rs")];
            let folder = own.iter().find_map(|it| folder_before(path, it));
            let Some(folder) = folder.filter(|it| target_of(user.as_str()) == target_of(it)) else {
                continue;
            };
            let parent = refactor::module_parents(folder).find_map(|it| {
                let it = ProjectPath::new(&it).ok().filter(|it| it != file)?;
                Some((text_of(files, &it)?, it))
            });
            if let Some((text, parent)) = parent
                && !places(&text).definitions.iter().any(|it| is_module(it) && it.name == name)
            {
                parents.insert(parent);
            }
        }
        let first = parents.pop_first()?;
        parents.is_empty().then_some(first)
    }
}

impl Reasoner for ModuleFiles {
    fn name(&self) -> &'static str {
        "module-files"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut seeds = Vec::new();
        let mut missing: SortedMap<ProjectPath, SortedSet<String>> = SortedMap::new();
        for (seed, error) in errors(diagnostics) {
            let Some((name, path)) = missing_module(error) else { continue };
            if let Some(parent) = self.parent(name, path, files) {
                missing.entry(parent).or_default().insert(name.to_owned());
                seeds.push(seed);
            }
        }
        let splices = missing.iter().filter_map(|(path, names)| {
            Some((path.clone(), refactor::module_declarations(&text_of(files, path)?, names)))
        });
        let splices: Vec<(ProjectPath, Splice)> = splices.collect();
        let names: Vec<String> = missing.values().flatten().map(|it| format!("`{it}`")).collect();
        let rationale = format!("declare {}, whose files are in the tree", names.join(", "));
        let fix = |seed| Fix {
            splices: splices.clone(),
            rationale: rationale.clone(),
            applicability: Applicability::MaybeIncorrect,
            reasoner: self.name(),
            seed,
            guesses: Vec::new(),
        };
        seeds.into_iter().map(fix).collect()
    }
}

/// The module that a path misses, and the file with the path.
fn missing_module(error: &Diagnostic) -> Option<(&str, &ProjectPath)> {
    if !matches!(error.code.as_deref(), Some("E0432" | "E0433")) {
        return None;
    }
    let mark = error.primary()?;
    let label = mark.label.as_deref().unwrap_or(&error.message);
    let is_missing =
        label.starts_with("could not find `") || label.contains("use of unresolved module");
    let name = label.split('`').nth(1).filter(|it| is_missing && is_one_word(it))?;
    Some((name, mark.place.project()?))
}

/// What comes before the last parts of a path: a folder with its `/`, or nothing.
fn folder_before<'a>(path: &'a str, last: &str) -> Option<&'a str> {
    path.strip_suffix(last).filter(|it| it.is_empty() || it.ends_with('/'))
}

/// The path up to the folder of sources, with it.
fn target_of(path: &str) -> &str {
    let end = |folder: &str| {
        let at = path.find(folder)?;
        let is_whole = at == 0 || path.get(..at)?.ends_with('/');
        is_whole.then_some(at + folder.len())
    };
    let ends = ["src/", "tests/", "benches/", "examples/"].into_iter().filter_map(end);
    ends.min().and_then(|it| path.get(..it)).unwrap_or("")
}

fn is_module(it: &Definition) -> bool {
    it.kind == DefinitionKind::Module
}

#[cfg(test)]
mod tests {
    use base::{ByteSpan, DiagnosticSpan, Severity};

    use super::*;
    use crate::fake::Tree;

    /// What the errors, each a file and a label, ask for: the changed files with their texts.
    fn declared(texts: &[(&str, &str)], errors: &[(&str, &str)]) -> Vec<(String, String)> {
        let error = |(path, label): &(&str, &str)| {
            let path = ProjectPath::new(path).unwrap();
            let mut span = DiagnosticSpan::primary(&path, "use x;", ByteSpan::new(4, 5));
            span.label = Some((*label).to_owned());
            let code = Some("E0432".to_owned());
            Diagnostic { code, spans: vec![span], ..Diagnostic::new(Severity::Error, "unresolved") }
        };
        let errors: Vec<Diagnostic> = errors.iter().map(error).collect();
        let sources = texts.iter().map(|(path, _)| ProjectPath::new(path).unwrap()).collect();
        let texts: SortedMap<&str, &str> = texts.iter().copied().collect();
        let fixes = ModuleFiles::new(sources).propose(&errors, &Tree(texts.clone()));
        let Some(fix) = fixes.first() else { return Vec::new() };
        assert!(fixes.iter().all(|it| it.splices == fix.splices));
        let changed = |(path, splice): &(ProjectPath, Splice)| {
            let mut text = texts[path.as_str()].to_owned();
            text.replace_range(splice.span.start..splice.span.end, &splice.insert);
            (path.as_str().to_owned(), text)
        };
        fix.splices.iter().map(changed).collect()
    }

    fn one(path: &str, text: &str) -> Vec<(String, String)> {
        vec![(path.to_owned(), text.to_owned())]
    }

    const ROOT: &str = "could not find `a` in the crate root";
    const LOCAL: &str = "use of unresolved module or unlinked crate `b`";

    #[test]
    fn all_missing_modules_are_declared_in_one_change() {
        let lib = "mod m;\n#[cfg(f)]\nmod n;\nuse b::B;\n";
        let texts = [("src/lib.rs", lib), ("src/m.rs", ""), ("src/a.rs", ""), ("src/b/mod.rs", "")];
        assert_eq!(
            declared(&texts, &[("src/m.rs", ROOT), ("src/lib.rs", LOCAL)]),
            one("src/lib.rs", "mod m;\nmod a;\nmod b;\n#[cfg(f)]\nmod n;\nuse b::B;\n")
        );
    }

    #[test]
    fn a_module_is_declared_in_the_file_above_it() {
        let label = "could not find `a` in `m`";
        let texts =
            [("src/lib.rs", "pub mod m;\n"), ("src/m.rs", "pub mod x;\n"), ("src/m/a.rs", "")];
        let expected = one("src/m.rs", "pub mod x;\npub mod a;\n");
        assert_eq!(declared(&texts, &[("src/lib.rs", label)]), expected);
        let texts = [("src/lib.rs", "mod m;\n"), ("src/m/mod.rs", "use x;\n"), ("src/m/a.rs", "")];
        let expected = one("src/m/mod.rs", "mod a;\n\nuse x;\n");
        assert_eq!(declared(&texts, &[("src/lib.rs", label)]), expected);
    }

    #[test]
    fn a_declared_or_doubtful_or_missing_file_gives_nothing() {
        let user = [("src/m.rs", ROOT)];
        let declared_already = [("src/lib.rs", "mod a;"), ("src/m.rs", ""), ("src/a.rs", "")];
        assert_eq!(declared(&declared_already, &user), []);
        let two = [("src/lib.rs", ""), ("src/m.rs", ""), ("src/a.rs", ""), ("src/m/a.rs", "")];
        assert_eq!(declared(&two, &user), []);
        let elsewhere = [("src/lib.rs", ""), ("src/m.rs", ""), ("tests/a.rs", "")];
        assert_eq!(declared(&elsewhere, &user), []);
        let none = [("src/lib.rs", ""), ("src/m.rs", "")];
        assert_eq!(declared(&none, &user), []);
        let item = "no `a` in the root";
        let texts = [("src/lib.rs", ""), ("src/m.rs", ""), ("src/a.rs", "")];
        assert_eq!(declared(&texts, &[("src/m.rs", item)]), []);
    }
}
