//! The two bindings of the protocol over HTTP: JSON-RPC at `/` and `/jsonrpc`, REST at the paths of the
//! specification, with or without `/v1`. Both are read into the name of an operation and its parameters.

use std::sync::atomic::AtomicBool;

use ::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, LAST_MODIFIED,
};
use ::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use serde_json::{Map, Value, json};

use crate::error::{A2aError, Refused};
use crate::server::{A2aServer, Outcome};
use crate::stream::EventStream;
use crate::wire::VERSION;

/// Path of the public card.
const CARD: &str = "/.well-known/agent-card.json";

/// Name of the header, or parameter, with the version of the protocol.
const VERSION_NAME: &str = "a2a-version";

/// The media type of the protocol; `application/json` is served, too.
const MEDIA_TYPE: &str = "application/a2a+json";

/// Content of an answer.
pub enum A2aBody {
    /// All of it.
    Whole(Vec<u8>),
    /// Server-sent events.
    Events(Box<EventStream>),
}

type HttpAnswer = Response<A2aBody>;

impl A2aServer {
    /// Whether anyone may read a path without the token.
    pub fn is_public(method: &Method, path: &str) -> bool {
        *method == Method::GET && path == CARD
    }

    /// Answers a request. It may wait as long as its task; `gone` is set when its client has ended.
    pub fn answer(&self, request: &Request<Vec<u8>>, gone: &AtomicBool) -> HttpAnswer {
        let path = request.uri().path();
        if path == CARD {
            return match *request.method() {
                Method::GET => self.card(request.headers()),
                _ => refused(&A2aError::new(Refused::Method, "the card is read by GET"), false),
            };
        }
        match path {
            "/" | "/jsonrpc" | "/jsonrpc/" => self.rpc(request, gone),
            _ => self.rest(request, gone),
        }
    }

    fn card(&self, headers: &HeaderMap) -> HttpAnswer {
        let cards = self.cards();
        let is_known = headers.get(IF_NONE_MATCH).is_some_and(|it| it == cards.etag.as_str());
        let mut answer = match is_known {
            true => whole(StatusCode::NOT_MODIFIED, "application/json", String::new()),
            false => whole(StatusCode::OK, "application/json", cards.public.clone()),
        };
        let fields = [
            (CACHE_CONTROL, "public, max-age=300"),
            (ETAG, cards.etag.as_str()),
            (LAST_MODIFIED, cards.modified.as_str()),
        ];
        for (name, value) in fields {
            if let Ok(value) = HeaderValue::from_str(value) {
                answer.headers_mut().insert(name, value);
            }
        }
        answer
    }

    fn rpc(&self, request: &Request<Vec<u8>>, gone: &AtomicBool) -> HttpAnswer {
        if *request.method() != Method::POST {
            let error = A2aError::new(Refused::Request, "JSON-RPC is sent by POST");
            let mut answer = rpc_refused(&Value::Null, &error);
            *answer.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
            return answer;
        }
        let (id, call) = match rpc_call(request) {
            Ok(read) => read,
            Err(error) => {
                let mut answer = rpc_refused(&Value::Null, &error);
                if error.kind == Refused::ContentType {
                    *answer.status_mut() = StatusCode::UNSUPPORTED_MEDIA_TYPE;
                }
                return answer;
            }
        };
        let run = call.and_then(|(method, params)| {
            check_version(request)?;
            self.run(&method, params, gone)
        });
        match run {
            Ok(Outcome::Value(value)) => {
                let body = json!({ "jsonrpc": "2.0", "id": id, "result": value });
                whole(StatusCode::OK, "application/json", body.to_string())
            }
            Ok(Outcome::Stream(stream)) => events(stream.answering(id)),
            Err(error) => rpc_refused(&id, &error),
        }
    }

    fn rest(&self, request: &Request<Vec<u8>>, gone: &AtomicBool) -> HttpAnswer {
        let own = |headers: &HeaderMap, name: HeaderName| {
            let value = headers.get(name).and_then(|it| it.to_str().ok());
            value.is_some_and(|it| it.contains(MEDIA_TYPE))
        };
        let is_own = own(request.headers(), ACCEPT) || own(request.headers(), CONTENT_TYPE);
        let media_type = if is_own { MEDIA_TYPE } else { "application/json" };
        match rest_call(request).and_then(|(method, params)| self.run(method, params, gone)) {
            Ok(Outcome::Value(value)) => whole(StatusCode::OK, media_type, value.to_string()),
            Ok(Outcome::Stream(stream)) => events(stream),
            Err(error) => refused(&error, is_own),
        }
    }
}

/// The id of a request of JSON-RPC, and its method with parameters.
type RpcCall = (Value, Result<(String, Value), A2aError>);

fn rpc_call(request: &Request<Vec<u8>>) -> Result<RpcCall, A2aError> {
    check_content_type(request.headers())?;
    let body = read_body(request.body())?;
    let Value::Object(mut body) = body else {
        return Err(A2aError::new(Refused::Request, "the request is one JSON object"));
    };
    let id = match body.remove("id") {
        Some(id @ (Value::String(_) | Value::Number(_))) => id,
        _ => return Err(A2aError::new(Refused::Request, "`id` is neither text nor number")),
    };
    let params = body.remove("params").unwrap_or(Value::Null);
    let method = match (body.remove("method"), body.remove("jsonrpc")) {
        (Some(Value::String(method)), Some(version)) if version == "2.0" => method,
        _ => {
            let error = A2aError::new(Refused::Request, "`jsonrpc` is not 2.0, or no `method`");
            return Ok((id, Err(error)));
        }
    };
    let call = match params {
        Value::Null | Value::Object(_) => Ok((method, params)),
        _ => Err(A2aError::params("`params` is no object")),
    };
    Ok((id, call))
}

/// The operation of a path, and its parameters.
fn rest_call(request: &Request<Vec<u8>>) -> Result<(&'static str, Value), A2aError> {
    let path = request.uri().path();
    let path = path.strip_prefix("/v1").filter(|it| it.starts_with('/')).unwrap_or(path);
    let parts: Option<Vec<String>> = path.split('/').skip(1).map(decoded).collect();
    let parts = parts.unwrap_or_default();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let is = |method: Method| *request.method() == method;
    let (get, post) = (is(Method::GET), is(Method::POST));
    let mut own = Map::new();
    let mut with = |name: &str, value: &str| own.insert(name.to_owned(), value.into());
    let method = match parts.as_slice() {
        ["message:send"] if post => "SendMessage",
        ["message:stream"] if post => "SendStreamingMessage",
        ["extendedAgentCard"] if get => "GetExtendedAgentCard",
        ["tasks"] if get => "ListTasks",
        ["tasks", id] => {
            let (id, verb) = id.split_once(':').unwrap_or((id, ""));
            with("id", id);
            match verb {
                "" if get => "GetTask",
                "cancel" if post => "CancelTask",
                "subscribe" if get || post => "SubscribeToTask",
                _ => return Err(no_address()),
            }
        }
        ["tasks", task, "pushNotificationConfigs", rest @ ..] => {
            with("taskId", task);
            match rest {
                [] if post => "CreateTaskPushNotificationConfig",
                [] if get => "ListTaskPushNotificationConfigs",
                [id] if get || is(Method::DELETE) => {
                    with("id", id);
                    match get {
                        true => "GetTaskPushNotificationConfig",
                        false => "DeleteTaskPushNotificationConfig",
                    }
                }
                _ => return Err(no_address()),
            }
        }
        _ => return Err(no_address()),
    };
    if post && !request.body().is_empty() {
        check_content_type(request.headers())?;
    }
    check_version(request)?;
    let mut params = match post && !request.body().is_empty() {
        true => match read_body(request.body())? {
            Value::Object(params) => params,
            _ => return Err(A2aError::params("the body is no JSON object")),
        },
        false => query(request.uri().query().unwrap_or_default())?,
    };
    // The path decides about which task it is, whichever name the body has for it.
    params.remove("task_id");
    params.extend(own);
    Ok((method, Value::Object(params)))
}

fn no_address() -> A2aError {
    let message = "no operation has this address and method; see the agent card";
    A2aError::new(Refused::Method, message)
}

fn read_body(body: &[u8]) -> Result<Value, A2aError> {
    serde_json::from_slice(body)
        .map_err(|error| A2aError::new(Refused::Json, format!("the body is no JSON: {error}")))
}

fn check_content_type(headers: &HeaderMap) -> Result<(), A2aError> {
    let value = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let name = value.split(';').next().unwrap_or_default().trim();
    let fits = |it: &&str| it.eq_ignore_ascii_case(name);
    match ["application/json", MEDIA_TYPE].iter().any(fits) {
        true => Ok(()),
        false => {
            let message = "`Content-Type` is neither application/json nor application/a2a+json";
            Err(A2aError::new(Refused::ContentType, message))
        }
    }
}

/// Checks the version of a request: one without is of version 0.3.
fn check_version(request: &Request<Vec<u8>>) -> Result<(), A2aError> {
    let header = request.headers().get(VERSION_NAME).map(|it| it.to_str().unwrap_or("?"));
    let query = query(request.uri().query().unwrap_or_default())?;
    let named = query.iter().find(|it| it.0.eq_ignore_ascii_case(VERSION_NAME));
    let given = header.or_else(|| named.and_then(|it| it.1.as_str())).unwrap_or_default().trim();
    // The third number does not matter.
    let major_minor = given.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
    match major_minor == VERSION {
        true => Ok(()),
        false => {
            let given = if given.is_empty() { "0.3 (none is given)" } else { given };
            let message = format!(
                "version {} of the protocol is not served: send `A2A-Version: {VERSION}`",
                base::visible_line(given)
            );
            Err(A2aError::new(Refused::Version, message))
        }
    }
}

/// The parameters of an address, as texts.
fn query(text: &str) -> Result<Map<String, Value>, A2aError> {
    let mut found = Map::new();
    for pair in text.split('&').filter(|it| !it.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decoded(&name.replace('+', " ")), decoded(&value.replace('+', " ")));
        let (Some(name), Some(value)) = (name, value) else {
            return Err(A2aError::params("a parameter of the address is no encoded text"));
        };
        found.insert(name, value.into());
    }
    Ok(found)
}

/// A part of an address without its escapes; `None`: they are no text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn whole(status: StatusCode, media_type: &'static str, body: String) -> HttpAnswer {
    let mut answer = Response::new(A2aBody::Whole(body.into_bytes()));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    answer
}

fn events(stream: EventStream) -> HttpAnswer {
    let mut answer = Response::new(A2aBody::Events(Box::new(stream)));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer
}

fn rpc_refused(id: &Value, error: &A2aError) -> HttpAnswer {
    let body = json!({ "jsonrpc": "2.0", "id": id, "error": error.to_rpc() });
    whole(StatusCode::OK, "application/json", body.to_string())
}

fn refused(error: &A2aError, is_own: bool) -> HttpAnswer {
    let status = StatusCode::from_u16(error.status());
    let media_type = if is_own { MEDIA_TYPE } else { "application/json" };
    let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    whole(status, media_type, error.to_rest().to_string())
}
