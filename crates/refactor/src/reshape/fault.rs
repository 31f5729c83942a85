//! Why a definition or a use cannot take a change of its signature.

/// Reason why an edit is an obstacle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ReshapeFault {
    /// An alternative definition, such as for another `cfg`, differs.
    #[error("this definition of it has other parameters")]
    OtherParameters,
    /// A parameter may be removed by a condition.
    #[error("a parameter has an attribute, so it may not always exist")]
    ParameterAttribute,
    /// The list has an unusual form.
    #[error("its parameters were not found")]
    NoList,
    /// The list has no end.
    #[error("the end of its parameters was not found")]
    NoListEnd,
    /// The new parameter would hide another value.
    #[error("the body names `{0}` already, which would mean the new parameter")]
    NameTaken(String),
    /// The pattern of a removed parameter binds names.
    #[error("the body may use the parameter `{0}`")]
    PatternUsed(String),
    /// The body uses a removed parameter.
    #[error("the body uses `{name}` in line {line}")]
    Used { name: String, line: u32 },
    /// An attribute uses a removed parameter.
    #[error("an attribute names `{0}`")]
    UsedByAttribute(String),
    /// The call is not one of this definition.
    #[error("the call has {has} instead of {wanted}", has = base::counted(*.has, "argument"))]
    ArgumentCount { has: usize, wanted: usize },
    /// A removed argument has effects.
    #[error("the argument `{0}` may do more than name a value")]
    Impure(String),
    /// Arguments with effects change places.
    #[error("the order in which the arguments are evaluated matters")]
    Order,
    /// The position of a new part of a pattern is not known.
    #[error("the pattern has parts after `..`")]
    PatternRest,
    /// The use is in an example or a macro and has no place in the file.
    #[error("its place in the file is not clear")]
    NoPlace,
    /// The tokens are the input of a macro that quotes code.
    #[error(
        "`quote!` writes it, which no build of this crate proves: change it together with the definition, and \
         run `graftage finish`"
    )]
    Quoted,
    /// The name is written by a macro.
    #[error("a macro generates a definition of it")]
    Generated,
    /// The uses have another name.
    #[error("it is imported under another name")]
    Renamed,
    /// The example has a definition of the name.
    #[error("an example of the documentation defines it for a type of its own")]
    DefinedInExample,
    /// The function is no call.
    #[error("it is used as a value: calls of the value would pass the old arguments")]
    FunctionValue,
    /// The constructor of a variant is no call.
    #[error("its constructor is used as a value")]
    VariantValue,
}
