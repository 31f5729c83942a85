//! Why an item or one use of it cannot be inlined.

use crate::relocate::NameFault;

/// Reason why an item cannot go into its uses, or into one of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InlineFault {
    /// The definition is not where it should be.
    #[error("its definition was not found")]
    NoDefinition,
    /// The definition depends on conditions.
    #[error("it has several definitions, such as those for other `cfg`s")]
    SeveralDefinitions,
    /// The type decides which definition is meant.
    #[error("it is a member of a trait: the type decides which one is meant")]
    TraitMember,
    /// Other crates may use it.
    #[error(
        "it is public: code outside of the workspace may use it (`--keep` keeps the definition)"
    )]
    Public,
    /// It is a macro.
    #[error("a macro expands to tokens, not to a value")]
    Macro,
    /// It is an item without a value or type.
    #[error("only a function, method, constant or type alias can be inlined")]
    OtherItem,
    /// An attribute gives the definition a meaning of its own.
    #[error("its attribute `{0}` means something for the definition")]
    Attribute(String),
    /// The function is `async`.
    #[error("it is `async`: its body runs when the future is awaited")]
    Async,
    /// The function is `extern`.
    #[error("it is `extern`: it is called by its address")]
    Extern,
    /// The function was not read.
    #[error("its receiver, parameters or body have an unusual form")]
    UnusualForm,
    /// A parameter may be removed by a condition.
    #[error("a parameter has an attribute")]
    ParameterAttribute,
    /// No variable of the caller can have the return type.
    #[error("its return type `{0}` cannot be written in another function")]
    ReturnType(String),
    /// The body has an item that a copy would make twice.
    #[error("line {line}: its body has {what}")]
    BodyHas {
        /// Line, from 1.
        line: u32,
        /// The item.
        what: &'static str,
    },
    /// The body has a macro whose value depends on its place.
    #[error("line {line}: `{name}!` is the place in the source")]
    PlaceMacro {
        /// Line, from 1.
        line: u32,
        /// Name of the macro.
        name: String,
    },
    /// The function is recursive.
    #[error("line {0}: it calls itself")]
    Recursive(u32),
    /// Control flow of the body ends in a closure.
    #[error("its body has a closure or `async` block that `return` or `?` leaves")]
    LeavesClosure,
    /// The constant or alias has parameters.
    #[error("it is generic")]
    Generic,
    /// The alias has no type.
    #[error("its type was not found")]
    NoType,
    /// The value of a constant is evaluated while compiling.
    #[error(
        "its value is more than a literal or a path, which a constant evaluates while compiling"
    )]
    ComplexValue,
    /// The call is not one of this function.
    #[error("the call has {has} instead of {wanted}", has = base::counted(*.has, "argument"))]
    ArgumentCount {
        /// Number of arguments.
        has: usize,
        /// Number of parameters.
        wanted: usize,
    },
    /// The body names a generic type.
    #[error("its body names the generic type `{0}`")]
    NamesGeneric(String),
    /// The method of a certain type may be another one.
    #[error("it is generic, and `.{0}()` may mean another method for a certain type")]
    GenericMethod(String),
    /// A format string captures `self`.
    #[error("its body has `self` in a format string")]
    SelfInFormat,
    /// `Self` is a type with arguments.
    #[error("its body names `Self`, which is `{0}` there")]
    NamesSelf(String),
    /// A variable of the caller has a name of the body.
    #[error("`{0}` means something else in the function around it")]
    Captured(String),
    /// The names of the text mean something else at the use.
    #[error(transparent)]
    Names(#[from] NameFault),
    /// The path of the use was not read.
    #[error("its path has an unusual form")]
    UnusualPath,
    /// The alias constructs a value.
    #[error("it is used as a constructor")]
    Constructor,
    /// The use is no call.
    #[error("it is used as a value, or in code that was not read")]
    UsedAsValue,
    /// The function with the names of the caller was not read.
    #[error("its definition was not read")]
    Unread,
    /// A method call of a function without `self`.
    #[error("it is no method")]
    NoMethod,
    /// The call has generic arguments.
    #[error("it is called with generic arguments")]
    GenericArguments,
    /// A `?` would leave another function.
    #[error("a `?` of its body would return from the function around the call")]
    QuestionReturns,
    /// A call of a method without arguments.
    #[error("it has no `self`")]
    NoSelf,
    /// A method call without a receiver.
    #[error("no receiver")]
    NoReceiver,
    /// The use cannot change.
    #[error("{0}")]
    Fixed(&'static str),
}
