//! [`UntilEnd`]: standard input that reports its end, at which the calls of the client are cancelled.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// A stream, and the token that is cancelled at its end.
pub(super) struct UntilEnd<R> {
    pub(super) inner: R,
    pub(super) ended: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilEnd<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let (before, left) = (buf.filled().len(), buf.remaining());
        let polled = Pin::new(&mut self.inner).poll_read(cx, buf);
        let is_end = match &polled {
            Poll::Ready(Ok(())) => left > 0 && buf.filled().len() == before,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if is_end {
            self.ended.cancel();
        }
        polled
    }
}
