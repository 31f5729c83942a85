//! The words after the fence of a code block, as rustdoc reads them. Start at [`Testing`].

use base::SortedSet;

/// How rustdoc tests a code block, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TestLevel {
    Skipped,
    Compiled,
    Run,
}

/// How rustdoc tests a code block, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Testing {
    pub(super) level: TestLevel,
    /// Targets on which it is not tested.
    ignored: SortedSet<String>,
    /// Words that change the result that passes: `compile_fail` and its code, `should_panic`, and
    /// `test_harness`.
    pub(super) marks: SortedSet<String>,
}

impl Testing {
    /// The testing of a block with these words.
    pub(super) fn of(info: &str) -> Self {
        let mut found =
            Self { level: TestLevel::Run, ignored: SortedSet::new(), marks: SortedSet::new() };
        let Some(all) = words(info) else { return found.skipped() };
        // As in rustdoc: a word counts as one of Rust by what is before it.
        let (mut is_rust, mut is_other, mut is_custom) = (false, false, false);
        let mut is_ignored = false;
        for word in all {
            match word {
                "rust" => is_rust = true,
                "custom" => is_custom = true,
                "ignore" => is_ignored = true,
                "no_run" => found.level = TestLevel::Compiled,
                "compile_fail" => {
                    found.level = TestLevel::Compiled;
                    found.marks.insert(word.to_owned());
                }
                "should_panic" | "test_harness" => drop(found.marks.insert(word.to_owned())),
                "standalone_crate" | "standalone" => {}
                _ if word.starts_with("edition") => {}
                _ if is_error_code(word) => drop(found.marks.insert(word.to_owned())),
                _ => match word.strip_prefix("ignore-") {
                    Some(target) => drop(found.ignored.insert(target.to_owned())),
                    None => is_other = true,
                },
            }
            match word {
                "should_panic" | "no_run" | "ignore" => is_rust = !is_other,
                _ if word.starts_with("ignore-") => is_rust = !is_other,
                "test_harness" | "compile_fail" | "standalone_crate" => is_rust |= !is_other,
                _ => {}
            }
        }
        // A list of targets takes the place of `ignore`.
        let is_skipped = is_custom || (is_other && !is_rust) || is_ignored;
        if is_skipped { found.skipped() } else { found }
    }

    /// Testing that never happens.
    pub(super) fn skipped(mut self) -> Self {
        self.level = TestLevel::Skipped;
        self
    }

    /// Whether a block is tested no less than one with `other`, and with the same result.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.level >= other.level
            && self.ignored.is_subset(&other.ignored)
            && self.marks == other.marks
    }
}

/// Whether the word is the code of an error: it decides only in a nightly toolchain.
fn is_error_code(word: &str) -> bool {
    let digits = word.strip_prefix('E').filter(|it| it.len() == 4);
    digits.is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()))
}

/// The words of a block without attributes in braces and comments in parentheses; `None` if rustdoc
/// rejects them, and does not test the block.
fn words(info: &str) -> Option<Vec<&str>> {
    const PUNCTUATION: &str = ".!#$%&*+/;<>?@^|~_-:";
    let mut found = Vec::new();
    let mut rest = info;
    loop {
        rest = rest.trim_start_matches(|it: char| it == ',' || it.is_whitespace());
        let Some(first) = rest.chars().next() else { return Some(found) };
        match first {
            '{' => rest = rest.split_once('}')?.1,
            '(' => rest = rest.split_once(')')?.1,
            '"' => {
                let (word, after) = rest.get(1..)?.split_once('"')?;
                found.push(word);
                rest = after;
            }
            _ => {
                let is_part = |it: char| it.is_ascii_alphanumeric() || PUNCTUATION.contains(it);
                let end = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
                let is_start = first.is_ascii_alphanumeric() || "_-:".contains(first);
                if !is_start {
                    return None;
                }
                found.push(rest.get(..end)?);
                rest = rest.get(end..)?;
                if !rest.is_empty() && !rest.starts_with([',', '{', '(', ' ', '\t']) {
                    return None;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_block_decides_how_it_is_tested() {
        for (info, expected) in [
            ("", TestLevel::Run),
            ("rust", TestLevel::Run),
            ("rust,no_run", TestLevel::Compiled),
            ("compile_fail,E0277", TestLevel::Compiled),
            ("ignore", TestLevel::Skipped),
            ("text", TestLevel::Skipped),
            ("text,rust", TestLevel::Run),
            ("text,rust,no_run", TestLevel::Skipped),
            ("rust custom", TestLevel::Skipped),
            ("rust,edition2021", TestLevel::Run),
            ("{.class}", TestLevel::Run),
            ("rust {.class", TestLevel::Skipped),
            ("rust (a comment)", TestLevel::Run),
            ("=rust", TestLevel::Skipped),
        ] {
            assert_eq!(Testing::of(info).level, expected, "{info}");
        }
    }

    #[test]
    fn another_result_or_fewer_targets_are_no_cover() {
        let covers = |new: &str, old: &str| Testing::of(new).covers(&Testing::of(old));
        for (new, old) in [("", "no_run"), ("", "ignore-wasm"), ("no_run", "ignore"), ("rust", "")]
        {
            assert!(covers(new, old), "{new} {old}");
        }
        for (new, old) in [
            ("no_run", ""),
            ("ignore-linux", ""),
            ("ignore-linux", "ignore-wasm"),
            ("should_panic", ""),
            ("", "should_panic"),
            ("test_harness", ""),
            ("no_run", "compile_fail"),
            ("compile_fail", "compile_fail,E0277"),
        ] {
            assert!(!covers(new, old), "{new} {old}");
        }
    }
}
