//! Laws of the parsers of answers: any events are an answer or an error, never a panic.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::sse::SseEvent;
use super::{StopReason, TurnRequest, anthropic, assembly::Assembly, openai};

/// JSON of the names and values that the formats use, in any combination.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0_u64..3).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(vec![
            "",
            "text",
            "tool_use",
            "text_delta",
            "input_json_delta",
            "end_turn",
            "stop",
            "{\"a\":",
            "1}",
            "message_start",
            "content_block_start",
            "content_block_delta",
            "message_delta",
            "message_stop",
            "error",
            "overloaded_error",
            "tool_calls",
            "x",
        ])
        .prop_map(Value::from),
    ];
    let name = prop::sample::select(vec![
        "type",
        "index",
        "message",
        "model",
        "usage",
        "input_tokens",
        "output_tokens",
        "content_block",
        "delta",
        "text",
        "partial_json",
        "stop_reason",
        "id",
        "name",
        "error",
        "choices",
        "content",
        "tool_calls",
        "function",
        "arguments",
        "finish_reason",
        "refusal",
        "prompt_tokens",
        "prompt_tokens_details",
        "cached_tokens",
        "code",
    ]);
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..6).prop_map(|fields| {
                fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            }),
        ]
    })
}

/// Events that are nearly right: the type of an event, with any fields.
fn events() -> impl Strategy<Value = Vec<SseEvent>> {
    let kind = prop::sample::select(vec![
        "message_start",
        "content_block_start",
        "content_block_delta",
        "message_delta",
        "",
    ]);
    let event =
        (kind, values(), values(), any::<bool>()).prop_map(|(kind, one, other, is_list)| {
            let other_choice = json!({"index": 0, "delta": other, "finish_reason": one["type"]});
            let mut data = json!({"type": kind, "index": 0, "delta": other, "content_block": other,
            "message": one, "usage": one});
            if is_list {
                data["choices"] = json!([other_choice]);
            }
            let data = if kind.is_empty() { one } else { data };
            SseEvent { name: kind.to_owned(), data: data.to_string() }
        });
    prop::collection::vec(event, 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_events_are_an_answer_or_an_error(events in events()) {
        let accepts: [fn(&mut Assembly<'_>, &SseEvent) -> _; 2] = [anthropic::accept, openai::accept];
        for accept in accepts {
            let mut texts = String::new();
            let mut on = |delta: &super::TurnDelta| {
                if let super::TurnDelta::Text(text) = delta {
                    texts.push_str(text);
                }
            };
            let mut assembly = Assembly::new(&mut on);
            let failed = events.iter().any(|event| accept(&mut assembly, event).is_err());
            let turn = assembly.finish(&TurnRequest::default());
            if let (Ok(turn), false) = (turn, failed) {
                // Blocks are in the order of their start, not of their text.
                prop_assert_eq!(turn.text().len(), texts.len());
                let has_calls = turn.calls().next().is_some();
                prop_assert!(turn.stop != StopReason::ToolUse || has_calls);
                let ids: base::SortedSet<_> = turn.calls().map(|it| &it.id).collect();
                prop_assert_eq!(ids.len(), turn.calls().count());
            }
        }
    }
}
