//! The places in code that no check builds which have the state before an in-progress change: uses with the
//! old signature, definitions for other builds, and after `fix` the old names. Nothing proves an edit there:
//! they are listed. Start at [`Task::unbuilt_uses`].

use base::{ProjectPath, SortedSet};
use change::{Intent, What};
use check::{Ladder, Tests};
use edit::{Files as _, Overlay};
use refactor::{RenameKind, RenameSite, Renaming, SiteRegion, SiteShape};
use repair::InProgress;
use serde::{Deserialize, Serialize};
use tools::{CodePlaces, FormerItem};

use crate::old_names::former;
use crate::task::Task;
use crate::{AgentError, LeftRow};

/// A place that no check builds.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct UnbuiltUse {
    path: ProjectPath,
    line: u32,
    what: String,
    unproven: String,
    why: String,
}

/// A changed item, with the change in one line.
struct ChangedItem {
    item: FormerItem,
    why: String,
}

impl Task<'_> {
    /// The places which the in-progress change leaves in code that no check builds, without the lines that it
    /// or `change` has written. Of a repair that does not finish it, those of the items in its lines.
    pub(crate) fn unbuilt_uses(
        &self,
        in_progress: &InProgress,
        change: &Overlay,
    ) -> Result<Vec<LeftRow>, AgentError> {
        let finishes = self.options.finishes();
        let mut seen = SortedSet::new();
        let is_about = |item: &FormerItem| {
            let name = item.now.as_deref().unwrap_or(&item.from);
            finishes || changed_lines(change).any(|it| base::has_word(it, name))
        };
        let with_reason = |intent: &Intent, item| ChangedItem { item, why: intent.to_string() };
        let mut items = Vec::new();
        for intent in in_progress.intents() {
            // `finish` changes or lists former names itself.
            let item = former(intent).filter(|_| !finishes).or_else(|| resigned(intent));
            let is_new = |it: &FormerItem| seen.insert((it.place.clone(), it.from.clone()));
            if let Some(item) = item.filter(is_about).filter(is_new) {
                items.push(with_reason(intent, item));
            }
        }
        let found = self.uses_of(&items)?;
        let is_left = |it: &UnbuiltUse| {
            let text = self.world.read(&it.path).ok().flatten();
            let at = (it.line as usize).saturating_sub(1);
            let line = text.as_ref().and_then(|it| it.text.lines().nth(at)).unwrap_or_default();
            let is_same = |after: &str| after.lines().any(|it| it == line);
            in_progress.is_old_line(&it.path, line)
                && change.get(&it.path).is_none_or(|it| is_same(it.after_text()))
        };
        let rows = found.into_iter().filter(is_left).map(LeftRow::from);
        let mut rows: Vec<LeftRow> = rows.collect();
        let mut seen = SortedSet::new();
        rows.retain(|it| seen.insert((it.path.clone(), it.line)));
        Ok(rows)
    }

    fn uses_of(&self, items: &[ChangedItem]) -> Result<Vec<UnbuiltUse>, AgentError> {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        let ladder = Ladder {
            test_code: self.tests() != Tests::None,
            ..self.world.ladder(self.tests(), None)
        };
        let why: Vec<&str> = items.iter().map(|it| it.why.as_str()).collect();
        self.world.look("unbuilt uses", &why.join("; "), |workspace| {
            let Some(built) = self.built_code(&ladder)? else { return Ok(Vec::new()) };
            let (present, former): (Vec<&ChangedItem>, Vec<&ChangedItem>) =
                items.iter().partition(|it| it.item.now.as_ref() == Some(&it.item.from));
            let all: Vec<FormerItem> = present.iter().map(|it| it.item.clone()).collect();
            let names = tools::present_names(self.ctx, workspace, &all)?.into_iter();
            let mut found: Vec<(&ChangedItem, (Renaming, CodePlaces))> = present
                .into_iter()
                .zip(names)
                .filter_map(|(it, names)| Some((it, names?)))
                .collect();
            for it in former {
                found.push((it, tools::former_names(self.ctx, workspace, &it.item)?));
            }
            let of = |(it, (mut names, places)): (&ChangedItem, (Renaming, CodePlaces))| {
                names.leave_unseen(places.unseen(&names, &built));
                it.uses(&names)
            };
            Ok(found.into_iter().flat_map(of).collect())
        })
    }
}

impl ChangedItem {
    /// The uses and the definitions for other builds.
    fn uses(&self, names: &Renaming) -> Vec<UnbuiltUse> {
        let name = &self.item.from;
        let is_present = self.item.now.as_ref() == Some(name);
        let is_open = |it: &RenameSite| {
            let is_import = matches!(
                it.shape,
                SiteShape::Bare { in_use: true, .. } | SiteShape::Qualified { in_use: true, .. }
            );
            let is_call = matches!(it.shape, SiteShape::MethodCall { on_self: false });
            // A method of the standard library may be meant.
            let is_common = is_call && repair::is_std_method(name);
            let is_code = matches!(it.region, SiteRegion::Code | SiteRegion::MacroBody);
            is_code && !is_common && !(is_present && is_import)
        };
        let found = names.unproven_sites(true).into_iter().filter(|it| is_open(it.0));
        found
            .map(|(site, of)| UnbuiltUse {
                path: of.path,
                line: of.line,
                what: match site.shape {
                    SiteShape::Definition => format!("`{name}` for other builds is as before"),
                    _ => of.what,
                },
                unproven: of.why,
                why: self.why.clone(),
            })
            .collect()
    }
}

impl From<UnbuiltUse> for LeftRow {
    fn from(it: UnbuiltUse) -> Self {
        Self {
            path: it.path.to_string(),
            line: it.line,
            what: it.what,
            why: it.why,
            edited: false,
            unproven: Some(it.unproven),
            in_comment: false,
        }
    }
}

/// The item whose signature or type an intent has changed, under its present name.
fn resigned(intent: &Intent) -> Option<FormerItem> {
    let of = match &intent.what {
        What::ParameterAdded { of, .. }
        | What::ParameterRemoved { of, .. }
        | What::Retyped { of, .. }
        | What::Head { of, .. } => of,
        What::Renamed { .. } | What::Moved { .. } | What::Removed(_) | What::Added { .. } => {
            return None;
        }
    };
    Some(FormerItem {
        kind: RenameKind::of_kind(of.kind, !of.owner.is_empty()),
        owner: of.owner.clone(),
        from: of.name.clone(),
        to: None,
        now: Some(of.name.clone()),
        place: (intent.path.clone(), intent.line),
    })
}

/// The lines that a change has written.
fn changed_lines(change: &Overlay) -> impl Iterator<Item = &str> {
    change.changes().flat_map(|(_, file)| {
        let before: SortedSet<&str> = file.before_text().lines().collect();
        file.after_text().lines().filter(move |it| !before.contains(it))
    })
}
