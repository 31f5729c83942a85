//! Code that a repair must not add: `todo!()`, `unsafe`, a block comment around code.

use base::{LineIndex, SortedMap};

use crate::align::Fate;
use crate::compare::Comparison;
use crate::outline::tokens;
use crate::{Rule, Violation};

/// Macros that stand for missing code.
const PLACEHOLDERS: &[&str] = &["todo", "unimplemented", "unreachable", "panic"];

/// Attributes that the 2024 edition requires in `unsafe(…)`.
const UNSAFE_ATTRIBUTES: &[&str] = &["export_name", "link_section", "no_mangle"];

/// Functions of std that are unsafe since the 2024 edition.
const UNSAFE_FUNCTIONS: &[&str] = &["before_exec", "remove_var", "set_var"];

impl Comparison<'_> {
    /// Forbidden additions.
    pub(crate) fn forbidden_additions(&self, found: &mut Vec<Violation>) {
        let mut left: SortedMap<&str, usize> = SortedMap::new();
        for (at, token) in self.old.tokens.iter().enumerate() {
            if !self.fate(at).survives() {
                *left.entry(token.text).or_default() += 1;
            }
        }
        // A comment that was moved within this file permits one.
        let mut is_moved =
            |text: &str| left.get_mut(text).filter(|it| **it > 0).map(|it| *it -= 1).is_some();
        for (at, token) in self.new.tokens.iter().enumerate() {
            let is_macro = PLACEHOLDERS.contains(&token.text)
                && self.new.text(at + 1) == "!"
                && matches!(self.new.text(at + 2), "(" | "[" | "{");
            let kept = self.alignment.origins[at]
                .is_some_and(|old| matches!(self.fate(old), Fate::Kept(_)));
            // The compiler suggests it for the reader to complete.
            let is_open = token.is("expect") && self.new.text(at + 2) == "\"REASON\"";
            if is_open && !kept {
                let detail = "`expect(\"REASON\")`".to_owned();
                found.push(self.violation_in_new(Rule::Placeholder, at, detail));
            }
            if is_macro && !kept && !is_moved(token.text) {
                let detail = format!("`{}!`", token.text);
                found.push(self.violation_in_new(Rule::Placeholder, at, detail));
            }
        }
        for (at, token) in self.new.tokens.iter().enumerate() {
            let is_new = token.is("unsafe") && self.is_new(at) && !self.is_edition_form(at);
            if is_new && !is_moved("unsafe") {
                found.push(self.violation_in_new(Rule::UnsafeAdded, at, "`unsafe`".to_owned()));
            }
        }
        // Symbols and sections make code run before or in place of that of the program.
        for attribute in &self.new.attributes {
            let name = self.new.text(attribute.name);
            let is_new = UNSAFE_ATTRIBUTES.contains(&name) && self.is_new(attribute.name);
            if is_new && !is_moved(name) {
                let detail = format!("`{name}` can make code run in place of a test's harness");
                found.push(self.violation_in_new(Rule::ExitAdded, attribute.name, detail));
            }
        }
        let mut known: SortedMap<&str, usize> = SortedMap::new();
        for (_, comment) in block_comments(self.before) {
            *known.entry(comment).or_default() += 1;
        }
        for (byte, comment) in block_comments(self.after) {
            let left = known.entry(comment).or_default();
            if *left > 0 {
                *left -= 1;
            } else {
                found.push(Violation {
                    rule: Rule::Placeholder,
                    path: self.path.clone(),
                    line: LineIndex::new(self.after).line_of(byte),
                    detail: format!("`{comment}`"),
                    is_cfg_test: false,
                });
            }
        }
    }

    /// Whether this `unsafe` is one that the 2024 edition requires around code that is already
    /// unsafe: before an `extern` block, in an attribute, in an `unsafe fn`.
    fn is_edition_form(&self, at: usize) -> bool {
        let kept = |it: usize| self.alignment.origins.get(it).copied().flatten().is_some();
        match self.new.text(at + 1) {
            "extern" => {
                let next = self.new.text(at + 2);
                kept(at + 1)
                    && (next == "{" || next.starts_with('"'))
                    && (at + 2..at + 4).any(|it| self.new.text(it) == "{" && kept(it))
            }
            "(" => {
                kept(at + 2)
                    && UNSAFE_ATTRIBUTES.contains(&self.new.text(at + 2))
                    && self.new_view().in_attribute(at)
            }
            "{" => {
                self.is_newly_unsafe_call(at + 1)
                    || self.new_layout.function(at).is_some_and(|it| {
                        (it.start..it.name)
                            .any(|word| self.new.text(word) == "unsafe" && kept(word))
                    })
            }
            _ => false,
        }
    }

    /// Whether a block has nothing but one call that was there before, of a function that the 2024
    /// edition makes unsafe, and the change raises the edition.
    fn is_newly_unsafe_call(&self, open: usize) -> bool {
        let Some(close) = self.new.close.get(open).copied().filter(|_| self.raises_edition) else {
            return false;
        };
        let inner = open + 1..close;
        let is_all_kept =
            inner.clone().all(|it| self.alignment.origins.get(it).copied().flatten().is_some());
        // The call ends the block, so that nothing else is in its reach but receiver and arguments.
        let is_call = |it: &usize| {
            let after = self.new.close.get(it + 1).map_or(0, |end| end + 1);
            UNSAFE_FUNCTIONS.contains(&self.new.text(*it))
                && self.new.text(it + 1) == "("
                && (after == close || (after + 1 == close && self.new.text(after) == ";"))
        };
        let mut calls = inner.clone().filter(is_call);
        is_all_kept
            && calls.next().is_some()
            && inner.into_iter().all(|it| self.new.text(it) != ";" || it + 1 == close)
    }
}

/// Comments in `/*` and `*/` with their positions, without documentation.
fn block_comments(text: &str) -> Vec<(usize, &str)> {
    let mut comments = Vec::new();
    let mut end = 0;
    let tokens = tokens(text);
    let starts = tokens.iter().map(|it| it.span.start).chain([text.len()]);
    let ends = tokens.iter().map(|it| it.span.end).chain([text.len()]);
    for (start, next_end) in starts.zip(ends) {
        let blank = text.get(end..start).unwrap_or("");
        let mut at = 0;
        while let Some(found) = blank.get(at..).and_then(|it| it.find(['/'])) {
            let open = at + found;
            let rest = &blank[open..];
            if rest.starts_with("//") {
                at = open + rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let close = rest.find("*/").map_or(rest.len(), |it| it + 2);
                if !rest.starts_with("/**") && !rest.starts_with("/*!") {
                    comments.push((end + open, &rest[..close]));
                }
                at = open + close;
            } else {
                at = open + 1;
            }
        }
        end = next_end;
    }
    comments
}
