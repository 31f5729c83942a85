//! Ids and kinds of the code map that several crates need: [`ItemId`], [`EdgeKind`], [`Tier`] and
//! [`Provenance`]. The map itself is in `graph`.
use std::fmt;

use serde::{Deserialize, Serialize};

/// UUID namespace of all item ids: a constant, independent of the path of the project, so that ids
/// stay the same when the project is moved.
const ITEM_NAMESPACE: uuid::Uuid = uuid::uuid!("5b0f0c0e-6f0a-5d6e-9c67-8a3f5c8f0b51");

/// The stable id of an item: UUIDv5 of its canonical path, its kind and its disambiguator. The
/// same in every run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ItemId(uuid::Uuid);

impl ItemId {
    /// The id of the item at `canon` (`package/target::module::Item`). `disambiguator` is empty
    /// unless several items share path and kind: then it is the cfg predicate or impl header that
    /// distinguishes them, or last an ordinal.
    pub fn of(canon: &str, kind: &str, disambiguator: &str) -> Self {
        // NUL cannot occur in a path, so it separates the parts unambiguously.
        let name = format!("{canon}\0{kind}\0{disambiguator}");
        Self(uuid::Uuid::new_v5(&ITEM_NAMESPACE, name.as_bytes()))
    }

    /// Parses the hyphenated form.
    pub fn parse(text: &str) -> Option<Self> {
        uuid::Uuid::try_parse(text).ok().map(Self)
    }

    /// The 16 bytes, for storage in a table.
    pub fn to_bytes(self) -> [u8; 16] {
        *self.0.as_bytes()
    }

    /// An id from its 16 bytes.
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

crate::named_enum! {
    /// The kind of an item: of a definition, and of a node of the code map. `syntax::NodeKind` is its
    /// projection to what edits name: what the parser sees of one file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[repr(u8)]
    pub enum ItemKind {
        /// A free function.
        Function = "function",
        /// A function of an impl or trait, with or without `self`.
        Method = "method",
        /// A struct.
        Struct = "struct",
        /// An enum.
        Enum = "enum",
        /// A union.
        Union = "union",
        /// A trait.
        Trait = "trait",
        /// An impl.
        Impl = "impl",
        /// A module: inline, in its own file, or the root of an orphan file.
        Module = "module",
        /// A constant, associated ones included.
        Const = "const",
        /// A static.
        Static = "static",
        /// A type alias or associated type.
        TypeAlias = "type_alias",
        /// `macro_rules!` or `macro`.
        Macro = "macro",
        /// A macro call at item level.
        MacroCall = "macro_call",
        /// An import.
        Import = "import",
        /// A variant of an enum.
        Variant = "variant",
        /// A crate and its root module.
        Crate = "crate",
        /// A file; only in the map, as the two below.
        File = "file",
        /// A cargo feature.
        Feature = "feature",
        /// Something outside the workspace.
        External = "external",
    }
}

crate::named_enum! {
    /// The kind of an edge between two items of the code map.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    #[repr(u8)]
    pub enum EdgeKind {
        /// A crate, file, module, type, trait or impl contains an item.
        Contains = "CONTAINS",
        /// A function, method or initialiser calls a function or method, or invokes a macro.
        Calls = "CALLS",
        /// A type implements a trait; an impl's method implements a trait's.
        Implements = "IMPLEMENTS",
        /// An item names a type, trait, constant or macro, or imports something.
        Uses = "USES",
        /// A crate or module depends on another.
        Depends = "DEPENDS",
        /// An item is gated by a cargo feature.
        FeatureGatedBy = "FEATURE_GATED_BY",
    }
}

/// The confidence of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Tier {
    /// rust-analyzer resolved it, or the rules of the language leave exactly one target.
    Proven,
    /// One of several possible targets, or a target guessed by name.
    Candidate,
}

/// The resolver that found an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Provenance {
    /// Name resolution on the source text alone.
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
