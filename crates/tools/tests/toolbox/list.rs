//! The list of tools.

use graftage_tools::{ToolFormat, Toolbox};
use serde_json::{Value, json};

/// Bytes of the list as a client sends it to a model; below four bytes a token this is 4,000 tokens.
const MOST: usize = 14_000;

#[test]
fn the_list_is_small() {
    let schemas = Toolbox::standard().with_files().schemas();
    let bytes = |tool: &tool_schema::ToolSchema| tool.to_anthropic().to_string().len();
    let all: usize = schemas.iter().map(bytes).sum();
    let by_tool: Vec<String> =
        schemas.iter().map(|tool| format!("{} {}", tool.name, bytes(tool))).collect();
    assert!(all <= MOST, "{all} bytes: {by_tool:?}");
}

#[test]
fn each_tool_has_a_closed_schema_and_a_described_card() {
    for tool in Toolbox::standard().with_files().list() {
        let name = tool.card.name;
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{name}");
        assert!(tool.card.description.ends_with('.') && !tool.card.title.is_empty(), "{name}");
        assert_eq!(tool.input_schema["type"], "object", "{name}");
        assert_eq!(tool.input_schema["additionalProperties"], false, "{name}");
        assert_eq!(tool.output_schema["type"], "object", "{name}");
        let fields = tool.input_schema["properties"].as_object().unwrap();
        assert!(!fields.is_empty(), "{name}");
    }
}

#[test]
fn all_formats_can_be_written() {
    let toolbox = Toolbox::standard().with_files();
    let count = toolbox.list().len();
    for format in [ToolFormat::Anthropic, ToolFormat::OpenAi] {
        let Value::Array(tools) = toolbox.formatted(format).unwrap() else { panic!("no list") };
        assert_eq!(tools.len(), count);
    }
    let Value::String(text) = toolbox.formatted(ToolFormat::Gemma).unwrap() else {
        panic!("no text")
    };
    assert_eq!(text.matches("<start_function_declaration>").count(), count);
    let first = &toolbox.formatted(ToolFormat::OpenAi).unwrap()[0];
    assert_eq!(first["type"], json!("function"));
}
