//! [`Pushes`]: delivery of events to the webhooks of clients, on threads of its own.
//!
//! A webhook is sent to the address that was checked ([`crate::address`]), without following redirections. Its order
//! is kept; one that does not answer delays only those that share its thread.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::address::{WebhookTarget, checked_address};
use crate::error::{A2aError, PushError};
use crate::wire::{PushConfig, is_id};

/// Threads that deliver.
const THREADS: usize = 4;

/// Most events that wait for one thread; of more, the newest are dropped.
const MOST_WAITING: usize = 256;

/// Time to connect, and for each part of the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Time before each attempt.
const ATTEMPTS: [Duration; 3] = [Duration::ZERO, Duration::from_secs(1), Duration::from_secs(4)];

/// Longest token or credentials in bytes.
const LONGEST: usize = 4_096;

/// Receives one line about what could not be delivered or kept.
pub type A2aNote = Arc<dyn Fn(&str) + Send + Sync>;

/// Sends events to webhooks.
pub(crate) struct Pushes {
    queues: Vec<SyncSender<Delivery>>,
    allows_loopback: bool,
    note: A2aNote,
}

struct Delivery {
    config: PushConfig,
    body: String,
}

impl Pushes {
    pub(crate) fn start(allows_loopback: bool, note: A2aNote) -> std::io::Result<Self> {
        let mut queues = Vec::new();
        for _ in 0..THREADS {
            let (sender, receiver) = sync_channel(MOST_WAITING);
            let note = Arc::clone(&note);
            thread::Builder::new()
                .name("webhooks".to_owned())
                .spawn(move || deliver_all(&receiver, allows_loopback, &note))?;
            queues.push(sender);
        }
        Ok(Self { queues, allows_loopback, note })
    }

    /// Reports what went wrong to the person who runs the server.
    pub(crate) fn note(&self, text: &str) {
        (self.note)(text);
    }

    /// Sends an event to a webhook, in the background.
    pub(crate) fn send(&self, config: &PushConfig, event: &Value) {
        let sum = config.url.bytes().fold(0_usize, |sum, it| sum.wrapping_mul(31) + it as usize);
        let Some(queue) = self.queues.get(sum % THREADS) else { return };
        let delivery = Delivery { config: config.clone(), body: event.to_string() };
        if queue.try_send(delivery).is_err() {
            self.note("too many notifications wait: one was dropped");
        }
    }

    /// Checks a webhook of a client.
    pub(crate) fn check(&self, config: &PushConfig) -> Result<(), A2aError> {
        WebhookTarget::read(&config.url, self.allows_loopback)?;
        if config.id.as_deref().is_some_and(|it| !is_id(it)) {
            return Err(A2aError::params("`id` is no id: letters, digits and `-._~`, at most 128"));
        }
        let by = config.authentication.as_ref();
        let scheme = by.map(|it| it.scheme.as_str());
        let is_scheme = scheme.is_none_or(|it| is_id(it) && !it.is_empty());
        let secrets = config.token.iter().chain(by.and_then(|it| it.credentials.as_ref()));
        let fits = |it: &String| {
            it.len() <= LONGEST && it.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
        };
        match is_scheme && secrets.into_iter().all(fits) {
            true => Ok(()),
            false => Err(A2aError::params(
                "`token` and `authentication` are printable, at most 4,096 bytes",
            )),
        }
    }
}

fn deliver_all(queue: &Receiver<Delivery>, allows_loopback: bool, note: &A2aNote) {
    while let Ok(delivery) = queue.recv() {
        let mut failure = None;
        for wait in ATTEMPTS {
            thread::sleep(wait);
            failure = deliver(&delivery, allows_loopback).err();
            if failure.is_none() {
                break;
            }
        }
        if let Some(reason) = failure {
            note(&format!("a notification was not delivered: {reason}"));
        }
    }
}

fn deliver(delivery: &Delivery, allows_loopback: bool) -> Result<(), PushError> {
    let target = WebhookTarget::read(&delivery.config.url, allows_loopback)?;
    if target.is_secure {
        return Err(PushError::Secure(target.host));
    }
    let address = checked_address(&target, allows_loopback)?;
    post(&target, address, delivery).map_err(|error| PushError::Failed(target.host.clone(), error))
}

fn post(
    target: &WebhookTarget,
    address: SocketAddr,
    delivery: &Delivery,
) -> Result<(), std::io::Error> {
    let config = &delivery.config;
    let by = config.authentication.as_ref();
    let by = by.map(|it| {
        format!(
            "Authorization: {} {}\r\n",
            it.scheme,
            it.credentials.as_deref().unwrap_or_default()
        )
    });
    let token = config.token.as_ref().map(|it| format!("X-A2A-Notification-Token: {it}\r\n"));
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n{}{}\r\n",
        target.path,
        target.authority,
        delivery.body.len(),
        by.unwrap_or_default(),
        token.unwrap_or_default(),
    );
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(delivery.body.as_bytes())?;
    // `HTTP/1.1 200`: nothing after it counts.
    let mut status = [0; 12];
    stream.read_exact(&mut status)?;
    match status.starts_with(b"HTTP/1.") && status[9] == b'2' {
        true => Ok(()),
        false => Err(std::io::Error::other(format!(
            "the answer is `{}`",
            base::visible_line(&String::from_utf8_lossy(&status))
        ))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

    use std::net::TcpListener;
    use std::sync::Mutex;
    use std::sync::mpsc::channel;

    use serde_json::json;

    use super::*;
    use crate::wire::PushAuthentication;

    fn config(url: &str) -> PushConfig {
        PushConfig { url: url.to_owned(), ..PushConfig::default() }
    }

    #[test]
    fn an_event_is_posted_with_its_credentials() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, received) = channel();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut text = String::new();
            let mut byte = [0; 1];
            while !text.ends_with('}') && stream.read_exact(&mut byte).is_ok() {
                text.push(byte[0] as char);
            }
            stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap();
            sender.send(text).unwrap();
        });
        let pushes = Pushes::start(true, Arc::new(|_| {})).unwrap();
        let mut config = config(&format!("http://{address}/hook?a=1"));
        config.token = Some("secret".to_owned());
        config.authentication = Some(PushAuthentication {
            scheme: "Bearer".to_owned(),
            credentials: Some("abc".to_owned()),
        });
        pushes.check(&config).unwrap();
        pushes.send(&config, &json!({ "task": 1 }));
        let text = received.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(text.starts_with("POST /hook?a=1 HTTP/1.1\r\n"), "{text}");
        assert!(text.contains("\r\nAuthorization: Bearer abc\r\n"), "{text}");
        assert!(text.contains("\r\nX-A2A-Notification-Token: secret\r\n"), "{text}");
        assert!(text.ends_with("\r\n\r\n{\"task\":1}"), "{text}");
    }

    #[test]
    fn nothing_is_sent_to_this_machine_without_the_flag() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let notes: Arc<Mutex<Vec<String>>> = Arc::default();
        let own = Arc::clone(&notes);
        let pushes =
            Pushes::start(false, Arc::new(move |it| base::lock(&own).push(it.to_owned()))).unwrap();
        assert!(pushes.check(&config(&url)).is_err());
        let delivery = Delivery { config: config(&url), body: String::new() };
        assert!(deliver(&delivery, false).unwrap_err().to_string().contains("internal"));
        assert!(listener.accept().is_err());
    }

    #[test]
    fn no_header_is_added_by_a_client() {
        let pushes = Pushes::start(true, Arc::new(|_| {})).unwrap();
        let with = |token: &str, scheme: &str| PushConfig {
            token: Some(token.to_owned()),
            authentication: Some(PushAuthentication {
                scheme: scheme.to_owned(),
                credentials: None,
            }),
            ..config("http://a.example/")
        };
        assert!(pushes.check(&with("a b", "Basic")).is_ok());
        for (token, scheme) in
            [("a\r\nX: y", "Basic"), ("a\nb", "Basic"), ("a", "Ba sic"), ("a", ""), ("é", "Basic")]
        {
            assert!(pushes.check(&with(token, scheme)).is_err(), "{token:?} {scheme:?}");
        }
        let id = PushConfig { id: Some("../x".to_owned()), ..config("http://a.example/") };
        assert!(pushes.check(&id).is_err());
    }
}
