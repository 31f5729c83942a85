//! Pages that attack the world: each limit holds and is named.

use expect_test::expect;

use crate::{check, report};

#[test]
fn hostile_pages_end_in_a_verdict() {
    check(
        r##"
[[story]]
name = "an endless loop at the start"
timeout_ms = 1000
html = "<title>x</title><script>for (;;) {}</script>"
play = [ { expect = { css = "p" }, count = 0 } ]

[[story]]
name = "an endless loop in a handler"
timeout_ms = 1000
html = "<title>x</title><button onclick='for (;;) {}'>Go</button>"
play = [ { click = { role = "button" } }, { expect = { css = "p" }, count = 0 } ]

[[story]]
name = "dialogs without end"
timeout_ms = 1000
html = "<title>x</title><button onclick='for (;;) alert(1)'>Go</button>"
play = [ { click = { role = "button" } }, { expect = { css = "p" }, count = 0 } ]

[[story]]
name = "windows"
html = "<title>x</title><button onclick=\"window.open('http://example.com/')\">Go</button>"
play = [ { click = { role = "button" } }, { expect = { css = "p" }, count = 0 } ]

[[story]]
name = "a link to another window"
html = "<title>x</title><a href='/other' target=_blank>Go</a>"
play = [ { click = { role = "link" } }, { expect = { css = "p" }, count = 0 } ]

[[story]]
name = "navigation away"
timeout_ms = 1000
html = "<title>x</title><button onclick=\"location = 'http://example.com/'\">Go</button>"
play = [ { click = { role = "button" } }, { expect = { role = "button" }, count = 0 } ]

[[story]]
name = "navigation to a file"
timeout_ms = 1000
html = "<title>x</title><button onclick=\"location = 'file:///etc/passwd'\">Go</button>"
play = [ { click = { role = "button" } }, { expect = { role = "button" }, count = 0 } ]

[[story]]
name = "requests to other addresses"
html = '''
<title>x</title><img src="http://example.com/x.png"><script src="//example.com/x.js"></script>
<iframe src="http://example.com/"></iframe><link rel=stylesheet href="http://10.0.0.1/x.css">
<script>fetch('http://127.0.0.1:22/'); navigator.sendBeacon('http://example.com/b', 'x');
new WebSocket('ws://example.com/'); new EventSource('http://example.com/e')</script>
'''
play = [ { expect = { css = "p" }, count = 0 } ]

[[story]]
name = "a download"
html = "<title>x</title><a download=x href='data:text/plain,x'>Go</a>"
play = [ { click = { role = "link" } }, { expect = { css = "p" }, count = 0 } ]

[[story]]
name = "functions that the page replaced"
html = '''
<title>x</title><p hidden>Hidden</p><script>
Element.prototype.checkVisibility = () => true;
Element.prototype.getBoundingClientRect = () => ({ width: 9, height: 9 });
Document.prototype.querySelectorAll = () => [];
</script>
'''
play = [ { expect = { css = "p" }, visible = false }, { expect = { css = "p" }, count = 1 } ]
timeout_ms = 300
"##,
        &expect![[r#"
            no an endless loop at the start: 2: open /: the page did not load: not within 5000 ms []
            no an endless loop in a handler: 12: click button: the page does not answer within 5000 ms: does its code end? []
            no dialogs without end: 18: click button: the page does not answer within 5000 ms: does its code end? []
            no windows: 20: the whole story: window: http://example.com/ []
            no a link to another window: 25: the whole story: window: http://story.localhost/other []
            no navigation away: 30: the whole story: outside: http://example.com/ []
            no navigation to a file: 40: expect button: 1 elements are button, not 0 []
            no requests to other addresses: 42: the whole story: exception: TypeError: Failed to fetch []
            no a download: 52: the whole story: download: data:text/plain,x []
            ok functions that the page replaced
        "#]],
    );
}

#[test]
fn a_flood_of_messages_is_bounded() {
    let text = r##"
[[story]]
name = "a flood of messages"
timeout_ms = 3000
html = "<title>x</title><script>for (let n = 0; n < 30000; n++) console.log('x'.repeat(500), n)</script>"
play = [ { expect = { css = "p" }, count = 0 } ]
"##;
    let Some(report) = report(&std::env::temp_dir(), text) else { return };
    let story = &report.stories[0];
    assert!(!story.passed && !story.score.gates, "{story:#?}");
    assert_eq!(story.incidents[0].text, "more than 2000 messages of one kind");
}

#[test]
fn a_page_that_ends_the_browser_fails_alone() {
    let text = r##"
[[story]]
name = "memory without end"
timeout_ms = 30000
html = "<title>x</title><script>const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1))</script>"
play = [ { expect = { css = "p" }, count = 0 } ]

[[story]]
name = "the next one"
timeout_ms = 30000
html = "<title>x</title><p>Fine</p>"
play = [ { expect = { css = "p" }, text = "Fine" } ]
"##;
    let Some(report) = report(&std::env::temp_dir(), text) else { return };
    let passed: Vec<bool> = report.stories.iter().map(|it| it.passed).collect();
    assert_eq!(passed, [false, true], "{report:#?}");
}

#[test]
fn a_huge_page_is_refused_by_name() {
    let text = r##"
[[story]]
name = "elements without end"
timeout_ms = 10000
html = "<title>x</title><script>document.write('<i>x</i>'.repeat(60000))</script>"
play = [ { expect = { role = "button" }, count = 0 } ]
"##;
    let Some(report) = report(&std::env::temp_dir(), text) else { return };
    let reason = &report.stories[0].failure.as_ref().unwrap().reason;
    // A busy machine does not come so far.
    let is_named = ["the page sends more than", "the page does not answer within"];
    assert!(is_named.iter().any(|it| reason.starts_with(it)), "{reason}");
}
