//! Whole turns against a real OpenAI-compatible server, such as llama.cpp with a small model. The
//! test is skipped without the address of a server that the developer started:
//!
//! `GRAFTAGE_TEST_MODEL_URL=http://127.0.0.1:8080 cargo nextest run -p graftage-model --no-capture real`

#![allow(clippy::print_stdout, reason = "a test for a developer")]
#![allow(clippy::disallowed_methods, reason = "the address of the developer's server")]

use std::time::Instant;

use base::SortedMap;
use graftage_model::language::{
    Account, Budget, LanguageModel, LanguageOptions, Message, MessagePart, PriceTable, Role,
    StopReason, ToolCall, Turn, TurnDelta, TurnRequest, open,
};
use serde_json::{Value, json};

use super::{request, user};

/// Runs a turn and prints its figures.
fn timed(name: &str, model: &dyn LanguageModel, request: &TurnRequest) -> Turn {
    let started = Instant::now();
    let (mut first, mut deltas) = (None, 0);
    let outcome = model.turn(&testkit::ctx(), request, &mut |delta| {
        if matches!(delta, TurnDelta::Text(_) | TurnDelta::ToolCallStarted { .. }) {
            first.get_or_insert_with(|| started.elapsed());
            deltas += 1;
        }
    });
    let turn = outcome.unwrap();
    println!(
        "{name}: {:?}, first token after {first:?}, {deltas} deltas, {:?}, {:?}, {:?}",
        started.elapsed(),
        turn.stop,
        turn.usage,
        turn.parts
    );
    turn
}

#[test]
fn whole_turns_against_a_real_server() {
    let url = std::env::var(testkit::MODEL_SERVER).ok().filter(|url| !url.is_empty());
    let Some(url) = url else {
        testkit::skip(
            testkit::Need::ModelServer,
            &format!("`{}` is not set", testkit::MODEL_SERVER),
        );
        return;
    };
    let prices = "[[price]]\nmodel = \"*\"\ninput = 1_000_000\noutput = 2_000_000\n\
                  cache_read = 0\ncache_write = 0\n";
    let budget = Budget { max_tokens: Some(20_000), max_micro_dollars: Some(20_000) };
    let account = Account::new(budget, PriceTable::with_own(prices).unwrap());
    let options = LanguageOptions {
        provider: "openai".to_owned(),
        url: Some(url),
        model: "local".to_owned(),
        account: Some(account.clone()),
        ..LanguageOptions::default()
    };
    let model = open(&options, &SortedMap::new()).unwrap();
    let ask = |text: &str| TurnRequest {
        messages: vec![user(text)],
        tools: Vec::new(),
        max_tokens: 48,
        temperature: Some(0.0),
        ..request()
    };
    let question = ask("Name the capital of France.");
    let answer = timed("text", &*model, &question);
    assert!(!answer.text().is_empty());
    assert!(answer.usage.output_tokens > 0 && answer.usage.total() > answer.usage.output_tokens);
    let again = timed("text again", &*model, &question);
    assert_eq!(again.text(), answer.text(), "temperature 0");
    let schema = json!({"type": "object", "additionalProperties": false,
        "properties": {"name": {"type": "string"}, "arity": {"type": "integer"}},
        "required": ["name", "arity"]});
    let structured = TurnRequest {
        schema: Some(schema),
        ..ask("Describe `fn add(a: i32, b: i32) -> i32` as JSON with name and arity.")
    };
    let structured = timed("schema", &*model, &structured);
    if structured.stop == StopReason::EndTurn {
        let value: Value = serde_json::from_str(&structured.text()).unwrap();
        assert!(value["name"].is_string() && value["arity"].is_i64(), "{value}");
    }
    let with_tools =
        TurnRequest { tools: request().tools, ..ask("Edit the file src/lib.rs with the tool.") };
    timed("tools", &*model, &with_tools);
    timed("tool result", &*model, &with_result(&with_tools));
    let spend = account.spend();
    println!("{spend:?}");
    let cost = spend.usage.input_tokens + 2 * spend.usage.output_tokens;
    assert_eq!((spend.requests, spend.unreported, spend.micro_dollars), (5, 0, cost));
}

/// The request after a call of the tool and its result.
fn with_result(request: &TurnRequest) -> TurnRequest {
    let call =
        ToolCall { id: "c1".to_owned(), name: "edit".to_owned(), input: json!({"path": "a"}) };
    let result = MessagePart::ToolResult {
        id: "c1".to_owned(),
        content: "no such file".to_owned(),
        is_error: true,
    };
    let mut request = request.clone();
    request
        .messages
        .push(Message { role: Role::Assistant, parts: vec![MessagePart::ToolCall(call)] });
    request.messages.push(Message { role: Role::User, parts: vec![result] });
    request
}
