//! Tests with stored rust-analyzer results: `tests/data/meanings.scip` is the index of
//! `fixtures/crates/meanings` from rust-analyzer 1.97.1.

use analyzer::scip::{Facts, read};
use base::{EdgeKind, Provenance, Tier};
use graftage_ingest::{Description, Index, Options};
use graph::MapData;
use testkit::TempProject;

use crate::edits::{Random, Texts};
use crate::filling::MemoryStore;
use crate::kit::{assert_same, index, refresh, rows, scratch};

const INDEX: &[u8] = include_bytes!("../data/meanings.scip");

pub(crate) fn facts() -> Facts {
    let facts = read(INDEX);
    assert_eq!(facts.damage, None);
    facts
}

pub(crate) fn hydrated() -> (TempProject, Index) {
    let project = testkit::copy_crate("meanings");
    // A method that the declarations of the standard library do not have, at the same offsets.
    let text = project.read("src/lib.rs");
    let text = text.replace("select_nth_unstable_by_key", "choose_nth_unstably_by_key");
    project.write("src/lib.rs", text);
    let mut index = index(&project);
    index.hydrate_with(&testkit::ctx(), &Options::default(), &facts()).unwrap();
    (project, index)
}

/// The rows that the same tree produces from scratch with the same `analyzer.bin`.
fn scratch_with(project: &TempProject, from: &Index) -> MapData {
    let other = TempProject::empty();
    for (name, text) in Texts::of(project.root()).all() {
        other.write(name, text);
    }
    for name in ["Cargo.toml", "Cargo.lock"] {
        other.write(name, project.read(name));
    }
    let mut index = index(&other);
    refresh(&mut index);
    let kept = from.folder().join("analyzer.bin");
    if kept.is_file() {
        std::fs::copy(kept, index.folder().join("analyzer.bin")).unwrap();
    }
    let options = Options { full: true, ..Options::default() };
    index.refresh(&testkit::ctx(), &options).unwrap();
    rows(&index)
}

/// The outgoing edges of an item, as lines: kind, target, tier, provenance.
pub(crate) fn edges(data: &MapData, src: &str) -> Vec<String> {
    let ends = |number: u32| data.items[number as usize].canon.as_str();
    let of = data.edges.iter().filter(|edge| ends(edge.src).ends_with(src));
    let of = of.filter(|edge| edge.kind != EdgeKind::Contains);
    let mut lines: Vec<String> = of
        .map(|edge| {
            let target = ends(edge.dst).trim_start_matches("meanings/meanings::");
            let tier = if edge.tier == Tier::Proven { "" } else { "?" };
            let by = if edge.provenance == Provenance::Ra { "ra" } else { "syntax" };
            format!("{} {target}{tier} {by} x{}", edge.kind.as_str(), edge.weight)
        })
        .collect();
    lines.sort();
    lines
}

fn unresolved(data: &MapData) -> usize {
    data.unresolved.len()
}

#[test]
fn rust_analyzer_resolves_calls_that_syntax_could_not() {
    let (project, index) = hydrated();
    let (syntax, both) = (scratch(&project), rows(&index));
    let shown = |data: &MapData| {
        let of = ["middle_started", "full", "drained", "::levels", "measured"];
        let lines = of.map(|src| format!("{src}: {}", edges(data, src).join(", ")));
        format!("{}\n{} unresolved\n", lines.join("\n"), unresolved(data))
    };
    expect_test::expect![[r#"
        middle_started: CALLS pump::<Pump as Level>::level? syntax x1, CALLS pump::Pump::start? syntax x1, CALLS tank::<Tank as Level>::level? syntax x1, CALLS tank::Level::level? syntax x1, CALLS tank::Tank::start? syntax x1, USES pump::Pump syntax x1
        full: CALLS tank::Tank::start syntax x2, USES tank::Tank syntax x1
        drained: CALLS tank::<Tank as Level>::level syntax x1, USES tank::Tank syntax x1
        ::levels: CALLS tank::Level::level syntax x1, USES tank::Level syntax x1
        measured: CALLS tank::<Tank as Level>::level syntax x1, CALLS twice! syntax x1, USES tank::Tank syntax x1
        1 unresolved
    "#]].assert_eq(&shown(&syntax));
    expect_test::expect![[r#"
        middle_started: CALLS pump::<Pump as Level>::level ra x1, CALLS pump::Pump::start ra x1, USES pump::Pump ra x1
        full: CALLS tank::Tank::start ra x2, USES tank::Tank ra x1
        drained: CALLS tank::<Tank as Level>::level ra x1, USES tank::Tank ra x1
        ::levels: CALLS tank::Level::level ra x1, USES tank::Level ra x1
        measured: CALLS tank::<Tank as Level>::level ra x1, CALLS twice! ra x1, USES tank::Tank ra x1
        0 unresolved
    "#]].assert_eq(&shown(&both));
}

fn ra_edges(data: &MapData) -> usize {
    data.edges.iter().filter(|edge| edge.provenance == Provenance::Ra).count()
}

#[test]
fn impls_and_derives_are_confirmed() {
    let (_project, index) = hydrated();
    let data = rows(&index);
    let member = edges(&data, "pump::<Pump as Level>::level");
    assert_eq!(member, ["IMPLEMENTS tank::Level::level ra x1"]);
    let tank = edges(&data, "tank::Tank");
    assert!(tank.contains(&"IMPLEMENTS tank::Level ra x1".to_owned()), "{tank:?}");
}

#[test]
fn rows_contain_the_types_that_rust_analyzer_resolved() {
    let (_project, index) = hydrated();
    let store = MemoryStore::default();
    index.fill_store(&testkit::ctx(), &store).unwrap();
    let content = store.0.lock().unwrap();
    let types: Vec<String> = (content.1.nodes.iter())
        .filter_map(|node| {
            let types =
                node.declaration.resolved_types.as_deref().filter(|types| *types != "[]")?;
            Some(format!("{} {types}", node.canon))
        })
        .collect();
    expect_test::expect![[r#"
        meanings/meanings::use pump::Pump ["meanings/meanings::pump::Pump"]
        meanings/meanings::use tank::{Level, Tank} ["meanings/meanings::tank::Level","meanings/meanings::tank::Tank"]
        meanings/meanings::middle_started ["meanings/meanings::pump::Pump"]
        meanings/meanings::full ["meanings/meanings::tank::Tank"]
        meanings/meanings::drained ["meanings/meanings::tank::Tank"]
        meanings/meanings::levels ["meanings/meanings::tank::Level"]
        meanings/meanings::measured ["meanings/meanings::tank::Tank"]
        meanings/meanings::pump::use crate::tank::Level ["meanings/meanings::tank::Level"]
        meanings/meanings::pump::<Pump> ["meanings/meanings::pump::Pump"]
        meanings/meanings::pump::<Pump as Default> ["meanings/meanings::pump::Pump"]
        meanings/meanings::pump::<Pump as Level> ["meanings/meanings::pump::Pump","meanings/meanings::tank::Level"]
        meanings/meanings::tank::<Tank> ["meanings/meanings::tank::Tank"]
        meanings/meanings::tank::<Tank as Level> ["meanings/meanings::tank::Level","meanings/meanings::tank::Tank"]"#]].assert_eq(&types.join("\n"));
}

#[test]
fn a_hydrated_map_after_any_edits_equals_one_from_scratch_with_the_same_results() {
    for seed in 0..8 {
        let (project, mut loaded) = hydrated();
        let mut random = Random(seed);
        let mut texts = Texts::of(project.root());
        let mut done = Vec::new();
        for _ in 0..5 {
            let what = if random.below(2) == 0 {
                texts.save(&mut random)
            } else {
                texts.edit(&mut random)
            };
            done.push(what);
            if random.below(3) == 0 {
                drop(loaded);
                loaded = index(&project);
                done.push("new process".to_owned());
            }
            refresh(&mut loaded);
            let what = format!("seed {seed} after {}", done.join("; "));
            assert_same(&rows(&loaded), &scratch_with(&project, &loaded), &what);
        }
    }
}

#[test]
fn a_changed_file_has_syntax_edges_until_the_change_is_reverted() {
    let (project, mut index) = hydrated();
    let before = rows(&index);
    let text = project.read("src/lib.rs");
    project.write("src/lib.rs", format!("{text}\n"));
    let report = refresh(&mut index);
    assert_eq!(report.analyzer.map(|it| (it.files, it.stale_files)), Some((2, 1)));
    let data = rows(&index);
    let all = edges(&data, "middle_started");
    assert!(all.contains(&"CALLS tank::Tank::start? syntax x1".to_owned()), "{all:?}");
    let tank = edges(&data, "tank::Tank");
    assert!(tank.contains(&"IMPLEMENTS tank::Level ra x1".to_owned()), "{tank:?}");
    project.write("src/lib.rs", text);
    refresh(&mut index);
    assert_same(&rows(&index), &before, "as it was");
}

#[test]
fn results_are_dropped_when_other_code_changes_what_an_item_calls() {
    let (project, mut index) = hydrated();
    let text = project.read("src/tank.rs");
    project.write("src/tank.rs", text.replace("fn start(&self)", "fn begin(&self)"));
    refresh(&mut index);
    let data = rows(&index);
    // The results named a method that does not exist any more.
    assert!(edges(&data, "full").iter().all(|edge| !edge.contains("start ra")));
    let same = edges(&data, "measured");
    assert!(same.contains(&"CALLS tank::<Tank as Level>::level ra x1".to_owned()), "{same:?}");
    assert_same(&data, &scratch_with(&project, &index), "after a method was renamed");
}

#[test]
fn damaged_results_are_ignored_and_reported() {
    let (project, first) = hydrated();
    let file = first.folder().join("analyzer.bin");
    drop(first);
    let whole = std::fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for bytes in [&flipped[..], &whole[..whole.len() - 1], b"", b"garbage"] {
        std::fs::write(&file, bytes).unwrap();
        let mut index = index(&project);
        let report = refresh(&mut index);
        assert!(report.analyzer.is_none());
        let is_reported = report.problems.iter().any(|it| it.message.contains("analyzer.bin"));
        assert!(is_reported, "{:?}", report.problems);
        assert_same(&rows(&index), &scratch(&project), "syntax alone");
    }
    std::fs::write(&file, &whole).unwrap();
    let mut index = index(&project);
    assert!(refresh(&mut index).analyzer.is_some());
    assert!(ra_edges(&rows(&index)) > 0);
}

#[test]
fn results_for_another_lock_file_are_not_used() {
    let (project, mut index) = hydrated();
    let lock = project.read("Cargo.lock");
    project.write("Cargo.lock", format!("{lock}# another\n"));
    assert!(refresh(&mut index).analyzer.is_none());
    assert_same(&rows(&index), &scratch(&project), "syntax alone");
    project.write("Cargo.lock", lock);
    assert!(refresh(&mut index).analyzer.is_some());
}

#[test]
fn a_new_process_reads_no_file_and_has_the_same_map() {
    let (project, first) = hydrated();
    let (before, epoch) = (rows(&first), first.map().epoch());
    drop(first);
    let mut next = index(&project);
    let report = refresh(&mut next);
    assert_eq!((report.parsed_files, report.resolved_files, report.epoch), (0, 0, epoch));
    assert_eq!(report.analyzer.map(|it| (it.files, it.stale_files)), Some((3, 0)));
    assert_same(&rows(&next), &before, "new process");
}

#[test]
fn items_have_the_signatures_from_rust_analyzer() {
    let (project, mut index) = hydrated();
    let shown = |index: &Index| -> Vec<String> {
        let (map, signatures) = (index.map(), index.signatures());
        let lines = map.items().filter_map(|item| {
            let text = item.path().map(|path| project.read(path));
            let description = Description::of(&map, item, text.as_deref()).with_ra(&signatures);
            let sure = description.confidence(&description.signature());
            Some(format!("{} | {} | {sure}", item.canon(), description.ra_signature()?))
        });
        lines.collect()
    };
    let before = shown(&index);
    let in_lib = [
        "middle_started | pub fn middle_started(pumps: &mut [Pump]) -> bool | 1",
        "full | pub fn full(tanks: &[Tank]) -> bool | 1",
        "drained | pub fn drained(tank: &Tank) -> usize | 1",
        "levels | pub fn levels(all: &[Box<dyn Level>]) -> u32 | 1",
        "measured | pub fn measured(tank: &Tank) -> u32 | 1",
        "twice! | macro_rules! twice | 1",
    ]
    .map(|line| format!("meanings/meanings::{line}"));
    assert_eq!(before[..6], in_lib);
    assert!(before[6..].contains(
        &"meanings/meanings::pump::<Pump as Level>::level | fn level(&self) -> u32 | 1".to_owned()
    ));
    let text = project.read("src/lib.rs");
    project.write("src/lib.rs", format!("{text}\nfn more() {{}}\n"));
    refresh(&mut index);
    assert_eq!(shown(&index), before[6..], "signatures of another text do not apply");
    project.write("src/lib.rs", text);
    refresh(&mut index);
    assert_eq!(shown(&index), before);
}
