//! Separators, operators and keywords that are missing or mistyped: one change near the place of
//! an error, tried against the parser.

use base::{ByteSpan, Diagnostic, LineIndex, SortedSet};
use edit::Splice;
use preserve::outline::TokenKind;

use super::lines::Lines;
use super::regions::outermost;
use super::{Change, MOST_ERRORS, errors_after};

/// Number of tokens before an error that are looked at.
const BEFORE: usize = 12;
/// Number of tokens after an error that are looked at.
const AFTER: usize = 4;
/// Maximum number of changes that go on to the search.
const MOST_CHANGES: usize = 8;

/// A change and how unlikely it is, before it is parsed.
struct Guess {
    splice: Splice,
    cost: usize,
    why: String,
}

/// The changes that leave the fewest syntax errors, the likeliest first.
pub(super) fn changes(text: &Lines<'_>, errors: &[&Diagnostic]) -> Vec<Change> {
    let places = places(text, errors);
    let index = LineIndex::new(text.text);
    let mut known: SortedSet<(usize, usize, String)> = SortedSet::new();
    let mut ranked: Vec<(usize, usize, Change)> = Vec::new();
    for place in &places {
        // What is missing may be at the end of the item before.
        let last = text.tokens.len().saturating_sub(1);
        let before = outermost(text, place.token.saturating_sub(1).min(last));
        let part = ByteSpan::new(before.start, outermost(text, place.token.min(last)).end);
        let before = errors_after(text.text, part, &[]);
        for guess in guesses(text, place) {
            let Splice { span, insert } = &guess.splice;
            if !known.insert((span.start, span.end, insert.clone())) {
                continue;
            }
            let left = errors_after(text.text, part, std::slice::from_ref(&guess.splice));
            // Without an error of the parser it is one in a macro call, which the compiler names.
            let is_better = left < before || before == 0 && left == 0 && place.is_reported;
            if is_better {
                let why = format!("{} (line {})", guess.why, index.line_of(span.start));
                let splices = vec![guess.splice];
                let change = Change { splices, why, is_clean: left == 0 && before > 0 };
                ranked.push((left, guess.cost, change));
            }
        }
    }
    ranked.sort_by_key(|it| (it.0, it.1));
    ranked.into_iter().take(MOST_CHANGES).map(|(_, _, change)| change).collect()
}

/// Where something is wrong.
struct Place {
    /// The token that should not be there, or before which something is missing.
    token: usize,
    /// What the compiler expects instead.
    expected: Vec<String>,
    /// Whether the compiler named it, not only the parser.
    is_reported: bool,
}

fn places(text: &Lines<'_>, errors: &[&Diagnostic]) -> Vec<Place> {
    let at = |byte: usize| text.tokens.partition_point(|it| it.span.end <= byte);
    let mut places: Vec<Place> = Vec::new();
    for error in errors {
        let Some(span) = error.primary() else { continue };
        let token = at(span.bytes.start);
        if !places.iter().any(|it| it.token == token) {
            places.push(Place { token, expected: expected(&error.message), is_reported: true });
        }
    }
    for span in syntax::grammar_errors(text.text).into_iter().take(MOST_ERRORS) {
        let token = at(span.start);
        if !places.iter().any(|it| it.token == token) {
            places.push(Place { token, expected: Vec::new(), is_reported: false });
        }
    }
    places
}

/// The punctuation in ``expected one of `,`, `:`, or `}`, found `b` ``.
fn expected(message: &str) -> Vec<String> {
    let Some(list) = message.strip_prefix("expected ") else { return Vec::new() };
    let list = list.split(", found").next().unwrap_or(list);
    let quoted = list.split('`').skip(1).step_by(2);
    quoted.filter(|it| INSERTED.iter().any(|(mark, _)| mark == it)).map(str::to_owned).collect()
}

/// What may be missing between two tokens, with its cost.
const INSERTED: &[(&str, usize)] =
    &[(",", 2), (";", 2), ("=>", 4), (":", 4), ("=", 4), ("->", 4), ("::", 5), (".", 6), ("|", 6)];

/// Operators and separators that are typed for one another.
const CONFUSED: &[&[&str]] = &[
    &["=>", "->", "=", "==", ">=", "<="],
    &[":", "::", ";", "=", ","],
    &[",", ".", ";"],
    &["|", "||"],
    &["&", "&&"],
];

fn guesses(text: &Lines<'_>, place: &Place) -> Vec<Guess> {
    let from = place.token.saturating_sub(BEFORE);
    let to = (place.token + AFTER).min(text.tokens.len());
    let mut found = Vec::new();
    for token in from..to {
        let distance = token.abs_diff(place.token);
        keywords(text, token, distance, &mut found);
        confusions(text, token, place, &mut found);
        extra(text, token, distance, &mut found);
        insertions(text, token, place, &mut found);
    }
    // Before the end of the file.
    insertions(text, to, place, &mut found);
    found
}

/// A word that is nearly a keyword.
fn keywords(text: &Lines<'_>, token: usize, distance: usize, found: &mut Vec<Guess>) {
    let word = text.tokens[token];
    if word.kind != TokenKind::Word {
        return;
    }
    for (nth, keyword) in preserve::mistyped_keywords(word.text).into_iter().enumerate() {
        found.push(Guess {
            splice: Splice { span: word.span, insert: keyword.to_owned() },
            cost: nth + distance,
            why: format!("write `{keyword}` for `{}`", word.text),
        });
    }
}

fn confusions(text: &Lines<'_>, token: usize, place: &Place, found: &mut Vec<Guess>) {
    let distance = token.abs_diff(place.token);
    let old = text.tokens[token];
    if old.kind != TokenKind::Punctuation {
        return;
    }
    for group in CONFUSED.iter().filter(|group| group.contains(&old.text)) {
        for new in group.iter().filter(|it| **it != old.text) {
            let is_expected = distance == 0 && place.expected.iter().any(|it| it == new);
            found.push(Guess {
                splice: Splice { span: old.span, insert: (*new).to_owned() },
                cost: if is_expected { 1 } else { 6 + 2 * distance },
                why: format!("write `{new}` for `{}`", old.text),
            });
        }
    }
}

/// A separator or operator that is too much.
fn extra(text: &Lines<'_>, token: usize, distance: usize, found: &mut Vec<Guess>) {
    let old = text.tokens[token];
    if matches!(old.text, "," | ";" | ":" | "=" | "." | "=>" | "->") {
        found.push(Guess {
            splice: Splice { span: old.span, insert: String::new() },
            cost: 10 + 2 * distance,
            why: format!("remove the extra `{}`", old.text),
        });
    }
}

/// What may be missing before a token.
fn insertions(text: &Lines<'_>, gap: usize, place: &Place, found: &mut Vec<Guess>) {
    let Some(before) = gap.checked_sub(1).and_then(|it| text.tokens.get(it)) else { return };
    let is_line_end = text.tokens.get(gap).is_none_or(|_| text.is_first(gap));
    let distance = gap.abs_diff(place.token);
    for (mark, cost) in INSERTED {
        let is_separator = matches!(*mark, "," | ";");
        // Separators are forgotten at the end of a line, the others where the parser stops.
        if !is_separator && distance > 2 {
            continue;
        }
        let is_expected = distance == 0 && place.expected.iter().any(|it| it == mark);
        let is_at_end = is_separator && is_line_end;
        let cost = cost + 2 * distance - usize::from(is_at_end) - usize::from(is_expected);
        let blank = |byte: usize| text.text[byte..].starts_with(char::is_whitespace);
        let end = before.span.end;
        let insert = match *mark {
            "=>" | "=" | "->" if blank(end) => format!(" {mark}"),
            ":" | "," if !blank(end) => format!("{mark} "),
            _ => (*mark).to_owned(),
        };
        found.push(Guess {
            splice: Splice { span: ByteSpan::new(end, end), insert },
            cost,
            why: format!("insert the missing `{mark}`"),
        });
    }
}
