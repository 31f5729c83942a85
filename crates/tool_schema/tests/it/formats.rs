//! Forms of tools.

use base::Hint;
use expect_test::expect;
use graftage_tool_schema::{FormatError, ToolSchema};
use serde_json::{Value, json};

/// The declaration of the published example of FunctionGemma.
const DECLARATION: &str = "<start_function_declaration>declaration:get_current_weather{description:<escape>\
    Gets the current weather in a given location.<escape>,parameters:{properties:{location:{description:\
    <escape>The city and state, e.g. \"San Francisco, CA\" or \"Tokyo, JP\"<escape>,type:<escape>STRING\
    <escape>},unit:{description:<escape>The unit to return the temperature in.<escape>,enum:[<escape>\
    celsius<escape>,<escape>fahrenheit<escape>],type:<escape>STRING<escape>}},required:[<escape>location\
    <escape>],type:<escape>OBJECT<escape>}}<end_function_declaration>";

fn weather() -> ToolSchema {
    ToolSchema {
        name: "get_current_weather".to_owned(),
        description: "Gets the current weather in a given location.".to_owned(),
        input_schema: json!({
            "type": "object",
            "properties": {
                "location": {
                    "type": "string",
                    "description": "The city and state, e.g. \"San Francisco, CA\" or \"Tokyo, JP\"",
                },
                "unit": {
                    "type": "string",
                    "enum": ["celsius", "fahrenheit"],
                    "description": "The unit to return the temperature in.",
                },
            },
            "required": ["location"],
        }),
    }
}

#[test]
fn the_published_example_is_printed_byte_for_byte() {
    assert_eq!(weather().to_gemma().unwrap(), DECLARATION);
}

#[test]
fn control_strings_in_texts_are_refused() {
    for control in ["<escape>", "<start_function_call>", "<end_of_turn>", "<|\"|>", "<bos>"] {
        let tool = ToolSchema { description: format!("a{control}b"), ..weather() };
        let error = tool.to_gemma().unwrap_err();
        assert_eq!(error, FormatError::Control { place: tool.name, control });
        assert_eq!(error.hint(), Some(format!("remove `{control}` from the text")));
    }
}

#[test]
fn nested_schemas_references_and_options_are_printed() {
    let tool = ToolSchema {
        name: "f".to_owned(),
        description: String::new(),
        input_schema: json!({
            "type": "object",
            "$defs": { "Place": { "type": "object", "properties": { "x": { "type": "number" } } } },
            "properties": {
                "places": { "type": "array", "items": { "$ref": "#/$defs/Place" } },
                "Limit": { "type": ["integer", "null"], "minimum": 1 },
                "at": {
                    "anyOf": [{ "$ref": "#/$defs/Place" }, { "type": "null" }],
                    "description": "Where",
                },
            },
        }),
    };
    let text = tool.to_gemma().unwrap().replace("<escape>", "'");
    expect!["<start_function_declaration>declaration:f{description:'',parameters:{properties:{at:{description:'Where',properties:{x:{description:'',type:'NUMBER'}},type:'OBJECT'},Limit:{description:'',type:'INTEGER'},places:{description:'',items:{properties:{x:{description:'',type:'NUMBER'}},type:'OBJECT'},type:'ARRAY'}},type:'OBJECT'}}<end_function_declaration>"]
    .assert_eq(&text);
}

#[test]
fn schemas_without_a_counterpart_are_refused_with_their_place() {
    let refused = |property: Value| {
        let input_schema = json!({
            "type": "object", "properties": { "p": property }, "$defs": { "A": { "$ref": "#/$defs/A" } },
        });
        let (name, description) = ("f".to_owned(), String::new());
        let tool = ToolSchema { name, description, input_schema };
        tool.to_gemma().unwrap_err().to_string()
    };
    let errors = [
        json!({ "type": ["string", "number"] }),
        json!({ "anyOf": [{ "type": "string" }, { "type": "number" }] }),
        json!({ "$ref": "#/$defs/A" }),
        json!({ "$ref": "#/$defs/B" }),
        json!(true),
        json!({ "type": "object", "properties": { "a b": { "type": "string" } } }),
        json!({ "type": "array", "items": {} }),
    ]
    .map(refused);
    expect![[r#"
        the schema of `f.p` cannot be written in this form: it has not exactly one of the basic types
        the schema of `f.p` cannot be written in this form: it has several alternatives
        the schema of `f.p` cannot be written in this form: its references form a cycle
        the schema of `f.p` cannot be written in this form: its reference leads nowhere
        the schema of `f.p` cannot be written in this form: it is no object
        `a b` cannot be a name in this form
        the schema of `f.p[]` cannot be written in this form: it has not exactly one of the basic types"#]]
    .assert_eq(&errors.join("\n"));
}

#[test]
fn both_interfaces_get_the_same_schema() {
    let tool = weather();
    let (one, other) = (tool.to_anthropic(), tool.to_openai());
    assert_eq!(one["name"], "get_current_weather");
    assert_eq!(one["input_schema"], tool.input_schema);
    assert_eq!((&other["type"], &other["function"]["name"]), (&json!("function"), &one["name"]));
    assert_eq!(other["function"]["parameters"], one["input_schema"]);
    let empty = json!({ "type": "object", "properties": {} });
    let without = ToolSchema { input_schema: Value::Null, ..tool };
    assert_eq!(without.to_anthropic()["input_schema"], empty);
    let untyped = ToolSchema { input_schema: json!({ "properties": {} }), ..without };
    assert_eq!(untyped.to_openai()["function"]["parameters"], empty);
}
