//! [`HttpSurface`]: a protocol that answers requests on threads, behind the guard.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};

use ::http::request::Parts;
use ::http::{Method, Request, Response, StatusCode};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body, Frame};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::guard::{Guard, Refusal};
use super::{HttpProtocol, HttpResponse, HttpServer, HttpServerOptions, refused};
use crate::ServeError;
use crate::runtime::run;

/// Most answers that are made or streamed at once.
const THREADS: usize = 96;

/// Pieces of a stream that wait for a slow client, before its thread does.
const WAITING: usize = 8;

/// Content of an answer.
pub enum SurfaceBody {
    /// All of it.
    Whole(Vec<u8>),
    /// Pieces, as they come. An empty one is not sent: it only ends the stream if the client has ended.
    Pieces(Box<dyn Iterator<Item = Vec<u8>> + Send>),
}

/// Answers a request, on a thread of its own. The flag is set once the client has ended.
pub type SurfaceAnswer =
    dyn Fn(&Request<Vec<u8>>, &AtomicBool) -> Response<SurfaceBody> + Send + Sync;

/// A protocol over HTTP.
pub struct HttpSurface {
    /// Whether anyone on this machine may read a path without the token.
    pub is_public: fn(&Method, &str) -> bool,
    /// Answers a request that passed the guard.
    pub answer: Box<SurfaceAnswer>,
}

/// Serves a surface until the process is asked to stop.
pub(crate) fn serve(
    ctx: base::Ctx,
    http: HttpServerOptions,
    surface: impl FnOnce(&str) -> HttpSurface,
) -> Result<(), ServeError> {
    let stop = CancellationToken::new();
    run(ctx, (stop.clone(), THREADS), async move {
        let listening = HttpServer::bind(http).await?;
        let HttpSurface { is_public, answer } = surface(&listening.base_url());
        let protocol =
            SurfaceProtocol { is_public, answer: Arc::from(answer), running: Arc::default() };
        listening.serve(protocol, stop).await;
        Ok(())
    })
}

struct SurfaceProtocol {
    is_public: fn(&Method, &str) -> bool,
    answer: Arc<SurfaceAnswer>,
    running: Arc<AtomicUsize>,
}

impl HttpProtocol for SurfaceProtocol {
    fn admit(&self, guard: &Guard, head: &Parts) -> Result<bool, Refusal> {
        guard.check_sender(&head.uri, &head.headers)?;
        if (self.is_public)(&head.method, head.uri.path()) {
            return Ok(false);
        }
        guard.check_token(&head.headers).map(|()| true)
    }

    async fn handle(&self, request: Request<Bytes>) -> HttpResponse {
        let Some(seat) = AnswerSeat::take(&self.running) else {
            return refused(StatusCode::SERVICE_UNAVAILABLE, "too many answers wait");
        };
        let end = EndedOnDrop(Arc::default());
        let (flag, answer) = (Arc::clone(&end.0), Arc::clone(&self.answer));
        let request = request.map(|body| body.to_vec());
        let answered = tokio::task::spawn_blocking(move || (answer(&request, &flag), seat)).await;
        let Ok((response, seat)) = answered else {
            return refused(StatusCode::INTERNAL_SERVER_ERROR, "the request failed by a bug");
        };
        let (parts, body) = response.into_parts();
        let body = match body {
            SurfaceBody::Whole(body) => Full::new(Bytes::from(body)).boxed(),
            SurfaceBody::Pieces(pieces) => {
                let (sender, receiver) = mpsc::channel(WAITING);
                tokio::task::spawn_blocking(move || {
                    send_all(pieces, &sender);
                    drop(seat);
                });
                Pieces(receiver).boxed()
            }
        };
        Response::from_parts(parts, body)
    }
}

/// Sends pieces until the client has ended.
fn send_all(pieces: Box<dyn Iterator<Item = Vec<u8>> + Send>, sender: &mpsc::Sender<Bytes>) {
    for piece in pieces {
        let has_ended = match piece.is_empty() {
            true => sender.is_closed(),
            false => sender.blocking_send(Bytes::from(piece)).is_err(),
        };
        if has_ended {
            return;
        }
    }
}

/// The pieces of an answer, as hyper reads them.
struct Pieces(mpsc::Receiver<Bytes>);

impl Body for Pieces {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|it| Ok(Frame::data(it))))
    }
}

/// Sets its flag when the answer is no longer waited for.
struct EndedOnDrop(Arc<AtomicBool>);

impl Drop for EndedOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// The right to make one answer, until it is dropped.
struct AnswerSeat(Arc<AtomicUsize>);

impl AnswerSeat {
    fn take(running: &Arc<AtomicUsize>) -> Option<Self> {
        let before = running.fetch_add(1, Ordering::SeqCst);
        let seat = Self(Arc::clone(running));
        (before < THREADS).then_some(seat)
    }
}

impl Drop for AnswerSeat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
