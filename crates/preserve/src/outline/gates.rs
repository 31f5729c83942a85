//! The `cfg` predicates that hold for a position: of the elements around it, and of the branches of
//! `cfg_if!`.

use base::ByteSpan;

use super::Outline;
use crate::layout::is_test_attribute;

impl Outline<'_> {
    /// The predicates of the `cfg` attributes, and `test` for those of tests, of all elements, blocks and
    /// files around a position of `text`, in the order of the text; those of `mod` items in other files are
    /// not known here.
    pub fn gates(&self, text: &str, at: usize) -> Vec<String> {
        let mut found = Vec::new();
        for attribute in &self.attributes {
            let predicate = match self.text(attribute.name) {
                "cfg" => self.predicate(text, attribute.name),
                // Only a harness for tests has them.
                name => is_test_attribute(name).then_some("test"),
            };
            let Some(predicate) = predicate else { continue };
            // `#![cfg(…)]` is that of the block or file around it.
            let is_inner = self.before(attribute.name, 2) == "!";
            let span = match is_inner {
                true => self.block_around(attribute.name, text.len()),
                false => self.owner(attribute.name, attribute.end),
            };
            if span.is_some_and(|it| it.start <= at && at < it.end) {
                found.push(predicate.to_owned());
            }
        }
        found.extend(self.branches(text, at));
        found
    }

    /// The tokens between the parentheses after `cfg`.
    fn predicate<'t>(&self, text: &'t str, name: usize) -> Option<&'t str> {
        let open = name + 1;
        let close = *self.close.get(open)?;
        let (open, close) = (self.tokens.get(open)?, self.tokens.get(close)?);
        open.is("(").then_some(())?;
        text.get(open.span.end..close.span.start).map(str::trim)
    }

    /// The span of the element with an attribute: from the attribute to its end.
    fn owner(&self, name: usize, end: usize) -> Option<ByteSpan> {
        let around = self.elements.iter().filter(|it| it.start <= name && end < it.end);
        let owner = around.filter(|it| name < it.head).min_by_key(|it| it.end - it.start);
        let (first, last) = match owner {
            Some(it) => (it.start, it.end - 1),
            // A block or an expression within an element.
            None => (name, self.end_of_expression(end + 1)),
        };
        let (first, last) = (self.tokens.get(first)?, self.tokens.get(last)?);
        Some(ByteSpan::new(first.span.start, last.span.end))
    }

    /// The last token of an expression that begins at a token: its block, or the token before a
    /// separator.
    fn end_of_expression(&self, mut at: usize) -> usize {
        while at + 1 < self.tokens.len() {
            match self.text(at) {
                "{" => return self.close[at],
                "(" | "[" => at = self.close[at],
                ")" | "]" | "}" | "," | ";" => return at.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// The span of the braces around a token; the whole text outside of any.
    fn block_around(&self, token: usize, len: usize) -> Option<ByteSpan> {
        let open = (0..token).rev().find(|it| {
            self.text(*it) == "{" && self.close.get(*it).is_some_and(|close| *close > token)
        });
        let Some(open) = open else { return Some(ByteSpan::new(0, len)) };
        let end = self.tokens.get(self.close[open]).map_or(len, |it| it.span.end);
        Some(ByteSpan::new(self.tokens.get(open)?.span.start, end))
    }

    /// The negated conditions of the earlier branches of the `cfg_if!`s around a position.
    fn branches(&self, text: &str, at: usize) -> Vec<String> {
        let mut found = Vec::new();
        let calls = (0..self.tokens.len())
            .filter(|it| self.text(*it) == "cfg_if" && self.text(it + 1) == "!");
        for call in calls {
            let Some(end) = self.close.get(call + 2).copied() else { continue };
            let mut before: Vec<String> = Vec::new();
            let mut token = call + 3;
            while token < end.min(self.tokens.len()) {
                let own =
                    (self.text(token) == "cfg").then(|| self.predicate(text, token)).flatten();
                if let Some(own) = own {
                    before.push(own.to_owned());
                    // To the brace after `)]`.
                    token = self.close[token + 1] + 1;
                } else if self.text(token) == "{" {
                    let is_else = self.before(token, 1) == "else";
                    let close = self.close[token];
                    let span = (
                        self.tokens[token].span.start,
                        self.tokens.get(close).map(|it| it.span.end),
                    );
                    if span.0 <= at && span.1.is_none_or(|end| at < end) {
                        // The branch's own predicate is that of an attribute before a block.
                        let earlier = before.len() - usize::from(!is_else && !before.is_empty());
                        let earlier = before.iter().take(earlier);
                        found.extend(earlier.map(|it| format!("not({it})")));
                        break;
                    }
                    token = close;
                }
                token += 1;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The predicates at each `X` of a text.
    fn check(text: &str, expected: &[&str]) {
        let outline = Outline::of(text);
        let found = text.match_indices('X').map(|(at, _)| outline.gates(text, at).join(" & "));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn the_conditions_of_all_elements_around_a_position_are_found() {
        check("#[cfg(a)] fn f() { X } fn g() { X }", &["a", ""]);
        check(
            "#[cfg(a)]\n#[inline]\nmod m { #[cfg(not(b))] fn f() { X } X!{} }",
            &["a & not(b)", "a"],
        );
        check("#![cfg(a)] fn f() { X }", &["a"]);
        check("mod m { #![cfg(a)] const C: u8 = X; } const D: u8 = X;", &["a", ""]);
        check("fn f() { #[cfg(a)] let y = X; #[cfg(b)] { X } X }", &["a", "b", ""]);
        check("struct S { #[cfg(a)] x: X, y: X }", &["a", ""]);
        check("enum E { #[cfg(a)] X(u8), Y(X) }", &["a", ""]);
        check("match x { #[cfg(a)] 1 => X, _ => X }", &["a", ""]);
        check("#[cfg(feature = \"f\")] use a::X; use b::X;", &["feature = \"f\"", ""]);
        check("#[cfg(a)] impl T for S { fn f() { X } } impl S { fn f() { X } }", &["a", ""]);
    }

    #[test]
    fn a_branch_of_cfg_if_has_its_condition_and_the_negated_ones_before() {
        let text = "cfg_if! { if #[cfg(a)] { X } else if #[cfg(b)] { X } else { X } } fn f() { X }";
        check(text, &["a", "b & not(a)", "not(a) & not(b)", ""]);
    }

    #[test]
    fn broken_text_is_read_without_a_panic() {
        for text in [
            "#[cfg(",
            "#[cfg(a)]",
            "cfg_if! {",
            "cfg_if! { if #[cfg(a)] {",
            "#![cfg(a",
            "#[cfg(a)] {",
        ] {
            let _ = Outline::of(text).gates(text, 0);
        }
    }
}
