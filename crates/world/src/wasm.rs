//! [`wasm_test`]: runs the tests of `wasm-bindgen-test` in the browser, without a driver. The runner of wasm-bindgen
//! serves a page with them, in the browser's own network; the page has the results.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap};
use sandbox::{Level, Mount, Sandbox, View};
use serde_json::json;

use crate::browser::{AppCommand, Browser, BrowserProgram, Source};
use crate::{AppBuild, ServedApp, Story, WorldError};

/// Name of the runner's program.
pub const WASM_RUNNER: &str = "wasm-bindgen-test-runner";
/// The port of the runner, in a network of its own.
const PORT: u16 = 8_000;
/// Time of the runner until it serves: it reads and changes the module first.
const READY: Duration = Duration::from_secs(5 * 60);
/// Time between two looks at the page.
const LOOK: Duration = Duration::from_millis(50);
/// Most bytes of the results.
const MOST_TEXT: usize = 16 << 20;
/// The line that follows the results of all tests.
const END: &str = "test result: ";

/// Tests that are compiled to a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WasmTests<'a> {
    /// The module.
    pub module: &'a Path,
    /// Program that serves it.
    pub runner: &'a Path,
    /// Arguments of the runner, such as a part of names of tests.
    pub args: &'a [OsString],
    /// Longest time of the tests.
    pub limit: Duration,
}

/// The results of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WasmResults {
    /// The results as the page shows them.
    pub text: String,
    /// Errors of the page that are not in the results: exceptions, and those on its console.
    pub incidents: Vec<crate::Incident>,
    /// Whether all tests passed.
    pub passed: bool,
}

/// Runs tests in a page of their own.
///
/// # Errors
/// Where no browser can be started, the runner serves nothing, or the tests do not end.
pub fn wasm_test(
    ctx: &Ctx,
    sandbox: &Sandbox,
    require: Level,
    program: &BrowserProgram,
    tests: &WasmTests<'_>,
) -> Result<WasmResults, WorldError> {
    let browser = Browser::start(ctx, sandbox, require, program, Some(&command(tests)))?;
    let served = ServedApp {
        package: None,
        bin: None,
        build: AppBuild::default(),
        args: Vec::new(),
        ready: "/".to_owned(),
        port: PORT,
        limit: READY,
    };
    browser.wait_ready(ctx, &served)?;
    let mut page = browser.page(ctx, Source::App { port: PORT }, &Story::probe())?;
    let lost = |error: crate::browser::Unanswered| WorldError::Ended { reason: error.to_string() };
    page.open_path("/", READY).map_err(lost)?;
    let until = Instant::now() + tests.limit;
    let text = loop {
        let read = json!({
            "expression": "(document.getElementById('output') || {}).textContent || ''",
            "returnByValue": true,
        });
        let answer = page.call("Runtime.evaluate", read).map_err(lost)?;
        let text = answer["result"]["value"].as_str().unwrap_or_default().to_owned();
        if text.len() > MOST_TEXT {
            return Err(WorldError::TooMuch { what: "bytes of results", most: MOST_TEXT });
        }
        if text.contains(END) {
            break text;
        }
        if Instant::now() >= until {
            return Err(WorldError::NotReady { limit: tests.limit, last: base::visible(&text) });
        }
        page.wait(LOOK).map_err(lost)?;
    };
    let result = text.rsplit(END).next().unwrap_or_default();
    let passed = result.starts_with("ok.");
    // A panic of a test is on the console, too, and is in the results already.
    let mut incidents = std::mem::take(&mut page.log.incidents);
    incidents.retain(|it| !text.contains(it.text.lines().next().unwrap_or_default()));
    Ok(WasmResults { passed, incidents, text })
}

/// The runner, on a copy of the module: it writes beside it.
fn command(tests: &WasmTests<'_>) -> AppCommand {
    let mut view = View::default();
    for file in [tests.module, tests.runner] {
        let is_shown = file.starts_with("/usr") || file.starts_with("/bin");
        if !is_shown {
            view.mounts.push(Mount::ReadOnly { host: file.to_owned(), inside: file.to_owned() });
        }
    }
    let script = "mkdir -p /tmp/tests && cp \"$1\" /tmp/tests/ && module=/tmp/tests/$(basename \"$1\") && \
                  shift && exec \"$0\" \"$module\" \"$@\"";
    let mut args: Vec<OsString> =
        vec!["-c".into(), script.into(), tests.runner.into(), tests.module.into()];
    args.extend(tests.args.iter().cloned());
    let env = [
        ("PATH", "/usr/bin:/bin".to_owned()),
        ("HOME", "/tmp".to_owned()),
        ("TMPDIR", "/tmp".to_owned()),
        ("LANG", "C.UTF-8".to_owned()),
        ("NO_HEADLESS", "1".to_owned()),
        ("WASM_BINDGEN_TEST_ADDRESS", format!("127.0.0.1:{PORT}")),
    ];
    let env: SortedMap<OsString, OsString> =
        env.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    AppCommand { program: "/bin/sh".into(), args, cwd: "/tmp".into(), env, view }
}
