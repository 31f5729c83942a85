//! The implementations of `std::process::Termination`, which decide whether a test has passed that returns their type.
//! Start at [`Comparison::terminations`].

use base::SortedMap;

use crate::compare::Comparison;
use crate::outline::{ElementKind, Outline};
use crate::{Rule, Violation};

impl Comparison<'_> {
    /// Implementations of which the text is another one. A new one beside those that were there changes no test.
    pub(crate) fn terminations(comparisons: &[Self], found: &mut Vec<Violation>) {
        let mut before: SortedMap<Vec<&str>, usize> = SortedMap::new();
        for it in comparisons {
            for (_, text) in implementations(&it.old) {
                *before.entry(text).or_default() += 1;
            }
        }
        let mut new = Vec::new();
        for it in comparisons {
            for (at, text) in implementations(&it.new) {
                match before.get_mut(&text).filter(|left| **left > 0) {
                    Some(left) => *left -= 1,
                    None => new.push((it, at)),
                }
            }
        }
        if before.values().any(|left| *left > 0) {
            found.extend(new.into_iter().map(|(it, at)| {
                let detail = "decides whether a test that returns this type has passed".to_owned();
                it.violation_in_new(Rule::TestWeakened, at, detail)
            }));
        }
    }
}

/// The implementations of the trait: where its name is, and their texts.
fn implementations<'a>(outline: &Outline<'a>) -> Vec<(usize, Vec<&'a str>)> {
    let items = outline.elements.iter().filter(|it| it.kind == ElementKind::Item);
    let implementations = items.filter_map(|item| {
        let range = item.start..item.end.min(outline.tokens.len());
        let is_head = |at: &usize| !matches!(outline.text(*at), "{" | ";");
        let mut head = (item.head..range.end).take_while(is_head);
        let name = head.find(|at| {
            outline.text(*at).trim_start_matches("r#") == "Termination"
                && outline.text(*at + 1) == "for"
        });
        Some((name?, range.map(|at| outline.text(at)).collect()))
    });
    implementations.collect()
}

#[cfg(test)]
mod tests {
    use base::{ProjectPath, Timestamp};
    use edit::{FileState, Overlay};

    use crate::{Rule, violations};

    const REPORT: &str =
        "impl std::process::Termination for R { fn report(self) -> ExitCode { code(self) } }\n";

    fn is_found(before: &str, after: &str) -> bool {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let state = |text: &str| Some(FileState::from_text(text));
        let overlay =
            Overlay::from_states("t", Timestamp(0), vec![(path, state(before), state(after))]);
        violations(&overlay, &[])
            .iter()
            .any(|it| it.rule == Rule::TestWeakened && it.detail.starts_with("decides whether"))
    }

    #[test]
    fn what_decides_whether_a_test_has_passed_stays() {
        let rest = "fn f() {}\n";
        let both = format!("{REPORT}{rest}");
        let edited = both.replace("code(self)", "ExitCode::SUCCESS");
        assert!(is_found(&both, &edited));
        let other_name = edited.replace("std::process::Termination", "Termination");
        assert!(is_found(&both, &other_name));
        // Moved, with other code, and a new one.
        assert!(!is_found(&both, &format!("{rest}{REPORT}")));
        assert!(!is_found(&both, &both.replace("fn f", "fn g")));
        assert!(!is_found(rest, &both));
    }
}
