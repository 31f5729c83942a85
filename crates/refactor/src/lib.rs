//! Refactorings that start from a request: an item renamed ([`Renaming`]), moved to another module
//! ([`Relocation`]), inlined ([`Inlining`]) or given another signature ([`Reshaping`]); and what they share
//! with the propagation of changes: imports, impl heads, lists in brackets.
//!
//! Invariants: pure; any text is accepted; the same input gives the same output. Nothing is proven here: a
//! plan counts only after the caller has checked it. Start at [`Renaming`]: it decides which tokens are
//! uses.

mod impl_head;
mod import_place;
mod inline;
mod list;
mod module_item;
mod name_words;
mod relocate;
mod rename;
mod reshape;
mod text;
mod use_item;

pub use impl_head::{ImplHead, angle_elements, closed, heads};
pub use import_place::{comments_start, import_place};
pub use inline::{
    FunctionReceiver, InlineFault, InlineFunction, InlinePlan, Inlining, TypeQuestions, grouped,
    is_one_expression, is_operation, path_span,
};
pub use list::{ElementList, line_break, with_field};
pub use module_item::{module_declarations, module_parents};
pub use name_words::words;
pub use relocate::{
    CrateRoot, ManualMove, ManuallyMoved, RelocateFault, Relocation, RelocationLesson, indent_of,
    left_imports, with_styled_imports,
};
pub use rename::{
    BadName, DocPage, FailedExample, KnownSites, ListedUses, MadeOfName, PassedName, RenameKind,
    RenameSite, RenameTarget, Renaming, RunTimeName, SiteKey, SiteRegion, SiteShape, SiteVerdict,
    UnprovenName, check_name, comment_mentions, examples_name, is_named_after,
};
pub use reshape::{
    ArgumentChange, BadRequest, ExampleCall, NewPart, Obstacle, PartPlace, Reshape, ReshapePlan,
    Reshaping, example_calls, is_pure,
};
pub use text::{
    PlacedText, line_start, lines_around, needs_space, outermost, quoted, spelled, type_head,
    whole_lines,
};
pub use use_item::{
    UseItem, UseLeaf, before_attributes, before_visibility, imported_paths, imports_of,
    without_import, without_imports,
};
