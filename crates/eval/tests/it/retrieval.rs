//! Sets A and B on a crate of three files in place of cargo's registry.

use std::path::{Path, PathBuf};

use graftage_eval::{FitOptions, RunEnvironment, RunOptions, Summary, fit_weights, run};

use crate::fakes::machine;

const MANIFEST: &str = "[package]\nname = \"tiny\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
const LIB: &str = "pub mod net;\npub mod text;\n";
const NET: &str = "/// Waits longer after each failed attempt.\npub fn back_off(attempt: u32) -> u64 {\n    100 << attempt\n}\n\npub fn send(bytes: &[u8]) -> usize {\n    bytes.len()\n}\n";
const TEXT: &str = "/// Splits a line of text into its words.\npub fn cut(line: &str) -> Vec<&str> {\n    line.split(' ').collect()\n}\n\npub fn join(words: &[&str]) -> String {\n    words.join(\" \")\n}\n";

struct Fixture {
    dir: tempfile::TempDir,
    machine: RunEnvironment,
}

fn fixture() -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let mut machine = machine(dir.path());
    machine.surroundings.cargo_home = dir.path().join("cargo");
    let root = dir.path().join("cargo/registry/src/index/tiny-1.0.0");
    for (path, text) in
        [("Cargo.toml", MANIFEST), ("src/lib.rs", LIB), ("src/net.rs", NET), ("src/text.rs", TEXT)]
    {
        write(&root.join(path), text);
    }
    Fixture { dir, machine }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

impl Fixture {
    fn options(&self, suite: PathBuf) -> RunOptions {
        RunOptions {
            suite,
            out: self.dir.path().join("out"),
            jobs: 2,
            cases: Vec::new(),
            limit: None,
            analyzer: false,
            deletion: false,
            product: "test".to_owned(),
        }
    }

    fn run(&self, suite: PathBuf) -> Summary {
        run(&testkit::ctx(), &self.machine, &self.options(suite)).unwrap()
    }

    fn set_a(&self) -> PathBuf {
        let case = |id: &str, raw: &str, file: &str, lines: (u32, u32), share: f64| {
            serde_json::json!({
                "id": id, "repo": "o/tiny", "crate": "tiny", "version": "1.0.0", "kind": "fix",
                "raw": raw, "masked": null, "gold_files": [file], "gold_share": share,
                "gold_items": [{"file": file, "kind": "fn", "start_line": lines.0, "end_line": lines.1}],
            })
            .to_string()
        };
        let cases = [
            case(
                "A-1",
                "net: the pause after a failed attempt must be longer",
                "src/net.rs",
                (2, 4),
                1.0,
            ),
            case("A-2", "nothing of this is in the crate: zebra", "src/gone.rs", (1, 9), 0.1),
        ];
        let folder = self.dir.path().join("A");
        write(&folder.join("cases.jsonl"), &cases.join("\n"));
        folder
    }

    fn set_b(&self) -> PathBuf {
        let start = TEXT.find("pub fn cut").unwrap();
        let end = TEXT.find("}\n").unwrap() + 1;
        let folder = self.dir.path().join("B");
        let item = serde_json::json!({
            "id": "cut", "crate": "tiny", "version": "1.0.0", "file": "src/text.rs", "kind": "fn",
            "name": "cut", "path": "cut", "l0": 2, "l1": 4, "start": start, "end": end, "strip": [[0, 40]],
        });
        let query = serde_json::json!({
            "id": "B-1", "crate": "tiny", "version": "1.0.0", "kind": "fn", "gold": ["cut"],
            "raw": "Splits a line of text into its words.", "masked": "Splits a line of text",
        });
        write(&folder.join("items_tiny-1.0.0.jsonl"), &item.to_string());
        write(&folder.join("queries_tiny-1.0.0.jsonl"), &query.to_string());
        folder
    }
}

#[test]
fn set_a_scores_files_and_items_beside_plain_searches_and_names_the_stage_that_lost_a_target() {
    let fixture = fixture();
    let summary = fixture.run(fixture.set_a());
    assert_eq!((summary.suite.as_str(), summary.cases, summary.resumed), ("A_localise", 2, 0));
    assert_eq!(summary.score["acc@5.file.raw"], 0.5);
    assert_eq!(summary.score["acc@10.item.raw"], 0.5);
    assert_eq!(summary.mean_of_groups["mrr@10.file.raw"], 0.5);
    assert_eq!(summary.without_weak["acc@10.item.raw"], 1.0);
    assert!(summary.score.contains_key("recall@1000t.context.raw"));
    assert_eq!(summary.beside["bm25"]["acc@10.item.raw"], 0.5);
    assert!(summary.beside.contains_key("keyword, mean of groups"));
    let page = std::fs::read_to_string(&summary.report).unwrap();
    assert!(page.contains("| A-2 | raw | 1. src/gone.rs:1-9 | map |"), "{page}");
    let again = fixture.run(fixture.set_a());
    assert_eq!((again.resumed, again.score), (2, summary.score));
}

#[test]
fn set_b_never_shows_the_query_to_the_product() {
    let fixture = fixture();
    let summary = fixture.run(fixture.set_b());
    assert_eq!((summary.suite.as_str(), summary.cases), ("B_doc2item", 1));
    assert_eq!(summary.score["mrr@10.item.raw"], summary.score["mrr@10.raw"]);
    // `line` and `split` are in its code; `words` and `text` only in comment and path.
    assert!(summary.score["recall@10.masked"] > 0.0);
}

#[test]
fn weights_are_fitted_and_written_as_the_settings_read_them() {
    let fixture = fixture();
    let options = FitOptions {
        suites: vec![fixture.set_a(), fixture.set_b()],
        out: fixture.dir.path().join("weights"),
        jobs: 1,
    };
    let fitted = fit_weights(&testkit::ctx(), &fixture.machine, &options).unwrap();
    let names: Vec<&String> = fitted.weights.keys().collect();
    assert_eq!(names, ["find", "locate", "mixed"]);
    for name in names {
        let text = std::fs::read_to_string(fitted.folder.join(format!("{name}.txt"))).unwrap();
        search::Weights::parse(&text).unwrap();
    }
    assert_eq!(fitted.weights["locate"].queries, 2);
}
