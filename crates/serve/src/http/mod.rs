//! [`HttpServer`]: a protocol over HTTP, on one loopback port: the Model Context Protocol on one path, or a
//! [`HttpSurface`].
//!
//! hyper alone serves the connections: one path needs no router, and a limit on the time of a head, which
//! keeps slow senders from holding a connection, belongs to the connection. A request passes
//! [`guard`], then its body is read within limits, then the protocol has it. One guard serves all protocols.

mod connections;
mod guard;
mod surface;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ::http::request::Parts;
use ::http::{Request, Response, StatusCode, header};
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, SessionConfig};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use self::connections::{Connection, Connections};
use self::guard::{Guard, Refusal};
pub(crate) use self::surface::serve;
pub use self::surface::{HttpSurface, SurfaceAnswer, SurfaceBody};
use crate::{AccessToken, ServeError};

type HttpResponse = Response<BoxBody<Bytes, Infallible>>;

/// Limits of an HTTP server.
#[derive(Clone, Debug)]
pub struct HttpLimits {
    /// Number of connections that have sent no request with the token.
    pub strangers: usize,
    /// Number of connections of clients.
    pub clients: usize,
    /// Time in which a head is read, also of the next request of a connection.
    pub head: Duration,
    /// Time in which a body is read.
    pub body: Duration,
    /// Number of bytes of a body.
    pub body_bytes: usize,
    /// Time without a request after which a session of a client ends.
    pub session: Duration,
    /// Time that answers have to end when the server ends.
    pub end: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            strangers: 64,
            clients: 256,
            head: Duration::from_secs(60),
            body: Duration::from_secs(30),
            body_bytes: 8 << 20,
            session: Duration::from_secs(4 * 3600),
            end: Duration::from_secs(1),
        }
    }
}

/// What an HTTP server listens on and requires.
#[derive(Clone, Debug)]
pub struct HttpServerOptions {
    /// A loopback address; port 0 takes a free one.
    pub address: SocketAddr,
    /// The token that every request must have. `None` is for tests of the protocol alone.
    pub token: Option<AccessToken>,
    /// Limits.
    pub limits: HttpLimits,
}

/// A server that listens and does not answer yet.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    limits: HttpLimits,
}

impl HttpServer {
    /// Listens on the address.
    ///
    /// # Errors
    /// An address that is not loopback, or one that is in use.
    pub async fn bind(options: HttpServerOptions) -> Result<Self, ServeError> {
        let HttpServerOptions { address, token, limits } = options;
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let fail = |reason| ServeError::Listen { address, reason };
        let listener = TcpListener::bind(address).await.map_err(fail)?;
        let address = listener.local_addr().map_err(fail)?;
        Ok(Self { listener, address, guard: Guard::new(address, token), limits })
    }

    /// The address, without a path.
    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address of the Model Context Protocol.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, guard::PATH)
    }

    /// Serves until `stop` is cancelled, with one handler per session of a client.
    pub async fn run<H: ServerHandler>(
        self,
        handler: impl Fn() -> H + Send + Sync + 'static,
        stop: CancellationToken,
    ) {
        let limits = &self.limits;
        let mut session = SessionConfig::default();
        session.keep_alive = Some(limits.session);
        let mut sessions = LocalSessionManager::default();
        sessions.session_config = session;
        // Host and Origin are checked by the guard, which knows the port.
        let config = StreamableHttpServerConfig::default()
            .with_max_request_body_bytes(limits.body_bytes)
            .with_cancellation_token(stop.child_token());
        let protocol =
            StreamableHttpService::new(move || Ok(handler()), Arc::new(sessions), config);
        self.serve(McpProtocol(protocol), stop).await;
    }

    /// Serves a protocol until `stop` is cancelled.
    async fn serve<P: HttpProtocol>(self, protocol: P, stop: CancellationToken) {
        let Self { listener, guard, limits, .. } = self;
        let shared = Arc::new(Shared { guard, limits, protocol });
        let limits = &shared.limits;
        let all = Arc::new(Connections::new(limits.strangers, limits.clients));
        let mut tasks = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                () = stop.cancelled() => break,
                Some(_) = tasks.join_next() => continue,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => {
                    let connection = Arc::new(all.enter(&stop));
                    tasks.spawn(serve_connection(stream, connection, Arc::clone(&shared)));
                }
                // No descriptor is left, or the peer is gone: the listener stays.
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
        drop(listener);
        let ended = async { while tasks.join_next().await.is_some() {} };
        // Tasks that did not end are aborted when `tasks` is dropped.
        let _ = tokio::time::timeout(limits.end, ended).await;
    }
}

/// A protocol behind the guard.
trait HttpProtocol: Send + Sync + 'static {
    /// Checks everything of a request but its body; returns whether its sender has the token.
    fn admit(&self, guard: &Guard, head: &Parts) -> Result<bool, Refusal>;

    /// Answers a request.
    fn handle(&self, request: Request<Bytes>) -> impl Future<Output = HttpResponse> + Send;
}

struct McpProtocol<H: ServerHandler>(StreamableHttpService<H, LocalSessionManager>);

impl<H: ServerHandler> HttpProtocol for McpProtocol<H> {
    fn admit(&self, guard: &Guard, head: &Parts) -> Result<bool, Refusal> {
        guard.check(&head.method, &head.uri, &head.headers).map(|()| true)
    }

    async fn handle(&self, request: Request<Bytes>) -> HttpResponse {
        self.0.handle(request.map(Full::new)).await
    }
}

struct Shared<P> {
    guard: Guard,
    limits: HttpLimits,
    protocol: P,
}

async fn serve_connection<P: HttpProtocol>(
    stream: TcpStream,
    connection: Arc<Connection>,
    shared: Arc<Shared<P>>,
) {
    // Small answers are not held back; without it they are only slower.
    let _ = stream.set_nodelay(true);
    let end = connection.end.clone();
    let head = shared.limits.head;
    let service = service_fn(move |request| {
        let (connection, shared) = (Arc::clone(&connection), Arc::clone(&shared));
        async move { Ok::<_, Infallible>(shared.answer(request, &connection).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head).max_buf_size(64 << 10);
    let serving = http.serve_connection(TokioIo::new(stream), service);
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        _ = serving.as_mut() => return,
        () = end.cancelled() => serving.as_mut().graceful_shutdown(),
    }
    // An idle connection ends here at once; an answer that is being sent has a moment.
    let _ = tokio::time::timeout(shared_end(), serving).await;
}

/// Time that a connection has to end its answer.
fn shared_end() -> Duration {
    Duration::from_millis(500)
}

impl<P: HttpProtocol> Shared<P> {
    async fn answer(&self, request: Request<Incoming>, connection: &Connection) -> HttpResponse {
        let (parts, body) = request.into_parts();
        match self.protocol.admit(&self.guard, &parts) {
            Err(refusal) => return refused(refusal.status, refusal.reason),
            Ok(true) if !connection.becomes_client() => {
                return refused(StatusCode::SERVICE_UNAVAILABLE, "too many connections");
            }
            Ok(_) => {}
        }
        // What is announced is refused before it is sent.
        if body.size_hint().lower() > self.limits.body_bytes as u64 {
            return refused(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large");
        }
        let limited = Limited::new(body, self.limits.body_bytes);
        match tokio::time::timeout(self.limits.body, limited.collect()).await {
            Ok(Ok(body)) => self.protocol.handle(Request::from_parts(parts, body.to_bytes())).await,
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                refused(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large")
            }
            Ok(Err(_)) => refused(StatusCode::BAD_REQUEST, "the request is cut off"),
            Err(_) => refused(StatusCode::REQUEST_TIMEOUT, "the request came too slowly"),
        }
    }
}

/// A short answer, after which the connection ends: what is left of the request is not read.
fn refused(status: StatusCode, reason: &'static str) -> HttpResponse {
    let mut response = Response::new(Full::new(Bytes::from_static(reason.as_bytes())).boxed());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, header::HeaderValue::from_static("close"));
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/plain"));
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
    }
    response
}
