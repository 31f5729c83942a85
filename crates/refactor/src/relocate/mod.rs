//! An item moves to another module of its crate: its text, its imports, and every path to it.
//!
//! [`Relocation::new`] reads the modules of the workspace from `mod` and `use` declarations and makes
//! the whole plan. The text of the item moves byte for byte; only paths that are relative to its
//! module and visibilities that no longer suffice change. A `pub use` stays in the old module if other
//! crates can name the item there. [`Relocation::learn`] corrects the plan from what the compiler
//! reports: names and traits that are missing, private members, imports that are no longer used.

mod apply;
mod assemble;
mod fault;
mod layout;
mod learn;
mod links;
mod manual;
mod modules;
mod name_edits;
mod needs;
mod pieces;
mod placing;
mod prelude;
mod request;
mod restyled;
mod scope;
mod style;
mod supply;
#[cfg(test)]
mod tests;
mod unused;
mod users;
mod uses;

use std::sync::Arc;

use base::{ProjectPath, SortedMap};
use edit::Splice;
use preserve::MovedItem;

pub(crate) use fault::NameFault;
pub use fault::RelocateFault;
pub use layout::indent_of;
pub(crate) use layout::{indented, removals};
pub use learn::RelocationLesson;
pub use manual::{ManualMove, ManuallyMoved};
pub use modules::CrateRoot;
use modules::visibility;
pub(crate) use name_edits::Modules;
use needs::Head;
use pieces::{Pieces, pieces};
use request::Request;
pub use restyled::with_styled_imports;
use scope::Scopes;
pub(crate) use supply::replaced;
use supply::{Ends, Origin, Supply, reach};
pub(crate) use unused::left_import_spans;
pub use unused::left_imports;
use users::{Finder, Public, Uses};

use crate::SiteKey;

/// The plan of a move.
pub struct Relocation {
    /// The edits, by path and position.
    pub splices: Vec<(ProjectPath, Splice)>,
    /// Path of the old module.
    pub from: String,
    /// Path of the new module.
    pub to: String,
    /// Whether a `pub use` stays in the old module.
    pub re_export: bool,
    /// Number of impls that move with the item.
    pub impls: usize,
    /// Number of places outside of it that have another path or import.
    pub uses: usize,
    /// Whether examples in the documentation are among them.
    pub has_examples: bool,
    /// Visibilities that are wider, one line each.
    pub widened: Vec<String>,
    /// What the preservation rule has to compare.
    pub declared: MovedItem,
    /// What later corrections need.
    state: learn::Known,
}

impl Relocation {
    /// Plans the move of the item whose name is at `item` to the module that `to` names: a path
    /// (`crate::a::b`, `a::b`, `super::b`) or a file.
    ///
    /// # Errors
    /// Why it cannot move there.
    pub fn new(
        item: &SiteKey,
        to: &str,
        files: &[(ProjectPath, Arc<str>)],
        roots: &[CrateRoot],
    ) -> Result<Self, RelocateFault> {
        let scopes = Scopes::of(files, roots);
        let request = Request::read(&scopes, item, to)?;
        let pieces = pieces(&scopes, &request.from, request.file, request.definition)?;
        request.check(&scopes, &pieces)?;
        let name = request.definition.name.clone();
        let (from, to) = (request.from.clone(), request.to.clone());
        let ends = Ends { scopes: &scopes, from: &from, to: &to, name: &name };
        let public = public(&ends, request.definition, request.file);
        let finder = Finder { ends: &ends, pieces: &pieces, public, found: Uses::default() };
        let uses = finder.run();
        let heads = heads(&scopes, &pieces);
        let mut supplies = ends.supplies(&heads);
        supplies.extend(ends.hidden(&request, &heads, &pieces.texts(&scopes))?);
        let plan = Plan {
            supplies,
            ends: &ends,
            request: &request,
            pieces: &pieces,
            heads: &heads,
            public,
            uses,
        };
        let applied = plan.apply()?;
        let state = learn::State {
            roots: roots.to_vec(),
            from: from.clone(),
            to: to.clone(),
            name: name.clone(),
            copied: applied.copied,
            copied_paths: applied.copied_paths,
        };
        Ok(Self {
            splices: applied.splices,
            from: from.to_string(),
            to: to.to_string(),
            re_export: public.old_stays,
            impls: pieces.impls,
            uses: applied.uses,
            has_examples: applied.has_examples,
            widened: applied.widened,
            declared: applied.declared,
            state: state.with(scopes),
        })
    }
}

/// Everything that a plan is made from.
struct Plan<'p> {
    ends: &'p Ends<'p>,
    request: &'p Request<'p>,
    pieces: &'p Pieces,
    /// The names that the moved text uses, with their positions in the file.
    heads: &'p SortedMap<String, Head>,
    supplies: Vec<Supply<'p>>,
    public: Public,
    uses: Uses,
}

/// Whether other crates can name the item in its old and its new module.
fn public(ends: &Ends<'_>, of: &syntax::places::Definition, file: usize) -> Public {
    let (scopes, from) = (ends.scopes, ends.from);
    let is_pub = visibility(scopes.file(file), of).as_deref() == Some("pub");
    // A `pub use old::*` makes the members of a private module public.
    let has_glob = scopes.tree.modules.keys().filter(|it| it.krate == from.krate).any(|module| {
        scopes.leaves_of(module).any(|(item, leaf)| {
            item.visibility.trim() == "pub"
                && leaf.is_glob()
                && scopes.resolve(module, &leaf.names(), leaf.is_global).as_ref() == Some(from)
        })
    });
    Public {
        old_stays: is_pub && (scopes.tree.is_public(from) || has_glob),
        new_is_public: is_pub && scopes.tree.is_public(ends.to),
    }
}

/// The names that the moved texts use, with their positions in the file.
fn heads(scopes: &Scopes, pieces: &Pieces) -> SortedMap<String, Head> {
    let file = scopes.file(pieces.file);
    let mut found: SortedMap<String, Head> = SortedMap::new();
    for span in &pieces.spans {
        for (name, head) in needs::heads(file.slice(*span)) {
            let all = found.entry(name).or_default();
            all.is_macro |= head.is_macro;
            let moved = head
                .spans
                .iter()
                .map(|it| base::ByteSpan::new(it.start + span.start, it.end + span.start));
            all.spans.extend(moved);
        }
    }
    found
}
