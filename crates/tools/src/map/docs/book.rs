//! Which crates, modules and items the pages speak of, and what belongs together.

use std::collections::{BTreeMap, BTreeSet};

use base::{EdgeKind, Tier};
use graph::{ItemKind, ItemView, Map};

use crate::map::Fresh;

/// All that is documented.
pub(crate) struct Book {
    pub(crate) crates: Vec<CrateDoc>,
}

/// One crate.
pub(crate) struct CrateDoc {
    pub(crate) version: String,
    /// `lib`, `bin`, `proc-macro`.
    pub(crate) kind: String,
    /// The folder of its pages.
    pub(crate) folder: String,
    /// Its modules by canonical path, the root first.
    pub(crate) modules: Vec<ModuleDoc>,
}

/// One module.
pub(crate) struct ModuleDoc {
    pub(crate) number: u32,
    /// Its path within the crate: empty for the root.
    pub(crate) path: Vec<String>,
    pub(crate) visibility: String,
    pub(crate) docs: String,
    /// Its items without modules and tests, in the order of the sources.
    pub(crate) items: Vec<ItemDoc>,
    /// `pub use …`.
    pub(crate) exports: Vec<u32>,
    /// Impls of types that stand elsewhere.
    pub(crate) impls: Vec<u32>,
    /// The file that it is in.
    pub(crate) file: u32,
    /// How many tests stand in it.
    pub(crate) tests: usize,
}

/// One item.
pub(crate) struct ItemDoc {
    pub(crate) number: u32,
    pub(crate) kind: ItemKind,
    pub(crate) name: String,
    pub(crate) is_public: bool,
    pub(crate) docs: String,
    /// Methods, associated items and variants, by name.
    pub(crate) members: Vec<ItemDoc>,
    /// The traits that it implements, as written, with the number of those of the workspace.
    pub(crate) traits: BTreeMap<String, Option<u32>>,
    pub(crate) used: Used,
}

/// How often something is used.
#[derive(Clone, Copy, Default)]
pub(crate) struct Used {
    /// Items that certainly use it, tests not counted.
    pub(crate) proven: usize,
    /// Items that perhaps do.
    pub(crate) candidate: usize,
    /// Tests that use it, certainly or perhaps.
    pub(crate) tests: usize,
}

impl Book {
    pub(crate) fn of(fresh: &Fresh<'_>) -> Self {
        let map = fresh.map();
        let shelves = Shelves::of(map);
        let documented: Vec<_> = map
            .crates()
            .filter(|krate| matches!(krate.kind, "lib" | "bin" | "proc-macro"))
            .collect();
        let mut folders = BTreeSet::new();
        let mut crates = Vec::new();
        for krate in documented {
            let (package, target) = krate.name.split_once('/').unwrap_or((krate.name, krate.name));
            // A dot stands in no name, so no module's folder meets a crate's.
            let mut folder = match package.replace('-', "_") == target.replace('-', "_") {
                true => package.to_owned(),
                false => format!("{package}.{target}"),
            };
            if !folders.insert(folder.clone()) {
                folder = format!("{package}.{target}.{}", krate.kind);
                folders.insert(folder.clone());
            }
            crates.push(CrateDoc {
                version: krate.version.to_owned(),
                kind: krate.kind.to_owned(),
                folder,
                modules: modules(fresh, &shelves, krate.number, krate.root),
            });
        }
        Self { crates }
    }

    pub(crate) fn item_count(&self) -> usize {
        let modules = self.crates.iter().flat_map(|krate| &krate.modules);
        modules.flat_map(|module| &module.items).map(|item| 1 + item.members.len()).sum()
    }
}

/// What holds what.
struct Shelves {
    /// The items right below a module, crate, impl, trait or enum.
    held: BTreeMap<u32, Vec<u32>>,
    /// The impls of a type of the same crate.
    impls: BTreeMap<u32, Vec<u32>>,
}

impl Shelves {
    fn of(map: &Map) -> Self {
        let mut held: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        // Types by crate and name, with their modules: an impl need not stand beside its type.
        let mut types: BTreeMap<(u32, String), Vec<(u32, u32)>> = BTreeMap::new();
        let mut impls = Vec::new();
        for item in map.items() {
            let Some(holder) = holder(map, &item) else { continue };
            held.entry(holder).or_default().push(item.number);
            match item.kind {
                ItemKind::Struct | ItemKind::Enum | ItemKind::Union => types
                    .entry((item.krate, item.name().into_owned()))
                    .or_default()
                    .push((holder, item.number)),
                ItemKind::Impl => impls.push((holder, item)),
                _ => {}
            }
        }
        let mut of_type: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (holder, item) in impls {
            let header = item.name();
            let of = header.split_once(" for ").map_or(&*header, |(_, of)| of);
            let found = types.get(&(item.krate, bare(of).to_owned()));
            let here = found.and_then(|found| found.iter().find(|(module, _)| *module == holder));
            let alone = found.filter(|found| found.len() == 1).and_then(|found| found.first());
            if let Some((_, number)) = here.or(alone) {
                of_type.entry(*number).or_default().push(item.number);
            }
        }
        Self { held, impls: of_type }
    }

    /// Whether the type that an impl is of stands in the same module.
    fn is_beside_its_type(&self, block: u32, module: u32) -> bool {
        self.held(module)
            .iter()
            .any(|item| self.impls.get(item).is_some_and(|blocks| blocks.contains(&block)))
    }

    fn held(&self, number: u32) -> &[u32] {
        self.held.get(&number).map_or(&[], Vec::as_slice)
    }
}

/// What an item belongs to: macro calls that make items hold nothing themselves.
fn holder(map: &Map, item: &ItemView<'_>) -> Option<u32> {
    let mut parent = map.item(item.parent?)?;
    for _ in 0..64 {
        match parent.kind {
            ItemKind::MacroCall | ItemKind::File => parent = map.item(parent.parent?)?,
            _ => return Some(parent.number),
        }
    }
    None
}

/// `&mut io::Reader<R>` gives `Reader`.
fn bare(text: &str) -> &str {
    let text = text.trim_start_matches(['&', ' ']);
    let text = text.strip_prefix("mut ").unwrap_or(text);
    let text = text.split(['<', ' ']).next().unwrap_or(text);
    text.rsplit("::").next().unwrap_or(text)
}

fn modules(fresh: &Fresh<'_>, shelves: &Shelves, krate: u32, root: u32) -> Vec<ModuleDoc> {
    let map = fresh.map();
    let mut by_path: BTreeMap<Vec<String>, ModuleDoc> = BTreeMap::new();
    for (item, canon) in map.items_with_canons() {
        let is_module = matches!(item.kind, ItemKind::Module | ItemKind::Crate);
        if item.krate != krate || !is_module || item.flags.is_test || item.flags.is_local {
            continue;
        }
        let path: Vec<String> = canon.split("::").skip(1).map(str::to_owned).collect();
        let module = module(fresh, shelves, &item, path.clone(), root);
        match by_path.get_mut(&path) {
            // Twins by cfg are one page; what they hold stands there together.
            Some(twin) => {
                twin.items.extend(module.items);
                twin.exports.extend(module.exports);
                twin.impls.extend(module.impls);
                twin.tests += module.tests;
                if twin.docs.is_empty() {
                    twin.docs = module.docs;
                }
            }
            None => {
                by_path.insert(path, module);
            }
        }
    }
    by_path.into_values().collect()
}

fn module(
    fresh: &Fresh<'_>,
    shelves: &Shelves,
    item: &ItemView<'_>,
    path: Vec<String>,
    root: u32,
) -> ModuleDoc {
    let map = fresh.map();
    let held: Vec<ItemView<'_>> =
        shelves.held(item.number).iter().filter_map(|number| map.item(*number)).collect();
    // A module in a file of its own is documented there too.
    let inner = match item.kind {
        ItemKind::Crate => Some(root),
        _ => held.iter().map(|held| held.file).find(|file| *file != item.file),
    };
    let file = inner.unwrap_or(item.file);
    let inner = inner.map(|file| fresh.inner_docs(file)).unwrap_or_default();
    let outer = match item.kind {
        ItemKind::Crate => String::new(),
        _ => fresh.docs(item),
    };
    let docs = [outer, inner].iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>();
    let is_shown = |item: &&ItemView<'_>| {
        !item.flags.is_test
            && !item.flags.is_local
            && !matches!(
                item.kind,
                ItemKind::Module
                    | ItemKind::Impl
                    | ItemKind::Import
                    | ItemKind::MacroCall
                    | ItemKind::Crate
                    | ItemKind::File
                    | ItemKind::Feature
                    | ItemKind::External
            )
    };
    ModuleDoc {
        number: item.number,
        path,
        visibility: item.visibility().to_owned(),
        docs: docs.join("\n\n"),
        items: held
            .iter()
            .filter(is_shown)
            .map(|item| item_doc(fresh, shelves, item, false))
            .collect(),
        exports: held
            .iter()
            .filter(|item| item.kind == ItemKind::Import && item.visibility() == "pub")
            .map(|item| item.number)
            .collect(),
        impls: held
            .iter()
            .filter(|block| block.kind == ItemKind::Impl && !block.flags.is_test)
            .filter(|block| !shelves.is_beside_its_type(block.number, item.number))
            .map(|block| block.number)
            .collect(),
        file,
        tests: tests_in(map, shelves, item.number),
    }
}

/// The tests of a module, those in its test modules included.
fn tests_in(map: &Map, shelves: &Shelves, module: u32) -> usize {
    let held = shelves.held(module).iter().filter_map(|number| map.item(*number));
    held.map(|item| match item.kind {
        ItemKind::Module if item.flags.is_test => tests_in(map, shelves, item.number),
        ItemKind::Function => usize::from(item.flags.is_test),
        _ => 0,
    })
    .sum()
}

fn item_doc(fresh: &Fresh<'_>, shelves: &Shelves, item: &ItemView<'_>, in_trait: bool) -> ItemDoc {
    let map = fresh.map();
    let mut members = Vec::new();
    let mut traits: BTreeMap<String, Option<u32>> = BTreeMap::new();
    for number in shelves.held(item.number) {
        members.extend(map.item(*number));
    }
    for number in shelves.impls.get(&item.number).into_iter().flatten() {
        let Some(block) = map.item(*number) else { continue };
        match block.name().split_once(" for ") {
            Some((of, _)) => {
                traits.insert(of.to_owned(), None);
            }
            None => {
                members.extend(shelves.held(*number).iter().filter_map(|number| map.item(*number)))
            }
        }
    }
    for edge in map.edges_out(item.number) {
        if edge.kind == EdgeKind::Implements
            && let Some(of) = map.item(edge.dst)
        {
            let name = of.name().into_owned();
            // `Read` of the edge is `io::Read` of the impl's header.
            let mut is_known = false;
            for (_, number) in traits.iter_mut().filter(|(known, _)| bare(known) == bare(&name)) {
                *number = Some(of.number);
                is_known = true;
            }
            if !is_known {
                traits.insert(name, Some(of.number));
            }
        }
    }
    let in_trait_itself = item.kind == ItemKind::Trait;
    let is_member = |member: &ItemView<'_>| {
        !member.flags.is_test
            && !member.flags.is_local
            && !matches!(member.kind, ItemKind::MacroCall | ItemKind::Import | ItemKind::Impl)
    };
    let mut members: Vec<ItemDoc> = members
        .iter()
        .filter(|member| is_member(member))
        .map(|member| {
            let of_public = in_trait_itself || member.kind == ItemKind::Variant;
            item_doc(fresh, shelves, member, of_public)
        })
        .collect();
    members.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    if matches!(item.kind, ItemKind::Function | ItemKind::Method) {
        members.clear();
    }
    ItemDoc {
        number: item.number,
        kind: item.kind,
        name: item.name().into_owned(),
        is_public: in_trait || item.visibility() == "pub" || is_exported_macro(fresh, item),
        docs: fresh.docs(item),
        members,
        traits,
        used: used(map, shelves, item.number),
    }
}

fn is_exported_macro(fresh: &Fresh<'_>, item: &ItemView<'_>) -> bool {
    item.kind == ItemKind::Macro && fresh.describe(item, |it| it.before().contains("macro_export"))
}

/// Who names or calls it.
fn used(map: &Map, shelves: &Shelves, number: u32) -> Used {
    // What a type's own impls say of it is no use.
    let own = shelves.impls.get(&number).map_or(&[][..], Vec::as_slice);
    let (mut proven, mut candidate, mut tests) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for edge in map.edges_in(number) {
        if !matches!(edge.kind, EdgeKind::Calls | EdgeKind::Uses) || edge.src == number {
            continue;
        }
        let Some(user) = map.item(edge.src) else { continue };
        let is_own =
            own.contains(&edge.src) || user.parent.is_some_and(|parent| own.contains(&parent));
        // Bringing a name into scope is no use of it.
        if is_own || user.kind == ItemKind::Import {
            continue;
        }
        let kind = map.krate(user.krate).map_or("", |krate| krate.kind);
        let of = match (user.flags.is_test || matches!(kind, "test" | "bench"), edge.tier) {
            (true, _) => &mut tests,
            (false, Tier::Proven) => &mut proven,
            (false, Tier::Candidate) => &mut candidate,
        };
        of.insert(edge.src);
    }
    let candidate = candidate.difference(&proven).count();
    Used { proven: proven.len(), candidate, tests: tests.len() }
}
