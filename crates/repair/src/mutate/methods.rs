//! Other methods of the same family, and calls that are gone.

use super::body::Body;
use super::{Change, Operator};

/// Methods that take and return the same types, in families: each is tried for the others.
const FAMILIES: &[&[&str]] = &[
    &["is_some", "is_none"],
    &["is_ok", "is_err"],
    &["min", "max"],
    &["min_by", "max_by"],
    &["min_by_key", "max_by_key"],
    &["first", "last"],
    &["front", "back"],
    &["first_mut", "last_mut"],
    &["split_first", "split_last"],
    &["push_front", "push_back"],
    &["pop_front", "pop_back"],
    &["next", "next_back", "last"],
    &["any", "all"],
    &["take", "skip", "step_by"],
    &["take_while", "skip_while", "filter"],
    &["floor", "ceil", "round", "trunc"],
    &["to_lowercase", "to_uppercase"],
    &["to_ascii_lowercase", "to_ascii_uppercase"],
    &["make_ascii_lowercase", "make_ascii_uppercase"],
    &["is_lowercase", "is_uppercase"],
    &["is_ascii_lowercase", "is_ascii_uppercase", "is_ascii_alphabetic"],
    &[
        "is_ascii_digit",
        "is_ascii_hexdigit",
        "is_ascii_alphabetic",
        "is_ascii_alphanumeric",
        "is_ascii_punctuation",
        "is_ascii_whitespace",
        "is_ascii_graphic",
        "is_ascii_control",
    ],
    &["is_alphabetic", "is_numeric", "is_alphanumeric", "is_whitespace", "is_control"],
    &["starts_with", "ends_with", "contains"],
    &["find", "rfind"],
    &["position", "rposition"],
    &["trim", "trim_start", "trim_end"],
    &["trim_start_matches", "trim_end_matches", "trim_matches"],
    &["strip_prefix", "strip_suffix"],
    &["split", "rsplit", "split_inclusive", "split_terminator"],
    &["splitn", "rsplitn"],
    &["split_once", "rsplit_once"],
    &["wrapping_add", "wrapping_sub", "wrapping_mul", "saturating_add", "saturating_sub"],
    &["saturating_add", "saturating_sub", "saturating_mul", "wrapping_add", "wrapping_sub"],
    &["checked_add", "checked_sub", "checked_mul", "checked_div", "checked_rem"],
    &["overflowing_add", "overflowing_sub"],
    &["wrapping_shl", "wrapping_shr"],
    &["checked_shl", "checked_shr"],
    &["rotate_left", "rotate_right"],
    &["leading_zeros", "trailing_zeros", "count_ones", "count_zeros", "leading_ones"],
    &["and", "or", "xor"],
    &["and_then", "map"],
    &["keys", "values"],
    &["lt", "le", "gt", "ge", "eq", "ne"],
    &["is_lt", "is_le", "is_gt", "is_ge", "is_eq", "is_ne"],
    &["to_be_bytes", "to_le_bytes", "to_ne_bytes"],
    &["from_be_bytes", "from_le_bytes", "from_ne_bytes"],
    &["to_be", "to_le"],
    &["from_be", "from_le"],
    &["union", "intersection", "difference", "symmetric_difference"],
    &["is_subset", "is_superset", "is_disjoint"],
    &["bytes", "chars"],
    &["char_indices", "chars"],
    &["len", "capacity"],
    &["sin", "cos", "tan"],
    &["asin", "acos", "atan"],
    &["ln", "log2", "log10"],
    &["sqrt", "cbrt", "abs"],
    &["insert", "remove"],
    &["start", "end"],
    &["lower", "upper"],
    &["pow", "powi", "powf"],
    &["div_euclid", "rem_euclid"],
    &["iter", "iter_mut", "into_iter"],
    &["sum", "product"],
    &["filter", "skip_while", "take_while"],
    &["lines", "split_whitespace"],
    &["swap_remove", "remove"],
    &["reserve", "reserve_exact"],
    &["rev", "skip", "peekable"],
    &["unwrap_or_default", "unwrap"],
];

/// Paths of the standard library whose last name is tried for the others.
const CONSTANTS: &[&[&str]] =
    &[&["Less", "Greater", "Equal"], &["MAX", "MIN"], &["Included", "Excluded"], &["Ok", "Err"]];

/// Maximum number of removed calls of one chain.
const CHAINS: &[&str] = &[
    "rev",
    "trim",
    "abs",
    "skip",
    "take",
    "to_lowercase",
    "to_uppercase",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
    "saturating_sub",
    "saturating_add",
    "wrapping_add",
    "wrapping_sub",
    "min",
    "max",
    "trim_start",
    "trim_end",
    "filter",
    "step_by",
    "floor",
    "ceil",
    "round",
];

pub(super) fn changes(body: &Body<'_>, found: &mut Vec<Change>) {
    for (idx, token) in body.own() {
        if !body.is_name(idx) {
            continue;
        }
        let is_method = matches!(body.before(idx, 1), "." | "::") && body.at(idx + 1) == "(";
        if is_method {
            let families = FAMILIES.iter().filter(|it| it.contains(&token.text));
            for other in families.flat_map(|it| it.iter()).filter(|it| **it != token.text) {
                found.push(Change::new(Operator::Method, token.span, token.text, *other));
            }
            removed(body, idx, found);
        }
        let families = CONSTANTS.iter().filter(|it| it.contains(&token.text));
        for other in families.flat_map(|it| it.iter()).filter(|it| **it != token.text) {
            found.push(Change::new(Operator::Path, token.span, token.text, *other));
        }
        optional(body, idx, found);
    }
}

/// `.rev()` of a chain is gone; a call with effects elsewhere stays.
fn removed(body: &Body<'_>, idx: usize, found: &mut Vec<Change>) {
    if body.before(idx, 1) != "." || !CHAINS.contains(&body.at(idx)) {
        return;
    }
    if let Some(close) = body.partner(idx + 1) {
        let text = body.slice(idx - 1, close + 1);
        let span = body.span(idx - 1, close + 1);
        found.push(Change::new(Operator::Call, span, text, ""));
    }
}

/// `Some(x)` to `None`.
fn optional(body: &Body<'_>, idx: usize, found: &mut Vec<Change>) {
    if body.at(idx) == "Some"
        && body.at(idx + 1) == "("
        && let Some(close) = body.partner(idx + 1)
        && body.at(close + 1) != "="
        && body.at(close + 1) != "=>"
    {
        let text = body.slice(idx, close + 1);
        found.push(Change::new(Operator::Path, body.span(idx, close + 1), text, "None"));
    }
}
