//! Texts that are nested too deeply to be compared: readers of syntax take time and memory by the square of
//! the depth.

use edit::Overlay;

use crate::outline::tokens;
use crate::{Rule, Violation};

/// Most brackets and block comments around a token.
const DEEPEST: usize = 12_000;

/// Most pairs of a removed and an added line of one Rust file: each is compared with many others.
const MOST_PAIRS: usize = 25_000_000;

/// Largest Rust file whose modules are read, in bytes: a change makes none larger.
pub const LARGEST_SOURCE: usize = 4 << 20;

/// The files of a change that are nested too deeply, before it or after it, and Rust files that it makes too
/// large.
pub fn too_deep(overlay: &Overlay) -> Vec<Violation> {
    let violation = |path: &base::ProjectPath, detail: String| Violation {
        rule: Rule::NotCompared,
        path: path.clone(),
        line: 1,
        detail,
        is_cfg_test: false,
    };
    let found = overlay.changes().filter_map(|(path, it)| {
        let (before, after) = (it.before_text(), it.after_text());
        if is_deep(before) || is_deep(after) {
            let detail = format!("it is nested deeper than {DEEPEST} levels");
            return Some(violation(path, detail));
        }
        let (mut gone, mut new) = (0_usize, 0_usize);
        for splice in &it.edit.splices {
            let lines = |text: &str| text.bytes().filter(|it| *it == b'\n').count();
            gone += before.get(splice.span.start..splice.span.end).map_or(0, lines);
            new += lines(&splice.insert);
        }
        if path.extension() == Some("rs") && gone.saturating_mul(new) > MOST_PAIRS {
            let detail = format!("{gone} lines are replaced by {new} others");
            return Some(violation(path, detail));
        }
        let is_too_large = path.extension() == Some("rs") && after.len() > LARGEST_SOURCE;
        is_too_large
            .then(|| violation(path, format!("it is larger than {} MiB", LARGEST_SOURCE >> 20)))
    });
    found.collect()
}

/// Whether a text is too deep by its brackets or its block comments.
fn is_deep(text: &str) -> bool {
    nests_deeper(text, DEEPEST) || comment_depth(text) > DEEPEST
}

/// Whether a token of a text has more than `limit` brackets around it.
pub(crate) fn nests_deeper(text: &str, limit: usize) -> bool {
    // Fewer brackets than that cannot.
    if text.bytes().filter(|it| matches!(it, b'(' | b'[' | b'{')).take(limit + 1).count() <= limit {
        return false;
    }
    let mut depth = 0_usize;
    tokens(text).iter().any(|token| {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > limit
    })
}

fn comment_depth(text: &str) -> usize {
    let (mut deepest, mut depth, mut rest) = (0_usize, 0_usize, text.as_bytes());
    while let [first, others @ ..] = rest {
        rest = match (first, others) {
            (b'/', [b'*', after @ ..]) => {
                depth += 1;
                after
            }
            (b'*', [b'/', after @ ..]) => {
                depth = depth.saturating_sub(1);
                after
            }
            _ => others,
        };
        deepest = deepest.max(depth);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use base::{ProjectPath, Timestamp};
    use edit::{FileState, Overlay};

    #[test]
    fn a_text_that_is_too_deep_is_not_compared_and_no_text_panics() {
        let of = |text: String| {
            let path = ProjectPath::new("src/lib.rs").unwrap();
            let states = vec![(path, None, Some(FileState::from_text(text.as_str())))];
            let overlay = Overlay::from_states("t", Timestamp(0), states);
            let found = crate::violations(&overlay, &[]);
            found.iter().map(|it| it.rule.as_str()).collect::<Vec<_>>()
        };
        for (open, close) in [("use a::{", "}"), ("mod a{", "}"), ("m!{", "}"), ("/*", "*/")] {
            let nested = |n: usize| format!("{}{}\n", open.repeat(n), close.repeat(n));
            assert_eq!(of(nested(50_000)), ["not-compared"], "{open}");
            assert!(!of(nested(100)).contains(&"not-compared"), "{open}");
        }
        assert_eq!(of("[1, 2], ".repeat(50_000)), [""; 0]);
    }

    #[test]
    fn what_has_too_many_pairs_of_lines_is_not_compared() {
        let text = |from: usize| {
            (from..from + 6_000).map(|it| format!("fn f{it}() {{}}\n")).collect::<String>()
        };
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let states = |after: &str| {
            vec![(
                path.clone(),
                Some(FileState::from_text(text(0).as_str())),
                Some(FileState::from_text(after)),
            )]
        };
        let of = |after: &str| {
            super::too_deep(&Overlay::from_states("t", Timestamp(0), states(after))).len()
        };
        assert_eq!((of(&text(10_000)), of(&format!("{}fn g() {{}}\n", text(0)))), (1, 0));
    }
}
