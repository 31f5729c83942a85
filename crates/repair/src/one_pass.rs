use base::{Applicability, ByteSpan, Diagnostic, Replacement};

/// One pass over one text, as `cargo fix` makes it: the machine-applicable suggestions of
/// `diagnostics`, whose byte spans are coordinates of `text` (all of them are taken to speak of
/// this one file). The suggestions of one diagnostic go in together or not at all; the first to
/// come keeps its place, and a later one that overlaps it – or repeats it – is left for the next
/// pass. Spans that do not fit the text are left out.
pub fn apply_machine_applicable(text: &str, diagnostics: &[Diagnostic]) -> String {
    apply(text, diagnostics, |replacement| {
        replacement.applicability == Applicability::MachineApplicable
    })
}

/// The same pass with suggestions of every applicability: what the compiler's own `rustfix`
/// tests do. For user code, [`crate::Search`] proves such suggestions one combination at a time
/// instead.
pub fn apply_every_suggestion(text: &str, diagnostics: &[Diagnostic]) -> String {
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

/// Whether two replacements cannot both be made: they share bytes, one lies inside the other, or
/// they are at the very same place.
fn collides(a: ByteSpan, b: ByteSpan) -> bool {
    a == b || (a.start < b.end && b.start < a.end)
}

#[cfg(test)]
mod tests {
    use base::{DiagnosticFile, ProjectPath, Severity, SubDiagnostic};

    use super::*;

    fn diagnostic(parts: &[(usize, usize, &str, Applicability)]) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            code: None,
            message: String::new(),
            spans: Vec::new(),
            children: parts
                .iter()
                .map(|(start, end, text, applicability)| SubDiagnostic {
                    severity: Severity::Help,
                    message: String::new(),
                    spans: Vec::new(),
                    replacements: vec![Replacement {
                        place: DiagnosticFile::Project(ProjectPath::new("a.rs").unwrap()),
                        bytes: ByteSpan::new(*start, *end),
                        text: (*text).to_owned(),
                        applicability: *applicability,
                        from_expansion: false,
                    }],
                })
                .collect(),
            rendered: None,
            package: None,
            target: None,
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
    fn a_diagnostic_goes_in_whole_or_not_at_all() {
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
    fn an_insertion_stands_before_a_replacement_at_its_place() {
        let both = [diagnostic(&[(1, 2, "x", SURE)]), diagnostic(&[(1, 1, "-", SURE)])];
        assert_eq!(apply_machine_applicable("abc", &both), "a-xc");
    }

    #[test]
    fn spans_off_the_text_or_inside_a_character_are_left_out() {
        let bad = [diagnostic(&[(1, 2, "x", SURE)]), diagnostic(&[(0, 9, "y", SURE)])];
        assert_eq!(apply_machine_applicable("ç", &bad), "ç");
    }
}
