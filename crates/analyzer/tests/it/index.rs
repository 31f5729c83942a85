//! `tests/data/workspace.scip` is the index of `fixtures/crates/workspace` by rust-analyzer 1.97.1.

use std::fmt::Write;

use graftage_analyzer::scip::{Facts, SymbolKind, calls, read};
use proptest::prelude::*;

const INDEX: &[u8] = include_bytes!("../data/workspace.scip");

/// The functions with their ranges, and the calls.
fn shown(facts: &Facts) -> String {
    let root = testkit::fixtures_dir().join("crates/workspace");
    let path = |symbol: u32| facts.symbol(symbol).map_or("?", |it| &it.path);
    let file = |file: u32| facts.file(file).map_or("?", |it| it.as_str());
    let mut out = String::new();
    for it in &facts.definitions {
        let symbol = facts.symbol(it.symbol).unwrap();
        if matches!(symbol.kind, SymbolKind::Function | SymbolKind::Type) {
            let (start, reach) = (it.range.start, it.enclosing.unwrap());
            let (from, to) = (reach.start.line, reach.end.line);
            let place = format!("{}:{}:{}", file(it.file), start.line, start.col);
            writeln!(out, "{} {} in {place}, lines {from}-{to}", symbol.package, symbol.path)
                .unwrap();
        }
    }
    for call in calls(facts, &mut |path| std::fs::read_to_string(root.join(path.as_str())).ok()) {
        let caller = call.caller.map(|idx| facts.definitions[idx as usize].symbol);
        let callees: Vec<&str> = call.callees.iter().map(|symbol| path(*symbol)).collect();
        let (line, caller) = (call.pos.line, caller.map_or("?", path));
        writeln!(out, "{}:{line} {caller} -> {}", file(call.file), callees.join(" ")).unwrap();
    }
    out
}

#[test]
fn an_index_yields_definitions_with_ranges_and_calls_with_positions() {
    let facts = read(INDEX);
    assert_eq!(facts.damage, None);
    assert_eq!(facts.problems, [""; 0]);
    assert_eq!(facts.tool, "rust-analyzer 1.97.1");
    expect_test::expect![[r#"
        ws-app fence in app/src/main.rs:5:3, lines 5-7
        ws-app main in app/src/main.rs:9:3, lines 9-11
        ws-app tests::a_fence_goes_all_the_way_round in app/src/main.rs:18:7, lines 17-20
        ws-core Length in core/src/lib.rs:5:11, lines 3-5
        ws-core total in core/src/lib.rs:8:7, lines 7-10
        ws-core tests::lengths_add_up in core/src/lib.rs:17:7, lines 16-19
        app/src/main.rs:6 fence -> total
        app/src/main.rs:10 main -> fence
        app/src/main.rs:19 tests::a_fence_goes_all_the_way_round -> fence
        core/src/lib.rs:18 tests::lengths_add_up -> total
    "#]]
    .assert_eq(&shown(&facts));
}

#[test]
fn a_truncated_index_reports_the_damage_and_keeps_complete_documents() {
    let whole = read(INDEX);
    for len in 0..INDEX.len() {
        let facts = read(&INDEX[..len]);
        assert!(facts.files.len() <= whole.files.len());
        assert_eq!(facts.files, whole.files[..facts.files.len()], "{len}");
        if facts.damage.is_none() {
            // Truncation between two documents cannot be detected.
            assert!(facts.files.len() < 3, "{len}");
        }
    }
    assert!(read(&INDEX[..INDEX.len() - 1]).damage.is_some());
}

#[test]
fn a_complete_index_is_reused_only_under_its_key() {
    use graftage_analyzer::{drop_index, keep_index, kept_index};
    let folder = tempfile::tempdir().unwrap();
    let (work, index) = (folder.path(), folder.path().join("index.scip"));
    let key = base::ContentHash::of(b"this workspace");
    assert!(kept_index(work, key).is_none());
    std::fs::write(&index, INDEX).unwrap();
    assert!(kept_index(work, key).is_none(), "an index without a key, left by a killed run");
    keep_index(work, key).unwrap();
    assert_eq!(kept_index(work, key), Some(read(INDEX)));
    assert!(kept_index(work, base::ContentHash::of(b"another")).is_none());
    std::fs::write(&index, &INDEX[..INDEX.len() - 1]).unwrap();
    assert!(kept_index(work, key).is_none());
    drop_index(work).unwrap();
    assert_eq!(std::fs::read_dir(work).unwrap().count(), 0);
    drop_index(work).unwrap();
}

#[test]
fn bytes_of_another_format_are_damage() {
    assert!(read(b"\xff\xff\xff\xff\xff\xff").damage.is_some());
    assert!(read(b"fn main() {}").damage.is_some());
    assert_eq!(read(b""), Facts::default());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn arbitrary_bytes_do_not_panic(
        at in 0..INDEX.len(), byte: u8, more in proptest::collection::vec((0..INDEX.len(), any::<u8>()), 0..8)
    ) {
        let mut bytes = INDEX.to_vec();
        bytes[at] = byte;
        for (at, byte) in more {
            bytes[at] = byte;
        }
        let facts = read(&bytes);
        for it in &facts.references {
            prop_assert!(facts.symbol(it.symbol).is_some() && facts.file(it.file).is_some());
        }
        for it in &facts.definitions {
            prop_assert!(facts.symbol(it.symbol).is_some() && facts.file(it.file).is_some());
        }
        resolve_calls(&facts);
    }

    #[test]
    fn call_detection_does_not_panic_on_any_text(text in "\\PC{0,80}|[a-z(){}\\[\\]<>:'\"/*!. \n-]{0,80}") {
        let facts = read(INDEX);
        calls(&facts, &mut |_| Some(text.clone()));
    }
}

fn resolve_calls(facts: &Facts) {
    let root = testkit::fixtures_dir().join("crates/workspace");
    calls(facts, &mut |path| std::fs::read_to_string(root.join(path.as_str())).ok());
}
