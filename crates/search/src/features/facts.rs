//! Features from what the map says of an item by itself.

use ::graph::{ItemKind, ItemView};
use base::EdgeKind;

use super::{Candidate, Context, Part, Unit};

/// A feature that is true or not.
macro_rules! fact {
    ($unit:ident, $name:literal, $says:literal, |$context:ident, $item:ident| $value:block) => {
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
            fn value(&self, $context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
                let $item = &candidate.view;
                f32::from(u8::from($value))
            }
        }
    };
}

fact!(Block, "block", "it is an impl or trait, which holds what is meant", |_context, item| {
    matches!(item.kind, ItemKind::Impl | ItemKind::Trait)
});
fact!(Module, "module", "it is a module, which holds what is meant", |_context, item| {
    item.kind == ItemKind::Module
});
fact!(
    Constant,
    "constant",
    "it is a constant, a static or another name of a type",
    |_context, item| {
        matches!(item.kind, ItemKind::Const | ItemKind::Static | ItemKind::TypeAlias)
    }
);
fact!(Type, "type", "it is a struct, enum or union", |_context, item| {
    matches!(item.kind, ItemKind::Struct | ItemKind::Enum | ItemKind::Union)
});
fact!(Macro, "macro", "it is a macro", |_context, item| { item.kind == ItemKind::Macro });
fact!(
    Bodiless,
    "bodiless",
    "it is a function that is declared and has no body",
    |_context, item| { is_function(item) && item.signature_end == item.span.1 }
);
fact!(Test, "test", "it belongs to tests, benches or examples", |context, item| {
    item.flags.is_test || is_test_path(item.path().unwrap_or_default()) || {
        let krate = context.map.krate(item.krate);
        krate.is_some_and(|krate| matches!(krate.kind, "test" | "bench" | "example"))
    }
});
fact!(
    Implemented,
    "implemented",
    "it is what a trait asks for: what it does is said at the trait",
    |_context, item| { item.canon().contains(" as ") }
);
fact!(Generated, "generated", "a program made its file", |context, item| {
    context.map.file(item.file).is_some_and(|file| file.flags.is_generated)
});
fact!(Vendored, "vendored", "its file stands in a vendored folder", |context, item| {
    context.map.file(item.file).is_some_and(|file| file.flags.is_vendored)
});
fact!(Public, "public", "it is visible outside its crate", |_context, item| {
    item.visibility() == "pub"
});
fact!(Documented, "documented", "it has a doc comment", |_context, item| { item.flags.has_docs });
fact!(
    Reexported,
    "reexported",
    "a public import offers it elsewhere: it is the definition",
    |context, item| { is_reexported(context.map, item) }
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
    fn value(&self, _context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let lines = (candidate.view.end_line - candidate.view.line + 1) as f32;
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

fn is_function(item: &ItemView<'_>) -> bool {
    matches!(item.kind, ItemKind::Function | ItemKind::Method)
}

/// As people lay out their folders.
pub(crate) fn is_test_path(path: &str) -> bool {
    let folders = ["tests", "test", "benches", "bench", "examples", "example", "testing"];
    let (holders, name) = path.rsplit_once('/').unwrap_or(("", path));
    holders.split('/').any(|folder| folders.contains(&folder))
        || matches!(name, "tests.rs" | "test.rs")
        || name.ends_with("_test.rs")
        || name.ends_with("_tests.rs")
}

/// More users than these are not looked through.
const MOST_USERS: usize = 64;

fn is_reexported(map: &::graph::Map, item: &ItemView<'_>) -> bool {
    map.edges_in(item.number).take(MOST_USERS).any(|edge| {
        edge.kind == EdgeKind::Uses
            && map.item(edge.src).is_some_and(|user| {
                user.kind == ItemKind::Import && user.visibility().starts_with("pub")
            })
    })
}
