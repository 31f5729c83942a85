//! Answers that are none: each gives an error of its kind, without a key and without a panic.

use std::time::{Duration, Instant};

use graftage_model::language::{TurnError, TurnLimits};
use serde_json::json;

use super::server::{Reply, serve};
use super::{BOTH, Format, KEY, events, request, turn};

fn error(format: Format, reply: Reply) -> TurnError {
    let (url, _asked) = serve(vec![reply]);
    let error = turn(&*format.client(&url), &request()).0.unwrap_err();
    assert!(!format!("{error} {error:?}").contains(KEY), "{error:?}");
    error
}

fn status(status: u16, headers: &'static str, body: &str) -> Reply {
    Reply::Status(status, headers, body.as_bytes().to_vec())
}

const STREAM: &str = "content-type: text/event-stream\r\n";

#[test]
fn error_statuses_are_reported_with_the_message_and_the_pause() {
    for format in BOTH {
        let body =
            format!("{{\"error\":{{\"type\":\"overloaded_error\",\"message\":\"try {KEY}\"}}}}");
        let refused = error(format, status(529, "retry-after: 7\r\n", &body));
        assert_eq!(
            refused,
            TurnError::Refused {
                status: 529,
                reason: "overloaded_error: try [redacted:key]".to_owned(),
                retry_after_ms: Some(7000),
            }
        );
        let page = status(502, "content-type: text/html\r\n", "<html>Bad Gateway</html>");
        assert!(
            matches!(error(format, page), TurnError::Refused { status: 502, reason, .. } if reason == "an HTML page")
        );
        let empty = error(format, status(500, "", ""));
        assert!(matches!(empty, TurnError::Refused { status: 500, .. }), "{empty:?}");
    }
}

#[test]
fn redirects_are_not_followed_and_the_key_is_sent_nowhere_else() {
    for format in BOTH {
        let (elsewhere, asked_elsewhere) = serve(vec![Reply::Stream(String::new())]);
        let headers: &'static str =
            Box::leak(format!("location: {elsewhere}/v1/messages\r\n").into_boxed_str());
        for code in [301, 302, 303, 307, 308] {
            let refused = error(format, status(code, headers, ""));
            assert!(matches!(refused, TurnError::Refused { status, .. } if status == code));
        }
        assert!(asked_elsewhere.try_recv().is_err());
    }
}

#[test]
fn bodies_that_are_no_events_are_malformed() {
    for format in BOTH {
        for reply in [
            status(200, "content-type: application/json\r\n", "{\"choices\":[]}"),
            status(200, "content-type: text/html\r\n", "<html>Log in</html>"),
            status(200, STREAM, "data: {\"cut\": \n\n"),
            status(200, STREAM, "data: <html>\n\n"),
            Reply::Status(200, STREAM, b"data: \xff\xfe\n\n".to_vec()),
            Reply::Raw(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec()),
        ] {
            let error = error(format, reply);
            assert!(matches!(error, TurnError::Malformed { .. }), "{error:?}");
        }
    }
}

#[test]
fn streams_without_an_end_are_interrupted() {
    for format in BOTH {
        let start = format.text_start("Half an", 5);
        for reply in [
            status(200, STREAM, ""),
            status(200, STREAM, ": only comments\n\n"),
            status(200, STREAM, &start),
            Reply::CutStream(start.clone()),
            Reply::CutStream(start[..start.len() / 2].to_owned()),
            Reply::Raw(Vec::new()),
        ] {
            let error = error(format, reply);
            assert!(matches!(error, TurnError::Interrupted { .. }), "{error:?}");
        }
    }
}

#[test]
fn json_of_another_shape_is_no_answer_and_no_panic() {
    for data in [
        "null",
        "[]",
        "7",
        "\"x\"",
        "{}",
        "{\"choices\":7}",
        "{\"choices\":[7]}",
        "{\"choices\":[{\"delta\":7}]}",
        "{\"type\":7}",
        "{\"type\":\"message_start\"}",
        "{\"type\":\"content_block_start\",\"content_block\":[]}",
        "{\"usage\":{\"prompt_tokens\":-1}}",
        "{\"choices\":[{\"delta\":{\"tool_calls\":{}}}]}",
    ] {
        for format in BOTH {
            let error = error(format, status(200, STREAM, &format!("data: {data}\n\n")));
            assert!(matches!(error, TurnError::Interrupted { .. }), "{data} {error:?}");
        }
    }
}

#[test]
fn calls_without_a_name_are_malformed() {
    let anthropic = events(&[
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "a"}}),
        json!({"type": "message_stop"}),
    ]);
    let openai = events(&[json!({"choices": [{"delta": {"tool_calls": [{"id": "a"}]},
        "finish_reason": "tool_calls"}]})]);
    for (format, stream) in [(Format::Anthropic, anthropic), (Format::OpenAi, openai)] {
        let error = error(format, Reply::Stream(stream));
        assert!(matches!(error, TurnError::Malformed { .. }), "{error:?}");
    }
}

#[test]
fn errors_within_a_stream_have_the_status_of_their_kind() {
    for (kind, want) in [("overloaded_error", 529), ("api_error", 500), ("rate_limit_error", 429)] {
        let stream = events(&[json!({"type": "error", "error": {"type": kind, "message": "m"}})]);
        let error = error(Format::Anthropic, Reply::Stream(stream));
        assert!(matches!(error, TurnError::Refused { status, .. } if status == want), "{error:?}");
    }
    for (data, want) in [
        (json!({"error": {"message": "m", "code": 503}}), 503),
        (json!({"error": {"message": "m", "type": "server_error"}}), 500),
        (json!({"error": "m"}), 400),
    ] {
        let error = error(Format::OpenAi, Reply::Stream(events(&[data])));
        assert!(matches!(error, TurnError::Refused { status, .. } if status == want), "{error:?}");
    }
}

#[test]
fn large_answers_are_cut_at_the_limit() {
    for format in BOTH {
        let start = format.text_start(&"x".repeat(10_000), 5);
        // 10 MB in events, and 10 MB in one line.
        let many = start.repeat(1_050);
        let line = format!("data: {}", "x".repeat(10 << 20));
        for text in [many, line] {
            let (url, _asked) = serve(vec![Reply::Stream(text)]);
            let started = Instant::now();
            let error = turn(&*format.client(&url), &request()).0.unwrap_err();
            assert!(matches!(error, TurnError::TooLarge { .. }), "{error:?}");
            assert!(started.elapsed() < Duration::from_secs(15));
        }
        // A large answer below the limit is complete.
        let text = "y".repeat(900_000);
        let (url, _asked) = serve(vec![Reply::Stream(format.text_stream(&text, 5, 5))]);
        assert_eq!(turn(&*format.client(&url), &request()).0.unwrap().text(), text);
    }
}

#[test]
fn huge_headers_and_error_pages_are_bounded() {
    for format in BOTH {
        let header = format!("HTTP/1.1 200 OK\r\nx-a: {}\r\n\r\n", "a".repeat(1 << 20));
        let error_of_header = error(format, Reply::Raw(header.into_bytes()));
        assert!(
            matches!(
                error_of_header,
                TurnError::Malformed { .. }
                    | TurnError::Unreachable { .. }
                    | TurnError::Interrupted { .. }
            ),
            "{error_of_header:?}"
        );
        let page = error(format, status(500, "", &"e".repeat(5 << 20)));
        assert!(page.to_string().len() < 500, "{}", page.to_string().len());
    }
}

#[test]
fn many_parts_are_malformed() {
    let block = |index| {
        json!({"type": "content_block_start", "index": index,
            "content_block": {"type": "tool_use", "id": "a", "name": "n"}})
    };
    let anthropic = events(&(0..300).map(block).collect::<Vec<_>>());
    let call = |index| {
        json!({"choices": [{"delta": {"tool_calls": [{"index": index,
        "function": {"name": "n"}}]}}]})
    };
    let openai = events(&(0..300).map(call).collect::<Vec<_>>());
    for (format, stream) in [(Format::Anthropic, anthropic), (Format::OpenAi, openai)] {
        let error = error(format, Reply::Stream(stream));
        assert!(matches!(error, TurnError::Malformed { .. }), "{error:?}");
    }
}

#[test]
fn slow_servers_time_out() {
    let limits = |idle, total| TurnLimits {
        connect: Duration::from_secs(5),
        idle: Duration::from_millis(idle),
        total: Duration::from_millis(total),
        max_bytes: 1 << 20,
    };
    let pause = Duration::from_millis(20);
    for format in BOTH {
        let start = format.text_start("x", 5);
        for (reply, limits, want) in [
            (Reply::Silence, limits(300, 60_000), "data"),
            (Reply::Drip(start.clone(), "", pause), limits(300, 60_000), "data"),
            // Comments keep the connection alive; they are no answer.
            (Reply::Drip(start, ": ping\n\n", pause), limits(5_000, 700), "complete answer"),
        ] {
            let (url, _asked) = serve(vec![reply]);
            let started = Instant::now();
            let error = turn(&*format.client_with(&url, limits), &request()).0.unwrap_err();
            assert!(matches!(&error, TurnError::TimedOut { awaited, .. } if awaited == want));
            assert!(started.elapsed() < Duration::from_secs(10));
        }
    }
}

#[test]
fn a_port_without_server_is_unreachable() {
    for format in BOTH {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        drop(listener);
        let error = turn(&*format.client(&url), &request()).0.unwrap_err();
        assert!(matches!(error, TurnError::Unreachable { .. }), "{error:?}");
    }
}
