//! A rename that starts from a request: every token of the old name, what it may mean, and the edits.
//!
//! In order of time: (1) `verdict.rs` (`first`) decides about each token by the map and the syntax; (2) `doubt.rs` demotes
//! tokens that no proof will see and that another item may mean; (3) the caller proves the edits, and `learn.rs`
//! corrects the verdicts from the errors, for a few rounds; (4) the uses that the compiler lists confirm them;
//! (5) `unproven.rs` lists what no proof covered. `Item` and `Likely` are renamed.
//!
//! [`Renaming::new`] lists the tokens of the old name in all files as [`RenameSite`]s with a
//! [`SiteVerdict`] each, from the code map and the syntax. The caller proves the edits and returns
//! what the compiler reports: [`Renaming::learn`] corrects the verdicts from errors,
//! [`Renaming::confirm`] from the uses that the compiler lists for the item. Documentation counts
//! where a link or an example names the item (`docs`). Start at [`Renaming`].

mod argument_count;
mod argument_ids;
pub(crate) mod docs;
mod doubt;
mod edits;
mod kind;
mod learn;
mod links;
mod macro_name;
mod named_after;
mod names;
mod owner;
mod passed;
mod quoted;
mod run_time;
mod shape;
mod strings;
mod texts;
mod unproven;
mod verdict;
mod written_field;
mod written_impl;

use std::sync::Arc;

use base::{ByteSpan, ProjectPath, SortedMap, SortedSet};
use preserve::outline::{TokenKind, tokens};
use syntax::places::{Places, places};

pub use docs::examples_name;
pub use edits::comment_mentions;
pub use kind::RenameKind;
pub use learn::{FailedExample, ListedUses};
pub use named_after::is_named_after;
pub use names::{BadName, check_name};
pub use passed::{MadeOfName, PassedName};
pub use run_time::RunTimeName;
pub use shape::SiteShape;
pub use unproven::UnprovenName;

/// What is renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameTarget {
    /// Kind of the item.
    pub kind: RenameKind,
    /// Its old name, without `r#`.
    pub from: String,
    /// Its new name, as written in code; the old one where only the uses are of interest.
    pub to: String,
    /// Names of the types, traits and enums that it is a member of; of an item of a module the names
    /// of the module, such as `crate`.
    pub owners: SortedSet<String>,
    /// The tokens that define it: of a trait's member also those of its impls.
    pub definitions: SortedSet<SiteKey>,
    /// The only text that can name it, of a generic parameter or of an item in a function.
    pub within: Option<(ProjectPath, ByteSpan)>,
}

/// A token by its file and its first byte.
pub type SiteKey = (ProjectPath, usize);

/// What the code map reports for tokens of the old name.
#[derive(Clone, Debug, Default)]
pub struct KnownSites {
    /// Proven to name the item.
    pub item: SortedSet<SiteKey>,
    /// May name it.
    pub open: SortedSet<SiteKey>,
    /// Proven to name something else.
    pub other: SortedSet<SiteKey>,
    /// Whether types of the standard library have a method of the name.
    pub is_common: bool,
}

/// Whether a token names the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SiteVerdict {
    /// Yes: by the map or the compiler.
    Item,
    /// Assumed until the compiler disagrees.
    Likely,
    /// Not assumed until the compiler asks for it.
    Unlikely,
    /// No.
    Other,
}

/// The part of a text in which a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SiteRegion {
    /// Code.
    Code,
    /// The definition of a macro.
    MacroBody,
    /// An example in the documentation.
    Example,
    /// A link in the documentation.
    Link,
    /// A capture in the format string of a known macro.
    Capture,
    /// The same in the input of another macro.
    MaybeCapture,
    /// A capture in the message of an attribute, which names a field of its item.
    Message,
    /// A path in the string of an attribute.
    PathString,
    /// A string of an attribute that may be a path.
    MaybePath,
    /// The identifier of an argument of a command line in the string of an attribute: the name of a field.
    ArgumentId,
}

impl SiteRegion {
    /// Whether it is in the documentation, which is behind no `cfg` of its own.
    pub fn is_documentation(self) -> bool {
        matches!(self, Self::Example | Self::Link)
    }

    /// Whether it is within a string literal.
    pub(crate) fn is_string(self) -> bool {
        use SiteRegion as R;
        matches!(
            self,
            R::Capture
                | R::MaybeCapture
                | R::Message
                | R::PathString
                | R::MaybePath
                | R::ArgumentId
        )
    }
}

/// A token of the old name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameSite {
    /// Its file.
    pub path: ProjectPath,
    /// The token.
    pub span: ByteSpan,
    /// Its syntax.
    pub shape: SiteShape,
    /// Where it is.
    pub region: SiteRegion,
    /// Whether it names the item.
    pub verdict: SiteVerdict,
    /// The example of the documentation that it is in: the first and the last line of its code, from 1.
    pub example: Option<(u32, u32)>,
}

impl RenameSite {
    pub(crate) fn key(&self) -> SiteKey {
        (self.path.clone(), self.span.start)
    }

    /// Whether the plan changes it.
    pub fn is_in(&self) -> bool {
        self.verdict <= SiteVerdict::Likely
    }
}

/// A page that documentation includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocPage {
    /// Its file.
    pub path: ProjectPath,
    /// Its text.
    pub text: Arc<str>,
    /// The Rust file that includes it, and the line there, from 1.
    pub by: (ProjectPath, u32),
}

/// One file of the project.
pub(crate) struct Source {
    pub(crate) path: ProjectPath,
    pub(crate) text: Arc<str>,
    pub(crate) places: Places,
    /// Whether it is a page that documentation includes, of which the examples are code.
    pub(crate) is_page: bool,
}

impl Source {
    pub(crate) fn slice(&self, span: std::ops::Range<usize>) -> &str {
        self.text.get(span).unwrap_or("")
    }
}

/// The plan of a rename: all tokens of the old name with verdicts.
pub struct Renaming {
    target: RenameTarget,
    sites: Vec<RenameSite>,
    sources: Vec<Source>,
    pages: Vec<DocPage>,
    /// Number of other items that tokens of the old name may mean.
    rivals: usize,
    is_fresh: bool,
    /// Tokens that the compiler does not see, with the reason.
    unseen: SortedMap<SiteKey, String>,
    /// Those of them that may as well name something else, so that they stay.
    doubted: SortedSet<SiteKey>,
    /// Tokens in the input of macros that quote code, with the names of the macros.
    quoted: SortedMap<SiteKey, &'static str>,
    /// Links that lead to something else.
    elsewhere: SortedSet<SiteKey>,
}

impl Renaming {
    /// Finds the tokens of the old name in `files` (all Rust files of the project, by path).
    pub fn new(
        target: RenameTarget,
        known: &KnownSites,
        files: &[(ProjectPath, Arc<str>)],
    ) -> Self {
        Self::with_pages(target, known, files, Vec::new())
    }

    /// The same, and those in the examples of `pages`, which documentation includes.
    pub fn with_pages(
        target: RenameTarget,
        known: &KnownSites,
        files: &[(ProjectPath, Arc<str>)],
        pages: Vec<DocPage>,
    ) -> Self {
        let new_word = target.to.trim_start_matches("r#").to_owned();
        let is_fresh = !files.iter().any(|(_, text)| {
            text.contains(&new_word)
                && tokens(text).iter().any(|it| {
                    it.kind == TokenKind::Word && it.text.trim_start_matches("r#") == new_word
                })
        });
        let code = files.iter().map(|(path, text)| (path, text, false));
        let all = code.chain(pages.iter().map(|it| (&it.path, &it.text, true)));
        let sources: Vec<Source> = all
            .filter(|(_, text, _)| text.contains(&target.from))
            .map(|(path, text, is_page)| Source {
                path: path.clone(),
                text: Arc::clone(text),
                places: if is_page { Places::default() } else { places(text) },
                is_page,
            })
            .collect();
        let sites = sites(&target, &sources);
        let quoted = quoted::quoted_sites(&sources, &sites);
        let mut plan = Self {
            target,
            sites,
            sources,
            pages,
            rivals: 0,
            is_fresh,
            unseen: SortedMap::new(),
            doubted: SortedSet::new(),
            quoted,
            elsewhere: SortedSet::new(),
        };
        plan.rivals = verdict::rivals(&plan, known);
        let leads_elsewhere =
            |it: &&RenameSite| links::leads_to_item(&plan, known, it) == Some(false);
        plan.elsewhere = plan.sites.iter().filter(leads_elsewhere).map(RenameSite::key).collect();
        let verdicts: Vec<SiteVerdict> =
            plan.sites.iter().map(|it| verdict::first(&plan, known, it)).collect();
        for (site, verdict) in plan.sites.iter_mut().zip(verdicts) {
            site.verdict = verdict;
        }
        plan
    }

    /// What is renamed.
    pub fn target(&self) -> &RenameTarget {
        &self.target
    }

    /// The tokens of the old name, by path and position.
    pub fn sites(&self) -> &[RenameSite] {
        &self.sites
    }

    /// The tokens of a file; sites are sorted by file.
    fn sites_of(&self, path: &ProjectPath) -> &[RenameSite] {
        let start = self.sites.partition_point(|it| it.path < *path);
        let rest = &self.sites[start..];
        &rest[..rest.partition_point(|it| it.path == *path)]
    }

    /// Whether no code of the project has the new name yet, so that a wrong site cannot compile.
    pub fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// Whether a verdict depends on an assumption that the compiler may not contradict.
    pub fn is_open(&self) -> bool {
        let is_code = |it: &&RenameSite| it.region == SiteRegion::Code;
        self.sites.iter().filter(is_code).any(|it| match it.verdict {
            SiteVerdict::Item | SiteVerdict::Other => false,
            SiteVerdict::Likely => self.rivals > 0,
            SiteVerdict::Unlikely => it.shape.is_use_of(self.target.kind),
        })
    }

    /// Whether a call is assumed to be one of the item's method: its receiver may have a method of that
    /// name from another crate.
    pub fn assumes_calls(&self) -> bool {
        let is_assumed = |it: &RenameSite| {
            it.region == SiteRegion::Code
                && it.verdict == SiteVerdict::Likely
                && matches!(it.shape, SiteShape::MethodCall { .. })
        };
        self.sites.iter().any(is_assumed)
    }

    /// Whether examples in the documentation may name the item, so that only their tests prove the plan.
    pub fn has_examples(&self) -> bool {
        let is_example = |it: &RenameSite| it.region == SiteRegion::Example;
        self.sites.iter().any(|it| is_example(it) && it.verdict != SiteVerdict::Other)
    }

    /// Whether the plan changes the item itself, not only places that name it.
    pub fn renames_item(&self) -> bool {
        let is_own = |it: &RenameSite| it.is_in() && self.target.definitions.contains(&it.key());
        self.sites.iter().any(is_own)
    }

    /// The files that have the old name.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }

    pub(crate) fn source(&self, path: &ProjectPath) -> Option<&Source> {
        self.sources.iter().find(|it| it.path == *path)
    }
}

/// The tokens of the old name, by path and position.
fn sites(target: &RenameTarget, sources: &[Source]) -> Vec<RenameSite> {
    let code = || sources.iter().filter(|it| !it.is_page);
    let mut sites: Vec<RenameSite> = code().flat_map(|it| shape::sites(it, &target.from)).collect();
    sites.extend(sources.iter().flat_map(|it| docs::sites(it, &target.from)));
    sites.extend(code().flat_map(|it| strings::sites(it, &target.from)));
    if let Some((path, span)) = &target.within {
        sites.retain(|it| it.path == *path && span.contains(it.span));
    }
    sites.sort_by_key(RenameSite::key);
    sites.dedup_by_key(|it| it.key());
    for own in sites.iter_mut().filter(|it| target.definitions.contains(&it.key())) {
        own.shape = SiteShape::Definition;
    }
    sites
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_doubt;
#[cfg(test)]
mod tests_links;
#[cfg(test)]
mod tests_macros;
#[cfg(test)]
mod tests_quoted;
#[cfg(test)]
mod tests_strings;
