//! Settings of the language model. A project may only tighten them: it chooses neither provider nor
//! address, and raises no budget.

use super::keys::{SettingKey, set};

/// Dollars in micro-dollars.
const DOLLAR: f64 = 1_000_000.0;

/// Settings of the language model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSettings {
    /// `anthropic`, `openai` or `scripted:FILE`; `None`: no model is used.
    pub provider: Option<String>,
    /// Name of the model.
    pub name: String,
    /// Address of the provider; `None`: its own.
    pub url: Option<String>,
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
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            provider: None,
            name: String::new(),
            url: None,
            max_tokens: 200_000,
            max_cost: Some(1_000_000),
            rounds: 3,
            context_tokens: 12_000,
            review: false,
        }
    }
}

impl ModelSettings {
    /// The providers that may be chosen.
    pub(crate) const PROVIDERS: &str =
        "none, anthropic, openai (any compatible server) or scripted:FILE";
}

/// The settings of the model, by name.
pub(super) const MODEL_KEYS: &[SettingKey] = &[
    SettingKey {
        name: "model.context_tokens",
        help: "maximum number of tokens of code and errors in the first request to a model",
        takes: "a whole number",
        get: |s| s.model.context_tokens.to_string(),
        set: |s, v| set(&mut s.model.context_tokens, v.parse().ok()),
        tightens: Some(|old, new| new.model.context_tokens <= old.model.context_tokens),
    },
    SettingKey {
        name: "model.max_cost",
        help: "maximum cost of a run in US dollars; 0: no limit. A model without a known price needs 0",
        takes: "a number such as 0.50",
        get: |s| s.model.max_cost.map_or_else(|| "0".to_owned(), dollars),
        set: |s, v| set(&mut s.model.max_cost, micro_dollars(v)),
        tightens: Some(|old, new| match (old.model.max_cost, new.model.max_cost) {
            (None, _) => true,
            (Some(old), Some(new)) => new <= old,
            (Some(_), None) => false,
        }),
    },
    SettingKey {
        name: "model.max_tokens",
        help: "maximum number of tokens of a run, of input and output",
        takes: "a whole number",
        get: |s| s.model.max_tokens.to_string(),
        set: |s, v| set(&mut s.model.max_tokens, v.parse().ok()),
        tightens: Some(|old, new| new.model.max_tokens <= old.model.max_tokens),
    },
    SettingKey {
        name: "model.name",
        help: "name of the language model",
        takes: "a name as the provider has it",
        get: |s| s.model.name.clone(),
        set: |s, v| set(&mut s.model.name, Some(v.to_owned())),
        tightens: Some(|old, new| new.model.name == old.model.name),
    },
    SettingKey {
        name: "model.provider",
        help: "provider of the language model that is asked once nothing else has found a change; it \
               receives code of the project. Its key is read from ANTHROPIC_KEY or OPENAI_API_KEY",
        takes: ModelSettings::PROVIDERS,
        get: |s| s.model.provider.clone().unwrap_or_else(|| "none".to_owned()),
        set: |s, v| set(&mut s.model.provider, provider(v)),
        // Only the user may choose who receives code of the project.
        tightens: Some(|old, new| {
            new.model.provider.is_none() || new.model.provider == old.model.provider
        }),
    },
    SettingKey {
        name: "model.review",
        help: "let the model review a change of its own that passed; a review can only refuse",
        takes: "true or false",
        get: |s| s.model.review.to_string(),
        set: |s, v| set(&mut s.model.review, v.parse().ok()),
        tightens: Some(|old, new| new.model.review >= old.model.review),
    },
    SettingKey {
        name: "model.rounds",
        help: "maximum number of edits that a model is asked for in one task",
        takes: "a whole number",
        get: |s| s.model.rounds.to_string(),
        set: |s, v| set(&mut s.model.rounds, v.parse().ok()),
        tightens: Some(|old, new| new.model.rounds <= old.model.rounds),
    },
    SettingKey {
        name: "model.url",
        help: "address of the provider; empty: its own",
        takes: "a URL such as http://127.0.0.1:8080, or nothing",
        get: |s| s.model.url.clone().unwrap_or_default(),
        set: |s, v| set(&mut s.model.url, Some((!v.is_empty()).then(|| v.to_owned()))),
        tightens: Some(|old, new| new.model.url == old.model.url),
    },
];

fn provider(text: &str) -> Option<Option<String>> {
    match text {
        "none" => Some(None),
        "anthropic" | "openai" => Some(Some(text.to_owned())),
        _ => {
            let file = text.strip_prefix("scripted:")?;
            (!file.is_empty()).then(|| Some(text.to_owned()))
        }
    }
}

/// Micro-dollars of a number of dollars, exactly as written; 0: no limit.
fn micro_dollars(text: &str) -> Option<Option<u64>> {
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

fn dollars(micro: u64) -> String {
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
