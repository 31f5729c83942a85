use std::collections::BTreeMap;

use base::LineIndex;

use crate::align::Fate;
use crate::compare::Comparison;
use crate::outline::{UnitKind, tokens};
use crate::{Rule, Violation};

/// Macros that stand for code that is not there.
const PLACEHOLDERS: &[&str] = &["todo", "unimplemented", "unreachable", "panic"];
/// Attributes that hide code or silence what is said of it.
const HIDING: &[&str] = &["allow", "expect", "ignore", "cfg", "cfg_attr", "should_panic"];

impl Comparison<'_> {
    /// What came and may not.
    pub(crate) fn smuggled(&self, found: &mut Vec<Violation>) {
        for unit in &self.new.units {
            let kept = self.alignment.origins[unit.name]
                .is_some_and(|old| matches!(self.fate(old), Fate::Kept(_)));
            if unit.kind == UnitKind::Macro
                && !kept
                && PLACEHOLDERS.contains(&unit.text)
                && !self.left(unit.text)
            {
                let detail = format!("`{}!`", unit.text);
                found.push(self.violation_in_new(Rule::Placeholder, unit.name, detail));
            }
        }
        for (at, token) in self.new.tokens.iter().enumerate() {
            if token.is("unsafe") && self.is_new(at) && !self.left("unsafe") {
                found.push(self.violation_in_new(Rule::UnsafeAdded, at, "`unsafe`".to_owned()));
            }
        }
        for attribute in &self.new.attributes {
            let name = self.new.tokens[attribute.name].text;
            let slackened = self.alignment.origins[attribute.name]
                .is_some_and(|old| matches!(self.old_text(old), "deny" | "forbid" | "warn"));
            if HIDING.contains(&name)
                && (self.is_new(attribute.name) || slackened)
                && !self.left(name)
            {
                let detail = format!("`#[{name}]`");
                found.push(self.violation_in_new(Rule::AllowAdded, attribute.name, detail));
            }
        }
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
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
                });
            }
        }
    }

    /// Whether a token of this text went elsewhere in this file, so that the new one is moved.
    fn left(&self, text: &str) -> bool {
        self.old
            .tokens
            .iter()
            .enumerate()
            .any(|(at, token)| token.is(text) && !self.fate(at).survives())
    }
}

/// Comments between `/*` and `*/` with their places; documentation is none.
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
