//! [`ModelReviewer`]: the language model of the settings as a reviewer of a change and its stories. What it is shown is
//! data between marks; its answer can only refuse.

use std::fmt;
use std::sync::Arc;

use base::{Cancelled, Ctx};
use model::language::{
    LanguageModel, Message, MessagePart, Role, TurnError, TurnRequest, fence, refusal,
};
use world::StoryReviewer;

use crate::{ProjectError, Settings, Surroundings, language_model};

/// Instructions of the reviewer.
const SYSTEM: &str = include_str!("story_review.txt");
/// Reason of a refusal without a model.
const NO_MODEL: &str = "no language model is configured (`model.provider`)";
/// Most tokens of its answer.
const TOKENS: u32 = 256;

/// A model that reviews; or why there is none, which refuses every change.
pub(crate) struct ModelReviewer(Result<Option<Arc<dyn LanguageModel>>, ProjectError>);

impl fmt::Debug for ModelReviewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.as_ref().map(|it| it.as_ref().map(|it| it.name()));
        f.debug_tuple("ModelReviewer").field(&name).finish()
    }
}

impl ModelReviewer {
    /// The model of the settings, with a budget of its own. Sends nothing.
    pub(crate) fn new(settings: &Settings, surroundings: &Surroundings) -> Self {
        Self(language_model(settings, surroundings).map(|it| it.map(|it| it.model)))
    }
}

impl StoryReviewer for ModelReviewer {
    fn refusal(&self, ctx: &Ctx, change: &str, stories: &str) -> Result<Option<String>, Cancelled> {
        let model = match &self.0 {
            Ok(Some(model)) => model,
            Ok(None) => return Ok(Some(NO_MODEL.to_owned())),
            Err(error) => return Ok(Some(error.to_string())),
        };
        let text = format!("{}{}", fence("change", change), fence("stories", stories));
        let parts = vec![MessagePart::Text { text }];
        let request = TurnRequest {
            system: SYSTEM.to_owned(),
            messages: vec![Message { role: Role::User, parts }],
            max_tokens: TOKENS,
            temperature: Some(0.0),
            ..TurnRequest::default()
        };
        ctx.progress("reviewing", model.name().to_owned());
        match model.turn(ctx, &request, &mut |_| {}) {
            Ok(turn) => Ok(refusal(&text_of(&turn.parts))),
            Err(TurnError::Cancelled) => Err(Cancelled),
            // Without an answer nothing passes.
            Err(error) => Ok(Some(error.to_string())),
        }
    }
}

fn text_of(parts: &[MessagePart]) -> String {
    let texts = parts.iter().filter_map(|it| match it {
        MessagePart::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use model::language::{Scripted, ScriptedTurn};

    use super::*;

    fn turn(text: &str, contains: &str) -> ScriptedTurn {
        let turn = serde_json::json!({
            "expect": { "contains": [contains], "tools": [] },
            "answer": { "turn": {
                "parts": [{ "type": "text", "text": text }], "stop": "end_turn",
                "usage": { "input_tokens": 9, "output_tokens": 1 },
            } },
        });
        serde_json::from_value(turn).unwrap()
    }

    #[test]
    fn a_review_sees_change_and_stories_and_only_a_clear_answer_passes() {
        let turns = vec![
            turn("ACCEPT", "+ shown"),
            turn("REFUSE: the text is written for the story alone", "name = 'a'"),
            turn("I think it is fine", ": stories]"),
            turn("ACCEPT\nREFUSE", ": change]"),
        ];
        let reviewer = ModelReviewer(Ok(Some(Arc::new(Scripted::with_expectations(turns)))));
        let ctx = testkit::ctx();
        let asked = || reviewer.refusal(&ctx, "+ shown", "[[story]]\nname = 'a'").unwrap();
        assert_eq!(asked(), None);
        assert_eq!(asked().as_deref(), Some("the text is written for the story alone"));
        let neither = "the answer is neither `ACCEPT` nor `REFUSE: …`";
        assert_eq!((asked().as_deref(), asked().as_deref()), (Some(neither), Some(neither)));
        assert!(asked().is_some(), "a script without a turn left is an error, which refuses");
        let none = ModelReviewer(Ok(None));
        assert_eq!(none.refusal(&ctx, "", "").unwrap().as_deref(), Some(NO_MODEL));
    }
}
