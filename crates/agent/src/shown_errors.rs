//! The errors of the tree as a reader wants them: a merge conflict is one error, not the compiler's
//! guesses at it.

use base::{LineIndex, ProjectPath, SortedMap};
use edit::Files;
use tools::ReportedDiagnostic;

/// The errors; of a file with merge conflicts only these.
pub(crate) fn shown(errors: &[ReportedDiagnostic], files: &dyn Files) -> Vec<ReportedDiagnostic> {
    let mut conflicts: SortedMap<&str, Vec<u32>> = SortedMap::new();
    for file in errors.iter().filter_map(|it| it.file.as_deref()) {
        if !conflicts.contains_key(file) {
            conflicts.insert(file, conflict_lines(file, files));
        }
    }
    let mut found = Vec::new();
    for error in errors {
        let lines = error.file.as_deref().and_then(|it| conflicts.get_mut(it));
        match lines.filter(|it| !it.is_empty()) {
            None => found.push(error.clone()),
            // The first error of the file is in the place of all of them.
            Some(lines) if lines[0] != 0 => {
                found.push(of_conflicts(error, lines));
                lines[0] = 0;
            }
            Some(_) => {}
        }
    }
    found
}

/// The lines on which the conflicts of a file begin.
fn conflict_lines(file: &str, files: &dyn Files) -> Vec<u32> {
    let state = ProjectPath::new(file).ok().and_then(|it| files.read(&it).ok().flatten());
    let Some(state) = state else { return Vec::new() };
    let index = LineIndex::new(&state.text);
    let found = preserve::conflicts::conflicts(&state.text);
    found.iter().map(|it| index.line_of(it.span.start)).collect()
}

/// One error for the conflicts on these lines.
fn of_conflicts(error: &ReportedDiagnostic, lines: &[u32]) -> ReportedDiagnostic {
    let message = match lines {
        [_] => "merge conflict".to_owned(),
        lines => {
            let listed: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{} merge conflicts, on lines {}", lines.len(), listed.join(", "))
        }
    };
    ReportedDiagnostic {
        line: lines.first().copied(),
        changed_line: None,
        code: None,
        message,
        item: None,
        hint: None,
        macro_call: None,
        rendered: None,
        ..error.clone()
    }
}

#[cfg(test)]
mod tests {
    use base::Severity;
    use edit::{FileState, Unreadable};

    use super::*;

    struct One(&'static str);

    impl Files for One {
        fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
            Ok((path.as_str() == "src/a.rs").then(|| FileState::from_text(self.0)))
        }
    }

    fn error(file: &str, message: &str) -> ReportedDiagnostic {
        ReportedDiagnostic {
            file: Some(file.to_owned()),
            line: Some(1),
            changed_line: None,
            code: None,
            severity: Severity::Error,
            message: message.to_owned(),
            item: None,
            hint: None,
            macro_call: None,
            rendered: None,
        }
    }

    #[test]
    fn a_file_with_conflicts_has_one_error() {
        let text = "\n<<<<<<< HEAD\na();\n=======\nb();\n>>>>>>> topic\n\
            <<<<<<< HEAD\nc();\n=======\nd();\n>>>>>>> topic\n";
        let errors = [
            error("src/b.rs", "one"),
            error("src/a.rs", "unclosed delimiter"),
            error("src/a.rs", "another"),
        ];
        let found = shown(&errors, &One(text));
        let found: Vec<_> = found.iter().map(|it| (it.line, it.message.as_str())).collect();
        let expected = [(Some(1), "one"), (Some(2), "2 merge conflicts, on lines 2, 7")];
        assert_eq!(found, expected);
        assert_eq!(shown(&errors, &One("fn f() {}")), errors);
    }
}
