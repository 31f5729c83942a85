use std::fmt;

use serde::{Deserialize, Serialize};

/// The namespace of all item ids: a constant, never a path, so that an item keeps its id wherever
/// the project lies.
const ITEM_NAMESPACE: uuid::Uuid = uuid::uuid!("5b0f0c0e-6f0a-5d6e-9c67-8a3f5c8f0b51");

/// What an item is known by from one run to the next: UUIDv5 of its canonical path, its kind and
/// its disambiguator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ItemId(uuid::Uuid);

impl ItemId {
    /// The id of the item at `canon` (`package/target::module::Item`). `disambiguator` is empty
    /// but for twins: the cfg predicate or impl header that tells them apart, an ordinal last.
    pub fn of(canon: &str, kind: &str, disambiguator: &str) -> Self {
        // A byte that no path holds keeps the parts apart.
        let name = format!("{canon}\0{kind}\0{disambiguator}");
        Self(uuid::Uuid::new_v5(&ITEM_NAMESPACE, name.as_bytes()))
    }

    /// Reads the hyphenated form.
    pub fn parse(text: &str) -> Option<Self> {
        uuid::Uuid::try_parse(text).ok().map(Self)
    }

    /// The 16 bytes, for tables.
    pub fn to_bytes(self) -> [u8; 16] {
        *self.0.as_bytes()
    }

    /// From the 16 bytes of a table.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(uuid::Uuid::from_bytes(bytes))
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl fmt::Debug for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ItemId({})", self.0)
    }
}

/// How two nodes of the map are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[repr(u8)]
pub enum EdgeKind {
    /// A crate, file, module, type, trait or impl holds an item.
    Contains,
    /// A function, method or initialiser calls a function or method, or invokes a macro.
    Calls,
    /// A type implements a trait; an impl's method implements a trait's.
    Implements,
    /// An item names a type, trait, constant or macro, or imports something.
    Uses,
    /// A crate or module depends on another.
    Depends,
    /// An item stands behind a cargo feature.
    FeatureGatedBy,
}

impl EdgeKind {
    /// All kinds, in their order.
    pub const ALL: [EdgeKind; 6] = [
        Self::Contains,
        Self::Calls,
        Self::Implements,
        Self::Uses,
        Self::Depends,
        Self::FeatureGatedBy,
    ];

    /// The name that answers use: `FEATURE_GATED_BY`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Contains => "CONTAINS",
            Self::Calls => "CALLS",
            Self::Implements => "IMPLEMENTS",
            Self::Uses => "USES",
            Self::Depends => "DEPENDS",
            Self::FeatureGatedBy => "FEATURE_GATED_BY",
        }
    }

    /// From its number in a table.
    pub fn from_u8(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// How sure an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Tier {
    /// rust-analyzer resolved it, or the rules of the language leave exactly one target.
    Proven,
    /// One of several targets that could not be told apart, or a target guessed by name.
    Candidate,
}

/// Who found an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Provenance {
    /// Name resolution on the text alone.
    Syntax,
    /// rust-analyzer.
    Ra,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_id_depends_on_path_kind_and_disambiguator() {
        let id = ItemId::of("p/p::m::f", "function", "");
        assert_eq!(id, ItemId::of("p/p::m::f", "function", ""));
        assert_ne!(id, ItemId::of("p/p::m::f", "const", ""));
        assert_ne!(id, ItemId::of("p/p::m::f", "function", "unix"));
        assert_eq!(ItemId::parse(&id.to_string()), Some(id));
        assert_eq!(ItemId::from_bytes(id.to_bytes()), id);
    }
}
