//! Tokens in the input of macros that quote code: another crate compiles it where a derive or a build script has
//! written it. No build of the crate with the macro proves what is renamed there, or left.

use base::{ByteSpan, SortedMap};
pub(super) use preserve::outline::quoting;
use preserve::outline::{STRINGIFY, tokens};
use syntax::places::{Definition, DefinitionKind};

use super::shape::QUOTED_PATH;
use super::written_impl::{is_outside_impl, writes_impl};
use super::{RenameKind, RenameSite, Renaming, SiteKey, SiteShape, Source, UnprovenName};

/// The sites in such inputs, with the names of the macros.
pub(super) fn quoted_sites(
    sources: &[Source],
    sites: &[RenameSite],
) -> SortedMap<SiteKey, &'static str> {
    let mut found = SortedMap::new();
    for source in sources.iter().filter(|it| !it.is_page) {
        let quoted = quoting(&source.text);
        for site in sites.iter().filter(|it| !quoted.is_empty() && it.path == source.path) {
            let around = quoted.iter().filter(|it| it.0.contains(site.span));
            if let Some(inner) = around.min_by_key(|it| it.0.len()) {
                found.insert(site.key(), inner.1);
            }
        }
    }
    found
}

/// Whether a definition is in one of these inputs and can be a part of an impl.
pub(super) fn is_quoted_part(it: &Definition, quoted: &[(ByteSpan, &str)]) -> bool {
    use DefinitionKind as K;
    matches!(it.kind, K::Function | K::TypeAlias | K::Const)
        && quoted.iter().any(|of| of.0.contains(it.name_span))
}

impl Renaming {
    /// The macro that quotes a token; `None` if the token is no quoted one.
    pub(super) fn quoted_by(&self, site: &RenameSite) -> Option<&'static str> {
        self.quoted.get(&site.key()).copied()
    }

    /// Whether the syntax of a quoted token names a function or method where nothing else has its name: a call of
    /// a method, or a path from a variable.
    pub(super) fn is_quoted_call(&self, site: &RenameSite) -> bool {
        let is_call = match &site.shape {
            SiteShape::MethodCall { .. } => true,
            SiteShape::Qualified { before, .. } => before == QUOTED_PATH,
            _ => false,
        };
        is_call && self.quoted_by(site).is_some()
    }

    /// Whether a quoted token defines a member in a part of an impl whose head is in another `quote!` of the
    /// file, one of the item's trait.
    pub(super) fn is_quoted_member(&self, site: &RenameSite) -> bool {
        let is_part = matches!(&site.shape, SiteShape::Generated { of } if of.is_empty());
        let is_member = matches!(self.target.kind, RenameKind::Method | RenameKind::Member);
        if !is_part || !is_member || self.quoted_by(site).is_none() {
            return false;
        }
        let text = self.source(&site.path).map_or("", |it| &it.text);
        let tokens = tokens(text);
        let at = tokens.partition_point(|it| it.span.start < site.span.start);
        is_outside_impl(&tokens, at) && writes_impl(&tokens, &self.target.owners)
    }

    /// The tokens of the old name in quoted code that stay as they are and may name the item. The build of the
    /// macro cannot contradict them: what uses the macro breaks.
    pub fn left_in_quotes(&self) -> Vec<UnprovenName> {
        let rows = self.unproven_sites(false).into_iter();
        let is_left = |it: &RenameSite| self.quoted_by(it).is_some_and(|of| of != STRINGIFY);
        rows.filter(|(site, row)| !row.edited && is_left(site)).map(|it| it.1).collect()
    }

    /// The tokens in quoted code that are the item or may be.
    pub(crate) fn in_quotes(&self) -> Vec<&RenameSite> {
        let rows = self.unproven_sites(false).into_iter().map(|it| it.0);
        rows.filter(|it| self.quoted_by(it).is_some_and(|of| of != STRINGIFY)).collect()
    }
}
