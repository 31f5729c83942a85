//! Macros by example, expanded where the outcome is certain: the first arm that matches is the
//! one that rustc would take, or there is no answer. Hygiene is not looked at.

mod body;
mod definition;
mod fragments;
mod matching;
mod names;
mod passthrough;
mod tokens;
mod transcribe;

pub use names::{MacroName, MacroNameRole, macro_names};
pub use passthrough::{Passthrough, passthrough};

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::str::FromStr;

use proc_macro2::TokenStream;

use self::definition::Arm;
use crate::shallow::is_shallow;

/// Longer definitions and calls are not expanded.
const LONGEST_INPUT: usize = 1 << 18;

/// The expansion of a macro call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroExpansion {
    /// The text. `$crate` stays as it is.
    pub text: String,
    /// Where its tokens come from, in order; what no origin covers is white space and parentheses
    /// that keep an expression together.
    pub origins: Vec<Origin>,
}

/// A run of an expansion's text that was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Where it begins in the expansion.
    pub start: u32,
    /// How long it is.
    pub len: u32,
    /// From where it was copied.
    pub source: TokenSource,
    /// Where it begins there.
    pub offset: u32,
}

/// The text that a token of an expansion was copied from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenSource {
    /// The definition handed in.
    Definition,
    /// The tokens of the call handed in.
    Call,
}

/// Applies `definition` (`macro_rules! name { … }`, attributes before it allowed) to the tokens of
/// a call, their delimiters included. `None` where it is not certain what comes out: no arm
/// matches, a fragment does not parse, the outcome or the way to it is too long.
pub fn expand(definition: &str, call_tokens: &str) -> Option<MacroExpansion> {
    if !is_readable(call_tokens) {
        return None;
    }
    let arms = known_arms(definition)?;
    KNOWN.with_borrow_mut(|known| known.read += call_tokens.len());
    expand_readable(&arms, definition, call_tokens)
}

/// The arms of a definition, taken apart once.
fn known_arms(definition: &str) -> Option<Rc<Vec<Arm>>> {
    KNOWN.with_borrow_mut(|known| known.arms(definition))
}

fn is_readable(text: &str) -> bool {
    text.len() <= LONGEST_INPUT && is_shallow(text)
}

/// How many bytes are read before what is known of definitions is forgotten: the thread's table of
/// spans grows with each text.
const MOST_READ: usize = 1 << 20;

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// Definitions taken apart: one is called many times.
#[derive(Default)]
struct Known {
    definitions: HashMap<Box<str>, Option<Rc<Vec<Arm>>>>,
    /// Since the table of spans was last empty.
    read: usize,
}

impl Known {
    fn arms(&mut self, definition: &str) -> Option<Rc<Vec<Arm>>> {
        if self.read > MOST_READ {
            self.forget();
        }
        if let Some(arms) = self.definitions.get(definition) {
            return arms.clone();
        }
        self.read += definition.len();
        let arms = is_readable(definition).then(|| definition::arms(definition)).flatten();
        let arms = arms.map(Rc::new);
        self.definitions.insert(definition.into(), arms.clone());
        arms
    }

    fn forget(&mut self) {
        self.definitions.clear();
        self.read = 0;
        proc_macro2::extra::invalidate_current_thread_spans();
    }
}

fn expand_readable(arms: &[Arm], definition: &str, call_tokens: &str) -> Option<MacroExpansion> {
    let call = TokenStream::from_str(call_tokens).ok()?;
    let mut call = call.into_iter();
    let call = match (call.next(), call.next()) {
        (Some(proc_macro2::TokenTree::Group(group)), None) => group.stream(),
        _ => return None,
    };
    for arm in arms {
        match matching::match_arm(&arm.matcher, call.clone()) {
            matching::Outcome::Matched(bindings) => {
                return transcribe::transcribe(arm, &bindings, definition, call_tokens);
            }
            matching::Outcome::Refused => {}
            matching::Outcome::Unsure => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests;
