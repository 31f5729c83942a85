//! The definitions of a text by their parts, and the places that name one: what a person changes in
//! one place and must then change in others.
//!
//! Spans are bytes of the text. Broken code gives fewer places, never an error.

mod definitions;
mod generics;
mod uses;

use base::ByteSpan;

use crate::macro_args::parse_macro_args;
use crate::recovery::{Origin, recovered};
use crate::tree::Tree;

pub use generics::generic_params;

/// Definitions and uses of one text, each in the order of the text (those in macro calls last).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Items, fields and variants.
    pub definitions: Vec<Definition>,
    /// Impls with generic parameters.
    pub impls: Vec<GenericImpl>,
    /// Calls, struct literals and patterns.
    pub uses: Vec<Use>,
}

impl Places {
    /// The innermost function around a position.
    pub fn function_at(&self, at: usize) -> Option<&Definition> {
        let around = |it: &&Definition| {
            it.kind == DefinitionKind::Function && it.span.start <= at && at < it.span.end
        };
        self.definitions.iter().filter(around).min_by_key(|it| it.span.len())
    }

    /// The lists of generic parameters: name of the definition or of the impl's type, all of it, and
    /// its `<…>`.
    pub fn generic_lists(&self) -> impl Iterator<Item = (&str, ByteSpan, ByteSpan)> {
        let of_definitions = self.definitions.iter().filter_map(|it| {
            let list = it.parts.iter().find(|it| it.kind == PartKind::Generics)?;
            Some((it.name.as_str(), it.span, list.span))
        });
        let of_impls = self.impls.iter().map(|it| (it.owner.as_str(), it.span, it.generics));
        of_definitions.chain(of_impls)
    }
}

/// What a definition defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DefinitionKind {
    /// A function, with or without `self`.
    Function,
    /// A struct or union.
    Struct,
    /// An enum.
    Enum,
    /// A trait.
    Trait,
    /// A type alias or associated type.
    TypeAlias,
    /// A constant, associated ones included.
    Const,
    /// A static.
    Static,
    /// A module.
    Module,
    /// A `macro_rules!` macro.
    Macro,
    /// A named field of a struct or variant.
    Field,
    /// A variant of an enum.
    Variant,
}

/// One definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What it defines.
    pub kind: DefinitionKind,
    /// Its name, without `r#`.
    pub name: String,
    /// The token of its name.
    pub name_span: ByteSpan,
    /// Name of the type, trait or enum that it is a member of, without generic arguments; of a field
    /// of a variant `Enum::Variant`; empty in a module.
    pub owner: String,
    /// Name of the trait whose impl it is in.
    pub of_trait: Option<String>,
    /// The macro in whose input it is an item, as the call names it.
    pub macro_name: Option<String>,
    /// All of it, attributes and visibility included.
    pub span: ByteSpan,
    /// From its name to its body, `;` or `,`.
    pub head: ByteSpan,
    /// Its body, braces included.
    pub body: Option<ByteSpan>,
    /// Parts of its head, in the order of the text.
    pub parts: Vec<DefinitionPart>,
}

/// A part of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionPart {
    /// What it is.
    pub kind: PartKind,
    /// Name of a parameter (empty if its pattern is no name).
    pub name: String,
    /// All of it.
    pub span: ByteSpan,
    /// Its type.
    pub ty: Option<ByteSpan>,
}

/// What a part of a definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    /// `<T, 'a>`.
    Generics,
    /// `&mut self`.
    Receiver,
    /// A parameter, or a field of a tuple struct or variant.
    Parameter,
    /// The type that a function returns, or the type of a field, constant or alias.
    Type,
}

/// An impl with generic parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenericImpl {
    /// Name of the type, without generic arguments.
    pub owner: String,
    /// All of it.
    pub span: ByteSpan,
    /// `<T, 'a>`.
    pub generics: ByteSpan,
}

/// How a place uses a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseKind {
    /// `path(args)`.
    Call,
    /// `receiver.name(args)`.
    MethodCall,
    /// `Path { field: value }`.
    Literal,
    /// `Path { field: pattern }`.
    RecordPattern,
    /// `Path(patterns)`.
    TuplePattern,
    /// `(patterns)`, without a name.
    Tuple,
    /// One arm of a `match`; its arguments are its pattern and its value.
    Arm,
}

/// A place that uses a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// How.
    pub kind: UseKind,
    /// Last segment of its path, or the method's name.
    pub name: String,
    /// The segment before; empty if there is none.
    pub qualifier: String,
    /// The token of the name.
    pub name_span: ByteSpan,
    /// All of it.
    pub span: ByteSpan,
    /// The list of arguments, delimiters included.
    pub list: ByteSpan,
    /// The arguments, fields or patterns.
    pub args: Vec<Argument>,
    /// Whether the list has `..`.
    pub has_rest: bool,
}

/// One argument, field or pattern of a [`Use`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// All of it.
    pub span: ByteSpan,
    /// Name of the field; empty if it has none.
    pub name: String,
    /// The value or pattern; of the shorthand `x` the name itself.
    pub value: ByteSpan,
}

/// The definitions and uses of a text.
pub fn places(text: &str) -> Places {
    let Some(tree) = Tree::of(text) else { return Places::default() };
    let mut tree = recovered(text, tree, Origin::Source);
    let args = parse_macro_args(text, &mut tree, Origin::Source);
    let calls = args.into_iter().map(|(call, args)| (args.node, call)).collect();
    let (definitions, impls) = definitions::definitions(text, &tree, &calls);
    Places { definitions, impls, uses: uses::uses(text, &tree) }
}

/// The text of a name, without `r#`.
fn name_of(text: &str, tree: &Tree, node: u32) -> String {
    let name = tree.slice(text, node);
    name.strip_prefix("r#").unwrap_or(name).to_owned()
}

/// Every node of the tree and of the macro arguments after it, by increasing index.
fn all_nodes(tree: &Tree) -> impl Iterator<Item = u32> + '_ {
    0..tree.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined(text: &str) -> Vec<String> {
        let slice = |span: ByteSpan| span.slice(text).unwrap().to_owned();
        let part = |it: &DefinitionPart| match it.ty {
            Some(ty) => format!("{:?} {}: {}", it.kind, it.name, slice(ty)),
            None => format!("{:?} {}", it.kind, slice(it.span)),
        };
        let shown = |it: &Definition| {
            let of = it.of_trait.as_deref().map(|it| format!(" of {it}")).unwrap_or_default();
            let parts: Vec<String> = it.parts.iter().map(part).collect();
            let head = slice(it.head);
            format!("{:?} {}/{}{of} [{head}] {}", it.kind, it.owner, it.name, parts.join("; "))
        };
        places(text).definitions.iter().map(shown).collect()
    }

    fn used(text: &str) -> Vec<String> {
        let slice = |span: ByteSpan| span.slice(text).unwrap().to_owned();
        let shown = |it: &Use| {
            let args: Vec<String> =
                it.args.iter().map(|arg| format!("{}={}", arg.name, slice(arg.value))).collect();
            let rest = if it.has_rest { ".." } else { "" };
            format!("{:?} {}/{} {}{rest}", it.kind, it.qualifier, it.name, args.join(", "))
        };
        places(text).uses.iter().map(shown).collect()
    }

    #[test]
    fn definitions_have_their_owner_and_parts() {
        let text = "impl<T> Tr<T> for S<T> { fn f<U>(&mut self, a: u8, (b, c): (U, T)) -> Vec<T> { g() } }\n\
                    trait Tr<T> { type Out: Copy; fn f(&self); const N: u8 = 1; }\n\
                    pub struct S<T> { #[x] pub a: T, b: u8 }\nenum E { A, B(u8, S), C { d: u8 } }\nmod m { pub fn r#in() {} }\n";
        assert_eq!(
            defined(text),
            [
                "Function S/f of Tr [f<U>(&mut self, a: u8, (b, c): (U, T)) -> Vec<T>] Generics <U>; \
                 Receiver &mut self; Parameter a: u8; Parameter : (U, T); Type : Vec<T>",
                "Trait /Tr [Tr<T>] Generics <T>",
                "TypeAlias Tr/Out [Out: Copy] ",
                "Function Tr/f [f(&self)] Receiver &self",
                "Const Tr/N [N: u8 = 1] Type : u8",
                "Struct /S [S<T>] Generics <T>",
                "Field S/a [a: T] Type : T",
                "Field S/b [b: u8] Type : u8",
                "Enum /E [E] ",
                "Variant E/A [A] ",
                "Variant E/B [B(u8, S)] Parameter : u8; Parameter : S",
                "Variant E/C [C] ",
                "Field E::C/d [d: u8] Type : u8",
                "Module /m [m] ",
                "Function /in [r#in()] ",
            ]
        );
    }

    #[test]
    fn impls_with_parameters_are_listed() {
        let text =
            "impl S { }\nimpl<T> m::S<T> { }\nfn f() { impl<const N: u8> Tr for [u8; N] {} }\n";
        let slice = |span: ByteSpan| span.slice(text).unwrap().to_owned();
        let shown = places(text).impls.into_iter().map(|it| (it.owner, slice(it.generics)));
        let shown: Vec<String> = shown.map(|(owner, list)| format!("{owner} {list}")).collect();
        assert_eq!(shown, ["S <T>", "u8 <const N: u8>"]);
    }

    #[test]
    fn uses_have_their_arguments() {
        let text = "fn f() { a::g::<u8>(1, x + 2).h(y); let S { a, b: (c, d), .. } = m::S { a, b: 1, ..z };\n\
                    match e { E::B(x, ..) if x => 1, _ => { assert_eq!(k(1), 2) } } }";
        assert_eq!(
            used(text),
            [
                "MethodCall /h =y",
                "Call a/g =1, =x + 2",
                "RecordPattern /S a=a, b=(c, d)..",
                "Tuple / =c, =d",
                "Literal m/S a=a, b=1..",
                "Arm / =E::B(x, ..), =1",
                "TuplePattern E/B =x..",
                "Arm / =_, ={ assert_eq!(k(1), 2) }",
                "Call /k =1",
            ]
        );
    }

    #[test]
    fn broken_code_gives_what_can_be_read() {
        assert_eq!(defined("fn f(a: u8, { }\nstruct S { a: , b: u8 }\n").len(), 4);
        assert!(places("").definitions.is_empty());
        let _ = places("match (((( S { a: ");
    }
}
