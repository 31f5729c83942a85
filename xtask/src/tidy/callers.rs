//! Public items of the library crates that nothing else uses. The rule is lexical: a member of a type
//! is used where its name is called, anything else where a path or an import from its crate names it,
//! both in code that is no test and in a crate that depends on it. A name that several members have
//! hides all of them: the rule reports fewer, never others.
//!
//! A type, trait or constant in the signature of a used item is used, too. What the crate itself uses
//! may be public for tests of other crates and for integration tests. Start at [`inspect`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::names::Names;
use super::public_items::{Item, Kind, assigned_types, public_items, public_modules};
use super::{Manifest, Report, crates, sources};

/// The crates for development and tests: what only they use is listed and breaks no rule.
const DEVELOPMENT: &[&str] = &["eval", "train"];

/// The crates without callers by their nature: the program, and the kit of tests.
const WITHOUT_CALLERS: &[&str] = &["graftage", "testkit"];

/// Items that are public without a use in this workspace: crate, names, reason. At most 15 rows.
const ALLOWED: &[(&str, &[&str], &str)] = &[
    ("analyzer", &["hover"], "one question with its error, by which tests attack the session"),
    ("analyzer", &["over"], "tests talk to a server of their own over a socket"),
    ("check", &["with_limits", "with_strategy"], "tests and benches choose what settings cannot"),
    ("edit", &["byte_to_base", "line_to_overlay"], "both directions of the map of positions"),
    ("ingest", &["hydrate_with"], "tests merge a stored index of rust-analyzer"),
    ("ingest", &["ingest_file"], "the library's entry without a store"),
    (
        "memory",
        &["by_edge_type", "by_status", "parents", "would_create_cycle"],
        "the questions of a graph of relations are complete",
    ),
    ("model", &["requests"], "tests read what a scripted model was sent"),
    ("repo", &["arm", "passed", "rename_plainly"], "tests kill at each point of a change"),
    ("sandbox", &["with_scratch_root"], "tests attack folders of their own"),
    ("tool_schema", &["check_value"], "tests compare each answer with the schema of its tool"),
];

/// The public items of one crate, and the names in its sources by the kind of code.
#[derive(Default)]
struct Crate {
    items: Vec<Item>,
    /// Library outside of tests.
    library: Names,
    /// Programs, which use the library from outside.
    programs: Names,
    /// Unit tests.
    unit_tests: Names,
    /// Integration tests, benches and examples.
    outer_tests: Names,
    /// Types that implementations of traits assign: public as the implementation is.
    assigned: BTreeSet<String>,
    /// Public modules, which may begin a path as the crate does.
    modules: BTreeSet<String>,
    /// Crates of the workspace that it depends on, those of tests left out.
    dependencies: BTreeSet<String>,
}

/// Reports public items without a caller, and those that only their own crate uses.
pub(super) fn inspect(root: &Path, files: &[sources::File], report: &mut Report) {
    let found = read(root, files);
    let rows = ALLOWED.iter().flat_map(|(krate, names, _)| names.iter().map(|it| (*krate, *it)));
    let mut unused: BTreeSet<(&str, &str)> = rows.collect();
    let allowed = unused.clone();
    let mut development: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in found.keys().filter(|name| !WITHOUT_CALLERS.contains(&name.as_str())) {
        for finding in findings(name, &found) {
            let row = (name.as_str(), finding.item.name.as_str());
            unused.remove(&row);
            match finding.lack {
                Lack::Product(users) => {
                    development.entry(users).or_default().push(format!("{}::{}", row.0, row.1));
                }
                _ if allowed.contains(&row) => {}
                Lack::Caller | Lack::OtherCrate => report.problems.push(finding.message()),
            }
        }
    }
    for (users, items) in development {
        let (count, items) = (items.len(), items.join(", "));
        report.warnings.push(format!("{count} public items are used by {users} only: {items}"));
    }
    for (krate, name) in unused {
        report.problems.push(format!(
            "xtask/src/tidy/callers.rs: `{krate}::{name}` is used or gone: remove it from the list"
        ));
    }
}

/// The crates by name.
fn read(root: &Path, files: &[sources::File]) -> BTreeMap<String, Crate> {
    let mut found: BTreeMap<String, Crate> = BTreeMap::new();
    for name in crates(root) {
        let mut krate = Crate::default();
        let manifest = Manifest::read(&root.join("crates").join(&name).join("Cargo.toml"));
        let dependencies = manifest.map(|it| it.dependencies()).unwrap_or_default();
        krate.dependencies =
            dependencies.into_iter().filter(|it| !it.2).map(|(name, _, _)| name).collect();
        found.insert(name, krate);
    }
    fill(&mut found, files);
    found
}

/// Adds the items and names of the files to their crates.
fn fill(found: &mut BTreeMap<String, Crate>, files: &[sources::File]) {
    let of = |file: &sources::File| file.path.split('/').nth(1).unwrap_or_default().to_owned();
    for file in files {
        if let Some(krate) = found.get_mut(&of(file)) {
            krate.modules.extend(public_modules(&file.source).map(str::to_owned));
        }
    }
    let modules = found.values().flat_map(|krate| &krate.modules);
    let roots: BTreeSet<String> = found.keys().chain(modules).cloned().collect();
    for file in files {
        if let Some(krate) = found.get_mut(&of(file)) {
            krate.add(file, &of(file), &roots);
        }
    }
}

impl Crate {
    fn add(&mut self, file: &sources::File, name: &str, roots: &BTreeSet<String>) {
        let sources::File { path, source, is_test, .. } = file;
        let folder = format!("crates/{name}/src/");
        if !path.starts_with(&folder) {
            self.outer_tests.add(source, roots, |_| true);
            return;
        }
        self.unit_tests.add(source, roots, |line| *is_test || source.test[line]);
        let is_code = |line: usize| !is_test && !source.test[line];
        let inner = path.trim_start_matches(&folder);
        if inner == "main.rs" || inner.starts_with("bin/") {
            self.programs.add(source, roots, is_code);
        } else if !is_test {
            self.library.add(source, roots, is_code);
            self.assigned.extend(assigned_types(source));
            self.items.extend(public_items(path, source));
        }
    }

    /// The names of its code.
    fn code(&self) -> [&Names; 2] {
        [&self.library, &self.programs]
    }
}

/// The use that an item lacks.
enum Lack {
    /// Nothing but tests names it.
    Caller,
    /// Nothing outside of its crate names it.
    OtherCrate,
    /// Only these crates for development use it.
    Product(String),
}

struct Finding<'a> {
    item: &'a Item,
    lack: Lack,
}

impl Finding<'_> {
    fn message(&self) -> String {
        let Item { path, line, name, .. } = self.item;
        let lack = match &self.lack {
            Lack::Caller => "has no caller but tests: delete it, or give it one",
            Lack::OtherCrate => "is used in its own crate only: make it `pub(crate)`",
            Lack::Product(users) => {
                return format!("{path}:{line}: `{name}` is used by {users} only");
            }
        };
        format!("{path}:{line}: `{name}` {lack}")
    }
}

fn findings<'a>(name: &'a str, all: &'a BTreeMap<String, Crate>) -> Vec<Finding<'a>> {
    let Some(krate) = all.get(name) else { return Vec::new() };
    let users = dependents(name, all);
    let roots = Roots::of(name, krate, all);
    let named_by = |item: &Item| -> Vec<&str> {
        let named = |names: &&Names| roots.is_named(item, names);
        let users = users.iter().filter(|user| all[**user].code().iter().any(named)).copied();
        users.chain(named(&&krate.programs).then_some(name)).collect()
    };
    let is_product = |user: &&str| !DEVELOPMENT.contains(user) || *user == name;
    // Tests of other crates, and the integration tests of this one, need what is public.
    let tests = all.iter().flat_map(|(other, it)| {
        let is_user = users.contains(other.as_str());
        let kit = if other == "testkit" { it.code().to_vec() } else { Vec::new() };
        kit.into_iter().chain([&it.outer_tests]).chain(is_user.then_some(&it.unit_tests))
    });
    let tests: Vec<&Names> = tests.collect();
    let is_tested = |item: &Item| tests.iter().any(|tests| roots.is_named(item, tests));
    let used_in_product = used(krate, |item| named_by(item).iter().any(is_product));
    let used_anywhere = used(krate, |item| !named_by(item).is_empty());
    let seen = used(krate, |item| is_tested(item) || !named_by(item).is_empty());
    let mut defined: BTreeMap<&str, usize> = BTreeMap::new();
    for item in krate.items.iter().filter(|item| item.kind != Kind::Reexport) {
        *defined.entry(&item.name).or_default() += 1;
    }
    let is_called = |item: &Item| match item.kind {
        Kind::Function => krate.library.called.contains(&item.name),
        Kind::Type | Kind::Constant | Kind::Reexport => {
            krate.library.words.get(&item.name) > defined.get(&*item.name)
        }
    };
    let lack = |(at, item): (usize, &'a Item)| {
        let lack = match (used_anywhere[at], used_in_product[at]) {
            (_, true) => return None,
            (true, false) => Lack::Product(named_by(item).join(" and ")),
            (false, false) if !is_called(item) => Lack::Caller,
            (false, false) if seen[at] => return None,
            (false, false) => Lack::OtherCrate,
        };
        Some(Finding { item, lack })
    };
    krate.items.iter().enumerate().filter_map(lack).collect()
}

/// The first words of the paths to the items of a crate.
struct Roots<'a> {
    /// The crate and its public modules.
    own: Vec<&'a str>,
    /// The crates that re-export an item, by its name.
    others: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Roots<'a> {
    fn of(name: &'a str, krate: &'a Crate, all: &'a BTreeMap<String, Crate>) -> Self {
        let own = krate.modules.iter().map(String::as_str).chain([name]).collect();
        let mut others: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (other, krate) in all {
            let passed_on = |it: &&Item| it.kind == Kind::Reexport && it.signature.contains(name);
            for item in krate.items.iter().filter(passed_on) {
                others.entry(&item.name).or_default().push(other);
            }
        }
        Self { own, others }
    }

    /// Whether names contain an item: a member by its name alone, anything else by a path.
    fn is_named(&self, item: &Item, names: &Names) -> bool {
        match (item.is_member, item.kind) {
            (true, Kind::Function) => return names.called.contains(&item.name),
            (true, _) => return names.words.contains_key(&item.name),
            (false, _) => {}
        }
        let others = self.others.get(item.name.as_str()).into_iter().flatten();
        let mut roots = self.own.iter().chain(others);
        roots.any(|root| names.paths.contains(&((*root).to_owned(), item.name.clone())))
    }
}

/// Whether each item is used: those that `is_named` accepts, and the types, traits and constants in the
/// signatures of used items.
fn used(krate: &Crate, is_named: impl Fn(&Item) -> bool) -> Vec<bool> {
    let mut used: Vec<bool> = krate.items.iter().map(is_named).collect();
    let mut signature: BTreeSet<&str> = krate.assigned.iter().map(String::as_str).collect();
    loop {
        let before = signature.len();
        for (item, used) in krate.items.iter().zip(&mut used) {
            let can_be_part = matches!(item.kind, Kind::Type | Kind::Constant);
            *used |= can_be_part && signature.contains(item.name.as_str());
            if *used {
                signature.extend(item.signature.iter().map(String::as_str));
            }
        }
        if signature.len() == before {
            return used;
        }
    }
}

/// The crates that depend on a crate, directly or through others.
fn dependents<'a>(name: &str, all: &'a BTreeMap<String, Crate>) -> BTreeSet<&'a str> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    loop {
        let before = found.len();
        for (other, krate) in all {
            let depends = |it: &String| it == name || found.contains(it.as_str());
            if other != "testkit" && krate.dependencies.iter().any(depends) {
                found.insert(other);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source::Source;

    /// The findings on files of the crates `edit`, `tools`, which depends on it, and `eval`, which
    /// depends on both.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let krate = |dependencies: &[&str]| Crate {
            dependencies: dependencies.iter().map(|name| (*name).to_owned()).collect(),
            ..Crate::default()
        };
        let mut all = BTreeMap::from([
            ("edit".to_owned(), krate(&[])),
            ("tools".to_owned(), krate(&["edit"])),
            ("eval".to_owned(), krate(&["tools"])),
        ]);
        let file = |(path, text): &(&str, &str)| sources::File {
            path: format!("crates/{path}"),
            text: (*text).to_owned(),
            source: Source::parse(text),
            is_test: path.contains("/tests/"),
        };
        fill(&mut all, &files.iter().map(file).collect::<Vec<_>>());
        findings("edit", &all).iter().map(Finding::message).collect()
    }

    const LIB: &str = "mod a;\npub use a::{Plan, apply};\n";

    #[test]
    fn an_item_that_another_crate_names_is_used_with_the_types_of_its_signature() {
        let a = "pub struct Plan {\n    pub part: Part,\n}\npub enum Part {}\npub fn apply() {}\n";
        let user = "use edit::{Plan, apply};\nfn f() { apply(); }\n";
        assert_eq!(
            found(&[("edit/src/lib.rs", LIB), ("edit/src/a.rs", a), ("tools/src/lib.rs", user)]),
            [""; 0]
        );
        // A word that is no path of the crate is no use.
        let other = "struct Plan;\nfn f() { apply(); }\n";
        assert_eq!(
            found(&[("edit/src/lib.rs", LIB), ("edit/src/a.rs", a), ("tools/src/lib.rs", other)]),
            [
                "crates/edit/src/a.rs:1: `Plan` has no caller but tests: delete it, or give it one",
                "crates/edit/src/a.rs:4: `Part` is used in its own crate only: make it `pub(crate)`",
                "crates/edit/src/a.rs:5: `apply` has no caller but tests: delete it, or give it one",
            ]
        );
    }

    #[test]
    fn a_re_export_is_no_use_and_is_followed() {
        let edit = [("edit/src/lib.rs", LIB), ("edit/src/a.rs", "pub fn apply() {}\n")];
        let tools = ("tools/src/lib.rs", "pub use edit::apply;\n");
        assert_eq!(found(&[edit[0], edit[1], tools]).len(), 1);
        let user = ("eval/src/lib.rs", "fn f() { tools::apply(); }\n");
        assert_eq!(
            found(&[edit[0], edit[1], tools, user]),
            ["crates/edit/src/a.rs:1: `apply` is used by eval only"]
        );
    }

    #[test]
    fn tests_are_no_callers_but_need_what_the_crate_itself_uses() {
        let a = "impl Plan {\n    pub fn inner(&self) {}\n    pub fn outer(&self) { self.inner() }\n}\n";
        let edit = [("edit/src/lib.rs", "mod a;\n"), ("edit/src/a.rs", a)];
        let test = ("edit/tests/it.rs", "fn f(x: X) { x.inner(); x.outer(); }\n");
        let outer =
            "crates/edit/src/a.rs:3: `outer` has no caller but tests: delete it, or give it one";
        assert_eq!(found(&[edit[0], edit[1], test]), [outer]);
        let inner =
            "crates/edit/src/a.rs:2: `inner` is used in its own crate only: make it `pub(crate)`";
        assert_eq!(
            found(&edit),
            [outer, inner].map(str::to_owned).into_iter().rev().collect::<Vec<_>>()
        );
    }
}
