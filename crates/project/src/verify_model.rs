//! [`verify_model`]: whether the language model of the settings answers, and the same each time.

use base::Ctx;
use dobby::{VerifiedModel, verify};
use model::language::TurnError;

use crate::{ProjectError, Settings, Surroundings, language_model};

/// Asks the model of the settings for so many lines, as [`verify`].
///
/// # Errors
/// The settings name no model; a model that does not answer.
pub fn verify_model(
    ctx: &Ctx,
    settings: &Settings,
    surroundings: &Surroundings,
    lines: u16,
) -> Result<VerifiedModel, ProjectError> {
    let opened = language_model(settings, surroundings)?.ok_or_else(|| TurnError::Settings {
        reason: "no model is chosen".to_owned(),
        fix: "set `model.provider` and `model.name`".to_owned(),
    })?;
    Ok(verify(ctx, &*opened.model, lines)?)
}
