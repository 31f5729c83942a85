//! Reasoner: a crate that the manifest has for another kind of code, such as only for tests.

use base::{Diagnostic, ProjectPath, SortedMap};
use change::DependentCode;
use edit::{Files, TextEdit};

use crate::dependency_features::manifest_of;
use crate::fix::text_of;
use crate::phase::errors;
use crate::{Fix, Reasoner};

/// For a crate that the compiler does not find and that is a dependency of tests, of the build script or of the
/// product alone: the same entry in the table of the code that names it, all of one manifest in one change.
pub(crate) struct DependencyTables;

impl Reasoner for DependencyTables {
    fn name(&self) -> &'static str {
        "dependency-tables"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut wanted: SortedMap<ProjectPath, Vec<(usize, String, DependentCode)>> =
            SortedMap::new();
        for (seed, error) in errors(diagnostics) {
            let Some(name) = crate_name(error) else { continue };
            let Some(path) = error.user_span().and_then(|it| it.place.project()) else { continue };
            let dashed = name.replace('_', "-");
            let manifest = manifest_of(path, &name, files);
            let Some(manifest) = manifest.or_else(|| manifest_of(path, &dashed, files)) else {
                continue;
            };
            let Some(code) = code_at(error, path, &manifest, files) else { continue };
            wanted.entry(manifest).or_default().push((seed, name, code));
        }
        wanted
            .into_iter()
            .flat_map(|(manifest, list)| fixes(self, &manifest, &list, files))
            .collect()
    }
}

/// The crate that the compiler offers to add.
fn crate_name(error: &Diagnostic) -> Option<String> {
    let mut helps = error.children.iter().map(|it| it.message.as_str());
    let rest = helps.find_map(|it| it.split_once("use `cargo add "))?.1;
    rest.split_once('`').map(|it| it.0.replace('-', "_"))
}

/// The kind of code at the place of an error.
fn code_at(
    error: &Diagnostic,
    path: &ProjectPath,
    manifest: &ProjectPath,
    files: &dyn Files,
) -> Option<DependentCode> {
    let folder = manifest.as_str().strip_suffix("Cargo.toml")?;
    if path.as_str().strip_prefix(folder)? == "build.rs" {
        return Some(DependentCode::BuildScript);
    }
    let text = text_of(files, path)?;
    let at = error.user_span()?.bytes.start;
    Some(match preserve::is_dev_code(path, &text, at) {
        true => DependentCode::Tests,
        false => DependentCode::Product,
    })
}

/// One change of a manifest, once for each of its errors.
fn fixes(
    reasoner: &dyn Reasoner,
    manifest: &ProjectPath,
    list: &[(usize, String, DependentCode)],
    files: &dyn Files,
) -> Vec<Fix> {
    let Some(old) = text_of(files, manifest) else { return Vec::new() };
    let mut new = old.to_string();
    let mut added: Vec<(&str, DependentCode)> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut seeds: Vec<usize> = Vec::new();
    for (seed, name, code) in list {
        if added.contains(&(name, *code)) {
            seeds.push(*seed);
        } else if let Some((text, from)) = change::with_dependency_of_other(&new, name, *code) {
            new = text;
            names.push(format!("`{name}` of `[{from}]` to `[{}]`", code.table()));
            added.push((name, *code));
            seeds.push(*seed);
        }
    }
    let splices = TextEdit::diff(&old, &new).splices;
    if splices.is_empty() {
        return Vec::new();
    }
    let fix = Fix {
        splices: splices.into_iter().map(|it| (manifest.clone(), it)).collect(),
        rationale: format!("add {}", names.join(", ")),
        applicability: base::Applicability::MaybeIncorrect,
        reasoner: reasoner.name(),
        seed: 0,
        guesses: Vec::new(),
    };
    seeds.into_iter().map(|seed| Fix { seed, ..fix.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use base::SortedMap;

    use super::*;
    use crate::fake::{FakeError, Tree};

    const MANIFEST: &str = "[package]\nname = \"p\"\n\n[dev-dependencies]\nmy-quote = \"1\"\n";
    const TEXT: &str = "use my_quote::quote;\n";

    fn proposed(path: &str, name: &str) -> Vec<String> {
        let error = FakeError::new("E0432", "unresolved import `my_quote`")
            .at("use «my_quote»::")
            .note(&format!("if you wanted to use a crate named `{name}`, use `cargo add {name}` to add it to your `Cargo.toml`"), &[]);
        let mut error = error.build(TEXT);
        for span in &mut error.spans {
            span.place = base::DiagnosticFile::Project(ProjectPath::new(path).unwrap());
        }
        let files = Tree(SortedMap::from([(path, TEXT), ("Cargo.toml", MANIFEST)]));
        let apply = |fix: Fix| {
            let mut fixed = MANIFEST.to_owned();
            for (_, splice) in fix.splices.iter().rev() {
                fixed.replace_range(splice.span.start..splice.span.end, &splice.insert);
            }
            fixed
        };
        DependencyTables.propose(&[error], &files).into_iter().map(apply).collect()
    }

    #[test]
    fn a_crate_of_another_table_is_added_for_the_code_that_names_it() {
        let with = |table: &str| format!("{MANIFEST}\n[{table}]\nmy-quote = \"1\"\n");
        assert_eq!(proposed("build.rs", "my_quote"), [with("build-dependencies")]);
        assert_eq!(proposed("src/lib.rs", "my_quote"), [with("dependencies")]);
    }

    #[test]
    fn a_crate_that_the_code_has_or_no_table_has_is_not_added() {
        assert_eq!(proposed("tests/it.rs", "my_quote"), [""; 0]);
        assert_eq!(proposed("build.rs", "other"), [""; 0]);
    }
}
