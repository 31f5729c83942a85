//! Reads the codes, names and lines that compiler errors mention, for the independent checker.

use base::Diagnostic;

use crate::preserve::{MentionedNames, TextsByPath};

impl MentionedNames {
    /// What the compiler's errors over `files` mention: codes, identifiers, lines.
    pub fn of<'d>(errors: impl IntoIterator<Item = &'d Diagnostic>, files: &TextsByPath) -> Self {
        let mut mentioned = Self::default();
        for error in errors {
            mentioned.codes.extend(error.code.clone());
            names(&error.message, &mut mentioned);
            let children = error.children.iter();
            children.clone().for_each(|child| names(&child.message, &mut mentioned));
            for span in error.spans.iter().chain(children.flat_map(|child| &child.spans)) {
                if let Some(label) = &span.label {
                    names(label, &mut mentioned);
                }
                let Some(path) = span.place.project() else { continue };
                let text = files.get(path.as_str()).and_then(|text| span.bytes.slice(text));
                // A span over several lines marks a place, not a name.
                if let Some(text) = text.filter(|text| !text.contains('\n')) {
                    names(text, &mut mentioned);
                }
                for line in span.start.line..=span.end.line.min(span.start.line + 50) {
                    mentioned.lines.insert((path.as_str().to_owned(), line));
                }
            }
        }
        mentioned
    }
}

fn names(text: &str, mentioned: &mut MentionedNames) {
    let words = text.split(|c: char| c != '_' && !c.is_alphanumeric());
    mentioned.names.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
}
