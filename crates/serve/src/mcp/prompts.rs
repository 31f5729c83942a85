//! Prompts: ways to work that a person starts by name. Each is one message; an argument is quoted in it
//! and changes nothing else.

use rmcp::ErrorData as McpError;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::Value;

/// The most characters of an argument.
const LONGEST: usize = 4_000;

struct Card {
    name: &'static str,
    description: &'static str,
    argument: Option<(&'static str, &'static str)>,
    text: &'static str,
}

const CARDS: &[Card] = &[
    Card {
        name: "repair",
        description: "Repair the errors of the project and prove the repair",
        argument: Some(("error", "Only errors of this code, such as E0308")),
        text: "Repair the errors of this Rust project. 1. `check` lists them. 2. `fix` finds repairs \
               that cargo verified; if it finds one, show me its diff. 3. For what is left, read \
               the items with `context`, stage one small edit with `propose_edit`, and verify it with \
               `preflight`. 4. `apply` only what was verified. Remove no test, assertion or item to \
               silence an error.",
    },
    Card {
        name: "review-my-change",
        description: "Review what changed since the last commit",
        argument: Some(("focus", "What to look at first")),
        text: "Review what I changed since the last commit. 1. `graph` with the kind `impact` of the \
               difference lists the items and tests that it affects. 2. `check` with the affected tests shows \
               what is broken. 3. `finish` shows what I began and did not complete. Report, most \
               important first: errors, callers that were missed, tests that are missing, public API that \
               changed. Change nothing.",
    },
    Card {
        name: "where-do-i-start",
        description: "Find where in the code a task begins",
        argument: Some(("task", "The task, in your own terms")),
        text: "Find where in this project the task begins. 1. `search` for it, with two or three \
               phrasings. 2. `context` for the best item. 3. `graph` for the callers of what \
               would change, and the tests that cover it. Answer with the items to change in order, each \
               with file and line and one reason, and the test to write first. Change nothing.",
    },
];

/// All prompts.
pub(super) fn list() -> Vec<Prompt> {
    let prompt = |card: &Card| {
        let argument = |(name, about): (&str, &str)| {
            PromptArgument::new(name).with_description(about).with_required(false)
        };
        let arguments = card.argument.map(|it| vec![argument(it)]);
        Prompt::new(card.name, Some(card.description), arguments)
    };
    CARDS.iter().map(prompt).collect()
}

/// One prompt with its argument.
pub(super) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResult, McpError> {
    let Some(card) = CARDS.iter().find(|card| card.name == request.name) else {
        let names: Vec<&str> = CARDS.iter().map(|card| card.name).collect();
        let reason = format!("there is no such prompt; the prompts are {}", names.join(", "));
        return Err(McpError::invalid_params(reason, None));
    };
    let value = card.argument.and_then(|(name, _)| {
        let value = request.arguments.as_ref()?.get(name)?.as_str()?.trim();
        (!value.is_empty()).then_some((name, value))
    });
    let text = match value {
        None => card.text.to_owned(),
        Some((name, value)) => {
            let value: String = value.chars().take(LONGEST).collect();
            format!("{} The {name}: {}", card.text, Value::String(value))
        }
    };
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(card.description))
}
