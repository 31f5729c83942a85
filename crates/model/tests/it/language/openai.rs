//! The chat completions API: what is sent, and how answers of different servers are read.

use graftage_model::language::{
    Message, MessagePart, Role, StopReason, ToolCall, Turn, TurnDelta, TurnRequest, Usage,
};
use serde_json::{Value, json};

use super::server::{Reply, serve};
use super::{Format, KEY, events, request, turn, user};

/// The answer to a stream with these first choices, and `[DONE]`.
fn answer(choices: &[Value]) -> (Turn, Vec<TurnDelta>) {
    let data: Vec<Value> = choices.iter().map(|choice| json!({"choices": [choice]})).collect();
    let (url, _asked) = serve(vec![Reply::Stream(events(&data) + "data: [DONE]\n\n")]);
    let (answer, deltas) = turn(&*Format::OpenAi.client(&url), &request());
    (answer.unwrap(), deltas)
}

fn call_delta(calls: Value) -> Value {
    json!({"index": 0, "delta": {"tool_calls": calls}})
}

fn finish(reason: &str) -> Value {
    json!({"index": 0, "delta": {}, "finish_reason": reason})
}

fn calls(turn: &Turn) -> Vec<(&str, &str, Value)> {
    turn.calls().map(|it| (it.id.as_str(), it.name.as_str(), it.input.clone())).collect()
}

#[test]
fn a_request_has_all_parts_of_the_conversation() {
    let (url, asked) = serve(vec![Reply::Stream(Format::OpenAi.text_stream("ok", 5, 2))]);
    let call = |id: &str, input| {
        MessagePart::ToolCall(ToolCall { id: id.to_owned(), name: "edit".to_owned(), input })
    };
    let result = |id: &str, is_error| MessagePart::ToolResult {
        id: id.to_owned(),
        content: "done".to_owned(),
        is_error,
    };
    let text = |text: &str| MessagePart::Text { text: text.to_owned() };
    let request = TurnRequest {
        messages: vec![
            user("Fix it."),
            Message { role: Role::Assistant, parts: vec![text("Yes.")] },
            Message {
                role: Role::Assistant,
                parts: vec![call("c1", json!({"path": "a"})), call("c2", json!("{cut"))],
            },
            Message {
                role: Role::User,
                parts: vec![text("More."), result("c1", false), result("c2", true)],
            },
        ],
        temperature: Some(0.0),
        schema: Some(json!({"type": "object", "additionalProperties": false,
            "properties": {"a": {"type": "string"}}, "required": ["a"]})),
        ..request()
    };
    let answer = turn(&*Format::OpenAi.client(&(url + "/v1/")), &request).0.unwrap();
    let usage = Usage { input_tokens: 5, output_tokens: 2, ..Usage::default() };
    assert_eq!((answer.text().as_str(), answer.usage), ("ok", usage));
    let asked = asked.recv().unwrap();
    let head = asked.head.to_ascii_lowercase();
    assert!(head.starts_with("post /v1/chat/completions http/1.1"), "{head}");
    assert!(head.contains(&format!("authorization: bearer {KEY}")), "{head}");
    let call = |id, arguments| {
        json!({"id": id, "type": "function",
            "function": {"name": "edit", "arguments": arguments}})
    };
    assert_eq!(
        asked.body,
        json!({
            "model": "test-model",
            "max_tokens": 1000,
            "stream": true,
            "stream_options": {"include_usage": true},
            "temperature": 0.0,
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Fix it."},
                {"role": "assistant", "content": "Yes."},
                {"role": "assistant", "content": null, "tool_calls": [
                    call("c1", "{\"path\":\"a\"}"),
                    call("c2", "{\"malformed_arguments\":\"{cut\"}")]},
                {"role": "tool", "tool_call_id": "c1", "content": "done"},
                {"role": "tool", "tool_call_id": "c2", "content": "error: done"},
                {"role": "user", "content": "More."},
            ],
            "tools": [{"type": "function", "function": {"name": "edit",
                "description": "Edits a file.",
                "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}}],
            "response_format": {"type": "json_schema", "json_schema": {"name": "answer",
                "strict": true, "schema": request.schema}},
        })
    );
}

#[test]
fn several_tool_calls_arrive_in_fragments() {
    let (turn, deltas) = answer(&[
        json!({"index": 0, "delta": {"role": "assistant", "content": null}}),
        call_delta(json!([{"index": 0, "id": "a", "type": "function",
            "function": {"name": "edit", "arguments": ""}}])),
        call_delta(json!([{"index": 0, "function": {"arguments": "{\"path\":\"sr"}}])),
        call_delta(json!([{"index": 1, "id": "b", "function": {"name": "run", "arguments": "{"}},
            {"index": 0, "function": {"arguments": "c\"}"}}])),
        call_delta(json!([{"index": 1, "function": {"arguments": "}"}}])),
        json!({"index": 1, "delta": {"content": "another choice"}}),
        finish("tool_calls"),
    ]);
    assert_eq!(calls(&turn), [("a", "edit", json!({"path": "src"})), ("b", "run", json!({}))]);
    assert_eq!((turn.stop, turn.parts.len()), (StopReason::ToolUse, 2));
    let names: Vec<_> = deltas
        .iter()
        .filter_map(|delta| match delta {
            TurnDelta::ToolCallStarted { name } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["edit", "run"]);
}

#[test]
fn servers_may_send_whole_calls_without_index_or_id() {
    let call = |arguments| json!({"function": {"name": "edit", "arguments": arguments}});
    let (turn, _) = answer(&[
        call_delta(json!([call(json!("{\"a\":1}")), call(json!({"a": 2}))])),
        // The stop of a finished turn, although there are calls.
        finish("stop"),
    ]);
    assert_eq!(
        calls(&turn),
        [("call_1_0", "edit", json!({"a": 1})), ("call_1_1", "edit", json!({"a": 2}))]
    );
    assert_eq!(turn.stop, StopReason::ToolUse);
}

#[test]
fn repeated_ids_are_replaced() {
    let call =
        |index| json!({"index": index, "id": "x", "function": {"name": "f", "arguments": "{}"}});
    let (turn, _) = answer(&[call_delta(json!([call(0), call(1)])), finish("tool_calls")]);
    assert_eq!(calls(&turn).iter().map(|it| it.0).collect::<Vec<_>>(), ["x", "call_1_1"]);
}

#[test]
fn arguments_that_are_no_object_are_kept_as_text() {
    for arguments in ["{\"path\": \"a", "[1]", "null", "7", "{} {}", "not json"] {
        let call =
            json!({"index": 0, "id": "x", "function": {"name": "f", "arguments": arguments}});
        let (turn, _) = answer(&[call_delta(json!([call])), finish("length")]);
        let call = turn.calls().next().unwrap();
        assert_eq!(call.input, json!(arguments));
        assert_eq!(turn.stop, StopReason::MaxTokens);
    }
}

#[test]
fn each_reason_to_stop_is_kept() {
    let text = json!({"index": 0, "delta": {"content": "x"}});
    for (reason, want) in [
        ("stop", StopReason::EndTurn),
        ("length", StopReason::MaxTokens),
        ("content_filter", StopReason::Refusal),
        ("tool_calls", StopReason::EndTurn),
        ("eos", StopReason::Other("eos".to_owned())),
    ] {
        assert_eq!(answer(&[text.clone(), finish(reason)]).0.stop, want, "{reason}");
    }
    let refusal = json!({"index": 0, "delta": {"refusal": "No."}});
    let (turn, _) = answer(&[refusal, finish("stop")]);
    assert_eq!((turn.text().as_str(), turn.stop), ("No.", StopReason::Refusal));
}

#[test]
fn cached_tokens_are_counted_apart_and_missing_usage_is_zero() {
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 9,
        "prompt_tokens_details": {"cached_tokens": 64}});
    let stream = Format::OpenAi.text_start("x", 0)
        + &events(&[json!({"choices": [finish("stop")], "usage": usage})])
        + "data: [DONE]\n\n";
    let without = Format::OpenAi.text_start("x", 0)
        + &events(&[json!({"choices": [finish("stop")], "usage": null})]);
    // Without `[DONE]`, too: the reason to stop is the end.
    let (url, _asked) = serve(vec![Reply::Stream(stream), Reply::Stream(without)]);
    let client = Format::OpenAi.client(&url);
    let usage = turn(&*client, &request()).0.unwrap().usage;
    assert_eq!((usage.input_tokens, usage.cache_read_tokens, usage.output_tokens), (36, 64, 9));
    assert_eq!(turn(&*client, &request()).0.unwrap().usage, Usage::default());
}
