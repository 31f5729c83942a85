use std::collections::BTreeSet;
use std::path::Path;

use base::{ByteSpan, Ctx};
use edit::Overlay;
use graph::{ItemKind, ItemView, Traversal};
use serde::Serialize;
use syntax::TddClass;

use super::walk::reached;
use super::{CountsCard, EdgeCard, Fresh, ItemCard};
use crate::check_tree::stage;
use crate::{Error, Workspace};

/// What changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImpactOf {
    /// This item.
    Item(String),
    /// What this edit request of any format touches.
    Edit(String),
    /// What the working tree has that the last commit has not, and the other way round.
    Uncommitted,
}

impl ImpactOf {
    /// An argument that names a file is an edit, any other an item; none is the uncommitted diff.
    /// `text_of` reads the file.
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

/// What a change may reach.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImpactAnswer {
    /// What changes.
    pub changed: Vec<ItemCard>,
    /// What is reached besides, nearest first.
    pub items: Vec<ItemCard>,
    /// The tests among both.
    pub tests: Vec<ItemCard>,
    /// The edges that lead there.
    pub edges: Vec<EdgeCard>,
    /// How sure it is.
    pub counts: CountsCard,
    /// Changed files that the map has no items of: manifests, texts, new folders.
    pub other_files: Vec<String>,
}

/// What a change of an item, an edit or the uncommitted work may reach.
pub fn impact(
    ctx: &Ctx,
    workspace: &Workspace,
    of: &ImpactOf,
    only_proven: bool,
) -> Result<ImpactAnswer, Error> {
    let fresh = Fresh::open(ctx, workspace)?;
    let mut other_files = Vec::new();
    let changed: BTreeSet<u32> = match of {
        ImpactOf::Item(query) => {
            let members = fresh.map().with_members(&[fresh.one(query)?.number]);
            members.into_iter().collect()
        }
        ImpactOf::Edit(text) => {
            let (overlay, _) = stage(ctx, workspace, text)?;
            touched(&fresh, &overlay, &mut other_files)
        }
        ImpactOf::Uncommitted => {
            let overlay = workspace.project().head_overlay(ctx, workspace.sandbox())?;
            let overlay = overlay.ok_or(Error::NoCommit)?;
            touched(&fresh, &overlay, &mut other_files)
        }
    };
    let changed: Vec<u32> = changed.into_iter().collect();
    let impact = fresh.map().impact(&changed, &Traversal { only_proven, ..Traversal::IMPACT });
    let is_test = |number: &u32| {
        let item = fresh.map().item(*number);
        item.is_some_and(|item| fresh.describe(&item, |it| it.class() == TddClass::Test))
    };
    Ok(ImpactAnswer {
        changed: fresh.cards(changed),
        items: reached(&fresh, &impact.answer),
        tests: fresh.cards(impact.tests.iter().copied().filter(is_test)),
        edges: fresh.edge_cards(&impact.answer.edges),
        counts: fresh.counts(impact.answer.counts),
        other_files,
    })
}

/// The innermost items that a change of the files as they stand touches.
fn touched(fresh: &Fresh<'_>, overlay: &Overlay, other_files: &mut Vec<String>) -> BTreeSet<u32> {
    let mut items = BTreeSet::new();
    for (path, change) in overlay.changes() {
        let Some(file) = fresh.map().file_by_path(path.as_str()) else {
            other_files.push(path.to_string());
            continue;
        };
        let text = change.before_text();
        for splice in &change.edit.splices {
            items.extend(within(fresh, file, text, splice.span));
        }
    }
    items
}

/// The items that a change of these bytes is one of: those that have text of their own in it,
/// which no item inside them has. Where the head of an impl, trait or module changes, its members
/// change.
fn within(fresh: &Fresh<'_>, file: u32, text: &str, span: ByteSpan) -> Vec<u32> {
    let map = fresh.map();
    let own = |item: &ItemView<'_>| ByteSpan::new(item.span.0 as usize, item.span.1 as usize);
    let near: Vec<ItemView<'_>> = map
        .items_of_file(file)
        .filter_map(|number| map.item(number))
        .filter(|item| !matches!(item.kind, ItemKind::File | ItemKind::Crate))
        .filter(|item| own(item).overlaps(span) || (span.is_empty() && own(item).contains(span)))
        .collect();
    let mut touched = Vec::new();
    for item in &near {
        // What the change takes of this item, cut where others inside it begin and end.
        let inner = near.iter().filter(|other| {
            other.number != item.number && own(item).contains(own(other)) && own(other) != own(item)
        });
        let mut at = span.start.max(own(item).start);
        let end = span.end.min(own(item).end);
        let mut is_touched = span.is_empty();
        let mut inner: Vec<ByteSpan> = inner.map(own).collect();
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

/// Whether anything but white space stands there.
fn has_text(text: &str, start: usize, end: usize) -> bool {
    start < end && text.get(start..end).is_some_and(|part| !part.trim().is_empty())
}
