//! Settings of the server for coding agents.

/// Who is asked before a tool of a server writes the tree. The gate decides in every case. In the order of
/// strictness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum WriteConsent {
    /// No question; the gate alone decides.
    Policy,
    /// The user, where the client can show a question; else the gate alone decides.
    #[default]
    Ask,
    /// The user; where the client cannot show a question, nothing is written.
    Require,
}

/// What an answer of a server contains. Some clients show the model the text, others the JSON if there is
/// one, and the text is shorter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerForm {
    /// The text, and the same as JSON of the schema that the tool declares.
    #[default]
    Both,
    /// The text alone; no schema is declared.
    Text,
}

/// Settings of the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServeSettings {
    /// What an answer contains.
    pub answers: AnswerForm,
    /// Who is asked before the tree is written.
    pub apply: WriteConsent,
}
