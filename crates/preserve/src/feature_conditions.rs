//! The conditions on a feature in a text, and the text with another name in them.

use base::ByteSpan;

use crate::outline::{TokenKind, tokens};

/// The names in `feature = "name"` in a text, with their quotes.
pub fn feature_conditions(text: &str, name: &str) -> Vec<ByteSpan> {
    if !text.contains(name) {
        return Vec::new();
    }
    let list = tokens(text);
    let literal = format!("\"{name}\"");
    let is_it = |at: &usize| {
        list[*at].is("feature")
            && list.get(at + 1).is_some_and(|it| it.is("="))
            && list
                .get(at + 2)
                .is_some_and(|it| it.kind == TokenKind::Literal && it.text == literal)
    };
    (0..list.len()).filter(is_it).filter_map(|at| list.get(at + 2)).map(|it| it.span).collect()
}

/// The text with these names of features in the place of former ones; `None` if it has none of them.
pub(crate) fn with_features<'n>(
    text: &str,
    names: impl Iterator<Item = (&'n str, &'n str)>,
) -> Option<String> {
    let mut changed: Option<String> = None;
    for (from, to) in names {
        let text = changed.as_deref().unwrap_or(text);
        let found = feature_conditions(text, from);
        if found.is_empty() {
            continue;
        }
        let mut after = text.to_owned();
        for span in found.into_iter().rev() {
            after.replace_range(span.start..span.end, &format!("\"{to}\""));
        }
        changed = Some(after);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_conditions_take_the_new_name() {
        let text = "#[cfg(all(test, feature = \"old\"))] fn f() { g(\"old\"); if cfg!(feature = \"old\") {} }";
        let expected = text.replace("feature = \"old\"", "feature = \"new\"");
        let with = |from, to| with_features(text, [(from, to)].into_iter());
        assert_eq!(with("old", "new"), Some(expected));
        assert_eq!(with("ol", "new"), None);
    }
}
