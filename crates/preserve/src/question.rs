//! A `?` or an `else` that became part of a `match`: its effect is not lost.

use crate::align::Fate;
use crate::compare::Comparison;
use crate::outline::EffectSite;
use crate::reported::Reported;

/// Codes of errors about a `?` that is not allowed where it is.
const NOT_ALLOWED: &[&str] = &["E0658"];

impl Comparison<'_> {
    /// Whether a `?` that an error marks became a `match` of the same value that returns.
    pub(crate) fn returns_instead(&self, effect: &EffectSite<'_>, reported: &Reported) -> bool {
        let Some(token) = self.old.tokens.get(effect.anchor).filter(|it| it.is("?")) else {
            return false;
        };
        let operand = effect.anchor.checked_sub(1).map(|it| self.fate(it));
        let Some(Fate::Kept(operand)) = operand else { return false };
        let body = Some(operand + 1).filter(|it| self.new.text(*it) == "{");
        let end = body.and_then(|it| self.new.close.get(it).copied());
        let (Some(start), Some(end)) = (body, end) else { return false };
        (start..end).any(|it| self.new.text(it) == "return" && self.is_new(it))
            && reported.is_around(NOT_ALLOWED, self.path, token.span)
    }

    /// Whether an `else` became the last arm of a `match`: `} _ => {`, with the block after it.
    pub(crate) fn is_arm_now(&self, effect: &EffectSite<'_>) -> bool {
        let before = effect.anchor.checked_sub(1).map(|it| self.fate(it));
        let (Some(Fate::Kept(end)), Fate::Kept(block)) = (before, self.fate(effect.anchor + 1))
        else {
            return false;
        };
        let text = |at: usize| self.new.text(at);
        let is_it = |it: usize| [text(it), text(it + 1), text(it + 2)] == ["_", "=>", "{"];
        self.old_text(effect.anchor) == "else" && block == end + 3 && is_it(end + 1)
    }
}
