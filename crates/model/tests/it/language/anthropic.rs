//! The Messages API: what is sent, and how answers are read.

use graftage_model::language::{
    Message, MessagePart, Role, StopReason, ToolCall, TurnDelta, TurnRequest, Usage,
};
use serde_json::json;

use super::server::{Reply, serve};
use super::{Format, KEY, events, request, turn, user};

#[test]
fn a_request_has_all_parts_of_the_conversation() {
    let stream = Format::Anthropic.text_stream("ok", 5, 2);
    let (url, asked) = serve(vec![Reply::Stream(stream)]);
    let call = |input| ToolCall { id: "c1".to_owned(), name: "edit".to_owned(), input };
    let result = |id: &str, is_error| MessagePart::ToolResult {
        id: id.to_owned(),
        content: "done".to_owned(),
        is_error,
    };
    let assistant = |parts| Message { role: Role::Assistant, parts };
    let request = TurnRequest {
        messages: vec![
            user("Fix it."),
            assistant(vec![MessagePart::Text { text: " ".to_owned() }]),
            assistant(vec![
                MessagePart::ToolCall(call(json!({"path": "a"}))),
                MessagePart::ToolCall(call(json!("{cut"))),
            ]),
            Message {
                role: Role::User,
                parts: vec![
                    MessagePart::Text { text: "More.".to_owned() },
                    result("c1", false),
                    result("c2", true),
                ],
            },
        ],
        temperature: Some(0.0),
        ..request()
    };
    let (answer, deltas) = turn(&*Format::Anthropic.client(&url), &request);
    let answer = answer.unwrap();
    assert_eq!((answer.text().as_str(), &answer.stop), ("ok", &StopReason::EndTurn));
    assert_eq!(answer.model, "test-model-1");
    assert_eq!(deltas[1], TurnDelta::Text("ok".to_owned()));
    let asked = asked.recv().unwrap();
    let head = asked.head.to_ascii_lowercase();
    assert!(head.starts_with("post /v1/messages http/1.1"), "{head}");
    assert!(head.contains(&format!("x-api-key: {KEY}")), "{head}");
    assert!(head.contains("anthropic-version: 2023-06-01"), "{head}");
    let cached = json!({"type": "ephemeral"});
    assert_eq!(
        asked.body,
        json!({
            "model": "test-model",
            "max_tokens": 1000,
            "stream": true,
            "temperature": 0.0,
            "system": [{"type": "text", "text": "Be brief.", "cache_control": cached}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "Fix it."}]},
                {"role": "assistant", "content": [
                    {"type": "tool_use", "id": "c1", "name": "edit", "input": {"path": "a"}},
                    {"type": "tool_use", "id": "c1", "name": "edit",
                        "input": {"malformed_arguments": "{cut"}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "done", "is_error": false},
                    {"type": "tool_result", "tool_use_id": "c2", "content": "done", "is_error": true},
                    {"type": "text", "text": "More.", "cache_control": cached}]},
            ],
            "tools": [{"name": "edit", "description": "Edits a file.",
                "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}],
        })
    );
}

#[test]
fn several_tool_calls_arrive_in_fragments() {
    let fragment = |index, text| {
        json!({"type": "content_block_delta", "index": index,
            "delta": {"type": "input_json_delta", "partial_json": text}})
    };
    let start = |index, id| {
        json!({"type": "content_block_start", "index": index,
            "content_block": {"type": "tool_use", "id": id, "name": "edit", "input": {}}})
    };
    let text = |text| {
        json!({"type": "content_block_delta", "index": 1,
            "delta": {"type": "text_delta", "text": text}})
    };
    let stream = events(&[
        json!({"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 7,
            "cache_read_input_tokens": 20, "cache_creation_input_tokens": 3, "output_tokens": 1}}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}}),
        json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "thinking_delta", "thinking": "hm"}}),
        json!({"type": "content_block_start", "index": 1,
            "content_block": {"type": "text", "text": ""}}),
        text("Two "),
        text("edits."),
        start(2, "a"),
        fragment(2, ""),
        fragment(2, "{\"path\": \"sr"),
        fragment(2, "c/ü.rs\"}"),
        start(3, "b"),
        fragment(3, "{\"path\""),
        fragment(3, ":1}"),
        start(4, "c"),
        json!({"type": "an_event_of_the_future"}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"},
            "usage": {"output_tokens": 31}}),
        json!({"type": "message_stop"}),
    ]);
    let (url, _asked) = serve(vec![Reply::Stream(stream)]);
    let (answer, deltas) = turn(&*Format::Anthropic.client(&url), &request());
    let answer = answer.unwrap();
    let calls: Vec<_> = answer.calls().map(|it| (it.id.as_str(), it.input.clone())).collect();
    assert_eq!(
        calls,
        [("a", json!({"path": "src/ü.rs"})), ("b", json!({"path": 1})), ("c", json!({}))]
    );
    assert_eq!((answer.text().as_str(), answer.stop), ("Two edits.", StopReason::ToolUse));
    let usage =
        Usage { input_tokens: 7, output_tokens: 31, cache_read_tokens: 20, cache_write_tokens: 3 };
    assert_eq!(answer.usage, usage);
    let started = TurnDelta::ToolCallStarted { name: "edit".to_owned() };
    assert_eq!(deltas.iter().filter(|delta| **delta == started).count(), 3);
    assert_eq!(deltas.last(), Some(&TurnDelta::Usage(usage)));
}

#[test]
fn a_schema_is_enforced_by_a_tool_and_the_answer_is_text() {
    let stream = events(&[
        json!({"type": "message_start", "message": {"model": "m", "usage": {"input_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block":
            {"type": "tool_use", "id": "a", "name": "structured_answer", "input": {}}}),
        json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": "{\"score\":3}"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ]);
    let (url, asked) = serve(vec![Reply::Stream(stream)]);
    let schema = json!({"type": "object", "properties": {"score": {"type": "integer"}}});
    let request = TurnRequest { schema: Some(schema.clone()), tools: Vec::new(), ..request() };
    let answer = turn(&*Format::Anthropic.client(&url), &request).0.unwrap();
    assert_eq!((answer.text().as_str(), answer.stop), ("{\"score\":3}", StopReason::EndTurn));
    let body = asked.recv().unwrap().body;
    assert_eq!(body["tool_choice"], json!({"type": "tool", "name": "structured_answer"}));
    assert_eq!(body["tools"][0]["input_schema"], schema);
}

#[test]
fn each_reason_to_stop_is_kept() {
    for (reason, want) in [
        ("end_turn", StopReason::EndTurn),
        ("stop_sequence", StopReason::EndTurn),
        ("max_tokens", StopReason::MaxTokens),
        ("refusal", StopReason::Refusal),
        ("pause_turn", StopReason::Other("pause_turn".to_owned())),
    ] {
        let stream = Format::Anthropic.text_stream("x", 1, 1).replace("end_turn", reason);
        let (url, _asked) = serve(vec![Reply::Stream(stream)]);
        let answer = turn(&*Format::Anthropic.client(&url), &request()).0.unwrap();
        assert_eq!(answer.stop, want);
    }
}
