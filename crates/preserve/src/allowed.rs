//! [`Allowed`]: the removals that are permitted because the user has started them. Never a test, an
//! assertion or a statement.

use std::sync::Arc;

use base::{ProjectPath, SortedMap, SortedSet, is_word};

use crate::compare::Comparison;
use crate::imports::last_name;
use crate::outline::{EffectKind, EffectSite, Element, ElementKind, Token, TokenKind, is_keyword};
use crate::{Rule, Violation};

/// Most tokens between an effect and the call whose argument it is in, and of an argument list.
const LONGEST_CALL: usize = 200;

/// What a change may remove because the user has removed, renamed or retyped what it belonged to.
///
/// Nothing here permits the removal of a test, an assertion or a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Names of fields that are gone: their initialisers and patterns may go.
    pub fields: SortedSet<String>,
    /// Names of variants that are gone, and of fields whose type has fewer values: arms whose pattern
    /// has the name may go.
    pub patterns: SortedSet<String>,
    /// Names of trait members that are gone or have another name: the same in the trait and its
    /// impls may go.
    pub members: SortedSet<String>,
    /// Names of items and modules that are gone or have another name: imports through them may go.
    pub imports: SortedSet<String>,
    /// Names that imports of a file add for code which the user has moved to another file: these imports
    /// may go.
    pub left: SortedMap<ProjectPath, SortedSet<String>>,
    /// Names of items that the user has moved to another file, each with the name of its module: tests
    /// name them by that.
    pub moved: SortedMap<String, String>,
    /// Names of items of a file that code which the user has moved to another file needs: they may be
    /// visible in their crate.
    pub reached: SortedMap<ProjectPath, SortedSet<String>>,
    /// Parameters that are gone, by the name of the function, index and number before: calls may lose
    /// their arguments.
    pub arguments: SortedSet<(String, usize, usize)>,
    /// Types with the traits that the user has written impls for: those derives may go.
    pub derives: SortedSet<(String, String)>,
    /// Old and new names of what the user has renamed: tests use the new one.
    pub renamed: SortedSet<(String, String)>,
    /// Features that the user gave another name: the folder of their package, with a slash, the former and
    /// the present name. Conditions on them follow.
    pub features: SortedSet<(String, String, String)>,
    /// Functions without arguments that are constants now, with the names of these: the constant
    /// takes the place of a call.
    pub constants: SortedSet<(String, String)>,
    /// The texts that both sides of a merge began with, of files with conflicts: a resolution may join the
    /// sides.
    pub merge_bases: SortedMap<ProjectPath, Arc<str>>,
    /// Whether the user raises the edition: a call of what that makes unsafe may be in `unsafe`.
    pub raises_edition: bool,
}

impl Allowed {
    /// Whether the removal of an element, reported by `rule`, is allowed.
    pub(crate) fn element(&self, of: &Comparison<'_>, element: &Element, rule: Rule) -> bool {
        let word = |at: usize| of.old_text(at).trim_start_matches("r#");
        match (element.kind, rule) {
            (ElementKind::Field, Rule::FieldRemoved) => self.fields.contains(word(element.head)),
            (ElementKind::Arm, Rule::ArmRemoved) => {
                let arrow = (element.head..element.end).find(|at| word(*at) == "=>");
                let pattern = element.head..arrow.unwrap_or(element.head);
                pattern.into_iter().any(|at| {
                    of.old.tokens.get(at).is_some_and(|it| it.kind == TokenKind::Word)
                        && !is_keyword(word(at))
                        && self.patterns.contains(word(at))
                })
            }
            // A member of an impl or trait only: an item of a module was not removed by the user.
            (ElementKind::Item, Rule::ItemRemoved) => {
                let name = word(of.old.item_name(element));
                let is_member = of.old.elements.iter().any(|it| {
                    it.kind == ElementKind::Item
                        && it.start < element.start
                        && element.end < it.end
                        && matches!(word(it.head), "impl" | "trait" | "unsafe")
                });
                is_member && self.members.contains(name)
            }
            _ => false,
        }
    }

    /// Whether the token is in an argument of a parameter that is gone, of a call that stays.
    pub(crate) fn argument(&self, of: &Comparison<'_>, at: usize) -> bool {
        if self.arguments.is_empty() {
            return false;
        }
        let (mut depth, mut index) = (0_usize, 0);
        for open in (0..at).rev().take(LONGEST_CALL) {
            match of.old_text(open) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth > 0 => depth -= 1,
                "(" => {
                    if of.fate(open).survives() && self.is_gone(of, open, index) {
                        return true;
                    }
                    index = 0;
                }
                "{" | ";" if depth == 0 => return false,
                "[" => index = 0,
                "," if depth == 0 => index += 1,
                _ => {}
            }
        }
        false
    }

    /// Whether the argument with this index of the call whose list opens there is one of a parameter
    /// that is gone.
    fn is_gone(&self, of: &Comparison<'_>, open: usize, index: usize) -> bool {
        let Some(name) = open.checked_sub(1).map(|it| of.old_text(it)) else { return false };
        let (mut depth, mut count, mut is_empty) = (0_usize, 1, true);
        for at in (open + 1..of.old.tokens.len()).take(LONGEST_CALL) {
            match of.old_text(at) {
                ")" if depth == 0 => break,
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                // A comma at the end begins no argument.
                "," if depth == 0 => count += usize::from(of.old_text(at + 1) != ")"),
                _ => {}
            }
            is_empty = false;
        }
        !is_empty
            && self.arguments.iter().any(|(function, at, before)| {
                // `Type::method(value, …)` has the receiver as its first argument.
                let is_it =
                    |receiver: usize| *at + receiver == index && *before + receiver == count;
                function == name && (is_it(0) || is_it(1))
            })
    }

    /// Whether an effect is the call of a function that is a constant now, and the file has got one use
    /// of the constant for each such call.
    pub(crate) fn constant(&self, of: &Comparison<'_>, effect: &EffectSite<'_>) -> bool {
        let count = |list: &[Token<'_>], is_it: &dyn Fn(&[Token<'_>]) -> bool| {
            (0..list.len()).filter(|at| is_it(&list[*at..])).count()
        };
        let mut all = self.constants.iter().filter(|it| it.0 == effect.text);
        effect.kind == EffectKind::Call
            && of.old_text(effect.anchor + 1) == ")"
            && all.any(|(function, constant)| {
                let is_call = |it: &[Token<'_>]| {
                    it[0].text == function && it.get(1).is_some_and(|it| it.text == "(")
                };
                let is_use = |it: &[Token<'_>]| it[0].text == constant;
                let (old, new) = (&of.old.tokens, &of.new.tokens);
                let lost = count(old, &is_call).saturating_sub(count(new, &is_call));
                count(new, &is_use) >= count(old, &is_use) + lost
            })
    }

    /// Whether the user has written the impl of a derived trait.
    pub(crate) fn derive(&self, of: &Comparison<'_>, at: usize) -> bool {
        of.innermost(at).is_some_and(|item| {
            let owner = of.old_text(of.old.item_name(item)).to_owned();
            self.derives.contains(&(owner, of.old_text(at).to_owned()))
        })
    }

    /// Whether code that has left a file needs an item of it.
    pub(crate) fn is_reached(&self, file: &ProjectPath, name: &str) -> bool {
        self.reached.get(file).is_some_and(|it| it.contains(name))
    }

    /// Whether the removal of an import of `path` from a file is allowed.
    pub(crate) fn import(&self, file: &ProjectPath, path: &str) -> bool {
        let is_left = self.left.get(file).is_some_and(|it| it.contains(last_name(path)));
        is_left || path.split(|it| !is_word(it)).any(|it| self.imports.contains(it))
    }
}

/// What a change removes or adds against the rule, and what it removes with permission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preservation {
    /// What breaks the rule.
    pub violations: Vec<Violation>,
    /// What [`Allowed`] permits: each removal, with the rule that it would have broken.
    pub allowed: Vec<Violation>,
}
