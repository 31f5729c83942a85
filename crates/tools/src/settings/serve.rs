//! Settings of the server for coding agents.

use super::keys::{SettingKey, set};

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

impl WriteConsent {
    /// All variants with their names in settings files.
    const ALL: [(Self, &'static str); 3] =
        [(Self::Policy, "policy"), (Self::Ask, "ask"), (Self::Require, "require")];
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

impl AnswerForm {
    /// All variants with their names in settings files.
    const ALL: [(Self, &'static str); 2] = [(Self::Both, "both"), (Self::Text, "text")];
}

/// Settings of the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServeSettings {
    /// What an answer contains.
    pub answers: AnswerForm,
    /// Who is asked before the tree is written.
    pub apply: WriteConsent,
}

pub(super) const SERVE_KEYS: &[SettingKey] = &[
    SettingKey {
        name: "serve.answers",
        help: "what answers of `serve mcp` contain; `text`: no JSON, for clients that would show that to \
               the model",
        takes: "both or text",
        get: |s| name(&AnswerForm::ALL, s.serve.answers),
        set: |s, v| set(&mut s.serve.answers, named(&AnswerForm::ALL, v)),
        tightens: None,
    },
    SettingKey {
        name: "serve.apply",
        help: "who is asked before a tool of `serve mcp` writes; `ask`: the user, where the client can \
               show a question; `require`: else nothing is written; `policy`: the gate alone decides",
        takes: "policy, ask or require",
        get: |s| name(&WriteConsent::ALL, s.serve.apply),
        set: |s, v| set(&mut s.serve.apply, named(&WriteConsent::ALL, v)),
        tightens: Some(|old, new| new.serve.apply >= old.serve.apply),
    },
];

fn name<T: PartialEq>(all: &[(T, &'static str)], value: T) -> String {
    all.iter().find(|(it, _)| *it == value).map_or_else(String::new, |(_, name)| (*name).to_owned())
}

fn named<T: Copy>(all: &[(T, &'static str)], text: &str) -> Option<T> {
    all.iter().find(|(_, name)| *name == text).map(|(it, _)| *it)
}
