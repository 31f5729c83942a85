//! Documentation examples: none may be compiled, run or asserted less than before.

use base::ProjectPath;

use crate::outline::tokens;
use crate::{Rule, Violation};

/// How rustdoc tests a code block, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TestLevel {
    Skipped,
    Compiled,
    Run,
}

/// One code block of documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Example {
    line: u32,
    level: TestLevel,
    /// Lines without margins and surrounding white space.
    text: String,
}

/// Documentation examples of a Rust file that are tested less, or assert less.
pub(crate) fn compare(
    path: &ProjectPath,
    before: &str,
    after: Option<&str>,
    found: &mut Vec<Violation>,
) {
    let Some(after) = after else { return };
    let old = examples(documentation(before));
    if old.is_empty() || before == after {
        return;
    }
    let new = examples(documentation(after));
    report(path, &old, &new, true, found);
}

/// The same for a Markdown page, which may be documentation of a crate: unchanged examples must not
/// be tested less.
pub(crate) fn compare_page(
    path: &ProjectPath,
    before: &str,
    after: &str,
    found: &mut Vec<Violation>,
) {
    let lines = |text: &'_ str| -> Vec<(u32, String)> {
        (1..).zip(text.lines().map(str::to_owned)).collect()
    };
    let (old, new) = (examples(lines(before)), examples(lines(after)));
    report(path, &old, &new, false, found);
}

fn report(
    path: &ProjectPath,
    old: &[Example],
    new: &[Example],
    must_stay: bool,
    found: &mut Vec<Violation>,
) {
    let mut taken = vec![false; new.len()];
    let mut unmatched = Vec::new();
    for example in old.iter().filter(|it| it.level > TestLevel::Skipped) {
        let same = (0..new.len()).find(|it| !taken[*it] && new[*it].text == example.text);
        match same {
            Some(it) => {
                taken[it] = true;
                if new[it].level < example.level {
                    found.push(violation(
                        path,
                        new[it].line,
                        "an example is no longer compiled or run",
                    ));
                }
            }
            None => unmatched.push(example),
        }
    }
    if !must_stay {
        return;
    }
    for example in unmatched {
        let wanted = assertions(&example.text);
        let now = (0..new.len()).find(|it| {
            !taken[*it]
                && new[*it].level >= example.level
                && wanted.iter().all(|assertion| assertions(&new[*it].text).contains(assertion))
        });
        match now {
            Some(it) => {
                taken[it] = true;
                let known: Vec<&str> = example.text.lines().collect();
                let mut lines = new[it].text.lines().filter(|line| !known.contains(line));
                if lines.any(decides_unseen) {
                    let detail = "an example gets hidden lines that decide whether its code runs";
                    found.push(violation(path, new[it].line, detail));
                }
            }
            None => {
                found.push(violation(path, example.line, "an example is removed or asserts less"))
            }
        }
    }
}

/// Whether a line that the documentation does not show decides whether the code around it runs: a function
/// other than `main`, an empty `main`, control flow, a call of a macro.
fn decides_unseen(line: &str) -> bool {
    let Some(code) = line.trim_start().strip_prefix("# ") else { return false };
    let list = tokens(code);
    let at = |idx: usize| list.get(idx).map_or("", |it| it.text);
    let ends = list.last().is_some_and(|it| it.is("}"));
    (0..list.len()).any(|idx| match at(idx) {
        "fn" => at(idx + 1) != "main" || ends,
        "break" | "continue" | "else" | "exit" | "abort" | "if" | "loop" | "macro_rules"
        | "match" | "return" | "while" | "for" => true,
        name => at(idx + 1) == "!" && !name.starts_with("assert"),
    })
}

fn violation(path: &ProjectPath, line: u32, detail: &str) -> Violation {
    Violation { rule: Rule::DoctestWeakened, path: path.clone(), line, detail: detail.to_owned() }
}

/// The assertions of an example: their macros and literals.
fn assertions(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if !token.text.starts_with("assert") || tokens.get(at + 1).is_none_or(|it| !it.is("!")) {
            continue;
        }
        let mut depth = 0usize;
        let mut words = vec![token.text];
        for it in tokens.iter().skip(at + 2) {
            match it.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                text if it.kind == crate::outline::TokenKind::Literal => words.push(text),
                text @ ("!" | "==" | "!=" | "<" | ">" | "||" | "true" | "false") => {
                    words.push(text);
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        found.push(words.join(" "));
    }
    found
}

/// The lines of documentation comments without their markers; a line of code ends a block.
fn documentation(text: &str) -> Vec<(u32, String)> {
    let mut lines = Vec::new();
    let mut in_block = false;
    for (number, line) in (1u32..).zip(text.lines()) {
        let line = line.trim_start();
        if in_block {
            let ends = line.contains("*/");
            lines.push((number, line.trim_start_matches("* ").trim_end_matches("*/").to_owned()));
            in_block = !ends;
        } else if let Some(rest) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) {
            lines.push((number, rest.to_owned()));
        } else if line.starts_with("/**") || line.starts_with("/*!") {
            lines.push((number, line[3..].to_owned()));
            in_block = !line.contains("*/");
        } else {
            lines.push((number, "\u{0}".to_owned()));
        }
    }
    lines
}

fn examples(lines: Vec<(u32, String)>) -> Vec<Example> {
    let mut found = Vec::new();
    let mut open: Option<(String, Example)> = None;
    for (number, line) in lines {
        let text = line.trim();
        let fence = fence_of(text);
        match open.take() {
            Some((_, example)) if text == "\u{0}" => found.push(example),
            Some((mark, example))
                if text.starts_with(&mark) && text.trim_matches(['`', '~']).is_empty() =>
            {
                found.push(example);
            }
            Some((mark, mut example)) => {
                example.text.push_str(text);
                example.text.push('\n');
                open = Some((mark, example));
            }
            None => {
                if let Some((mark, info)) = fence {
                    let example = Example { line: number, level: level(info), text: String::new() };
                    open = Some((mark.to_owned(), example));
                }
            }
        }
    }
    found.extend(open.map(|(_, example)| example));
    found
}

/// The fence and the language of a line that opens a code block.
fn fence_of(line: &str) -> Option<(&str, &str)> {
    let mark = ["```", "~~~"].into_iter().find(|it| line.starts_with(it))?;
    let c = mark.chars().next()?;
    let len = line.len() - line.trim_start_matches(c).len();
    Some((&line[..len], &line[len..]))
}

/// How rustdoc tests a block with this language.
fn level(info: &str) -> TestLevel {
    let words: Vec<&str> =
        info.split([',', ' ', '\t', '{', '}', '.']).filter(|it| !it.is_empty()).collect();
    let is_rust = words.iter().all(|it| {
        matches!(
            *it,
            "rust"
                | "should_panic"
                | "no_run"
                | "ignore"
                | "compile_fail"
                | "standalone_crate"
                | "test_harness"
        ) || it.starts_with("edition")
            || it.starts_with("ignore-")
            || (it.starts_with('E') && it.len() == 5)
    });
    let has = |word: &str| words.contains(&word);
    match () {
        () if !is_rust || words.iter().any(|it| it.starts_with("ignore")) => TestLevel::Skipped,
        () if has("no_run") || has("compile_fail") || has("should_panic") => TestLevel::Compiled,
        () => TestLevel::Run,
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
            ("ignore", TestLevel::Skipped),
            ("text", TestLevel::Skipped),
            ("rust,edition2021", TestLevel::Run),
        ] {
            assert_eq!(level(info), expected, "{info}");
        }
    }

    #[test]
    fn hidden_lines_that_decide_what_runs_weaken_an_example() {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let before = "/// ```\n/// assert_eq!(f(), 1);\n/// ```\nfn f() {}\n";
        let count = |line: &str| {
            let after = before.replace("/// assert", &format!("/// {line}\n/// assert"));
            let mut found = Vec::new();
            compare(&path, before, Some(&after), &mut found);
            found.len()
        };
        for line in ["# fn unused() {", "# if false {", "# skip!();", "# fn main() {}", "# return;"]
        {
            assert_eq!(count(line), 1, "{line}");
        }
        for line in
            ["# fn main() -> Result<(), E> {", "# use a::b;", "let x = 1;", "# Ok::<(), E>(())"]
        {
            assert_eq!(count(line), 0, "{line}");
        }
    }
}
