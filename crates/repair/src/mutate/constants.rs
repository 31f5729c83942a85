//! Other initial values of constants.

use super::body::Body;
use super::{Change, MutationHints, Operator, literals};

/// Maximum number of literals of one constant: a table is no place to guess.
const LITERALS: usize = 12;

pub(super) fn changes(body: &Body<'_>, hints: &MutationHints) -> Vec<Change> {
    let mut found = Vec::new();
    let literals: Vec<usize> =
        body.own().filter(|(idx, _)| body.is_literal(*idx)).map(|(idx, _)| idx).collect();
    let is_table = literals.len() > LITERALS;
    for (idx, token) in body.own() {
        match token.text {
            "true" => found.push(Change::new(Operator::Constant, token.span, "true", "false")),
            "false" => found.push(Change::new(Operator::Constant, token.span, "false", "true")),
            _ => {}
        }
        if !body.is_literal(idx) {
            continue;
        }
        for to in literals::expected(token.text, hints) {
            found.push(Change::new(Operator::Expected, token.span, token.text, to));
        }
        if !is_table {
            for to in literals::neighbours(token.text) {
                found.push(Change::new(Operator::Constant, token.span, token.text, to));
            }
        }
    }
    found
}
