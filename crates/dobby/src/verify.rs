//! [`verify`]: whether a language model answers, and the same each time. Whether its answers make sense is not
//! looked at.

use base::Ctx;
use model::language::{LanguageModel, Message, MessagePart, Role, TurnError, TurnRequest};
use serde::Serialize;

/// Most tokens of a line.
const TOKENS: u32 = 16;

/// Most characters of a line.
const LONGEST: usize = 80;

/// Result of [`verify`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerifiedModel {
    /// Lines of the first run, as many as were asked for.
    pub lines: Vec<String>,
    /// Whether the second run had the same.
    pub is_equal: bool,
}

/// Asks a model for so many lines, one in each request, without chance; and once more.
///
/// # Errors
/// The model does not answer.
pub fn verify(
    ctx: &Ctx,
    model: &dyn LanguageModel,
    lines: u16,
) -> Result<VerifiedModel, TurnError> {
    let first = run(ctx, model, (0, lines))?;
    let second = run(ctx, model, (lines, lines))?;
    Ok(VerifiedModel { is_equal: first == second, lines: first })
}

fn run(
    ctx: &Ctx,
    model: &dyn LanguageModel,
    (done, lines): (u16, u16),
) -> Result<Vec<String>, TurnError> {
    let all = u64::from(lines) * 2;
    let ask = |number: u16| {
        ctx.count("asking the model", model.name(), u64::from(done + number), all);
        let text = format!("Write one short line about the number {number}.");
        let parts = vec![MessagePart::Text { text }];
        let request = TurnRequest {
            messages: vec![Message { role: Role::User, parts }],
            max_tokens: TOKENS,
            temperature: Some(0.0),
            ..TurnRequest::default()
        };
        let turn = model.turn(ctx, &request, &mut |_| {})?;
        Ok(first_line(&turn.parts))
    };
    (1..=lines).map(ask).collect()
}

/// The first line of an answer, at most [`LONGEST`] characters of it.
fn first_line(parts: &[MessagePart]) -> String {
    let text: String = parts
        .iter()
        .filter_map(|it| match it {
            MessagePart::Text { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let line = text.lines().find(|it| !it.trim().is_empty()).unwrap_or_default();
    base::visible_line(line.trim()).chars().take(LONGEST).collect()
}
