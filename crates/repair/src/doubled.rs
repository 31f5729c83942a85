//! Values that are wrapped, unwrapped and wrapped again: `Some(Some(x)?)` is `Some(x)`. Two fixes that
//! each are right can make that together.

use edit::Overlay;
use preserve::outline::tokens;

/// Constructors that `?` takes apart.
const WRAPPERS: &[&str] = &["Some", "Ok"];

/// Whether a change makes such a value that was not there.
pub(crate) fn wraps_twice(overlay: &Overlay) -> bool {
    overlay.changes().any(|(_, change)| {
        let after = change.after.as_ref().map_or("", |it| &*it.text);
        WRAPPERS.iter().any(|it| after.contains(it)) && count(after) > count(change.before_text())
    })
}

fn count(text: &str) -> usize {
    let list = tokens(text);
    let word = |at: usize| list.get(at).map_or("", |it| it.text);
    let is_it = |at: &usize| {
        let is_open = WRAPPERS.contains(&word(*at)) && word(at + 1) == "(";
        if !is_open || word(at + 2) != word(*at) || word(at + 3) != "(" {
            return false;
        }
        let mut depth = 0_usize;
        let close = (at + 3..list.len()).find(|it| {
            match word(*it) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        close.is_some_and(|it| word(it + 1) == "?" && word(it + 2) == ")")
    };
    (0..list.len()).filter(is_it).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_unwrapped_only_to_be_wrapped_is_found() {
        assert_eq!(count("fn f() { Some(Some(g(1)?)?) }"), 1);
        assert_eq!(count("fn f() { Ok(Ok(a)?); Some(Ok(a)?); Some(Some(a)); Ok(g(a)?) }"), 1);
        assert_eq!(count("Some(Some(a)?.b)"), 0);
    }
}
