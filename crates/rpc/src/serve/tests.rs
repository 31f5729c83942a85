//! Conversations over pipes: lines in, lines out.

use std::io::{BufReader, Write as _, pipe};
use std::sync::Mutex;

use serde_json::json;

use super::*;

/// Answers `echo` with its parameters, `slow` after the other side has cancelled it, `ask` with what the other
/// side answers, and drops `lost`.
struct Echo {
    peer: Peer,
    slow: Mutex<Vec<PendingCall>>,
    received: Arc<Mutex<Vec<String>>>,
}

impl Service for Echo {
    fn call(&self, call: PendingCall) {
        match call.method.as_str() {
            "echo" => {
                let params = call.params.clone();
                call.answer(Ok(params));
            }
            "slow" => base::lock(&self.slow).push(call),
            "ask" => {
                let peer = self.peer.clone();
                thread::spawn(move || {
                    let limit = Duration::from_millis(200);
                    let answer = peer.request("question", &json!({}), limit, &|| false);
                    call.answer(answer.map_err(|it| RpcError::new(1, it.to_string())));
                });
            }
            "lost" => drop(call),
            _ => {
                let message = format!("no method {}", call.method);
                call.answer(Err(RpcError::new(RpcError::METHOD, message)));
            }
        }
    }

    fn notified(&self, method: &str, _: Value) {
        base::lock(&self.received).push(method.to_owned());
    }

    fn cancelled(&self, id: &RpcId) {
        let mut slow = base::lock(&self.slow);
        if let Some(at) = slow.iter().position(|it| it.id == *id) {
            slow.remove(at).answer(Err(RpcError::new(-32_800, "cancelled")));
        }
    }

    fn ended(&self) {
        base::lock(&self.slow).clear();
        base::lock(&self.received).push("ended".to_owned());
    }
}

/// Sends lines, and returns the lines that come back.
fn talk(lines: &[&str], limits: RpcLimits) -> (Vec<String>, Vec<String>) {
    let (input, mut sender) = pipe().unwrap();
    let (receiver, output) = pipe().unwrap();
    let received: Arc<Mutex<Vec<String>>> = Arc::default();
    let own = Arc::clone(&received);
    let server = thread::spawn(move || {
        let mut input = BufReader::new(input);
        serve(&mut input, output, limits, |peer| Echo {
            peer,
            slow: Mutex::default(),
            received: own,
        })
    });
    let text: String = lines.iter().map(|it| format!("{it}\n")).collect();
    let writer = thread::spawn(move || {
        sender.write_all(text.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(400));
    });
    let answers: Vec<String> = BufReader::new(receiver).lines().map_while(Result::ok).collect();
    writer.join().unwrap();
    server.join().unwrap().unwrap();
    let received = base::lock(&received).clone();
    (answers, received)
}

fn answers(lines: &[&str]) -> Vec<String> {
    talk(lines, RpcLimits::default()).0
}

#[test]
fn requests_are_answered_with_their_ids() {
    let found = answers(&[
        r#"{"jsonrpc":"2.0","id":"a\u0062","method":"echo","params":{"x":1}}"#,
        r#"{"jsonrpc":"2.0","id":2.50,"method":"nothing"}"#,
        "",
        r#"{"jsonrpc":"2.0","id":3,"method":"lost"}"#,
        "{",
        r#"{"jsonrpc":"2.0","id":99,"result":1}"#,
    ]);
    assert_eq!(
        found[..3],
        [
            r#"{"jsonrpc":"2.0","id":"a\u0062","result":{"x":1}}"#,
            r#"{"jsonrpc":"2.0","id":2.50,"error":{"code":-32601,"message":"no method nothing"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"`lost` ended without an answer"}}"#,
        ]
    );
    assert!(found[3].contains("-32700"), "{found:?}");
    assert_eq!(found.len(), 4);
}

#[test]
fn a_cancelled_request_and_one_at_the_end_are_answered() {
    let (found, received) = talk(
        &[
            r#"{"jsonrpc":"2.0","id":1,"method":"slow"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"slow"}"#,
            r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}"#,
            r#"{"jsonrpc":"2.0","method":"hello"}"#,
        ],
        RpcLimits::default(),
    );
    assert_eq!(
        found[0],
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"cancelled"}}"#
    );
    assert!(found[1].starts_with(r#"{"jsonrpc":"2.0","id":2,"error""#), "{found:?}");
    assert_eq!(received, ["hello", "ended"]);
}

#[test]
fn a_question_without_an_answer_ends_in_time_and_is_cancelled() {
    let found = answers(&[r#"{"jsonrpc":"2.0","id":1,"method":"ask"}"#]);
    assert_eq!(
        found,
        [
            r#"{"id":1,"jsonrpc":"2.0","method":"question","params":{}}"#,
            r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no answer within 200 ms"}}"#,
        ]
    );
}

#[test]
fn what_exceeds_a_limit_is_refused_by_name() {
    let limits = RpcLimits { line: 100, in_flight: 2, ..RpcLimits::default() };
    let long =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"echo","params":["{}"]}}"#, "x".repeat(200));
    let slow: Vec<String> =
        (1..=3).map(|it| format!(r#"{{"jsonrpc":"2.0","id":{it},"method":"slow"}}"#)).collect();
    let lines: Vec<&str> =
        std::iter::once(long.as_str()).chain(slow.iter().map(String::as_str)).collect();
    let (found, _) = talk(&lines, limits);
    assert_eq!(
        found[..2],
        [
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"a line of more than 100 bytes"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"more than 2 requests at once"}}"#,
        ]
    );
}

#[test]
fn a_side_that_reads_nothing_ends_the_connection() {
    let (input, mut sender) = pipe().unwrap();
    let (receiver, output) = pipe().unwrap();
    let limits =
        RpcLimits { unwritten: 4, unread: Duration::from_millis(100), ..RpcLimits::default() };
    let server = thread::spawn(move || {
        let mut input = BufReader::new(input);
        let received = Arc::default();
        serve(&mut input, output, limits, |peer| Echo { peer, slow: Mutex::default(), received })
    });
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[\"{}\"]}}\n",
        "x".repeat(50_000)
    );
    let mut is_open = true;
    for _ in 0..200 {
        is_open &= sender.write_all(line.as_bytes()).is_ok();
    }
    drop(sender);
    server.join().unwrap().unwrap();
    drop(receiver);
    assert!(!is_open);
}

#[test]
fn a_batch_has_one_answer_with_those_of_its_requests() {
    let lines = [
        r#"[{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]},{"jsonrpc":"2.0","method":"hello"},7,{"jsonrpc":"2.0","id":"b","method":"lost"}]"#,
        r#"[{"jsonrpc":"2.0","method":"hello"}]"#,
        "[]",
        "[",
    ];
    let (found, received) = talk(&lines, RpcLimits { batches: true, ..RpcLimits::default() });
    assert_eq!(
        found[0],
        concat!(
            r#"[{"jsonrpc":"2.0","id":1,"result":[1]},"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is no request, notification or answer"}},"#,
            r#"{"jsonrpc":"2.0","id":"b","error":{"code":-32603,"message":"`lost` ended without an answer"}}]"#,
        )
    );
    assert!(found[1].contains("-32600") && found[2].contains("-32700"), "{found:?}");
    assert_eq!((found.len(), received), (3, vec!["hello".into(), "hello".into(), "ended".into()]));
    // A batch is bounded as the requests of it are, whatever its elements are.
    let many = format!("[{}]", ["1"; 100_000].join(","));
    let limits = RpcLimits { batches: true, ..RpcLimits::default() };
    let (refused, _) = talk(&[&many], limits);
    assert!(refused.len() == 1 && refused[0].contains("more than 64 messages"), "{refused:?}");
    let (alone, _) = talk(&lines[..1], RpcLimits::default());
    assert!(alone.len() == 1 && alone[0].contains("-32600"), "{alone:?}");
}
