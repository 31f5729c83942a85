//! Tests of resolved calls: text in, text out.

mod bounds;
mod laws;
mod macros;
mod receivers;
mod std;

use ::std::fmt::Write as _;

use base::{EdgeKind, Tier};
use expect_test::Expect;

use crate::defs::tests::fixture;
use crate::{DefMap, FileIdx, WorkspaceInput, resolve_file};

/// The call edges of a crate with this root in source order: caller, callee, rule.
pub(super) fn calls(text: &str) -> String {
    let workspace = fixture::workspace(&format!("//- src/lib.rs crate:p/p\n{text}"));
    shown(&workspace, &[EdgeKind::Calls])
}

/// The edges of these kinds.
pub(super) fn shown(workspace: &WorkspaceInput, kinds: &[EdgeKind]) -> String {
    let map = DefMap::build(workspace);
    let short = |path: String| path.strip_prefix("p/p::").map_or(path.clone(), str::to_owned);
    let mut out = String::new();
    for number in 0..workspace.files.len() {
        let found = resolve_file(&map, FileIdx(number as u32));
        let mut lines: Vec<(u32, String)> = Vec::new();
        for edge in found.edges.iter().filter(|edge| kinds.contains(&edge.kind)) {
            let mut line =
                format!("{} -> {}", short(map.canon(edge.src)), short(map.canon(edge.to)));
            if kinds.len() > 1 {
                line = format!("{:?} {line}", edge.kind);
            }
            let tier = if edge.tier == Tier::Proven { "" } else { "candidate, " };
            write!(line, " ({tier}{})", edge.rule.name()).unwrap();
            lines.push((edge.offset, line));
        }
        for site in &found.unresolved {
            let name = map.name_of(site.name);
            let src = short(map.canon(site.src));
            lines.push((site.offset, format!("{src} -> {name}? ({:?})", site.reason)));
        }
        lines.sort();
        for (_, line) in lines {
            writeln!(out, "{line}").unwrap();
        }
    }
    out
}

/// Compares the calls of a crate.
pub(super) fn check(text: &str, expected: Expect) {
    expected.assert_eq(&calls(text));
}
