//! Corrects the verdicts of a rename from what the compiler reports for its edits: a site that
//! misses the old name joins, one that misses the new name leaves.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, LineIndex, ProjectPath, SortedSet, has_word};
use edit::{Overlay, Side};

use super::edits::MARK;
use super::{
    DocPage, RenameKind, RenameSite, Renaming, SiteKey, SiteRegion, SiteShape, SiteVerdict, passed,
};
use crate::text::{outermost, quoted};

/// An example of the documentation that failed as a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedExample {
    /// Its file, in the tree without the rename.
    pub path: ProjectPath,
    /// Its line by the name of the test, from 1.
    pub line: u32,
    /// What the test wrote.
    pub output: String,
}

/// An error in the output of a compiler.
struct ShownError<'t> {
    message: &'t str,
    /// Line, from 1; 0 without one.
    line: u32,
    /// Text of the line; empty if it is not shown.
    text: &'t str,
}

/// The errors in the output of a compiler.
fn errors_in(output: &str) -> impl Iterator<Item = ShownError<'_>> {
    let mut lines = output.lines();
    std::iter::from_fn(move || {
        let message = lines.find(|it| it.trim_start().starts_with("error"))?;
        let place = lines.next().unwrap_or("").trim_start().strip_prefix("--> ").unwrap_or("");
        let line = place.rsplit(':').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        let number = format!("{line} |");
        let mut shown = lines.clone().take(3);
        let text = shown.find_map(|it| it.trim_start().strip_prefix(&number)).unwrap_or("").trim();
        Some(ShownError { message, line, text })
    })
}

/// Tokens that errors are about, by their index among the sites.
#[derive(Default)]
struct Marks {
    /// Those that miss the old name.
    joins: SortedSet<usize>,
    /// Those that miss the new name.
    leaves: SortedSet<usize>,
    /// Those that the compiler takes for the name of a macro.
    called: SortedSet<usize>,
    /// Those that a macro makes the name of a member.
    members: SortedSet<usize>,
}

/// Whether an error misses a member of a type or trait.
fn misses_member(error: &Diagnostic) -> bool {
    const CODES: [&str; 11] = [
        "E0026", "E0220", "E0407", "E0437", "E0438", "E0559", "E0560", "E0576", "E0599", "E0609",
        "E0615",
    ];
    error.code.as_deref().is_some_and(|it| CODES.contains(&it))
}

/// The uses of the marked item that the compiler listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedUses {
    /// Tokens of the old name, by their position in the tree.
    pub sites: SortedSet<SiteKey>,
    /// Places that are no token of the old name, by path and line in the checked text.
    pub elsewhere: SortedSet<(ProjectPath, u32)>,
}

impl Renaming {
    /// Corrects the verdicts by the errors of `overlay`, the plan on top of the tree. Returns how many
    /// changed: a site that misses the old name joins, one that misses the new name leaves.
    pub fn learn(&mut self, errors: &[Diagnostic], overlay: &Overlay) -> usize {
        let Marks { joins, leaves, called, members } = self.marks(errors, overlay);
        let mut count = 0;
        for at in joins.difference(&leaves) {
            let site = &mut self.sites[*at];
            let kind = self.target.kind;
            let is_called = kind == RenameKind::Macro && called.contains(at);
            let can_name = site.shape.can_name(kind)
                || site.shape.can_name_generated(kind)
                || is_called && matches!(site.shape, SiteShape::Bare { .. });
            let is_member = kind.is_member() && members.contains(at);
            if is_member || can_name && site.verdict != SiteVerdict::Other {
                site.verdict = SiteVerdict::Item;
                count += 1;
            }
        }
        for at in leaves.difference(&joins) {
            let site = &mut self.sites[*at];
            if site.verdict == SiteVerdict::Likely {
                site.verdict = SiteVerdict::Other;
                count += 1;
            }
        }
        if count > 0 {
            return count;
        }
        // The compiler contradicts the map, if nothing else explains the errors.
        for at in leaves.difference(&joins) {
            let site = &mut self.sites[*at];
            if site.is_in() && !self.target.definitions.contains(&site.key()) {
                site.verdict = SiteVerdict::Other;
                count += 1;
            }
        }
        count
    }

    /// The tokens that the errors of `overlay` are about.
    fn marks(&self, errors: &[Diagnostic], overlay: &Overlay) -> Marks {
        let mut marks = Marks::default();
        for error in errors.iter().filter(|it| it.is_error()) {
            let labels = error.spans.iter().filter_map(|it| it.label.as_deref());
            let quotes: Vec<&str> =
                labels.chain([error.message.as_str()]).flat_map(quoted).collect();
            let names = |name: &str| quotes.iter().any(|it| has_word(it, name));
            for span in error.spans.iter().filter(|it| it.primary) {
                marks.leaves.extend(self.behind(span, overlay));
                let marked = self.marked(span, overlay);
                for &at in &marked {
                    let site = &self.sites[at];
                    if !site.is_in() && names(&self.target.from) {
                        marks.joins.insert(at);
                        let is_bare = matches!(site.shape, SiteShape::Bare { in_use: false, .. });
                        if is_bare && marked.len() == 1 && misses_member(error) {
                            marks.members.insert(at);
                        }
                        if passed::misses_macro(&error.message, &self.target.from) {
                            marks.called.insert(at);
                        }
                    } else if site.is_in() && names(self.target.to.trim_start_matches("r#")) {
                        marks.leaves.insert(at);
                    }
                }
            }
        }
        marks
    }

    /// Corrects the verdicts of the examples at these lines that failed as tests: an assumed site
    /// leaves, or else one that was left out joins. Returns how many changed.
    ///
    /// The line of a test is that of the fence or of the first line of code; where attributes or macros
    /// make part of the documentation, any line up to the last one of code.
    pub fn learn_examples(&mut self, failed: &[FailedExample]) -> usize {
        let mut count = 0;
        for failed in failed {
            let Some((path, lines, example)) = self.example_of(failed) else { continue };
            let learned = self.learn_output((&path, example), lines, &failed.output);
            if learned > 0 {
                count += learned;
                continue;
            }
            let is_here = |it: &RenameSite| it.path == path && it.example == Some(example);
            let has_likely =
                self.sites.iter().any(|it| is_here(it) && it.verdict == SiteVerdict::Likely);
            let (was, now) = match has_likely {
                true => (SiteVerdict::Likely, SiteVerdict::Other),
                false => (SiteVerdict::Unlikely, SiteVerdict::Item),
            };
            for site in self.sites.iter_mut().filter(|it| is_here(it) && it.verdict == was) {
                site.verdict = now;
                count += 1;
            }
        }
        count
    }

    /// The example that failed: its file, the number of lines that rustdoc counts before this file, and
    /// its lines. Of a page it counts from the line that includes the page.
    fn example_of(&self, failed: &FailedExample) -> Option<(ProjectPath, u32, (u32, u32))> {
        let line = failed.line;
        let examples = |path: &ProjectPath| -> SortedSet<(u32, u32)> {
            self.sites_of(path).iter().filter_map(|it| it.example).collect()
        };
        let begins = |it: &&(u32, u32), line: u32| it.0 == line || it.0 == line + 1;
        let own = examples(&failed.path);
        let of_own = |it: &(u32, u32)| (failed.path.clone(), 0, *it);
        if let Some(started) = own.iter().find(|it| begins(it, line)) {
            return Some(of_own(started));
        }
        let of_page = |page: &DocPage| {
            let before = page.by.1.saturating_sub(1);
            let all = examples(&page.path);
            let it = all.iter().find(|it| begins(it, line.saturating_sub(before)))?;
            Some((page.path.clone(), before, *it))
        };
        let mut pages = self.pages.iter().filter(|it| it.by.0 == failed.path);
        let found = pages.find_map(of_page);
        found.or_else(|| own.iter().find(|it| it.0 <= line && line <= it.1).map(of_own))
    }

    /// Corrects the verdicts of one example by the errors of the compiler in its output: as for code, by
    /// the line alone, of which `before` are not of its file. Returns how many changed.
    fn learn_output(
        &mut self,
        (path, example): (&ProjectPath, (u32, u32)),
        before: u32,
        output: &str,
    ) -> usize {
        let (from, to) = (&self.target.from, self.target.to.trim_start_matches("r#"));
        let kind = self.target.kind;
        let mut verdicts = Vec::new();
        for error in errors_in(output) {
            // The call of an item with changed parameters that has stayed, or one of another item that has not.
            let is_count = error.message.trim_start().starts_with("error[E0061]");
            let names = |name: &str| quoted(error.message).any(|it| has_word(it, name));
            let line = self.line_of(path, before, &error);
            let here = self.sites.iter().enumerate().filter(|(_, it)| {
                let source = self.source(path);
                let at = source.map(|of| LineIndex::new(&of.text).line_of(it.span.start));
                it.path == *path
                    && it.example == Some(example)
                    && at.is_some_and(|at| at + before == line)
            });
            for (at, site) in here {
                let is_miscounted = is_count && site.shape.can_name(kind);
                match site.verdict {
                    SiteVerdict::Unlikely if is_miscounted || names(from) => {
                        verdicts.push((at, SiteVerdict::Item));
                    }
                    SiteVerdict::Likely if is_miscounted || names(to) => {
                        verdicts.push((at, SiteVerdict::Other));
                    }
                    _ => {}
                }
            }
        }
        for (at, verdict) in &verdicts {
            self.sites[*at].verdict = *verdict;
        }
        verdicts.len()
    }

    /// The line of an error in an example, with those before its file. Some versions of rustdoc count one line
    /// that they put before the example: the text of the line decides.
    fn line_of(&self, path: &ProjectPath, before: u32, error: &ShownError<'_>) -> u32 {
        let Some(source) = self.source(path) else { return error.line };
        let (from, to) = (&self.target.from, &self.target.to);
        let shown = base::with_word(error.text, to, from);
        let has_text = |line: &u32| {
            let at = line.saturating_sub(before).checked_sub(1);
            let text = at.and_then(|at| source.text.lines().nth(at as usize)).unwrap_or("");
            base::with_word(text, to, from).contains(&shown)
        };
        let near = [error.line, error.line.saturating_sub(1)];
        near.into_iter().find(has_text).unwrap_or(error.line)
    }

    /// Takes the sites that the compiler listed as uses of the item; what it did not list in code
    /// leaves: calls of methods, which other crates may have too, and names that other items have.
    pub fn confirm(&mut self, listed: &ListedUses) {
        let own: Vec<(ProjectPath, ByteSpan)> = self.own_spans();
        let mut unseen = std::mem::take(&mut self.unseen);
        // What the compiler lists it sees, although a macro may drop such input.
        unseen.retain(|key, _| !listed.sites.contains(key));
        for site in &mut self.sites {
            let is_call = matches!(site.shape, SiteShape::MethodCall { .. });
            let is_inside =
                own.iter().any(|(path, it)| *path == site.path && it.contains(site.span));
            if listed.sites.contains(&site.key()) && site.shape.can_name(self.target.kind) {
                site.verdict = SiteVerdict::Item;
            } else if site.verdict == SiteVerdict::Likely
                && site.region == SiteRegion::Code
                // A definition is no use.
                && !matches!(site.shape, SiteShape::Generated { .. })
                && (self.rivals > 0 || is_call)
                && !is_inside
                // The compiler cannot list what it does not see.
                && !unseen.contains_key(&site.key())
                && !self.quoted.contains_key(&site.key())
            {
                site.verdict = SiteVerdict::Unlikely;
            }
        }
        self.unseen = unseen;
    }

    /// The uses that the compiler listed for the marked item; spans are those of `overlay`, and `name`
    /// is the item's name there.
    pub fn listed(&self, diagnostics: &[Diagnostic], overlay: &Overlay, name: &str) -> ListedUses {
        let mut found = ListedUses::default();
        let word = name.trim_start_matches("r#");
        let own = |it: &&Diagnostic| {
            it.code.as_deref() == Some("deprecated")
                && it.message.contains(MARK)
                && quoted(&it.message).any(|it| has_word(it, word))
        };
        for diagnostic in diagnostics.iter().filter(own) {
            for span in diagnostic.spans.iter().filter(|it| it.primary) {
                match self.marked(span, overlay).last() {
                    Some(at) => drop(found.sites.insert(self.sites[*at].key())),
                    None => {
                        let span = outermost(span);
                        if let Some(path) = span.place.project() {
                            found.elsewhere.insert((path.clone(), span.start.line));
                        }
                    }
                }
            }
        }
        found
    }

    /// The renamed site behind a marked path: of `a::Trait::name` without a `name` the compiler may
    /// mark `a::Trait`, as no type.
    fn behind(&self, span: &DiagnosticSpan, overlay: &Overlay) -> Option<usize> {
        let span = outermost(span);
        let path = span.place.project()?;
        let next = overlay.get(path)?.after_text().get(span.bytes.end..)?;
        let at = span.bytes.end + next.len() - next.strip_prefix("::")?.len();
        let after =
            DiagnosticSpan { bytes: ByteSpan::new(at, at + self.target.to.len()), ..span.clone() };
        let site = self.marked(&after, overlay).pop()?;
        self.sites[site].is_in().then_some(site)
    }

    /// The definitions that are renamed, whole: the compiler lists no use of an item inside of it.
    fn own_spans(&self) -> Vec<(ProjectPath, ByteSpan)> {
        let mut found = Vec::new();
        for source in &self.sources {
            let own = source.places.definitions.iter().filter(|it| {
                let key = (source.path.clone(), it.name_span.start);
                self.target.definitions.contains(&key)
            });
            found.extend(own.map(|it| (source.path.clone(), it.span)));
        }
        found
    }

    /// The sites inside a span of the overlay: those with exactly the span if there are any; the field
    /// of `field: value`; else all.
    pub(super) fn marked(&self, span: &DiagnosticSpan, overlay: &Overlay) -> Vec<usize> {
        let span = outermost(span);
        let Some(path) = span.place.project() else { return Vec::new() };
        let change = overlay.get(path);
        let from = change.and_then(|it| it.renamed_from.as_ref()).unwrap_or(path);
        let map = overlay.span_map(path);
        let now = |site: &RenameSite| match &map {
            None => site.span,
            Some(map) => ByteSpan::new(
                map.byte_to_overlay(site.span.start, Side::After),
                map.byte_to_overlay(site.span.end, Side::After),
            ),
        };
        let in_file = self.sites.iter().enumerate().filter(|(_, it)| it.path == *from);
        let spans: Vec<(usize, ByteSpan)> = in_file.map(|(at, it)| (at, now(it))).collect();
        let is_field = |at: usize| matches!(self.sites[at].shape, SiteShape::FieldInit { .. });
        let is_exact = |(at, it): &&(usize, ByteSpan)| {
            *it == span.bytes
                || is_field(*at) && it.start == span.bytes.start && span.bytes.contains(*it)
        };
        let exact: Vec<usize> = spans.iter().filter(is_exact).map(|(at, _)| *at).collect();
        if !exact.is_empty() {
            return exact;
        }
        let inside = spans.iter().filter(|(at, it)| {
            let is_header = self.sites[*at].shape != SiteShape::Definition;
            span.bytes.contains(*it) && is_header
        });
        inside.map(|(at, _)| *at).collect()
    }
}
