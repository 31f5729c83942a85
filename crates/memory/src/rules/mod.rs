//! [`Rules`]: what a project asks of those who change it, in three tiers.
//!
//! 1. The `AGENTS.md` of the root, always.
//! 2. The Markdown files that it links to, when the intent of a task matches ([`Rules::search_references`]);
//!    links in these are not followed, so that what is obeyed is what the gate protects ([`rule_links`]).
//! 3. The `AGENTS.md` of the folders on the way to the file that is worked on ([`Rules::rules_for_path`]).
//!
//! In each folder, `AGENTS.override.md` replaces `AGENTS.md`, and `CLAUDE.md` is read where there is none.
//! All of it is text of the project: untrusted, read through `untrusted_fs`, limited in size, never executed.

mod context;
mod fault;
mod load;
mod references;

pub use context::{PathRules, RuleText, RuleTier};
pub use load::Refused;
pub use references::{ReferenceHit, ReferenceTarget, RuleReference, rule_links};

use std::path::Path;
use std::sync::Arc;

use base::{ContentHash, Ctx, Hint, ProjectPath, SortedMap};
use search::{Encoder, StaticTable};
use untrusted_fs::Dir;

use fault::RuleFault;
use load::{LoadedRule, folder_rule, linked_rule};
use references::{Linked, collect, ranked};

/// What is read.
#[derive(Clone, Debug)]
pub struct RulesOptions {
    /// Maximum size of the texts that [`Rules::rules_for_path`] returns, in bytes.
    pub budget: usize,
    /// Maximum size of a file, in bytes.
    pub file_limit: u64,
    /// Maximum number of linked files.
    pub reference_limit: usize,
}

impl Default for RulesOptions {
    fn default() -> Self {
        Self { budget: 64 << 10, file_limit: 1 << 20, reference_limit: 500 }
    }
}

/// Why rules cannot be given.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// The project cannot be opened.
    #[error("cannot open the project `{root}`: {fault}")]
    Root {
        /// The root.
        root: String,
        /// The reason.
        fault: untrusted_fs::Fault,
    },
    /// No rule links to the path.
    #[error("no rule links to `{path}`")]
    NoReference {
        /// The path.
        path: String,
    },
    /// A linked file is missing or was refused.
    #[error("`{path}` cannot be used: {reason}")]
    Unusable {
        /// The path.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The user stopped the work.
    #[error(transparent)]
    Cancelled(#[from] base::Cancelled),
}

impl Hint for RulesError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Root { fault, .. } => fault.hint(),
            Self::NoReference { .. } => Some("name a file that AGENTS.md links to".to_owned()),
            Self::Unusable { .. } | Self::Cancelled(_) => None,
        }
    }
}

/// The rules of a project.
///
/// Invariant: what the answers contain was read from regular files below the root, without following a
/// symbolic link.
pub struct Rules {
    dir: Dir,
    options: RulesOptions,
    encoder: Arc<dyn Encoder>,
    root: Option<LoadedRule>,
    refused: Vec<Refused>,
    linked: Linked,
}

/// Reason why a linked file may not be read; `None`: it may.
pub type ClosedRules<'a> = dyn Fn(&ProjectPath) -> Option<String> + 'a;

/// What [`Rules::refresh`] found, as paths in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleChanges {
    /// Files that are new.
    pub added: Vec<ProjectPath>,
    /// Files with another content.
    pub changed: Vec<ProjectPath>,
    /// Files that are gone, or that nothing links to any more.
    pub removed: Vec<ProjectPath>,
}

impl Rules {
    /// Reads the rules of the root and what they link to. Vectors are those of the embedded encoder.
    ///
    /// # Errors
    /// A root that cannot be opened, or cancellation. A project without rules is no error.
    pub fn open(ctx: &Ctx, root: &Path, options: RulesOptions) -> Result<Self, RulesError> {
        Self::open_without(ctx, root, options, &|_| None)
    }

    /// As [`Rules::open`], without the linked files that are closed: these count as broken links.
    ///
    /// # Errors
    /// As [`Rules::open`].
    pub fn open_without(
        ctx: &Ctx,
        root: &Path,
        options: RulesOptions,
        closed: &ClosedRules<'_>,
    ) -> Result<Self, RulesError> {
        let failed = |fault| RulesError::Root { root: root.display().to_string(), fault };
        let dir = Dir::open(root).map_err(failed)?;
        let encoder: Arc<dyn Encoder> = Arc::new(StaticTable::embedded());
        let (linked, refused) = (Linked::default(), Vec::new());
        let mut rules = Self { dir, options, encoder, root: None, refused, linked };
        rules.refresh_without(ctx, closed)?;
        Ok(rules)
    }

    /// The rules of the root, tier 1; `None` if it has none.
    pub fn root_rules(&self) -> Option<RuleText> {
        self.root.as_ref().map(|rule| rule.text(RuleTier::Root))
    }

    /// The links of the root's rules to Markdown files.
    pub fn references(&self) -> &[RuleReference] {
        &self.linked.references
    }

    /// The linked files that fit an intent, best first, at most `limit`.
    pub fn search_references(&self, intent: &str, limit: usize) -> Vec<ReferenceHit> {
        ranked(&self.linked, &*self.encoder, intent, limit)
    }

    /// The text of a linked file, tier 2, up to the limit of a file.
    ///
    /// # Errors
    /// A path that nothing links to, or whose file is missing or was refused.
    pub fn reference_content(&self, path: &ProjectPath) -> Result<RuleText, RulesError> {
        if let Some(file) = self.linked.files.get(path) {
            return Ok(file.rule.text(RuleTier::Reference));
        }
        let path = path.to_string();
        let broken = self.linked.references.iter().find_map(|reference| match &reference.target {
            ReferenceTarget::Broken { path: Some(it), reason } if it.as_str() == path => {
                Some(reason.clone())
            }
            _ => None,
        });
        Err(match broken {
            Some(reason) => RulesError::Unusable { path, reason },
            None => RulesError::NoReference { path },
        })
    }

    /// The rules for a file or folder that is worked on, which need not exist: those of the root and of
    /// each folder on the way, nearest last. Read now, so that they are never old.
    pub fn rules_for_path(&self, path: &ProjectPath) -> PathRules {
        let mut folders = Vec::new();
        let mut folder = Some(path.clone());
        while let Some(at) = folder {
            folder = at.parent();
            folders.push(at);
        }
        let mut refused = Vec::new();
        let mut rules: Vec<RuleText> = Vec::new();
        let root = folder_rule(&self.dir, None, &self.options, &mut refused);
        rules.extend(root.map(|rule| rule.text(RuleTier::Root)));
        for folder in folders.iter().rev() {
            let rule = folder_rule(&self.dir, Some(folder), &self.options, &mut refused);
            rules.extend(rule.map(|rule| rule.text(RuleTier::Nested)));
        }
        PathRules { rules, refused }.within(self.options.budget)
    }

    /// Reads all again, and returns what differs by content.
    ///
    /// # Errors
    /// Cancellation; then everything is as before.
    pub fn refresh(&mut self, ctx: &Ctx) -> Result<RuleChanges, RulesError> {
        self.refresh_without(ctx, &|_| None)
    }

    /// As [`Rules::refresh`], without the linked files that are closed.
    ///
    /// # Errors
    /// As [`Rules::refresh`].
    pub(crate) fn refresh_without(
        &mut self,
        ctx: &Ctx,
        closed: &ClosedRules<'_>,
    ) -> Result<RuleChanges, RulesError> {
        let mut refused = Vec::new();
        let root = folder_rule(&self.dir, None, &self.options, &mut refused);
        let read = |path: &ProjectPath| match closed(path) {
            None => linked_rule(&self.dir, path, &self.options),
            Some(reason) => Err(RuleFault::Closed(reason)),
        };
        let linked = match &root {
            Some(root) => collect(ctx, root, &self.options, &*self.encoder, &self.linked, &read)?,
            None => Linked::default(),
        };
        let before = self.hashes();
        (self.root, self.refused, self.linked) = (root, refused, linked);
        let after = self.hashes();
        let differs = |path: &ProjectPath| before.get(path).is_some_and(|it| *it != after[path]);
        Ok(RuleChanges {
            added: after.keys().filter(|path| !before.contains_key(*path)).cloned().collect(),
            changed: after.keys().filter(|path| differs(path)).cloned().collect(),
            removed: before.keys().filter(|path| !after.contains_key(*path)).cloned().collect(),
        })
    }

    /// The files of the root that were refused.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    fn hashes(&self) -> SortedMap<ProjectPath, ContentHash> {
        let linked = self.linked.files.values().map(|file| &file.rule);
        let all = self.root.iter().chain(linked);
        all.map(|rule| (rule.path.clone(), rule.hash)).collect()
    }
}
