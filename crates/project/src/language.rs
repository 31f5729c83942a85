//! The language model that the user configured. Opening it sends nothing.

use std::sync::Arc;

use model::language::{
    Account, Budget, LanguageModel, LanguageOptions, PriceTable, TurnError, open,
};

use crate::local_model::LocalModel;
use crate::settings::ModelSettings;
use crate::{DoctorRow, ProjectError, SettingOrigin, Settings, Surroundings};

/// Provider that runs a model of the registry.
const LOCAL: &str = "local";

/// Name of the model that plays recorded answers.
const SCRIPTED: &str = "scripted";

/// An opened language model. What is sent to it is redacted, retried and paid from the account.
pub struct OpenedModel {
    /// The model.
    pub model: Arc<dyn LanguageModel>,
    /// What it may use, and has used.
    pub account: Arc<Account>,
    /// Name for reports.
    pub name: String,
}

/// The language model of the settings; `None` if none is configured.
///
/// # Errors
/// A missing key or an invalid setting.
pub fn language_model(
    settings: &Settings,
    surroundings: &Surroundings,
) -> Result<Option<OpenedModel>, ProjectError> {
    let ModelSettings { provider, name, url, max_tokens, max_cost, .. } = &settings.model;
    let Some(provider) = provider else { return Ok(None) };
    let is_scripted = provider.starts_with("scripted:");
    if name.is_empty() && !is_scripted && url.is_none() {
        return Err(TurnError::Settings {
            reason: format!("no model of `{provider}` is chosen"),
            fix: "set `model.name`, or pass `--model NAME`".to_owned(),
        }
        .into());
    }
    let prices = prices(name, is_scripted)?;
    // The default limit is for models that cost something.
    let is_free =
        prices.price(name).is_none() && settings.origin("model.max_cost") == SettingOrigin::Default;
    let budget =
        Budget { max_tokens: Some(*max_tokens), max_micro_dollars: max_cost.filter(|_| !is_free) };
    let account = Account::new(budget, prices);
    let model: Arc<dyn LanguageModel> = if provider == LOCAL {
        Arc::new(LocalModel::new(settings, surroundings, Arc::clone(&account))?)
    } else {
        let options = LanguageOptions {
            provider: provider.clone(),
            url: url.clone(),
            model: name.clone(),
            account: Some(Arc::clone(&account)),
            ..LanguageOptions::default()
        };
        Arc::from(open(&options, surroundings.environment.variables())?)
    };
    let name = match name.is_empty() {
        true => model.name().to_owned(),
        false => name.clone(),
    };
    Ok(Some(OpenedModel { model, account, name }))
}

/// The prices of models. Recorded answers cost what the model of the settings would.
fn prices(name: &str, is_scripted: bool) -> Result<PriceTable, TurnError> {
    let shipped = PriceTable::shipped();
    match shipped.price(name).filter(|_| is_scripted) {
        None => Ok(shipped),
        Some(price) => PriceTable::with_own(&format!(
            "[[price]]\nmodel = \"{SCRIPTED}\"\ninput = {}\noutput = {}\ncache_read = {}\n\
             cache_write = {}\n",
            price.input, price.output, price.cache_read, price.cache_write
        )),
    }
}

/// The language model as `doctor` lists it: by configuration alone, nothing is sent.
pub(crate) fn doctor_row(settings: &Settings, surroundings: &Surroundings) -> DoctorRow {
    let part = "language model";
    let row = |present, detail, adds| DoctorRow { part, present, optional: true, detail, adds };
    match language_model(settings, surroundings) {
        Ok(Some(opened)) => {
            let provider = settings.model.provider.as_deref().unwrap_or_default();
            let at =
                settings.model.url.as_ref().map_or_else(String::new, |url| format!(" at {url}"));
            row(
                true,
                format!("{} of {provider}{at}, configured (not contacted)", opened.name),
                None,
            )
        }
        Ok(None) => row(
            false,
            "none configured".to_owned(),
            Some(
                "edits by a model where rules find none (`fix`, `task`); set `model.provider` and \
                 `model.name` in your configuration file, and ANTHROPIC_KEY or OPENAI_API_KEY"
                    .to_owned(),
            ),
        ),
        Err(error) => row(false, error.to_string(), base::Hint::hint(&error)),
    }
}
