//! What one file declares, as compact tables: declarations, imports and the bodies of functions as
//! expression trees. It is all that name resolution reads; nothing in it depends on another file.
//!
//! Numbers ([`Name`], [`TypeId`], [`PathId`], [`ExprId`], [`PatId`]) index the tables of the same
//! [`FileFacts`] (expressions and patterns: of the same [`Body`]). Offsets are bytes of the text.

use serde::{Deserialize, Serialize};

use crate::SourceFile;

macro_rules! index {
    ($($(#[doc = $doc:literal])* $name:ident)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub fn idx(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

index! {
    /// An identifier, interned per file: index into [`FileFacts::names`]. Raw identifiers lose
    /// their `r#`; lifetimes are not names.
    Name
    /// A type as written: index into [`FileFacts::types`].
    TypeId
    /// A path as written: index into [`FileFacts::paths`].
    PathId
    /// An expression: index into [`Body::exprs`].
    ExprId
    /// A pattern: index into [`Body::pats`].
    PatId
    /// A body: index into [`FileFacts::bodies`].
    BodyId
}

/// Everything that one file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Items and problems, as [`crate::parse`] gives them, and besides the items that stand inside
    /// a macro call at item level whose tokens read as items (`cfg_rt! { pub fn spawn() {} }`):
    /// their parent is the macro call, [`Decl::in_macro_call`] is set, and whether they exist is
    /// for who knows the macro to say.
    pub file: SourceFile,
    /// One for each item of `file.items`, in the same order.
    pub decls: Vec<Decl>,
    /// The identifiers of the file, each once, in order of their first use.
    pub names: Vec<Box<str>>,
    /// Types.
    pub types: Vec<TypeRef>,
    /// Paths.
    pub paths: Vec<Path>,
    /// Imports, their trees taken apart: one for each name that comes into scope.
    pub uses: Vec<Use>,
    /// Bodies of functions, initialisers of constants and statics, in the order of the text.
    /// Bodies of items inside bodies are their own.
    pub bodies: Vec<Body>,
    /// Inner attributes of the file itself, as written: `#![cfg(unix)]`, `#![no_std]`.
    pub inner_attributes: Vec<Box<str>>,
}

/// What an item declares, beyond [`crate::Item`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decl {
    /// The item's name; `None` of impls, imports, macro calls and where the code is broken.
    pub name: Option<Name>,
    /// Type and const parameters with their bounds, where clauses folded in where they speak of
    /// a parameter.
    pub generics: Vec<GenericParam>,
    /// Where clauses that speak of another type than a parameter: `(type, bounds)`.
    pub wheres: Vec<(TypeId, Vec<Bound>)>,
    /// What only this kind has.
    pub shape: Shape,
    /// Its body or initialiser.
    pub body: Option<BodyId>,
    /// Whether it is in the tokens of a macro call at item level.
    pub in_macro_call: bool,
    /// The predicate of its own `#[cfg(…)]` attributes, canonical spelling, several joined by
    /// `all(…)`; inner `#![cfg]` of inline modules included. `None` where there is none.
    pub cfg: Option<Box<str>>,
}

/// What an item of one kind declares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// Nothing more (unnamed or broken items, extern blocks).
    #[default]
    None,
    /// A function or method.
    Fn(FnDecl),
    /// A struct or union.
    Struct(Fields),
    /// An enum with its variants: name, name token, fields.
    Enum(Vec<Variant>),
    /// A trait with its supertraits.
    Trait(Vec<Bound>),
    /// An impl.
    Impl {
        /// The type it is for.
        self_type: TypeId,
        /// The trait, where it is one's.
        of_trait: Option<PathId>,
        /// `impl !Trait for Type`.
        is_negative: bool,
    },
    /// A type alias or associated type: its type (none in traits without default), its bounds.
    Alias {
        /// The type behind it.
        of: Option<TypeId>,
        /// Bounds of an associated type.
        bounds: Vec<Bound>,
    },
    /// A constant or static with its type.
    Value(Option<TypeId>),
    /// A module: inline or in a file of its own, with `#[path]` where given.
    Module {
        /// It has its body here.
        is_inline: bool,
        /// `#[path = "…"]`.
        path: Option<Box<str>>,
        /// `#[macro_use]`.
        macro_use: bool,
    },
    /// `macro_rules!` or `macro`: its definition can be expanded by [`crate::expand`].
    MacroDef {
        /// `#[macro_export]`.
        is_exported: bool,
    },
    /// A macro call at item level.
    MacroCall(PathId),
    /// An import; its leaves are in [`FileFacts::uses`].
    Import,
}

/// The signature of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FnDecl {
    /// How it takes `self`; `None`: not at all.
    pub receiver: Option<Receiver>,
    /// Types of the other parameters; their patterns are [`Body::params`].
    pub params: Vec<TypeId>,
    /// What it gives, as written; `None`: nothing.
    pub ret: Option<TypeId>,
    /// `async fn`: `ret` is what awaiting it gives.
    pub is_async: bool,
}

/// How a method takes `self`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Receiver {
    /// `self`, `mut self`.
    Value,
    /// `&self`.
    Ref,
    /// `&mut self`.
    RefMut,
    /// `self: Type`.
    Typed(TypeId),
}

/// Fields of a struct, union or variant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fields {
    /// None.
    #[default]
    Unit,
    /// By position.
    Tuple(Vec<TypeId>),
    /// By name.
    Named(Vec<(Name, TypeId)>),
}

/// One variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// Its name.
    pub name: Name,
    /// Offset of its name.
    pub offset: u32,
    /// Its fields.
    pub fields: Fields,
}

/// A type or const parameter (lifetimes are left out).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GenericParam {
    /// Its name.
    pub name: Name,
    /// Its bounds, where clauses included.
    pub bounds: Vec<Bound>,
    /// The default type.
    pub default: Option<TypeId>,
    /// `const N: usize`.
    pub is_const: bool,
}

/// One bound: a trait (`?Sized` and lifetimes are left out); the arguments of `Fn(A) -> B` are
/// those of its last segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bound(pub PathId);

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TypeRef {
    /// `Vec<T>`, `Self`, `u8`, `<T as Trait>::Item`.
    Path(PathId),
    /// `&T`, `&mut T`.
    Ref(TypeId),
    /// `*const T`, `*mut T`.
    Ptr(TypeId),
    /// `[T]`.
    Slice(TypeId),
    /// `[T; N]`.
    Array(TypeId),
    /// `(A, B)`; `()` is the empty one.
    Tuple(Vec<TypeId>),
    /// `fn(A) -> B`.
    Fn(Vec<TypeId>, Option<TypeId>),
    /// `dyn A + B`.
    Dyn(Vec<Bound>),
    /// `impl A + B`.
    Impl(Vec<Bound>),
    /// `!`.
    Never,
    /// `_`, a macro call, or what did not parse.
    Unknown,
}

/// A path as written, in a type, an expression or a pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// `<T>::…` or `<T as Trait>::…`: the type, and the trait's path. The segments are those behind.
    pub qself: Option<(TypeId, Option<PathId>)>,
    /// It begins with `::`.
    pub is_global: bool,
    /// `crate`, `self`, `super`, `Self` and `$crate` are names like others.
    pub segments: Vec<Segment>,
}

/// One segment of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Its name.
    pub name: Name,
    /// Offset of its name.
    pub offset: u32,
    /// `<A, B>` (lifetimes and const expressions are left out); of `Fn(A, B) -> C` its inputs as
    /// one tuple.
    pub args: Vec<TypeId>,
    /// `<Item = T>`; the output of `Fn(A) -> C` as `Output`.
    pub bindings: Vec<(Name, TypeId)>,
}

/// One name that an import adds to the scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    /// The import: index into [`SourceFile::items`].
    pub item: u32,
    /// The path to what is imported, from its beginning; of a glob, the path before `*`.
    pub path: Vec<Name>,
    /// It begins with `::`.
    pub is_global: bool,
    /// What it adds.
    pub what: UseWhat,
    /// Offset of the last segment (or the `*`).
    pub offset: u32,
}

/// What one leaf of an import adds to the scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UseWhat {
    /// The last segment under this name.
    Name(Name),
    /// `as _`: a trait's methods without its name.
    Underscore,
    /// Everything.
    Glob,
    /// `extern crate path as name`.
    ExternCrate(Name),
}

/// A body: expressions and patterns in one arena each, children before parents. Beside its own body an item may
/// have one of the constant expressions in its declaration: lengths of arrays, arguments of generics,
/// discriminants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// The item that it is of: index into [`SourceFile::items`].
    pub item: u32,
    /// Patterns of the parameters without `self`, as many as [`FnDecl::params`].
    pub params: Vec<PatId>,
    /// The whole body.
    pub root: ExprId,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Patterns.
    pub pats: Vec<Pat>,
}

/// One expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    /// A path: a local, a constant, a function as value, a unit struct or variant.
    Path(PathId),
    /// `callee(args)`.
    Call(ExprId, Vec<ExprId>),
    /// `receiver.name::<T>(args)`.
    MethodCall {
        /// On what.
        receiver: ExprId,
        /// The method.
        name: Name,
        /// Offset of its name.
        offset: u32,
        /// The turbofish.
        generics: Vec<TypeId>,
        /// The arguments.
        args: Vec<ExprId>,
    },
    /// `base.name`; of tuples the name is the number.
    Field(ExprId, Name, u32),
    /// `base[index]`.
    Index(ExprId, ExprId),
    /// `Path { name: value, ..base }`.
    Struct {
        /// Of what.
        path: PathId,
        /// Its fields; the shorthand `x` is `x: x`.
        fields: Vec<(Name, ExprId)>,
        /// Behind `..`.
        base: Option<ExprId>,
    },
    /// `&e`, `&mut e`, `&raw`.
    Ref(ExprId),
    /// `*e`.
    Deref(ExprId),
    /// `-e` (`Neg`) or `!e` (`Not`): the operator's trait method, its offset, the operand.
    Unary(UnaryOp, u32, ExprId),
    /// `l op r`, assigning operators included.
    Binary(BinaryOp, u32, ExprId, ExprId),
    /// `l = r`.
    Assign(ExprId, ExprId),
    /// `e.await`.
    Await(ExprId),
    /// `e?`.
    Try(ExprId),
    /// `e as T`.
    Cast(ExprId, TypeId),
    /// `(a, b)`; `()` is the empty one.
    Tuple(Vec<ExprId>),
    /// `[a, b]`; `[a; n]` holds `a` alone.
    Array(Vec<ExprId>),
    /// `[value; count]`.
    Repeat(ExprId, ExprId),
    /// `a..b`.
    Range(Option<ExprId>, Option<ExprId>),
    /// `|a, b: T| -> R body`.
    Closure {
        /// Its parameters.
        params: Vec<(PatId, Option<TypeId>)>,
        /// `-> R`.
        ret: Option<TypeId>,
        /// Its body.
        body: ExprId,
        /// `async`.
        is_async: bool,
    },
    /// `{ … }`, with what kind of block it is.
    Block(BlockKind, Vec<Stmt>, Option<ExprId>),
    /// `if cond { then } else { otherwise }`.
    If(ExprId, ExprId, Option<ExprId>),
    /// `match on { pat if guard => value }`.
    Match(ExprId, Vec<Arm>),
    /// `let pat = e` in a condition.
    Let(PatId, ExprId),
    /// `loop body`.
    Loop(ExprId),
    /// `while cond body`.
    While(ExprId, ExprId),
    /// `for pat in iter body`.
    For(PatId, ExprId, ExprId),
    /// `return e`.
    Return(Option<ExprId>),
    /// `break e`.
    Break(Option<ExprId>),
    /// A literal.
    Literal(Literal),
    /// `path!(…)`: its arguments, where its tokens read as expressions separated by commas. Tokens
    /// that read as statements are one argument, a block; those of `matches!(e, pat if guard)` are
    /// one argument, a match with one arm. Format strings give their inline arguments (`{name}`) as
    /// paths too.
    Macro {
        /// Which macro.
        path: PathId,
        /// The arguments that could be read.
        args: Vec<ExprId>,
        /// All of its tokens became `args`.
        is_complete: bool,
        /// Its tokens, delimiters included.
        tokens: (u32, u32),
    },
    /// `continue`, or what did not parse (its readable parts are `parts`).
    Other(Vec<ExprId>),
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlockKind {
    /// `{ … }`, `unsafe { … }`, `const { … }`, labelled or not.
    Plain,
    /// `async { … }`, `async move { … }`.
    Async,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stmt {
    /// `let pat: T = init else { otherwise };`
    Let {
        /// What it binds.
        pat: PatId,
        /// Its type.
        of: Option<TypeId>,
        /// Its value.
        init: Option<ExprId>,
        /// The diverging block.
        otherwise: Option<ExprId>,
    },
    /// An expression.
    Expr(ExprId),
    /// An item (import, function …): index into [`SourceFile::items`]. It is in scope in the whole
    /// block. Items in the tokens of a macro call that is a statement ([`Decl::in_macro_call`])
    /// stand here too, besides in the call's own block: they are in scope where the macro hands
    /// them on.
    Item(u32),
}

/// One arm of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arm {
    /// Its pattern.
    pub pat: PatId,
    /// Behind `if`.
    pub guard: Option<ExprId>,
    /// Its value.
    pub value: ExprId,
}

/// One pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pat {
    /// `name`, `ref name`, `name @ pat`. May also be a constant or a unit variant in scope.
    Bind {
        /// The name.
        name: Name,
        /// Offset of its name.
        offset: u32,
        /// `ref`.
        by_ref: bool,
        /// Behind `@`.
        sub: Option<PatId>,
    },
    /// `Path`.
    Path(PathId),
    /// `Path(a, .., b)`; `rest` is the place of `..`.
    TupleStruct {
        /// Of what.
        path: PathId,
        /// Its parts.
        pats: Vec<PatId>,
        /// How many stand before `..`.
        rest: Option<u32>,
    },
    /// `Path { name: pat, .. }`.
    Struct(PathId, Vec<(Name, PatId)>),
    /// `(a, .., b)`.
    Tuple {
        /// Its parts.
        pats: Vec<PatId>,
        /// How many stand before `..`.
        rest: Option<u32>,
    },
    /// `[a, rest @ .., b]`.
    Slice(Vec<PatId>),
    /// `&p`.
    Ref(PatId),
    /// `a | b`.
    Or(Vec<PatId>),
    /// `..` inside a slice.
    Rest,
    /// A literal or range.
    Literal(Literal),
    /// `_`, a macro call, or what did not parse.
    Wild,
}

/// A literal's type, as far as it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Literal {
    /// `"…"`, raw or not.
    Str,
    /// `b"…"`.
    ByteStr,
    /// `c"…"`.
    CStr,
    /// `'c'`.
    Char,
    /// `b'c'` or a number with this suffix.
    Suffixed(Name),
    /// A whole number.
    Int,
    /// A number with a point.
    Float,
    /// `true`, `false`.
    Bool,
}

/// An operator of one operand that a trait can implement (`Deref` is [`Expr::Deref`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `-`.
    Neg,
    /// `!`.
    Not,
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BinaryOp {
    /// `&&`, `||`.
    Lazy,
    /// `==`, `!=`.
    Eq,
    /// `<`, `<=`, `>`, `>=`.
    Ord,
    /// `+ - * / % & | ^ << >>`, in this order; `true` where it assigns.
    Arithmetic(Arithmetic, bool),
}

/// `+ - * / % & | ^ << >>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the operators' traits")]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
}
