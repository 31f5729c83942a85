//! A language server in a thread of the test, which follows a script. It implements the framing of
//! the protocol and `initialize`; the script decides everything else.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// The reaction of the server to one message.
pub enum Act {
    /// Answers with this result.
    Answer(Value),
    /// Answers with an error of this code.
    Refuse(i64),
    /// Sends a request or notification of its own first, then answers.
    SendThenAnswer(Value, Value),
    /// Does not answer.
    Nothing,
    /// Writes these bytes unchanged.
    Raw(&'static [u8]),
    /// Sends this message repeatedly until the client disconnects.
    Flood(Value),
    /// Disconnects.
    End,
}

type Script = dyn Fn(usize, &str, &Value) -> Act + Send + Sync;

/// A language server that follows a script of the test and records all messages it receives.
#[derive(Clone)]
pub struct LanguageServer {
    script: Arc<Script>,
    /// All received messages in order.
    pub received: Arc<Mutex<Vec<Value>>>,
    starts: Arc<Mutex<usize>>,
}

impl LanguageServer {
    /// The script gets the number of the connection (from 1), the method and the parameters.
    /// `initialize` is answered unless it returns [`Act::End`], and is followed by a settled status.
    pub fn new(script: impl Fn(usize, &str, &Value) -> Act + Send + Sync + 'static) -> Self {
        Self { script: Arc::new(script), received: Arc::default(), starts: Arc::default() }
    }

    /// The methods of the received messages in order.
    pub fn methods(&self) -> Vec<String> {
        let received = base::lock(&self.received);
        received.iter().filter_map(|it| it["method"].as_str().map(str::to_owned)).collect()
    }

    /// All received messages, as soon as the last of them has this method: a notification may
    /// arrive after its sender continued.
    ///
    /// # Panics
    /// If that is not so within 20 seconds.
    pub fn received_until(&self, method: &str) -> Vec<Value> {
        for _ in 0..2000 {
            let received = base::lock(&self.received);
            if received.last().is_some_and(|it| it["method"] == method) {
                return received.clone();
            }
            drop(received);
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the last received message is not {method}: {:?}", self.methods())
    }

    /// The number of connections so far.
    pub fn starts(&self) -> usize {
        *base::lock(&self.starts)
    }

    /// Starts a server thread and returns the client's end of the connection; the thread ends when
    /// that is shut down.
    ///
    /// # Panics
    /// If no socket pair can be created.
    pub fn connect(&self) -> UnixStream {
        let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
        let number = {
            let mut starts = base::lock(&self.starts);
            *starts += 1;
            *starts
        };
        let it = self.clone();
        std::thread::spawn(move || serve(&it, number, theirs));
        ours
    }
}

fn serve(it: &LanguageServer, number: usize, stream: UnixStream) {
    let Ok(reading) = stream.try_clone() else { return };
    let mut reader = BufReader::new(reading);
    let mut writer = stream;
    while let Some(message) = read(&mut reader) {
        base::lock(&it.received).push(message.clone());
        let Some(method) = message["method"].as_str() else { continue };
        let id = message["id"].as_i64();
        let act = (it.script)(number, method, &message["params"]);
        let written = match (act, id) {
            (Act::End, _) => return,
            (Act::Raw(bytes), _) => writer.write_all(bytes),
            (Act::Flood(own), _) => {
                while write(&mut writer, &own).is_ok() {}
                return;
            }
            (_, Some(id)) if method == "initialize" => {
                let encoding = json!({ "capabilities": { "positionEncoding": "utf-8" } });
                write(&mut writer, &json!({ "id": id, "result": encoding })).and_then(|()| {
                    let status = json!({ "health": "ok", "quiescent": true });
                    let method = "experimental/serverStatus";
                    write(&mut writer, &json!({ "method": method, "params": status }))
                })
            }
            (Act::Answer(value), Some(id)) => {
                write(&mut writer, &json!({ "id": id, "result": value }))
            }
            (Act::Refuse(code), Some(id)) => {
                let error = json!({ "code": code, "message": "no" });
                write(&mut writer, &json!({ "id": id, "error": error }))
            }
            (Act::SendThenAnswer(own, value), Some(id)) => write(&mut writer, &own)
                .and_then(|()| write(&mut writer, &json!({ "id": id, "result": value }))),
            _ => Ok(()),
        };
        if written.is_err() {
            return;
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().ok()?,
            None if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn write(writer: &mut UnixStream, message: &Value) -> std::io::Result<()> {
    let mut message = message.clone();
    message["jsonrpc"] = json!("2.0");
    let body = message.to_string();
    write!(writer, "Content-Length: {}\r\n\r\n{body}", body.len())
}
