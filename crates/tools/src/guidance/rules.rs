//! [`rules`]: what a project asks of those who change a path, within a budget of tokens.

use std::cell::OnceCell;
use std::path::Path;

use base::{Ctx, ProjectPath, SortedSet};
use memory::{
    PathRules, ReferenceTarget, RuleReference, RuleText, RuleTier, Rules, RulesError, RulesOptions,
};
use project::Workspace;
use project::closed_to_agents;
use repo::Snapshot;
use search::{CountTokens as _, UpperBound};
use serde::Serialize;

use super::repository_root;
use crate::Error;

/// Input of `rules show`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesRequest {
    /// File or folder, absolute or relative to the project's root; it need not exist.
    pub path: String,
    /// What is to be done there: linked files that fit it are shown, too.
    pub intent: Option<String>,
    /// Maximum number of tokens of the text.
    pub budget: usize,
    /// Maximum number of linked files that are shown.
    pub references: usize,
}

/// Result of `rules show`, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RulesAnswer {
    /// The path, relative to the root of the repository; empty for the root itself.
    pub path: String,
    /// All of it as one text for a model: rules from the root to the nearest, then linked files.
    pub text: String,
    /// Tokens of the text; at most the budget.
    pub tokens: usize,
    /// Budget of the request.
    pub budget: usize,
    /// Files of rules, the nearest, which has precedence, last.
    pub rules: Vec<RuleCard>,
    /// Linked files: those that fit the intent, best first, then the others.
    pub references: Vec<ReferenceCard>,
    /// Links that lead to no usable file.
    pub broken: Vec<BrokenLink>,
    /// Files that were refused.
    pub refused: Vec<RefusedRule>,
}

/// A file of rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleCard {
    /// File.
    pub file: ProjectPath,
    /// `root` or `nested`.
    pub tier: &'static str,
    /// Hash of the file.
    pub hash: String,
    /// Size of what is shown in bytes.
    pub bytes: usize,
    /// Number of bytes that were cut to fit the budget.
    pub left_out_bytes: usize,
}

/// A file that the rules link to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReferenceCard {
    /// File.
    pub file: ProjectPath,
    /// Text of the first link to it.
    pub title: String,
    /// File with that link.
    pub source: ProjectPath,
    /// Line of that link, from 1.
    pub line: u32,
    /// How well it fits the intent; `None`: it does not, or there is no intent.
    pub score: Option<f32>,
    /// Whether it is part of the text.
    pub shown: bool,
    /// Reason why it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A link that leads to no usable file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenLink {
    /// Destination as it is written.
    pub link: String,
    /// File with the link.
    pub source: ProjectPath,
    /// Line of the link, from 1.
    pub line: u32,
    /// Reason.
    pub reason: String,
}

/// A file of rules that is not used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedRule {
    /// File.
    pub file: ProjectPath,
    /// Reason.
    pub reason: String,
}

/// Result of `rules list`, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RulesList {
    /// The rules of the root; `None` if it has none.
    pub root: Option<RuleCard>,
    /// Linked files.
    pub references: Vec<ReferenceCard>,
    /// Links that lead to no usable file.
    pub broken: Vec<BrokenLink>,
    /// Files that were refused.
    pub refused: Vec<RefusedRule>,
}

/// The rules that hold for a path.
///
/// # Errors
/// A path outside the repository, a project that cannot be opened, or cancellation. A project without
/// rules is no error.
pub fn rules(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &RulesRequest,
) -> Result<RulesAnswer, Error> {
    let (root, rules) = open(ctx, workspace)?;
    let absolute = workspace.project().root().join(&request.path);
    let path = match absolute == root || request.path == "." && root == workspace.project().root() {
        true => None,
        false => Some(ProjectPath::within(&root, &absolute)?),
    };
    let found = match &path {
        Some(path) => rules.rules_for_path(path),
        None => PathRules {
            rules: rules.root_rules().into_iter().collect(),
            refused: rules.refused().to_vec(),
        },
    };
    let mut shown = fitted(&found, request.budget);
    let cards = found.rules.iter().map(|rule| card(rule, &shown)).collect();
    let references = with_references(&rules, request, &mut shown);
    let text = shown.text();
    Ok(RulesAnswer {
        path: path.map_or_else(String::new, |path| path.to_string()),
        tokens: UpperBound.count(&text),
        text,
        budget: request.budget,
        rules: cards,
        references,
        broken: broken(&rules),
        refused: refused(&shown.refused),
    })
}

/// The rules of the root, what they link to, and what is wrong with either.
///
/// # Errors
/// As [`rules`].
pub fn rules_list(ctx: &Ctx, workspace: &Workspace) -> Result<RulesList, Error> {
    let (_, rules) = open(ctx, workspace)?;
    Ok(RulesList {
        root: rules.root_rules().map(|rule| {
            let shown = PathRules { rules: vec![rule.clone()], refused: Vec::new() };
            card(&rule, &shown)
        }),
        references: others(&rules, &SortedSet::new(), ""),
        broken: broken(&rules),
        refused: refused(rules.refused()),
    })
}

fn open(ctx: &Ctx, workspace: &Workspace) -> Result<(std::path::PathBuf, Rules), Error> {
    let root = repository_root(workspace.project().root());
    let options = RulesOptions { budget: usize::MAX, ..RulesOptions::default() };
    let rules = rules_for_agents(ctx, workspace, &root, options)?;
    Ok((root, rules))
}

/// The rules of a folder. Their text is for agents, so a linked file that agents may not read is a broken
/// link.
pub(crate) fn rules_for_agents(
    ctx: &Ctx,
    workspace: &Workspace,
    root: &Path,
    options: RulesOptions,
) -> Result<Rules, RulesError> {
    let sources = OnceCell::new();
    let closed = |path: &ProjectPath| closed(ctx, workspace, (root, &sources), path);
    Rules::open_without(ctx, root, options, &|path| closed(path).map(str::to_owned))
}

/// Why an agent may not read a file of the repository, whose sources are listed at most once.
fn closed(
    ctx: &Ctx,
    workspace: &Workspace,
    (root, sources): (&Path, &OnceCell<Option<Snapshot>>),
    path: &ProjectPath,
) -> Option<&'static str> {
    if let Ok(inner) = ProjectPath::within(workspace.project().root(), &path.join_to(root)) {
        return closed_to_agents(ctx, workspace, &inner);
    }
    if policy::is_hidden(path) {
        return Some("it is hidden, or in a hidden folder, and only the user opens such files");
    }
    let kind = untrusted_fs::Dir::open(root).and_then(|root| root.kind(path.as_str()));
    let is_there = matches!(kind, Ok(Some(_)));
    let sources = sources.get_or_init(|| Snapshot::of_folder(ctx, root).ok());
    let is_source = sources.as_ref().is_some_and(|it| it.files.contains_key(path));
    (is_there && !is_source).then_some("git ignores it, and only the user opens such files")
}

/// The rules cut so that their text has at most this many tokens. Where the marks of all files are too
/// many, the nearest ones remain.
fn fitted(rules: &PathRules, budget: usize) -> PathRules {
    let fits = |rules: &PathRules| UpperBound.count(&rules.text()) <= budget;
    if fits(rules) {
        return rules.clone();
    }
    for first in 0..rules.rules.len() {
        let nearest =
            PathRules { rules: rules.rules[first..].to_vec(), refused: rules.refused.clone() };
        let (mut least, mut most) = (0, nearest.rules.iter().map(|it| it.content.len()).sum());
        while least < most {
            let middle = usize::midpoint(least, most + 1);
            if fits(&nearest.clone().within(middle)) { least = middle } else { most = middle - 1 }
        }
        let cut = nearest.within(least);
        if least > 0 && fits(&cut) {
            return cut;
        }
    }
    PathRules { rules: Vec::new(), refused: rules.refused.clone() }
}

/// Adds the linked files that fit the intent and the rest of the budget to what is shown.
fn with_references(
    rules: &Rules,
    request: &RulesRequest,
    shown: &mut PathRules,
) -> Vec<ReferenceCard> {
    let Some(intent) = &request.intent else {
        return others(rules, &SortedSet::new(), "no intent was given");
    };
    let mut cards = Vec::new();
    for (at, hit) in rules.search_references(intent, usize::MAX).into_iter().enumerate() {
        let reason = match rules.reference_content(&hit.path) {
            _ if at >= request.references => {
                Some(format!("{} fit the intent better", base::counted(at, "file")))
            }
            Err(error) => Some(error.to_string()),
            Ok(text) => {
                shown.rules.push(text);
                let tokens = UpperBound.count(&shown.text());
                (tokens > request.budget).then(|| {
                    shown.rules.pop();
                    format!("with it the text has {tokens} tokens")
                })
            }
        };
        cards.push(ReferenceCard {
            file: hit.path,
            title: hit.display_text,
            source: hit.source,
            line: hit.line_number,
            score: Some(hit.score.score),
            shown: reason.is_none(),
            reason,
        });
    }
    let ranked = cards.iter().map(|card| card.file.clone()).collect();
    cards.extend(others(rules, &ranked, "it does not fit the intent"));
    cards
}

/// The linked files that are not among these, each with its first link.
fn others(rules: &Rules, known: &SortedSet<ProjectPath>, reason: &str) -> Vec<ReferenceCard> {
    let mut seen = known.clone();
    let loaded = rules.references().iter().filter_map(|reference| match &reference.target {
        ReferenceTarget::Loaded(path) => Some((path, reference)),
        ReferenceTarget::Broken { .. } => None,
    });
    let first = loaded.filter(|(path, _)| seen.insert((*path).clone()));
    let card = |(path, reference): (&ProjectPath, &RuleReference)| ReferenceCard {
        file: path.clone(),
        title: reference.display_text.clone(),
        source: reference.source.clone(),
        line: reference.line_number,
        score: None,
        shown: false,
        reason: (!reason.is_empty()).then(|| reason.to_owned()),
    };
    first.map(card).collect()
}

fn card(rule: &RuleText, shown: &PathRules) -> RuleCard {
    let part = shown.rules.iter().find(|it| it.path == rule.path);
    let bytes = part.map_or(0, |part| part.content.len());
    RuleCard {
        file: rule.path.clone(),
        tier: match rule.tier {
            RuleTier::Root => "root",
            RuleTier::Reference => "reference",
            RuleTier::Nested => "nested",
        },
        hash: rule.hash.to_string(),
        bytes,
        left_out_bytes: rule.content.len() - bytes,
    }
}

fn broken(rules: &Rules) -> Vec<BrokenLink> {
    let broken = |reference: &RuleReference| match &reference.target {
        ReferenceTarget::Broken { reason, .. } => Some(BrokenLink {
            link: reference.relative_path.clone(),
            source: reference.source.clone(),
            line: reference.line_number,
            reason: reason.clone(),
        }),
        ReferenceTarget::Loaded(_) => None,
    };
    rules.references().iter().filter_map(broken).collect()
}

fn refused(refused: &[memory::Refused]) -> Vec<RefusedRule> {
    let row =
        |it: &memory::Refused| RefusedRule { file: it.path.clone(), reason: it.reason.clone() };
    refused.iter().map(row).collect()
}
