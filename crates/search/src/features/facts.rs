//! Features from what the map says of an item by itself.

use super::{Candidate, Context, Part, Unit};
use crate::index::Facts;

/// A feature that is true or not, worked out when the index was made.
macro_rules! fact {
    ($unit:ident, $fact:ident, $name:literal, $says:literal) => {
        pub(super) struct $unit;

        impl Unit for $unit {
            fn name(&self) -> &'static str {
                $name
            }
            fn says(&self) -> &'static str {
                $says
            }
            fn part(&self) -> Part {
                Part::Rules
            }
            fn value(&self, _: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
                f32::from(u8::from(candidate.facts.has(Facts::$fact)))
            }
        }
    };
}

fact!(Block, BLOCK, "block", "it is an impl or trait, which holds what is meant");
fact!(Module, MODULE, "module", "it is a module, which holds what is meant");
fact!(Constant, CONSTANT, "constant", "it is a constant, a static or another name of a type");
fact!(Type, TYPE, "type", "it is a struct, enum or union");
fact!(Macro, MACRO, "macro", "it is a macro");
fact!(Bodiless, BODILESS, "bodiless", "it is a function that is declared and has no body");
fact!(Test, TEST, "test", "it belongs to tests, benches or examples");
fact!(
    Implemented,
    IMPLEMENTED,
    "implemented",
    "it is what a trait asks for: what it does is said at the trait"
);
fact!(Generated, GENERATED, "generated", "a program made its file");
fact!(Vendored, VENDORED, "vendored", "its file stands in a vendored folder");
fact!(Public, PUBLIC, "public", "it is visible outside its crate");
fact!(Documented, DOCUMENTED, "documented", "it has a doc comment");
fact!(
    Reexported,
    REEXPORTED,
    "reexported",
    "a public import offers it elsewhere: it is the definition"
);

/// Longer items are more often what must change, up to this many lines.
const LONG: f32 = 200.0;

pub(super) struct Lines;

impl Unit for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }
    fn says(&self) -> &'static str {
        "it is long: the logarithm of its lines"
    }
    fn part(&self) -> Part {
        Part::Rules
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        // More than the index tells apart are as good as those.
        let lines = f32::from(context.index.lines(candidate.document).max(1));
        (lines.ln() / LONG.ln()).clamp(0.0, 1.0)
    }
}

pub(super) struct Central;

impl Unit for Central {
    fn name(&self) -> &'static str {
        "central"
    }
    fn says(&self) -> &'static str {
        "much of the code calls or uses it, or what uses it is much used"
    }
    fn part(&self) -> Part {
        Part::Rules
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        context.index.centrality(candidate.document)
    }
}
