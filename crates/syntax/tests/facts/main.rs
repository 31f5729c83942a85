//! Text in, facts out.
#![expect(clippy::unwrap_used, reason = "a test may")]

mod bodies;
mod declarations;
mod laws;
mod macros;
mod printer;
mod signatures;

use expect_test::Expect;
use graftage_syntax::read;

/// Compares what is read with what is expected.
fn check(text: &str, expect: Expect) {
    expect.assert_eq(&printer::print(&read(text)));
}
