//! Other literals: one more or less, those of the same function, and what the failing assertion shows.

use base::SortedSet;

use super::body::Body;
use super::{Change, MutationHints, Operator};

/// Maximum number of other literals of the function tried for one.
const OTHERS: usize = 8;

pub(super) fn changes(body: &Body<'_>, hints: &MutationHints, found: &mut Vec<Change>) {
    let literals: SortedSet<&str> =
        body.own().filter(|(idx, _)| body.is_literal(*idx)).map(|(_, it)| it.text).collect();
    let count = |word: &str| body.own().filter(|(_, token)| token.text == word).count();
    for (idx, token) in body.own() {
        if let from @ ("true" | "false") = token.text {
            let to = if from == "true" { "false" } else { "true" };
            let is_last = count(from) == 1 && count(to) > 0;
            let change = Change::new(Operator::Literal, token.span, from, to);
            found.push(change.settling(is_last));
        }
        if !body.is_literal(idx) {
            continue;
        }
        if body.before(idx, 1) == "." {
            // The number of a field.
            for to in neighbours(token.text).into_iter().take(2) {
                found.push(Change::new(Operator::Field, token.span, token.text, to));
            }
            continue;
        }
        let mut to = expected(token.text, hints);
        found.extend(
            to.drain(..).map(|to| Change::new(Operator::Expected, token.span, token.text, to)),
        );
        for to in neighbours(token.text) {
            found.push(Change::new(Operator::Literal, token.span, token.text, to));
        }
        let kind = kind(token.text);
        let others = literals.iter().filter(|it| **it != token.text && self::kind(it) == kind);
        for to in others.take(OTHERS) {
            found.push(Change::new(Operator::Literal, token.span, token.text, *to));
        }
    }
}

/// The kinds of literals that replace each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LiteralKind {
    Integer,
    Float,
    Text,
    Character,
    Bytes,
}

fn kind(literal: &str) -> LiteralKind {
    match literal.as_bytes() {
        [b'b', b'\'', ..] | [b'\'', ..] => LiteralKind::Character,
        [b'b', ..] => LiteralKind::Bytes,
        [first, ..] if first.is_ascii_digit() => match number(literal) {
            Some(_) => LiteralKind::Integer,
            None => LiteralKind::Float,
        },
        _ => LiteralKind::Text,
    }
}

/// An integer literal: radix, value, width of the digits, suffix.
struct Number<'t> {
    radix: u32,
    value: u128,
    width: usize,
    suffix: &'t str,
}

fn number(literal: &str) -> Option<Number<'_>> {
    let (radix, rest) = match literal.get(..2) {
        Some("0x") => (16, &literal[2..]),
        Some("0b") => (2, &literal[2..]),
        Some("0o") => (8, &literal[2..]),
        _ => (10, literal),
    };
    let is_digit = |it: char| it == '_' || it.is_digit(radix);
    let end = rest.find(|it| !is_digit(it)).unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(end);
    let is_integer = suffix.is_empty() || suffix.starts_with(['u', 'i']);
    let digits = digits.replace('_', "");
    let value = u128::from_str_radix(&digits, radix).ok()?;
    is_integer.then_some(Number { radix, value, width: digits.len(), suffix })
}

impl Number<'_> {
    fn with(&self, value: u128) -> String {
        let Self { width, suffix, .. } = self;
        match self.radix {
            16 => format!("0x{value:0width$x}{suffix}"),
            2 => format!("0b{value:0width$b}{suffix}"),
            8 => format!("0o{value:0width$o}{suffix}"),
            _ => format!("{value}{suffix}"),
        }
    }
}

/// Literals that differ by one step.
pub(super) fn neighbours(literal: &str) -> Vec<String> {
    let Some(number) = number(literal) else {
        return float(literal);
    };
    let value = number.value;
    let mut values: Vec<u128> = value.checked_add(1).into_iter().collect();
    values.extend(value.checked_sub(1));
    if value > 1 {
        values.extend([0, 1]);
    }
    values.extend(value.checked_mul(2).filter(|_| value > 1));
    if value > 3 {
        values.push(value / 2);
    }
    if value >= 9 && number.radix == 10 {
        values.extend([value * 10, value / 10].into_iter().filter(|_| value < 1 << 100));
    }
    if number.radix != 10 {
        values.extend((0..8).map(|bit| value ^ (1 << bit)));
    }
    let mut seen = SortedSet::from([value]);
    values.retain(|it| seen.insert(*it));
    values.into_iter().map(|it| number.with(it)).collect()
}

fn float(literal: &str) -> Vec<String> {
    if !literal.starts_with(|it: char| it.is_ascii_digit()) || literal.contains(['e', 'E', 'x']) {
        return Vec::new();
    }
    let end = literal.find(['f', '_']).unwrap_or(literal.len());
    let (digits, suffix) = literal.split_at(end);
    let Ok(value) = digits.parse::<f64>() else { return Vec::new() };
    let mut values = vec![value + 1.0, value - 1.0, 0.0, 1.0, value * 2.0, value / 2.0];
    values.push(value * 10.0);
    values.push(value / 10.0);
    values.retain(|it| *it != value && *it >= 0.0);
    let mut texts: Vec<String> = values.iter().map(|it| format!("{it:?}{suffix}")).collect();
    texts.dedup();
    texts
}

/// The literal with the value that a failing assertion expects in place of the one that it got.
pub(super) fn expected(literal: &str, hints: &MutationHints) -> Vec<String> {
    let mut found = Vec::new();
    for expectation in &hints.expectations {
        for (wrong, right) in
            [(&expectation.left, &expectation.right), (&expectation.right, &expectation.left)]
        {
            found.extend(corrected(literal, wrong, right));
        }
    }
    let mut seen = SortedSet::from([literal.to_owned()]);
    found.retain(|it| seen.insert(it.clone()));
    found
}

fn corrected(literal: &str, wrong: &str, right: &str) -> Option<String> {
    if let Some(number) = number(literal) {
        let (wrong, right) = (wrong.parse::<i128>().ok()?, right.parse::<i128>().ok()?);
        let value = i128::try_from(number.value).ok()?;
        let shifted = value.checked_add(right.checked_sub(wrong)?)?;
        return u128::try_from(shifted).ok().map(|it| number.with(it));
    }
    // The part of the texts that differs.
    let start = wrong.char_indices().zip(right.chars()).find(|((_, a), b)| a != b);
    let start = start.map_or(wrong.len().min(right.len()), |((at, _), _)| at);
    let (wrong, right) = (wrong.get(start..)?, right.get(start..)?);
    let same = wrong.chars().rev().zip(right.chars().rev()).take_while(|(a, b)| a == b);
    let end: usize = same.map(|(a, _)| a.len_utf8()).sum();
    let wrong = &wrong[..wrong.len() - end];
    let right = &right[..right.len() - end];
    if wrong.is_empty() || right.len() > 64 {
        return None;
    }
    let at = literal.find(wrong)?;
    let inside = at > 0 && at + wrong.len() < literal.len();
    inside.then(|| format!("{}{right}{}", &literal[..at], &literal[at + wrong.len()..]))
}
