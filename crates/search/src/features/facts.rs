//! Features from facts of a single item.

use super::{Candidate, Context, FeatureGroup, Unit};
use crate::index::Facts;

/// A boolean feature, precomputed in the index.
macro_rules! fact {
    ($unit:ident, $fact:ident, $name:literal, $description:literal) => {
        pub(super) struct $unit;

        impl Unit for $unit {
            fn name(&self) -> &'static str {
                $name
            }
            fn description(&self) -> &'static str {
                $description
            }
            fn part(&self) -> FeatureGroup {
                FeatureGroup::Rules
            }
            fn value(&self, _: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
                f32::from(u8::from(candidate.facts.has(Facts::$fact)))
            }
        }
    };
}

fact!(Block, BLOCK, "block", "it is an impl or trait, which contains the target");
fact!(Module, MODULE, "module", "it is a module, which contains the target");
fact!(Constant, CONSTANT, "constant", "it is a constant, a static or another name of a type");
fact!(Type, TYPE, "type", "it is a struct, enum or union");
fact!(Macro, MACRO, "macro", "it is a macro");
fact!(Bodiless, BODILESS, "bodiless", "it is a function that is declared and has no body");
fact!(Test, TEST, "test", "it belongs to tests, benches or examples");
fact!(
    Implemented,
    IMPLEMENTED,
    "implemented",
    "it implements a trait's item, which is documented at the trait"
);
fact!(Generated, GENERATED, "generated", "its file is generated");
fact!(Vendored, VENDORED, "vendored", "its file is in a vendored directory");
fact!(Public, PUBLIC, "public", "it is visible outside its crate");
fact!(Reexported, REEXPORTED, "reexported", "a public import exports it: it is the definition");

/// Number of lines up to which a longer item scores higher: longer items change more often.
const LONG: f32 = 200.0;

pub(super) struct Lines;

impl Unit for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }
    fn description(&self) -> &'static str {
        "it is long: the logarithm of its lines"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Rules
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        // The index stores no more lines than this.
        let lines = f32::from(context.index.lines(candidate.document).max(1));
        (lines.ln() / LONG.ln()).clamp(0.0, 1.0)
    }
}

pub(super) struct Central;

impl Unit for Central {
    fn name(&self) -> &'static str {
        "central"
    }
    fn description(&self) -> &'static str {
        "it is called or used often, or by items that are"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Rules
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        context.index.centrality(candidate.document)
    }
}
