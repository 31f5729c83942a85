//! Resolves one file: the edges and the unresolved calls of its bodies and signatures. Start at
//! [`resolve_file`].

use base::{EdgeKind, Tier};

use crate::infer::{ExpansionArena, Infer};
use crate::{DefId, DefMap, FileIdx, Rule, Symbol};

/// The result of resolving one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileEdges {
    /// Sorted, without duplicates.
    pub edges: Vec<FoundEdge>,
    /// Sorted by offset.
    pub unresolved: Vec<UnresolvedSite>,
    /// The number of call sites whose target is outside the workspace.
    pub external: u32,
    /// Keys of all lookups, sorted: the file is stale when one of them changed.
    pub deps: Vec<u64>,
}

/// An edge found at one offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FoundEdge {
    /// The innermost named item that contains the offset.
    pub src: DefId,
    /// The kind of the edge.
    pub kind: EdgeKind,
    /// The target.
    pub to: DefId,
    /// Whether the edge is proven.
    pub tier: Tier,
    /// The rule by which it was found.
    pub rule: Rule,
    /// The byte offset in the file's text.
    pub offset: u32,
}

/// A call without a known target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnresolvedSite {
    /// The innermost named item that contains it.
    pub src: DefId,
    /// The byte offset in the file's text.
    pub offset: u32,
    /// The name of the callee.
    pub name: Symbol,
    /// Why there is no target.
    pub reason: Unresolved,
    /// The syntax of the call.
    pub shape: CallShape,
}

/// Why a call has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unresolved {
    /// The receiver's type is unknown.
    UnknownReceiver,
    /// No item with that name is in scope, or the type has no such member.
    NotFound,
    /// Too many members have that name to list them.
    TooMany,
    /// It is in the tokens of a macro call that could not be parsed.
    InMacro,
}

/// The syntax of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallShape {
    /// `path(…)`, `path!(…)`.
    Path,
    /// `receiver.name(…)`, operators.
    Method,
}

/// Resolves one file of the workspace: its bodies, its signatures, and the expansions of its macro
/// calls at item level. The results of files are independent of each other.
pub fn resolve_file(map: &DefMap, file: FileIdx) -> FileEdges {
    let arena = ExpansionArena::default();
    let mut infer = Infer::new(map, &arena, file);
    map.note_file(&mut infer.deps, file);
    infer.resolve_source(file);
    for expansion in map.expansions(file) {
        infer.resolve_source(*expansion);
    }
    let has_expansions = !infer.expansions.is_empty();
    let Infer { found: FileEdges { mut edges, mut unresolved, external, .. }, deps, .. } = infer;
    if has_expansions {
        drop_guesses(&mut edges, &mut unresolved);
    }
    // Of several edges at one offset the strongest is kept: tiers and rules are sorted by strength.
    edges.sort_unstable_by_key(|it| (it.src, it.kind, it.to, it.offset, it.tier, it.rule));
    edges.dedup_by(|a, b| (a.src, a.kind, a.to, a.offset) == (b.src, b.kind, b.to, b.offset));
    unresolved.sort_by_key(|site| site.offset);
    unresolved.dedup();
    FileEdges { edges, unresolved, external, deps: deps.into_sorted() }
}

/// Drops guesses and unresolved sites at tokens whose target the expansion around them proves: the
/// arguments of a macro call are also walked without it.
fn drop_guesses(edges: &mut Vec<FoundEdge>, unresolved: &mut Vec<UnresolvedSite>) {
    let is_at_token = |it: &&FoundEdge| {
        it.kind == EdgeKind::Calls
            && it.tier == Tier::Proven
            && !matches!(it.rule, Rule::MacroExpansion | Rule::MacroCall | Rule::MacroBody)
    };
    let mut sure: Vec<u32> = edges.iter().filter(is_at_token).map(|it| it.offset).collect();
    sure.sort_unstable();
    let is_sure = |offset: u32| sure.binary_search(&offset).is_ok();
    edges.retain(|it| it.rule != Rule::NameOnly || !is_sure(it.offset));
    unresolved.retain(|it| it.reason == Unresolved::InMacro || !is_sure(it.offset));
}
