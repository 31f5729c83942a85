//! [`Guess`]: a part of an inserted text whose meaning is guessed, since another one would compile
//! too. Only a test that executes it is evidence.

use base::{ByteSpan, ProjectPath};
use edit::Splice;

/// A part of an inserted text of which neither the compiler nor the code around shows that it is the
/// one that is meant: another one would compile too. Only a test that executes it is evidence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Guess {
    /// File of the splice that inserts it.
    pub path: ProjectPath,
    /// Span that the splice replaces.
    pub splice: ByteSpan,
    /// Its part of the inserted text.
    pub part: ByteSpan,
    /// What it is.
    pub kind: GuessKind,
    /// The value that is needed there, where that is known.
    pub need: Option<NeededValue>,
}

/// A parameter, a field or another place that has to get a value, and the values that fit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NeededValue {
    /// Its name; empty for a part of a tuple.
    pub name: String,
    /// Its type as it is written; empty where that is not known.
    pub ty: String,
    /// The code in whose place it is, in one line; empty where nothing was.
    pub former: String,
    /// The values that fit, the likeliest first, each with why.
    pub options: Vec<(String, String)>,
}

/// What is guessed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GuessKind {
    /// A value that the code has for something similar: an expression.
    Value,
    /// A value that only its type suggests, such as `0`. That a test executes it is no evidence, since
    /// nothing may read it; a test has to fail with another value.
    Typed {
        /// An expression of the type with another value, if one can be written.
        other: Option<String>,
    },
    /// One of several similar names.
    Name,
    /// Nothing: `todo!()` is where a value is needed.
    Hole,
}

impl Guess {
    /// The last occurrence of `text` in what `splice` inserts; `None` if it inserts no such text.
    pub fn of(path: &ProjectPath, splice: &Splice, text: &str, kind: GuessKind) -> Option<Self> {
        let start = splice.insert.rfind(text).filter(|_| !text.is_empty())?;
        let part = ByteSpan::new(start, start + text.len());
        Some(Self { path: path.clone(), splice: splice.span, part, kind, need: None })
    }

    /// The same, for this need.
    pub(crate) fn for_need(self, need: NeededValue) -> Self {
        Self { need: Some(need), ..self }
    }
}
