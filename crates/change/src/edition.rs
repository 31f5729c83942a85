//! The compiler's lints for the next edition: where they are turned on, the edits that they suggest with
//! certainty, and what they only warn about.

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath, Replacement, SortedSet};
use edit::Splice;

/// The editions with lints that prepare for them, in their order.
const EDITIONS: &[&str] = &["2018", "2021", "2024"];

/// The editions after `from` up to `to`, in their order.
pub fn editions_between(from: &str, to: &str) -> Vec<&'static str> {
    EDITIONS.iter().copied().filter(|it| *it > from && *it <= to).collect()
}

/// Whether the compiler's lints prepare for an edition.
pub fn is_known_edition(edition: &str) -> bool {
    EDITIONS.contains(&edition)
}

/// The oldest Rust that has an edition, if a manifest declares to support an older one.
pub fn needs_newer_rust(manifest: &str, edition: &str) -> Option<(String, &'static str)> {
    let declared = crate::manifest::rust_version(manifest)?;
    let oldest = match edition {
        "2018" => "1.31",
        "2021" => "1.56",
        _ => "1.85",
    };
    let parts = |it: &str| -> Vec<u32> { it.split('.').map_while(|it| it.parse().ok()).collect() };
    (parts(&declared) < parts(oldest)).then_some((declared, oldest))
}

/// A root file of a crate with the lints of an edition turned on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintedRoot {
    /// The text.
    pub text: String,
    /// What was inserted: its position and length.
    pub inserted: ByteSpan,
}

impl LintedRoot {
    /// Turns the lints on, as warnings. Warnings of the crate that are errors are warnings too, so
    /// that what depends on the crate is checked.
    pub fn new(text: &str, edition: &str) -> Self {
        let has_shebang = text.starts_with("#!") && !text.starts_with("#![");
        let at = match text.find('\n') {
            Some(end) if has_shebang => end + 1,
            _ if text.starts_with('\u{feff}') => '\u{feff}'.len_utf8(),
            _ => 0,
        };
        let attribute = format!("#![warn(rust_{edition}_compatibility)] ");
        // The same length, so that no position moves.
        let mut linted = text
            .replace("deny(warnings)", "warn(warnings)")
            .replace("forbid(warnings)", "warn  (warnings)");
        linted.insert_str(at, &attribute);
        Self { text: linted, inserted: ByteSpan::new(at, at + attribute.len()) }
    }

    /// A position of the text without the lints.
    pub fn before(&self, at: usize) -> usize {
        match at >= self.inserted.end {
            true => at - self.inserted.len(),
            false => at.min(self.inserted.start),
        }
    }
}

/// What the lints of an edition report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditionFindings {
    /// The edits that the compiler is certain of, in the linted texts; none overlaps another.
    pub splices: Vec<(ProjectPath, Splice)>,
    /// What has no such edit, or one in code that a macro makes.
    pub warnings: SortedSet<EditionWarning>,
}

/// A place whose meaning may change with the edition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EditionWarning {
    /// Its file and line in the linted text; `None` outside of the project.
    pub place: Option<(ProjectPath, u32)>,
    /// Name of the lint.
    pub lint: String,
    /// Message of the compiler.
    pub message: String,
}

impl EditionFindings {
    /// The findings among the diagnostics of a tree with the lints of `edition`.
    pub fn of(diagnostics: &[Diagnostic], edition: &str) -> Self {
        let marks = [
            format!("Rust {edition}"),
            format!("/rust-{edition}/"),
            format!("rust_{edition}_compatibility"),
        ];
        let is_marked = |it: &Diagnostic| {
            let children = it.children.iter().map(|it| &it.message);
            children.chain([&it.message]).any(|text| marks.iter().any(|it| text.contains(it)))
        };
        let lints: SortedSet<&str> = diagnostics
            .iter()
            .filter(|it| is_marked(it))
            .filter_map(|it| it.code.as_deref())
            .collect();
        let mut found = Self::default();
        let of_lint =
            diagnostics.iter().filter(|it| it.code.as_deref().is_some_and(|it| lints.contains(it)));
        for diagnostic in of_lint {
            let edits =
                diagnostic.children.iter().filter_map(|it| certain(&it.replacements)).next();
            match edits {
                Some(edits) => found.take(edits),
                None => drop(found.warnings.insert(warning(diagnostic))),
            }
        }
        found.splices.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
        found
    }

    /// Adds the edits of one suggestion, unless one of them meets an edit of another one: the next
    /// pass has it again.
    fn take(&mut self, edits: Vec<(ProjectPath, Splice)>) {
        if edits.iter().all(|it| self.splices.contains(it)) {
            return;
        }
        let meets = |(path, it): &(ProjectPath, Splice)| {
            self.splices.iter().any(|(other, own)| {
                let is_near = own.span.start <= it.span.end && it.span.start <= own.span.end;
                other == path && is_near
            })
        };
        if !edits.iter().any(meets) {
            self.splices.extend(edits);
        }
    }
}

/// The edits of a suggestion, if the compiler is certain of all and they are in the project.
fn certain(replacements: &[Replacement]) -> Option<Vec<(ProjectPath, Splice)>> {
    let splice = |it: &Replacement| {
        let path = it.place.project()?.clone();
        let is_certain = it.applicability == Applicability::MachineApplicable && !it.from_expansion;
        is_certain.then(|| (path, Splice { span: it.bytes, insert: it.text.clone() }))
    };
    let all: Option<Vec<_>> = replacements.iter().map(splice).collect();
    all.filter(|it| !it.is_empty())
}

fn warning(of: &Diagnostic) -> EditionWarning {
    let place = of.primary().and_then(|it| Some((it.place.project()?.clone(), it.start.line)));
    EditionWarning { place, lint: of.code.clone().unwrap_or_default(), message: of.message.clone() }
}

/// Applies edits that do not overlap; the text stays as it is if one is outside of it.
pub fn spliced(text: &str, splices: &[Splice]) -> String {
    match edit::TextEdit::new(text, splices).ok().and_then(|it| it.apply(text)) {
        Some(changed) => changed,
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_edition_on_the_way_has_its_lints() {
        assert_eq!(editions_between("2018", "2024"), ["2021", "2024"]);
        assert_eq!(editions_between("2021", "2021"), Vec::<&str>::new());
        assert!(is_known_edition("2024") && !is_known_edition("2023"));
    }

    #[test]
    fn an_edition_needs_the_rust_that_has_it() {
        let package = |version: &str| format!("[package]\nrust-version = \"{version}\"\n");
        let needs = |version: &str| needs_newer_rust(&package(version), "2024").map(|it| it.1);
        assert_eq!(needs("1.63.0"), Some("1.85"));
        assert_eq!(needs("1.9"), Some("1.85"));
        assert_eq!(needs("1.85.0"), None);
        let shared = "[workspace.package]\nrust-version = \"1.50\"\n";
        assert_eq!(needs_newer_rust(shared, "2021"), Some(("1.50".to_owned(), "1.56")));
        assert_eq!(needs_newer_rust("[package]\n", "2024"), None);
    }

    #[test]
    fn lints_are_turned_on_before_the_first_item() {
        let root = LintedRoot::new("//! Doc.\n#![deny(warnings)]\n", "2024");
        assert_eq!(root.text, "#![warn(rust_2024_compatibility)] //! Doc.\n#![warn(warnings)]\n");
        assert_eq!(root.before(root.inserted.end + 3), 3);
        let strict = LintedRoot::new("#![forbid(warnings)]\n", "2021");
        assert_eq!(strict.text, "#![warn(rust_2021_compatibility)] #![warn  (warnings)]\n");
        let script = LintedRoot::new("#!/bin/x\nfn main() {}\n", "2021");
        assert_eq!(script.text, "#!/bin/x\n#![warn(rust_2021_compatibility)] fn main() {}\n");
        assert_eq!(script.before(2), 2);
    }
}
