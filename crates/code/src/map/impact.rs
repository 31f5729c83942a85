//! `impact`: the items and tests that a change may affect.

use std::path::Path;

use base::{ByteSpan, Ctx, ItemKind, SortedSet};
use edit::Overlay;
use graph::{ItemView, Traversal};
use project::Workspace;
use project::stage;
use serde::Serialize;
use syntax::TddClass;

use super::walk::reached;
use super::{CountsCard, CurrentMap, EdgeCard, ItemCard, SiteCard};
use crate::CodeError;

/// The change to analyse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImpactOf {
    /// A change of this item.
    Item(String),
    /// An edit request in any format.
    Edit(String),
    /// The difference between the working tree and the last commit.
    Uncommitted,
}

impl ImpactOf {
    /// Parses the argument: the path of a file or `-` is an edit, any other text an item, and `None`
    /// the uncommitted changes. `text_of` reads the file.
    ///
    /// # Errors
    /// The error of `text_of`.
    pub fn of_argument<E>(
        argument: Option<&str>,
        text_of: impl FnOnce(&Path) -> Result<String, E>,
    ) -> Result<Self, E> {
        Ok(match argument {
            None => Self::Uncommitted,
            Some(argument) if argument == "-" || Path::new(argument).is_file() => {
                Self::Edit(text_of(Path::new(argument))?)
            }
            Some(argument) => Self::Item(argument.to_owned()),
        })
    }
}

/// Result of [`impact`], as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImpactAnswer {
    /// Changed items.
    pub changed: Vec<ItemCard>,
    /// Other items that the change may affect, nearest first.
    pub items: Vec<ItemCard>,
    /// The tests among changed and affected items.
    pub tests: Vec<ItemCard>,
    /// The edges to the affected items.
    pub edges: Vec<EdgeCard>,
    /// Proven and candidate edges.
    pub counts: CountsCard,
    /// Traits from outside the workspace through which the changed and affected items are called, too;
    /// such calls, and the tests that make them, are not in the map.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside_traits: Vec<String>,
    /// Places of the changed items' names in quoted code (`quote!`), which the map does not resolve.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quoted: Vec<SiteCard>,
    /// Changed files without items in the map: manifests, other text files, new files.
    pub other_files: Vec<String>,
    /// Files whose code is not in the map, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// Computes which items and tests a change may affect.
///
/// # Errors
/// An unknown item, a request that is not valid, or [`CodeError::NoCommit`].
pub fn impact(
    ctx: &Ctx,
    workspace: &Workspace,
    of: &ImpactOf,
    only_proven: bool,
) -> Result<ImpactAnswer, CodeError> {
    let current = CurrentMap::open(ctx, workspace)?;
    let mut other_files = Vec::new();
    let changed: SortedSet<u32> = match of {
        ImpactOf::Item(query) => {
            let members = current.map().with_members(&[current.one(query)?.number]);
            members.into_iter().collect()
        }
        ImpactOf::Edit(text) => {
            let (overlay, _) = stage(ctx, workspace, text)?;
            touched(&current, &overlay, &mut other_files)
        }
        ImpactOf::Uncommitted => {
            let overlay = workspace.project().head_overlay(ctx, workspace.sandbox())?;
            let overlay = overlay.ok_or(CodeError::NoCommit)?;
            touched(&current, &overlay, &mut other_files)
        }
    };
    let changed: Vec<u32> = changed.into_iter().collect();
    let impact = current.map().impact(&changed, &Traversal { only_proven, ..Traversal::IMPACT });
    let is_test = |number: &u32| {
        let item = current.map().item(*number);
        item.is_some_and(|item| current.describe(&item, |it| it.class() == TddClass::Test))
    };
    let affected = impact.answer.items.iter().map(|reached| reached.item);
    let outside_traits = current.map().outside_traits(affected.chain(changed.iter().copied()));
    Ok(ImpactAnswer {
        outside_traits,
        quoted: current.quoted(&changed),
        changed: current.cards(changed),
        items: reached(&current, &impact.answer),
        tests: current.cards(impact.tests.iter().copied().filter(is_test)),
        edges: current.edge_cards(&impact.answer.edges),
        counts: current.counts(impact.answer.counts),
        other_files,
        left_out: current.left_out(),
    })
}

/// The innermost items that an overlay changes; files without items go to `other_files`.
fn touched(
    current: &CurrentMap<'_>,
    overlay: &Overlay,
    other_files: &mut Vec<String>,
) -> SortedSet<u32> {
    let mut items = SortedSet::new();
    for (path, change) in overlay.changes() {
        let Some(file) = current.map().file_by_path(path.as_str()) else {
            other_files.push(path.to_string());
            continue;
        };
        let text = change.before_text();
        for splice in &change.edit.splices {
            items.extend(within(current, file, text, splice.span));
        }
    }
    items
}

/// The items whose own text (without that of nested items) overlaps `span`. If the header of an impl,
/// trait or module changes, its members count as changed.
fn within(current: &CurrentMap<'_>, file: u32, text: &str, span: ByteSpan) -> Vec<u32> {
    let map = current.map();
    let span_of = |item: &ItemView<'_>| ByteSpan::new(item.span.0 as usize, item.span.1 as usize);
    let near: Vec<ItemView<'_>> = map
        .items_of_file(file)
        .filter_map(|number| map.item(number))
        .filter(|item| !matches!(item.kind, ItemKind::File | ItemKind::Crate))
        .filter(|item| {
            span_of(item).overlaps(span) || (span.is_empty() && span_of(item).contains(span))
        })
        .collect();
    let mut touched = Vec::new();
    for item in &near {
        // The part of `span` in this item, without the spans of nested items.
        let inner = near.iter().filter(|other| {
            other.number != item.number
                && span_of(item).contains(span_of(other))
                && span_of(other) != span_of(item)
        });
        let mut at = span.start.max(span_of(item).start);
        let end = span.end.min(span_of(item).end);
        let mut is_touched = span.is_empty();
        let mut inner: Vec<ByteSpan> = inner.map(span_of).collect();
        inner.sort_by_key(|span| span.start);
        for hole in inner {
            is_touched &= !(span.is_empty() && hole.contains(span));
            is_touched |= has_text(text, at, hole.start.min(end));
            at = at.max(hole.end);
        }
        is_touched |= has_text(text, at, end);
        if is_touched {
            let head = ByteSpan::new(item.code_start as usize, item.signature_end as usize);
            let is_block = matches!(item.kind, ItemKind::Impl | ItemKind::Trait | ItemKind::Module);
            match is_block && head.overlaps(span) {
                true => touched.extend(map.with_members(&[item.number])),
                false => touched.push(item.number),
            }
        }
    }
    touched
}

/// Whether the range contains anything but whitespace.
fn has_text(text: &str, start: usize, end: usize) -> bool {
    start < end && text.get(start..end).is_some_and(|part| !part.trim().is_empty())
}
