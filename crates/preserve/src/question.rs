use crate::align::Fate;
use crate::compare::Comparison;
use crate::outline::Effect;
use crate::reported::Reported;

/// Codes of errors about a `?` that is not allowed where it is.
const NOT_ALLOWED: &[&str] = &["E0658"];

impl Comparison<'_> {
    /// Whether a `?` that an error marks became a `match` of the same value that returns.
    pub(crate) fn returns_instead(&self, effect: &Effect<'_>, reported: &Reported) -> bool {
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
}
