//! What a macro call makes and only rust-analyzer can see, as rows beside those of the map.

use base::{ContentHash, ItemId};

use crate::{Description, MacroInterface};

/// Its kind in relations and streams.
pub const MACRO_INTERFACE: &str = "macro_interface";

/// One item that a macro call makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeItem<'a> {
    /// Its lasting id: it follows from the call and the path.
    pub id: ItemId,
    /// The key of the call, and its path.
    pub key: String,
    /// Its canonical path.
    pub canon: String,
    /// What rust-analyzer says of it.
    pub interface: &'a MacroInterface,
}

impl MadeItem<'_> {
    /// The end of its path.
    pub fn name(&self) -> &str {
        self.interface.path.rsplit("::").next().unwrap_or_default()
    }

    /// Of all that is said of it.
    pub fn hash(&self) -> ContentHash {
        let mut hasher = base::Hasher::new();
        hasher.field(self.canon.as_bytes()).field(self.interface.kind.as_bytes());
        hasher.field(self.interface.signature.as_bytes()).field(self.key.as_bytes());
        hasher.finish()
    }

    /// By the rule of all items: it has a signature of rust-analyzer's and none of its own.
    pub fn confidence(&self) -> f64 {
        0.8
    }

    /// How it comes to be, in words.
    pub fn notes(&self) -> String {
        format!("{}, made by the macro call at its place", self.interface.kind)
    }
}

impl<'a> Description<'a> {
    /// How a macro makes it, or what the call makes besides items of the map, one a line.
    pub fn expansion_notes(&self) -> Option<String> {
        if self.item().flags.from_macro {
            return Some("made by the macro call at its place".to_owned());
        }
        let made = self.made();
        let lines = made.iter().map(|it| format!("{} {}: {}", it.kind, it.path, it.signature));
        (!made.is_empty()).then(|| lines.collect::<Vec<_>>().join("\n"))
    }

    /// What the macro call makes besides items of the map.
    pub fn made_items(&self) -> Vec<MadeItem<'a>> {
        if self.made().is_empty() {
            return Vec::new();
        }
        let (module, call) = (self.module_path(), self.item());
        let krate = call.canon();
        let krate = krate.split_once("::").map_or(krate.as_str(), |(krate, _)| krate);
        let mut twins = std::collections::BTreeMap::new();
        let items = self.made().iter().map(|interface| {
            // An index gives the path within the crate, an expansion that within the call.
            let is_whole = interface.path.strip_prefix(module.as_str());
            let is_whole = is_whole.is_some_and(|rest| rest.starts_with("::"));
            let canon = match is_whole || module.is_empty() {
                true => format!("{krate}::{}", interface.path),
                false => format!("{krate}::{module}::{}", interface.path),
            };
            let number = twins.entry(canon.clone()).and_modify(|it| *it += 1).or_insert(1_u32);
            let disambiguator = format!("{}-{number}", call.id());
            let twin = if *number > 1 { format!("-{number}") } else { String::new() };
            MadeItem {
                id: ItemId::of(&canon, MACRO_INTERFACE, &disambiguator),
                key: format!("{}-{}{twin}", call.key(), interface.path),
                canon,
                interface,
            }
        });
        items.collect()
    }
}
