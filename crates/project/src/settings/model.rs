//! Settings of the language model. A project may only tighten them: it chooses neither provider nor
//! address, and raises no budget.

use std::path::PathBuf;

/// Dollars in micro-dollars.
const DOLLAR: f64 = 1_000_000.0;

/// Settings of the language model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSettings {
    /// `anthropic`, `openai`, `local` or `scripted:FILE`; `None`: no model is used.
    pub provider: Option<String>,
    /// Name of the model.
    pub name: String,
    /// Address of the provider; `None`: its own.
    pub url: Option<String>,
    /// Program that runs a local model; `None`: `llama-server` in the path.
    pub server: Option<PathBuf>,
    /// Whether a daemon is started for a local model, so that it stays loaded.
    pub keep: bool,
    /// Maximum number of tokens of a run.
    pub max_tokens: u64,
    /// Maximum cost of a run in micro-dollars; `None`: no limit.
    pub max_cost: Option<u64>,
    /// Maximum number of edits that are asked for.
    pub rounds: usize,
    /// Maximum number of tokens of code and errors in the first request.
    pub context_tokens: usize,
    /// Whether the model reviews its change before it is applied; a review can only refuse.
    pub review: bool,
    /// Whether the model answers questions that a change leaves open.
    pub answers: bool,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            provider: None,
            name: String::new(),
            url: None,
            server: None,
            keep: false,
            max_tokens: 200_000,
            max_cost: Some(1_000_000),
            rounds: 3,
            context_tokens: 12_000,
            review: false,
            answers: false,
        }
    }
}

impl ModelSettings {
    /// The providers that may be chosen.
    pub(crate) const PROVIDERS: &str = "none, anthropic, openai (any compatible server), local (a model of the registry) or scripted:FILE";
}

/// A provider: a known one, or a script.
pub(super) fn provider(text: &str) -> Option<Option<String>> {
    match text {
        "none" => Some(None),
        "anthropic" | "openai" | "local" => Some(Some(text.to_owned())),
        _ => {
            let file = text.strip_prefix("scripted:")?;
            (!file.is_empty()).then(|| Some(text.to_owned()))
        }
    }
}

/// Micro-dollars of a number of dollars, exactly as written; 0: no limit.
pub(super) fn micro_dollars(text: &str) -> Option<Option<u64>> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || fraction.len() > 6 || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let micro: u64 = format!("{fraction:0<6}").parse().ok()?;
    let whole: u64 = whole.parse().ok()?;
    let sum = whole.checked_mul(1_000_000)?.checked_add(micro)?;
    Some((sum > 0).then_some(sum))
}

pub(super) fn dollars(micro: u64) -> String {
    let text = format!("{:.6}", micro as f64 / DOLLAR);
    let text = text.trim_end_matches('0');
    text.strip_suffix('.').unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_read_and_written_exactly() {
        for (text, micro) in
            [("0", None), ("0.5", Some(500_000)), ("12", Some(12_000_000)), ("0.000001", Some(1))]
        {
            assert_eq!(micro_dollars(text), Some(micro), "{text}");
            assert_eq!(micro.map_or_else(|| "0".to_owned(), dollars), text);
        }
        for text in ["", "-1", "1e3", "0.0000001", "1.2.3", ".5", "NaN", "99999999999999999999"] {
            assert_eq!(micro_dollars(text), None, "{text}");
        }
    }
}
