//! The places that still have a name which the user has changed or removed, and which no check of the
//! tree covers: examples of the documentation, code that no configuration builds, quoted code. They
//! follow where the finder of `rename` takes them for uses, and are listed otherwise.

use std::sync::Arc;

use base::{ByteSpan, ProjectPath, Timestamp};
use change::{Intent, What};
use check::{Ladder, Tests};
use edit::{Overlay, Side, Splice};
use refactor::{FailedExample, RenameKind, RenameSite, SiteRegion, SiteShape, SiteVerdict};
use repair::{Attempt, InProgress, Overlaid};
use serde::{Deserialize, Serialize};
use tools::FormerItem;

use crate::task::Task;
use crate::verify::{Asking, Tested};
use crate::{AgentError, LeftRow};

/// Least confidence that an item was renamed for which places follow, in percent.
const SURE: u8 = 75;

/// A place of a former name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OldName {
    path: ProjectPath,
    line: u32,
    what: String,
    unproven: String,
    /// The change that it follows from.
    #[serde(default)]
    why: String,
    /// Start of the token.
    at: usize,
    from: String,
    /// The new name, if the place follows.
    to: Option<String>,
    /// Whether it is in an example of the documentation.
    is_example: bool,
    /// Whether it is in a text: a remark.
    #[serde(default)]
    is_text: bool,
}

impl OldName {
    /// Its edit, if it follows.
    pub(crate) fn splice(&self) -> Option<(ProjectPath, Splice)> {
        let span = ByteSpan::new(self.at, self.at + self.from.len());
        Some((self.path.clone(), Splice { span, insert: self.to.clone()? }))
    }

    /// The row of the report.
    pub(crate) fn row(&self, edited: bool) -> LeftRow {
        let edited = edited && self.to.is_some();
        LeftRow {
            path: self.path.to_string(),
            line: self.line,
            what: self.what.clone(),
            why: self.why.clone(),
            edited,
            // An example that follows is run as a test.
            unproven: Some(self.unproven.clone())
                .filter(|_| !(self.is_text || edited && self.is_example)),
            in_comment: false,
        }
    }

    /// Whether it is a name of an example that follows, on the line of a remark.
    pub(crate) fn answers(&self, remark: &change::LeftBehind) -> bool {
        let is_here = remark.path == self.path && remark.line == self.line;
        is_here && remark.splice.is_none() && self.is_example && self.to.is_some()
    }

    /// Whether it is a remark on a line that another row is about.
    pub(crate) fn is_known_remark(&self, rows: &[change::LeftBehind]) -> bool {
        self.is_text && rows.iter().any(|it| it.path == self.path && it.line == self.line)
    }
}

impl Task<'_> {
    /// The places of all former names in the present tree.
    pub(crate) fn old_names(
        &mut self,
        in_progress: &InProgress,
    ) -> Result<Vec<OldName>, AgentError> {
        self.old_names_after(in_progress, &[])
    }

    /// The same, where the output of these failed examples decides about the names in them.
    pub(crate) fn old_names_after(
        &mut self,
        in_progress: &InProgress,
        failed: &[FailedExample],
    ) -> Result<Vec<OldName>, AgentError> {
        let mut found = Vec::new();
        let items: Vec<(FormerItem, String)> = in_progress
            .intents()
            .iter()
            .filter_map(|it| Some((former(it)?, it.to_string())))
            .collect();
        let mut texts = Vec::new();
        if !items.is_empty() {
            texts = self.texts_of(|it| it.extension() == Some("rs"))?;
            texts.extend(self.other_texts()?);
        }
        for (item, why) in items {
            let names = self.names_of(&item, &why, (&texts, failed))?;
            found.extend(names.into_iter().map(|it| OldName { why: why.clone(), ..it }));
        }
        found.sort_by(|a, b| (&a.path, a.at).cmp(&(&b.path, b.at)));
        found.dedup_by(|a, b| a.path == b.path && a.at == b.at);
        // Only a run of all tests has those of the documentation.
        self.has_examples |= found.iter().any(|it| it.is_example && it.to.is_some());
        Ok(found)
    }

    fn names_of(
        &self,
        item: &FormerItem,
        why: &str,
        (texts, failed): (&[(ProjectPath, Arc<str>)], &[FailedExample]),
    ) -> Result<Vec<OldName>, AgentError> {
        let ladder = Ladder {
            test_code: self.tests() != Tests::None,
            ..self.world.ladder(self.tests(), None)
        };
        let is_old = |path: &ProjectPath, at: usize| {
            let text = texts.iter().find(|it| it.0 == *path).map_or("", |it| &it.1);
            let line = change::line_at(text, at);
            let names_new = item.to.as_deref().is_some_and(|to| base::has_word(line, to));
            !names_new && !change::is_about_change(line)
        };
        let others: Vec<(ProjectPath, Arc<str>)> =
            texts.iter().filter(|it| it.0.extension() != Some("rs")).cloned().collect();
        let places = failed.iter().map(|it| format!(" {}:{}", it.path, it.line));
        let query = format!("{why}{}", places.collect::<String>());
        self.world.look("names", &query, |workspace| {
            let (mut uses, places) = tools::former_names(self.ctx, workspace, item)?;
            self.note_unseen(&mut uses, &places, &ladder)?;
            uses.learn_examples(failed);
            // An example shows no type: a method of the standard library may be meant.
            let is_call =
                |it: &RenameSite| matches!(it.shape, SiteShape::MethodCall { on_self: false });
            let is_open = |it: &RenameSite| {
                it.region == SiteRegion::Example
                    && it.verdict != SiteVerdict::Item
                    && is_call(it)
                    && repair::is_std_method(&item.from)
            };
            let written = |site: &RenameSite| uses.written(site);
            let name = |site: &RenameSite, line, what, unproven| OldName {
                path: site.path.clone(),
                line,
                what,
                unproven,
                why: String::new(),
                at: site.span.start,
                from: item.from.clone(),
                to: item
                    .to
                    .as_ref()
                    .filter(|_| site.is_in() && !is_open(site))
                    .map(|_| written(site)),
                is_example: site.region == SiteRegion::Example,
                is_text: false,
            };
            let names = uses.unproven_sites(false).into_iter();
            let names = names.map(|(site, of)| name(site, of.line, of.what, of.why));
            let links = uses.links().into_iter().map(|(site, line)| {
                let what = format!("link to `{}` in the documentation", item.from);
                name(site, line, what, "nothing tests a link".to_owned())
            });
            let mentions = uses.in_texts(&others).into_iter();
            let mentions = mentions.filter(|it| is_old(&it.path, it.at)).map(|it| OldName {
                path: it.path,
                line: it.line,
                what: it.what,
                unproven: it.why,
                why: String::new(),
                at: it.at,
                from: item.from.clone(),
                to: None,
                is_example: false,
                is_text: true,
            });
            Ok(names.chain(links).chain(mentions).collect())
        })
    }

    /// A change with the edits of the names that it leaves; `None` if it leaves none that follows.
    pub(crate) fn with_old_names(&self, change: &Overlay, names: &[OldName]) -> Option<Overlay> {
        let left = still_there(change, names);
        let mut splices = Vec::new();
        for name in left {
            let Some((path, mut splice)) = name.splice() else { continue };
            if let Some(map) = change.span_map(&path) {
                let start = map.byte_to_overlay(splice.span.start, Side::After);
                splice.span = ByteSpan::new(start, start + name.from.len());
            }
            splices.push((path, splice));
        }
        if splices.is_empty() {
            return None;
        }
        let files = Overlaid { base: &*self.world, overlay: change };
        let more = Overlay::from_splices("graftage finish", Timestamp(0), &files, &splices).ok()?;
        change.compose(&more).ok()
    }
}

impl Task<'_> {
    /// Tests a repair together with the edits of the names and of the calls in examples that it leaves, and of
    /// the names that examples miss which fail; `None` if it fails with edits that it does not need.
    pub(crate) fn test_with_names(
        &mut self,
        what: Asking<'_>,
        names: &[OldName],
    ) -> Result<Option<(Attempt, Vec<LeftRow>, Tested)>, AgentError> {
        let Asking::Repair(attempt) = what else { return Ok(None) };
        let followed = self.followed(attempt, names)?;
        let is_alone = followed.is_none();
        let (whole, rows) = followed.unwrap_or_else(|| (attempt.clone(), left_by(what, names)));
        let tested = self.test(Asking::Repair(&whole))?;
        let missed = match &tested {
            Tested::Passed(change) => self.names_missed(&change.failed_examples())?,
            _ => None,
        };
        if let Some(names) = missed
            && let Some((more, rows)) = self.followed(attempt, &names)?
            && more.overlay != whole.overlay
        {
            let tested = self.test(Asking::Repair(&more))?;
            if is_tested(&tested) {
                return Ok(Some((more, rows, tested)));
            }
        }
        Ok((is_alone || is_tested(&tested)).then_some((whole, rows, tested)))
    }

    /// The places of former names after examples that fail; `None` if none does, or if the task finishes no change
    /// of the tree.
    pub(crate) fn names_missed(
        &mut self,
        failed: &[FailedExample],
    ) -> Result<Option<Vec<OldName>>, AgentError> {
        let finishes = self.options.finishes() && self.options.begin.is_none();
        let Some(in_progress) = self.finishes.clone().filter(|_| finishes && !failed.is_empty())
        else {
            return Ok(None);
        };
        Ok(Some(self.old_names_after(&in_progress, failed)?))
    }

    /// A repair with the edits of the names and of the calls in examples that it leaves, and their rows; `None`
    /// without such an edit.
    fn followed(
        &self,
        attempt: &Attempt,
        names: &[OldName],
    ) -> Result<Option<(Attempt, Vec<LeftRow>)>, AgentError> {
        let named = self.with_old_names(&attempt.overlay, names);
        let calls = self.with_example_calls(named.as_ref().unwrap_or(&attempt.overlay))?;
        let left = still_there(&attempt.overlay, names).into_iter();
        let mut rows: Vec<LeftRow> = left.map(|it| it.row(named.is_some())).collect();
        let overlay = match (calls, named) {
            (Some((overlay, calls)), _) => {
                rows.extend(calls);
                overlay
            }
            (None, Some(overlay)) => overlay,
            (None, None) => return Ok(None),
        };
        Ok(Some((Attempt { overlay, ..attempt.clone() }, rows)))
    }

    /// Whether an example of the documentation has the name of a definition that was changed.
    pub(crate) fn is_in_examples(&self, in_progress: &InProgress) -> Result<bool, AgentError> {
        let names: Vec<&str> = in_progress.intents().iter().filter_map(Intent::known_as).collect();
        self.has_in_examples(&names)
    }

    /// Whether an example of the documentation has one of these names.
    pub(crate) fn has_in_examples(&self, names: &[&str]) -> Result<bool, AgentError> {
        Ok(!names.is_empty() && refactor::examples_name(&self.texts()?, names))
    }
}

/// The rows of the names that a candidate leaves as they are.
pub(crate) fn left_by(what: Asking<'_>, names: &[OldName]) -> Vec<LeftRow> {
    match what {
        Asking::Repair(attempt) => {
            let left = still_there(&attempt.overlay, names);
            left.into_iter().map(|it| it.row(false)).collect()
        }
        Asking::Begin(_) => Vec::new(),
    }
}

/// Whether the tests of a change ran, so that the gate decides about their results.
fn is_tested(tested: &Tested) -> bool {
    matches!(tested, Tested::Passed(_) | Tested::Guessed(_))
}

/// The names that a change leaves as they are.
fn still_there<'n>(change: &Overlay, names: &'n [OldName]) -> Vec<&'n OldName> {
    let is_left = |it: &&OldName| {
        let Some(file) = change.get(&it.path) else { return true };
        let at =
            change.span_map(&it.path).map_or(it.at, |map| map.byte_to_overlay(it.at, Side::After));
        file.after_text().get(at..).is_some_and(|rest| rest.starts_with(&it.from))
    };
    names.iter().filter(is_left).collect()
}

/// The item that an intent has renamed or removed.
pub(crate) fn former(intent: &Intent) -> Option<FormerItem> {
    let (of, from, to, now) = match &intent.what {
        // Where it is not sure that it is the same item, its old name is gone all the same.
        What::Renamed { of, from } => {
            let now = Some(of.name.clone());
            (of, from.clone(), now.clone().filter(|_| intent.confidence >= SURE), now)
        }
        What::Removed(of) => (of, of.name.clone(), None, None),
        _ => return None,
    };
    Some(FormerItem {
        kind: RenameKind::of_kind(of.kind, !of.owner.is_empty()),
        owner: of.owner.clone(),
        from,
        to,
        now,
        place: (intent.path.clone(), intent.line),
    })
}
