//! The branches of `cfg_if!`: `if #[cfg(a)] { items } else if #[cfg(b)] { items } else { items }`. The items
//! of all branches are items of the call, each under the condition of its branch.

use std::ops::Range;

use crate::attribute::cfg_predicate;
use crate::tokens::{Kind, Token, Tokens};

/// One branch.
struct Branch {
    /// The tokens between its braces, by index.
    inner: Range<usize>,
    /// The attribute with its condition, by its first and last byte; `None`: the last `else`.
    condition: Option<Range<u32>>,
}

/// Whether the text of a call's tokens, delimiters included, is of such branches.
pub fn has_branches(call: &str) -> bool {
    branches(&Tokens::of(call, 0).list).is_some()
}

/// The tokens of the items of all branches; `None` if the call, its delimiters included, is none of such
/// branches.
pub(crate) fn items(tokens: &[Token]) -> Option<Vec<Token>> {
    let branches = branches(tokens)?;
    let inner = branches.into_iter().filter_map(|it| tokens.get(it.inner));
    Some(inner.flatten().copied().collect())
}

/// The branches of a call's text, which begins at `base`: where their items are, and the predicate under
/// which these exist. Empty if the call is none of such branches.
pub(crate) fn conditions(call: &str, base: u32) -> Vec<(Range<u32>, String)> {
    let list = Tokens::of(call, base).list;
    let (mut found, mut before) = (Vec::new(), Vec::new());
    for branch in branches(&list).unwrap_or_default() {
        let predicate = branch.condition.and_then(|it| {
            let (start, end) = ((it.start - base) as usize, (it.end - base) as usize);
            cfg_predicate(&[call.get(start..end)?.to_owned()])
        });
        let mut all: Vec<String> = before.iter().map(|it| format!("not({it})")).collect();
        all.extend(predicate.clone());
        let joined = match all.as_slice() {
            [only] => only.clone(),
            several => format!("all({})", several.join(", ")),
        };
        let inside = list.get(branch.inner).unwrap_or_default();
        if let (Some(first), Some(last), false) = (inside.first(), inside.last(), all.is_empty()) {
            found.push((first.start..last.end, joined));
        }
        before.extend(predicate);
    }
    found
}

fn branches(tokens: &[Token]) -> Option<Vec<Branch>> {
    let kind = |at: usize| tokens.get(at).map(|it| it.kind);
    let end = tokens.len().checked_sub(1)?;
    let (mut found, mut at) = (Vec::new(), 1);
    loop {
        let mut condition = None;
        let is_if = kind(at) == Some(Kind::IF_KW);
        if is_if {
            if (kind(at + 1), kind(at + 2)) != (Some(Kind::POUND), Some(Kind::L_BRACK)) {
                return None;
            }
            let close = closing(tokens, at + 2)?;
            condition = Some(tokens.get(at + 1)?.start..tokens.get(close)?.end);
            at = close + 1;
        }
        if kind(at) != Some(Kind::L_CURLY) || (!is_if && found.is_empty()) {
            return None;
        }
        let close = closing(tokens, at)?;
        found.push(Branch { inner: at + 1..close, condition });
        at = close + 1;
        match (at == end, is_if, kind(at)) {
            (true, ..) => return Some(found),
            (false, true, Some(Kind::ELSE_KW)) => at += 1,
            _ => return None,
        }
    }
}

/// The bracket that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::L_PAREN | Kind::L_BRACK | Kind::L_CURLY => depth += 1,
            Kind::R_PAREN | Kind::R_BRACK | Kind::R_CURLY => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: &str = "{ if #[cfg(unix)] { fn a() { if x {} } } else if #[cfg( feature=\"f\" )] { fn b() {} } else { fn c() {} } }";

    #[test]
    fn the_items_of_all_branches_are_those_of_the_call() {
        let texts = |call: &str| {
            let tokens = items(&Tokens::of(call, 0).list)?;
            let text = |it: &Token| &call[it.start as usize..it.end as usize];
            Some(tokens.iter().map(text).collect::<Vec<_>>().concat())
        };
        assert_eq!(texts(CALL).as_deref(), Some("fna(){ifx{}}fnb(){}fnc(){}"));
        for other in [
            "{ if x { fn a() {} } }",
            "{ if #[cfg(a)] { } else #[cfg(b)] { } }",
            "{ fn a() {} }",
            "{ if #[cfg(a)] { } else { } else { } }",
            "{ if #[cfg(a)] { fn",
            "{",
            "",
        ] {
            assert_eq!(texts(other), None, "{other}");
        }
    }

    #[test]
    fn an_item_exists_under_the_condition_of_its_branch_and_none_before() {
        let of = |name: &str| {
            let at = CALL.find(name).unwrap() as u32 + 10;
            let all = conditions(CALL, 10);
            all.into_iter().find(|it| it.0.contains(&at)).unwrap().1
        };
        assert_eq!(of("fn a"), "unix");
        assert_eq!(of("fn b"), "all(not(unix), feature = \"f\")");
        assert_eq!(of("fn c"), "all(not(unix), not(feature = \"f\"))");
    }
}
