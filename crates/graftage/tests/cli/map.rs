use serde_json::Value;
use testkit::TempProject;

use super::support::graftage;

/// A library with a type, a caller, a test, and a broken function.
fn library() -> TempProject {
    testkit::crate_project(
        "
//- /src/lib.rs
//! Reads things.

pub mod io;

use io::Reader;

/// Opens a reader.
pub fn open() -> u8 {
    Reader::new(7).read()
}

pub fn unrelated() -> &'static str {
    \"nothing\"
}

#[cfg(test)]
mod tests {
    #[test]
    fn opens() {
        assert_eq!(super::open(), 7);
    }
}
//- /src/io.rs
//! Input.

/// Reads a number.
///
/// ```
/// let seven = fixture::io::Reader::new(7);
/// ```
pub struct Reader {
    n: u8,
}

impl Reader {
    /// A reader of `n`.
    pub fn new(n: u8) -> Self {
        Self { n }
    }

    /// Returns the number.
    pub fn read(&self) -> u8 {
        self.n
    }
}
//- /src/net.rs
pub fn open() {}
",
    )
}

fn canons(rows: &Value) -> Vec<&str> {
    let rows = rows.as_array().into_iter().flatten();
    rows.map(|row| row["canon"].as_str().unwrap_or("no canon")).collect()
}

#[test]
fn index_reports_contents_and_cost_of_the_map() {
    let project = library();
    let before = project.digest();
    let result = graftage(&project, &["index", "--json"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{result:#?}");
    let json = result.json();
    assert_eq!(json["files"], 3);
    for field in [
        "items",
        "edges",
        "problems",
        "skipped",
        "coverage",
        "cpu_ms",
        "wall_ms",
        "peak_rss_bytes",
        "bytes_on_disk",
    ] {
        assert!(!json[field].is_null(), "{field}");
    }
    let calls = json["edges"].as_array().unwrap().iter().find(|row| row["kind"] == "CALLS");
    assert_eq!(calls.unwrap()["provenance"], "syntax");
    let again = graftage(&project, &["index", "--json"]).json();
    assert_eq!((&again["parsed_files"], &again["items"]), (&Value::from(0), &json["items"]));
    before.assert_same(&project.digest());
}

#[test]
fn sources_without_a_manifest_are_mapped_as_one_crate_and_not_built() {
    let project = testkit::project(
        "
//- /main.rs
mod net;

fn main() {
    net::open();
}
//- /net.rs
pub fn open() {}
",
    );
    let result = graftage(&project, &["callers", "net::open", "--json"]);
    assert_eq!(result.status, 0, "{result:#?}");
    assert!(result.stdout.contains("::main\""), "{}", result.stdout);
    let result = graftage(&project, &["search", "open", "--json"]);
    assert_eq!(result.status, 0, "{result:#?}");
    assert!(!project.path("target").exists());
    let result = graftage(&project, &["check"]);
    assert_eq!(result.status, 2, "{result:#?}");
    assert!(result.stderr.contains("no `Cargo.toml`"), "{}", result.stderr);
}

#[test]
fn callers_lists_callers_with_location_and_certainty() {
    let project = library();
    let json = graftage(&project, &["callers", "Reader::read", "--json"]).json();
    assert_eq!(canons(&json["items"]), ["fixture/fixture::open"]);
    let edge = &json["edges"][0];
    assert_eq!(edge["src_canon"], "fixture/fixture::open");
    assert_eq!(edge["dst_canon"], "fixture/fixture::io::Reader::read");
    assert_eq!((&edge["kind"], &edge["tier"]), (&"CALLS".into(), &"proven".into()));
    assert_eq!((&edge["file"], &edge["line"]), (&"src/lib.rs".into(), &9.into()));
    assert_eq!(edge["provenance"], "syntax");
    assert!(edge["rule"].as_str().is_some_and(|rule| !rule.is_empty()), "{edge}");
    assert_eq!(json["counts"]["proven"], 1);

    let result = graftage(&project, &["callers", "Reader::read"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""));
    assert_eq!(
        result.stdout,
        "method fixture::io::Reader::read  src/io.rs:19\n  pub fn read(&self) -> u8\n\n\
         callers: 1 proven\n    fixture::open  src/lib.rs:9\n"
    );
}

#[test]
fn callees_and_greater_depths_are_followed() {
    let project = library();
    let json = graftage(&project, &["callees", "crate::open", "--json"]).json();
    assert_eq!(
        canons(&json["items"]),
        ["fixture/fixture::io::Reader::new", "fixture/fixture::io::Reader::read"]
    );
    let json = graftage(&project, &["callers", "Reader::new", "--depth", "2", "--json"]).json();
    assert_eq!(canons(&json["items"]), ["fixture/fixture::open", "fixture/fixture::tests::opens"]);
    assert_eq!(json["items"][1]["depth"], 2);
}

#[test]
fn an_ambiguous_name_lists_its_matches() {
    let project = library();
    project.write(
        "src/lib.rs",
        project.read("src/lib.rs").replace("pub mod io;", "pub mod io;\npub mod net;"),
    );
    let result = graftage(&project, &["show", "open"]);
    assert_eq!((result.status, result.stdout.as_str()), (2, ""), "{result:#?}");
    assert!(result.stderr.contains("`open` is ambiguous (2 matches)"), "{}", result.stderr);
    for candidate in ["fixture/fixture::open (src/lib.rs:9)", "fixture/fixture::net::open"] {
        assert!(result.stderr.contains(candidate), "{}", result.stderr);
    }
    let result = graftage(&project, &["show", "net::open"]);
    assert_eq!(result.status, 0, "{result:#?}");
}

#[test]
fn an_unknown_name_comes_with_similar_names() {
    let project = library();
    let result = graftage(&project, &["callers", "Raeder", "--json"]);
    assert_eq!(result.status, 1);
    let json = result.json();
    assert_eq!(json["error"]["message"], "no item named `Raeder`");
    assert!(json["error"]["hint"].as_str().unwrap().contains("fixture/fixture::io::Reader"));
}

#[test]
fn show_reports_an_item_with_code_and_edges() {
    let project = library();
    let json = graftage(&project, &["show", "io::Reader", "--json"]).json();
    let item = &json["items"][0];
    assert_eq!(item["key"], "src-io.rs-Reader");
    assert_eq!(item["signature"], "pub struct Reader");
    assert_eq!((&item["start_line"], &item["end_line"]), (&8.into(), &10.into()));
    assert!(json["docs"].as_str().unwrap().starts_with("Reads a number.\n"));
    assert!(json["code"].as_str().unwrap().ends_with("n: u8,\n}"));
    for name in ["src-io.rs-Reader", item["id"].as_str().unwrap()] {
        let same = graftage(&project, &["show", name, "--json"]).json();
        assert_eq!(same["items"][0]["canon"], item["canon"]);
    }
    let result = graftage(&project, &["show", "Reader::read"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""));
    for part in ["pub fn read(&self) -> u8", "Returns the number.", "called by: 1 proven"] {
        assert!(result.stdout.contains(part), "{}", result.stdout);
    }
}

#[test]
fn impact_follows_a_change_to_its_tests() {
    let project = library();
    let json = graftage(&project, &["impact", "Reader::read", "--json"]).json();
    assert_eq!(canons(&json["changed"]), ["fixture/fixture::io::Reader::read"]);
    assert_eq!(canons(&json["tests"]), ["fixture/fixture::tests::opens"]);
    assert!(canons(&json["items"]).contains(&"fixture/fixture::open"));
    assert!(!canons(&json["items"]).contains(&"fixture/fixture::unrelated"));
}

#[test]
fn impact_of_a_diff_and_of_uncommitted_changes_starts_at_the_changed_items() {
    let project = library();
    let git = project.git();
    let nothing = graftage(&project, &["impact"]);
    assert_eq!((nothing.status, nothing.stdout.as_str()), (0, "no changes\n"), "{nothing:#?}");
    let before = project.read("src/io.rs");
    project.write("src/io.rs", before.replace("        self.n\n", "        self.n + 0\n"));
    let json = graftage(&project, &["impact", "--json"]).json();
    assert_eq!(canons(&json["changed"]), ["fixture/fixture::io::Reader::read"]);
    assert_eq!(canons(&json["tests"]), ["fixture/fixture::tests::opens"]);

    project.write("src/io.rs", &before);
    drop(git);
    let diff = "--- a/src/io.rs\n+++ b/src/io.rs\n@@ -14,3 +14,3 @@\n     pub fn new(n: u8) -> Self \
                {\n-        Self { n }\n+        Self { n: n }\n     }\n";
    let file = project.beside("requests").join("change.diff");
    std::fs::write(&file, diff).unwrap();
    let file = file.display().to_string();
    let json = graftage(&project, &["impact", &file, "--json"]).json();
    assert_eq!(canons(&json["changed"]), ["fixture/fixture::io::Reader::new"]);
}

#[test]
fn path_reports_the_path_or_that_there_is_none() {
    let project = library();
    let result = graftage(&project, &["path", "tests::opens", "Reader::read", "--json"]);
    assert_eq!(result.status, 0);
    let json = result.json();
    assert_eq!(
        canons(&json["items"]),
        [
            "fixture/fixture::tests::opens",
            "fixture/fixture::open",
            "fixture/fixture::io::Reader::read"
        ]
    );
    assert_eq!(json["edges"].as_array().unwrap().len(), 2);
    let result = graftage(&project, &["path", "unrelated", "Reader::read"]);
    assert_eq!(result.status, 1);
    assert_eq!(result.stdout, "no path from fixture::unrelated to fixture::io::Reader::read\n");
}

#[test]
fn stream_writes_the_map_as_lines() {
    let project = library();
    let result = graftage(&project, &["stream"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""));
    let lines: Vec<Value> =
        result.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| lines.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    let read = of("node").into_iter().find(|node| node["name"] == "read").unwrap().clone();
    assert_eq!(read["canon"], "fixture/fixture::io::Reader::read");
    assert_eq!(read["isgl_level"], 2);
    let call = of("edge")
        .into_iter()
        .find(|edge| edge["dst_canon"] == read["canon"] && edge["kind"] == "CALLS")
        .unwrap();
    for field in
        ["src", "dst", "src_canon", "dst_canon", "kind", "provenance", "tier", "file", "line"]
    {
        assert!(!call[field].is_null(), "{field}");
    }
    let slice = of("slice").into_iter().find(|slice| slice["id"] == read["id"]).unwrap();
    assert!(slice["code"].as_str().unwrap().ends_with("self.n\n    }"));
    let last = lines.last().unwrap();
    assert_eq!(last["type"], "summary");
    assert_eq!(last["nodes"], of("node").len());
    assert_eq!(last["edges_streamed"], of("edge").len());
    let again = graftage(&project, &["stream"]).stdout;
    let same = |text: &str| {
        text.lines().filter(|l| !l.contains("\"summary\"")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(same(&again), same(&result.stdout), "the same tree gives the same lines");
}

#[test]
fn strict_streams_omit_and_report_items_that_did_not_parse() {
    let project = testkit::crate_project("pub fn whole() {}\n\npub fn broken() { let = ; }\n");
    let names = |mode: &str| {
        let result = graftage(&project, &["stream", "--parser-mode", mode]);
        assert_eq!(result.status, 0, "{result:#?}");
        let lines: Vec<Value> =
            result.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let has = |kind: &str, name: &str| {
            lines.iter().any(|l| l["type"] == kind && l.to_string().contains(name))
        };
        (has("node", "::whole"), has("node", "::broken"), has("diagnostic", "::broken"))
    };
    assert_eq!(names("auto"), (true, true, false));
    assert_eq!(names("strict"), (true, false, true));
}

#[test]
#[cfg(not(feature = "store"))]
fn a_query_without_the_engine_comes_with_a_hint() {
    let project = library();
    let result = graftage(&project, &["query", "?[name] := *isg_nodes{name}"]);
    assert_eq!((result.status, result.stdout.as_str()), (3, ""));
    assert!(result.stderr.contains("--no-default-features"), "{}", result.stderr);
}

#[test]
#[cfg(feature = "store")]
fn a_query_runs_on_the_present_map() {
    let project = library();
    let script = "?[name] := *isg_nodes{name, kind: 'method'} :order name";
    let json = graftage(&project, &["query", script, "--json"]).json();
    assert_eq!(json["headers"], serde_json::json!(["name"]));
    assert_eq!(json["rows"], serde_json::json!([["new"], ["read"]]));
}

#[test]
#[cfg(feature = "store")]
fn a_vector_index_is_built_on_request_and_rebuilt_for_a_new_map() {
    let project = library();
    let nearest = "own[vec] := *isg_nodes{id, name: 'read', kind: 'method'}, *embeddings{id, vec} \
                   ?[d, name] := own[vec], *isg_nodes{id, name}, \
                   ~embeddings:near{id | query: vec, k: 3, ef: 20, bind_distance: d} :order d";
    assert_eq!(graftage(&project, &["query", nearest]).status, 2, "no vector index was requested");
    for _ in 0..2 {
        let json = graftage(&project, &["index", "--hnsw", "--json"]).json();
        assert_eq!(json["search"]["hnsw"], json["search"]["vectors"], "{json:#}");
        let json = graftage(&project, &["query", nearest, "--json"]).json();
        assert_eq!(json["rows"].as_array().map(Vec::len), Some(3), "{json:#}");
        assert_eq!(json["rows"][0][1], "read", "{json:#}");
        // The second iteration has a different map.
        let text = project.read("src/io.rs");
        project.write("src/io.rs", format!("{text}\n/// Writes.\npub fn write_all() {{}}\n"));
    }
}

#[test]
#[cfg(feature = "store")]
fn a_query_with_a_huge_value_ends_with_an_error() {
    let project = library();
    let doubled: Vec<String> =
        (1..=30).map(|n| format!("a{n} = concat(a{}, a{0})", n - 1)).collect();
    let script =
        format!("?[n] := a0 = \"{}\", {}, n = length(a30)", "a".repeat(64), doubled.join(", "));
    let result = graftage(&project, &["query", &script, "--json"]);
    assert_eq!(result.status, 1, "{result:#?}");
    let message = result.json()["error"]["message"].to_string();
    assert!(message.contains("MiB") || message.contains("ran longer"), "{message}");
}

#[test]
#[cfg(feature = "store")]
fn a_query_for_an_unknown_relation_or_column_lists_the_known_ones() {
    let project = library();
    for (script, part) in [
        ("?[a] := *isg_nodes{nme: a}", "its columns are: id, key, canon"),
        ("?[a] := *nodes{name: a}", "the relations are: isg_nodes, isg_edges"),
        ("?[name] := isg_nodes{name}", "`*isg_nodes{…}`"),
    ] {
        let result = graftage(&project, &["query", script]);
        assert_eq!(result.status, 2, "{result:#?}");
        assert!(result.stderr.contains(part), "{result:#?}");
    }
}

#[test]
fn docs_write_only_their_own_directory() {
    let project = library();
    let before = project.digest();
    let json = graftage(&project, &["docs", "--json"]).json();
    assert_eq!((&json["pages"], &json["written"]), (&3.into(), &3.into()), "{json:#}");
    let page = project.read("docs/generated/fixture/io.md");
    for part in [
        "# Module `io`",
        "Input.",
        "<a id=\"struct.Reader\"></a>\n### struct `Reader`",
        "[src/io.rs:8](../../../src/io.rs#L8)",
        "let seven = fixture::io::Reader::new(7);",
        "pub fn read(&self) -> u8",
    ] {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    assert!(project.read("docs/generated/index.md").contains("fixture/crate.md"));
    let again = graftage(&project, &["docs", "--json"]).json();
    assert_eq!((&again["written"], &again["unchanged"]), (&0.into(), &3.into()));
    before.assert_same(&project.digest().without("docs"));

    project.write("docs/generated/index.md", "edited\n");
    let result = graftage(&project, &["docs"]);
    assert_eq!(result.status, 2, "{result:#?}");
    assert_eq!(project.read("docs/generated/index.md"), "edited\n");
}

#[test]
fn clean_removes_the_map_and_the_next_command_rebuilds_it() {
    let project = library();
    graftage(&project, &["index"]);
    let json = graftage(&project, &["clean", "--json"]).json();
    assert!(json["freed_bytes"].as_u64().unwrap() > 0, "{json}");
    let again = graftage(&project, &["clean", "--json"]).json();
    assert_eq!(again["freed_bytes"], 0, "{again}");
    assert_eq!(graftage(&project, &["callers", "Reader::read"]).status, 0);
}
