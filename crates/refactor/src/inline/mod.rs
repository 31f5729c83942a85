//! An item goes into its uses: a function or method into its calls, a constant or type alias into the
//! places that name it.
//!
//! [`Inlining::new`] reads the definition and refuses what cannot be kept anywhere; [`Inlining::plan`]
//! returns the edits, and as [`Obstacle`]s the uses that cannot follow. A call becomes the expression
//! that the body is, with the arguments in place of the parameters, where the text or the compiler
//! ([`Inlining::questions`]) shows that this means the same (`lean`, `in_place`); else a block that
//! binds the arguments with their types, in their order and once each, before the body (`block`). What
//! the body names means the same in the other module or is refused (`relocate::Modules`), and no name
//! of the calling function may capture it (`capture`). Which tokens are uses is decided by
//! [`Renaming`](crate::Renaming) with the map and the compiler.

mod block;
mod call;
mod callee;
mod capture;
mod closures;
mod context;
mod expression;
mod fault;
mod function;
mod guards;
mod in_place;
mod last_value;
mod lean;
mod plan;
mod question;
mod scope;
mod site;
mod value;
mod with_types;

pub use block::{grouped, is_operation};
pub use fault::InlineFault;
pub use function::{FunctionReceiver, InlineFunction};
pub use question::TypeQuestions;
pub use site::path_span;

use std::sync::Arc;

use base::{Diagnostic, ProjectPath, SortedMap, SortedSet};
use edit::{Overlay, Splice};
use syntax::places::{Definition, DefinitionKind};

use self::call::Style;
use self::question::Certain;
use crate::import_place::comments_start;
use crate::relocate::Modules;
use crate::rename::Source;
use crate::{CrateRoot, ListedUses, Obstacle, Renaming, SiteKey};

/// Whether the body of a function is one expression that is no block.
pub fn is_one_expression(body: &str) -> bool {
    block::single(body) == Some(false)
}

/// The edits of an item that goes into its uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlinePlan {
    /// The edits, by path and position.
    pub splices: Vec<(ProjectPath, Splice)>,
    /// The uses that cannot follow; the change is right only without any.
    pub obstacles: Vec<Obstacle>,
    /// Number of uses that the edits replace.
    pub uses: usize,
    /// Places that may be uses and stay as they are, by file and line.
    pub doubts: Vec<(ProjectPath, u32)>,
    /// Documentation that still names the item, by file and line.
    pub mentions: Vec<(ProjectPath, u32)>,
}

/// An item that goes into its uses, checked.
pub struct Inlining {
    /// The tokens that name the item.
    pub uses: Renaming,
    named: SiteKey,
    modules: Modules,
    /// Whether the definition stays.
    keep: bool,
    /// The uses that the compiler listed.
    listed: Option<SortedSet<SiteKey>>,
    /// Answers of the compiler about the values of calls.
    certain: SortedMap<SiteKey, Certain>,
}

impl Inlining {
    /// The definition `named`, which is the only one of `uses`; with `keep` it stays.
    ///
    /// # Errors
    /// Why no use of it can be replaced, or why it cannot go.
    pub fn new(
        uses: Renaming,
        named: &SiteKey,
        keep: bool,
        files: &[(ProjectPath, Arc<str>)],
        roots: &[CrateRoot],
    ) -> Result<Self, InlineFault> {
        let modules = Modules::of(files, roots);
        let inlining = Self {
            uses,
            named: named.clone(),
            modules,
            keep,
            listed: None,
            certain: SortedMap::new(),
        };
        let (source, definition) = inlining.definition().ok_or(InlineFault::NoDefinition)?;
        if inlining.uses.target().definitions.len() > 1 {
            return Err(InlineFault::SeveralDefinitions);
        }
        let is_of_trait = definition.of_trait.is_some()
            || source.places.definitions.iter().any(|it| {
                it.kind == DefinitionKind::Trait
                    && it.span.contains(definition.name_span)
                    && it != definition
            });
        if is_of_trait {
            return Err(InlineFault::TraitMember);
        }
        if !keep && inlining.modules.is_public(&source.path, definition) {
            return Err(InlineFault::Public);
        }
        function::check_attributes(source, definition)?;
        match definition.kind {
            DefinitionKind::Function => function::check(source, definition)?,
            DefinitionKind::Const | DefinitionKind::TypeAlias => value::check(source, definition)?,
            DefinitionKind::Macro => return Err(InlineFault::Macro),
            _ => return Err(InlineFault::OtherItem),
        }
        Ok(inlining)
    }

    /// Takes the uses that the compiler listed.
    pub fn confirm(&mut self, listed: &ListedUses) {
        self.uses.confirm(listed);
        self.listed = Some(listed.sites.clone());
    }

    /// Whether the definition stays.
    pub fn keeps(&self) -> bool {
        self.keep
    }

    /// Whether the definition has documentation, which goes with it.
    pub fn has_documentation(&self) -> bool {
        let head = self.definition().map_or("", |(source, it)| {
            let start = comments_start(&source.text, 0, it.span.start);
            source.slice(start..it.name_span.start)
        });
        head.lines().any(|it| it.trim_start().starts_with("///"))
    }

    /// The tree that asks the compiler for the types that the text does not show; `None` where no call
    /// needs a variable.
    pub fn questions(&self) -> Option<TypeQuestions> {
        let (plan, asked) = plan::plan(self, Style::Asked(0));
        (!asked.is_empty()).then_some(TypeQuestions { splices: plan.splices, asked })
    }

    /// Takes the answers that the diagnostics of the tree of the questions have.
    pub fn answer(
        &mut self,
        questions: &TypeQuestions,
        diagnostics: &[Diagnostic],
        overlay: &Overlay,
    ) {
        self.certain = questions.answers(diagnostics, overlay);
    }

    /// The edits and what prevents them: calls become the expression that the body is, where nothing
    /// shows that this means something else.
    pub fn plan(&self) -> InlinePlan {
        plan::plan(self, Style::Lean).0
    }

    /// The same with every argument and result in a variable with its type.
    pub fn plan_with_types(&self) -> InlinePlan {
        plan::plan(self, Style::Typed).0
    }

    fn definition(&self) -> Option<(&Source, &Definition)> {
        let source = self.uses.source(&self.named.0)?;
        let mut all = source.places.definitions.iter();
        Some((source, all.find(|it| it.name_span.start == self.named.1)?))
    }
}

#[cfg(test)]
mod tests;
