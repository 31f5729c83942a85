//! The places of the old name that no proof covers: code that no configuration builds, the input of
//! macros that quote code, examples that no test runs, and texts. A rename is complete only where
//! this list is empty.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{LineIndex, ProjectPath};
use preserve::outline::{Outline, TokenKind, tokens};

use super::edits::comment_mentions;
use super::macro_name;
use super::verdict::is_owned;
use super::{RenameKind, RenameSite, Renaming, SiteKey, SiteRegion, SiteShape, SiteVerdict};
use crate::name_words::words;

/// Macros whose input is code that another crate compiles, or text.
const QUOTING: &[&str] =
    &["parse_quote", "parse_quote_spanned", "quote", "quote_spanned", "stringify"];

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
}

impl Renaming {
    /// Records the tokens that the compiler does not see, with the reason. The absence of errors and of
    /// listed uses decides nothing about them.
    pub fn leave_unseen(&mut self, unseen: BTreeMap<SiteKey, String>) {
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
        let line = |it: &RenameSite| {
            let source = self.source(&it.path);
            source.map_or(0, |of| LineIndex::new(&of.text).line_of(it.span.start))
        };
        self.sites.iter().filter(is_link).map(|it| (it, line(it))).collect()
    }

    /// The same as [`Renaming::unproven`] with the token of each.
    pub fn unproven_sites(&self, examples: bool) -> Vec<(&RenameSite, UnprovenName)> {
        let mut found = Vec::new();
        for source in &self.sources {
            let lines = LineIndex::new(&source.text);
            let quoted = quoting(&source.text);
            for site in self.sites.iter().filter(|it| it.path == source.path) {
                let quotes = quoted.iter().find(|(span, _)| span.contains(site.span));
                let Some(why) = self.why_unproven(site, quotes.map(|it| it.1), examples) else {
                    continue;
                };
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
                };
                found.push((site, name));
            }
        }
        found
    }

    /// Why nothing proves the meaning of a token; `None` if the compiler or a test does.
    fn why_unproven(
        &self,
        site: &RenameSite,
        quotes: Option<&str>,
        examples: bool,
    ) -> Option<String> {
        if matches!(site.verdict, SiteVerdict::Other) || site.region == SiteRegion::Link {
            return None;
        }
        if site.region == SiteRegion::Example {
            let not_run = || "no test has run the example".to_owned();
            return if examples { self.unseen.get(&site.key()).cloned() } else { Some(not_run()) };
        }
        if let Some(why) = self.unseen.get(&site.key()) {
            return Some(why.clone());
        }
        if let Some(name) = quotes {
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
                let is_relative = matches!(before.as_str(), "crate" | "self" | "super");
                is_owned(self, site) || is_relative || self.rivals == 0
            }
            SiteShape::Bare { in_use: true, .. } => true,
            // Of code that the compiler does not see, the type of a receiver is not known either.
            SiteShape::FieldAccess { .. } | SiteShape::MethodCall { .. }
                if (self.is_unseen(&site.key()) || site.region == SiteRegion::Example)
                    && self.names_owner(&site.path) =>
            {
                true
            }
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
    fn is_listed_as_example(&self, site: &RenameSite) -> bool {
        self.target.kind == RenameKind::Macro && site.region == SiteRegion::Example
    }

    /// Whether a file names the owner of the item.
    fn names_owner(&self, path: &ProjectPath) -> bool {
        let text = self.source(path).map_or("", |it| &it.text);
        self.target.owners.iter().any(|it| base::has_word(text, it))
    }

    /// Texts that still have the old name: comments, strings and `texts` (such as Markdown). Names that
    /// are no word of a sentence count everywhere, others after their owner (`Owner::name`) and in the code of
    /// texts that may mean the item.
    pub fn in_texts(&self, texts: &[(ProjectPath, Arc<str>)]) -> Vec<UnprovenName> {
        let name = &self.target.from;
        let is_distinctive = name.len() > 4 && words(name).len() > 1;
        if self.target.within.is_some() {
            return Vec::new();
        }
        // A text does not say of which item of the name it is; a remark costs less than a text that is wrong.
        let is_meant = |path: &ProjectPath, text: &str, at: usize| {
            let is_code = || is_in_code_span(text, at) || is_name_alone(text, (at, name));
            let is_known = || self.is_known_in(path) && is_code();
            self.can_be_in_text(text, at)
                && (is_distinctive || self.is_after_owner(text, at) || is_known())
        };
        let mut found = Vec::new();
        let mut add = |path: &ProjectPath, (at, line): (usize, u32), what: &str| {
            found.push(UnprovenName {
                path: path.clone(),
                line,
                at,
                what: format!("`{name}` in {what}"),
                why: "texts are not changed".to_owned(),
                edited: false,
            });
        };
        for source in self.sources.iter().filter(|it| !it.is_page) {
            let lines = LineIndex::new(&source.text);
            let is_listed = |it: &RenameSite| it.is_in() || self.is_listed_as_example(it);
            let own: Vec<&RenameSite> =
                self.sites.iter().filter(|it| it.path == source.path && is_listed(it)).collect();
            let is_changed = |at: usize| own.iter().any(|it| it.span.start == at);
            let mentions = comment_mentions(&source.text, name).into_iter();
            let is_capital = |at: usize| {
                self.is_known_in(&source.path) && is_within_sentence(&source.text, (at, name))
            };
            let is_meant_here =
                |it: usize| is_meant(&source.path, &source.text, it) || is_capital(it);
            for at in mentions.filter(|it| !is_changed(*it) && is_meant_here(*it)) {
                add(&source.path, (at, lines.line_of(at)), "a comment");
            }
            for token in tokens(&source.text) {
                let is_left = |at: usize| !is_changed(token.span.start + at);
                if token.kind != TokenKind::Literal {
                    continue;
                }
                let mut places = base::word_places(token.text, name);
                let left =
                    places.find(|it| is_left(*it) && is_meant(&source.path, token.text, *it));
                if let Some(at) = left {
                    let line = lines.line_of(token.span.start);
                    add(&source.path, (token.span.start + at, line), "a string");
                }
            }
        }
        for (path, text) in texts {
            let lines = LineIndex::new(text);
            let is_in_block = |at: usize| {
                let block = fenced(text, at).filter(|_| self.can_be_in_text(text, at));
                block.is_some_and(|it| {
                    it.is_rust && self.is_known_in(path) || self.is_code_about(&it, at)
                })
            };
            // What another tool reads is code of its own: it names the owner where it names a member.
            let is_of_tool = path.extension() != Some("md")
                && self.target.owners.iter().any(|it| is_type_name(it) && base::has_word(text, it));
            let is_for_tool = |at: usize| is_of_tool && self.can_be_in_text(text, at);
            let is_here =
                |it: &usize| is_meant(path, text, *it) || is_in_block(*it) || is_for_tool(*it);
            let own = self.sites_of(path);
            let is_decided = |it: &RenameSite| it.is_in() || it.verdict == SiteVerdict::Other;
            let is_known = |at: &usize| own.iter().any(|it| it.span.start == *at && is_decided(it));
            let left = base::word_places(text, name).filter(|it| !is_known(it));
            for at in left.filter(is_here) {
                add(path, (at, lines.line_of(at)), "the text");
            }
        }
        found.dedup_by(|a, b| (&a.path, a.line, &a.what) == (&b.path, b.line, &b.what));
        found
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
            Self::PathString | Self::MaybePath => " in a string of an attribute",
        }
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

/// The inputs of macros that quote code, with the names of the macros.
pub(super) fn quoting(text: &str) -> Vec<(base::ByteSpan, &str)> {
    if !QUOTING.iter().any(|it| text.contains(it)) {
        return Vec::new();
    }
    let outline = Outline::of(text);
    let mut found = Vec::new();
    for (at, token) in outline.tokens.iter().enumerate() {
        let is_call = QUOTING.contains(&token.text) && outline.text(at + 1) == "!";
        let close = outline.close.get(at + 2).and_then(|it| outline.tokens.get(*it));
        if let Some(close) = close.filter(|_| is_call) {
            found.push((base::ByteSpan::new(token.span.start, close.span.end), token.text));
        }
    }
    found
}
