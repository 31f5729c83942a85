//! Links from rules to Markdown files, and the files that they reach.

use std::sync::Arc;

use base::{Ctx, ProjectPath, SortedMap};
use search::{Encoder, Passage, PassageHit, rank_passages};

use super::fault::RuleFault;
use super::load::LoadedRule;
use super::{RulesError, RulesOptions};
use crate::markdown::{LinkOptions, MarkdownLink, extract_links};

/// Extensions of files that are loaded.
const EXTENSIONS: [&str; 4] = ["md", "markdown", "mdc", "mdx"];

/// Maximum number of texts of links, and lines around them, by which a file is found.
const MOST_TITLES: usize = 16;
/// Maximum length of a line around a link, in bytes.
const LONGEST_LINE: usize = 400;

/// A link from a rule to a Markdown file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleReference {
    /// File with the link.
    pub source: ProjectPath,
    /// Number of the link among those of its file, from 0.
    pub ordinal: usize,
    /// Text of the link.
    pub display_text: String,
    /// Destination as it is written.
    pub relative_path: String,
    /// Line of the link, from 1.
    pub line_number: u32,
    /// File that it leads to.
    pub target: ReferenceTarget,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceTarget {
    /// A file that was read.
    Loaded(ProjectPath),
    /// No file that can be used.
    Broken {
        /// Path in the project; `None` outside of it.
        path: Option<ProjectPath>,
        /// Reason.
        reason: String,
    },
}

/// A linked file that fits an intent.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceHit {
    /// File.
    pub path: ProjectPath,
    /// Text of the first link to it.
    pub display_text: String,
    /// File with that link.
    pub source: ProjectPath,
    /// Line of that link, from 1.
    pub line_number: u32,
    /// Score and its parts.
    pub score: PassageHit,
}

/// The links of the root's rules and the files that they lead to, by path.
#[derive(Default)]
pub(super) struct Linked {
    pub(super) references: Vec<RuleReference>,
    pub(super) files: SortedMap<ProjectPath, LinkedFile>,
}

pub(super) struct LinkedFile {
    pub(super) rule: LoadedRule,
    /// Words by which it is found beside its content: texts and lines of the links to it, its path and its first
    /// heading.
    title: String,
    passage: Arc<Passage>,
}

/// Reads a file; `Ok(None)` if it is missing.
type Read<'a> = dyn Fn(&ProjectPath) -> Result<Option<LoadedRule>, RuleFault> + 'a;

/// Follows the links of the root's rules. A file that is linked several times is read once. Terms and vectors of
/// files that have not changed are kept.
pub(super) fn collect(
    ctx: &Ctx,
    root: &LoadedRule,
    options: &RulesOptions,
    encoder: &dyn Encoder,
    before: &Linked,
    read: &Read<'_>,
) -> Result<Linked, RulesError> {
    let (files, found) = (SortedMap::new(), SortedMap::new());
    let mut walk = Walk { options, read, files, found };
    let mut references = Vec::new();
    let lines: Vec<&str> = root.content.lines().collect();
    for (ordinal, link) in markdown_links(&root.content).into_iter().enumerate() {
        ctx.check_cancelled()?;
        let line = lines.get(link.line_number as usize - 1).copied().unwrap_or_default();
        let target = match within(&root.path, &link.relative_path) {
            Ok(path) if path == root.path => continue,
            Ok(path) => walk.follow(path, &link, line),
            Err(fault) => ReferenceTarget::Broken { path: None, reason: fault.to_string() },
        };
        references.push(reference(&root.path, ordinal, link, target));
    }
    let Walk { files, mut found, .. } = walk;
    let files = files.into_iter().filter_map(|(path, rule)| Some((path, rule.ok()?)));
    let files = files.map(|(path, rule)| {
        let found = found.remove(&path).unwrap_or_default();
        let file = linked_file(rule, &found, before.files.get(&path), encoder);
        (path, file)
    });
    let files = files.collect();
    Ok(Linked { references, files })
}

/// The state of [`collect`].
struct Walk<'a> {
    options: &'a RulesOptions,
    read: &'a Read<'a>,
    files: SortedMap<ProjectPath, Result<LoadedRule, RuleFault>>,
    /// Texts of the links to each file and the lines around them, each once.
    found: SortedMap<ProjectPath, Vec<String>>,
}

impl Walk<'_> {
    fn follow(&mut self, path: ProjectPath, link: &MarkdownLink, line: &str) -> ReferenceTarget {
        if !self.files.contains_key(&path) {
            let loaded = self.load(&path);
            self.files.insert(path.clone(), loaded);
        }
        if let Some(Err(fault)) = self.files.get(&path) {
            return ReferenceTarget::Broken { reason: fault.to_string(), path: Some(path) };
        }
        let texts = self.found.entry(path.clone()).or_default();
        if texts.len() < MOST_TITLES {
            let line = line.get(..line.floor_char_boundary(LONGEST_LINE)).unwrap_or(line);
            for text in [link.display_text.as_str(), line] {
                if !texts.iter().any(|it| it == text) {
                    texts.push(text.to_owned());
                }
            }
        }
        ReferenceTarget::Loaded(path)
    }

    fn load(&self, path: &ProjectPath) -> Result<LoadedRule, RuleFault> {
        if self.files.len() >= self.options.reference_limit {
            return Err(RuleFault::TooMany(self.options.reference_limit));
        }
        (self.read)(path)?.ok_or(RuleFault::Missing)
    }
}

fn reference(
    source: &ProjectPath,
    ordinal: usize,
    link: MarkdownLink,
    target: ReferenceTarget,
) -> RuleReference {
    let MarkdownLink { display_text, relative_path, line_number } = link;
    let source = source.clone();
    RuleReference { source, ordinal, display_text, relative_path, line_number, target }
}

fn linked_file(
    rule: LoadedRule,
    texts: &[String],
    before: Option<&LinkedFile>,
    encoder: &dyn Encoder,
) -> LinkedFile {
    let heading = rule.content.lines().find(|line| line.starts_with("# ")).unwrap_or_default();
    let title = format!("{}\n{}\n{heading}", texts.join("\n"), rule.path);
    let same = before.filter(|it| it.rule.hash == rule.hash && it.title == title);
    let passage = same.map_or_else(
        || Arc::new(Passage::new(encoder, &title, &rule.content)),
        |it| Arc::clone(&it.passage),
    );
    LinkedFile { rule, title, passage }
}

/// Ranks the files for an intent, best first.
pub(super) fn ranked(
    linked: &Linked,
    encoder: &dyn Encoder,
    intent: &str,
    limit: usize,
) -> Vec<ReferenceHit> {
    let files: Vec<&LinkedFile> = linked.files.values().collect();
    let passages: Vec<&Passage> = files.iter().map(|file| &*file.passage).collect();
    hits(linked, &rank_passages(encoder, &passages, intent, limit))
}

/// The files of a ranking, each with the first link to it.
fn hits(linked: &Linked, ranked: &[PassageHit]) -> Vec<ReferenceHit> {
    let paths: Vec<&ProjectPath> = linked.files.keys().collect();
    let hit = |score: &PassageHit| {
        let path = *paths.get(score.index)?;
        let leads =
            |it: &&RuleReference| matches!(&it.target, ReferenceTarget::Loaded(to) if to == path);
        let first = linked.references.iter().find(leads)?;
        Some(ReferenceHit {
            path: path.clone(),
            display_text: first.display_text.clone(),
            source: first.source.clone(),
            line_number: first.line_number,
            score: *score,
        })
    };
    ranked.iter().filter_map(hit).collect()
}

/// The Markdown files of the project that a text at `source` links to, as rules are followed.
pub fn rule_links(source: &ProjectPath, text: &str) -> Vec<ProjectPath> {
    let links = markdown_links(text).into_iter();
    links.filter_map(|it| within(source, &it.relative_path).ok()).collect()
}

fn markdown_links(text: &str) -> Vec<MarkdownLink> {
    let extensions = EXTENSIONS.iter().map(|it| (*it).to_owned()).collect();
    extract_links(text, &LinkOptions { extensions, ..LinkOptions::default() })
}

/// The path that a link of `source` leads to; a leading `/` is the root of the project.
fn within(source: &ProjectPath, destination: &str) -> Result<ProjectPath, RuleFault> {
    let folder = source.parent();
    let mut parts: Vec<&str> = match (&folder, destination.starts_with('/')) {
        (Some(folder), false) => folder.as_str().split('/').collect(),
        _ => Vec::new(),
    };
    for part in destination.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop().ok_or(RuleFault::Outside)?,
            part => parts.push(part),
        }
    }
    Ok(ProjectPath::new(&parts.join("/"))?)
}
