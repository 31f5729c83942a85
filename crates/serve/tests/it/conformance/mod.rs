//! The conformance suite of the protocol, all its server scenarios, against a server that does
//! what the suite prescribes and is reached through our HTTP server and its guard.

mod fixture;

use graftage_serve::{HttpLimits, HttpServer, HttpServerOptions};
use tokio_util::sync::CancellationToken;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_server_scenarios_pass() {
    let Some(clients) = testkit::mcp_clients() else { return };
    let address = "127.0.0.1:0".parse().unwrap();
    let options = HttpServerOptions { address, token: None, limits: HttpLimits::default() };
    let server = HttpServer::bind(options).await.unwrap();
    let (url, stop) = (server.url(), CancellationToken::new());
    let running = tokio::spawn(server.run(|| fixture::Fixture, stop.clone()));

    let suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
    let list = clients.node().args([suite, "list", "--server"]).output().unwrap();
    let list = String::from_utf8_lossy(&list.stdout);
    let scenarios = list.lines().filter(|line| line.trim_start().starts_with("- ")).count();
    assert!(scenarios >= 32, "{list}");

    let results = tempfile::tempdir().unwrap();
    let mut suite_run = clients.node();
    suite_run.args([suite, "server", "--suite", "all", "--url", &url, "--output-dir"]);
    suite_run.arg(results.path());
    let output = tokio::task::spawn_blocking(move || suite_run.output()).await.unwrap().unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(report.contains("0 failed"), "{report}");
    let passed = report.lines().filter(|line| line.starts_with('✓')).count();
    assert_eq!(passed, scenarios, "{report}");
    stop.cancel();
    running.await.unwrap();
}
