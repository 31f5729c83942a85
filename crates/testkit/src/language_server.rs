use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

/// What the server does about one message.
pub enum Act {
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
    /// Says this again and again, for as long as somebody is at the other end.
    Flood(Value),
    /// Ends.
    End,
}

type Script = dyn Fn(usize, &str, &Value) -> Act + Send + Sync;

/// A language server that does what a test tells it to. It keeps all that it was told.
#[derive(Clone)]
pub struct LanguageServer {
    script: Arc<Script>,
    /// All messages, in their order.
    pub told: Arc<Mutex<Vec<Value>>>,
    starts: Arc<Mutex<usize>>,
}

impl LanguageServer {
    /// The script gets the number of the start (from 1), the method and the parameters. Greetings
    /// are answered unless it says [`Act::End`], and followed by a status that is settled.
    pub fn new(script: impl Fn(usize, &str, &Value) -> Act + Send + Sync + 'static) -> Self {
        Self { script: Arc::new(script), told: Arc::default(), starts: Arc::default() }
    }

    /// The methods that the server was told, in their order.
    pub fn methods(&self) -> Vec<String> {
        let told = locked(&self.told);
        told.iter().filter_map(|it| it["method"].as_str().map(str::to_owned)).collect()
    }

    /// All that it was told once this is the last of it: what needs no answer may arrive after the
    /// one who said it went on.
    ///
    /// # Panics
    /// When that is not so within 20 seconds.
    pub fn told_until(&self, method: &str) -> Vec<Value> {
        for _ in 0..2000 {
            let told = locked(&self.told);
            if told.last().is_some_and(|it| it["method"] == method) {
                return told.clone();
            }
            drop(told);
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the last that was said is not {method}: {:?}", self.methods())
    }

    /// How often it was started.
    pub fn starts(&self) -> usize {
        *locked(&self.starts)
    }

    /// Starts it: the other end of its input and output. It ends when that is shut down.
    ///
    /// # Panics
    /// When the system has no more sockets.
    pub fn connect(&self) -> UnixStream {
        let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
        let number = {
            let mut starts = locked(&self.starts);
            *starts += 1;
            *starts
        };
        let it = self.clone();
        std::thread::spawn(move || serve(&it, number, theirs));
        ours
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A script that panicked left whole values behind.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(it: &LanguageServer, number: usize, stream: UnixStream) {
    let Ok(reading) = stream.try_clone() else { return };
    let mut reader = BufReader::new(reading);
    let mut writer = stream;
    while let Some(message) = read(&mut reader) {
        locked(&it.told).push(message.clone());
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
