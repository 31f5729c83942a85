//! The documented crates, modules and items as a tree.

use base::{EdgeKind, ItemKind, SortedMap, SortedSet, Tier};
use graph::{ItemView, Map};
use project::FileAccess;

use crate::map::CurrentMap;

/// All documented crates.
pub(crate) struct DocTree {
    pub(crate) crates: Vec<CrateDoc>,
}

/// One crate.
pub(crate) struct CrateDoc {
    pub(crate) version: String,
    /// Target kind: `lib`, `bin`, `proc-macro`.
    pub(crate) kind: String,
    /// Directory of its pages.
    pub(crate) folder: String,
    /// Modules by canonical path, the root first.
    pub(crate) modules: Vec<ModuleDoc>,
}

/// One module.
pub(crate) struct ModuleDoc {
    pub(crate) number: u32,
    /// Path within the crate; empty for the root.
    pub(crate) path: Vec<String>,
    pub(crate) visibility: String,
    pub(crate) docs: String,
    /// Items without modules and tests, in source order.
    pub(crate) items: Vec<ItemDoc>,
    /// Item numbers of `pub use` imports.
    pub(crate) exports: Vec<u32>,
    /// Item numbers of impls whose type is in another module.
    pub(crate) impls: Vec<u32>,
    /// Number of its file.
    pub(crate) file: u32,
    /// Number of tests.
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
    /// Implemented traits as written, with the item number of those in the workspace.
    pub(crate) traits: SortedMap<String, Option<u32>>,
    pub(crate) used: UseCounts,
}

/// Number of users of an item.
#[derive(Clone, Copy, Default)]
pub(crate) struct UseCounts {
    /// Items with a proven use, without tests.
    pub(crate) proven: usize,
    /// Items with only candidate uses, without tests.
    pub(crate) candidate: usize,
    /// Tests with a proven or candidate use.
    pub(crate) tests: usize,
}

impl DocTree {
    pub(crate) fn of(current: &CurrentMap<'_>) -> Self {
        let map = current.map();
        let containment = Containment::of(map);
        let documented: Vec<_> = map
            .crates()
            .filter(|krate| matches!(krate.kind, "lib" | "bin" | "proc-macro"))
            .collect();
        let mut folders = SortedSet::new();
        let mut crates = Vec::new();
        for krate in documented {
            let (package, target) = krate.name.split_once('/').unwrap_or((krate.name, krate.name));
            // Names have no dots, so directories of modules and crates cannot collide.
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
                modules: modules(current, &containment, krate.number, krate.root),
            });
        }
        Self { crates }
    }

    pub(crate) fn item_count(&self) -> usize {
        let modules = self.crates.iter().flat_map(|krate| &krate.modules);
        modules.flat_map(|module| &module.items).map(|item| 1 + item.members.len()).sum()
    }
}

/// Containment of items.
struct Containment {
    /// Direct members of modules, crates, impls, traits and enums.
    members: SortedMap<u32, Vec<u32>>,
    /// Impls of each type of the same crate.
    impls: SortedMap<u32, Vec<u32>>,
}

impl Containment {
    fn of(map: &Map) -> Self {
        let mut members: SortedMap<u32, Vec<u32>> = SortedMap::new();
        // Types by crate and name, with their modules: an impl may be in another module than its type.
        let mut types: SortedMap<(u32, String), Vec<(u32, u32)>> = SortedMap::new();
        let mut impls = Vec::new();
        for item in map.items() {
            let Some(container) = container(map, &item) else { continue };
            members.entry(container).or_default().push(item.number);
            match item.kind {
                ItemKind::Struct | ItemKind::Enum | ItemKind::Union => types
                    .entry((item.krate, item.name().into_owned()))
                    .or_default()
                    .push((container, item.number)),
                ItemKind::Impl => impls.push((container, item)),
                _ => {}
            }
        }
        let mut of_type: SortedMap<u32, Vec<u32>> = SortedMap::new();
        for (container, item) in impls {
            let header = item.name();
            let of = header.split_once(" for ").map_or(&*header, |(_, of)| of);
            let found = types.get(&(item.krate, base_name(of).to_owned()));
            let here =
                found.and_then(|found| found.iter().find(|(module, _)| *module == container));
            let alone = found.filter(|found| found.len() == 1).and_then(|found| found.first());
            if let Some((_, number)) = here.or(alone) {
                of_type.entry(*number).or_default().push(item.number);
            }
        }
        Self { members, impls: of_type }
    }

    /// Whether the type of an impl is in the same module.
    fn is_beside_its_type(&self, block: u32, module: u32) -> bool {
        self.members(module)
            .iter()
            .any(|item| self.impls.get(item).is_some_and(|blocks| blocks.contains(&block)))
    }

    fn members(&self, number: u32) -> &[u32] {
        self.members.get(&number).map_or(&[], Vec::as_slice)
    }
}

/// The container of an item, without macro calls and files.
fn container(map: &Map, item: &ItemView<'_>) -> Option<u32> {
    let mut parent = map.item(item.parent?)?;
    for _ in 0..64 {
        match parent.kind {
            ItemKind::MacroCall | ItemKind::File => parent = map.item(parent.parent?)?,
            _ => return Some(parent.number),
        }
    }
    None
}

/// The name of a type without path, reference and arguments: `Reader` for `&mut io::Reader<R>`.
fn base_name(text: &str) -> &str {
    let text = text.trim_start_matches(['&', ' ']);
    let text = text.strip_prefix("mut ").unwrap_or(text);
    let text = text.split(['<', ' ']).next().unwrap_or(text);
    text.rsplit("::").next().unwrap_or(text)
}

fn modules(
    current: &CurrentMap<'_>,
    containment: &Containment,
    krate: u32,
    root: u32,
) -> Vec<ModuleDoc> {
    let map = current.map();
    let mut by_path: SortedMap<Vec<String>, ModuleDoc> = SortedMap::new();
    for (item, canon) in map.items_with_canons() {
        let is_module = matches!(item.kind, ItemKind::Module | ItemKind::Crate);
        if item.krate != krate || !is_module || item.flags.is_test || item.flags.is_local {
            continue;
        }
        let path: Vec<String> = canon.split("::").skip(1).map(str::to_owned).collect();
        let module = module(current, containment, &item, path.clone(), root);
        match by_path.get_mut(&path) {
            // Modules with the same path under different cfgs share one page.
            Some(other) => {
                other.items.extend(module.items);
                other.exports.extend(module.exports);
                other.impls.extend(module.impls);
                other.tests += module.tests;
                if other.docs.is_empty() {
                    other.docs = module.docs;
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
    current: &CurrentMap<'_>,
    containment: &Containment,
    item: &ItemView<'_>,
    path: Vec<String>,
    root: u32,
) -> ModuleDoc {
    let map = current.map();
    let members: Vec<ItemView<'_>> =
        containment.members(item.number).iter().filter_map(|number| map.item(*number)).collect();
    // A module in a separate file may have inner documentation there.
    let inner = match item.kind {
        ItemKind::Crate => Some(root),
        _ => members.iter().map(|member| member.file).find(|file| *file != item.file),
    };
    let file = inner.unwrap_or(item.file);
    let inner = inner.map(|file| current.inner_docs(file)).unwrap_or_default();
    let outer = match item.kind {
        ItemKind::Crate => String::new(),
        _ => current.docs(item, FileAccess::Person),
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
        items: members
            .iter()
            .filter(is_shown)
            .map(|item| item_doc(current, containment, item, false))
            .collect(),
        exports: members
            .iter()
            .filter(|item| item.kind == ItemKind::Import && item.visibility() == "pub")
            .map(|item| item.number)
            .collect(),
        impls: members
            .iter()
            .filter(|block| block.kind == ItemKind::Impl && !block.flags.is_test)
            .filter(|block| !containment.is_beside_its_type(block.number, item.number))
            .map(|block| block.number)
            .collect(),
        file,
        tests: tests_in(map, containment, item.number),
    }
}

/// The tests of a module, those in its test modules included.
fn tests_in(map: &Map, containment: &Containment, module: u32) -> usize {
    let members = containment.members(module).iter().filter_map(|number| map.item(*number));
    members
        .map(|item| match item.kind {
            ItemKind::Module if item.flags.is_test => tests_in(map, containment, item.number),
            ItemKind::Function => usize::from(item.flags.is_test),
            _ => 0,
        })
        .sum()
}

fn item_doc(
    current: &CurrentMap<'_>,
    containment: &Containment,
    item: &ItemView<'_>,
    in_trait: bool,
) -> ItemDoc {
    let map = current.map();
    let mut members = Vec::new();
    let mut traits: SortedMap<String, Option<u32>> = SortedMap::new();
    for number in containment.members(item.number) {
        members.extend(map.item(*number));
    }
    for number in containment.impls.get(&item.number).into_iter().flatten() {
        let Some(block) = map.item(*number) else { continue };
        match block.name().split_once(" for ") {
            Some((of, _)) => {
                traits.insert(of.to_owned(), None);
            }
            None => members
                .extend(containment.members(*number).iter().filter_map(|number| map.item(*number))),
        }
    }
    for edge in map.edges_out(item.number) {
        if edge.kind == EdgeKind::Implements
            && let Some(of) = map.item(edge.dst)
        {
            let name = of.name().into_owned();
            // The edge has `Read` where the impl's header has `io::Read`.
            let mut is_known = false;
            for (_, number) in
                traits.iter_mut().filter(|(known, _)| base_name(known) == base_name(&name))
            {
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
            item_doc(current, containment, member, of_public)
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
        is_public: in_trait || item.visibility() == "pub" || is_exported_macro(current, item),
        docs: current.docs(item, FileAccess::Person),
        members,
        traits,
        used: used(map, containment, item.number),
    }
}

fn is_exported_macro(current: &CurrentMap<'_>, item: &ItemView<'_>) -> bool {
    item.kind == ItemKind::Macro
        && current.describe(item, |it| it.before().contains("macro_export"))
}

/// Counts the users of an item.
fn used(map: &Map, containment: &Containment, number: u32) -> UseCounts {
    // A type's own impls do not count as users.
    let own = containment.impls.get(&number).map_or(&[][..], Vec::as_slice);
    let (mut proven, mut candidate, mut tests) =
        (SortedSet::new(), SortedSet::new(), SortedSet::new());
    for edge in map.edges_in(number) {
        if !matches!(edge.kind, EdgeKind::Calls | EdgeKind::Uses) || edge.src == number {
            continue;
        }
        let Some(user) = map.item(edge.src) else { continue };
        let is_own =
            own.contains(&edge.src) || user.parent.is_some_and(|parent| own.contains(&parent));
        // An import does not count as a use.
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
    UseCounts { proven: proven.len(), candidate, tests: tests.len() }
}
