//! How sure a change is that follows from another one.

/// How sure a change is, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It follows from the changed definition.
    Certain,
    /// It uses a value or an example that the code has.
    Likely,
    /// It uses a value that only its type suggests.
    Guess,
}
