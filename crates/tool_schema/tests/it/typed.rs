//! Types, their schemas and their inputs.

use expect_test::expect;
use graftage_tool_schema::{InputSchema, ToolSchema, nearest_names, schema_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::chance::Chance;

/// A plan of edits.
///
/// With a second paragraph.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Plan {
    /// Edits to make.
    #[schemars(length(min = 1, max = 4))]
    edits: Vec<Edit>,
    /// See [`Mode`].
    #[serde(default)]
    mode: Mode,
    /// Confidence, 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    confidence: Option<f64>,
    /// A target.
    #[serde(default)]
    target: Option<Target>,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    tree: Option<Box<Tree>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Edit {
    /// Text to find.
    #[schemars(length(min = 1))]
    find: String,
    replace: String,
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    count: u32,
    #[serde(default)]
    all: bool,
}

fn one() -> u32 {
    1
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    /// Nothing is written.
    #[default]
    DryRun,
    /// All is written.
    Full,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
enum Target {
    File { path: String },
    Item { canon: String, line: u16 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
}

#[test]
fn a_schema_has_what_a_model_needs_and_nothing_else() {
    let schema = schema_of::<Plan>();
    expect![[r##"
        {
          "$defs": {
            "Tree": {
              "additionalProperties": false,
              "properties": {
                "children": {
                  "items": {
                    "$ref": "#/$defs/Tree"
                  },
                  "type": "array"
                },
                "name": {
                  "type": "string"
                }
              },
              "required": [
                "name"
              ],
              "type": "object"
            }
          },
          "additionalProperties": false,
          "properties": {
            "confidence": {
              "description": "Confidence, 0 to 1",
              "maximum": 1,
              "minimum": 0,
              "type": "number"
            },
            "edits": {
              "description": "Edits to make",
              "items": {
                "additionalProperties": false,
                "properties": {
                  "all": {
                    "type": "boolean"
                  },
                  "count": {
                    "default": 1,
                    "minimum": 1,
                    "type": "integer"
                  },
                  "find": {
                    "description": "Text to find",
                    "minLength": 1,
                    "type": "string"
                  },
                  "replace": {
                    "type": "string"
                  }
                },
                "required": [
                  "find",
                  "replace"
                ],
                "type": "object"
              },
              "maxItems": 4,
              "minItems": 1,
              "type": "array"
            },
            "mode": {
              "default": "dry_run",
              "description": "See `Mode`",
              "enum": [
                "dry_run",
                "full"
              ],
              "type": "string"
            },
            "notes": {
              "items": {
                "type": "string"
              },
              "type": "array"
            },
            "target": {
              "description": "A target",
              "oneOf": [
                {
                  "additionalProperties": false,
                  "properties": {
                    "by": {
                      "const": "file",
                      "type": "string"
                    },
                    "path": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "by",
                    "path"
                  ],
                  "type": "object"
                },
                {
                  "additionalProperties": false,
                  "properties": {
                    "by": {
                      "const": "item",
                      "type": "string"
                    },
                    "canon": {
                      "type": "string"
                    },
                    "line": {
                      "maximum": 65535,
                      "minimum": 0,
                      "type": "integer"
                    }
                  },
                  "required": [
                    "by",
                    "canon",
                    "line"
                  ],
                  "type": "object"
                }
              ]
            },
            "tree": {
              "additionalProperties": false,
              "properties": {
                "children": {
                  "items": {
                    "$ref": "#/$defs/Tree"
                  },
                  "type": "array"
                },
                "name": {
                  "type": "string"
                }
              },
              "required": [
                "name"
              ],
              "type": "object"
            }
          },
          "required": [
            "edits"
          ],
          "type": "object"
        }"##]]
    .assert_eq(&serde_json::to_string_pretty(&schema).unwrap());
    assert_eq!(schema_of::<Plan>(), InputSchema::of::<Plan>().schema().clone());
}

#[test]
fn a_tool_of_a_type_has_all_forms() {
    let tool = ToolSchema::of::<Edit>("edit", "Edits.");
    assert_eq!(tool.to_anthropic()["input_schema"], schema_of::<Edit>());
    expect!["<start_function_declaration>declaration:edit{description:<escape>Edits.<escape>,parameters:{properties:{all:{description:<escape><escape>,type:<escape>BOOLEAN<escape>},count:{description:<escape><escape>,type:<escape>INTEGER<escape>},find:{description:<escape>Text to find<escape>,type:<escape>STRING<escape>},replace:{description:<escape><escape>,type:<escape>STRING<escape>}},required:[<escape>find<escape>,<escape>replace<escape>],type:<escape>OBJECT<escape>}}<end_function_declaration>"].assert_eq(&tool.to_gemma().unwrap());
}

#[test]
fn errors_name_the_field_the_reason_and_the_fix() {
    let edit = json!({ "find": "a", "replace": "b" });
    let with = |name: &str, value: Value| {
        let mut plan = json!({ "edits": [edit] });
        plan[name] = value;
        plan
    };
    let cases = [
        json!([1]),
        json!("{\"edits\": []}"),
        json!({}),
        json!({ "edits": [] }),
        json!({ "edit": [edit] }),
        json!({ "edits": "[]" }),
        json!({ "edits": [edit, { "fnd": "a", "replace": "b" }] }),
        json!({ "edits": [edit, edit, { "replace": "b" }] }),
        json!({ "edits": [{ "find": "", "replace": "b" }] }),
        json!({ "edits": [{ "find": "a", "replace": "b", "count": "2" }] }),
        json!({ "edits": [{ "find": "a", "replace": "b", "count": 0 }] }),
        json!({ "edits": [{ "find": "a", "replace": "b", "count": 4_294_967_296_u64 }] }),
        json!({ "edits": [{ "find": "a", "replace": "b", "count": 1.5 }] }),
        json!({ "edits": [{ "find": "a", "replace": "b", "all": "yes" }] }),
        json!({ "edits": [{ "find": null, "replace": "b" }] }),
        with("mode", json!("ful")),
        with("mode", json!("everything")),
        with("confidence", json!(7)),
        with("target", json!({ "path": "a" })),
        with("target", json!({ "by": "fil", "path": "a" })),
        with("target", json!({ "by": "item", "canon": "a", "line": "x" })),
        with("target", json!({ "by": "item", "canon": "a", "line": 70_000 })),
        with("tree", json!({ "name": "a", "children": [{ "name": "b", "children": [{}] }] })),
        with("zzz", json!(1)),
    ];
    let mut lines = String::new();
    for case in cases {
        let error = InputSchema::of::<Plan>().read::<Plan>(&case).unwrap_err();
        lines.push_str(&format!("{case}\n  {error}\n  {}\n", error.fix));
    }
    expect![[r#"
        [1]
          input: it is an array
          pass an object
        "{\"edits\": []}"
          input: it is a string ("{\"edits\": []}")
          pass the object itself, without quotes around it
        {}
          edits: it is missing
          pass `edits`: an array: Edits to make
        {"edits":[]}
          edits: its number of elements is 0, less than 1
          pass at least 1
        {"edit":[{"find":"a","replace":"b"}]}
          edit: there is no such field
          use `edits`
        {"edits":"[]"}
          edits: it is a string ("[]")
          pass the array itself, without quotes around it
        {"edits":[{"find":"a","replace":"b"},{"fnd":"a","replace":"b"}]}
          edits[1].fnd: there is no such field
          use `find`
        {"edits":[{"find":"a","replace":"b"},{"find":"a","replace":"b"},{"replace":"b"}]}
          edits[2].find: it is missing
          pass `find`: a string: Text to find
        {"edits":[{"find":"","replace":"b"}]}
          edits[0].find: its length is 0, less than 1
          pass at least 1
        {"edits":[{"count":"2","find":"a","replace":"b"}]}
          edits[0].count: it is a string ("2")
          pass the integer itself, without quotes around it
        {"edits":[{"count":0,"find":"a","replace":"b"}]}
          edits[0].count: the number is 0, less than 1
          pass at least 1
        {"edits":[{"count":4294967296,"find":"a","replace":"b"}]}
          edits[0].count: invalid value: integer `4294967296`, expected u32
          correct the value
        {"edits":[{"count":1.5,"find":"a","replace":"b"}]}
          edits[0].count: it is a number (1.5)
          pass an integer
        {"edits":[{"all":"yes","find":"a","replace":"b"}]}
          edits[0].all: it is a string ("yes")
          pass a boolean
        {"edits":[{"find":null,"replace":"b"}]}
          edits[0].find: it is null
          pass a string: Text to find
        {"edits":[{"find":"a","replace":"b"}],"mode":"ful"}
          mode: "ful" is none of its values
          use `full`; the values are `dry_run`, `full`
        {"edits":[{"find":"a","replace":"b"}],"mode":"everything"}
          mode: "everything" is none of its values
          use `dry_run`, `full`
        {"confidence":7,"edits":[{"find":"a","replace":"b"}]}
          confidence: the number is 7, more than 1
          pass at most 1
        {"edits":[{"find":"a","replace":"b"}],"target":{"path":"a"}}
          target.by: it is missing
          pass `by`: `file`, `item`
        {"edits":[{"find":"a","replace":"b"}],"target":{"by":"fil","path":"a"}}
          target.by: "fil" is none of its values
          use `file`; the values are `file`, `item`
        {"edits":[{"find":"a","replace":"b"}],"target":{"by":"item","canon":"a","line":"x"}}
          target.line: it is a string ("x")
          pass an integer
        {"edits":[{"find":"a","replace":"b"}],"target":{"by":"item","canon":"a","line":70000}}
          target.line: the number is 70000, more than 65535
          pass at most 65535
        {"edits":[{"find":"a","replace":"b"}],"tree":{"children":[{"children":[{}],"name":"b"}],"name":"a"}}
          tree.children[0].children[0].name: it is missing
          pass `name`: a string
        {"edits":[{"find":"a","replace":"b"}],"zzz":1}
          zzz: there is no such field
          leave it out; the fields are `confidence`, `edits`, `mode`, `notes`, `target`, `tree`
    "#]].assert_eq(&lines);
}

#[test]
fn null_in_an_optional_field_means_that_it_is_left_out() {
    let edit = json!({ "find": "a", "replace": "b", "count": null, "all": null });
    let input = json!({ "edits": [edit], "mode": null, "confidence": null, "target": null });
    let plan: Plan = InputSchema::of::<Plan>().read(&input).unwrap();
    assert_eq!((plan.mode, plan.edits[0].count), (Mode::DryRun, 1));
}

#[test]
fn near_names_are_found() {
    let known = ["search", "context", "show", "propose_edit", "proposals"];
    let near = |name: &str| nearest_names(name, known, 2);
    assert_eq!(near("serach"), ["search"]);
    assert_eq!(near("proposeEdit"), ["propose_edit"]);
    assert_eq!(near("edit"), ["propose_edit"]);
    assert_eq!(near("zzz"), Vec::<&str>::new());
    assert_eq!(near(&"x".repeat(10_000)), Vec::<&str>::new());
}

/// A value of a schema, and the paths of its parts.
fn value_of(schema: &Value, root: &Value, chance: &mut Chance, depth: usize) -> Value {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        return value_of(root.pointer(&target[1..]).unwrap(), root, chance, depth);
    }
    if let Some(choices) = schema.get("oneOf").or(schema.get("anyOf")).and_then(Value::as_array) {
        return value_of(&choices[chance.below(choices.len())], root, chance, depth);
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values[chance.below(values.len())].clone();
    }
    let limit = |name: &str, other: u64| schema.get(name).and_then(Value::as_u64).unwrap_or(other);
    match schema["type"].as_str().unwrap() {
        "string" => json!("x".repeat(limit("minLength", 0) as usize + chance.below(4))),
        "integer" => {
            let (low, high) = (limit("minimum", 0), limit("maximum", 70_000).min(70_000));
            json!(low + chance.below((high - low) as usize + 1) as u64)
        }
        "number" => json!(chance.below(1_001) as f64 / 1_000.0),
        "boolean" => json!(chance.below(2) == 0),
        "array" => {
            let low = limit("minItems", 0) as usize;
            let more =
                if depth > 4 { 0 } else { chance.below(limit("maxItems", 3) as usize - low + 1) };
            let item = |_| value_of(&schema["items"], root, chance, depth + 1);
            Value::Array((0..low + more).map(item).collect())
        }
        "object" => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let mut fields = Map::new();
            for (name, property) in schema["properties"].as_object().unwrap() {
                let is_required = required.contains(&json!(name));
                match chance.below(3) {
                    0 if !is_required => {}
                    1 if !is_required && depth > 0 => {
                        fields.insert(name.clone(), Value::Null);
                    }
                    _ => {
                        let value = value_of(property, root, chance, depth + 1);
                        fields.insert(name.clone(), value);
                    }
                }
            }
            Value::Object(fields)
        }
        other => panic!("{other}"),
    }
}

/// The paths of all values below `value` that are not `null`.
fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
    if !value.is_null() {
        found.push(at.to_owned());
    }
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                paths(item, &format!("{at}/{index}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                paths(field, &format!("{at}/{name}"), found);
            }
        }
        _ => {}
    }
}

/// A JSON pointer in the form of errors.
fn field_of(pointer: &str) -> String {
    let mut field = String::new();
    for part in pointer.split('/').skip(1) {
        match part.parse::<usize>() {
            Ok(index) => field.push_str(&format!("[{index}]")),
            Err(_) if field.is_empty() => field.push_str(part),
            Err(_) => field.push_str(&format!(".{part}")),
        }
    }
    field
}

#[test]
fn random_inputs_of_a_schema_pass_and_changed_ones_fail_where_they_were_changed() {
    let schema = InputSchema::of::<Plan>();
    let mut chance = Chance::new(7);
    let (mut valid, mut changed) = (0, 0);
    for _ in 0..5_000 {
        let input = value_of(schema.schema(), schema.schema(), &mut chance, 0);
        let plan = schema.read::<Plan>(&input).unwrap_or_else(|error| panic!("{input}: {error}"));
        // What was read is written as an input of the same meaning.
        let again = schema.read::<Plan>(&serde_json::to_value(&plan).unwrap()).unwrap();
        assert_eq!(plan, again);
        valid += 1;
        let mut all = Vec::new();
        paths(&input, "", &mut all);
        for _ in 0..4 {
            let pointer = &all[chance.below(all.len())];
            let mut wrong = input.clone();
            let at = wrong.pointer_mut(pointer).unwrap();
            let expected = match at {
                Value::Object(fields) if chance.below(2) == 0 => {
                    fields.insert("unheard_of".to_owned(), json!(1));
                    field_of(&format!("{pointer}/unheard_of"))
                }
                at => {
                    // Of no type of the schema: arrays of nothing but `null`, and texts for lists.
                    *at = if at.is_array() { json!("text") } else { json!([null]) };
                    field_of(pointer)
                }
            };
            let error = schema.read::<Plan>(&wrong).unwrap_err();
            assert_eq!(error.field, expected, "{wrong}: {error}");
            assert!(!error.reason.is_empty() && !error.fix.is_empty(), "{error:?}");
            changed += 1;
        }
    }
    assert_eq!((valid, changed), (5_000, 20_000));
}

#[test]
fn no_json_makes_it_panic() {
    let schema = InputSchema::of::<Plan>();
    let mut chance = Chance::new(11);
    for _ in 0..20_000 {
        let mut input = value_of(schema.schema(), schema.schema(), &mut chance, 0);
        for _ in 0..3 {
            let mut all = Vec::new();
            paths(&input, "", &mut all);
            let (from, to) = (&all[chance.below(all.len())], &all[chance.below(all.len())]);
            let part = input.pointer(from).unwrap().clone();
            *input.pointer_mut(to).unwrap() = part;
        }
        if let Err(error) = schema.read::<Plan>(&input) {
            assert!(!error.fix.is_empty(), "{error:?}");
        }
    }
    let mut deep = json!({ "name": "a" });
    for _ in 0..100 {
        deep = json!({ "name": "a", "children": [deep] });
    }
    let edit = json!({ "find": "a", "replace": "b" });
    let error = schema.read::<Plan>(&json!({ "edits": [edit], "tree": deep })).unwrap_err();
    assert_eq!(error.reason, "it is nested more than 128 levels deep");
}
