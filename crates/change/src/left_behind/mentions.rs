//! The old name of an item that was renamed or removed, in documentation, comments and strings.

use std::sync::Arc;

use base::{ByteSpan, LineIndex, ProjectPath};
use edit::Splice;
use preserve::outline::{TokenKind, tokens};
use refactor::PlacedText;
use refactor::words;
use refactor::{
    KnownSites, RenameKind, RenameTarget, Renaming, SiteRegion, SiteShape, comment_mentions,
    is_named_after,
};
use syntax::places::DefinitionKind;

use super::{LeftBehind, Tree, line_at};
use crate::project::has_word;
use crate::{DefinitionName, Intent, What};

/// Least confidence that an item was renamed, in percent.
const SURE: u8 = 75;
/// Words of lines that speak about a change.
const ABOUT_CHANGES: &[&str] =
    &["renamed", "formerly", "previously", "deprecated", "replaced", "removed"];

pub(super) fn mentions(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let (of, name, new) = match &intent.what {
        What::Renamed { of, from } if intent.confidence >= SURE => (of, from, Some(&*of.name)),
        What::Removed(of) => (of, &of.name, None),
        _ => return,
    };
    let is_code = |text: &PlacedText| {
        text.text.contains(&**name) && tokens(&text.text).iter().any(|it| it.text == name)
    };
    // Code that compiles and still has the name means something else by it.
    if tree.rust.iter().any(is_code) {
        return;
    }
    let mention = Mention { tree, intent, of, name, new };
    if let Some(new) = new {
        mention.links(new, found);
    }
    let linked: Vec<(ProjectPath, u32)> =
        found.iter().map(|it| (it.path.clone(), it.line)).collect();
    if is_distinctive(name) {
        let mut rest = Vec::new();
        mention.comments(&mut rest);
        mention.strings(&mut rest);
        mention.derived(&mut rest);
        mention.markdown(&mut rest);
        rest.retain(|it: &LeftBehind| !linked.contains(&(it.path.clone(), it.line)));
        found.extend(rest);
    }
}

/// Whether a name cannot be a word of a sentence.
fn is_distinctive(name: &str) -> bool {
    name.len() > 4 && words(name).len() > 1
}

struct Mention<'t> {
    tree: &'t Tree<'t>,
    intent: &'t Intent,
    of: &'t DefinitionName,
    name: &'t str,
    new: Option<&'t str>,
}

impl Mention<'_> {
    /// Links that name the item, with their edits.
    fn links(&self, new: &str, found: &mut Vec<LeftBehind>) {
        if self.of.kind == DefinitionKind::Module {
            return;
        }
        let kind = RenameKind::of_kind(self.of.kind, !self.of.owner.is_empty());
        let owner = Some(self.of.owner.clone()).filter(|it| !it.is_empty());
        let target = RenameTarget {
            kind,
            from: self.name.to_owned(),
            to: new.to_owned(),
            owners: owner.into_iter().collect(),
            definitions: Default::default(),
            within: None,
        };
        let plan = Renaming::new(target, &KnownSites::default(), &self.tree.sources);
        for site in plan.sites().iter().filter(|it| it.region == SiteRegion::Link) {
            let Some(text) = self.tree.rust.iter().find(|it| it.path == site.path) else {
                continue;
            };
            if !self.is_left(&text.path, &text.text, site.span.start) {
                continue;
            }
            let is_other = matches!(&site.shape, SiteShape::Qualified { before, .. }
                if !self.of.owner.is_empty() && *before != self.of.owner && before != "Self");
            if is_other {
                continue;
            }
            let splice = Splice { span: site.span, insert: new.to_owned() };
            let what = format!("link to `{}` in the documentation", self.name);
            found.push(LeftBehind {
                what,
                splice: Some(splice),
                ..self.tree.remark(&text.path, &text.text, site.span.start, self.intent)
            });
        }
    }

    /// Code spans and prose of comments; what is not in code is a remark.
    fn comments(&self, found: &mut Vec<LeftBehind>) {
        for text in &self.tree.rust {
            for at in comment_mentions(&text.text, self.name) {
                if !self.is_left(&text.path, &text.text, at) {
                    continue;
                }
                let span = ByteSpan::new(at, at + self.name.len());
                let is_span = is_code_span(&text.text, span);
                // Of a removed item only what is written as code is certain to mean it.
                if !is_span && self.new.is_none() {
                    continue;
                }
                let insert = self.new.filter(|_| is_span && self.of.kind != DefinitionKind::Field);
                found.push(LeftBehind {
                    what: format!("`{}` in a comment", self.name),
                    splice: insert.map(|it| Splice { span, insert: it.to_owned() }),
                    ..self.tree.remark(&text.path, &text.text, at, self.intent)
                });
            }
        }
    }

    fn strings(&self, found: &mut Vec<LeftBehind>) {
        if self.new.is_none() {
            return;
        }
        for text in self.tree.rust.iter().filter(|it| it.text.contains(self.name)) {
            for token in tokens(&text.text) {
                let is_it = token.kind == TokenKind::Literal
                    && has_word(token.text, self.name)
                    && !line_at(&text.text, token.span.start).contains("alias")
                    && self.is_left(&text.path, &text.text, token.span.start);
                if is_it {
                    found.push(LeftBehind {
                        what: format!("`{}` in a string", self.name),
                        ..self.tree.remark(&text.path, &text.text, token.span.start, self.intent)
                    });
                }
            }
        }
    }

    /// Tests that are called after a renamed function.
    fn derived(&self, found: &mut Vec<LeftBehind>) {
        if self.new.is_none() || self.of.kind != DefinitionKind::Function {
            return;
        }
        for text in &self.tree.rust {
            for it in &text.places.definitions {
                let is_after = is_named_after(&text.text, it, self.name)
                    && self.tree.is_old(&text.path, &text.text, it.name_span.start);
                if is_after {
                    found.push(LeftBehind {
                        what: format!("test `{}`", it.name),
                        ..self.tree.remark(&text.path, &text.text, it.name_span.start, self.intent)
                    });
                }
            }
        }
    }

    fn markdown(&self, found: &mut Vec<LeftBehind>) {
        // Of a removed item a text may tell the history, or mean something of its own.
        if self.new.is_none() {
            return;
        }
        for (path, text) in self.tree.markdown.iter().filter(|it| !is_history(&it.0)) {
            for at in base::word_places(text, self.name) {
                if self.is_left(path, text, at) {
                    found.push(LeftBehind {
                        what: format!("`{}` in the text", self.name),
                        ..self.tree.remark(path, text, at, self.intent)
                    });
                }
            }
        }
    }

    /// Whether a line is old and not about the change.
    fn is_left(&self, path: &ProjectPath, text: &str, at: usize) -> bool {
        let line = line_at(text, at);
        self.tree.is_old(path, text, at)
            && self.new.is_none_or(|new| !has_word(line, new))
            && !is_about_change(line)
    }
}

/// Whether a line is about a change, and so may mean the old name.
pub fn is_about_change(line: &str) -> bool {
    let line = line.to_lowercase();
    ABOUT_CHANGES.iter().any(|it| has_word(&line, it))
}

/// Whether a name is alone between backticks, or a call there.
fn is_code_span(text: &str, span: ByteSpan) -> bool {
    let before = text.get(..span.start).unwrap_or("");
    let after = text.get(span.end..).unwrap_or("");
    before.ends_with('`')
        && !before.ends_with("```")
        && ["`", "()`", "!`", "!()`"].iter().any(|it| after.starts_with(it))
}

/// Whether a file lists what earlier versions have changed.
/// The places of a path in texts: strings, comments and Markdown that is no history, each with its line and
/// description, by file and line.
pub fn path_mentions(
    files: &[(ProjectPath, Arc<str>)],
    path: &str,
) -> Vec<(ProjectPath, u32, String)> {
    let mut found = Vec::new();
    for (file, text) in files.iter().filter(|it| it.1.contains(path)) {
        let lines = LineIndex::new(text);
        let mut push = |at: usize, place: &str| {
            found.push((file.clone(), lines.line_of(at), format!("`{path}` in {place}")));
        };
        match file.extension() {
            Some("rs") => {
                comment_mentions(text, path).into_iter().for_each(|it| push(it, "a comment"));
                let literals = tokens(text).into_iter().filter(|it| {
                    it.kind == TokenKind::Literal && base::word_places(it.text, path).count() > 0
                });
                literals.for_each(|it| push(it.span.start, "a string"));
            }
            _ if is_history(file) => {}
            _ => base::word_places(text, path).for_each(|it| push(it, "the text")),
        }
    }
    found.sort();
    found.dedup();
    found
}

fn is_history(path: &ProjectPath) -> bool {
    let name = path.file_name().to_lowercase();
    ["change", "history", "release", "news", "migrat", "upgrad"].iter().any(|it| name.contains(it))
}
