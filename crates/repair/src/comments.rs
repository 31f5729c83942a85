//! Reasoner: doc comments that document nothing; literals and block comments without an end.

use base::{ByteSpan, Diagnostic};
use edit::Files;

use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, insert, replace};
use crate::{Fix, Reasoner};

/// For a doc comment that documents nothing: an ordinary comment with the same text. For a literal
/// or block comment without an end: its end on the same line.
pub(crate) struct Comments;

impl Reasoner for Comments {
    fn name(&self) -> &'static str {
        "comments"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let code = it.code.as_deref()?;
            let marked = Marked::primary(it, files)?;
            match code {
                "E0584" | "E0585" => Some(vec![ordinary(&marked)?]),
                "E0758" => Some(vec![closed(&marked, first_line(&marked).len(), " */")?]),
                "E0762" | "E0763" => Some(vec![character(&marked)?]),
                "E0765" | "E0766" => Some(string(&marked)),
                _ => None,
            }
        })
    }
}

/// The doc comments of these lines, as comments.
fn ordinary(marked: &Marked<'_>) -> Option<Proposal> {
    let text = &*marked.text;
    let mut splices = Vec::new();
    let mut start = marked.span.start;
    loop {
        let own = text.get(start..)?;
        let is_line = own.starts_with("///") && !own.starts_with("////");
        let is_block = own.starts_with("/**") && !own.starts_with("/**/");
        if !is_block && !is_line {
            break;
        }
        splices.push(replace(ByteSpan::new(start + 2, start + 3), ""));
        // The lines before belong to the same comment.
        let Some(line) = text.get(..start).and_then(|it| it.rfind('\n')) else { break };
        let before = text.get(..line)?.rfind('\n').map_or(0, |at| at + 1);
        let above = text.get(before..line)?;
        if !is_line || !above.trim_start().starts_with("///") {
            break;
        }
        start = before + above.len() - above.trim_start().len();
    }
    if splices.is_empty() {
        return None;
    }
    Some(marked.proposal(splices, "write an ordinary comment, since nothing follows it".to_owned()))
}

fn first_line<'m>(marked: &'m Marked<'_>) -> &'m str {
    let rest = marked.text.get(marked.span.start..).unwrap_or("");
    rest.lines().next().unwrap_or("").trim_end()
}

/// Inserts the end `len` bytes after the start.
fn closed(marked: &Marked<'_>, len: usize, end: &str) -> Option<Proposal> {
    let rationale = format!("end it with `{}` on its line", end.trim());
    Some(marked.proposal(vec![insert(marked.span.start + len, end)], rationale))
}

/// The end after the first character or escape.
fn character(marked: &Marked<'_>) -> Option<Proposal> {
    let line = first_line(marked);
    let open = line.find('\'')? + 1;
    let rest = line.get(open..)?;
    let mut chars = rest.chars();
    let first = chars.next()?;
    let len = match (first, chars.next()) {
        ('\\', Some('u')) => rest.find('}')? + 1,
        ('\\', Some('x')) => 4,
        ('\\', Some(other)) => 1 + other.len_utf8(),
        _ => first.len_utf8(),
    };
    line.get(..open + len)?;
    closed(marked, open + len, "'")
}

/// The end before the punctuation at the end of the line, with and without its comment.
fn string(marked: &Marked<'_>) -> Vec<Proposal> {
    let line = first_line(marked);
    let Some(open) = line.find('"').map(|at| at + 1) else { return Vec::new() };
    let code = line.rfind("//").map_or("", |at| line[..at].trim_end());
    let mut found: Vec<usize> = Vec::new();
    for line in [line, code] {
        let end = line.trim_end_matches([';', ',', ')', ']', '}', '?']).len();
        if end >= open && end < line.len() && !found.contains(&end) {
            found.push(end);
        }
    }
    found.into_iter().filter_map(|end| closed(marked, end, "\"")).collect()
}

#[cfg(test)]
mod tests {
    use crate::Comments;
    use crate::fake::{FakeError, check};

    fn fixed(code: &str, text: &str, at: &str, expected: &[&str]) {
        check(&Comments, text, &[FakeError::new(code, "unexpected").at(at)], expected);
    }

    #[test]
    fn a_doc_comment_without_an_item_is_a_comment() {
        fixed(
            "E0585",
            "fn f() {\n    g();\n    /// One.\n    /// Two.\n}",
            "«/// Two.»",
            &["fn f() {\n    g();\n    // One.\n    // Two.\n}"],
        );
        fixed("E0584", "trait T { /** None. */ }", "«/** None. */»", &["trait T { /* None. */ }"]);
        fixed("E0585", "fn f() { #[doc = \"x\"] }", "«#[doc = \"x\"]»", &[]);
    }

    #[test]
    fn a_comment_ends_with_its_line() {
        fixed(
            "E0758",
            "/* Open\nfn f() {}\n",
            "«/* Open\nfn f() {}\n»",
            &["/* Open */\nfn f() {}\n"],
        );
    }

    #[test]
    fn a_character_ends_after_one() {
        fixed("E0762", "let c = 'é;\n", "«'é;»", &["let c = 'é';\n"]);
        fixed("E0763", "let c = b'\\n);\n", "«b'\\n);»", &["let c = b'\\n');\n"]);
        fixed("E0762", "let c = '\\u{1F600};\n", "«'\\u{1F600};»", &["let c = '\\u{1F600}';\n"]);
        fixed("E0762", "let c = '\\x4", "«'\\x4»", &[]);
    }

    #[test]
    fn a_string_ends_before_the_punctuation() {
        fixed("E0765", "f(\"a b);\ng();\n", "«\"a b);\ng();\n»", &["f(\"a b\");\ng();\n"]);
        fixed("E0766", "let s = b\"ab; // x\n", "«b\"ab; // x\n»", &["let s = b\"ab\"; // x\n"]);
        fixed("E0765", "let s = \"ab\n", "«\"ab\n»", &[]);
    }
}
