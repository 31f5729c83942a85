//! Prices of models: the shipped table and the user's own. Integers alone: micro-dollars per
//! million tokens, so that a price times a number of tokens is an exact number of pico-dollars.

use std::cmp::Reverse;

use serde::Deserialize;

use super::error::TurnError;
use super::turn::Usage;

/// The shipped table.
const SHIPPED: &str = include_str!("prices.toml");

/// Price of a model in micro-dollars per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Input.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Input read from the provider's cache.
    pub cache_read: u64,
    /// Input written to the provider's cache.
    pub cache_write: u64,
}

/// A table of prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceTable {
    /// Entries in the order of priority.
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceFile {
    #[serde(default)]
    price: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    model: String,
    input: u64,
    output: u64,
    cache_read: u64,
    cache_write: u64,
}

impl PriceTable {
    /// The shipped table.
    pub fn shipped() -> Self {
        // A test parses the shipped table.
        Self::parse(SHIPPED).unwrap_or(Self { entries: Vec::new() })
    }

    /// The shipped table, with the entries of a table in the same format before it.
    ///
    /// # Errors
    /// The text is not such a table.
    pub fn with_own(text: &str) -> Result<Self, TurnError> {
        let mut table = Self::parse(text).map_err(|error| TurnError::Settings {
            reason: format!("the price table is invalid: {}", error.message()),
            fix: "write `[[price]]` with `model`, `input`, `output`, `cache_read` and \
                  `cache_write` in micro-dollars per million tokens"
                .to_owned(),
        })?;
        table.entries.extend(Self::shipped().entries);
        Ok(table)
    }

    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let PriceFile { price: mut entries } = toml::from_str(text)?;
        // Names without `*` first, then the longest; the order of equal ones is kept.
        entries.sort_by_key(|entry| (entry.model.ends_with('*'), Reverse(entry.model.len())));
        Ok(Self { entries })
    }

    /// The price of a model.
    pub fn price(&self, model: &str) -> Option<Price> {
        let entry = self.entries.iter().find(|entry| entry.matches(model))?;
        let Entry { input, output, cache_read, cache_write, .. } = *entry;
        Some(Price { input, output, cache_read, cache_write })
    }
}

impl Entry {
    fn matches(&self, model: &str) -> bool {
        match self.model.strip_suffix('*') {
            Some(start) => model.starts_with(start),
            None => model == self.model,
        }
    }
}

impl Price {
    /// Cost of `usage` in pico-dollars: exact.
    pub(crate) fn cost(&self, usage: &Usage) -> u128 {
        [
            (self.input, usage.input_tokens),
            (self.output, usage.output_tokens),
            (self.cache_read, usage.cache_read_tokens),
            (self.cache_write, usage.cache_write_tokens),
        ]
        .into_iter()
        .map(|(price, tokens)| u128::from(price) * u128::from(tokens))
        .fold(0, u128::saturating_add)
    }

    /// The highest price of a token of input.
    pub(super) fn highest_input(&self) -> u64 {
        self.input.max(self.cache_read).max(self.cache_write)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_is_valid_and_its_names_are_unique() {
        let table = PriceTable::parse(SHIPPED).unwrap();
        assert!(table.entries.len() > 10);
        for (at, entry) in table.entries.iter().enumerate() {
            assert!(entry.input > 0 && entry.output >= entry.input, "{entry:?}");
            assert!(entry.cache_read <= entry.input && entry.cache_write >= entry.input);
            assert!(table.entries[at + 1..].iter().all(|other| other.model != entry.model));
        }
        assert_eq!(table.price("claude-sonnet-4-5-20250929").map(|it| it.output), Some(15_000_000));
        assert_eq!(table.price("gpt-5-mini").map(|it| it.input), Some(250_000));
        assert_eq!(table.price("gpt-5.7"), None);
        assert_eq!(table.price("a-new-model"), None);
    }

    #[test]
    fn the_own_table_has_priority_and_longer_names_before_shorter() {
        let own = |model: &str, input: u64| {
            format!(
                "[[price]]\nmodel = \"{model}\"\ninput = {input}\noutput = 1\ncache_read = 0\ncache_write = 0\n"
            )
        };
        let table = own("*", 1) + &own("gpt-*", 2) + &own("gpt-5", 3);
        let table = PriceTable::with_own(&table).unwrap();
        let input = |model: &str| table.price(model).map(|it| it.input);
        assert_eq!((input("x"), input("gpt-4o"), input("gpt-5")), (Some(1), Some(2), Some(3)));
        let wrong = PriceTable::with_own(&own("x", 1).replace("output", "outptu"));
        assert!(matches!(wrong, Err(TurnError::Settings { .. })));
        assert!(PriceTable::with_own("[[price]]\nmodel = \"x\"\ninput = -1").is_err());
    }

    #[test]
    fn costs_are_exact_also_for_the_largest_counts() {
        let price =
            Price { input: 3_000_000, output: 15_000_000, cache_read: 300_000, cache_write: 1 };
        let usage = Usage {
            input_tokens: 1,
            output_tokens: 2,
            cache_read_tokens: 3,
            cache_write_tokens: 4,
        };
        assert_eq!(price.cost(&usage), 3_000_000 + 30_000_000 + 900_000 + 4);
        let most = u64::MAX;
        let price = Price { input: most, output: most, cache_read: 0, cache_write: 0 };
        let usage = Usage { input_tokens: most / 2, output_tokens: 1, ..Usage::default() };
        assert_eq!(price.cost(&usage), u128::from(most) * u128::from(most / 2 + 1));
    }
}
