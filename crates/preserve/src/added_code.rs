//! Code that the overlay adds anywhere. A token sequence that is lost in one place and added in
//! another has moved, and is not removed.

use base::SortedMap;

use crate::compare::Comparison;
use crate::outline::{EffectKind, EffectSite, Element, Outline};

/// Added code anywhere in the overlay, which may be what is missing elsewhere.
pub(crate) struct AddedCode<'a> {
    effects: SortedMap<(EffectKind, &'a str), usize>,
    /// The new texts as tokens, each with whether it may belong to moved code. A name that was
    /// there before does not; punctuation is too frequent to tell.
    texts: Vec<Vec<(&'a str, bool)>>,
}

impl<'a> AddedCode<'a> {
    pub(crate) fn of(comparisons: &[Comparison<'a>]) -> Self {
        let mut effects: SortedMap<(EffectKind, &'a str), usize> = SortedMap::new();
        let mut texts = Vec::new();
        for comparison in comparisons {
            for effect in comparison.new.effects.iter().filter(|it| comparison.is_new(it.anchor)) {
                *effects.entry((effect.kind, effect.text)).or_default() += 1;
            }
            let tokens = comparison.new.tokens.iter().enumerate();
            texts.push(
                tokens
                    .map(|(at, token)| (token.text, !token.is_solid() || comparison.is_new(at)))
                    .collect(),
            );
        }
        Self { effects, texts }
    }

    /// Whether these tokens were added together somewhere.
    pub(crate) fn moved(&self, tokens: &[&str]) -> bool {
        !tokens.is_empty()
            && self.texts.iter().any(|text| {
                text.windows(tokens.len()).any(|window| {
                    window.iter().zip(tokens).all(|((new, arrived), old)| *arrived && new == old)
                })
            })
    }

    /// Takes an added effect of the same kind and name, if one is left.
    pub(crate) fn take(&mut self, effect: &EffectSite<'a>) -> bool {
        match self.effects.get_mut(&(effect.kind, effect.text)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

/// The tokens of the element without attributes and separator.
pub(crate) fn body<'a>(outline: &Outline<'a>, element: &Element) -> Vec<&'a str> {
    let mut end = element.end;
    while end > element.head && matches!(outline.tokens[end - 1].text, ";" | ",") {
        end -= 1;
    }
    outline.tokens[element.head..end].iter().map(|it| it.text).collect()
}
