//! Assumptions about code outside the workspace. No rule of the language implies them, so an edge
//! that is not found without one is a candidate, with the assumption as its rule.
//!
//! A body that needs an assumption is inferred again without it; only the edges that both passes
//! prove are proven.

use base::Tier;

use super::Infer;
use super::body::BodyCtx;
use crate::{FoundEdge, Rule};

/// An assumption, in the order of [`Assumption::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assumption {
    /// An external type named `Result` is an alias of the standard library's.
    ExternalResult,
    /// The macros of `third_party.txt` generate projections of pinned fields.
    PinProject,
    /// A derive macro implements the trait of its name.
    Derive,
}

impl Assumption {
    const ALL: [Self; 3] = [Self::ExternalResult, Self::PinProject, Self::Derive];

    /// The rule of the edges that need it.
    pub(super) fn rule(self) -> Rule {
        match self {
            Self::ExternalResult => Rule::AssumedResult,
            Self::PinProject => Rule::AssumedPinProject,
            Self::Derive => Rule::AssumedDerive,
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The assumptions of the current pass over a body.
#[derive(Debug, Default)]
pub(super) struct Assumptions {
    /// Bits of the assumptions that the pass does not make.
    denied: u8,
    /// Bits of the assumptions that inference needed.
    needed: u8,
    /// The number of times that one was needed: a result that needed one is not cached.
    pub(super) count: u32,
}

impl<'m> Infer<'m> {
    /// Whether the current pass makes the assumption.
    pub(super) fn assume(&mut self, assumption: Assumption) -> bool {
        self.assumptions.count += 1;
        self.assumptions.needed |= assumption.bit();
        self.assumptions.denied & assumption.bit() == 0
    }

    /// Adds the edges of a body: once with all assumptions, and if it needs some, with fewer.
    pub(super) fn resolve_body(&mut self, at: BodyCtx<'m>) {
        let first = self.found.edges.len();
        self.assumptions.denied = 0;
        self.assumptions.needed = 0;
        self.infer_body(at);
        let needed = self.assumptions.needed;
        if needed == 0 {
            return;
        }
        let mut all_assumed = self.found.edges.split_off(first);
        let (unresolved, external) = (self.found.unresolved.len(), self.found.external);
        // Each pass makes one more assumption; what it adds to the proven edges depends on that one.
        let mut added: Option<Assumption> = None;
        let mut denied = needed;
        let needed = Assumption::ALL.into_iter().filter(|it| needed & it.bit() != 0);
        for next in needed {
            self.assumptions.denied = denied;
            let start = self.found.edges.len();
            self.infer_body(at);
            let edges = self.found.edges.split_off(start);
            let proven = edges.into_iter().filter(|edge| edge.tier == Tier::Proven);
            self.found.edges.extend(proven.map(|edge| assumed(edge, added)));
            added = Some(next);
            denied &= !next.bit();
        }
        self.found.unresolved.truncate(unresolved);
        self.found.external = external;
        self.found.edges.extend(all_assumed.drain(..).map(|edge| assumed(edge, added)));
    }
}

/// The edge as a candidate by the assumption.
fn assumed(edge: FoundEdge, assumption: Option<Assumption>) -> FoundEdge {
    match assumption {
        Some(assumption) if edge.tier == Tier::Proven => {
            FoundEdge { tier: Tier::Candidate, rule: assumption.rule(), ..edge }
        }
        _ => edge,
    }
}
