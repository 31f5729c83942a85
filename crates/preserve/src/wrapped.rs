//! Code that is still in the text but no longer runs: wrapped into a macro, a dead branch or a
//! function that is not called.

use crate::compare::{Comparison, quote};
use crate::outline::TokenKind;
use crate::{Rule, Violation};

/// Macros that evaluate their arguments in place.
const EVALUATING: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "assert_matches",
    "bail",
    "block_on",
    "concat",
    "dbg",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "ensure",
    "eprint",
    "eprintln",
    "error",
    "format",
    "format_args",
    "info",
    "join",
    "matches",
    "panic",
    "pin",
    "print",
    "println",
    "select",
    "thread_local",
    "todo",
    "trace",
    "try_join",
    "unimplemented",
    "unreachable",
    "vec",
    "warn",
    "write",
    "writeln",
];

/// What a new brace around existing code opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrapper {
    /// A block that runs like its content: `{ … }`, `unsafe { … }`, a literal, a module.
    Transparent,
    /// A branch or a loop with a condition that depends on values.
    Conditional,
    /// A branch on a constant.
    Constant,
    /// A function, a closure or a future, which runs only if it is called.
    Deferred,
    /// The body of a macro, or arguments that a macro may drop.
    Tokens,
}

impl Comparison<'_> {
    /// Compiled code that becomes tokens, a dead branch or a body that is not called.
    pub(crate) fn wrapped(&self, found: &mut Vec<Violation>) {
        let count = self.new.tokens.len();
        let mut kept = vec![0usize; count + 1];
        for at in 0..count {
            let is_kept = !self.is_new(at) && self.new.tokens[at].is_solid();
            kept[at + 1] = kept[at] + usize::from(is_kept);
        }
        let mut behind = 0;
        for open in 0..count {
            let close = self.new.close[open];
            if close <= open || !self.is_new(open) || kept[close] == kept[open] || open < behind {
                continue;
            }
            let wrapper = self.wrapper(open);
            let in_test = self.wraps_test(open, close);
            let refused = match wrapper {
                Wrapper::Transparent => false,
                Wrapper::Constant | Wrapper::Tokens => true,
                Wrapper::Conditional => in_test,
                Wrapper::Deferred => in_test || self.wraps_statements(open, close),
            };
            if refused {
                let rule = if in_test { Rule::TestWeakened } else { Rule::CodeDisabled };
                let start = self.new_layout.owners[open]
                    .map_or(open, |it| self.new.elements[it].head.min(open));
                found.push(self.violation_in_new(
                    rule,
                    open,
                    quote(self.after, &self.new, start, open + 2),
                ));
                behind = close;
            }
        }
    }

    /// Whether existing code of a test is between the brackets.
    fn wraps_test(&self, open: usize, close: usize) -> bool {
        (open + 1..close).any(|at| {
            self.alignment.origins[at]
                .is_some_and(|old| self.old.tokens[old].is_solid() && self.old_layout.in_tests(old))
        })
    }

    /// Whether an existing whole statement is between the brackets.
    fn wraps_statements(&self, open: usize, close: usize) -> bool {
        let semicolon = (open + 1..close).any(|at| self.new.text(at) == ";");
        let called = self.new_layout.around(open).any(|it| self.new_view().is_call(it));
        semicolon && !called
    }

    fn wrapper(&self, open: usize) -> Wrapper {
        let (previous, before) = (self.new.before(open, 1), self.new.before(open, 2));
        if previous == "!" && self.new.tokens[open - 1].kind == TokenKind::Punctuation {
            let known =
                EVALUATING.contains(&before) || !self.is_new(open - 1) || before == "macro_rules";
            return if known { Wrapper::Transparent } else { Wrapper::Tokens };
        }
        if before == "!" && self.new.before(open, 3) == "macro_rules" {
            return Wrapper::Tokens;
        }
        match self.new.text(open) {
            "{" => self.brace(open),
            _ => Wrapper::Transparent,
        }
    }

    fn brace(&self, open: usize) -> Wrapper {
        let previous = self.new.before(open, 1);
        let function = self.new_layout.functions.iter().find(|it| it.open == open);
        if let Some(function) = function {
            // A function around the code of another one, or around a test: it runs only if it is
            // called.
            let nested = self
                .new_layout
                .functions
                .iter()
                .any(|it| it.open < open && open < it.close && !self.is_new(it.name));
            let holds_test = self.new_layout.functions.iter().any(|it| {
                it.is_test && it.start > open && it.end <= function.close && !self.is_new(it.name)
            });
            let new = self.is_new(function.name);
            return if new && (nested || holds_test) {
                Wrapper::Deferred
            } else {
                Wrapper::Transparent
            };
        }
        if previous == "|" || previous == "||" || previous == "async" {
            return Wrapper::Deferred;
        }
        if previous == "move" {
            return Wrapper::Deferred;
        }
        let parent = self.new_layout.parents[open];
        let mut at = open;
        while at > 0 && parent.is_none_or(|it| at > it + 1) {
            at -= 1;
            if self.new_layout.parents[at] != parent {
                continue;
            }
            match self.new.text(at) {
                "loop" | "match" | "for" => return Wrapper::Conditional,
                "else" => return Wrapper::Conditional,
                "if" | "while" if self.is_constant(at + 1, open) => return Wrapper::Constant,
                "if" | "while" => return Wrapper::Conditional,
                "=>" | ";" | "}" | "{" | "=" => break,
                _ => {}
            }
        }
        Wrapper::Transparent
    }

    /// Whether a condition depends on no value: literals, `cfg!(…)`.
    fn is_constant(&self, start: usize, end: usize) -> bool {
        const WORDS: &[&str] =
            &["true", "false", "cfg", "any", "all", "not", "test", "debug_assertions", "feature"];
        (start..end).all(|at| {
            let token = &self.new.tokens[at];
            token.kind != TokenKind::Word || WORDS.contains(&token.text)
        })
    }
}
