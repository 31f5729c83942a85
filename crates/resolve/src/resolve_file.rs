use base::{EdgeKind, Tier};

use crate::infer::Infer;
use crate::{DefId, DefMap, FileIdx, Rule, Symbol};

/// What the bodies and signatures of one file lead to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileEdges {
    /// Sorted, each once.
    pub edges: Vec<FoundEdge>,
    /// Sorted by place.
    pub unresolved: Vec<UnresolvedSite>,
    /// Keys of all lookups, sorted: the file is stale when one of them changed.
    pub deps: Vec<u64>,
}

/// One edge at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FoundEdge {
    /// The innermost named item around the place.
    pub src: DefId,
    /// What kind of edge.
    pub kind: EdgeKind,
    /// Where it leads.
    pub to: DefId,
    /// How sure it is.
    pub tier: Tier,
    /// Why.
    pub rule: Rule,
    /// The place: a byte of the file's text.
    pub offset: u32,
}

/// A call that leads nowhere that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnresolvedSite {
    /// The innermost named item around it.
    pub src: DefId,
    /// The place: a byte of the file's text.
    pub offset: u32,
    /// The name that is called.
    pub name: Symbol,
    /// Why it leads nowhere.
    pub reason: Unresolved,
    /// How it is called.
    pub shape: SiteShape,
}

/// Why a site has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unresolved {
    /// The receiver's type does not show.
    UnknownReceiver,
    /// Nothing of that name is in scope, or the type has no such member.
    NotFound,
    /// Too many members have that name to list them.
    TooMany,
    /// It stands in the tokens of a macro that could not be read.
    InMacro,
}

/// How something is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SiteShape {
    /// `path(…)`, `path!(…)`.
    Path,
    /// `receiver.name(…)`, operators.
    Method,
}

/// Resolves one file of the workspace: its bodies, its signatures, and what its macro calls at
/// item level expanded to. Files do not depend on each other's answers.
pub fn resolve_file(map: &DefMap, file: FileIdx) -> FileEdges {
    let mut infer = Infer::new(map, file);
    map.note_file(&mut infer.deps, file);
    infer.resolve_source(file);
    for expansion in map.expansions(file) {
        infer.resolve_source(*expansion);
    }
    let Infer { mut edges, mut unresolved, deps, .. } = infer;
    // Of several ways to one place the surest stands: tiers and rules are in that order.
    edges.sort_unstable_by_key(|it| (it.src, it.kind, it.to, it.offset, it.tier, it.rule));
    edges.dedup_by(|a, b| (a.src, a.kind, a.to, a.offset) == (b.src, b.kind, b.to, b.offset));
    unresolved.sort_by_key(|site| site.offset);
    unresolved.dedup();
    FileEdges { edges, unresolved, deps: deps.into_sorted() }
}
