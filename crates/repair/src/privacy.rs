use base::{Applicability, ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath};
use edit::{Files, Splice};

use crate::phase::errors;
use crate::{Fix, Reasoner};
use preserve::outline::{Element, ElementKind, Outline};

/// For what is private where it is used: the item, method or field opened to the crate, and no
/// further. The compiler points at the declaration and leaves the mending to the reader.
pub struct Privacy;

impl Reasoner for Privacy {
    fn name(&self) -> &'static str {
        "privacy"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut fixes: Vec<Fix> = Vec::new();
        for (seed, diagnostic) in errors(diagnostics) {
            let opened = match diagnostic.code.as_deref() {
                Some("E0603" | "E0624") => declared_at(diagnostic, files),
                Some("E0616" | "E0451") => private_field(diagnostic, files),
                _ => None,
            };
            let Some((path, span, name)) = opened else { continue };
            fixes.push(Fix {
                splices: vec![(path, Splice { span, insert: "pub(crate) ".to_owned() })],
                rationale: format!("`{name}` is private, open it to the crate"),
                applicability: Applicability::Unspecified,
                reasoner: self.name(),
                seed,
            });
        }
        fixes
    }
}

/// The declaration that the diagnostic itself points at.
fn declared_at(
    diagnostic: &Diagnostic,
    files: &dyn Files,
) -> Option<(ProjectPath, ByteSpan, String)> {
    let labelled = diagnostic.spans.iter().filter(|it| {
        !it.primary && it.label.as_ref().is_some_and(|label| label.contains("defined here"))
    });
    let noted = diagnostic
        .children
        .iter()
        .filter(|child| child.message.contains("is defined here"))
        .flat_map(|child| &child.spans);
    labelled.chain(noted).find_map(|span| at_span(span, files))
}

fn at_span(span: &DiagnosticSpan, files: &dyn Files) -> Option<(ProjectPath, ByteSpan, String)> {
    let path = span.place.project()?;
    let state = files.read(path).ok().flatten()?;
    let outline = Outline::of(&state.text);
    let element = outline
        .elements
        .iter()
        .filter(|it| {
            matches!(it.kind, ElementKind::Item | ElementKind::Import)
                && extent(&outline, it).contains(span.bytes)
        })
        .min_by_key(|it| it.end - it.start)?;
    let name = outline.text(outline.item_name(element)).to_owned();
    Some((path.clone(), visibility(&outline, element)?, name))
}

/// The field of the struct that the message names, where the struct is in the same file.
fn private_field(
    diagnostic: &Diagnostic,
    files: &dyn Files,
) -> Option<(ProjectPath, ByteSpan, String)> {
    let mut quoted = diagnostic.message.split('`').skip(1).step_by(2);
    let (field, owner) = (quoted.next()?, quoted.next()?);
    let owner = owner.rsplit("::").next()?.split('<').next()?;
    let path = diagnostic.primary()?.place.project()?;
    let state = files.read(path).ok().flatten()?;
    let outline = Outline::of(&state.text);
    let owner = outline.elements.iter().find(|it| {
        let name = outline.item_name(it);
        it.kind == ElementKind::Item
            && outline.text(name) == owner
            && name.checked_sub(1).is_some_and(|at| matches!(outline.text(at), "struct" | "union"))
    })?;
    let element = outline.elements.iter().find(|it| {
        it.kind == ElementKind::Field
            && (owner.start..owner.end).contains(&it.start)
            && outline.text(it.head) == field
            && outline.text(it.head + 1) == ":"
    })?;
    Some((path.clone(), visibility(&outline, element)?, field.to_owned()))
}

fn extent(outline: &Outline<'_>, element: &Element) -> ByteSpan {
    let start = outline.tokens.get(element.start).map_or(0, |it| it.span.start);
    let end = outline.tokens.get(element.end.saturating_sub(1)).map_or(start, |it| it.span.end);
    ByteSpan::new(start, end)
}

/// The place of the element's visibility: that of a narrow one that is to be replaced, or the
/// empty place before its first word; `None` where it is open to the crate already.
fn visibility(outline: &Outline<'_>, element: &Element) -> Option<ByteSpan> {
    let head = outline.tokens.get(element.head)?.span.start;
    let written = (element.start..element.head).find(|it| outline.text(*it) == "pub");
    match written {
        None => Some(ByteSpan::new(head, head)),
        Some(at) if outline.text(at + 1) == "(" && outline.text(at + 2) != "crate" => {
            Some(ByteSpan::new(outline.tokens.get(at)?.span.start, head))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use base::{DiagnosticFile, LineCol, Severity};
    use edit::{FileState, Unreadable};

    use super::*;

    struct One(String);

    impl Files for One {
        fn read(&self, _: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
            Ok(Some(FileState { text: self.0.as_str().into(), executable: false }))
        }
    }

    /// `text` has the declaration that is pointed at between `[` and `]`.
    fn check(code: &str, message: &str, text: &str, expected: &str) {
        let start = text.find('«').unwrap();
        let end = text.find('»').unwrap() - '«'.len_utf8();
        let text = text.replace(['«', '»'], "");
        let at = LineCol { line: 1, col: 1 };
        let span = |primary, label: &str| DiagnosticSpan {
            place: DiagnosticFile::Project(ProjectPath::new("a.rs").unwrap()),
            bytes: ByteSpan::new(start, end),
            start: at,
            end: at,
            primary,
            label: Some(label.to_owned()),
            expansion: None,
        };
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            code: Some(code.to_owned()),
            message: message.to_owned(),
            spans: vec![span(true, "private"), span(false, "private method defined here")],
            children: Vec::new(),
            rendered: None,
            package: None,
            target: None,
        };
        let fixes = Privacy.propose(&[diagnostic], &One(text.clone()));
        let found: BTreeMap<usize, String> = fixes
            .iter()
            .flat_map(|fix| &fix.splices)
            .map(|(_, it)| {
                let mut text = text.clone();
                text.replace_range(it.span.start..it.span.end, &it.insert);
                (it.span.start, text)
            })
            .collect();
        assert_eq!(found.into_values().collect::<Vec<_>>().join("\n"), expected);
    }

    #[test]
    fn a_private_method_is_opened_to_the_crate() {
        check(
            "E0624",
            "method `f` is private",
            "impl S { #[inline] «const fn f()» {} }",
            "impl S { #[inline] pub(crate) const fn f() {} }",
        );
    }

    #[test]
    fn a_narrow_visibility_is_replaced() {
        check(
            "E0603",
            "function `f` is private",
            "mod m { «pub(self) fn f()» {} }",
            "mod m { pub(crate) fn f() {} }",
        );
    }

    #[test]
    fn what_is_open_already_is_left_alone() {
        check("E0603", "function `f` is private", "mod m { «pub fn f()» {} }", "");
    }

    #[test]
    fn a_private_field_is_found_by_the_names_in_the_message() {
        check(
            "E0616",
            "field `b` of struct `m::S` is private",
            "mod m { pub struct S<T> { a: u8, b: T } } fn f(s: m::S<u8>) { s.«b»; T { b: 1 }; }",
            "mod m { pub struct S<T> { a: u8, pub(crate) b: T } } fn f(s: m::S<u8>) { s.b; T { b: 1 }; }",
        );
    }
}
