//! Suggestions that decide what happens on failure: `.unwrap()`, `?`, a lossy cast. They compile
//! whatever is meant, and no test that passes shows that it is this, so that they are drafts unless
//! the same code was there at the last good state. Start at [`decision`].

use base::{LineIndex, ProjectPath};
use edit::{Files, Splice};
use preserve::outline::{Token, TokenKind, tokens};
use preserve::{Rule, Violation};
use syntax::places::places;

use crate::fix::text_of;
use crate::{Fix, InProgress};

/// Calls that take the value and decide what happens without one.
const CALLS: &[&str] =
    &["expect", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "unwrap_unchecked"];
/// Types of lossy casts.
const NUMBERS: &[&str] = &[
    "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "u128", "u16", "u32", "u64", "u8",
    "usize",
];
/// Tokens before the decision that have to be the same at the last good state.
const BEFORE: usize = 4;

/// Why a suggestion is a draft: it decides what happens on failure, and nothing that was there shows
/// that this is meant.
pub(crate) fn decision(
    fix: &Fix,
    in_progress: &InProgress,
    files: &dyn Files,
) -> Option<Violation> {
    if !matches!(fix.reasoner, "compiler" | "analyzer") {
        return None;
    }
    fix.splices.iter().find_map(|(path, splice)| {
        let text = text_of(files, path)?;
        let found = decided(splice, &text)?;
        let is_known = match in_progress.base_text(path) {
            _ if found == "?" && (!in_progress.has_base() || propagates(&text, splice)) => true,
            Some(base) => was_there(&base, &text, &own(fix, path), splice),
            None => false,
        };
        (!is_known).then(|| Violation {
            rule: Rule::SuggestionOutside,
            path: path.clone(),
            line: LineIndex::new(&text).line_of(splice.span.start.min(text.len())),
            detail: format!("the suggestion decides with `{found}` what happens on failure"),
            is_cfg_test: false,
        })
    })
}

/// Whether a suggestion takes the value out of a literal `Some(…)`, `Ok(…)` or `Err(…)`.
pub(crate) fn unwraps_literal(splice: &Splice, text: &str) -> bool {
    let first = splice.insert.trim_start();
    let is_unwrap = first.starts_with('?')
        || first.strip_prefix('.').is_some_and(|it| CALLS.iter().any(|name| it.starts_with(name)));
    if !is_unwrap || !splice.span.is_empty() {
        return false;
    }
    let list = tokens(text.get(..splice.span.start).unwrap_or(""));
    let is_variant = |it: &Token<'_>| ["Some", "Ok", "Err", "None"].contains(&it.text);
    let Some(last) = list.last() else { return false };
    if !last.is(")") {
        return last.is("None");
    }
    let mut depth = 0_usize;
    let open = list.iter().rposition(|it| {
        match it.text {
            ")" => depth += 1,
            "(" => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let head = open.and_then(|it| it.checked_sub(1));
    head.is_some_and(|it| is_variant(&list[it]))
}

/// What a splice adds that decides what happens on failure.
fn decided(splice: &Splice, text: &str) -> Option<&'static str> {
    let all = |code: &str| -> Vec<&'static str> {
        let list = tokens(code);
        if list.iter().any(|it| it.is("use")) {
            return Vec::new();
        }
        (0..list.len()).filter_map(|at| decision_at(&list, at)).collect()
    };
    // The dot of a method may be in the text already: `unwrap().` for `a.field`.
    let before = text.get(..splice.span.start).unwrap_or("").trim_end();
    let dot = if before.ends_with('.') { "." } else { "" };
    let had = all(&format!("{dot}{}", splice.span.slice(text).unwrap_or("")));
    let count = |list: &[&str], name: &str| list.iter().filter(|it| **it == name).count();
    let has = all(&format!("{dot}{}", splice.insert));
    has.iter().find(|it| count(&has, it) > count(&had, it)).copied()
}

fn decision_at(list: &[Token<'_>], at: usize) -> Option<&'static str> {
    let is = |at: usize, text: &str| list.get(at).is_some_and(|it| it.is(text));
    let next = list.get(at + 1);
    match list[at].text {
        "?" if next.is_none_or(|it| it.kind != TokenKind::Word) => Some("?"),
        "as" => next.is_some_and(|it| NUMBERS.contains(&it.text)).then_some("as"),
        "." if is(at + 2, "(") => {
            CALLS.iter().find(|it| next.is_some_and(|next| next.is(it))).copied()
        }
        _ => None,
    }
}

/// Whether the function around the splice passes failures on anyway.
fn propagates(text: &str, splice: &Splice) -> bool {
    let all = places(text);
    let function = all.function_at(splice.span.start).and_then(|it| it.span.slice(text));
    let list = tokens(function.unwrap_or(""));
    (0..list.len()).any(|at| decision_at(&list, at) == Some("?"))
}

/// The splices of a fix in one file.
fn own<'a>(fix: &'a Fix, path: &ProjectPath) -> Vec<&'a Splice> {
    fix.splices.iter().filter(|it| it.0 == *path).map(|it| &it.1).collect()
}

/// Whether the base has the code that a splice makes, with the tokens before it, more often than the
/// text.
fn was_there(base: &str, text: &str, all: &[&Splice], splice: &Splice) -> bool {
    let mut after = text.to_owned();
    // The end of the inserted text, in the text with all splices.
    let mut end = splice.span.start + splice.insert.len();
    for it in all.iter().rev() {
        if it.span.slice(&after).is_none() {
            return false;
        }
        after.replace_range(it.span.start..it.span.end, &it.insert);
        if it.span < splice.span {
            end = (end + it.insert.len()).saturating_sub(it.span.len());
        }
    }
    let list = tokens(&after);
    let last = list.iter().take_while(|it| it.span.end <= end).count();
    let first = tokens(&splice.insert).len() + BEFORE;
    let Some(wanted) = last.checked_sub(first).and_then(|it| list.get(it..last)) else {
        return false;
    };
    count(base, wanted) > count(text, wanted)
}

fn count(text: &str, wanted: &[Token<'_>]) -> usize {
    let list = tokens(text);
    let is_same = |it: &&[Token<'_>]| it.iter().zip(wanted).all(|(a, b)| a.text == b.text);
    list.windows(wanted.len().max(1)).filter(is_same).count()
}

#[cfg(test)]
mod tests {
    use base::{ByteSpan, Timestamp};
    use change::Difference;
    use edit::{FileState, Overlay};

    use super::*;
    use crate::fake::{FakeError, OneFile};
    use crate::{CompilerSuggestions, Reasoner};

    fn path() -> ProjectPath {
        ProjectPath::new("src/lib.rs").unwrap()
    }

    /// The details of the drafts among the compiler's suggestions of `insert` at `|`.
    fn details(base: Option<&str>, text: &str, insert: &str) -> Vec<String> {
        let at = text.find('|').unwrap();
        let text = text.replace('|', "");
        let state = |text: &str| Some(FileState::from_text(text));
        let in_progress = base.map_or_else(InProgress::default, |base| {
            let back = vec![(path(), state(&text), state(base))];
            let back = Overlay::from_states("t", Timestamp(0), back);
            InProgress::of(Difference::since(&back))
        });
        let splice = Splice { span: ByteSpan::new(at, at), insert: insert.to_owned() };
        let fix = Fix {
            splices: vec![(path(), splice)],
            rationale: String::new(),
            applicability: base::Applicability::MachineApplicable,
            reasoner: "compiler",
            seed: 0,
            guesses: Vec::new(),
        };
        let found = decision(&fix, &in_progress, &OneFile(text));
        found.into_iter().map(|it| it.detail).collect()
    }

    fn is_draft(base: Option<&str>, text: &str, insert: &str) -> bool {
        !details(base, text, insert).is_empty()
    }

    #[test]
    fn what_happens_on_failure_is_the_users_decision() {
        let base = "fn f(a: u8) -> u16 { g(a) }";
        let text = "fn f(a: u8) -> u8 { g(a)| }";
        for insert in [".unwrap()", ".expect(\"REASON\")", ".unwrap_or_default()", "?", " as u8"] {
            assert!(is_draft(Some(base), text, insert), "{insert}");
        }
        assert_eq!(
            details(Some(base), text, ".try_into().unwrap()"),
            ["the suggestion decides with `unwrap` what happens on failure"]
        );
        // Of a field of the value inside, the dot is there.
        assert!(is_draft(Some(base), "fn f(a: u8) -> u8 { g(a).|b }", "unwrap()."));
        for insert in [".into()", ".clone()", ".map(Some)"] {
            assert!(!is_draft(Some(base), text, insert), "{insert}");
        }
    }

    #[test]
    fn what_was_there_is_no_decision() {
        let text = "fn f(a: u8) -> u8 { g(a)| }";
        assert!(!is_draft(Some("fn f(a: u8) -> u8 { g(a).unwrap() }"), text, ".unwrap()"));
        assert!(!is_draft(Some("fn f(a: u8) -> u8 { g(a)? }"), text, "?"));
        // It is at another place.
        let other = "fn e() { h(a).unwrap() } fn f(a: u8) -> u8 { g(a) }";
        assert!(is_draft(Some(other), text, ".unwrap()"));
    }

    #[test]
    fn a_question_mark_among_others_is_no_decision() {
        let text = "fn f(a: u8) -> R { h()?; g(a)| }";
        assert!(!is_draft(Some("fn f(a: u8) -> S { h()?; g(a) }"), text, "?"));
        assert!(is_draft(Some("fn f(a: u8) -> S { h()?; g(a) }"), text, ".unwrap()"));
        // Without a last good state the compiler decides.
        assert!(!is_draft(None, "fn f(a: u8) -> R { g(a)| }", "?"));
        assert!(is_draft(None, "fn f(a: u8) -> R { g(a)| }", ".unwrap()"));
    }

    #[test]
    fn a_bound_and_an_import_decide_nothing() {
        let text = "fn f<T|>() {}";
        assert!(!is_draft(Some("fn f<U>() {}"), text, ": ?Sized"));
        assert!(!is_draft(Some("fn f<U>() {}"), "|fn f<T>() {}", "use a as u8;"));
    }

    #[test]
    fn a_literal_is_not_unwrapped() {
        let fixes = |text: &str, at: &str, new: &str| {
            let error = FakeError::new("E0308", "mismatched types").at(at);
            let error = error.suggestion("use the `?` operator", at, new);
            CompilerSuggestions.propose(&[error.build(text)], &OneFile(text.to_owned())).len()
        };
        assert_eq!(fixes("fn f() { Some(a(b)); }", "Some(a(b))«»;", "?"), 0);
        assert_eq!(fixes("fn f() { Err(a); }", "Err(a)«»;", ".unwrap()"), 0);
        assert_eq!(fixes("fn f() { None; }", "None«»;", "?"), 0);
        assert_eq!(fixes("fn f() { g(Some(a)); }", "g(Some(a))«»;", "?"), 1);
        assert_eq!(fixes("fn f() { Some(a); }", "Some(a)«»;", ".map(b)"), 1);
    }
}
