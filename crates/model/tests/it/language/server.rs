//! A stand-in for a provider: one scripted reply per connection, in raw HTTP. The requests are
//! recorded; for the last connection, also the moment at which the client closed it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// One reply.
pub(crate) enum Reply {
    /// A stream of events, complete.
    Stream(String),
    /// The start of a stream in chunked encoding, whose last chunk is missing.
    CutStream(String),
    /// A status with headers and a body.
    Status(u16, &'static str, Vec<u8>),
    /// Raw bytes instead of HTTP, then the end.
    Raw(Vec<u8>),
    /// The start of a stream, then this text again and again with this pause, until the client
    /// closes the connection.
    Drip(String, &'static str, Duration),
    /// No byte until the client closes the connection.
    Silence,
}

/// A recorded request.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: Value,
    /// When the client closed the connection, for replies that wait for that.
    pub(crate) closed: Receiver<Instant>,
}

/// Starts a server; returns its address and the requests.
pub(crate) fn serve(replies: Vec<Reply>) -> (String, Receiver<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for reply in replies {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let (head, body) = read(&mut stream);
            let (close_sender, closed) = channel();
            let _ = sender.send(Asked { head, body, closed });
            answer(&mut stream, reply);
            let _ = close_sender.send(Instant::now());
        }
    });
    (url, receiver)
}

fn answer(stream: &mut TcpStream, reply: Reply) {
    const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\
                        transfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    let _ = match reply {
        Reply::Stream(text) => {
            // Chunks of an odd size, so that lines and characters are cut.
            let _ = stream.write_all(HEAD.as_bytes());
            for part in text.as_bytes().chunks(997) {
                let _ = stream.write_all(&chunk(part));
            }
            stream.write_all(b"0\r\n\r\n")
        }
        Reply::CutStream(text) => {
            let _ = stream.write_all(HEAD.as_bytes());
            stream.write_all(&chunk(text.as_bytes()))
        }
        Reply::Status(status, headers, body) => {
            let head = format!(
                "HTTP/1.1 {status} X\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(head.as_bytes());
            stream.write_all(&body)
        }
        Reply::Raw(bytes) => stream.write_all(&bytes),
        Reply::Drip(start, text, pause) => {
            let _ = stream.write_all(HEAD.as_bytes());
            let _ = stream.write_all(&chunk(start.as_bytes()));
            drip(stream, text, pause);
            Ok(())
        }
        Reply::Silence => {
            let _ = stream.read(&mut [0; 16]);
            Ok(())
        }
    };
}

/// Sends `text` until the connection is closed. The server ends it after 20 seconds.
fn drip(stream: &mut TcpStream, text: &str, pause: Duration) {
    let started = Instant::now();
    let _ = stream.set_read_timeout(Some(pause));
    while started.elapsed() < Duration::from_secs(20) {
        if !text.is_empty() && stream.write_all(&chunk(text.as_bytes())).is_err() {
            return;
        }
        match stream.read(&mut [0; 16]) {
            Err(error) if is_timeout(&error) => {}
            _ => return,
        }
    }
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}

/// Head and body of a request.
fn read(stream: &mut TcpStream) -> (String, Value) {
    let mut bytes = Vec::new();
    let mut part = vec![0; 1 << 16];
    loop {
        if let Some(at) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..at]).into_owned();
            let of = |line: &str| -> Option<usize> {
                let line = line.to_ascii_lowercase();
                line.strip_prefix("content-length:")?.trim().parse().ok()
            };
            let len = head.lines().find_map(of).unwrap_or(0);
            if bytes.len() >= at + 4 + len {
                return (head, serde_json::from_slice(&bytes[at + 4..]).unwrap_or(Value::Null));
            }
        }
        match stream.read(&mut part) {
            Ok(count @ 1..) => bytes.extend_from_slice(&part[..count]),
            _ => return (String::new(), Value::Null),
        }
    }
}
