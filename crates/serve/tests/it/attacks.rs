//! Requests that are refused, after which the server still answers.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use graftage_serve::{AccessToken, HttpLimits, HttpServer, HttpServerOptions, ServeError};
use serde_json::json;

use crate::support::{Client, Era, Running, raw, serve, serve_with, status};

fn project() -> testkit::TempProject {
    testkit::crate_project("\n//- /src/lib.rs\npub fn double(n: u32) -> u32 { n * 2 }\n")
}

fn is_alive(server: &Running) {
    let mut client = Client::connect(server, Era::Handshake, json!({}));
    let tools = client.request("tools/list", json!({})).unwrap();
    assert!(tools["tools"].as_array().unwrap().len() > 5, "{tools}");
}

fn head(server: &Running, lines: &[&str]) -> String {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let mut head = String::from("POST /mcp HTTP/1.1\r\nConnection: close\r\n");
    for line in lines {
        let line = line.replace("ADDRESS", &server.address.to_string());
        head.push_str(&line.replace("TOKEN", &server.token));
        head.push_str("\r\n");
    }
    head.push_str(
        "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n",
    );
    format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn strangers_are_refused_by_token_host_and_origin() {
    let project = project();
    let server = serve(&project);
    let (host, token) = ("Host: ADDRESS", "Authorization: Bearer TOKEN");
    let refused: [(&[&str], u16); 8] = [
        (&[host], 401),
        (&[host, "Authorization: Bearer 0123456789abcdef0123456789abcdef"], 401),
        (&[host, "Authorization: Bearer TOKENx"], 401),
        (&[host, token, "Origin: http://evil.example"], 403),
        (&[host, token, "Origin: null"], 403),
        (&["Host: evil.example", token], 403),
        (&["Host: localhost.evil.example", token], 403),
        (&[token], 403),
    ];
    for (lines, expected) in refused {
        assert_eq!(
            status(&raw(server.address, head(&server, lines).as_bytes())),
            expected,
            "{lines:?}"
        );
    }
    is_alive(&server);
}

#[test]
fn a_huge_request_is_refused_before_it_is_read() {
    let project = project();
    let server = serve(&project);
    let authorised = format!("Host: {}\r\nAuthorization: Bearer {}", server.address, server.token);
    let size = 100 << 20;
    let announced = format!("POST /mcp HTTP/1.1\r\n{authorised}\r\nContent-Length: {size}\r\n\r\n");
    let started = Instant::now();
    assert_eq!(status(&raw(server.address, announced.as_bytes())), 413);
    assert!(started.elapsed() < Duration::from_secs(5), "refused by its length alone");

    let mut chunked = TcpStream::connect(server.address).unwrap();
    let start = format!("POST /mcp HTTP/1.1\r\n{authorised}\r\nTransfer-Encoding: chunked\r\n\r\n");
    chunked.write_all(start.as_bytes()).unwrap();
    let chunk = [b"100000\r\n".to_vec(), vec![b'x'; 1 << 20], b"\r\n".to_vec()].concat();
    let mut sent = 0;
    while sent < size && chunked.write_all(&chunk).is_ok() {
        sent += 1 << 20;
    }
    assert!(sent < size, "the connection ends long before");
    // Without the token not a byte of the body is read.
    let stranger =
        format!("POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: {size}\r\n\r\n", server.address);
    assert_eq!(status(&raw(server.address, stranger.as_bytes())), 401);
    // A head without end.
    let long =
        format!("GET /mcp HTTP/1.1\r\nHost: {}\r\nX: {}", server.address, "x".repeat(1 << 20));
    assert!([0, 431].contains(&status(&raw(server.address, long.as_bytes()))));
    is_alive(&server);
}

#[test]
fn slow_and_idle_strangers_do_not_keep_clients_out() {
    let project = project();
    let limits =
        HttpLimits { strangers: 16, head: Duration::from_millis(500), ..HttpLimits::default() };
    let server = serve_with(&[&project], limits);
    let mut open = Vec::new();
    for number in 0..400 {
        let mut stream = TcpStream::connect(server.address).unwrap();
        if number % 2 == 0 {
            stream.write_all(b"POST /mcp HTTP/1.1\r\nHo").unwrap();
        }
        open.push(stream);
    }
    is_alive(&server);
    let closed = |stream: &mut TcpStream| {
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut rest = Vec::new();
        !stream
            .read_to_end(&mut rest)
            .is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    };
    // The older ones for newer ones, the last ones since they sent no head in time.
    assert!(open.iter_mut().all(closed));
    is_alive(&server);
}

#[test]
fn a_slow_body_is_cut_off() {
    let project = project();
    let limits = HttpLimits { body: Duration::from_millis(300), ..HttpLimits::default() };
    let server = serve_with(&[&project], limits);
    let slow = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Length: 100\r\n\r\n{{",
        server.address, server.token
    );
    assert_eq!(status(&raw(server.address, slow.as_bytes())), 408);
    is_alive(&server);
}

#[test]
fn paths_outside_of_the_project_are_refused() {
    let project = project();
    project.write("../outside.txt", "secret of another folder");
    let server = serve(&project);
    let mut client = Client::connect(&server, Era::Handshake, json!({}));
    let outside = project.root().parent().unwrap().display().to_string();
    for root in [outside.as_str(), "/", "..", "/etc"] {
        let error = client.call("search", json!({"query": "secret", "root": root})).unwrap_err();
        assert_eq!(error["field"], "root", "{error}");
    }
    for uri in [
        "graftage://file/../outside.txt",
        "graftage://file/%2e%2e/outside.txt",
        "graftage://file//etc/passwd",
        "file:///etc/passwd",
        "graftage://file/.git/config",
    ] {
        let error = client.request("resources/read", json!({"uri": uri})).unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    let edits = json!({"edits": [{"mode": "file", "file_path": "../outside.txt", "text": "x"}]});
    client.call("propose_edit", edits).unwrap_err();
    assert_eq!(project.read("../outside.txt"), "secret of another folder");
}

#[test]
fn malformed_messages_are_answered_or_refused() {
    let project = project();
    let server = serve(&project);
    let deep = "[".repeat(100_000);
    for body in [
        "",
        "{",
        "[]",
        "null",
        "\u{0}",
        "{\"jsonrpc\":\"2.0\"}",
        deep.as_str(),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#,
    ] {
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\
             Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            server.address,
            server.token,
            body.len()
        );
        let answer = raw(server.address, request.as_bytes());
        assert!((400..500).contains(&status(&answer)), "{body:.40}: {answer}");
    }
    is_alive(&server);
}

#[test]
fn only_loopback_addresses_are_listened_on() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ctx = testkit::TestHost::new().ctx();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let address = address.parse().unwrap();
        let token = Some(AccessToken::random(&ctx));
        let options = HttpServerOptions { address, token, limits: HttpLimits::default() };
        let refused = runtime.block_on(HttpServer::bind(options)).unwrap_err();
        assert!(matches!(refused, ServeError::NotLoopback(_)), "{refused}");
    }
}

#[test]
fn a_token_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let ctx = testkit::TestHost::new().ctx();
    let path = folder.path().join("a/mcp.token");
    AccessToken::of_file(&ctx, &path).unwrap();
    let first = std::fs::read_to_string(&path).unwrap();
    AccessToken::of_file(&ctx, &path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), first, "it is kept");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    assert!(AccessToken::of_file(&ctx, &path).is_err());
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
    std::fs::write(&path, "short").unwrap();
    assert!(AccessToken::of_file(&ctx, &path).is_err());
}
