//! Applies suggestions to one text in one pass, as `cargo fix` does. Checks nothing: for user code,
//! `repair::Search` is used instead.

use base::{Applicability, ByteSpan, Diagnostic, Replacement};

/// One pass over one text as `cargo fix` makes it, with the machine-applicable suggestions of
/// `diagnostics`, whose spans all refer to `text`. The suggestions of one diagnostic go in together
/// or not at all; one that overlaps or repeats an earlier one is left for the next pass. Spans
/// outside of the text are ignored.
pub(crate) fn apply_machine_applicable(text: &str, diagnostics: &[Diagnostic]) -> String {
    apply(text, diagnostics, |replacement| {
        replacement.applicability == Applicability::MachineApplicable
    })
}

/// The same pass with suggestions of every applicability, as in the tests of `rustfix`.
pub(crate) fn apply_every_suggestion(text: &str, diagnostics: &[Diagnostic]) -> String {
    apply(text, diagnostics, |_| true)
}

fn apply(text: &str, diagnostics: &[Diagnostic], wanted: impl Fn(&Replacement) -> bool) -> String {
    let mut taken: Vec<(ByteSpan, &str)> = Vec::new();
    for diagnostic in diagnostics {
        let before = taken.len();
        let fits = diagnostic
            .children
            .iter()
            .flat_map(|child| &child.replacements)
            .filter(|replacement| wanted(replacement))
            .all(|replacement| {
                let span = replacement.bytes;
                let free = span.slice(text).is_some()
                    && !taken.iter().any(|(other, _)| collides(*other, span));
                taken.push((span, &replacement.text));
                free
            });
        if !fits {
            taken.truncate(before);
        }
    }
    taken.sort_by_key(|(span, _)| *span);
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (span, insert) in taken {
        result.push_str(&text[at..span.start]);
        result.push_str(insert);
        at = span.end;
    }
    result.push_str(&text[at..]);
    result
}

/// Whether two replacements exclude each other: they overlap, or are at the same position.
fn collides(a: ByteSpan, b: ByteSpan) -> bool {
    a == b || (a.start < b.end && b.start < a.end)
}

#[cfg(test)]
mod tests {
    use base::{DiagnosticFile, ProjectPath, Severity, SubDiagnostic};

    use super::*;

    fn diagnostic(parts: &[(usize, usize, &str, Applicability)]) -> Diagnostic {
        let replacement =
            |(start, end, text, applicability): &(usize, usize, &str, _)| Replacement {
                place: DiagnosticFile::Project(ProjectPath::new("a.rs").unwrap()),
                bytes: ByteSpan::new(*start, *end),
                text: (*text).to_owned(),
                applicability: *applicability,
                from_expansion: false,
            };
        let help = |part| SubDiagnostic {
            replacements: vec![replacement(part)],
            ..SubDiagnostic::new(Severity::Help, "")
        };
        Diagnostic {
            children: parts.iter().map(help).collect(),
            ..Diagnostic::new(Severity::Warning, "")
        }
    }

    const SURE: Applicability = Applicability::MachineApplicable;
    const UNSURE: Applicability = Applicability::MaybeIncorrect;

    #[test]
    fn only_machine_applicable_suggestions_are_taken() {
        let both = [diagnostic(&[(0, 1, "x", SURE)]), diagnostic(&[(2, 3, "y", UNSURE)])];
        assert_eq!(apply_machine_applicable("a b", &both), "x b");
        assert_eq!(apply_every_suggestion("a b", &both), "x y");
    }

    #[test]
    fn the_first_of_two_that_overlap_wins() {
        let both = [diagnostic(&[(0, 2, "x", SURE)]), diagnostic(&[(1, 3, "y", SURE)])];
        assert_eq!(apply_machine_applicable("abc", &both), "xc");
    }

    #[test]
    fn a_diagnostic_is_applied_whole_or_not_at_all() {
        let both =
            [diagnostic(&[(0, 1, "x", SURE)]), diagnostic(&[(2, 3, "y", SURE), (0, 1, "z", SURE)])];
        assert_eq!(apply_machine_applicable("abc", &both), "xbc");
    }

    #[test]
    fn an_identical_suggestion_is_made_once() {
        let twice = [diagnostic(&[(1, 1, "-", SURE)]), diagnostic(&[(1, 1, "-", SURE)])];
        assert_eq!(apply_machine_applicable("ab", &twice), "a-b");
    }

    #[test]
    fn an_insertion_goes_before_a_replacement_at_its_position() {
        let both = [diagnostic(&[(1, 2, "x", SURE)]), diagnostic(&[(1, 1, "-", SURE)])];
        assert_eq!(apply_machine_applicable("abc", &both), "a-xc");
    }

    #[test]
    fn spans_outside_the_text_or_inside_a_character_are_ignored() {
        let bad = [diagnostic(&[(1, 2, "x", SURE)]), diagnostic(&[(0, 9, "y", SURE)])];
        assert_eq!(apply_machine_applicable("ç", &bad), "ç");
    }
}
