//! Facts of documents from the map, precomputed: a search reads hundreds of documents, and this
//! avoids looking up paths and crates in the map.

use base::{EdgeKind, ItemKind};
use graph::{ItemView, Map};

/// A set of facts of a document, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts(u16);

impl Facts {
    pub(crate) const BLOCK: Facts = Facts(1);
    pub(crate) const MODULE: Facts = Facts(1 << 1);
    pub(crate) const CONSTANT: Facts = Facts(1 << 2);
    pub(crate) const TYPE: Facts = Facts(1 << 3);
    pub(crate) const MACRO: Facts = Facts(1 << 4);
    pub(crate) const BODILESS: Facts = Facts(1 << 5);
    pub(crate) const TEST: Facts = Facts(1 << 6);
    pub(crate) const GENERATED: Facts = Facts(1 << 7);
    pub(crate) const VENDORED: Facts = Facts(1 << 8);
    pub(crate) const PUBLIC: Facts = Facts(1 << 9);
    pub(crate) const REEXPORTED: Facts = Facts(1 << 11);
    pub(crate) const IMPLEMENTED: Facts = Facts(1 << 12);
    /// The document of a whole file; no item.
    pub(crate) const FILE: Facts = Facts(1 << 13);

    pub(super) fn from_bits(bits: [u8; 2]) -> Self {
        Self(u16::from_le_bytes(bits))
    }

    pub(super) fn bits(self) -> [u8; 2] {
        self.0.to_le_bytes()
    }

    /// Whether all of `facts` hold.
    #[inline]
    pub(crate) fn has(self, facts: Facts) -> bool {
        self.0 & facts.0 == facts.0
    }

    fn set(&mut self, fact: Facts, is_true: bool) {
        self.0 |= if is_true { fact.0 } else { 0 };
    }
}

/// Maximum number of lines that is stored; see the feature for a document's length.
const MOST_LINES: u32 = 255;

/// Computes facts, item by item.
pub(super) struct Finder<'a> {
    map: &'a Map,
    /// Whether a public import exports it, by item.
    reexported: Vec<bool>,
    /// The last file: its number and the facts of all its items.
    file: Option<(u32, Facts)>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(map: &'a Map) -> Self {
        let mut reexported = vec![false; map.item_count() as usize];
        let is_public = |item: &ItemView<'_>| {
            item.kind == ItemKind::Import && item.visibility().starts_with("pub")
        };
        for import in map.items().filter(is_public) {
            for edge in map.edges_out(import.number).filter(|edge| edge.kind == EdgeKind::Uses) {
                if let Some(slot) = reexported.get_mut(edge.dst as usize) {
                    *slot = true;
                }
            }
        }
        Self { map, reexported, file: None }
    }

    /// The facts of an item, and its number of lines, up to 255.
    pub(super) fn of(&mut self, item: u32) -> (Facts, u8) {
        let Some(view) = self.map.item(item) else { return Default::default() };
        let mut facts = self.of_file(view.file);
        let krate = self.map.krate(view.krate);
        let is_test_crate =
            krate.is_some_and(|krate| matches!(krate.kind, "test" | "bench" | "example"));
        let is_function = matches!(view.kind, ItemKind::Function | ItemKind::Method);
        facts.set(Facts::TEST, view.flags.is_test || is_test_crate);
        facts.set(Facts::BLOCK, matches!(view.kind, ItemKind::Impl | ItemKind::Trait));
        facts.set(Facts::MODULE, view.kind == ItemKind::Module);
        facts.set(
            Facts::CONSTANT,
            matches!(view.kind, ItemKind::Const | ItemKind::Static | ItemKind::TypeAlias),
        );
        facts.set(
            Facts::TYPE,
            matches!(view.kind, ItemKind::Struct | ItemKind::Enum | ItemKind::Union),
        );
        facts.set(Facts::FILE, view.kind == ItemKind::File);
        facts.set(Facts::MACRO, view.kind == ItemKind::Macro);
        facts.set(Facts::BODILESS, is_function && view.signature_end == view.span.1);
        facts.set(Facts::PUBLIC, view.visibility() == "pub");
        let is_reexported = self.reexported.get(item as usize).copied().unwrap_or(false);
        facts.set(Facts::REEXPORTED, is_reexported);
        facts.set(Facts::IMPLEMENTED, view.canon().contains(" as "));
        let lines = view.end_line.saturating_sub(view.line).saturating_add(1);
        (facts, lines.min(MOST_LINES) as u8)
    }

    fn of_file(&mut self, file: u32) -> Facts {
        if let Some((_, facts)) = self.file.filter(|(seen, _)| *seen == file) {
            return facts;
        }
        let mut facts = Facts::default();
        if let Some(view) = self.map.file(file) {
            facts.set(Facts::TEST, is_test_path(view.path));
            facts.set(Facts::GENERATED, view.flags.is_generated);
            facts.set(Facts::VENDORED, view.flags.is_vendored);
        }
        self.file = Some((file, facts));
        facts
    }
}

/// Whether a path is test code by common conventions.
fn is_test_path(path: &str) -> bool {
    let folders = ["tests", "test", "benches", "bench", "examples", "example", "testing"];
    let (holders, name) = path.rsplit_once('/').unwrap_or(("", path));
    holders.split('/').any(|folder| folders.contains(&folder))
        || matches!(name, "tests.rs" | "test.rs")
        || name.ends_with("_test.rs")
        || name.ends_with("_tests.rs")
}
