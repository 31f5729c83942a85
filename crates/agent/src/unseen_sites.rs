//! The places of an old name that no proof covers, and the configurations that cover more of them.
//! Start at [`Task::widen`] and [`Task::left_names`].

use check::{BuiltCode, Ladder, Scope, Tests};
use refactor::{Renaming, UnprovenName};
use tools::CodePlaces;

use crate::task::Task;
use crate::{AgentError, LeftRow, TaskStep};

impl Task<'_> {
    /// Chooses the further configurations that a change of `uses` is checked in: those that build code
    /// with the name which the others leave out, or names of other crates that the library of the item
    /// passes on, if the tree builds in them. Records in `uses` the tokens that none builds.
    pub(crate) fn widen(
        &mut self,
        uses: &mut Renaming,
        places: &CodePlaces,
        ladder: &Ladder,
    ) -> Result<Vec<Scope>, AgentError> {
        let Some(mut built) = self.note_unseen(uses, places, ladder)? else {
            return Ok(Vec::new());
        };
        // Whether the tests with the name build at all decides what a proof of them is worth, and a build script
        // has to run before its flags are known.
        let seen = places.unseen(uses, &built).len();
        let is_open = uses.has_unseen() && built.misses_flags();
        if is_open || places.unseen(uses, &built.without_tests()).len() != seen {
            self.enter(TaskStep::Check, "the tree as it is");
            let alone = checked_alone(ladder);
            self.world.baseline(&alone)?;
            let Some(known) = self.note_unseen(uses, places, ladder)? else {
                return Ok(Vec::new());
            };
            built = known;
        }
        let mut more = Vec::new();
        let scope = &self.world.settings().check_scope;
        let is_chosen =
            scope.all_features || scope.no_default_features || !scope.features.is_empty();
        if is_chosen {
            return Ok(more);
        }
        let all = Scope { all_features: true, ..scope.clone() };
        let none = Scope { no_default_features: true, ..scope.clone() };
        for further in [all, none] {
            if !uses.has_unseen() && places.unseen_reexports(&built) == 0 {
                break;
            }
            let count = |uses: &Renaming, built: &BuiltCode| {
                places.unseen(uses, built).len() + places.unseen_reexports(built)
            };
            let without = count(uses, &built);
            if count(uses, &built.with(further.clone())) == without {
                continue;
            }
            self.enter(TaskStep::Check, format!("the tree with `{further}`"));
            more.push(further);
            let with_more = Ladder { more: more.clone(), ..ladder.clone() };
            // Features that exclude each other are left to the list of what nothing proves.
            let passed = self.world.baseline(&checked_alone(&with_more))?.passed();
            match self.note_unseen(uses, places, &with_more)? {
                Some(wider) if passed && count(uses, &wider) < without => built = wider,
                _ => {
                    more.pop();
                    uses.leave_unseen(places.unseen(uses, &built));
                }
            }
        }
        Ok(more)
    }

    /// Records in `uses` the tokens that a check with this ladder does not build.
    pub(crate) fn note_unseen(
        &self,
        uses: &mut Renaming,
        places: &CodePlaces,
        ladder: &Ladder,
    ) -> Result<Option<BuiltCode>, AgentError> {
        let built = self.built_code(ladder)?;
        if let Some(built) = &built {
            uses.leave_unseen(places.unseen(uses, built));
        }
        Ok(built)
    }

    /// The code that a check with this ladder builds; `None` if cargo cannot read the manifests.
    pub(crate) fn built_code(&self, ladder: &Ladder) -> Result<Option<BuiltCode>, AgentError> {
        let prover = self.world.workspace()?.prover(self.ctx)?;
        prover.built_code(self.ctx, ladder).map_err(tools::Error::from)
    }

    /// The rows of a change of `uses`: the places that no proof covers, and texts with the old name.
    /// `why` is the change in one line; `examples`: whether the tests have run the documentation's.
    pub(crate) fn left_names(
        &self,
        uses: &Renaming,
        (why, examples): (&str, bool),
    ) -> Result<Vec<LeftRow>, AgentError> {
        let texts = self.other_texts()?;
        let mut found = uses.unproven(examples);
        for it in uses.in_texts(&texts) {
            // A comment on a line that is listed adds nothing.
            let is_it =
                |of: &UnprovenName| !of.edited && (&of.path, of.line) == (&it.path, it.line);
            if !found.iter().any(is_it) {
                found.push(it);
            }
        }
        Ok(found.into_iter().map(|it| LeftRow::unproven(it, why)).collect())
    }

    /// The first place of each file where the item is named outside of the `cfg` that it is behind; `why` is
    /// the change in one line.
    pub(crate) fn ungated_names(
        &self,
        (uses, places): (&Renaming, &CodePlaces),
        ladder: &Ladder,
        why: &str,
    ) -> Result<Vec<LeftRow>, AgentError> {
        let Some(built) = self.built_code(ladder)? else { return Ok(Vec::new()) };
        let mut rows: Vec<LeftRow> = Vec::new();
        for ((path, at), gate) in places.ungated(uses, &built) {
            if rows.last().is_some_and(|it| it.path == path.as_str()) {
                continue;
            }
            let text = edit::Files::read(&*self.world, &path).ok().flatten();
            let line = text.map_or(0, |it| base::LineIndex::new(&it.text).line_of(at));
            rows.push(LeftRow {
                path: path.to_string(),
                line,
                what: format!(
                    "`{}` outside of `cfg({gate})`, which the item is behind",
                    uses.target().from
                ),
                why: why.to_owned(),
                edited: true,
                unproven: Some("where it is off, the name means something else".to_owned()),
                in_comment: false,
            });
        }
        Ok(rows)
    }
}

/// The check rung of a ladder, for the tree without a change.
fn checked_alone(ladder: &Ladder) -> Ladder {
    Ladder {
        tests: Tests::None,
        format: false,
        clippy: false,
        late_baseline: false,
        ..ladder.clone()
    }
}

impl LeftRow {
    /// A place of an old name that nothing proves, after the change `why`.
    pub(crate) fn unproven(found: UnprovenName, why: &str) -> Self {
        Self {
            path: found.path.to_string(),
            line: found.line,
            what: found.what,
            why: why.to_owned(),
            edited: found.edited,
            unproven: Some(found.why),
            in_comment: found.in_comment,
        }
    }
}
