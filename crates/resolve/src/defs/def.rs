//! Definitions and the small types around them: kinds, namespaces, type heads, resolutions, scopes.

use base::ItemKind;

use super::table::NONE;
use crate::{CrateIdx, FileIdx};

/// Dense index of a definition. Order: the items of all workspace files (`file_base` + index of the
/// item, including imports and macro calls), their enum variants, roots (crates, orphan files),
/// then the same for the standard library's declarations and for macro expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefId(pub u32);

impl DefId {
    /// The value as an index.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// An identifier, interned for one [`crate::DefMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// Whether a definition exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Existence {
    /// It exists (whether cfg enables it is [`Def::is_active`]).
    Sure,
    /// It is in the tokens of a call of an unknown macro: an edge to it is at best a candidate.
    Maybe,
    /// It is in the tokens of a macro that does not emit them as items. It is in no scope.
    No,
}

/// One definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Def {
    /// The kind.
    pub kind: ItemKind,
    /// The file that contains it; for an item of an expansion, the expansion.
    pub file: FileIdx,
    /// Index in `facts.file.items`; a variant has its enum's. `u32::MAX` for roots.
    pub item: u32,
    /// The crate it belongs to.
    pub krate: CrateIdx,
    /// The innermost enclosing module; a root is its own.
    pub module: DefId,
    /// The impl, trait, enum, function or initializer that contains it; `None` directly in a
    /// module.
    pub parent: Option<DefId>,
    /// The name, if it has one.
    pub name: Option<Symbol>,
    /// Its cfg, and the cfg of all its containers, is enabled on this host.
    pub is_active: bool,
    /// Whether it exists.
    pub existence: Existence,
    /// A macro produced it: it is in an expansion, or in the tokens of a macro call.
    pub from_macro: bool,
    /// Index among the variants of its enum.
    pub variant: Option<u32>,
    /// The scope that contains it.
    pub(super) scope: u32,
    /// For a module its scope; for an item with local items the scope of its body; for an enum the
    /// index of its first variant.
    pub(super) inner: u32,
    /// Hash of the canonical path.
    pub(super) canon_hash: u64,
    /// Stable name: hash of canonical path, kind and ordinal.
    pub(super) ident: u64,
}

impl Def {
    /// A definition that does not exist.
    pub(super) fn none(id: DefId, file: FileIdx, item: u32) -> Self {
        Self {
            kind: ItemKind::Import,
            file,
            item,
            krate: CrateIdx(u32::MAX),
            module: id,
            parent: None,
            name: None,
            is_active: false,
            existence: Existence::No,
            from_macro: false,
            variant: None,
            scope: NONE,
            inner: NONE,
            canon_hash: 0,
            ident: 0,
        }
    }
}

/// The namespace of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Namespace {
    /// Types, traits, modules, crates.
    Type,
    /// Functions, constants, statics, constructors.
    Value,
    /// Macros.
    Macro,
}

/// The built-in types that have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "named as the types")]
pub enum Prim {
    Bool,
    Char,
    Str,
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
    F32,
    F64,
}

impl Prim {
    /// All of them.
    pub(crate) const ALL: [Prim; 17] = [
        Self::Bool,
        Self::Char,
        Self::Str,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::I128,
        Self::Isize,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::U128,
        Self::Usize,
        Self::F32,
        Self::F64,
    ];

    /// The name in source code.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Char => "char",
            Self::Str => "str",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::I128 => "i128",
            Self::Isize => "isize",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::U128 => "u128",
            Self::Usize => "usize",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

/// The outermost constructor of a type, the key under which impls are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TypeHead {
    /// A struct, enum or union.
    Adt(DefId),
    /// A built-in type with a name.
    Prim(Prim),
    /// `&T`, `&mut T`.
    Ref,
    /// `*const T`, `*mut T`.
    Ptr,
    /// `[T]`.
    Slice,
    /// `[T; N]`.
    Array,
    /// `(A, B)`, `()`.
    Tuple,
    /// `fn(A) -> B`.
    Fn,
    /// `!`.
    Never,
    /// `dyn Trait`.
    Dyn(DefId),
    /// A type parameter: an impl for every type (blanket).
    Param,
    /// An unknown type: external, a projection, or from a macro.
    Unknown,
}

/// What a path resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Exactly one definition; all segments are used. Aliases are not followed.
    Def(DefId),
    /// Several definitions that could not be distinguished, sorted.
    Ambiguous(Vec<DefId>),
    /// A type (struct, enum, union, alias, trait) after this many segments; the rest names members
    /// of the type.
    Partial(DefId, usize),
    /// `Self` in the given impl or trait; the rest, if any, names members.
    SelfType(DefId),
    /// A type or const parameter of the given definition; the rest names members.
    Param(DefId, Symbol),
    /// A built-in type; the rest names members.
    Prim(Prim),
    /// Outside the workspace and the standard library's declarations: the canonical path.
    External(String),
    /// No such name.
    None,
}

/// The scope in which names are looked up: a module or block, and the item whose generics apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameScope {
    /// Index of the innermost module or block.
    pub(crate) at: u32,
    /// The item whose generics are in scope, with those of its impl or trait.
    pub(crate) item: DefId,
    /// Only macros defined above this offset in the item's file are visible.
    pub(crate) offset: u32,
}

impl NameScope {}
