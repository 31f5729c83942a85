//! Code that must not be added to an existing test: an exit, a condition, another value.

use base::SortedSet;

use crate::compare::{CONVERSIONS, Comparison, is_assertion_name, quote};
use crate::imports::{imported_by, imports};
use crate::layout::is_name;
use crate::names::{Names, declarations};
use crate::outline::{EffectKind, Element, ElementKind, TokenKind};
use crate::reported::Reported;
use crate::{Rule, Violation};

/// Words that leave a block, and functions that end the test or hide a panic.
const EXITS: &[&str] = &[
    "_exit",
    "abort",
    "become",
    "break",
    "catch_unwind",
    "continue",
    "exec",
    "exit",
    "exit_group",
    "forget",
    "panic_any",
    "quick_exit",
    "resume_unwind",
    "return",
    "set_hook",
    "take_hook",
    "yield",
];
/// Tokens that may be added to an expression of a test without changing its meaning.
const HARMLESS: &[&str] = &[
    "&", "*", ".", "::", "(", ")", "[", "]", "{", "}", ";", ":", "=", "let", "_", "clone", "mut",
    "ref", "crate", "super", "self", "as", "await", "async", "move", "unsafe",
];
/// Methods that convert a container, or extract the only expected value.
const TAKES_OUT: &[&str] = &["unwrap", "expect", "unwrap_err", "collect", "as_mut_slice"];
/// Functions that wrap their argument.
const HOLDS: &[&str] = &["new", "from", "block_on", "drop", "pin"];
/// Methods that return the same values in another type.
const ADAPTERS: &[&str] = &["boxed", "by_ref", "fuse", "peekable"];
const CONTROL: &[&str] = &["if", "else", "match", "while", "loop", "for"];

impl<'a> Comparison<'a> {
    /// What must not be added to an existing test: an exit, a condition, another value.
    pub(crate) fn added_to_tests(
        &self,
        names: &Names<'a>,
        reported: &Reported,
        found: &mut Vec<Violation>,
    ) {
        if !self.new_layout.has_tests() {
            return;
        }
        let fresh = self.fresh_owners();
        let mut listed = SortedSet::new();
        for (at, &fresh) in fresh.iter().enumerate() {
            let is_added = self.is_new(at)
                && self.new_layout.in_tests(at)
                && !self.in_new_function(at)
                && !self.new_view().in_attribute(at);
            if !is_added {
                continue;
            }
            let Some(rule) = self.addition(at, fresh, (names, reported)) else { continue };
            let owner = fresh.or(self.new_layout.owners[at]);
            if listed.insert((rule, owner)) {
                let detail = match owner.map(|it| &self.new.elements[it]) {
                    Some(it) if it.kind != ElementKind::Item => {
                        quote(self.after, &self.new, it.start, it.end)
                    }
                    _ => quote(self.after, &self.new, at, at + 1),
                };
                found.push(self.violation_in_new(rule, at, detail));
            }
        }
        self.shadowed(names, found);
    }

    /// Whether the token is in a new function; code that it takes over from another one is a matter
    /// of the alignment, or of the rule about wrapped code.
    fn in_new_function(&self, at: usize) -> bool {
        self.new_layout.function(at).is_some_and(|it| self.is_new(it.name))
    }

    /// For each new token, the outermost element that consists of new tokens only.
    fn fresh_owners(&self) -> Vec<Option<usize>> {
        let count = self.new.tokens.len();
        let mut kept = vec![0usize; count + 1];
        for at in 0..count {
            kept[at + 1] = kept[at] + usize::from(!self.is_new(at));
        }
        let mut order: Vec<usize> = (0..self.new.elements.len())
            .filter(|it| {
                let element = &self.new.elements[*it];
                kept[element.end.min(count)] == kept[element.start.min(count)]
            })
            .collect();
        order.sort_by_key(|it| self.new.elements[*it].end - self.new.elements[*it].start);
        let mut owners = vec![None; count];
        for idx in order {
            let element = &self.new.elements[idx];
            owners[element.start..element.end.min(count)].fill(Some(idx));
        }
        owners
    }

    /// The rule that the new token breaks, if any.
    fn addition(
        &self,
        at: usize,
        fresh: Option<usize>,
        (names, reported): (&Names<'_>, &Reported),
    ) -> Option<Rule> {
        let fresh = fresh.map(|it| &self.new.elements[it]);
        if fresh.is_some_and(|it| matches!(it.kind, ElementKind::Item | ElementKind::Import)) {
            return None;
        }
        let owner = self.new_layout.owners[at].map(|it| &self.new.elements[it]);
        if owner.is_some_and(|it| it.kind == ElementKind::Import && self.imports_moved(it, names)) {
            return None;
        }
        if self.leaves(at) {
            return Some(Rule::TestWeakened);
        }
        let is_harmless = match fresh {
            Some(it) if it.kind == ElementKind::Statement => {
                self.statement_may_be_added(at, it, names)
            }
            Some(it) if it.kind == ElementKind::Arm => self.arm_may_be_added(it),
            Some(_) => true,
            None if self.new_view().in_assertion(at) && self.new_view().decides_type(at) => {
                self.is_reported_before(at, reported)
            }
            None => self.token_may_be_added(at, names),
        };
        if is_harmless {
            return None;
        }
        let weakens = fresh.is_some() || self.new_view().in_assertion(at) || self.is_control(at);
        Some(if weakens { Rule::TestWeakened } else { Rule::TestEdited })
    }

    /// Whether the compiler reports something within the statement that a new token is added to.
    fn is_reported_before(&self, at: usize, reported: &Reported) -> bool {
        let kept = (0..at).rev().find_map(|it| self.alignment.origins[it]);
        kept.is_some_and(|it| self.is_reported(it, reported))
    }

    fn is_control(&self, at: usize) -> bool {
        CONTROL.contains(&self.new.text(at))
    }

    /// Whether the token can leave the test. `?` in a test that already returned a `Result` cannot:
    /// an error there fails the test.
    fn leaves(&self, at: usize) -> bool {
        if self.new.roles[at] != Some(EffectKind::Try) {
            return EXITS.contains(&self.new.text(at));
        }
        let fails = self.new_layout.function(at).is_some_and(|it| {
            it.is_test
                && (it.name..it.open)
                    .any(|head| self.new.text(head) == "Result" && !self.is_new(head))
        });
        !fails
    }

    fn statement_may_be_added(&self, at: usize, statement: &Element, names: &Names<'_>) -> bool {
        let range = statement.start..statement.end;
        let text = |it: usize| self.new.text(it);
        if self.is_control(at)
            || (is_name(&self.new, at)
                && names.is_fresh(text(at))
                && matches!(text(at + 1), "(" | "!"))
        {
            return false;
        }
        let head = text(statement.head);
        if is_assertion_name(head) && text(statement.head + 1) == "!" {
            return true;
        }
        let is_let = head == "let";
        let known = |it: usize| is_name(&self.new, it) && self.is_known_in_function(it, &range);
        if is_let && declared_in(self, &range).any(known) {
            return false;
        }
        let lent = self.new.before(at, 1) == "mut" && self.new.before(at, 2) == "&" && known(at);
        let changed = !is_let && at == statement.head && known(at) && text(at + 1) != "(";
        let assigned = self.new.roles[at] == Some(EffectKind::Assignment) && !is_let;
        !lent && !changed && !assigned
    }

    /// Whether the name at `at` occurs elsewhere in its function.
    fn is_known_in_function(&self, at: usize, except: &std::ops::Range<usize>) -> bool {
        let Some(function) = self.new_layout.function(at) else { return false };
        (function.open..function.close).any(|it| {
            !except.contains(&it) && !self.is_new(it) && self.new.text(it) == self.new.text(at)
        })
    }

    /// A new arm may be added for a variant without one, if no arm matches everything.
    fn arm_may_be_added(&self, arm: &Element) -> bool {
        let Some(open) = self.new_layout.parents[arm.start] else { return false };
        let heads = |element: &Element| -> String {
            let mut last = element.head;
            while matches!(self.new.text(last + 1), "::") {
                last += 2;
            }
            self.new.text(last).to_owned()
        };
        let own = heads(arm);
        own.starts_with(char::is_uppercase)
            && self
                .new
                .elements
                .iter()
                .filter(|it| it.kind == ElementKind::Arm && it.start != arm.start)
                .filter(|it| self.new_layout.parents[it.start] == Some(open))
                .all(|it| {
                    let other = heads(it);
                    other.starts_with(char::is_uppercase) && other != own
                })
    }

    fn token_may_be_added(&self, at: usize, names: &Names<'_>) -> bool {
        let new = self.new_view();
        let text = self.new.text(at);
        if new.in_type(at) || self.argument_is_new(at) {
            return true;
        }
        if new.in_let_pattern(at) {
            let range = at..at + 1;
            return matches!(text, "," | ".." | "(" | ")" | ":" | "=" | "&" | "mut" | "ref" | "_")
                || (is_name(&self.new, at) && !self.is_known_in_function(at, &range));
        }
        if new.decides(at) {
            return false;
        }
        match self.new.tokens[at].kind {
            TokenKind::Literal => false,
            TokenKind::Lifetime => true,
            TokenKind::Punctuation => match text {
                "," => self.comma_may_be_added(at),
                "->" => true,
                "?" => true,
                "<" | ">" => true,
                _ => HARMLESS.contains(&text),
            },
            TokenKind::Word if HARMLESS.contains(&text) => true,
            TokenKind::Word if !is_name(&self.new, at) => false,
            TokenKind::Word => {
                let called = matches!(self.new.text(at + 1), "(" | "::");
                let fresh = names.is_fresh(text);
                let qualifies = self.new.text(at + 1) == "::";
                let converts = self.new.before(at, 1) == "."
                    && (CONVERSIONS.contains(&text) || TAKES_OUT.contains(&text));
                let constructs = text.starts_with(char::is_uppercase) || HOLDS.contains(&text);
                let adapts = self.is_helper_value(at)
                    && (ADAPTERS.contains(&text) || (called && names.is_known(text)));
                adapts
                    || converts
                    || (called
                        && !fresh
                        && (qualifies || constructs)
                        && self.new.before(at, 1) != ".")
            }
        }
    }

    /// Whether the token is in a test helper, outside of assertions: its values may be created in
    /// another way if a type has changed.
    fn is_helper_value(&self, at: usize) -> bool {
        self.new_layout.function(at).is_some_and(|it| !it.is_test)
            && !self.new_view().in_assertion(at)
    }

    /// A comma may be added at the end of a list, and between arguments of a call, fields or arms.
    fn comma_may_be_added(&self, at: usize) -> bool {
        let closes = matches!(self.new.text(at + 1), ")" | "]" | "}");
        closes
            || self.new_layout.parents[at]
                .is_some_and(|open| self.new.text(open) == "{" || self.new_view().is_call(open))
    }

    /// Whether the token is added with a whole argument of a call.
    fn argument_is_new(&self, at: usize) -> bool {
        let new = self.new_view();
        new.layout.around(at).any(|open| {
            new.is_call(open) && {
                let mut argument = new.layout.segment(&self.new, open, at);
                !argument.is_empty() && argument.all(|it| self.is_new(it))
            }
        })
    }

    /// New items and imports with a name that tests use: they would test something else.
    fn shadowed(&self, names: &Names<'_>, found: &mut Vec<Violation>) {
        let fresh = self.fresh_owners();
        for (idx, element) in self.new.elements.iter().enumerate() {
            let is_new = (element.head..element.end).all(|it| self.is_new(it));
            if !is_new || !self.new_layout.in_tests(element.head) {
                continue;
            }
            // What a new module imports, only its own tests can mean, and these are new.
            let around = fresh[element.start].filter(|it| *it != idx);
            let in_new_module = around.is_some_and(|it| self.is_module(&self.new.elements[it]));
            if in_new_module && element.kind == ElementKind::Import {
                continue;
            }
            let shadows = match element.kind {
                ElementKind::Item => self.is_used_by_tests(self.new.item_name(element), element),
                ElementKind::Import => {
                    let mut all = element.head..element.end;
                    all.any(|it| is_name(&self.new, it) && names.is_fresh(self.new.text(it)))
                        && !self.imports_moved(element, names)
                }
                _ => false,
            };
            if shadows {
                let detail = quote(self.after, &self.new, element.head, element.end);
                found.push(self.violation_in_new(Rule::TestWeakened, element.head, detail));
            }
        }
    }

    /// Whether the element is a module.
    fn is_module(&self, element: &Element) -> bool {
        let name = self.new.item_name(element);
        element.kind == ElementKind::Item
            && name.checked_sub(1).is_some_and(|it| self.new.text(it) == "mod")
    }

    /// Whether an import adds items that the user has moved, by their new paths, and else only what was
    /// imported before.
    fn imports_moved(&self, element: &Element, names: &Names<'_>) -> bool {
        let all = imported_by(&self.new, element);
        let before = imports(&self.old);
        names.has_moved()
            && !all.is_empty()
            && all.iter().all(|it| names.is_path_of_moved(it) || before.contains_key(it))
    }

    fn is_used_by_tests(&self, name: usize, element: &Element) -> bool {
        let text = self.new.text(name);
        is_name(&self.new, name)
            && self.new.tokens.iter().enumerate().any(|(at, token)| {
                token.is(text)
                    && !(element.start..element.end).contains(&at)
                    && self.new_layout.in_tests(at)
                    && self.alignment.origins[at].is_some_and(|old| self.old.text(old) == text)
            })
    }
}

fn declared_in<'c>(
    comparison: &'c Comparison<'_>,
    range: &std::ops::Range<usize>,
) -> impl Iterator<Item = usize> + 'c {
    let range = range.clone();
    declarations(&comparison.new).into_iter().filter(move |it| range.contains(it))
}
