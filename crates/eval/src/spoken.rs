use base::Diagnostic;

use crate::preserve::{Spoken, Texts};

impl Spoken {
    /// What the compiler named in its errors over `files`: codes, identifiers, lines.
    pub fn of<'d>(errors: impl IntoIterator<Item = &'d Diagnostic>, files: &Texts) -> Self {
        let mut spoken = Self::default();
        for error in errors {
            spoken.codes.extend(error.code.clone());
            names(&error.message, &mut spoken);
            let children = error.children.iter();
            children.clone().for_each(|child| names(&child.message, &mut spoken));
            for span in error.spans.iter().chain(children.flat_map(|child| &child.spans)) {
                if let Some(label) = &span.label {
                    names(label, &mut spoken);
                }
                let Some(path) = span.place.project() else { continue };
                let text = files.get(path.as_str()).and_then(|text| span.bytes.slice(text));
                // A span over many lines marks a place and speaks of no name.
                if let Some(text) = text.filter(|text| !text.contains('\n')) {
                    names(text, &mut spoken);
                }
                for line in span.start.line..=span.end.line.min(span.start.line + 50) {
                    spoken.lines.insert((path.as_str().to_owned(), line));
                }
            }
        }
        spoken
    }
}

fn names(text: &str, spoken: &mut Spoken) {
    let words = text.split(|c: char| c != '_' && !c.is_alphanumeric());
    spoken.names.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
}
