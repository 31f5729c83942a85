//! Changes that only put an item into its uses.

use base::ProjectPath;
use edit::{Overlay, Splice, TextEdit};

use crate::brackets::is_balanced;
use crate::outline::{Element, Outline, TokenKind, tokens};

/// An item that is declared to go into its uses, with all edits of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlinedItem {
    /// Its name, without `r#`.
    pub name: String,
    /// The edits of the tree: each replaces a use, or removes the definition or an import.
    pub splices: Vec<(ProjectPath, Splice)>,
}

/// Whether `overlay` is exactly the declared edits, and each of them replaces one call or one path of
/// the name by an expression, removes the definition of the name, or changes an import. A statement
/// around a call stays, such as an assertion about its value.
pub fn is_inlining(overlay: &Overlay, declared: &InlinedItem) -> bool {
    overlay.changes().all(|(path, change)| {
        let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
        let own: Vec<Splice> =
            declared.splices.iter().filter(|it| it.0 == *path).map(|it| it.1.clone()).collect();
        let text = overlay.base_text(path);
        let edit = TextEdit::new(text, &own).ok().and_then(|it| it.apply(text));
        // The overlay has the line ends of the file.
        let unix = |it: &str| it.replace("\r\n", "\n");
        let is_all = edit.is_some_and(|it| unix(&it) == unix(&after.text));
        is_all
            && change.renamed_from.is_none()
            && before.executable == after.executable
            && own.iter().all(|it| declared.is_part(text, it))
    })
}

impl InlinedItem {
    fn is_part(&self, text: &str, splice: &Splice) -> bool {
        let Some(old) = splice.span.slice(text) else { return false };
        if splice.insert.trim().is_empty() || is_import(text, splice) {
            return self.is_definition(old) || is_import(text, splice) || old.trim().is_empty();
        }
        self.is_use(old) && is_balanced(&tokens(&splice.insert))
    }

    /// Whether a text is one definition of the name, with its comments, perhaps in an impl of a type that
    /// has nothing else.
    fn is_definition(&self, text: &str) -> bool {
        let outline = Outline::of(text);
        let is_in = |it: &Element, other: &Element| {
            let is_other = (other.start, other.end) != (it.start, it.end);
            is_other && other.start <= it.start && it.end <= other.end
        };
        let outer = |list: &[&Element]| -> Vec<Element> {
            let outer = list.iter().filter(|it| !list.iter().any(|other| is_in(it, other)));
            outer.map(|it| **it).collect()
        };
        let all: Vec<&Element> = outline.elements.iter().collect();
        let mut found = outer(&all);
        let mut head = found.first().map_or(0..0, |it| it.head..it.end).map(|at| outline.text(at));
        let is_impl = head.next() == Some("impl");
        if let [one] = &found[..]
            && is_impl
            && !head.take_while(|it| *it != "{").any(|it| it == "for")
        {
            let inner: Vec<&Element> = all.into_iter().filter(|it| is_in(it, one)).collect();
            found = outer(&inner);
        }
        let is_it = |it: &Element| {
            outline.text(outline.item_name(it)).trim_start_matches("r#") == self.name
        };
        matches!(&found[..], [one] if is_it(one))
    }

    /// Whether a text is a call of the name or a path to it, perhaps after the type of a variable that
    /// it gives its value: `: T = name(x)`.
    fn is_use(&self, text: &str) -> bool {
        let text = text.trim_start().strip_prefix('=').unwrap_or(text);
        let text = text.trim_end_matches(';');
        let list = tokens(text);
        let is_name = |at: usize| list[at].text.trim_start_matches("r#") == self.name;
        let mut at =
            (0..list.len()).rev().filter(|at| list[*at].kind == TokenKind::Word && is_name(*at));
        let depth = |from: usize, to: usize| {
            list[from..to].iter().fold(0_i32, |depth, it| match it.text {
                "(" | "[" | "{" => depth + 1,
                ")" | "]" | "}" => depth - 1,
                _ => depth,
            })
        };
        let has_statement = list.iter().any(|it| it.is(";")) && !list.iter().any(|it| it.is("{"));
        !has_statement
            && at.any(|at| {
                let rest = &list[at + 1..];
                let is_end = rest.is_empty() || rest[0].is("(") && rest[rest.len() - 1].is(")");
                is_end
                    && depth(0, at) == 0
                    && (rest.is_empty() || depth(at + 1, list.len() - 1) == 1)
            })
    }
}

/// Whether the edit is within one `use` declaration.
fn is_import(text: &str, splice: &Splice) -> bool {
    let before = text.get(..splice.span.start).unwrap_or("");
    let start = before.rfind([';', '}']).map_or(0, |it| it + 1);
    let inside = text.get(start..splice.span.end).unwrap_or("");
    let list = tokens(inside);
    list.iter().any(|it| it.is("use"))
        && list.iter().all(|it| {
            it.kind == TokenKind::Word
                || matches!(
                    it.text,
                    "::" | "{" | "}" | "," | "*" | "(" | ")" | ";" | "#" | "[" | "]"
                )
        })
}

#[cfg(test)]
mod tests {
    use base::Timestamp;
    use edit::FileState;

    use super::*;

    fn inlines(before: &str, edits: &[(&str, &str)]) -> bool {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let splices: Vec<(ProjectPath, Splice)> = edits
            .iter()
            .map(|(old, new)| {
                let at = before.find(old).unwrap();
                (path.clone(), Splice::new(at, at + old.len(), *new))
            })
            .collect();
        let own: Vec<Splice> = splices.iter().map(|it| it.1.clone()).collect();
        let after = TextEdit::new(before, &own).unwrap().apply(before).unwrap();
        let state = |text: &str| Some(FileState::from_text(text));
        let states = vec![(path, state(before), state(&after))];
        let overlay = Overlay::from_states("", Timestamp(0), states);
        is_inlining(&overlay, &InlinedItem { name: "f".to_owned(), splices })
    }

    const TEXT: &str = "/// F.\nfn f(n: u8) -> u8 {\n    n + 1\n}\nuse m::{f, g};\n#[test]\nfn t() {\n    \
                        assert_eq!(s.f(g(2)), 3);\n    let x = f(1);\n}\n";

    #[test]
    fn an_impl_goes_with_its_only_member() {
        let impl_with =
            |members: &str| format!("struct S;\nimpl S {{ {members} }}\nfn g() {{ S.f() }}\n");
        let goes = |members: &str, head: &str| {
            let text = impl_with(members).replace("impl S", head);
            let whole = &text[text.find("impl").unwrap()..text.find("\nfn g").unwrap()];
            inlines(&text, &[(whole, ""), ("S.f()", "1")])
        };
        assert!(goes("fn f(&self) -> u8 { 1 }", "impl S"));
        assert!(!goes("fn f(&self) -> u8 { 1 } fn h(&self) {}", "impl S"));
        assert!(!goes("fn h(&self) -> u8 { 1 }", "impl S"));
        assert!(!goes("fn f(&self) -> u8 { 1 }", "impl T for S"));
    }

    #[test]
    fn a_call_gives_way_to_an_expression_and_nothing_else_changes() {
        let definition = "/// F.\nfn f(n: u8) -> u8 {\n    n + 1\n}\n";
        assert!(inlines(TEXT, &[(definition, ""), ("s.f(g(2))", "(g(2) + 1)")]));
        assert!(inlines(TEXT, &[("{f, g}", "g"), (" = f(1)", ": u8 = 1 + 1")]));
        assert!(!inlines(TEXT, &[("s.f(g(2)), 3", "3, 3")]));
        assert!(!inlines(TEXT, &[("assert_eq!(s.f(g(2)), 3);", "")]));
        assert!(!inlines(TEXT, &[("g(2)", "3")]));
        assert!(!inlines(TEXT, &[("fn t() {", "fn t() { return;")]));
        assert!(!inlines(TEXT, &[("s.f(g(2))", "3); (")]));
    }
}
