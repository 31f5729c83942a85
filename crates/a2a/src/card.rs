//! The agent card: what the agent does and how it is reached.

use base::{ContentHash, Timestamp};
use serde_json::{Value, json};

use crate::wire::VERSION;

/// Media types that messages may have.
pub(crate) const INPUT: [&str; 3] = ["text/plain", "text/markdown", "application/json"];

/// Media types of artifacts.
const OUTPUT: [&str; 3] = ["text/plain", "text/x-diff", "application/json"];

/// A skill of an agent.
#[derive(Clone, Copy, Debug)]
pub struct A2aSkill {
    /// Its id, the first word of a message that uses it.
    pub id: &'static str,
    /// Description, one sentence.
    pub description: &'static str,
    /// Messages that use it.
    pub examples: &'static [&'static str],
}

/// Description of an agent.
#[derive(Clone, Debug)]
pub struct A2aProfile {
    /// Its name.
    pub name: String,
    /// Description, one sentence.
    pub description: String,
    /// Its version.
    pub version: String,
    /// Its skills.
    pub skills: &'static [A2aSkill],
    /// Facts that only clients with the token read.
    pub details: String,
}

/// The cards of a server.
#[derive(Clone, Debug)]
pub(crate) struct AgentCards {
    /// The public card, as it is sent.
    pub(crate) public: String,
    /// The card for clients with the token.
    pub(crate) extended: Value,
    pub(crate) etag: String,
    /// Time at which the server began, as an HTTP date.
    pub(crate) modified: String,
}

impl AgentCards {
    pub(crate) fn new(
        profile: &A2aProfile,
        (url, needs_token): (&str, bool),
        began: Timestamp,
    ) -> Self {
        let public = card(profile, url, needs_token);
        let mut extended = public.clone();
        extended["description"] = format!("{} {}", profile.description, profile.details).into();
        let public = public.to_string();
        let etag = format!("\"{}\"", ContentHash::of(public.as_bytes()));
        let seconds = std::time::Duration::from_secs(began.0 / 1_000_000);
        let modified = httpdate::fmt_http_date(std::time::UNIX_EPOCH + seconds);
        Self { public, extended, etag, modified }
    }
}

fn card(profile: &A2aProfile, url: &str, needs_token: bool) -> Value {
    let skill = |it: &A2aSkill| {
        json!({
            "id": it.id,
            "name": it.id,
            "description": it.description,
            "tags": ["rust", it.id],
            "examples": it.examples,
        })
    };
    let interface = |binding: &str| json!({ "url": url, "protocolBinding": binding, "protocolVersion": VERSION });
    let mut card = json!({
        "name": profile.name,
        "description": profile.description,
        "version": profile.version,
        "supportedInterfaces": [interface("JSONRPC"), interface("HTTP+JSON")],
        "capabilities": {
            "streaming": true, "pushNotifications": true, "extendedAgentCard": true,
        },
        "defaultInputModes": INPUT,
        "defaultOutputModes": OUTPUT,
        "skills": profile.skills.iter().map(skill).collect::<Vec<_>>(),
    });
    if needs_token {
        let scheme = json!({ "scheme": "Bearer", "description": "The token of the server" });
        card["securitySchemes"] = json!({ "token": { "httpAuthSecurityScheme": scheme } });
        card["securityRequirements"] = json!([{ "schemes": { "token": { "list": [] } } }]);
    }
    card
}
