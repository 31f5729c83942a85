//! Tokens that no proof covers and that the syntax alone takes for the item: where another item may be meant
//! as well, a rename leaves and lists them.

use base::{ProjectPath, SortedSet};
use syntax::places::DefinitionKind;

use super::owner::owner_at;
use super::shape::QUOTED_PATH;
use super::verdict::STANDARD;
use super::{RenameKind, RenameSite, Renaming, SiteKey, SiteRegion, SiteShape, SiteVerdict};

impl Renaming {
    /// The tokens that the compiler does not see, or that a macro quotes, which are assumed to name the item
    /// and may name another one.
    pub(super) fn doubtful(&self) -> SortedSet<SiteKey> {
        let mut found = SortedSet::new();
        for source in &self.sources {
            let sites = self.sites_of(&source.path).iter();
            for site in sites.filter(|it| it.verdict == SiteVerdict::Likely) {
                let is_quoted = || self.quoted_by(site).is_some();
                let is_open = match site.region {
                    SiteRegion::Code | SiteRegion::MacroBody => {
                        (self.is_unseen(&site.key()) || is_quoted()) && self.is_doubtful(site)
                    }
                    SiteRegion::Example => self.is_of_other_crate(site),
                    _ => false,
                };
                if is_open {
                    found.insert(site.key());
                }
            }
        }
        found
    }

    fn is_doubtful(&self, site: &RenameSite) -> bool {
        let is_member = matches!(
            self.target.kind,
            RenameKind::Method | RenameKind::Field | RenameKind::Member | RenameKind::Variant
        );
        match (is_member, &site.shape) {
            (true, shape) if !matches!(shape, SiteShape::Bare { .. }) => {
                let owner = match shape {
                    SiteShape::Qualified { before, .. } => Some(before.as_str()),
                    SiteShape::Generated { of } => Some(of.as_str()),
                    _ => None,
                };
                let owner = match owner {
                    Some("Self" | "self") | None => owner_at(self, site),
                    owner => owner,
                };
                self.rivals > 0 && owner.is_none_or(|it| self.definitions_of(it) != 1)
            }
            (_, SiteShape::Qualified { before, .. }) if before == QUOTED_PATH => self.rivals > 0,
            (_, SiteShape::Qualified { before, .. }) => self.is_elsewhere(before),
            (_, SiteShape::Bare { .. }) => self.sites_of(&site.path).iter().any(|it| {
                it.verdict != SiteVerdict::Item
                    && matches!(&it.shape, SiteShape::Qualified { before, in_use: true, .. }
                        if self.is_elsewhere(before))
            }),
            _ => false,
        }
    }

    /// Whether an example of another package names by a path, or imports by one, what another crate of the
    /// project may have by this name.
    fn is_of_other_crate(&self, site: &RenameSite) -> bool {
        let is_elsewhere = |it: &RenameSite| match &it.shape {
            SiteShape::Qualified { before, .. } => self.is_elsewhere(before),
            _ => false,
        };
        let package = |path: &ProjectPath| {
            path.as_str().split_once("src/").map_or(String::new(), |it| it.0.to_owned())
        };
        let own = match self.source(&site.path).is_some_and(|it| it.is_page) {
            true => site.path.parent().map_or_else(String::new, |it| format!("{it}/")),
            false => package(&site.path),
        };
        if self.target.definitions.iter().any(|it| package(&it.0) == own) {
            return false;
        }
        let is_bare = || matches!(site.shape, SiteShape::Bare { .. });
        let of_file = self.sites_of(&site.path).iter();
        let mut beside = of_file.filter(|it| it.example == site.example);
        let is_member = matches!(
            self.target.kind,
            RenameKind::Method | RenameKind::Field | RenameKind::Member | RenameKind::Variant
        );
        let mut is_open = || is_elsewhere(site) || is_bare() && beside.any(is_elsewhere);
        self.rivals > 0 && !is_member && is_open()
    }

    /// Number of types and traits of the project with a name, where the old name is.
    fn definitions_of(&self, owner: &str) -> usize {
        let kinds = |it: DefinitionKind| {
            use DefinitionKind as K;
            matches!(it, K::Struct | K::Enum | K::Trait | K::TypeAlias)
        };
        let all = self.sources.iter().flat_map(|it| &it.places.definitions);
        all.filter(|it| it.name == owner && kinds(it.kind)).count()
    }

    /// Whether a path through this name leads to no module that the item is known to be in.
    fn is_elsewhere(&self, before: &str) -> bool {
        let is_relative = matches!(before, "" | "crate" | "$crate" | "self" | "super" | "Self");
        let is_module = || {
            let all = self.sources.iter().flat_map(|it| &it.places.definitions);
            all.into_iter().any(|it| it.kind == DefinitionKind::Module && it.name == before)
        };
        STANDARD.contains(&before)
            || !is_relative && !self.target.owners.contains(before) && !is_module()
    }
}
