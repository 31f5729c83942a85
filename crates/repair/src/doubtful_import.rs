//! Imports for the type of a parameter or field that the user has just written: where several types have
//! its name, nothing else in the code shows yet which one is meant.

use base::{LineIndex, SortedSet, has_word};
use change::What;
use edit::Files;
use preserve::{Rule, Violation};

use crate::fix::text_of;
use crate::{Fix, InProgress};

/// Name of the reasoner that reads the project's own imports.
const OWN: &str = "imports";

/// Why the import of a type that is new in a signature is a draft: other types have the name too, and
/// the project does not import one of them elsewhere.
pub(crate) fn doubtful_import(
    fix: &Fix,
    all: &[Fix],
    in_progress: &InProgress,
    files: &dyn Files,
) -> Option<Violation> {
    let path = imported(fix)?;
    let name = preserve::last_name(&path).to_owned();
    if !in_progress.intents().iter().any(|it| writes_type(&it.what, &name)) {
        return None;
    }
    let same = |it: &&Fix| it.seed == fix.seed;
    let paths = |own: bool| -> SortedSet<String> {
        let all = all.iter().filter(same).filter(|it| (it.reasoner == OWN) == own);
        let all = all.filter_map(imported);
        all.filter(|it| preserve::last_name(it) == name).map(|it| canonical(&it)).collect()
    };
    let own = paths(true);
    let known = if own.is_empty() { paths(false) } else { own };
    if known.len() == 1 && known.contains(&canonical(&path)) {
        return None;
    }
    let (file, splice) = fix.splices.first()?;
    let text = text_of(files, file)?;
    Some(Violation {
        rule: Rule::SuggestionOutside,
        path: file.clone(),
        line: LineIndex::new(&text).line_of(splice.span.start.min(text.len())),
        detail: format!("several types are named `{name}`, and no code shows which one is meant"),
        is_cfg_test: false,
    })
}

/// The path of the only import that a fix adds.
fn imported(fix: &Fix) -> Option<String> {
    let [(_, splice)] = fix.splices.as_slice() else { return None };
    let mut uses = splice.insert.lines().filter_map(|it| it.trim().strip_prefix("use "));
    let path = uses.next()?.trim_end().strip_suffix(';')?;
    (uses.next().is_none() && !path.contains(['{', '*', ' '])).then(|| path.to_owned())
}

/// A path without the crate of the standard library, which has several names for the same item.
fn canonical(path: &str) -> String {
    let roots = ["std::", "core::", "alloc::"];
    roots
        .iter()
        .find_map(|it| path.strip_prefix(it))
        .map_or_else(|| path.to_owned(), |it| format!("std::{it}"))
}

/// Whether a change of a definition wrote a type with this name.
fn writes_type(what: &What, name: &str) -> bool {
    match what {
        What::Added { ty, .. } | What::ParameterAdded { ty, .. } => has_word(ty, name),
        What::Retyped { from, to, .. } => has_word(to, name) && !has_word(from, name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use base::{Applicability, ByteSpan, ProjectPath, Timestamp};
    use change::Difference;
    use edit::{FileState, Overlay, Splice};

    use super::*;
    use crate::fake::OneFile;

    fn fix(import: &str, reasoner: &'static str) -> Fix {
        let splice = Splice { span: ByteSpan::new(0, 0), insert: format!("use {import};\n") };
        Fix {
            splices: vec![(ProjectPath::new("src/lib.rs").unwrap(), splice)],
            rationale: String::new(),
            applicability: Applicability::MaybeIncorrect,
            reasoner,
            seed: 0,
            guesses: Vec::new(),
        }
    }

    /// Which of these imports, each with its reasoner, are doubtful.
    fn doubtful(all: &[(&str, &'static str)]) -> Vec<bool> {
        let (base, now) = ("struct S {\n}\n", "struct S {\n    at: Duration,\n}\n");
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let state = |text: &str| Some(FileState::from_text(text));
        let back = vec![(path, state(now), state(base))];
        let back = Overlay::from_states("t", Timestamp(0), back);
        let in_progress = InProgress::of(Difference::since(&back));
        let fixes: Vec<Fix> = all.iter().map(|it| fix(it.0, it.1)).collect();
        let files = OneFile(now.to_owned());
        fixes.iter().map(|it| doubtful_import(it, &fixes, &in_progress, &files).is_some()).collect()
    }

    #[test]
    fn one_of_several_types_of_a_name_is_a_draft() {
        let (std, core, other) = ("std::time::Duration", "core::time::Duration", "dep::Duration");
        assert_eq!(doubtful(&[(std, "compiler"), (core, "compiler")]), [false, false]);
        assert_eq!(doubtful(&[(std, "compiler"), (other, "compiler")]), [true, true]);
        assert_eq!(
            doubtful(&[(other, OWN), (std, "compiler"), (other, "compiler")]),
            [false, true, false]
        );
    }
}
