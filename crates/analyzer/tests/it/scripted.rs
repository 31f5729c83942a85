//! A language server that does what a test tells it to.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex};

use graftage_analyzer::AnalyzerError;
use graftage_analyzer::session::{Pipes, Transport};
use serde_json::{Value, json};

/// What the server does about one message.
pub(crate) enum Act {
    /// Answers it.
    Answer(Value),
    /// Refuses it with this number.
    Refuse(i64),
    /// Says this first (a question or a notice of its own), then answers.
    SayThenAnswer(Value, Value),
    /// Leaves it.
    Nothing,
    /// Writes these bytes as they are.
    Raw(&'static [u8]),
    /// Ends.
    End,
}

type Script = dyn Fn(usize, &str, &Value) -> Act + Send + Sync;

/// Starts servers; keeps all that they were told.
#[derive(Clone)]
pub(crate) struct Scripted {
    script: Arc<Script>,
    pub(crate) told: Arc<Mutex<Vec<Value>>>,
    pub(crate) starts: Arc<Mutex<usize>>,
}

impl Scripted {
    /// The script gets the number of the start (from 1), the method and the parameters. Greetings
    /// are answered unless it says [`Act::End`], and followed by a status that is settled.
    pub(crate) fn new(script: impl Fn(usize, &str, &Value) -> Act + Send + Sync + 'static) -> Self {
        Self { script: Arc::new(script), told: Arc::default(), starts: Arc::default() }
    }

    /// The methods that the server was told, in their order.
    pub(crate) fn methods(&self) -> Vec<String> {
        let told = self.told.lock().unwrap();
        told.iter().filter_map(|it| it["method"].as_str().map(str::to_owned)).collect()
    }

    pub(crate) fn starts(&self) -> usize {
        *self.starts.lock().unwrap()
    }
}

impl Transport for Scripted {
    fn connect(&self) -> Result<Pipes, AnalyzerError> {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let number = {
            let mut starts = self.starts.lock().unwrap();
            *starts += 1;
            *starts
        };
        let it = self.clone();
        std::thread::spawn(move || serve(&it, number, theirs));
        let to = Box::new(ours.try_clone().unwrap());
        let life = Box::new(Life(ours.try_clone().unwrap()));
        Ok(Pipes { to, from: Box::new(ours), life })
    }
}

struct Life(UnixStream);

impl Drop for Life {
    fn drop(&mut self) {
        let _ = self.0.shutdown(std::net::Shutdown::Both);
    }
}

fn serve(it: &Scripted, number: usize, stream: UnixStream) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    while let Some(message) = read(&mut reader) {
        it.told.lock().unwrap().push(message.clone());
        let Some(method) = message["method"].as_str() else { continue };
        let id = message["id"].as_i64();
        let act = (it.script)(number, method, &message["params"]);
        let written = match (act, id) {
            (Act::End, _) => return,
            (Act::Raw(bytes), _) => writer.write_all(bytes),
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
            (Act::SayThenAnswer(own, value), Some(id)) => write(&mut writer, &own)
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
