use std::collections::BTreeMap;

use crate::compare::Comparison;
use crate::outline::{Element, Outline, Unit, UnitKind};

/// What is new anywhere in the overlay and may be what is gone elsewhere.
pub(crate) struct Arrivals<'a> {
    units: BTreeMap<(UnitKind, &'a str), usize>,
    /// The new texts, token by token: whether it may belong to something that arrived. A name
    /// that was there does not; marks are too common to tell.
    texts: Vec<Vec<(&'a str, bool)>>,
}

impl<'a> Arrivals<'a> {
    pub(crate) fn of(comparisons: &[Comparison<'a>]) -> Self {
        let mut units: BTreeMap<(UnitKind, &'a str), usize> = BTreeMap::new();
        let mut texts = Vec::new();
        for comparison in comparisons {
            for unit in comparison.new.units.iter().filter(|it| comparison.is_new(it.anchor)) {
                *units.entry((unit.kind, unit.text)).or_default() += 1;
            }
            let tokens = comparison.new.tokens.iter().enumerate();
            texts.push(
                tokens
                    .map(|(at, token)| (token.text, !token.is_solid() || comparison.is_new(at)))
                    .collect(),
            );
        }
        Self { units, texts }
    }

    /// Whether these tokens arrived together somewhere.
    pub(crate) fn moved(&self, tokens: &[&str]) -> bool {
        !tokens.is_empty()
            && self.texts.iter().any(|text| {
                text.windows(tokens.len()).any(|window| {
                    window.iter().zip(tokens).all(|((new, arrived), old)| *arrived && new == old)
                })
            })
    }

    /// Takes a unit of the same kind and name that arrived elsewhere, if one is left.
    pub(crate) fn take(&mut self, unit: &Unit<'a>) -> bool {
        match self.units.get_mut(&(unit.kind, unit.text)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

/// The element's tokens without its attributes and its separator.
pub(crate) fn body<'a>(outline: &Outline<'a>, element: &Element) -> Vec<&'a str> {
    let mut end = element.end;
    while end > element.head && matches!(outline.tokens[end - 1].text, ";" | ",") {
        end -= 1;
    }
    outline.tokens[element.head..end].iter().map(|it| it.text).collect()
}
