//! What failing assertions print.

/// The two sides of an assertion, as their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// `left: …`.
    pub left: String,
    /// `right: …`.
    pub right: String,
}

/// Longest side that is read, in bytes.
const SIDE: usize = 2_000;
/// Maximum number of expectations.
const MOST: usize = 8;

/// The expectations in the output of a failed test, quotes of texts removed.
pub fn expectations(output: &str) -> Vec<Expectation> {
    let side = |line: &str, name: &str| {
        let value = line.trim_start().strip_prefix(name)?.strip_prefix(": ")?.trim_end();
        let value = value.strip_suffix(',').unwrap_or(value);
        (value.len() <= SIDE).then(|| unquoted(value))
    };
    let mut found = Vec::new();
    let mut left = None;
    for line in output.lines() {
        if let Some(value) = side(line, "left") {
            left = Some(value);
        } else if let Some(right) = side(line, "right")
            && let Some(left) = left.take()
            && found.len() < MOST
        {
            found.push(Expectation { left, right });
        }
    }
    found
}

/// `"a"`, `Some("a")` or `` `1` `` without what is around the value.
fn unquoted(value: &str) -> String {
    let mut value = value.trim_matches('`');
    for wrapper in ["Ok(", "Some(", "Err("] {
        if let Some(inner) = value.strip_prefix(wrapper).and_then(|it| it.strip_suffix(')')) {
            value = inner;
        }
    }
    let plain = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    plain.unwrap_or(value).to_owned()
}
