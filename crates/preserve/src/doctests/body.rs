//! The code of an example as a test. Start at [`bodies`].

use crate::layout::Layout;
use crate::outline::{Outline, tokens};
use crate::too_deep::nests_deeper;

/// The code of an example before and after a change, each as a text with one test. Rustdoc reports an
/// error that `main` returns, so that code without a `main` may return early with one.
pub(super) fn bodies(before: &str, after: &str, has_harness: bool) -> (String, String) {
    let (before, after) = (shown(before), shown(after));
    if has_harness {
        return (before, after);
    }
    (as_test(&before), as_test(&after))
}

/// The code of an example, its hidden lines included.
pub(super) fn shown(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let trimmed = line.trim();
        match trimmed.strip_prefix('#') {
            Some("") => "",
            Some(rest) if rest.starts_with('#') => rest,
            Some(rest) => rest.strip_prefix(' ').unwrap_or(line),
            None => line,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The code with its `main` as a test.
fn as_test(code: &str) -> String {
    let outline = Outline::of(code);
    let layout = Layout::of(true, &outline);
    let is_main = |name: usize| outline.text(name) == "main";
    let mut outer = layout.functions.iter().filter(|it| layout.parents[it.start].is_none());
    match outer.find(|it| is_main(it.name)).and_then(|it| outline.tokens.get(it.start)) {
        Some(token) => {
            let (before, rest) = code.split_at(token.span.start);
            format!("{before}#[test]\n{rest}\n")
        }
        None => format!("#[test]\nfn main() -> Result<(), E> {{\n{code}\n}}\n"),
    }
}

/// Whether code closes a bracket that it does not open: it would end the function around it.
pub(super) fn leaves_function(code: &str) -> bool {
    let mut depth = 0_usize;
    for token in tokens(code) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return true,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    false
}

/// Whether code is nested too deeply to be compared.
pub(super) fn is_too_deep(code: &str) -> bool {
    const DEEPEST: usize = 1_000;
    nests_deeper(code, DEEPEST)
}

/// Whether a line that the documentation does not show decides whether the code around it runs: a function
/// other than `main`, an empty `main`, control flow, a call of a macro.
pub(super) fn decides_unseen(line: &str) -> bool {
    let Some(code) = line.trim_start().strip_prefix("# ") else { return false };
    let list = tokens(code);
    let at = |idx: usize| list.get(idx).map_or("", |it| it.text);
    let ends = list.last().is_some_and(|it| it.is("}"));
    (0..list.len()).any(|idx| match at(idx) {
        "fn" => at(idx + 1) != "main" || ends,
        "break" | "continue" | "else" | "exit" | "abort" | "if" | "loop" | "macro_rules"
        | "match" | "return" | "while" | "for" => true,
        name => at(idx + 1) == "!" && name != "#" && !name.starts_with("assert"),
    })
}
