//! [`run`]: the runtime of a server.

use std::time::Duration;

use base::Ctx;
use tokio_util::sync::CancellationToken;

use crate::ServeError;

/// Time between two looks at the request to stop.
const LOOK: Duration = Duration::from_millis(100);
/// Time that calls have to end after their cancellation.
const END: Duration = Duration::from_millis(300);

/// Runs a server on a runtime of its own, until it ends or the process is asked to stop.
pub(crate) fn run(
    ctx: Ctx,
    (stop, threads): (CancellationToken, usize),
    serving: impl Future<Output = Result<(), ServeError>>,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // Beside the calls, the runtime itself reads and writes streams that are no pipes.
        .max_blocking_threads(threads + 4)
        .enable_all()
        .build()
        .map_err(ServeError::Runtime)?;
    let result = runtime.block_on(async {
        let asked = async {
            while !ctx.is_cancelled() {
                tokio::time::sleep(LOOK).await;
            }
        };
        let mut serving = std::pin::pin!(serving);
        let result = tokio::select! {
            result = serving.as_mut() => result,
            () = asked => {
                stop.cancel();
                serving.await
            }
        };
        stop.cancel();
        result
    });
    // Calls look at their flag; what does not end in time ends with the process, and its children too.
    runtime.shutdown_timeout(END);
    result
}
