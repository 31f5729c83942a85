//! The places of the old name that no proof covers: code that no configuration builds, the input of
//! macros that quote code, examples that no test runs, and texts. A rename is complete only where
//! this list is empty.

use base::{LineIndex, ProjectPath, SortedMap};

use super::macro_name;
use super::shape::QUOTED_PATH;
use super::verdict::is_owned;
use super::{RenameKind, RenameSite, Renaming, SiteKey, SiteRegion, SiteShape, SiteVerdict};

/// A place of the old name that no proof covers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnprovenName {
    /// File.
    pub path: ProjectPath,
    /// Line, from 1.
    pub line: u32,
    /// Start of the token in its text.
    pub at: usize,
    /// Where the name is, in a few words.
    pub what: String,
    /// Why nothing proves it.
    pub why: String,
    /// Whether the plan changes it.
    pub edited: bool,
    /// Whether it is in a comment that is no code.
    pub in_comment: bool,
}

impl Renaming {
    /// Records the tokens that the compiler does not see, with the reason. The absence of errors and of
    /// listed uses decides nothing about them.
    pub fn leave_unseen(&mut self, unseen: SortedMap<SiteKey, String>) {
        self.unseen = unseen;
        let doubted = self.doubtful();
        for site in self.sites.iter_mut().filter(|it| doubted.contains(&it.key())) {
            site.verdict = SiteVerdict::Unlikely;
        }
        self.doubted.extend(doubted);
    }

    /// Whether the compiler does not see a token.
    pub(super) fn is_unseen(&self, key: &SiteKey) -> bool {
        self.unseen.contains_key(key)
    }

    /// The tokens that may name the item and that the compiler does not see.
    pub fn has_unseen(&self) -> bool {
        let mut sites = self.sites.iter().filter(|it| self.is_unseen(&it.key()));
        sites.any(|it| it.is_in() || self.may_name(it))
    }

    /// Why the compiler sees no definition of the item; `None` if it sees one.
    pub fn unseen_definition(&self) -> Option<&str> {
        let mut all = self.target.definitions.iter().map(|it| self.unseen.get(it));
        let first = all.next().flatten()?;
        all.all(|it| it.is_some()).then_some(first.as_str())
    }

    /// The tokens of the old name that nothing proves, in code; `examples`: whether tests have run the
    /// examples of the documentation.
    pub fn unproven(&self, examples: bool) -> Vec<UnprovenName> {
        let mut found: Vec<UnprovenName> =
            self.unproven_sites(examples).into_iter().map(|it| it.1).collect();
        let what = |it: &UnprovenName| {
            (it.path.clone(), it.line, it.what.clone(), it.why.clone(), it.edited)
        };
        found.dedup_by(|a, b| what(a) == what(b));
        found
    }

    /// The links of the documentation that name the item, or may; with the line of each.
    pub fn links(&self) -> Vec<(&RenameSite, u32)> {
        let is_link =
            |it: &&RenameSite| it.region == SiteRegion::Link && (it.is_in() || self.may_name(it));
        self.sites.iter().filter(is_link).map(|it| (it, self.line_of_site(it))).collect()
    }

    fn line_of_site(&self, site: &RenameSite) -> u32 {
        let source = self.source(&site.path);
        source.map_or(0, |of| LineIndex::new(&of.text).line_of(site.span.start))
    }

    /// The same as [`Renaming::unproven`] with the token of each.
    pub fn unproven_sites(&self, examples: bool) -> Vec<(&RenameSite, UnprovenName)> {
        let mut found = Vec::new();
        for source in &self.sources {
            let lines = LineIndex::new(&source.text);
            for site in self.sites.iter().filter(|it| it.path == source.path) {
                let Some(why) = self.why_unproven(site, examples) else { continue };
                if !site.is_in() && !self.may_name(site) {
                    continue;
                }
                let name = UnprovenName {
                    path: site.path.clone(),
                    line: lines.line_of(site.span.start),
                    at: site.span.start,
                    what: format!("`{}`{}", self.target.from, site.region.place()),
                    why,
                    edited: site.is_in(),
                    in_comment: false,
                };
                found.push((site, name));
            }
        }
        found
    }

    /// Why nothing proves the meaning of a token; `None` if the compiler or a test does.
    fn why_unproven(&self, site: &RenameSite, examples: bool) -> Option<String> {
        if matches!(site.verdict, SiteVerdict::Other) || site.region == SiteRegion::Link {
            return None;
        }
        if site.region == SiteRegion::Example {
            let not_run = || "its test did not run".to_owned();
            return if examples { self.unseen.get(&site.key()).cloned() } else { Some(not_run()) };
        }
        if let Some(why) = self.unseen.get(&site.key()) {
            return Some(why.clone());
        }
        if site.region.is_string() && self.is_equal_string(site) {
            return Some("the string has a meaning only at run time".to_owned());
        }
        if let Some(name) = self.quoted_by(site) {
            return Some(format!("the input of `{name}!` is code of another place"));
        }
        let is_unread = self.target.kind == RenameKind::Macro
            && site.region == SiteRegion::MacroBody
            && !site.is_in();
        is_unread
            .then(|| "the compiler reads the body of a macro only where it is called".to_owned())
    }

    /// Whether a token that stays as it is may name the item: by its syntax, its owner, or because
    /// nothing else has the name.
    fn may_name(&self, site: &RenameSite) -> bool {
        let kind = self.target.kind;
        if site.region.is_string() && self.is_equal_string(site) {
            return site.verdict != SiteVerdict::Other;
        }
        if self.doubted.contains(&site.key()) {
            return site.verdict != SiteVerdict::Other;
        }
        // No variable is written in capitals.
        let is_constant = kind == RenameKind::Value
            && matches!(site.shape, SiteShape::Bare { .. })
            && !self.target.from.contains(char::is_lowercase);
        if site.verdict == SiteVerdict::Other || !(site.shape.is_use_of(kind) || is_constant) {
            return false;
        }
        if kind == RenameKind::Macro {
            return macro_name::may_be_left(self, site);
        }
        let is_member = matches!(
            kind,
            RenameKind::Method | RenameKind::Field | RenameKind::Member | RenameKind::Variant
        );
        match &site.shape {
            SiteShape::Qualified { before, .. } if !is_member => {
                let is_relative =
                    matches!(before.as_str(), "crate" | "self" | "super" | QUOTED_PATH);
                is_owned(self, site) || is_relative || self.rivals == 0
            }
            SiteShape::Bare { in_use: true, .. } => true,
            // Of code that the compiler does not see, the type of a receiver is not known either: only the
            // map may prove that it is another one.
            SiteShape::FieldAccess { .. } | SiteShape::MethodCall { .. }
                if self.is_unseen(&site.key()) && !site.region.is_documentation() =>
            {
                true
            }
            SiteShape::FieldAccess { .. } | SiteShape::MethodCall { .. }
                if site.region == SiteRegion::Example && self.names_owner(&site.path) =>
            {
                true
            }
            SiteShape::Generated { .. } if self.is_quoted_member(site) => true,
            // So is what code that names the enum has imported.
            SiteShape::Bare { .. }
                if kind == RenameKind::Variant
                    && self.is_unseen(&site.key())
                    && self.names_owner(&site.path) =>
            {
                true
            }
            _ => is_owned(self, site) || self.rivals == 0,
        }
    }

    /// Whether a token is left to the list of the examples: of a macro their code shows what it names.
    pub(super) fn is_listed_as_example(&self, site: &RenameSite) -> bool {
        self.target.kind == RenameKind::Macro && site.region == SiteRegion::Example
    }

    /// Whether a file names the owner of the item.
    fn names_owner(&self, path: &ProjectPath) -> bool {
        let text = self.source(path).map_or("", |it| &it.text);
        self.target.owners.iter().any(|it| base::has_word(text, it))
    }
}

impl SiteRegion {
    /// The region, as a part of a message about a token.
    fn place(self) -> &'static str {
        match self {
            Self::Code => "",
            Self::MacroBody => " in the definition of a macro",
            Self::Example => " in an example",
            Self::Link => " in a link",
            Self::Capture | Self::MaybeCapture | Self::Message => " in a format string",
            Self::PathString | Self::MaybePath | Self::ArgumentId => " in a string of an attribute",
        }
    }
}
