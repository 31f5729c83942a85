//! Cancellation: within a second, whatever the server does, and the connection is closed.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use graftage_model::language::{LanguageModel, Retried, RetryPolicy, TurnError};

use super::server::{Reply, serve};
use super::{BOTH, request};

/// The time from the cancellation to the return of a turn, which must be an error.
fn time_to_return(model: Box<dyn LanguageModel>) -> Duration {
    let host = testkit::TestHost::new();
    let (ctx, (sender, returned)) = (host.ctx(), channel());
    std::thread::spawn(move || {
        let outcome = model.turn(&ctx, &request(), &mut |_| {});
        let _ = sender.send((outcome, Instant::now()));
    });
    std::thread::sleep(Duration::from_millis(300));
    let cancelled = Instant::now();
    host.cancel();
    let (outcome, at) = returned.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!(outcome, Err(TurnError::Cancelled));
    at - cancelled
}

#[test]
fn a_turn_returns_within_a_second_while_the_server_is_silent_or_slow() {
    for format in BOTH {
        let start = format.text_start("x", 5);
        for reply in [
            Reply::Silence,
            Reply::Drip(start.clone(), "", Duration::from_millis(50)),
            Reply::Drip(start, ": ping\n\n", Duration::from_millis(1)),
        ] {
            let (url, asked) = serve(vec![reply]);
            let took = time_to_return(format.client(&url));
            assert!(took < Duration::from_secs(1), "{took:?}");
            // The connection is closed, so that the provider can stop.
            let closed = asked.recv().unwrap().closed.recv_timeout(Duration::from_secs(5));
            assert!(closed.is_ok());
        }
    }
}

#[test]
fn a_turn_returns_within_a_second_between_retries() {
    for format in BOTH {
        let wait = Reply::Status(429, "retry-after: 30\r\n", Vec::new());
        let (url, _asked) = serve(vec![wait]);
        let model = Retried::new(format.client(&url), RetryPolicy::default());
        let took = time_to_return(Box::new(model));
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
}

#[test]
fn a_turn_returns_within_a_second_while_it_connects() {
    // An address that is reserved for documentation: no answer to the connection. Where the network
    // is unreachable, the turn fails at once, and there is nothing to cancel.
    let url = "http://192.0.2.1:9";
    let options = graftage_model::language::ProviderOptions {
        socket: None,
        url: url.to_owned(),
        model: "m".to_owned(),
        key: None,
        limits: graftage_model::language::TurnLimits::for_address(url),
    };
    let model = graftage_model::language::OpenAi::new(options).unwrap();
    let host = testkit::TestHost::new();
    let (ctx, (sender, returned)) = (host.ctx(), channel());
    std::thread::spawn(move || {
        let _ = sender.send(model.turn(&ctx, &request(), &mut |_| {}));
    });
    if let Ok(outcome) = returned.recv_timeout(Duration::from_millis(300)) {
        assert!(matches!(outcome, Err(TurnError::Unreachable { .. })), "{outcome:?}");
        return;
    }
    let cancelled = Instant::now();
    host.cancel();
    let outcome = returned.recv_timeout(Duration::from_secs(20)).unwrap();
    assert!(cancelled.elapsed() < Duration::from_secs(1));
    assert_eq!(outcome, Err(TurnError::Cancelled));
}
