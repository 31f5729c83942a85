//! [`Lines`]: the messages of one client on a pair of streams, one a line.
//!
//! `rmcp` has such a transport, which drops a line that is too long or is no JSON, so that the client waits for
//! ever. Here each request gets an answer: what cannot be read gets an error that names the limit, with the id
//! of the request where it can be found ([`Head`]), and the next line is read.

use base::SortedMap;
use rmcp::ErrorData as McpError;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, BufReader, Empty};
use tokio::task::JoinHandle;

use super::head::Head;

/// Size limit of a message in bytes.
const LONGEST: usize = 16 << 20;
/// Most bytes of requests that wait for an answer: as values they take a multiple.
const MOST_WAITING: usize = 32 << 20;
/// Maximum depth of objects and lists that `serde_json` reads.
const DEEPEST: usize = 127;
/// Capacity of the buffer that is kept between messages, in bytes.
const KEPT: usize = 1 << 20;
/// Maximum length of a reason in an answer, in characters.
const REASON: usize = 200;

/// The messages of a client.
pub(super) struct Lines<R, W: AsyncWrite> {
    input: BufReader<R>,
    /// The line as far as it was read; it stays when `receive` is cancelled.
    line: Vec<u8>,
    /// The head of a line that is too long, whose rest is dropped.
    long: Option<Head>,
    /// The answer that is being sent to a line that was refused; the next line waits for its end, so that a
    /// client that reads nothing cannot pile them up.
    sending: Option<JoinHandle<()>>,
    output: AsyncRwTransport<RoleServer, Empty, W>,
    /// Sizes of the requests that wait for an answer, in bytes.
    waiting: SortedMap<String, usize>,
}

/// Kind of a line for this server.
enum Line {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// Nothing that is answered.
    Ignored,
    Refused(McpError, Option<RequestId>),
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(input: R, output: W) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            long: None,
            sending: None,
            output: AsyncRwTransport::new(tokio::io::empty(), output),
            waiting: SortedMap::new(),
        }
    }

    /// Counts a request of so many bytes; the answer to one that is too much with those that wait.
    fn counted(&mut self, message: Box<RxJsonRpcMessage<RoleServer>>, bytes: usize) -> Line {
        match &*message {
            JsonRpcMessage::Request(request) => {
                let all: usize = self.waiting.values().sum();
                if all > 0 && all + bytes > MOST_WAITING {
                    let limit = MOST_WAITING >> 20;
                    let reason = format!(
                        "more than {limit} MiB of requests wait for an answer; send it after one"
                    );
                    let id = Some(request.id.clone());
                    return Line::Refused(McpError::invalid_request(reason, None), id);
                }
                self.waiting.insert(key(&request.id), bytes);
            }
            // It may have no answer.
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(it) = &notification.notification {
                    let id = it.params.request_id.as_ref();
                    id.map(|it| self.waiting.remove(&key(it)));
                }
            }
            _ => {}
        }
        Line::Message(message)
    }

    /// Reads one line; `None` at the end of the stream. Where it is cancelled, the next call continues.
    async fn next(&mut self) -> Option<Line> {
        loop {
            let bytes = self.input.fill_buf().await.ok().filter(|bytes| !bytes.is_empty())?;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(bytes.len(), |at| at + 1);
            match &mut self.long {
                Some(head) => head.read(&bytes[..used]),
                None => self.line.extend_from_slice(&bytes[..used]),
            }
            self.input.consume(used);
            if self.long.is_none() && self.line.len() > LONGEST {
                self.long = Some(Head::of(&self.line));
                self.line = Vec::new();
            }
            if end.is_none() {
                continue;
            }
            let read = match self.long.take() {
                Some(head) => too_long(head),
                None => match line(&self.line) {
                    Line::Message(message) => self.counted(message, self.line.len()),
                    other => other,
                },
            };
            self.line.clear();
            self.line.shrink_to(KEPT);
            return Some(read);
        }
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let id = match &item {
            JsonRpcMessage::Response(it) => Some(&it.id),
            JsonRpcMessage::Error(it) => it.id.as_ref(),
            _ => None,
        };
        id.map(|it| self.waiting.remove(&key(it)));
        self.output.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(sending) = &mut self.sending {
                let _ = sending.await;
                self.sending = None;
            }
            match self.next().await? {
                Line::Message(message) => return Some(*message),
                Line::Ignored => {}
                Line::Refused(error, id) => {
                    let sent = self.output.send(TxJsonRpcMessage::<RoleServer>::error(error, id));
                    // A client that is gone is noticed when the next line is read.
                    self.sending = Some(tokio::spawn(async { _ = sent.await }));
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.output.close().await
    }
}

fn key(id: &RequestId) -> String {
    id.to_string()
}

fn too_long(head: Head) -> Line {
    let limit = LONGEST >> 20;
    let reason = format!("the message is longer than {limit} MiB; send it in smaller parts");
    refused(head, McpError::invalid_request(reason, None))
}

/// Reads a whole line.
fn line(line: &[u8]) -> Line {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if base::json_values(line) > base::MOST_JSON_VALUES {
        let reason = format!(
            "the message has more than {} values; send it in smaller parts",
            base::MOST_JSON_VALUES
        );
        return refused(Head::of(line), McpError::invalid_request(reason, None));
    }
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Line::Message(Box::new(message)),
        Err(error) => error,
    };
    // Whatever else a client writes to the stream, such as a line of a log, is no message.
    if !line.starts_with(b"{") && !line.starts_with(b"[") {
        return Line::Ignored;
    }
    let head = Head::of(line);
    if head.deepest > DEEPEST {
        let reason = format!("the message nests deeper than {DEEPEST} levels; send a flatter one");
        return refused(head, McpError::invalid_request(reason, None));
    }
    let reason: String = base::visible_line(&error.to_string()).chars().take(REASON).collect();
    match error.classify() {
        serde_json::error::Category::Data => {
            let reason = format!("the message is no request of this protocol: {reason}");
            refused(head, McpError::invalid_request(reason, None))
        }
        _ => {
            refused(head, McpError::parse_error(format!("the message is no JSON: {reason}"), None))
        }
    }
}

/// The answer to a line. Notifications have none.
fn refused(head: Head, error: McpError) -> Line {
    match head.is_notification() {
        true => Line::Ignored,
        false => Line::Refused(error, head.request()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    /// The answers to these lines, and the number of messages that were received.
    fn answers(lines: &[String]) -> (Vec<Value>, usize) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut to_server, input) = tokio::io::duplex(1 << 16);
            let (output, mut from_server) = tokio::io::duplex(1 << 16);
            let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            tokio::spawn(async move { to_server.write_all(text.as_bytes()).await.unwrap() });
            let mut lines = Lines::new(input, output);
            let mut received = 0;
            while lines.receive().await.is_some() {
                received += 1;
            }
            lines.close().await.unwrap();
            drop(lines);
            let mut text = String::new();
            from_server.read_to_string(&mut text).await.unwrap();
            (text.lines().map(|it| serde_json::from_str(it).unwrap()).collect(), received)
        })
    }

    fn request(id: &Value, meta: &str) -> String {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"search","_meta":{{"x":{meta}}}}}}}"#
        )
    }

    fn ping(id: u32) -> String {
        json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string()
    }

    #[test]
    fn a_request_that_is_too_deep_is_answered_and_the_next_one_is_read() {
        let deep = format!("{}{}", "[".repeat(900), "]".repeat(900));
        let (answered, received) =
            answers(&[request(&json!(7), &deep), request(&json!("a"), &deep), ping(8)]);
        assert_eq!(received, 1);
        assert_eq!((&answered[0]["id"], &answered[1]["id"]), (&json!(7), &json!("a")));
        for answer in &answered {
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains("127 levels"), "{answer}");
        }
        // Control: the same request with a tenth of the depth is a message.
        let flat = format!("{}{}", "[".repeat(90), "]".repeat(90));
        assert_eq!(answers(&[request(&json!(7), &flat)]), (vec![], 1));
    }

    #[test]
    fn a_request_that_is_too_long_is_answered_wherever_its_id_is() {
        let text = "x\\\"]}".repeat(LONGEST / 5 + 1);
        let first = request(&json!(7), &format!("\"{text}\""));
        let last = format!(r#"{{"method":"tools/call","params":{{"_meta":"{text}"}},"id":9}}"#);
        let (answered, received) = answers(&[first, ping(8), last, ping(10)]);
        assert_eq!((answered.len(), received), (2, 2), "{answered:?}");
        assert_eq!((&answered[0]["id"], &answered[1]["id"]), (&json!(7), &json!(9)));
        assert!(answered[0]["error"]["message"].as_str().unwrap().contains("16 MiB"));
    }

    #[test]
    fn a_message_of_too_many_values_is_answered() {
        let many = format!("[{}0]", "0,".repeat(base::MOST_JSON_VALUES));
        let (answered, received) = answers(&[request(&json!(7), &many), ping(8)]);
        assert_eq!((answered.len(), received), (1, 1));
        assert!(answered[0]["error"]["message"].as_str().unwrap().contains("250000 values"));
    }

    #[test]
    fn requests_that_wait_are_bounded_in_bytes() {
        let text = format!("\"{}\"", "x".repeat(LONGEST - 200));
        let all: Vec<String> = (0..4).map(|id| request(&json!(id), &text)).collect();
        let (answered, received) = answers(&all);
        assert_eq!((answered.len(), received), (2, 2));
        assert!(
            answered[0]["error"]["message"].as_str().unwrap().contains("32 MiB of requests wait")
        );
    }

    #[test]
    fn what_is_no_message_is_answered_without_an_id_or_not_at_all() {
        let broken = ["{", "{\"jsonrpc\":\"2.0\"}", "[1,", "{\"id\":{},\"method\":\"x\"}"];
        let (answered, received) = answers(&broken.map(str::to_owned));
        assert_eq!((answered.len(), received), (4, 0), "{answered:?}");
        assert!(answered.iter().all(|it| it.get("id").is_none() && it["error"]["code"].is_i64()));
        // Lines of a log, notifications, and answers with an error.
        let silent =
            ["", " ", "starting up", "\"text\"", "{\"method\":\"notifications/x\",\"params\":[}"];
        assert_eq!(answers(&silent.map(str::to_owned)), (vec![], 0));
    }
}
