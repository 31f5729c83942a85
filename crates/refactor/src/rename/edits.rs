//! Turns the verdicts of a rename into edits, and counts them. [`Renaming::mark`] makes the edit by
//! which the compiler lists the uses of the item.

use base::{ByteSpan, LineIndex, ProjectPath};
use edit::Splice;
use preserve::outline::tokens;

use super::{RenameKind, RenameSite, Renaming, SiteRegion, SiteShape};

/// The lint that lists the uses of an item is turned on by this attribute.
pub(super) const MARK: &str = "graftage lists the uses";

impl Renaming {
    /// The edits that give every site that is in the plan the new name, by path and position.
    pub fn splices(&self) -> Vec<(ProjectPath, Splice)> {
        let sites = self.sites.iter().filter(|it| it.is_in());
        sites.map(|it| (it.path.clone(), self.splice(it))).collect()
    }

    /// How many sites are in the plan, and in how many files.
    pub fn extent(&self) -> (usize, usize) {
        let sites = || self.sites.iter().filter(|it| it.is_in());
        let files: base::SortedSet<&ProjectPath> = sites().map(|it| &it.path).collect();
        (sites().count(), files.len())
    }

    /// Comments that have the old name and stay as they are, by file and line; empty if the name may
    /// mean another item too.
    pub fn mentions(&self) -> Vec<(ProjectPath, u32)> {
        if self.rivals > 0 || self.target.within.is_some() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for source in self.sources.iter().filter(|it| !it.is_page) {
            let lines = LineIndex::new(&source.text);
            let mentions = comment_mentions(&source.text, &self.target.from).into_iter();
            for at in mentions.filter(|it| self.can_be_in_text(&source.text, *it)) {
                let mut own = self.sites.iter().filter(|it| it.path == source.path);
                if !own.any(|it| it.span.start == at && it.is_in()) {
                    found.push((source.path.clone(), lines.line_of(at)));
                }
            }
        }
        found.dedup();
        found
    }

    /// The text in the place of a token: the new name, with the old one where a shorthand named a field and
    /// a variable.
    pub fn written(&self, site: &RenameSite) -> String {
        let (from, to) = (&self.target.from, &self.target.to);
        match (&site.shape, self.target.kind == RenameKind::Field) {
            (SiteShape::FieldInit { is_shorthand: true, .. }, true) => format!("{to}: {from}"),
            (SiteShape::FieldInit { is_shorthand: true, .. }, false) => format!("{from}: {to}"),
            _ => to.clone(),
        }
    }

    fn splice(&self, site: &RenameSite) -> Splice {
        let (from, to) = (&self.target.from, &self.target.to);
        if site.region == SiteRegion::ArgumentId {
            let insert = to.trim_start_matches("r#").to_owned();
            return Splice { span: site.span, insert };
        }
        let SiteShape::FieldInit { value, is_shorthand, .. } = &site.shape else {
            return Splice { span: site.span, insert: to.clone() };
        };
        match (self.target.kind == RenameKind::Field, is_shorthand) {
            (true, true) => {
                Splice { span: ByteSpan::new(value.start, value.start), insert: format!("{to}: ") }
            }
            (true, false) if self.is_name(site, *value, to) => {
                // `old: new` becomes the shorthand `new`.
                Splice { span: ByteSpan::new(site.span.start, value.start), insert: String::new() }
            }
            (true, false) => Splice { span: site.span, insert: to.clone() },
            (false, _) => Splice { span: site.span, insert: format!("{from}: {to}") },
        }
    }

    /// Whether a value is the name alone, or a pattern that binds it.
    fn is_name(&self, site: &RenameSite, value: ByteSpan, name: &str) -> bool {
        let text = self.source(&site.path).and_then(|it| value.slice(&it.text)).unwrap_or("");
        let text = text.strip_prefix("ref ").unwrap_or(text);
        text.strip_prefix("mut ").unwrap_or(text) == name
    }

    /// An edit of the present text that makes the compiler list the uses of the item; `None` if it
    /// cannot for this kind, or if the item is deprecated already.
    pub fn mark(&self) -> Option<(ProjectPath, Splice)> {
        if matches!(self.target.kind, RenameKind::Module | RenameKind::Generic) {
            return None;
        }
        // Of a trait's member only the declaration in the trait can be deprecated.
        let own = |of_trait: bool| {
            self.sources
                .iter()
                .flat_map(|it| it.places.definitions.iter().map(move |d| (it, d)))
                .find(|(source, it)| {
                    it.of_trait.is_some() == of_trait
                        && self
                            .target
                            .definitions
                            .contains(&(source.path.clone(), it.name_span.start))
                })
        };
        let (source, definition) = own(false)?;
        let before = ByteSpan::new(definition.span.start, definition.name_span.start);
        if before.slice(&source.text)?.contains("deprecated") {
            return None;
        }
        let at = ByteSpan::new(definition.span.start, definition.span.start);
        let insert = format!("#[deprecated(note = \"{MARK}\")] ");
        Some((source.path.clone(), Splice { span: at, insert }))
    }
}

/// The positions of a name in the comments of a text.
pub fn comment_mentions(text: &str, name: &str) -> Vec<usize> {
    let mut found: Vec<usize> = base::word_places(text, name).collect();
    if !found.is_empty() {
        let code = tokens(text);
        found.retain(|at| {
            let next = code.partition_point(|it| it.span.end <= *at);
            code.get(next).is_none_or(|it| it.span.start > *at)
        });
    }
    found
}
