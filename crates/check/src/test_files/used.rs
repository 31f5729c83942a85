//! The names of a change that tests of the tree use for something else, and the modules with tests that it
//! leaves out.

use base::ProjectPath;
use preserve::{TestFiles, TestNames, TomlText};

use super::modules::{Modules, module_name};
use super::texts::{Side, Texts};

/// Those of `open` that matter: methods that tests call, dependencies that they name, modules with tests
/// whose files stay.
pub(super) fn in_tests(texts: &mut Texts<'_>, open: TestNames) -> TestNames {
    if open.is_empty() {
        return open;
    }
    let TestNames { methods, crates, modules } = open;
    let crates = match crates.is_empty() {
        true => crates,
        false => {
            let known = dependencies(texts);
            crates.into_iter().filter(|it| known.contains(it)).collect()
        }
    };
    let mut found = lost(texts, modules);
    let wanted = TestNames { methods, crates, ..TestNames::default() };
    if wanted.is_empty() {
        return found;
    }
    let files = texts.rust_files();
    let mut modules = Modules::new(texts, Side::Before);
    for path in files {
        let Some(text) = modules.text(path) else { continue };
        let used = wanted.used(path, &text, true);
        if used.is_empty() {
            continue;
        }
        let is_for_tests = modules.is_for_tests(path);
        found.extend(if is_for_tests { used } else { wanted.used(path, &text, false) });
    }
    found
}

/// The names of all dependencies of the manifests, as paths name them.
fn dependencies(texts: &mut Texts<'_>) -> Vec<String> {
    let manifests = texts.manifests();
    let mut found = Vec::new();
    for path in manifests {
        let Some(text) = texts.text(path, Side::Before) else { continue };
        for (key, _) in TomlText::of_broken(&text).iter() {
            let parts = key.parts();
            let is_table = |it: &String| it.ends_with("dependencies");
            let name = parts.iter().position(is_table).and_then(|at| parts.get(at + 1));
            found.extend(name.map(|it| it.replace('-', "_")));
        }
    }
    found
}

/// The modules of which the file stays, has tests or modules of its own, and is declared by no file any more.
fn lost(texts: &mut Texts<'_>, open: impl IntoIterator<Item = (ProjectPath, String)>) -> TestNames {
    let mut found = TestNames::default();
    for (declarer, name) in open {
        let folder = declarer.parent().map_or_else(String::new, |it| format!("{it}/"));
        let is_it = |it: &&ProjectPath| module_name(it) == name && it.as_str().starts_with(&folder);
        let files: Vec<&ProjectPath> = texts.rust_files().into_iter().filter(is_it).collect();
        let mut after = Modules::new(texts, Side::After);
        let mut is_lost = |path: &ProjectPath| {
            let has_tests =
                after.text(path).is_some_and(|text| TestFiles::may_have_tests(path, &text));
            has_tests && !after.is_declared(path)
        };
        if files.into_iter().any(&mut is_lost) {
            found.modules.insert((declarer, name));
        }
    }
    found
}
