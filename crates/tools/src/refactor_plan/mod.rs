//! Refactorings that start from a request: the item that the user names, found in the map and the texts.
//!
//! [`rename_plan`] returns a [`RenamePlan`], [`reshape_plan`] a [`ReshapeDraft`], [`relocation_plan`] a
//! [`RelocationDraft`], [`inline_plan`] an [`InlineDraft`]; `agent` proves them.
//! Nothing is written here.

mod alternatives;
mod code_places;
mod dropped_input;
mod family;
mod fault;
mod find;
mod included;
mod inline;
mod known;
mod modules;
mod old_names;
mod reexports;
mod relocate;
mod reshape;
mod run_time_name;
mod siblings;

use std::sync::Arc;

use base::{ByteSpan, Ctx, ProjectPath, SortedMap, SortedSet};
use code::CurrentMap;
use edit::Files as _;
use project::Workspace;
use refactor::{DocPage, RenameKind, Renaming, RunTimeName, SiteKey};
use syntax::places::{Definition, Places, places};

use self::fault::RefactorFault;
use crate::Error;

pub use code_places::CodePlaces;
pub use inline::{InlineDraft, inline_plan};
pub use old_names::{FormerItem, former_names, present_names};
pub use relocate::{RelocationDraft, relocation_plan};
pub use reshape::{ReshapeDraft, reshape_plan};
pub use siblings::sibling_names;

/// A rename before its proof.
pub struct RenamePlan {
    /// The tokens of the old name with verdicts.
    pub renaming: Renaming,
    /// Files that move with a module: old and new path.
    pub moves: Vec<(ProjectPath, ProjectPath)>,
    /// The item: ``method `S::get` ``.
    pub item: String,
    /// Line of the definition, from 1.
    pub line: u32,
    /// Notes for the user: what a rename changes outside of names.
    pub notes: Vec<String>,
    /// The old name as texts write it, where a derive uses it at run time.
    pub run_time: Option<RunTimeName>,
    /// The code that the tokens are in.
    pub places: CodePlaces,
    /// Names of the crates that code outside of the project may reach the item by.
    pub crates: Vec<String>,
}

/// One Rust file of the project.
pub(crate) struct SourceText {
    pub(crate) path: ProjectPath,
    pub(crate) text: Arc<str>,
    /// Read when the file is asked for.
    places: std::cell::OnceCell<Places>,
}

impl SourceText {
    pub(crate) fn places(&self) -> &Places {
        self.places.get_or_init(|| places(&self.text))
    }

    pub(crate) fn definitions(&self) -> &[Definition] {
        &self.places().definitions
    }

    pub(crate) fn slice(&self, span: ByteSpan) -> &str {
        span.slice(&self.text).unwrap_or("")
    }

    pub(crate) fn line(&self, at: usize) -> u32 {
        base::LineIndex::new(&self.text).line_of(at)
    }
}

/// A reader of the files that a text names, each with the place.
type Includes = fn(&ProjectPath, &str, &SortedSet<ProjectPath>) -> Vec<(ProjectPath, usize)>;

/// The texts and the map of the present tree.
pub(crate) struct RefactorContext<'a> {
    pub(crate) map: CurrentMap<'a>,
    pub(crate) sources: Vec<SourceText>,
    /// All files of the project.
    pub(crate) files: SortedSet<ProjectPath>,
    /// Included files without the extension of Rust files, with the place that includes them.
    pub(crate) included: SortedMap<ProjectPath, SiteKey>,
    /// Pages that documentation includes, with the place that includes them.
    pub(crate) pages: SortedMap<ProjectPath, SiteKey>,
    page_texts: Vec<DocPage>,
}

impl<'a> RefactorContext<'a> {
    fn open(ctx: &Ctx, workspace: &'a Workspace) -> Result<Self, Error> {
        let map = CurrentMap::open(ctx, workspace)?;
        let project = workspace.project();
        let files: SortedSet<ProjectPath> = project.snapshot(ctx)?.files.into_keys().collect();
        // A file that a module includes is Rust under any name.
        let is_mapped = |it: &ProjectPath| map.map().file_by_path(it.as_str()).is_some();
        let rust = files.iter().filter(|it| it.extension() == Some("rs") || is_mapped(it));
        let read = |path: &ProjectPath| {
            let text = project.read(path).ok().flatten()?.text;
            Some(SourceText { path: path.clone(), text, places: std::cell::OnceCell::new() })
        };
        let mut sources: Vec<SourceText> = rust.filter_map(read).collect();
        let named_by = |reader: Includes| -> SortedMap<ProjectPath, SiteKey> {
            let by = |source: &SourceText| {
                let found = reader(&source.path, &source.text, &files).into_iter();
                let own = source.path.clone();
                found.map(move |(path, at)| (path, (own.clone(), at))).collect::<Vec<_>>()
            };
            let all = sources.iter().flat_map(by);
            all.filter(|(path, _)| path.extension() != Some("rs")).collect()
        };
        let (included, pages) = (named_by(included::included), named_by(included::pages));
        sources.extend(included.keys().filter_map(read));
        let page = |(path, (by, at)): (&ProjectPath, &SiteKey)| {
            let page = read(path)?;
            let line = sources.iter().find(|it| it.path == *by)?.line(*at);
            Some(DocPage { path: page.path, text: page.text, by: (by.clone(), line) })
        };
        let page_texts = pages.iter().filter_map(page).collect();
        Ok(Self { map, sources, files, included, pages, page_texts })
    }

    /// The texts by their files.
    fn texts(&self) -> Vec<(ProjectPath, Arc<str>)> {
        self.sources.iter().map(|it| (it.path.clone(), Arc::clone(&it.text))).collect()
    }

    pub(crate) fn source(&self, path: &str) -> Option<&SourceText> {
        self.sources.iter().find(|it| it.path.as_str() == path)
    }
}

/// Finds `item` and all tokens of its name.
///
/// # Errors
/// [`CodeError::NoItem`](code::CodeError::NoItem), [`CodeError::Ambiguous`](code::CodeError::Ambiguous), or [`Error::NotRenamed`] with the reason.
pub fn rename_plan(
    ctx: &Ctx,
    workspace: &Workspace,
    item: &str,
    to: &str,
) -> Result<RenamePlan, Error> {
    let refuse = |fault: RefactorFault| Error::NotRenamed {
        item: item.to_owned(),
        reason: fault.to_string(),
    };
    refactor::check_name(to)
        .map_err(|bad| Error::BadName { name: to.to_owned(), reason: bad.to_string() })?;
    let context = RefactorContext::open(ctx, workspace)?;
    let named = find::find(&context, item)?;
    if named.name() == to.trim_start_matches("r#") {
        return Err(refuse(RefactorFault::SameName));
    }
    if let Some(definition) = named.definition() {
        family::is_renameable(named.source, definition).map_err(refuse)?;
    }
    let family = family::family(&context, &named).map_err(refuse)?;
    if let Some(at) = family.collision(&context, to) {
        return Err(refuse(RefactorFault::Exists { to: to.to_owned(), at }));
    }
    let moves = modules::moves(&context, &family, to).map_err(refuse)?;
    let target = family.target(&named, to);
    let known = match named.kind() {
        RenameKind::Generic => refactor::KnownSites::default(),
        _ => known::known(&context, &family.items, &target.from),
    };
    let files = context.texts();
    let notes = family.notes(&context, &named, Some(to));
    let run_time = run_time_name::changed(&named, to);
    let shown = named.to_string();
    let renaming = Renaming::with_pages(target, &known, &files, context.page_texts.clone());
    let places = CodePlaces::of(&context, &renaming);
    let line = named.line();
    let crates = relocate::roots(&context).into_iter().filter(|it| it.is_library);
    let crates = crates.map(|it| it.name).collect();
    Ok(RenamePlan { renaming, moves, item: shown, line, notes, run_time, places, crates })
}
