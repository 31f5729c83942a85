//! [`open`]: a model by the name of its provider, with redaction, retries and budget around it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::anthropic::Anthropic;
use super::budget::{Account, Budgeted};
use super::error::TurnError;
use super::openai::OpenAi;
use super::options::{ApiKey, ProviderOptions, TurnLimits};
use super::redact::Redactor;
use super::redacting::Redacting;
use super::retry::{Retried, RetryPolicy};
use super::scripted::Scripted;
use super::turn::LanguageModel;
use crate::address;
use base::SortedMap;

/// Environment variables with a key of Anthropic, in the order of priority.
const ANTHROPIC_KEYS: &[&str] = &["ANTHROPIC_KEY", "ANTHROPIC_API_KEY"];
/// Environment variable with a key of OpenAI, or of a compatible server.
const OPENAI_KEYS: &[&str] = &["OPENAI_API_KEY"];

/// Which model to use, and how.
#[derive(Clone, Debug, Default)]
pub struct LanguageOptions {
    /// `anthropic`, `openai` (any compatible server) or `scripted:FILE`.
    pub provider: String,
    /// Address of the provider; `None`: its own. It must come from the user, never from a project:
    /// the key is sent there.
    pub url: Option<String>,
    /// Socket of a server of the protocol `openai` on this machine, in place of the address.
    pub socket: Option<PathBuf>,
    /// Name of the model.
    pub model: String,
    /// Limits of one request; `None`: [`TurnLimits::for_address`].
    pub limits: Option<TurnLimits>,
    /// Retries.
    pub retry: RetryPolicy,
    /// Account from which the turns are paid; `None`: no limit and no count.
    pub account: Option<Arc<Account>>,
}

/// A model with everything that its use requires: secrets are removed from the requests, failures
/// that pass are retried, each request is paid from the account. Sends nothing.
///
/// Keys are read from `environment` alone: `ANTHROPIC_KEY` or `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`.
///
/// # Errors
/// An unknown provider, an invalid address, a missing key, or a script that cannot be read.
pub fn open(
    options: &LanguageOptions,
    environment: &SortedMap<String, String>,
) -> Result<Box<dyn LanguageModel>, TurnError> {
    let redactor = Redactor::new(environment);
    let account = options.account.clone();
    if let Some(file) = options.provider.strip_prefix("scripted:") {
        let model = Scripted::from_file(Path::new(file))?;
        return Ok(around(model, redactor, options.retry, account));
    }
    match options.provider.as_str() {
        "anthropic" => {
            let keys = (ANTHROPIC_KEYS, environment);
            let model = Anthropic::new(provider_options(options, Anthropic::URL, keys)?)?;
            Ok(around(model, redactor, options.retry, account))
        }
        "openai" => {
            let keys = (OPENAI_KEYS, environment);
            let model = OpenAi::new(provider_options(options, OpenAi::URL, keys)?)?;
            Ok(around(model, redactor, options.retry, account))
        }
        other => Err(TurnError::Settings {
            reason: format!("there is no provider `{other}`"),
            fix: "choose `anthropic`, `openai` (any compatible server) or `scripted:FILE`"
                .to_owned(),
        }),
    }
}

/// The budget is inside of the retries: each request is reserved and charged on its own.
fn around<M: LanguageModel + 'static>(
    model: M,
    redactor: Redactor,
    retry: RetryPolicy,
    account: Option<Arc<Account>>,
) -> Box<dyn LanguageModel> {
    match account {
        Some(account) => {
            Box::new(Redacting::new(Retried::new(Budgeted::new(model, account), retry), redactor))
        }
        None => Box::new(Redacting::new(Retried::new(model, retry), redactor)),
    }
}

fn provider_options(
    options: &LanguageOptions,
    own_url: &str,
    (variables, environment): (&[&str], &SortedMap<String, String>),
) -> Result<ProviderOptions, TurnError> {
    let socket = options.socket.clone();
    let own_url = if socket.is_some() { crate::unix::URL } else { own_url };
    let url = options.url.clone().unwrap_or_else(|| own_url.to_owned());
    let key = variables.iter().find_map(|name| environment.get(*name));
    let key = key.filter(|key| !key.trim().is_empty()).map(|key| ApiKey::new(key)).transpose()?;
    if key.is_none() && !address::is_local(&url) {
        return Err(TurnError::NoKey {
            provider: options.provider.clone(),
            variable: variables.first().copied().unwrap_or_default().to_owned(),
        });
    }
    let limits = options.limits.unwrap_or_else(|| TurnLimits::for_address(&url));
    Ok(ProviderOptions { url, socket, model: options.model.clone(), key, limits })
}

#[cfg(test)]
mod tests {
    use base::Hint;

    use super::*;

    fn opened(
        provider: &str,
        url: Option<&str>,
        environment: &[(&str, &str)],
    ) -> Result<(), TurnError> {
        let options = LanguageOptions {
            provider: provider.to_owned(),
            url: url.map(str::to_owned),
            model: "m".to_owned(),
            ..LanguageOptions::default()
        };
        let pairs =
            environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        open(&options, &pairs.collect()).map(|_| ())
    }

    #[test]
    fn a_key_is_required_except_on_this_machine() {
        let missing = opened("anthropic", Some("https://example.org"), &[]).unwrap_err();
        assert!(matches!(&missing, TurnError::NoKey { .. }), "{missing}");
        assert!(missing.hint().unwrap().contains("ANTHROPIC_KEY"));
        assert_eq!(opened("openai", Some("http://127.0.0.1:1"), &[]), Ok(()));
        assert_eq!(
            opened("anthropic", Some("http://[::1]:1"), &[("ANTHROPIC_API_KEY", "k")]),
            Ok(())
        );
        for key in ["a\nb", "schlüssel"] {
            let wrong = opened("openai", Some("http://localhost:1"), &[("OPENAI_API_KEY", key)]);
            assert!(
                matches!(&wrong, Err(TurnError::Settings { reason, .. }) if !reason.contains(key))
            );
        }
    }

    #[test]
    fn a_key_is_not_sent_unencrypted_to_another_machine() {
        let refused = opened("openai", Some("http://example.org"), &[("OPENAI_API_KEY", "k")]);
        assert!(matches!(refused, Err(TurnError::Settings { .. })), "{refused:?}");
    }

    #[test]
    fn unknown_providers_and_scripts_are_refused_with_a_hint() {
        let unknown = opened("other", None, &[]).unwrap_err();
        assert!(unknown.hint().unwrap().contains("`openai`"), "{unknown}");
        let script = opened("scripted:/no/such/file.json", None, &[]).unwrap_err();
        assert!(script.to_string().contains("/no/such/file.json"), "{script}");
    }
}
