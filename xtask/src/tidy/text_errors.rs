//! Workspace rule about errors: a function returns the error of its crate or an enum, whose sentence is made
//! where it is shown. A text can only be shown, and what decides by it reads prose.

use super::source::Source;

/// Where an error may be a text, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("crates/graftage/src/args.rs", "what `clap` takes"),
    ("crates/graftage/src/args_memory.rs", "what `clap` takes"),
    ("crates/testkit/", "is in no program"),
    ("xtask/", "is in no program"),
];

/// The problems of one file: each line outside of tests with a result whose error is a text.
pub(super) fn problems(path: &str, source: &Source, tests_only: bool) -> Vec<String> {
    if tests_only || EXCEPTIONS.iter().any(|(exception, _)| path.starts_with(exception)) {
        return Vec::new();
    }
    let lines = source.code.iter().zip(&source.test).enumerate();
    lines
        .filter(|(_, (code, is_test))| !**is_test && has_text_error(code))
        .map(|(line, _)| {
            format!(
                "{path}:{}: use an error of the crate instead of a text, or give a reason in \
                 `tidy::text_errors`",
                line + 1
            )
        })
        .collect()
}

/// Whether a line has a `Result` whose second argument is `String`.
fn has_text_error(code: &str) -> bool {
    code.match_indices("Result<").any(|(at, word)| {
        let arguments = &code[at + word.len()..];
        let mut depth = 0_usize;
        let mut before = ' ';
        for (at, c) in arguments.char_indices() {
            match c {
                '<' | '(' | '[' => depth += 1,
                ']' | ')' => depth = depth.saturating_sub(1),
                '>' if before != '-' && depth == 0 => return false,
                '>' if before != '-' => depth -= 1,
                ',' if depth == 0 => {
                    return arguments[at + 1..].trim_start().starts_with("String>");
                }
                _ => {}
            }
            before = c;
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        problems(path, &Source::parse(text), false).len()
    }

    #[test]
    fn a_result_with_a_text_as_its_error_is_reported() {
        let path = "crates/edit/src/a.rs";
        for text in [
            "fn f() -> Result<u8, String> {\n",
            "fn f() -> Result<Vec<(u8, String)>, String> {\n",
            "fn f() -> Result<Result<u8, String>, Error> {\n",
            "type F = dyn Fn(&str) -> Result<Option<u8>, String>;\n",
        ] {
            assert_eq!(found(path, text), 1, "{text}");
        }
        for text in [
            "fn f() -> Result<String, Error> {\n",
            "fn f() -> Result<(u8, String), Error> {\n",
            "fn f() -> Result<SortedMap<u8, String>, Error> {\n",
            "fn f() -> std::io::Result<String> {\n",
            "// Result<u8, String>\n",
        ] {
            assert_eq!(found(path, text), 0, "{text}");
        }
        assert_eq!(found("crates/graftage/src/args.rs", "fn f() -> Result<u8, String> {\n"), 0);
        let test = "#[cfg(test)]\nmod tests {\n    fn f() -> Result<u8, String> {}\n}\n";
        assert_eq!(found(path, test), 0);
    }
}
