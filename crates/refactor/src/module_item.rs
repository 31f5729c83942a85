//! `mod name;`: the files that may have one, and where it goes.

use base::{ByteSpan, SortedSet};
use edit::Splice;
use preserve::outline::Outline;
use syntax::places::{DefinitionKind, places};

use crate::import_place::import_place;

/// The files that may declare the modules of a folder.
pub fn module_parents(folder: &str) -> impl Iterator<Item = String> + '_ {
    let own = folder.strip_suffix('/').filter(|it| *it != "src" && !it.ends_with("/src"));
    let beside = own.map(|it| format!("{it}.rs"));
    let inside = ["mod.rs", "lib.rs", "main.rs"].map(|it| format!("{folder}{it}"));
    beside.into_iter().chain(inside)
}

/// Adds `mod` items to a text: after the last one that has no attributes and the most frequent visibility.
pub fn module_declarations(text: &str, names: &SortedSet<String>) -> Splice {
    let all = places(text).definitions;
    let inner: Vec<ByteSpan> = all.iter().filter_map(|it| it.body).collect();
    let declared = all.iter().filter(|it| {
        it.kind == DefinitionKind::Module
            && it.body.is_none()
            && !inner.iter().any(|body| body.contains(it.span))
    });
    let declared: Vec<(usize, &str)> =
        declared.filter_map(|it| Some((it.span.end, it.span.slice(text)?))).collect();
    let are_public = !declared.is_empty() && declared.iter().all(|(_, it)| it.contains("pub mod"));
    let word = if are_public { "pub mod" } else { "mod" };
    let lines: Vec<String> = names.iter().map(|it| format!("{word} {it};")).collect();
    let plain = declared.iter().rev().find(|(_, it)| !it.starts_with(['#', '/']));
    let after = plain.or(declared.last()).map(|(end, _)| *end);
    match after {
        Some(at) => {
            let insert = lines.iter().map(|it| format!("\n{it}")).collect();
            Splice { span: ByteSpan::new(at, at), insert }
        }
        None => {
            let end = ByteSpan::new(text.len(), text.len());
            let at = import_place(&Outline::of(text), text, end);
            Splice { span: ByteSpan::new(at, at), insert: format!("{}\n\n", lines.join("\n")) }
        }
    }
}
