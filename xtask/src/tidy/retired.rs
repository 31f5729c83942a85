//! Rejects the retired vocabulary of the project's first year, so that comments, identifiers and
//! messages use the terms of rustc, rust-analyzer, cargo and Lucene.

use std::path::Path;

use super::{Report, files};

/// Each retired word with what replaces it. A word matches as a whole: `room` matches `Room`,
/// `room_of` and `theRoom`, not `bathroom`.
const WORDS: &[(&str, &str)] = &[
    ("room", "crate"),
    ("rooms", "crates"),
    ("says", "reports, returns, contains"),
    ("said", "reported, resolved, output"),
    ("told", "reported, passed"),
    ("tells", "reports, distinguishes"),
    ("heard", "received, resolved"),
    ("speaks", "uses, implements"),
    ("stands", "is, is stored"),
    ("stood", "was"),
    ("lies", "is, is stored"),
    ("mend", "fix, hint"),
    ("mends", "fixes"),
    ("mended", "fixed, recovered"),
    ("mending", "fixing, recovery"),
    ("makings", "intermediate state"),
    ("whoever", "the caller, the user"),
    ("somebody", "the caller, the user"),
    ("nobody", "no caller"),
    ("brings", "adds, loads"),
    ("brought", "loaded, built"),
    ("reckon", "compute"),
    ("reckons", "computes"),
    ("reckoned", "computed"),
    ("manieth", "index, n-th"),
    ("dear", "expensive"),
    ("dearer", "more expensive"),
    ("judge", "reference, comparison"),
    ("judged", "compared"),
    ("twin", "duplicate, alternative"),
    ("twins", "duplicates, alternatives"),
    ("begun", "in progress, started"),
    ("carry", "propagate, contain, move"),
    ("carries", "propagates, contains, has"),
    ("carried", "propagated, moved"),
    ("vouch", "cover"),
    ("vouches", "covers"),
    ("vouched", "covered"),
    ("unvouched", "uncovered"),
    ("climb", "run of the ladder"),
    ("climbs", "runs the ladder, leaves"),
    ("climbed", "ran"),
    ("climbing", "running"),
    ("excuse", "skip"),
    ("excuses", "skips"),
    ("excused", "skipped"),
];

/// Phrases, in lower case, with what replaces them.
const PHRASES: &[(&str, &str)] = &[
    ("by hand", "manually"),
    ("at hand", "available"),
    ("rests on", "depends on"),
    ("rest on", "depend on"),
    ("goes on", "continues"),
    ("gone on", "continued"),
    ("what loses them", "error analysis"),
    ("of its own accord", "unasked"),
    ("in words", "as text"),
    ("take back", "revert, undo"),
    ("takes back", "reverts, undoes"),
    ("taken back", "reverted, undone"),
    ("taking back", "reverting"),
    ("took back", "reverted"),
];

/// Tables of English words, code that tests read, and this file.
const EXEMPT: &[&str] = &[
    "crates/agent/src/request/phrases.rs",
    "crates/search/src/tokenize/stop.rs",
    "fixtures/",
    "xtask/src/tidy/retired.rs",
];

/// Text that is fixed: the account of `/etc/passwd`, a field of answers of tools, a key of threads,
/// and the request of recorded tasks.
const LITERALS: &[&str] = &[
    "nobody:x:65534:65534:nobody:",
    "- `begun` (list of string)",
    "carries = ",
    "`carries`",
    "Complete the change that is begun: {message}",
];

/// Reports every retired word.
pub(super) fn inspect(root: &Path, report: &mut Report) {
    for path in files(root, "") {
        let is_text = [".rs", ".md", ".toml"].iter().any(|end| path.ends_with(end));
        if !is_text || EXEMPT.iter().any(|exempt| path.starts_with(exempt)) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(root.join(&path)) else { continue };
        // The names of serialised fields are a contract: they stay when a Rust name changes.
        let lines = text.lines().enumerate().filter(|(_, line)| !line.contains("serde(rename = "));
        for (line, text) in lines {
            let text = LITERALS.iter().fold(text.to_owned(), |text, it| text.replace(it, ""));
            for (word, instead) in retired(&text) {
                report
                    .problems
                    .push(format!("{path}:{}: `{word}` is retired, use {instead}", line + 1));
            }
        }
    }
}

/// The retired words and phrases of one line, each with its replacement.
fn retired(line: &str) -> Vec<(&'static str, &'static str)> {
    let words = words(line);
    let has = |word: &str| words.iter().any(|it| it == word);
    let mut found: Vec<_> = WORDS.iter().copied().filter(|(word, _)| has(word)).collect();
    let joined = format!(" {} ", words.join(" "));
    found.extend(
        PHRASES.iter().copied().filter(|(phrase, _)| joined.contains(&format!(" {phrase} "))),
    );
    found
}

/// The words of a line in lower case; identifiers are split at `_` and at capitals.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in line.chars() {
        let starts = !c.is_alphanumeric() || (c.is_uppercase() && after_lower);
        if starts && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase() || c.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<&'static str> {
        retired(line).into_iter().map(|(word, _)| word).collect()
    }

    #[test]
    fn words_are_found_in_prose_and_in_identifiers() {
        assert_eq!(found("// The rooms of the house."), ["rooms"]);
        assert_eq!(found("let whoSaid = room_of(Told::new());"), ["room", "said", "told"]);
        assert_eq!(found("/// What is at hand rests on it."), ["at hand", "rests on"]);
        assert_eq!(
            found("fn begunChange(carried: Climb) // vouched"),
            ["begun", "carried", "vouched", "climb"]
        );
        assert_eq!(found("/// Whether it takes back a change: `takes_back`."), ["takes back"]);
        assert!(found("bathroom, amendment, withstands, twinned, carrying_add").is_empty());
    }
}
