//! What a definition is.

use crate::{CrateIdx, FileIdx};

/// Dense number of a definition. Order: the items of all files of the workspace (`file_base` +
/// index of the item, imports and macro calls too), their enum variants, roots (crates, orphan
/// files), then the same for the standard library's declarations and for macro expansions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefId(pub u32);

impl DefId {
    /// As an index.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// An identifier, interned for one [`crate::DefMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// What kinds of definition there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefKind {
    /// A module, inline, in a file of its own, or the root of an orphan file.
    Module,
    /// A free function.
    Function,
    /// A function of an impl or trait, with or without `self`.
    Method,
    /// A struct.
    Struct,
    /// An enum.
    Enum,
    /// A union.
    Union,
    /// A variant of an enum.
    Variant,
    /// A trait.
    Trait,
    /// An impl.
    Impl,
    /// A type alias or associated type.
    TypeAlias,
    /// A constant, associated ones included.
    Const,
    /// A static.
    Static,
    /// `macro_rules!` or `macro`.
    Macro,
    /// A macro call at item level.
    MacroCall,
    /// An import.
    Import,
    /// The root module of a crate.
    Crate,
}

/// Whether a definition is there at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Existence {
    /// It is (as far as cfg lets it, which is said apart).
    Sure,
    /// It stands in the tokens of a call of a macro that is not known: an edge to it is a
    /// candidate at best.
    Maybe,
    /// It stands in the tokens of a macro that does not pass them on as items. It is in no scope.
    No,
}

/// One definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Def {
    /// What it is.
    pub kind: DefKind,
    /// The file it stands in (an expansion's own).
    pub file: FileIdx,
    /// Index in `facts.file.items`; of a variant its enum's. `u32::MAX`: a root.
    pub item: u32,
    /// The crate it belongs to.
    pub krate: CrateIdx,
    /// The innermost module around (a root is its own).
    pub module: DefId,
    /// The impl, trait, enum, function or initialiser that holds it; `None` directly in a module.
    pub parent: Option<DefId>,
    /// Its name.
    pub name: Option<Symbol>,
    /// Its cfg, and those around it, are on on this host.
    pub is_active: bool,
    /// Whether it is there.
    pub existence: Existence,
    /// It was made by a macro: it stands in an expansion, or in the tokens of a macro call.
    pub from_macro: bool,
    /// Index among the variants of its enum.
    pub variant: Option<u32>,
}

impl Def {
    /// One that is not there.
    pub(super) fn none(id: DefId, file: FileIdx, item: u32) -> Self {
        Self {
            kind: DefKind::Import,
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
        }
    }
}

/// In which namespace a name is looked up.
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
    pub const ALL: [Prim; 17] = [
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

    /// As written.
    pub fn as_str(self) -> &'static str {
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

/// The outermost constructor of a type: what impls are found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeHead {
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
    /// A type that is not known: from outside, a projection, a macro.
    Unknown,
}

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// To exactly one definition; all segments are used. Aliases are not followed.
    Def(DefId),
    /// To several that could not be told apart, sorted.
    Ambiguous(Vec<DefId>),
    /// To a type (struct, enum, union, alias, trait) after so many segments; the rest names
    /// members of the type.
    Partial(DefId, usize),
    /// The first segment is `Self` in an impl or a trait (the definition given); rest, if any, names members.
    SelfType(DefId),
    /// The first segment is a type or const parameter of the definition given; rest names members.
    Param(DefId, Symbol),
    /// The first segment is a built-in type; rest names members.
    Prim(Prim),
    /// Outside the workspace and the standard library's declarations: its canonical path.
    External(String),
    /// Nothing of that name.
    None,
}

/// From where names are looked up: a module or block, and the item whose generics count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope {
    /// Number of the innermost module or block.
    pub(crate) at: u32,
    /// The item whose generics are in scope (and those of the impl or trait around it).
    pub(crate) item: DefId,
    /// Names from here see macros defined above this place only (an offset in the item's file).
    pub(crate) offset: u32,
}

impl Scope {
    /// The same scope at a place of the item's file: `macro_rules!` below it are not seen.
    pub fn at(self, offset: u32) -> Scope {
        Scope { offset, ..self }
    }
}
