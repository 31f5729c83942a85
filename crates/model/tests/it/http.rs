//! Tests of the HTTP reranker against scripted servers.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use graftage_model::{HttpOptions, HttpRerank, RequestFormat, RerankError};
use search::{Rerank, RerankInput};
use serde_json::{Value, json};

/// A server with scripted answers; the requests are sent to the receiver.
fn server(answers: Vec<Answer>) -> (String, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/rerank", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let asked = read(&mut stream);
            let _ = sender.send(asked);
            match answer {
                Answer::Body(status, body) => {
                    let head = format!(
                        "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                        body.len()
                    );
                    let _ = stream.write_all(head.as_bytes());
                    let _ = stream.write_all(body.as_bytes());
                }
                Answer::Elsewhere(to) => {
                    let head = format!(
                        "HTTP/1.1 307 X\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                    );
                    let _ = stream.write_all(head.as_bytes());
                }
                Answer::Silence => {
                    // Until the client closes the connection.
                    let _ = stream.read(&mut [0; 16]);
                }
                Answer::HangUp => {}
            }
        }
    });
    (url, receiver)
}

enum Answer {
    Body(u16, String),
    Elsewhere(String),
    Silence,
    HangUp,
}

/// Head and body of a request.
fn read(stream: &mut TcpStream) -> (String, Value) {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let of = |line: &str| -> Option<usize> {
                let line = line.to_ascii_lowercase();
                line.strip_prefix("content-length:")?.trim().parse().ok()
            };
            let len = head.lines().find_map(of).unwrap_or(0);
            if body.len() >= len {
                return (head.to_owned(), serde_json::from_str(body).unwrap_or(Value::Null));
            }
        }
        match stream.read(&mut part) {
            Ok(count @ 1..) => bytes.extend_from_slice(&part[..count]),
            _ => return (String::new(), Value::Null),
        }
    }
}

fn client(url: &str, shape: RequestFormat) -> HttpRerank {
    HttpRerank::new(HttpOptions {
        url: url.to_owned(),
        model: "marco".to_owned(),
        key: Some("secret".to_owned()),
        shape,
        timeout: Duration::from_millis(700),
    })
    .unwrap()
}

fn candidates() -> Vec<RerankInput> {
    let candidate = |canon: &str, text: &str| RerankInput {
        item: 0,
        canon: canon.to_owned(),
        text: text.to_owned(),
    };
    vec![candidate("a::f", "fn f() {}"), candidate("a::g", "a::g"), candidate("a::h", "fn h() {}")]
}

fn scored() -> String {
    json!({"results": [
        {"index": 2, "relevance_score": 0.9},
        {"index": 0, "relevance_score": 0.1},
        {"index": 1, "relevance_score": -3.0},
    ]})
    .to_string()
}

#[test]
fn texts_are_sent_and_scores_returned_in_their_order() {
    let (url, asked) = server(vec![Answer::Body(200, scored())]);
    let client = client(&url, RequestFormat::Documents);
    assert_eq!(client.rerank("close a file", &candidates()), Some(vec![0.1, -3.0, 0.9]));
    assert_eq!(Rerank::trouble(&client), None);
    let (head, body) = asked.recv().unwrap();
    assert!(head.starts_with("POST /v1/rerank HTTP/1.1"), "{head}");
    assert!(head.to_ascii_lowercase().contains("authorization: bearer secret"), "{head}");
    assert_eq!(
        body,
        json!({
            "model": "marco",
            "query": "close a file",
            "documents": ["a::f\nfn f() {}", "a::g", "a::h\nfn h() {}"],
            "top_n": 3,
            "return_documents": false,
        })
    );
}

#[test]
fn the_texts_format_sends_texts_and_gets_a_bare_list() {
    let answer = r#"[{"index":1,"score":0.5},{"index":0,"score":0.25},{"index":2,"score":0}]"#;
    let (url, asked) = server(vec![Answer::Body(200, answer.to_owned())]);
    let client = client(&url, RequestFormat::Texts);
    assert_eq!(client.rerank("q", &candidates()), Some(vec![0.25, 0.5, 0.0]));
    let (_, body) = asked.recv().unwrap();
    assert_eq!((&body["texts"][1], &body["truncate"]), (&json!("a::g"), &json!(true)));
    assert_eq!(body.get("documents"), None);
}

#[test]
fn every_failure_gives_no_scores_and_an_error() {
    let elsewhere = "http://127.0.0.1:1/".to_owned();
    for (answer, want) in [
        (Answer::Body(503, String::new()), RerankError::Status { status: 503 }),
        (Answer::Elsewhere(elsewhere), RerankError::Status { status: 307 }),
        (
            Answer::Body(200, "[]".to_owned()),
            RerankError::Answer { reason: "it scores 0 texts of 3".to_owned() },
        ),
        (
            Answer::Body(200, " ".repeat((1 << 20) + 1)),
            RerankError::Answer { reason: "it has more than 1048576 bytes".to_owned() },
        ),
        (Answer::Silence, RerankError::TimeOut { limit_ms: 700 }),
    ] {
        let (url, _asked) = server(vec![answer]);
        let client = client(&url, RequestFormat::Documents);
        assert_eq!(client.rerank("q", &candidates()), None);
        assert_eq!(client.trouble(), Some(want.to_string()));
    }
    let (url, _asked) = server(vec![Answer::HangUp]);
    let client = client(&url, RequestFormat::Documents);
    assert_eq!(client.rerank("q", &candidates()), None);
    let trouble = client.trouble().unwrap();
    assert!(trouble.starts_with("the reranker cannot be reached: "), "{trouble}");
}

#[test]
fn a_failed_server_is_skipped_for_a_while() {
    let (url, asked) = server(vec![Answer::Body(500, String::new()), Answer::Body(200, scored())]);
    let client = client(&url, RequestFormat::Documents);
    assert_eq!(client.rerank("q", &candidates()), None);
    assert_eq!(client.rerank("q", &candidates()), None);
    assert!(asked.recv().is_ok());
    assert!(asked.try_recv().is_err(), "asked once");
    assert!(Rerank::trouble(&client).unwrap().contains("500"));
}
