//! The question about a hole that is the body of an arm: the bodies of the other arms are its options.

use base::ByteSpan;
use change::{HOLE, arm_bodies};
use preserve::outline::{Outline, TokenKind, tokens};

use crate::AnswerOption;

/// Most options of one arm.
const MAX_OPTIONS: usize = 4;
/// Maximum length of a body that is an option, in bytes.
const MAX_LENGTH: usize = 80;

/// The arm of a hole.
pub(crate) struct HoleArm {
    /// Its pattern, in one line.
    pub(crate) pattern: String,
    /// Bodies of the other arms that use nothing of their patterns, those of most arms first.
    pub(crate) options: Vec<AnswerOption>,
}

/// The arm whose body is the hole at `at`; `None` if it is no body of an arm.
pub(crate) fn hole_arm(text: &str, at: ByteSpan) -> Option<HoleArm> {
    let pattern = pattern_before(text, at.start)?.to_owned();
    let bodies = arm_bodies(&Outline::of(text), at);
    let mut found: Vec<(&str, &str, usize)> = Vec::new();
    for body in bodies.iter().filter(|it| **it != at) {
        let (Some(code), Some(own)) = (body.slice(text), pattern_before(text, body.start)) else {
            continue;
        };
        let is_short = code.len() <= MAX_LENGTH && !code.contains(['\n']) && code != HOLE;
        if !is_short || uses_names(code, own) {
            continue;
        }
        match found.iter_mut().find(|it| it.0 == code) {
            Some(known) => known.2 += 1,
            None => found.push((code, own, 1)),
        }
    }
    // The text of one arm is about that one.
    found.retain(|it| it.2 > 1 || !it.0.contains('"'));
    found.sort_by_key(|it| std::cmp::Reverse(it.2));
    let option = |(code, own, count): (&str, &str, usize)| AnswerOption {
        text: code.to_owned(),
        evidence: match count {
            1 => format!("the arm `{own}` has it"),
            count => format!("{count} other arms have it"),
        },
    };
    let options = found.into_iter().take(MAX_OPTIONS).map(option).collect();
    Some(HoleArm { pattern, options })
}

/// The pattern before a body, if it begins in its line.
fn pattern_before(text: &str, body: usize) -> Option<&str> {
    let before = text.get(..body)?.trim_end().strip_suffix("=>")?.trim_end();
    let line = before.rfind('\n').map_or(0, |it| it + 1);
    let pattern = before[line..].trim().trim_start_matches(['{', '|', ',']).trim();
    (!pattern.is_empty()).then_some(pattern)
}

/// Whether code uses a name that a pattern binds.
fn uses_names(code: &str, pattern: &str) -> bool {
    let is_name = |text: &str| text.starts_with(|it: char| it.is_lowercase());
    let bound = tokens(pattern);
    let bound = bound.iter().filter(|it| it.kind == TokenKind::Word && is_name(it.text));
    bound.into_iter().any(|it| base::has_word(code, it.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arms: &str, expected: &str) {
        let text = format!("fn f(s: Shape) -> u32 {{\n    match s {{\n{arms}\n    }}\n}}\n");
        let start = text.find(HOLE).unwrap();
        let arm = hole_arm(&text, ByteSpan::new(start, start + HOLE.len()));
        let line = |it: &HoleArm| {
            let options = it.options.iter().map(|it| format!("{} ({})", it.text, it.evidence));
            format!("{}: {}", it.pattern, options.collect::<Vec<_>>().join("; "))
        };
        assert_eq!(arm.as_ref().map(line).unwrap_or_default(), expected);
    }

    #[test]
    fn bodies_that_use_nothing_of_their_pattern_are_options() {
        check(
            "Shape::Round(r) => r * 2,\nShape::Flat => 0,\nShape::Square(_) => 4,\nShape::Thin \
             => 0,\nShape::Long(_) => todo!(),",
            "Shape::Long(_): 0 (2 other arms have it); 4 (the arm `Shape::Square(_)` has it)",
        );
        check("Shape::Flat => { todo!() }", "");
        check(
            "Shape::Flat => show(\"flat\"),\nShape::Thin => 0,\nShape::Long => todo!(),",
            "Shape::Long: 0 (the arm `Shape::Thin` has it)",
        );
    }
}
