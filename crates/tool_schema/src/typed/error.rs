//! [`InputError`]: why the input of a tool is refused.

use base::Hint;

/// Why an input is refused, and how to correct it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// Path of the field, such as `edits[2].find`; empty: the input as a whole.
    pub field: String,
    /// What is wrong.
    pub reason: String,
    /// The fix.
    pub fix: String,
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let field = if self.field.is_empty() { "input" } else { &self.field };
        write!(f, "{field}: {}", self.reason)
    }
}

impl std::error::Error for InputError {}

impl Hint for InputError {
    fn hint(&self) -> Option<String> {
        Some(self.fix.clone())
    }
}
