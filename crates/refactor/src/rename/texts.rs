//! Texts that name an item: comments, strings, Markdown and what other tools read. No edit follows there, so
//! each place is listed.

use std::sync::Arc;

use base::{LineIndex, ProjectPath};
use preserve::outline::{TokenKind, tokens};

use super::edits::comment_mentions;
use super::unproven::UnprovenName;
use super::{RenameKind, RenameSite, Renaming, SiteRegion, SiteVerdict, Source};
use crate::name_words::words;

impl Renaming {
    /// Texts that still have the old name: comments, strings and `texts` (such as Markdown). Names that
    /// are no word of a sentence count everywhere, others after their owner (`Owner::name`) and in the code of
    /// texts that may mean the item.
    pub fn in_texts(&self, texts: &[(ProjectPath, Arc<str>)]) -> Vec<UnprovenName> {
        if self.target.within.is_some() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for source in self.sources.iter().filter(|it| !it.is_page) {
            self.in_comments_and_strings(source, &mut found);
        }
        for (path, text) in texts {
            self.in_text((path, text), &mut found);
        }
        found.dedup_by(|a, b| (&a.path, a.line, &a.what) == (&b.path, b.line, &b.what));
        found
    }

    /// A text does not tell of which item of the name it is; a remark costs less than a text that is wrong.
    fn is_meant(&self, path: &ProjectPath, text: &str, at: usize) -> bool {
        let name = &self.target.from;
        let is_distinctive = name.len() > 4 && words(name).len() > 1;
        let is_path = || is_type_name(name) && text[at + name.len()..].starts_with("::");
        // No word of a sentence is called.
        let is_call = text[at + name.len()..].starts_with("()");
        let is_span = || is_call || is_in_code_span(text, at);
        let is_code = || is_span() || is_name_alone(text, (at, name)) || is_path();
        let is_known = || self.is_known_in(path) && is_code();
        let is_member = || is_span() && self.is_member_in_code(path, text, at);
        self.can_be_in_text(text, at)
            && (is_distinctive || self.is_after_owner(text, at) || is_known() || is_member())
    }

    /// Whether the name in code has the syntax of a use of the item, which is a member: a field with its value
    /// (`{ name: 1 }`); in a text with the owner's name `.name`, `name(…)` and the name alone, which counts on
    /// every page where nothing else has it.
    fn is_member_in_code(&self, path: &ProjectPath, text: &str, at: usize) -> bool {
        let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
        let after = rest.get(self.target.from.len()..).unwrap_or("");
        let kind = self.target.kind;
        let is_member = kind.is_member() || kind == RenameKind::Variant;
        if !is_member || before.ends_with("::") || after.starts_with("::") {
            return false;
        }
        let has_value = kind == RenameKind::Field && after.starts_with(':');
        let is_alone = || before.ends_with('`') && after.starts_with('`');
        let is_use = || before.ends_with('.') || after.starts_with('(') || is_alone();
        let is_only = || self.rivals == 0 && path.extension() != Some("rs") && is_alone();
        let names_owner = || self.target.owners.iter().any(|it| base::has_word(text, it));
        has_value || is_only() || is_use() && names_owner()
    }

    fn left(&self, path: &ProjectPath, (at, line): (usize, u32), what: &str) -> UnprovenName {
        UnprovenName {
            path: path.clone(),
            line,
            at,
            what: format!("`{}` in {what}", self.target.from),
            why: "texts are not changed".to_owned(),
            edited: false,
            in_comment: false,
        }
    }

    fn in_comments_and_strings(&self, source: &Source, found: &mut Vec<UnprovenName>) {
        let (path, text, name) = (&source.path, &source.text, &self.target.from);
        let lines = LineIndex::new(text);
        let is_listed = |it: &RenameSite| {
            it.is_in() || self.is_listed_as_example(it) || self.is_something_else(it)
        };
        let own: Vec<&RenameSite> =
            self.sites.iter().filter(|it| it.path == *path && is_listed(it)).collect();
        let is_changed = |at: usize| own.iter().any(|it| it.span.start == at);
        let is_capital = |at: usize| self.is_known_in(path) && is_within_sentence(text, (at, name));
        let is_meant_here = |it: usize| self.is_meant(path, text, it) || is_capital(it);
        let mentions = comment_mentions(text, name).into_iter();
        let mentions = mentions.filter(|it| !is_changed(*it) && is_meant_here(*it));
        found.extend(mentions.map(|at| UnprovenName {
            in_comment: true,
            ..self.left(path, (at, lines.line_of(at)), comment_at(text, (at, name)))
        }));
        for token in tokens(text).iter().filter(|it| it.kind == TokenKind::Literal) {
            let is_left = |at: usize| !is_changed(token.span.start + at);
            let mut places = base::word_places(token.text, name);
            let left = places.find(|it| is_left(*it) && self.is_meant(path, token.text, *it));
            let line = lines.line_of(token.span.start);
            let place = left.map(|at| (token.span.start + at, line));
            found.extend(place.map(|it| self.left(path, it, "a string")));
        }
    }

    /// Whether a token of the documentation names something else for certain: by the target of its link, or
    /// because no use of the item has its syntax.
    fn is_something_else(&self, site: &RenameSite) -> bool {
        let (shape, kind) = (&site.shape, self.target.kind);
        match site.region {
            SiteRegion::Link => self.elsewhere.contains(&site.key()),
            SiteRegion::Example => {
                let is_use = shape.can_name(kind) || shape.can_name_generated(kind);
                site.verdict == SiteVerdict::Other && !is_use
            }
            _ => false,
        }
    }

    fn in_text(&self, (path, text): (&ProjectPath, &str), found: &mut Vec<UnprovenName>) {
        let name = &self.target.from;
        let lines = LineIndex::new(text);
        // A call of a method has no owner: any on the page counts.
        let names_owner = || self.target.owners.iter().any(|it| base::has_word(text, it));
        let is_called = |at: usize| {
            let is_method = text.get(..at).is_some_and(|it| it.ends_with('.'));
            self.target.kind == RenameKind::Method && is_method && names_owner()
        };
        let is_in_block = |at: usize| {
            let block = fenced(text, at).filter(|_| self.can_be_in_text(text, at));
            block.is_some_and(|it| {
                it.is_rust && (self.is_known_in(path) || is_called(at))
                    || self.is_code_about(&it, at)
            })
        };
        // What another tool reads is code of its own: it names the owner where it names a member.
        let is_of_tool = path.extension() != Some("md")
            && self.target.owners.iter().any(|it| is_type_name(it) && base::has_word(text, it));
        let is_for_tool = |at: usize| is_of_tool && self.can_be_in_text(text, at);
        let is_here =
            |it: usize| self.is_meant(path, text, it) || is_in_block(it) || is_for_tool(it);
        // The examples of a page have verdicts of their own.
        let own = self.sites_of(path);
        let is_decided = |it: &RenameSite| it.is_in() || it.verdict == SiteVerdict::Other;
        let is_known = |at: usize| own.iter().any(|it| it.span.start == at && is_decided(it));
        let left = base::word_places(text, name).filter(|it| !is_known(*it) && is_here(*it));
        found.extend(left.map(|at| self.left(path, (at, lines.line_of(at)), "the text")));
    }

    /// Whether the name as code in a text of this file may mean the item: of a member, and of one of several
    /// items of the name, in the file that defines it, anything else everywhere.
    fn is_known_in(&self, path: &ProjectPath) -> bool {
        let is_member = matches!(
            self.target.kind,
            RenameKind::Method | RenameKind::Member | RenameKind::Field | RenameKind::Variant
        );
        let is_here = || self.target.definitions.iter().any(|it| it.0 == *path);
        self.rivals == 0 && !is_member || is_here()
    }

    /// Whether a block of code names the owner of the item, and no other one before the name in it.
    fn is_code_about(&self, block: &Fenced<'_>, at: usize) -> bool {
        let (block, at) = (block.text, at - block.start);
        let before = block.get(..at).unwrap_or("");
        let is_relative = ["Self::", "self.", "self::"].iter().any(|it| before.ends_with(it));
        let is_free = !before.ends_with("::") || is_relative;
        (is_free || self.is_after_owner(block, at))
            && self.target.owners.iter().any(|it| base::has_word(block, it))
    }

    /// Whether a name in a text has its owner before it: `Owner::name`.
    fn is_after_owner(&self, text: &str, at: usize) -> bool {
        let before = text.get(..at).and_then(|it| it.strip_suffix("::")).unwrap_or("");
        let owner = before.rsplit(|it: char| !base::is_word(it)).next().unwrap_or("");
        // A path that begins with a module of the language names nothing in a text.
        let is_relative = matches!(owner, "" | "crate" | "self" | "super");
        !is_relative && self.target.owners.contains(owner)
    }

    /// The calls in the code of `texts`, which no edit of the arguments follows.
    pub fn calls_in_texts(&self, texts: &[(ProjectPath, Arc<str>)]) -> Vec<UnprovenName> {
        if self.target.within.is_some() {
            return Vec::new();
        }
        let is_call = |text: &str, it: &UnprovenName| {
            let after = text.get(it.at + self.target.from.len()..).unwrap_or("");
            let is_called = after.starts_with('(') || after.starts_with("::<");
            is_called && fenced(text, it.at).is_some_and(|it| it.is_rust)
        };
        let mut found = Vec::new();
        for (path, text) in texts {
            let mut here = Vec::new();
            self.in_text((path, text), &mut here);
            here.retain(|it| is_call(text, it));
            here.dedup_by_key(|it| it.line);
            found.extend(here);
        }
        found
    }
}

/// Whether a place is between backticks on its line.
fn is_in_code_span(text: &str, at: usize) -> bool {
    let start = text.get(..at).map_or(0, |it| it.rfind('\n').map_or(0, |it| it + 1));
    let line = text.get(start..).unwrap_or("").lines().next().unwrap_or("");
    let (before, after) = line.split_at_checked(at - start).unwrap_or((line, ""));
    before.matches('`').count() % 2 == 1 && after.contains('`')
}

/// A block of code in Markdown.
struct Fenced<'t> {
    text: &'t str,
    /// Where it begins.
    start: usize,
    /// Whether the fence names Rust, or an attribute of its examples.
    is_rust: bool,
}

/// The block of code of a text in Markdown that a place is in.
fn fenced(text: &str, at: usize) -> Option<Fenced<'_>> {
    const NAMES: [&str; 5] = ["rust", "no_run", "ignore", "should_panic", "compile_fail"];
    let mut open: Option<(usize, bool)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if let Some(info) = line.trim_start().strip_prefix("```") {
            match open.take() {
                Some((from, is_rust)) if from <= at && at < start => {
                    return Some(Fenced { text: text.get(from..start)?, start: from, is_rust });
                }
                Some(_) => {}
                None => open = Some((end, NAMES.iter().any(|it| info.trim().starts_with(it)))),
            }
        }
        start = end;
    }
    None
}

/// Whether the name of a type or variant is a word within a sentence, where no other word has a capital.
fn is_within_sentence(text: &str, (at, name): (usize, &str)) -> bool {
    let before = text.get(..at).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    let word = line.strip_suffix(' ').is_some_and(|it| it.ends_with(|it: char| it.is_lowercase()));
    word && is_type_name(name)
}

/// Whether a name is written as that of a type or variant, and no single letter.
fn is_type_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// Whether the name of a type or variant is all that quotes, the brackets of a type, or a line of text have.
fn is_name_alone(text: &str, (at, name): (usize, &str)) -> bool {
    if !is_type_name(name) {
        return false;
    }
    let before = text.get(..at).unwrap_or("");
    let after = text.get(at + name.len()..).unwrap_or("");
    let is_quoted = ['"', '\''].iter().any(|it| before.ends_with(*it) && after.starts_with(*it));
    let is_typed = before.ends_with('<') || after.starts_with('>');
    let begin = before.rsplit('\n').next().unwrap_or("");
    let end = after.split('\n').next().unwrap_or("");
    is_quoted || is_typed || !begin.chars().chain(end.chars()).any(base::is_word)
}

/// Place of a mention in a comment: a link that names an item breaks if it means the renamed one.
fn comment_at(text: &str, (at, name): (usize, &str)) -> &'static str {
    let before = text.get(..at).unwrap_or_default();
    let path = before.trim_end_matches(|c: char| base::is_word(c) || c == ':');
    let after = text.get(at + name.len()..).unwrap_or_default();
    let is_link = path.trim_end_matches('`').ends_with('[')
        && [']', '`', '('].iter().any(|it| after.starts_with(*it));
    if is_link { "a link of a comment, which may break" } else { "a comment" }
}

#[cfg(test)]
mod tests {
    use super::comment_at;

    #[test]
    fn a_mention_that_is_a_link_is_named_as_one() {
        for (text, is_link) in [
            ("//! in [`old`].", true),
            ("/// [m::old] and more", true),
            ("/// [old](crate::m)", true),
            ("// calls `old`", false),
            ("// a[old]", true),
            ("// old]", false),
        ] {
            let at = text.find("old").unwrap();
            let found = comment_at(text, (at, "old"));
            assert_eq!(found == "a link of a comment, which may break", is_link, "{text}");
        }
    }
}
