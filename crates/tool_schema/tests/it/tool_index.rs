//! Tools are found by name, description and arguments, and read again only where they differ.

use graftage_tool_schema::{ToolIndex, ToolSchema};
use serde_json::{Value, json};

fn tool(name: &str, description: &str, properties: Value) -> ToolSchema {
    let input_schema = json!({ "type": "object", "properties": properties });
    ToolSchema { name: name.to_owned(), description: description.to_owned(), input_schema }
}

fn tools() -> Vec<ToolSchema> {
    vec![
        tool(
            "git_commit",
            "Records the staged changes.",
            json!({ "message": { "type": "string" } }),
        ),
        tool(
            "post_message",
            "Writes into a channel.",
            json!({ "channel": { "type": "string", "description": "Name or number of the channel" } }),
        ),
        tool(
            "render",
            "Makes an image of a page.",
            json!({
                "options": { "type": "object", "properties": {
                    "orientation": { "enum": ["landscape", "portrait"] },
                    "description": { "type": "string", "description": "Caption under the picture" },
                } },
                "sizes": { "type": "array", "items": { "anyOf": [{ "title": "Paper format" }] } },
            }),
        ),
    ]
}

fn first(index: &ToolIndex, intent: &str) -> String {
    index.search(intent, 5).first().map(|hit| hit.name.clone()).unwrap_or_default()
}

#[test]
fn tools_are_found_by_every_part_of_their_schema() {
    let index = ToolIndex::new(&tools());
    for (intent, name) in [
        ("commit my work", "git_commit"),
        ("write to the channel", "post_message"),
        ("chann", "post_message"),
        ("landscape", "render"),
        ("add a caption", "render"),
        ("which paper", "render"),
    ] {
        assert_eq!(first(&index, intent), name, "{intent}");
    }
    assert!(index.search("", 5).is_empty());
    assert!(index.search("commit", 0).is_empty());
    assert!(ToolIndex::new(&[]).search("commit", 5).is_empty());
}

#[test]
fn the_order_of_the_tools_does_not_count() {
    let mut tools = tools();
    let one = ToolIndex::new(&tools);
    tools.reverse();
    let other = ToolIndex::new(&tools);
    for intent in ["message", "commit a message to the channel", "image"] {
        assert_eq!(one.search(intent, 5), other.search(intent, 5));
    }
    assert_eq!(one.names().collect::<Vec<_>>(), ["git_commit", "post_message", "render"]);
}

#[test]
fn a_refresh_goes_by_content_and_gives_what_a_new_index_gives() {
    let mut tools = tools();
    let mut index = ToolIndex::new(&tools);
    assert_eq!(index.refresh(&tools), Default::default());
    tools.remove(0);
    tools[0].description = "Sends mail.".to_owned();
    tools.push(tool("archive", "Packs a folder.", json!({})));
    tools.push(tool("archive", "The second of that name.", json!({})));
    let changes = index.refresh(&tools);
    assert_eq!(changes.added, ["archive"]);
    assert_eq!(changes.changed, ["post_message"]);
    assert_eq!(changes.removed, ["git_commit"]);
    let new = ToolIndex::new(&tools);
    for intent in ["send mail", "pack", "second", "commit"] {
        assert_eq!(index.search(intent, 5), new.search(intent, 5));
    }
    assert_eq!(first(&index, "pack the folder"), "archive");
}

#[test]
fn a_schema_without_end_is_read_to_a_limit() {
    let mut deep = json!({ "description": "treasure" });
    for _ in 0..1_000 {
        deep = json!({ "items": deep });
    }
    let long = "word ".repeat(1 << 20);
    let odd = [
        ToolSchema { name: "deep".to_owned(), description: String::new(), input_schema: deep },
        tool("long", &long, json!({ "last": { "type": "string" } })),
        ToolSchema {
            name: "odd".to_owned(),
            description: "é".repeat(20_000),
            input_schema: json!(7),
        },
    ];
    let index = ToolIndex::new(&odd);
    assert_eq!(first(&index, "treasure"), "");
    assert_eq!(first(&index, "words"), "long");
}

/// The set of `benches/tools`: that it is whole, and that ranking it finds something.
#[test]
fn the_set_of_public_tools_is_whole_and_searched() {
    #[derive(serde::Deserialize)]
    struct Case {
        intent: String,
        tools: Vec<String>,
    }
    let schemas = include_str!("../../benches/tools/schemas.jsonl");
    let tools: Vec<ToolSchema> =
        schemas.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let index = ToolIndex::new(&tools);
    let names: base::SortedSet<&str> = index.names().collect();
    let servers: base::SortedSet<&str> =
        names.iter().filter_map(|name| Some(name.split_once("__")?.0)).collect();
    assert_eq!((tools.len(), names.len(), servers.len()), (226, 226, 30));
    let (mut all, mut found) = (0, 0);
    for part in [
        include_str!("../../benches/tools/fit.jsonl"),
        include_str!("../../benches/tools/choose.jsonl"),
        include_str!("../../benches/tools/report.jsonl"),
    ] {
        for line in part.lines() {
            let case: Case = serde_json::from_str(line).unwrap();
            assert!(case.tools.iter().all(|name| names.contains(name.as_str())), "{line}");
            let hits = index.search(&case.intent, 5);
            assert!(hits.len() <= 5 && hits.is_sorted_by(|a, b| a.score.score >= b.score.score));
            all += 1;
            found += usize::from(hits.iter().any(|hit| case.tools.contains(&hit.name)));
        }
    }
    assert_eq!(all, 106);
    assert!(found >= 35, "{found}");
}
