//! Attributes as text: which make a function a test, which `cfg` they contain, which file a module
//! has.

/// Whether the attribute (as written, `#[…]`) makes a function a test: its path ends in a name
/// that test harnesses use.
pub(crate) fn is_test_like(attribute: &str) -> bool {
    let inner = inner(attribute);
    let path = inner.split(['(', '=']).next().unwrap_or(inner).trim();
    let last = path.rsplit("::").next().unwrap_or(path).trim();
    matches!(
        last,
        "test"
            | "bench"
            | "rstest"
            | "test_case"
            | "quickcheck"
            | "proptest"
            | "test_log"
            | "wasm_bindgen_test"
            | "tokio_test"
            | "parameterized"
    )
}

/// Whether the attribute is a `cfg` that is false in every build without `test`.
pub(crate) fn needs_cfg_test(attribute: &str) -> bool {
    let inner = inner(attribute);
    let Some(rest) = inner.strip_prefix("cfg") else { return false };
    let Some(predicate) = rest.trim_start().strip_prefix('(') else { return false };
    let predicate = predicate.trim_end().strip_suffix(')').unwrap_or(predicate);
    without_test(predicate) == Truth::No
}

/// The predicate of the `cfg` attributes among these, in one spelling; several are joined by
/// `all(…)`.
pub(crate) fn cfg_predicate(attributes: &[String]) -> Option<String> {
    let predicates: Vec<String> = attributes.iter().filter_map(|it| own_predicate(it)).collect();
    match predicates.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        several => Some(format!("all({})", several.join(", "))),
    }
}

fn own_predicate(attribute: &str) -> Option<String> {
    let rest = inner(attribute).strip_prefix("cfg")?.trim_start().strip_prefix('(')?;
    Some(spelled(rest.trim_end().strip_suffix(')').unwrap_or(rest)))
}

/// A cfg predicate in one spelling: white space only behind commas and around `=`, no comma
/// before `)`, no comments.
fn spelled(predicate: &str) -> String {
    let mut out = String::with_capacity(predicate.len());
    let mut chars = predicate.chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            '/' if chars.peek() == Some(&'/') => {
                for ch in chars.by_ref() {
                    if ch == '\n' {
                        break;
                    }
                }
            }
            '/' if chars.peek() == Some(&'*') => {
                let mut before = ' ';
                for ch in chars.by_ref().skip(1) {
                    if before == '*' && ch == '/' {
                        break;
                    }
                    before = ch;
                }
            }
            '"' => {
                out.push('"');
                let mut is_escaped = false;
                for ch in chars.by_ref() {
                    out.push(ch);
                    if ch == '"' && !is_escaped {
                        break;
                    }
                    is_escaped = ch == '\\' && !is_escaped;
                }
            }
            ',' => out.push_str(", "),
            '=' => out.push_str(" = "),
            ')' => {
                out.truncate(out.trim_end_matches([',', ' ']).len());
                out.push(')');
            }
            ch if ch.is_whitespace() => {}
            ch => out.push(ch),
        }
    }
    out.truncate(out.trim_end_matches([',', ' ']).len());
    out
}

/// The word of an attribute: `macro_use` of `#[macro_use(a)]`.
pub(crate) fn word(attribute: &str) -> &str {
    let inner = inner(attribute);
    inner.split(['(', '=', '[', '{']).next().unwrap_or(inner).trim()
}

/// The file of `#[path = "…"]`.
pub(crate) fn path_value(attribute: &str) -> Option<&str> {
    let value = inner(attribute).strip_prefix("path")?.trim_start().strip_prefix('=')?.trim();
    let value = value.strip_prefix('r').unwrap_or(value).trim_matches('#');
    value.strip_prefix('"')?.strip_suffix('"')
}

fn inner(attribute: &str) -> &str {
    let text = attribute.trim().trim_start_matches('#').trim_start();
    let text = text.strip_prefix('!').unwrap_or(text).trim_start();
    let text = text.strip_prefix('[').unwrap_or(text);
    text.strip_suffix(']').unwrap_or(text).trim()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Yes,
    No,
    Unknown,
}

enum Group {
    All,
    Any,
    Not,
}

/// What a cfg predicate is worth where `test` is off and all else is open. An explicit stack, so
/// that a hostile nesting cannot overflow ours.
fn without_test(predicate: &str) -> Truth {
    let mut stack: Vec<(Group, Vec<Truth>)> = vec![(Group::All, Vec::new())];
    let mut word = String::new();
    let mut in_string = false;
    for ch in predicate.chars().chain(std::iter::once(',')) {
        if in_string {
            in_string = ch != '"';
            continue;
        }
        match ch {
            '"' => {
                in_string = true;
                word.push(ch);
            }
            '(' => {
                let group = match word.trim() {
                    "all" => Group::All,
                    "not" => Group::Not,
                    _ => Group::Any,
                };
                stack.push((group, Vec::new()));
                word.clear();
            }
            ',' | ')' => {
                if let Some((_, truths)) = stack.last_mut() {
                    match word.trim() {
                        "" => {}
                        "test" | "false" => truths.push(Truth::No),
                        "true" => truths.push(Truth::Yes),
                        _ => truths.push(Truth::Unknown),
                    }
                }
                word.clear();
                if ch == ')' && stack.len() > 1 {
                    let truth = stack.pop().map_or(Truth::Unknown, close);
                    if let Some((_, truths)) = stack.last_mut() {
                        truths.push(truth);
                    }
                }
            }
            ch => word.push(ch),
        }
    }
    stack.into_iter().next().map_or(Truth::Unknown, close)
}

fn close((group, truths): (Group, Vec<Truth>)) -> Truth {
    let has = |truth| truths.contains(&truth);
    match group {
        Group::All if has(Truth::No) => Truth::No,
        Group::Any if has(Truth::Yes) => Truth::Yes,
        Group::All | Group::Any if has(Truth::Unknown) => Truth::Unknown,
        Group::All => Truth::Yes,
        Group::Any => Truth::No,
        Group::Not => match truths.first() {
            Some(Truth::Yes) => Truth::No,
            Some(Truth::No) => Truth::Yes,
            _ => Truth::Unknown,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_that_needs_cfg_test_counts_as_test_code() {
        for (attribute, want) in [
            ("#[cfg(test)]", true),
            ("#[cfg( all(test, feature = \"x\") )]", true),
            ("#![cfg(test)]", true),
            ("#[cfg(any(test, feature = \"x\"))]", false),
            ("#[cfg(any(test, all(test, unix)))]", true),
            ("#[cfg(not(test))]", false),
            ("#[cfg(not(not(test)))]", true),
            ("#[cfg(feature = \"test\")]", false),
            ("#[cfg_attr(test, derive(Debug))]", false),
            ("#[cfg]", false),
            ("#[cfg(]", false),
        ] {
            assert_eq!(needs_cfg_test(attribute), want, "{attribute}");
        }
    }

    #[test]
    fn test_attributes_of_harnesses_are_known_by_their_last_word() {
        for (attribute, want) in [
            ("#[test]", true),
            ("#[tokio::test(flavor = \"multi_thread\")]", true),
            ("#[test_case(1 => 2)]", true),
            ("#[derive(test)]", false),
            ("#[doc = \"test\"]", false),
        ] {
            assert_eq!(is_test_like(attribute), want, "{attribute}");
        }
    }
}
