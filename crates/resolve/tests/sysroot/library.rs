//! The sources of the standard library, read and resolved like a workspace of three crates, and the
//! paths under which their items are public.

use std::path::Path;
use std::sync::Arc;

use base::{ItemKind, ProjectPath, SortedMap, SortedSet};
use graftage_resolve::{
    CfgSet, CrateIdx, CrateInput, Def, DefId, DefMap, Dependency, Deps, Existence, FileInput,
    Namespace, Resolution, WorkspaceInput,
};
use syntax::Item;
use syntax::facts::{Shape, UseWhat};

/// The crates, and the crates that each can name.
const CRATES: [(&str, &[&str]); 3] =
    [("core", &[]), ("alloc", &["core"]), ("std", &["core", "alloc"])];

/// The host whose items are declared.
const FLAGS: [&str; 2] = ["unix", "panic_unwind"];
const VALUES: [(&str, &[&str]); 10] = [
    ("target_arch", &["x86_64"]),
    ("target_endian", &["little"]),
    ("target_env", &["gnu"]),
    ("target_family", &["unix"]),
    ("target_has_atomic", &["8", "16", "32", "64", "ptr"]),
    ("target_has_atomic_load_store", &["8", "16", "32", "64", "ptr"]),
    ("target_has_atomic_primitive_alignment", &["8", "16", "32", "64", "ptr"]),
    ("target_os", &["linux"]),
    ("target_pointer_width", &["64"]),
    ("panic", &["unwind"]),
];

/// Public modules without stable items.
const SKIPPED: [&str; 3] = ["arch", "intrinsics", "simd"];

/// The resolved sources.
pub(crate) struct Library {
    pub(crate) map: DefMap,
    /// The public path of each item below `std`, without `std`; of items that only signatures of
    /// others name, a path in the module `unnameable`.
    pub(crate) paths: SortedMap<DefId, Vec<String>>,
    /// Other public names: by module path, name and item.
    pub(crate) aliases: SortedMap<Vec<String>, SortedMap<String, Vec<String>>>,
    /// The items in each module.
    children: SortedMap<DefId, Vec<DefId>>,
    /// The exported macros, by module path.
    pub(crate) macros: SortedSet<(Vec<String>, String)>,
}

impl Library {
    /// Reads `library/{core,alloc,std}` of rust-src.
    pub(crate) fn read(sources: &Path) -> Self {
        let mut files: Vec<(String, String)> = Vec::new();
        for (name, _) in CRATES {
            collect(&sources.join(name).join("src"), &format!("{name}/src"), &mut files);
        }
        files.sort();
        let number = |path: &str| files.iter().position(|(it, _)| it == path).unwrap() as u32;
        let crates = CRATES.iter().map(|(name, dependencies)| CrateInput {
            name: format!("{name}/{name}"),
            extern_name: (*name).to_owned(),
            root: number(&format!("{name}/src/lib.rs")),
            edition: 2024,
            cfg: cfg(),
            dependencies: dependencies
                .iter()
                .map(|name| Dependency {
                    name: (*name).to_owned(),
                    to: CRATES.iter().position(|it| it.0 == *name).map(|it| CrateIdx(it as u32)),
                })
                .collect(),
            is_proc_macro: false,
        });
        let crates = crates.collect();
        let files = files.iter().map(|(path, text)| FileInput {
            path: ProjectPath::new(path).unwrap(),
            facts: Arc::new(syntax::read(text)),
            text: Arc::from(text.as_str()),
        });
        let files = files.collect();
        let mut library = Self {
            map: DefMap::build(&WorkspaceInput { crates, files }),
            paths: SortedMap::new(),
            aliases: SortedMap::new(),
            macros: SortedSet::new(),
            children: SortedMap::new(),
        };
        let all: Vec<DefId> = library.map.ids().filter(|def| library.exists(*def)).collect();
        for def in all {
            let module = library.def(def).module;
            if module != def {
                library.children.entry(module).or_default().push(def);
            }
        }
        library.find_paths();
        library
    }

    /// Walks the public modules of `std`, those with the shortest paths first.
    fn find_paths(&mut self) {
        let root = self.map.crate_root(CrateIdx(2)).unwrap();
        let mut queue = vec![(root, Vec::new())];
        let mut at = 0;
        let mut modules = SortedMap::from([(root, Vec::new())]);
        while let Some((module, path)) = queue.get(at).cloned() {
            at += 1;
            let mut exports = self.exports(module, &mut SortedSet::new());
            if module == root {
                exports.extend(self.exported_macros(CrateIdx(2)));
            }
            // The prelude names items of other modules.
            exports.sort_by_key(|(name, _)| (name == "prelude", name.clone()));
            for (name, def) in exports {
                let mut full = path.clone();
                full.push(name.clone());
                match self.map.def(def).kind {
                    ItemKind::Macro => {
                        self.macros.insert((path.clone(), name));
                    }
                    ItemKind::Module | ItemKind::Crate if SKIPPED.contains(&name.as_str()) => {}
                    ItemKind::Module | ItemKind::Crate => {
                        if modules.insert(def, full.clone()).is_none() {
                            queue.push((def, full));
                        }
                    }
                    _ if path.is_empty() => {}
                    ItemKind::Variant => {
                        let of = self.map.def(def).parent.unwrap();
                        let Some(known) = self.paths.get(&of) else { continue };
                        let mut target = known.clone();
                        target.push(self.name(def));
                        self.aliases.entry(path.clone()).or_default().insert(name, target);
                    }
                    _ => match self.paths.get(&def) {
                        Some(known) if *known == full => {}
                        Some(known) => {
                            let known = known.clone();
                            self.aliases.entry(path.clone()).or_default().insert(name, known);
                        }
                        None => {
                            self.paths.insert(def, full);
                        }
                    },
                }
            }
        }
    }

    /// The stable public names of a module.
    fn exports(&self, module: DefId, seen: &mut SortedSet<DefId>) -> Vec<(String, DefId)> {
        if !seen.insert(module) {
            return Vec::new();
        }
        let mut all: SortedSet<(String, DefId)> = SortedSet::new();
        for def in self.children.get(&module).into_iter().flatten().copied() {
            let it = self.map.def(def);
            let Some((facts, item, decl)) = self.map.facts(def) else { continue };
            if it.kind == ItemKind::Import {
                if item.visibility == "pub" && is_stable(item) {
                    let uses = facts.uses.iter().filter(|used| used.item == it.item);
                    for used in uses {
                        self.imported(def, used, seen, &mut all);
                    }
                }
                continue;
            }
            let is_exported = matches!(decl.shape, Shape::MacroDef { is_exported: true });
            let is_named = it.parent.is_none() && it.name.is_some() && it.variant.is_none();
            if is_named && is_stable(item) && (item.visibility == "pub" || is_exported) {
                all.insert((self.name(def), def));
            }
        }
        all.into_iter().collect()
    }

    /// The stable macros that the modules of a crate export to its root.
    fn exported_macros(&self, krate: CrateIdx) -> Vec<(String, DefId)> {
        let is_exported = |def: &DefId| {
            let Some((_, item, decl)) = self.map.facts(*def) else { return false };
            let is_hidden = item.attributes.iter().any(|it| it.contains("doc(hidden)"));
            self.def(*def).krate == krate
                && matches!(decl.shape, Shape::MacroDef { is_exported: true })
                && is_stable(item)
                && !is_hidden
        };
        let all = self.children.values().flatten().copied().filter(is_exported);
        all.map(|def| (self.name(def), def)).collect()
    }

    fn imported(
        &self,
        import: DefId,
        used: &syntax::facts::Use,
        seen: &mut SortedSet<DefId>,
        all: &mut SortedSet<(String, DefId)>,
    ) {
        let file = self.map.def(import).file;
        let path: Vec<_> = used.path.iter().map(|it| self.map.file_symbol(file, *it)).collect();
        let scope = self.map.scope_of(import);
        for ns in [Namespace::Type, Namespace::Value, Namespace::Macro] {
            let mut deps = Deps::new();
            let found = self.map.resolve(&mut deps, &scope, &path, used.is_global, ns);
            let Resolution::Def(def) = found else { continue };
            if self.map.is_std(def) {
                continue;
            }
            match used.what {
                UseWhat::Name(name) => {
                    let name = self.map.name_of(self.map.file_symbol(file, name)).to_owned();
                    all.insert((name, def));
                }
                UseWhat::Glob if ns == Namespace::Type => {
                    all.extend(self.exports(def, seen));
                }
                _ => {}
            }
        }
    }

    pub(crate) fn def(&self, def: DefId) -> &Def {
        self.map.def(def)
    }

    pub(crate) fn name(&self, def: DefId) -> String {
        self.def(def).name.map_or(String::new(), |name| self.map.name_of(name).to_owned())
    }

    /// Whether an item of the three crates exists on the host.
    pub(crate) fn exists(&self, def: DefId) -> bool {
        let it = self.def(def);
        it.is_active && it.existence == Existence::Sure && !self.map.is_std(def)
    }
}

pub(crate) fn is_stable(item: &Item) -> bool {
    !item.attributes.iter().any(|text| text.replace(' ', "").starts_with("#[unstable"))
}

fn cfg() -> CfgSet {
    CfgSet {
        flags: FLAGS.iter().map(|it| (*it).to_owned()).collect(),
        values: VALUES
            .iter()
            .map(|(key, values)| {
                ((*key).to_owned(), values.iter().map(|it| (*it).to_owned()).collect())
            })
            .collect(),
    }
}

#[allow(clippy::disallowed_methods, reason = "the generator reads rust-src")]
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, &format!("{prefix}/{name}"), files);
        } else if name.ends_with(".rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            files.push((format!("{prefix}/{name}"), plain(&text)));
        }
    }
}

/// The text without the syntax of const traits, which the parser does not know; nothing that is
/// declared depends on it.
fn plain(text: &str) -> String {
    let changes = [
        ("[const] ", ""),
        ("impl const ", "impl "),
        ("const impl", "impl"),
        ("const trait ", "trait "),
        ("> const ", "> "),
        (": const ", ": "),
        ("+ const ", "+ "),
    ];
    let text = changes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    let names = ["<Item: ", "<IntoIter: ", "<Output: "];
    names.iter().fold(text, |text, name| without_bounds_of_types(&text, name))
}

/// The text with `I::Item: Bound` in place of `I: Iterator<Item: Bound>` in where clauses, and
/// without such a bound elsewhere.
fn without_bounds_of_types(text: &str, start: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(start) {
        let (before, after) = rest.split_at(at);
        let after = &after[start.len()..];
        let mut depth = 1_usize;
        let end = after.char_indices().find(|(at, ch)| {
            match ch {
                '<' => depth += 1,
                '>' if !after[..*at].ends_with('-') => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some((end, _)) = end else { break };
        let name = &start[1..start.len() - 2];
        out.push_str(before);
        let line = out.rsplit('\n').next().unwrap_or_default().trim_start();
        let subject = line.split(": ").next().unwrap_or_default().to_owned();
        if subject.len() < 3 && line.starts_with(char::is_uppercase) {
            let bound = after[..end].replace(", Item = U::Item", "");
            out.push_str(&format!(", {subject}::{name}: {bound}"));
        }
        rest = &after[end + 1..];
    }
    out + rest
}
