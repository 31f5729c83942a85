//! A changed definition that starts from a request: a parameter or field more, less, elsewhere or of
//! another type, with the calls, literals and patterns that follow from the words alone.
//!
//! [`Reshaping::new`] checks the request against the definition; [`Reshaping::plan`] returns the edits
//! of the definitions (of a trait's method those in the trait and all its impls) and of the uses, and
//! as [`Obstacle`]s the places that cannot follow. Which tokens are uses is decided by
//! [`Renaming`](crate::Renaming) with the map and the compiler. What the words leave open, such as
//! the value of a new parameter, `change::propagate` finds from the errors.

mod definition;
mod example_calls;
mod fault;
mod purity;
mod request;
mod uses;
mod view;

use base::{ByteSpan, LineIndex, ProjectPath, SortedSet};
use edit::{Splice, TextEdit};
use preserve::{ListChange, Relisting};
use syntax::places::{Definition, DefinitionKind, PartKind};

use crate::relocate::left_import_spans;
use crate::rename::Source;
use crate::use_item::without_imports;
use crate::{RenameSite, Renaming, SiteKey, SiteRegion, SiteVerdict};

pub use example_calls::{ArgumentChange, ExampleCall, example_calls};
pub(crate) use purity::is_captured;
pub use purity::is_pure;
use request::TypedPart;
pub use request::{BadRequest, NewPart, PartPlace, Reshape};

/// A place that cannot follow the change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obstacle {
    /// Its file.
    pub path: ProjectPath,
    /// Its line, from 1.
    pub line: u32,
    /// Why it cannot.
    pub reason: String,
}

/// The edits of a changed definition and of its uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReshapePlan {
    /// The edits, by path and position.
    pub splices: Vec<(ProjectPath, Splice)>,
    /// The places that cannot follow; the change is right only without any.
    pub obstacles: Vec<Obstacle>,
    /// Number of uses that the edits change.
    pub uses: usize,
    /// The tokens of the name whose uses the edits change.
    pub changed: SortedSet<SiteKey>,
    /// Whether examples in the documentation are among them.
    pub has_examples: bool,
}

/// How a list of parameters changes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ListEdit {
    /// One more at this index.
    Insert {
        at: usize,
        /// The parameter as written in the definition, without visibility.
        parameter: String,
        name: String,
        /// The argument; `None` if each call needs its own.
        value: Option<String>,
    },
    /// One less.
    Remove { at: usize },
    /// The old index of each new parameter.
    Order(Vec<usize>),
}

/// The change of one part of the definition.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Edit {
    List(ListEdit),
    /// Another type; `from` is empty if none was written.
    Type {
        part: TypedPart,
        from: String,
        to: String,
    },
    Field {
        name: String,
        ty: String,
        value: Option<String>,
    },
}

/// A change of a definition, checked against it.
pub struct Reshaping {
    /// The tokens that name the item.
    pub uses: Renaming,
    edit: Edit,
    kind: DefinitionKind,
    /// Number of parameters before.
    count: usize,
    /// Whether the function has `self`.
    has_receiver: bool,
    /// Whether each parameter is a number or a truth value.
    numbers: Vec<bool>,
    summary: String,
}

impl Reshaping {
    /// The change of the definition `named`, which is one of those of `uses`.
    ///
    /// # Errors
    /// Why the definition cannot be changed in this way.
    pub fn new(change: &Reshape, uses: Renaming, named: &SiteKey) -> Result<Self, BadRequest> {
        let found = uses.source(&named.0).and_then(|source| {
            let mut all = source.places.definitions.iter();
            all.find(|it| it.name_span.start == named.1).map(|it| (source, it))
        });
        let Some((source, definition)) = found else { return Err(BadRequest::NoDefinition) };
        let (edit, summary) = request::edit(change, source, definition)?;
        let kind = definition.kind;
        let count = parameters(definition).count();
        let has_receiver = definition.parts.iter().any(|it| it.kind == PartKind::Receiver);
        let ty = |it: Option<ByteSpan>| it.and_then(|it| it.slice(&source.text)).unwrap_or("");
        let numbers = parameters(definition).map(|it| purity::is_number(ty(it.ty))).collect();
        Ok(Self { uses, edit, kind, count, has_receiver, numbers, summary })
    }

    /// The change in one line, after the name of the item.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Whether calls that were missed could build: then a proof with [`counted`](Self::counted) shows
    /// that none was.
    pub fn is_silent(&self) -> bool {
        matches!(self.edit, Edit::List(ListEdit::Order(_)))
    }

    /// Whether nothing but the definition and its uses changes, so that a tree that does not build
    /// refutes the change.
    pub fn is_complete(&self) -> bool {
        match &self.edit {
            Edit::List(ListEdit::Insert { value, .. }) | Edit::Field { value, .. } => {
                value.is_some()
            }
            Edit::List(_) => true,
            Edit::Type { .. } => false,
        }
    }

    /// What the edits are declared to change only, for the preservation rule.
    pub fn relisting(&self) -> Option<Relisting> {
        let pattern = || "_".to_owned();
        let change = match &self.edit {
            Edit::List(ListEdit::Insert { parameter, value, .. }) => {
                let value = value.clone();
                ListChange::Added([parameter.clone(), pattern()].into_iter().chain(value).collect())
            }
            Edit::List(ListEdit::Remove { at }) => ListChange::Removed(*at),
            Edit::List(ListEdit::Order(order)) => ListChange::Ordered(order.clone()),
            Edit::Field { name, ty, value } => {
                let value = value.as_deref().unwrap_or_default();
                let texts = [ty.as_str(), "_", value].map(|it| format!("{name}: {it}"));
                ListChange::Added(texts.into_iter().chain([name.clone()]).collect())
            }
            Edit::Type { .. } => return None,
        };
        let name = self.uses.target().from.clone();
        Some(Relisting { name, change })
    }

    /// The edits and what prevents them.
    pub fn plan(&self) -> ReshapePlan {
        self.planned(false)
    }

    /// The edits with one more parameter of type `()` and its argument: a tree that builds with them
    /// has no call that was missed, and none that was changed by mistake.
    pub fn counted(&self) -> ReshapePlan {
        self.planned(true)
    }

    fn planned(&self, counted: bool) -> ReshapePlan {
        let mut plan = ReshapePlan::default();
        for source in self.uses.sources() {
            for it in self.members(source) {
                definition::definition(self, source, it, counted, &mut plan);
            }
        }
        if self.is_complete() && plan.obstacles.is_empty() {
            for source in self.uses.sources() {
                uses::uses(self, source, counted, &mut plan);
            }
        }
        uses::quoted(self, &mut plan);
        if self.is_silent() {
            plan.obstacles.extend(self.doubts());
        }
        plan.splices.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
        plan.splices.dedup();
        if matches!(self.edit, Edit::List(ListEdit::Remove { .. })) && !counted {
            self.remove_left_imports(&mut plan);
        }
        plan.obstacles.sort();
        plan.obstacles.dedup();
        plan
    }

    /// Removes the imports that only what goes has used.
    fn remove_left_imports(&self, plan: &mut ReshapePlan) {
        let mut more: Vec<(ProjectPath, Splice)> = Vec::new();
        for source in self.uses.sources().iter().filter(|it| !it.is_page) {
            let own = plan.splices.iter().filter(|it| it.0 == source.path).map(|it| it.1.clone());
            let own: Vec<Splice> = own.collect();
            let now = TextEdit::new(&source.text, &own).ok();
            let now = now.filter(|_| !own.is_empty()).and_then(|it| it.apply(&source.text));
            let Some(now) = now else { continue };
            let left = left_import_spans(&source.text, &now);
            let removed = without_imports(&source.text, left).into_iter();
            more.extend(removed.map(|it| (source.path.clone(), it)));
        }
        plan.splices.extend(more);
        plan.splices.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
    }

    /// The places that may be uses, in code that a check does not build by default.
    fn doubts(&self) -> Vec<Obstacle> {
        let is_unbuilt = |path: &ProjectPath| {
            path.as_str().split('/').any(|it| matches!(it, "examples" | "benches"))
        };
        let kind = self.uses.target().kind;
        let open = self.uses.sites().iter().filter(|it| {
            let is_open = matches!(it.verdict, SiteVerdict::Likely | SiteVerdict::Unlikely);
            is_open && it.region == SiteRegion::Code && it.shape.is_use_of(kind)
        });
        let unbuilt = open.filter(|it| is_unbuilt(&it.path));
        let source = |it: &RenameSite| self.uses.source(&it.path);
        unbuilt
            .filter_map(|it| {
                let reason = "it may be a call, and the check does not build it";
                Some(obstacle(source(it)?, it.span.start, reason))
            })
            .collect()
    }

    /// The definitions in a file that change together.
    fn members<'s>(&self, source: &'s Source) -> impl Iterator<Item = &'s Definition> {
        let own: Vec<usize> = {
            let all = self.uses.target().definitions.iter();
            all.filter(|(path, _)| *path == source.path).map(|(_, at)| *at).collect()
        };
        source.places.definitions.iter().filter(move |it| own.contains(&it.name_span.start))
    }
}

/// The parameters of a definition, without `self`.
fn parameters(of: &Definition) -> impl Iterator<Item = &syntax::places::DefinitionPart> {
    of.parts.iter().filter(|it| it.kind == PartKind::Parameter)
}

fn obstacle(source: &Source, at: usize, reason: impl Into<String>) -> Obstacle {
    let line = LineIndex::new(&source.text).line_of(at);
    Obstacle { path: source.path.clone(), line, reason: reason.into() }
}

#[cfg(test)]
mod tests;
