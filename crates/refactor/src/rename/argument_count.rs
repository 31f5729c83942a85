//! Corrects the verdicts of a changed list of parameters from the errors about the number of arguments: a
//! changed call that does not fit is one of another item, an unchanged call of the item joins.

use base::{Diagnostic, ProjectPath};
use edit::{Overlay, Side};

use super::{Renaming, SiteVerdict};

/// Code of the error about the number of arguments of a call.
const ARGUMENT_COUNT: &str = "E0061";

impl Renaming {
    /// Corrects the verdicts by the errors of `overlay`, the changed list and its calls on top of the tree.
    /// Returns how many changed.
    ///
    /// The error shows the called definition: an assumed call of another one leaves, a call of the
    /// item that has stayed joins.
    pub fn learn_argument_counts(&mut self, errors: &[Diagnostic], overlay: &Overlay) -> usize {
        let mut verdicts = Vec::new();
        let of_count = |it: &&Diagnostic| it.code.as_deref() == Some(ARGUMENT_COUNT);
        for error in errors.iter().filter(of_count) {
            let is_own = self.calls_item(error, overlay);
            let primary = error.spans.iter().filter(|it| it.primary);
            for at in primary.flat_map(|it| self.marked(it, overlay)) {
                match self.sites[at].verdict {
                    SiteVerdict::Likely if !is_own => verdicts.push((at, SiteVerdict::Other)),
                    SiteVerdict::Unlikely if is_own => verdicts.push((at, SiteVerdict::Item)),
                    _ => {}
                }
            }
        }
        for (at, verdict) in &verdicts {
            self.sites[*at].verdict = *verdict;
        }
        verdicts.len()
    }

    /// Whether the definition that an error shows is one of the item.
    fn calls_item(&self, error: &Diagnostic, overlay: &Overlay) -> bool {
        let spans = error.children.iter().flat_map(|it| &it.spans);
        let places = spans.filter_map(|it| Some((it.place.project()?, it.bytes)));
        let mut definitions = places.map(|(path, span)| {
            let own = self.target.definitions.iter().filter(|it| it.0 == *path);
            own.map(|it| now(overlay, path, it.1)).any(|it| span.start <= it && it < span.end)
        });
        definitions.any(|is_own| is_own)
    }
}

/// A place of the tree in the overlay.
fn now(overlay: &Overlay, path: &ProjectPath, at: usize) -> usize {
    overlay.span_map(path).map_or(at, |map| map.byte_to_overlay(at, Side::After))
}

#[cfg(test)]
mod tests {
    use base::{ByteSpan, DiagnosticFile, DiagnosticSpan, Severity, SubDiagnostic};

    use super::super::{FailedExample, RenameKind, SiteShape, tests::plan};
    use super::*;

    const TEXT: &str = "struct S { map: Map }\nimpl S { fn old(&self, k: u8) { self.map.old(k) } }\n\
                        fn f(s: &S) { s.old(1) }\n";

    fn path() -> ProjectPath {
        ProjectPath::new("src/lib.rs").unwrap()
    }

    /// The verdict of the call in [`TEXT`] that begins at `call`, after the error that it has another number of
    /// arguments than the definition that begins at `note`, or than a foreign one.
    fn learned(call: &str, verdict: SiteVerdict, note: Option<&str>) -> SiteVerdict {
        let mut plan = plan(RenameKind::Method, "S", "fn old", &[("src/lib.rs", TEXT)]);
        let at = TEXT.find(call).unwrap() + call.find("old").unwrap();
        let site = plan.sites.iter().position(|it| it.span.start == at).unwrap();
        plan.sites[site].verdict = verdict;
        let span = |at: usize| DiagnosticSpan::primary(&path(), TEXT, ByteSpan::new(at, at + 3));
        let own = note.map(|it| span(TEXT.find(it).unwrap() + it.find("old").unwrap()));
        let foreign =
            || DiagnosticSpan { place: DiagnosticFile::Foreign("map.rs".to_owned()), ..span(0) };
        let note = SubDiagnostic {
            spans: vec![own.unwrap_or_else(foreign)],
            ..SubDiagnostic::new(Severity::Note, "method defined here")
        };
        let message = "this method takes 1 argument but 2 arguments were supplied";
        let error = Diagnostic {
            code: Some(ARGUMENT_COUNT.to_owned()),
            spans: vec![span(at)],
            children: vec![note],
            ..Diagnostic::new(Severity::Error, message)
        };
        let count = plan.learn_argument_counts(&[error], &Overlay::empty());
        assert_eq!(count, usize::from(plan.sites[site].verdict != verdict));
        plan.sites[site].verdict
    }

    #[test]
    fn a_call_of_another_method_leaves_and_one_of_the_item_joins() {
        use SiteVerdict as V;
        assert_eq!(learned(".old(k)", V::Likely, None), V::Other);
        assert_eq!(learned(".old(k)", V::Item, None), V::Item);
        assert_eq!(learned(".old(1)", V::Unlikely, Some("fn old")), V::Item);
        // The plan is wrong elsewhere.
        assert_eq!(learned(".old(1)", V::Likely, Some("fn old")), V::Likely);
        assert_eq!(learned(".old(1)", V::Unlikely, None), V::Unlikely);
    }

    #[test]
    fn the_output_of_an_example_shows_the_line_of_a_call() {
        let text = "/// ```\n/// let old = k::old();\n/// assert_eq!(s.old(), old);\n/// ```\nstruct S;\n\
                    impl S { fn old(&self) {} }\nimpl T { fn old(&self) {} }\npub fn old() {}\n";
        let mut plan = plan(RenameKind::Method, "S", "fn old(&self)", &[("src/lib.rs", text)]);
        let output = "error[E0061]: this method takes 1 argument but 0 arguments were supplied\n \
                      --> src/lib.rs:3:14\n  |\n3 | assert_eq!(s.old(), old);\n";
        let failed = FailedExample { path: path(), line: 1, output: output.to_owned() };
        assert_eq!(plan.learn_examples(&[failed]), 1);
        let in_example = plan.sites.iter().filter(|it| it.example.is_some());
        let joined: Vec<_> = in_example.filter(|it| it.is_in()).map(|it| &it.shape).collect();
        assert_eq!(joined, [&SiteShape::MethodCall { on_self: false }]);
    }
}
