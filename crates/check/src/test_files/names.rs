//! Data files that only test code names, by the string literals of all Rust files, and pages that
//! documentation includes.

use base::{ProjectPath, SortedMap, SortedSet};
use preserve::{TestFiles, normal, text_literals};

use super::modules::Modules;

/// Most names for which a text is searched before its literals are read.
const MAX_SEARCHED: usize = 64;

/// The uses of a data file that literals show.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// Test code names the file, with a path that leads to it.
    in_tests: bool,
    /// Test code has a literal that is the name alone.
    name_in_tests: bool,
    /// Test code names its folder.
    folder_in_tests: bool,
    /// Other code has the name.
    elsewhere: bool,
}

/// Finds those of `data` that test code names, and no other code.
pub(super) fn only_in_tests(
    modules: &mut Modules<'_, '_>,
    data: &SortedSet<ProjectPath>,
) -> Vec<ProjectPath> {
    let mut all = DataFiles::new(data);
    let names: SortedSet<&str> = data.iter().map(ProjectPath::file_name).collect();
    all.add_all(modules, &names);
    for (file, uses) in &mut all.files {
        uses.in_tests |= uses.name_in_tests && is_in_package_root(modules, file);
    }
    // A name alone may be that of a file in another folder.
    let by_name = all.files.iter().filter(|it| it.1.name_in_tests && it.1.is_open());
    let folders: SortedSet<&str> = by_name.filter_map(|it| folder_name(it.0)).collect();
    all.add_all(modules, &folders);
    let is_test = |it: &Uses| it.in_tests || it.name_in_tests && it.folder_in_tests;
    let found = all.files.into_iter().filter(|it| is_test(&it.1) && !it.1.elsewhere);
    found.map(|it| it.0.clone()).collect()
}

/// Finds those of `pages` that documentation includes.
pub(super) fn in_documentation(
    modules: &mut Modules<'_, '_>,
    pages: &[&ProjectPath],
) -> SortedSet<ProjectPath> {
    let mut found = SortedSet::new();
    if pages.is_empty() {
        return found;
    }
    let mut by_name: SortedMap<&str, Vec<&ProjectPath>> = SortedMap::new();
    for page in pages {
        by_name.entry(page.file_name()).or_default().push(page);
    }
    for path in modules.rust_files() {
        let Some(text) = modules.text(path) else { continue };
        let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
        for (_, literal) in TestFiles::included_pages(&text) {
            let named = normal(&format!("{folder}{literal}")).filter(|it| modules.has(it));
            let parts = last_parts(&literal);
            let candidates = parts.last().and_then(|it| by_name.get(it)).into_iter().flatten();
            // A path in parts names any file that ends with them.
            let is_it = |page: &ProjectPath| match &named {
                Some(named) => named == page,
                None => ends_with(page, &parts),
            };
            found.extend(candidates.filter(|it| is_it(it)).map(|it| (*it).clone()));
        }
    }
    found
}

impl Uses {
    /// Whether the name of the folder decides.
    fn is_open(&self) -> bool {
        !self.in_tests && !self.elsewhere
    }
}

/// The data files of a change, by the names of their folders and their own.
struct DataFiles<'d> {
    files: Vec<(&'d ProjectPath, Uses)>,
    by_name: SortedMap<&'d str, Vec<usize>>,
    by_folder: SortedMap<&'d str, Vec<usize>>,
}

impl<'d> DataFiles<'d> {
    fn new(data: &'d SortedSet<ProjectPath>) -> Self {
        let files = data.iter().map(|it| (it, Uses::default())).collect();
        let (mut by_name, mut by_folder) = (SortedMap::new(), SortedMap::new());
        for (at, file) in data.iter().enumerate() {
            by_name.entry(file.file_name()).or_insert_with(Vec::new).push(at);
            if let Some(folder) = folder_name(file) {
                by_folder.entry(folder).or_insert_with(Vec::new).push(at);
            }
        }
        Self { files, by_name, by_folder }
    }

    /// Adds the uses that the literals of all Rust files with one of these words are.
    fn add_all(&mut self, modules: &mut Modules<'_, '_>, words: &SortedSet<&str>) {
        if words.is_empty() {
            return;
        }
        for path in modules.rust_files() {
            let Some(text) = modules.text(path) else { continue };
            // An escape may be a part of a name.
            let has_escapes = || ["\\x", "\\u{"].iter().any(|it| text.contains(it));
            let has_word = || words.iter().any(|it| text.contains(it));
            if words.len() <= MAX_SEARCHED && !has_word() && !has_escapes() {
                continue;
            }
            let is_for_tests = modules.is_for_tests(path);
            for (literal, in_tests) in text_literals(path, &text) {
                self.add((path, literal.as_str()), in_tests || is_for_tests);
            }
        }
    }

    /// Adds the uses that a literal of a Rust file is.
    fn add(&mut self, (path, literal): (&ProjectPath, &str), in_tests: bool) {
        let parts = last_parts(literal);
        if in_tests {
            let folders = parts.iter().filter_map(|it| self.by_folder.get(it)).flatten();
            folders.for_each(|at| self.files[*at].1.folder_in_tests = true);
        }
        let named = parts.last().and_then(|it| self.by_name.get(it));
        for at in named.into_iter().flatten() {
            let (file, uses) = &mut self.files[*at];
            if !ends_with(file, &parts) {
                continue;
            }
            if in_tests {
                let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
                let leads = normal(&format!("{folder}{literal}")).as_ref() == Some(*file);
                uses.in_tests |= leads || parts.len() > 1;
                uses.name_in_tests = true;
            } else {
                uses.elsewhere = true;
            }
        }
    }
}

/// The parts of a path in a literal after the last one that is no name: `..`, or one with a place for
/// a value.
fn last_parts(literal: &str) -> Vec<&str> {
    let all: Vec<&str> = literal.split(['/', '\\']).filter(|it| !matches!(*it, "" | ".")).collect();
    let is_open = |it: &&str| *it == ".." || it.contains(['{', '$']);
    let first = all.iter().rposition(is_open).map_or(0, |it| it + 1);
    all[first..].to_vec()
}

/// Whether these are the last parts of the path of a file.
fn ends_with(file: &ProjectPath, parts: &[&str]) -> bool {
    let mut own = file.as_str().rsplit('/');
    parts.iter().rev().all(|it| own.next() == Some(*it))
}

/// The name of the folder of a file.
fn folder_name(file: &ProjectPath) -> Option<&str> {
    file.as_str().rsplit('/').nth(1)
}

/// Whether the file is where cargo runs the tests of a package.
fn is_in_package_root(modules: &Modules<'_, '_>, file: &ProjectPath) -> bool {
    let Some(folder) = file.parent() else { return true };
    normal(&format!("{folder}/Cargo.toml")).is_some_and(|it| modules.has(&it))
}
