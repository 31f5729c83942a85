//! [`FormatError`]: why a tool cannot be printed.

use base::Hint;

/// Why a tool cannot be printed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// A text contains a string that controls the model.
    #[error("{place} contains the control string `{control}`")]
    Control {
        /// Which text.
        place: String,
        /// The string.
        control: &'static str,
    },
    /// A name or key cannot be written in this form.
    #[error("`{}` cannot be a name in this form", name.escape_debug())]
    Name {
        /// The name.
        name: String,
    },
    /// A schema has no counterpart in this form.
    #[error("the schema of `{place}` cannot be written in this form: {reason}")]
    Schema {
        /// The tool and its property.
        place: String,
        /// The reason.
        reason: String,
    },
    /// Values are nested deeper than the limit.
    #[error("values are nested more than {limit} levels deep")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
}

impl Hint for FormatError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Control { control, .. } => Some(format!("remove `{control}` from the text")),
            Self::Name { .. } => Some("use letters, digits, `_`, `-` and `.`".to_owned()),
            Self::Schema { .. } => Some("use one of the six basic types".to_owned()),
            Self::TooDeep { .. } => None,
        }
    }
}
