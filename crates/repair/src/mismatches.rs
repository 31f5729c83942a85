//! Reasoner: mismatches of types that the compiler reports without a suggestion: the value comes out
//! of a macro, or is borrowed shared where it has to be borrowed mutably.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath};
use edit::{Files, Splice};

use crate::conversions::{initializer, is_one_operand, quoted_after};
use crate::fix::{Proposal, guesses, text_of};
use crate::signature::Signature;
use crate::{Fix, Reasoner};
use preserve::outline::{Outline, TokenKind, tokens};

/// For a type mismatch: borrows or wraps the value where it is written. A value from a macro of the
/// project is changed once in the body of the macro, or at each call if the body is nothing but the
/// value. A shared borrow becomes a mutable one: at the value, in its `let`, or in the parameter.
pub(crate) struct Mismatches;

impl Reasoner for Mismatches {
    fn name(&self) -> &'static str {
        "mismatches"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            (it.code.as_deref() == Some("E0308")).then(|| proposals(it, files))
        })
    }
}

/// Label of a value that is borrowed shared instead of mutably.
const MUTABILITY: &str = "types differ in mutability";

/// Text before and after a value that make the expected type of it.
type Form = (String, String);

fn proposals(error: &Diagnostic, files: &dyn Files) -> Vec<Proposal> {
    let mut found: Vec<Proposal> = Vec::new();
    for span in &error.spans {
        let label = span.label.as_deref().unwrap_or("");
        for (path, value) in values(span, files) {
            let Some(text) = text_of(files, &path) else { continue };
            let more = match label {
                MUTABILITY => mutable(&text, value, error),
                _ => formed(&text, value, label),
            };
            for (splices, rationale) in more {
                let guesses = Vec::new();
                found.push(Proposal { path: path.clone(), splices, rationale, guesses });
            }
        }
    }
    found
}

/// The places of a value in the project's texts: in the body of a macro and at its calls. A body
/// that is nothing but the value comes last.
fn values(span: &DiagnosticSpan, files: &dyn Files) -> Vec<(ProjectPath, ByteSpan)> {
    let mut found: Vec<(ProjectPath, ByteSpan)> = Vec::new();
    let mut next = Some(span);
    let mut is_bare = true;
    while let Some(it) = next.filter(|_| is_bare) {
        next = it.expansion.as_deref().map(|it| &it.call_site);
        let Some(path) = it.place.project() else { continue };
        let Some(text) = text_of(files, path) else { break };
        is_bare = is_whole_body(&text, it.bytes);
        if is_statement(&text, it.bytes) {
            break;
        }
        found.push((path.clone(), it.bytes));
    }
    found.reverse();
    found
}

/// Whether a span is all that an arm of `macro_rules!` expands to.
fn is_whole_body(text: &str, span: ByteSpan) -> bool {
    let list = tokens(text);
    let first = list.partition_point(|it| it.span.start < span.start);
    let after = list.partition_point(|it| it.span.end <= span.end);
    let is = |at: Option<usize>, texts: &[&str]| {
        at.and_then(|it| list.get(it)).is_some_and(|it| texts.contains(&it.text))
    };
    is(Some(after), &["}", ")", "]"])
        && is(first.checked_sub(1), &["{", "(", "["])
        && is(first.checked_sub(2), &["=>"])
}

/// Whether a span is a statement: its value is not used.
fn is_statement(text: &str, span: ByteSpan) -> bool {
    let before = tokens(text.get(..span.start).unwrap_or("")).pop().map(|it| it.text.to_owned());
    let after = text.get(span.end..).map_or("", str::trim_start);
    matches!(before.as_deref(), Some(";" | "{" | "}")) && after.starts_with(';')
}

/// The changes that make the expected type of a value.
fn formed(text: &str, value: ByteSpan, label: &str) -> Vec<(Vec<Splice>, String)> {
    let types = quoted_after(label, "expected").zip(quoted_after(label, "found"));
    let (Some((expected, found)), Some(written)) = (types, value.slice(text)) else {
        return Vec::new();
    };
    let Some((before, after)) = form(expected, found) else { return Vec::new() };
    let opens = |it: &str| it.is_empty() || it.ends_with('(');
    let is_whole = is_one_operand(written) || opens(&before) && after.trim_matches(')').is_empty();
    let (open, close) = if is_whole { ("", "") } else { ("(", ")") };
    let at = |byte: usize, insert: String| Splice { span: ByteSpan::new(byte, byte), insert };
    let mut splices =
        vec![at(value.start, format!("{before}{open}")), at(value.end, format!("{close}{after}"))];
    splices.retain(|it| !it.insert.is_empty());
    vec![(splices, format!("pass `{before}…{after}` for the expected `{expected}`"))]
}

/// The text around a value of type `found` that makes it `expected`; `None` if no such text is
/// certain to mean the same value.
fn form(expected: &str, found: &str) -> Option<Form> {
    let (expected, found) = (without_lifetime(expected), without_lifetime(found));
    let form = |before: &str, after: &str| Some((before.to_owned(), after.to_owned()));
    if let Some(inner) = argument(&expected, &["Option", "Result", "Box"]) {
        let head = head(&expected);
        if argument(&found, &["Option", "Result", head]).is_some() {
            return None;
        }
        let (before, after) = match is_same(inner, &found) {
            true => (String::new(), String::new()),
            false => form_of(inner, &found)?,
        };
        let wrap = match head {
            "Option" => "Some(",
            "Result" => "Ok(",
            _ => "Box::new(",
        };
        return form(&format!("{wrap}{before}"), &format!("{after})"));
    }
    form_of(&expected, &found)
}

/// The same for an expected type that wraps nothing.
fn form_of(expected: &str, found: &str) -> Option<Form> {
    let form = |before: &str, after: &str| Some((before.to_owned(), after.to_owned()));
    let is_owned = !found.starts_with('&');
    if let Some(to) = expected.strip_prefix("&mut ") {
        return (is_owned && derefs(found, to)).then(|| form("&mut ", ""))?;
    }
    let text = found.trim_start_matches('&');
    match (expected, text) {
        ("&[u8]", "String" | "str") => return form("", ".as_bytes()"),
        ("&Path" | "&OsStr", "String" | "str" | "PathBuf" | "OsString") => {
            return form("", ".as_ref()");
        }
        ("&str", "char") if is_owned => return form("&", ".to_string()"),
        ("String", "str") => return form("", ".to_string()"),
        ("String", it) if is_owned && it.starts_with("Cow<") => return form("", ".into_owned()"),
        _ => {}
    }
    let to = expected.strip_prefix('&')?;
    (is_owned && (derefs(found, to) || to.starts_with("dyn "))).then(|| form("&", ""))?
}

/// Whether a reference to a value of type `from` is taken for a reference to `to`.
fn derefs(from: &str, to: &str) -> bool {
    const POINTERS: [&str; 4] = ["Box", "Rc", "Arc", "Cow"];
    let is_slice = to.starts_with('[');
    is_same(from, to)
        || matches!((from, to), ("String", "str") | ("PathBuf", "Path") | ("OsString", "OsStr"))
        || is_slice && (head(from) == "Vec" || from.starts_with('['))
        || POINTERS.contains(&head(from)) && from.contains(to)
}

/// Whether two printed types have the same head; what is not inferred yet may differ.
fn is_same(one: &str, other: &str) -> bool {
    one == other || head(one) == head(other) && one.contains('<') && other.contains('<')
}

/// Name of a type without path and arguments.
fn head(name: &str) -> &str {
    let path = name.split('<').next().unwrap_or("");
    path.rsplit("::").next().unwrap_or("").trim()
}

/// The first argument of a type with one of these names.
fn argument<'t>(name: &'t str, heads: &[&str]) -> Option<&'t str> {
    let (_, list) = name.split_once('<').filter(|_| heads.contains(&head(name)))?;
    let list = list.strip_suffix('>')?;
    let mut depth = 0_usize;
    let end = list.find(|it: char| {
        match it {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        it == ',' && depth == 0
    });
    Some(list.get(..end.unwrap_or(list.len()))?.trim())
}

/// A printed type without the lifetimes of its references.
fn without_lifetime(name: &str) -> String {
    let mut parts = name.split("&'");
    let mut whole = parts.next().unwrap_or("").to_owned();
    for part in parts {
        whole.push('&');
        whole.push_str(part.split_once(' ').map_or("", |it| it.1));
    }
    whole
}

/// The changes that borrow a value mutably which is borrowed shared: the borrow itself, the one in
/// its `let`, the method that borrows, or the type of the parameter.
fn mutable(text: &str, value: ByteSpan, error: &Diagnostic) -> Vec<(Vec<Splice>, String)> {
    let is_reference = |it: &&str| it.contains("expected mutable reference");
    let mut notes = error.children.iter().map(|it| it.message.as_str());
    let Some(note) = notes.find(is_reference) else { return Vec::new() };
    let why = "borrow it mutably".to_owned();
    if note.contains("found reference `&&mut ") && value.slice(text).is_some_and(is_borrow) {
        let span = ByteSpan::new(value.start, value.start + 1);
        let splice = Splice { span, insert: String::new() };
        return vec![(vec![splice], "pass the mutable reference itself".to_owned())];
    }
    if let Some(splice) = mutable_borrow(text, value) {
        // The text is moved into the call.
        return vec![(vec![splice], why)];
    }
    if let Some(initial) = initializer(text, value)
        && let Some(splice) = mutable_borrow(text, initial)
    {
        return vec![(vec![splice], why)];
    }
    let splices = [mutable_method(text, value), mutable_parameter(text, value)];
    splices.into_iter().flatten().map(|it| (vec![it], why.clone())).collect()
}

/// Whether a value is written as the shared borrow of a name.
fn is_borrow(written: &str) -> bool {
    written.strip_prefix('&').is_some_and(|it| !it.is_empty() && it.chars().all(base::is_word))
}

/// `mut ` after the `&` with which a value begins.
fn mutable_borrow(text: &str, value: ByteSpan) -> Option<Splice> {
    let rest = value.slice(text)?.strip_prefix('&')?;
    let at = ByteSpan::new(value.start + 1, value.start + 1);
    let is_shared = !rest.starts_with('&') && !rest.trim_start().starts_with("mut ");
    is_shared.then(|| Splice { span: at, insert: "mut ".to_owned() })
}

/// The mutable form of the last method of std in a value that has one.
fn mutable_method(text: &str, value: ByteSpan) -> Option<Splice> {
    const MUTABLE: [(&str, &str); 10] = [
        ("as_deref", "as_deref_mut"),
        ("as_ref", "as_mut"),
        ("as_slice", "as_mut_slice"),
        ("borrow", "borrow_mut"),
        ("first", "first_mut"),
        ("get", "get_mut"),
        ("iter", "iter_mut"),
        ("last", "last_mut"),
        ("values", "values_mut"),
        ("as_bytes", "as_bytes_mut"),
    ];
    let list = tokens(value.slice(text)?);
    let mut depth = 0_usize;
    let found = (1..list.len()).rev().find_map(|at| {
        match list[at].text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_method = depth == 0 && list[at - 1].is(".");
        let new = MUTABLE.iter().find(|it| is_method && list[at].is(it.0));
        new.map(|new| (list[at].span, new.1))
    });
    let (span, new) = found?;
    let span = ByteSpan::new(value.start + span.start, value.start + span.end);
    Some(Splice { span, insert: new.to_owned() })
}

/// `mut ` in the type of the parameter that the value is.
fn mutable_parameter(text: &str, value: ByteSpan) -> Option<Splice> {
    let outline = Outline::of(text);
    let at = outline.tokens.iter().position(|it| it.span == value)?;
    let token = outline.tokens.get(at).filter(|it| it.kind == TokenKind::Word)?;
    let function = (0..at).rev().filter(|it| outline.text(*it) == "fn").find_map(|it| {
        Signature::of(&outline, it + 1).filter(|signature| signature.body.contains(&at))
    })?;
    let parameter = match token.text {
        "self" => function.parameters.iter().find(|it| it.is_receiver)?.span,
        name => function.parameters.iter().find(|it| it.name == name)?.ty,
    };
    let written = tokens(parameter.slice(text)?);
    let is_lifetime = written.get(1).is_some_and(|it| it.kind == TokenKind::Lifetime);
    let next = written.get(1 + usize::from(is_lifetime))?;
    let is_shared = written.first()?.is("&") && !next.is("mut");
    let at = parameter.start + next.span.start;
    is_shared.then(|| Splice { span: ByteSpan::new(at, at), insert: "mut ".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, OneFile, check};
    use base::{DiagnosticFile, Expansion};

    fn forms(cases: &[(&str, &str, &str)]) {
        for (expected, found, wanted) in cases {
            let form = form(expected, found).map(|(before, after)| format!("{before}x{after}"));
            assert_eq!(form.unwrap_or_default(), *wanted, "{expected}, {found}");
        }
    }

    #[test]
    fn a_value_is_borrowed_or_wrapped() {
        forms(&[
            ("&str", "String", "&x"),
            ("&'static str", "String", "&x"),
            ("&[u8]", "Vec<{integer}>", "&x"),
            ("&mut [u8]", "Vec<{integer}>", "&mut x"),
            ("&[String]", "[String; 2]", "&x"),
            ("&String", "String", "&x"),
            ("&Path", "String", "x.as_ref()"),
            ("&[u8]", "String", "x.as_bytes()"),
            ("&dyn Show", "Name", "&x"),
            ("Option<&str>", "String", "Some(&x)"),
            ("Option<String>", "&'static str", "Some(x.to_string())"),
            ("Result<Vec<u8>, ()>", "Vec<{integer}>", "Ok(x)"),
            ("Box<Node>", "Node", "Box::new(x)"),
            ("String", "Cow<'_, str>", "x.into_owned()"),
        ]);
    }

    #[test]
    fn what_may_mean_another_value_has_no_form() {
        forms(&[
            ("&str", "u8", ""),
            ("u8", "u16", ""),
            ("&[u8]", "HashSet<u8>", ""),
            ("Option<u8>", "Result<u8, E>", ""),
            ("&str", "Option<String>", ""),
            ("Name", "String", ""),
        ]);
    }

    fn differs(at: &str) -> FakeError {
        let note = "expected mutable reference `&mut _`\n found reference `&_`";
        FakeError::new("E0308", "mismatched types").labelled(MUTABILITY).at(at).note(note, &[])
    }

    #[test]
    fn a_shared_borrow_becomes_mutable() {
        check(&Mismatches, "f(&x)", &[differs("f(«&x»)")], &["f(&mut x)"]);
        check(
            &Mismatches,
            "fn g() { let y = &x; f(y) }",
            &[differs("f(«y»)")],
            &["fn g() { let y = &mut x; f(y) }"],
        );
        check(
            &Mismatches,
            "fn g(y: &'a [u8]) { f(y) }",
            &[differs("f(«y»)")],
            &["fn g(y: &'a mut [u8]) { f(y) }"],
        );
        check(
            &Mismatches,
            "fn g(&self) { f(self) }",
            &[differs("f(«self»)")],
            &["fn g(&mut self) { f(self) }"],
        );
        check(
            &Mismatches,
            "f(y.get(i.first()).unwrap())",
            &[differs("f(«y.get(i.first()).unwrap()»)")],
            &["f(y.get_mut(i.first()).unwrap())"],
        );
    }

    #[test]
    fn a_borrow_of_a_mutable_reference_goes() {
        let note = "expected mutable reference `&mut Vec<_>`\n found reference `&&mut Vec<_>`";
        let error = FakeError::new("E0308", "mismatched types").labelled(MUTABILITY);
        let error = error.at("f(«&list»)").note(note, &[]);
        check(&Mismatches, "f(&list)", &[error], &["f(list)"]);
    }

    #[test]
    fn several_arguments_of_one_call_are_changed() {
        let label = "expected `&str`, found `String`";
        let error = FakeError::new("E0308", "arguments to this function are incorrect")
            .at("«f»(")
            .label("(«g()»,", label)
            .label(", «h()»", label);
        check(&Mismatches, "f(g(), h())", &[error], &["f(&g(), h())", "f(g(), &h())"]);
    }

    /// The texts that are proposed for `format!` from a macro `m!` of the project, called once.
    fn from_macro(text: &str) -> Vec<String> {
        let call = "format!(a)";
        let mut error = FakeError::new("E0308", "mismatched types")
            .labelled("expected `&str`, found `String`")
            .at(&format!("«{call}»"))
            .build(text);
        let site = |written: &str| {
            let at = text.rfind(written).unwrap();
            let span = ByteSpan::new(at, at + written.len());
            DiagnosticSpan::primary(&crate::fake::path(), text, span)
        };
        let expansion = |macro_name: &str, call_site: DiagnosticSpan| {
            let macro_name = macro_name.to_owned();
            Some(Box::new(Expansion { macro_name, call_site }))
        };
        let mut body = site(call);
        body.expansion = expansion("m!", site("m!(1)"));
        error.spans[0].place = DiagnosticFile::Foreign("macros.rs".to_owned());
        error.spans[0].expansion = expansion("format!", body);
        let fixes = Mismatches.propose(&[error], &OneFile(text.to_owned()));
        let fixed = fixes.iter().map(|fix| {
            let mut fixed = text.to_owned();
            for (_, splice) in fix.splices.iter().rev() {
                fixed.replace_range(splice.span.start..splice.span.end, &splice.insert);
            }
            fixed
        });
        fixed.collect()
    }

    #[test]
    fn the_body_of_a_macro_is_changed_once() {
        let text = "macro_rules! m { ($x:expr) => { note($x, format!(a)) } } fn f() { m!(1); }";
        assert_eq!(from_macro(text), [text.replace("format", "&format")]);
    }

    #[test]
    fn the_call_of_a_macro_that_is_the_value_comes_first() {
        let text = "macro_rules! m { ($x:expr) => { format!(a) } } fn f() { g(m!(1)); }";
        assert_eq!(
            from_macro(text),
            [text.replace("g(m", "g(&m"), text.replace("format", "&format")]
        );
    }
}
