//! Rows for items that a macro call generates and only rust-analyzer can see.

use base::{ContentHash, ItemId};

use crate::{Description, MacroInterface};

/// Their kind in relations and streams.
pub const MACRO_INTERFACE: &str = "macro_interface";

/// An item that a macro call generates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroItem<'a> {
    /// The stable id, computed from the call and the path.
    pub id: ItemId,
    /// The key of the call, with the item's path.
    pub key: String,
    /// Its canonical path.
    pub canon: String,
    /// The rust-analyzer facts.
    pub interface: &'a MacroInterface,
}

impl MacroItem<'_> {
    /// The last segment of its path.
    pub fn name(&self) -> &str {
        self.interface.path.rsplit("::").next().unwrap_or_default()
    }

    /// Hash of all its facts.
    pub fn hash(&self) -> ContentHash {
        let mut hasher = base::Hasher::new();
        hasher.field(self.canon.as_bytes()).field(self.interface.kind.as_bytes());
        hasher.field(self.interface.signature.as_bytes()).field(self.key.as_bytes());
        hasher.finish()
    }

    /// By the rule of [`Description::confidence`]: there is a signature from rust-analyzer, but no
    /// text.
    pub fn confidence(&self) -> f64 {
        0.8
    }

    /// Its origin, as text.
    pub fn notes(&self) -> String {
        format!("{}, made by the macro call at its place", self.interface.kind)
    }
}

impl<'a> Description<'a> {
    /// How a macro generated the item, or the items that the call generates besides items of the
    /// map, one per line.
    pub fn expansion_notes(&self) -> Option<String> {
        if self.item().flags.from_macro {
            return Some("made by the macro call at its place".to_owned());
        }
        let items = self.generated_items();
        let lines = items.iter().map(|it| format!("{} {}: {}", it.kind, it.path, it.signature));
        (!items.is_empty()).then(|| lines.collect::<Vec<_>>().join("\n"))
    }

    /// The items that the macro call generates besides items of the map.
    pub fn macro_items(&self) -> Vec<MacroItem<'a>> {
        if self.generated_items().is_empty() {
            return Vec::new();
        }
        let (module, call) = (self.module_path(), self.item());
        let krate = call.canon();
        let krate = krate.split_once("::").map_or(krate.as_str(), |(krate, _)| krate);
        let mut ordinals = base::SortedMap::new();
        let items = self.generated_items().iter().map(|interface| {
            // An index has the path within the crate, an expansion that within the call.
            let is_whole = interface.path.strip_prefix(module.as_str());
            let is_whole = is_whole.is_some_and(|rest| rest.starts_with("::"));
            let canon = match is_whole || module.is_empty() {
                true => format!("{krate}::{}", interface.path),
                false => format!("{krate}::{module}::{}", interface.path),
            };
            let number = ordinals.entry(canon.clone()).and_modify(|it| *it += 1).or_insert(1_u32);
            let disambiguator = format!("{}-{number}", call.id());
            let suffix = if *number > 1 { format!("-{number}") } else { String::new() };
            MacroItem {
                id: ItemId::of(&canon, MACRO_INTERFACE, &disambiguator),
                key: format!("{}-{}{suffix}", call.key(), interface.path),
                canon,
                interface,
            }
        });
        items.collect()
    }
}
