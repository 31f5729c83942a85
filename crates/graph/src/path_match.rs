//! Comparison of a path that a user typed with the canonical path of an item, segment by segment.

/// How the end of a path matches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Match {
    None,
    /// Equal to the type or trait of `<Type as Trait>`.
    TypeOrTrait,
    /// Equal to the type of `<Type>`.
    InherentType,
    Whole,
}

/// The query without the `r#` of raw identifiers, which no path of the map has.
pub(crate) fn without_raw(query: &str) -> String {
    let mut text = String::with_capacity(query.len());
    for (at, part) in query.split("r#").enumerate() {
        let is_inside = text.chars().next_back().is_some_and(base::is_word);
        if at > 0 && is_inside {
            text.push_str("r#");
        }
        text.push_str(part);
    }
    text
}

/// The segments of a path; `::` inside brackets does not separate.
pub(crate) fn segments(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    let mut before = 0;
    for (at, byte) in path.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            // The `>` of `->` closes no bracket.
            b'>' if before == b'-' => {}
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b':' if before == b':' && depth == 0 && at > start => {
                parts.push(&path[start..at - 1]);
                start = at + 1;
            }
            _ => {}
        }
        before = byte;
    }
    parts.push(&path[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// `tokio`, `tokio/tokio` or `crate` for the crate `tokio/tokio`.
pub(crate) fn is_crate(wanted: &str, krate: &str) -> bool {
    let target = krate.rsplit('/').next().unwrap_or(krate);
    wanted == "crate" || wanted == krate || wanted == target || wanted == target.replace('-', "_")
}

/// How the end of `parts` matches `wanted`.
pub(crate) fn ends_with(parts: &[&str], wanted: &[&str]) -> Match {
    let Some(skipped) = parts.len().checked_sub(wanted.len()) else { return Match::None };
    let mut all = Match::Whole;
    for (n, (part, wanted)) in parts[skipped..].iter().zip(wanted).enumerate() {
        let of_crate = skipped == 0 && n == 0 && is_crate(wanted, part);
        let is_last = n + 1 == parts.len() - skipped;
        match if of_crate { Match::Whole } else { matches(part, wanted) } {
            // A member of `<Type>` is an inherent one; `<Type>` itself is an impl, not the type.
            Match::InherentType if is_last => all = Match::TypeOrTrait,
            Match::InherentType => {}
            Match::None => return Match::None,
            Match::TypeOrTrait => all = Match::TypeOrTrait,
            Match::Whole => {}
        }
    }
    all
}

/// Whether `wanted` names the segment: as a whole, or as the type or trait of `<Type as Trait>`.
fn matches(part: &str, wanted: &str) -> Match {
    if part == wanted {
        return Match::Whole;
    }
    let Some(inner) = part.strip_prefix('<').and_then(|part| part.strip_suffix('>')) else {
        return Match::None;
    };
    let names = |text: &str| text == wanted || bare(text) == wanted;
    // The outermost ` as `, not one of an inner `<A as B>`.
    let mut depth = 0usize;
    for (at, ch) in inner.char_indices() {
        match ch {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && inner[at..].starts_with(" as ") => {
                let is_named = names(&inner[..at]) || names(&inner[at + 4..]);
                return if is_named { Match::TypeOrTrait } else { Match::None };
            }
            _ => {}
        }
    }
    if names(inner) { Match::InherentType } else { Match::None }
}

/// The last segment of a type's path, without arguments and references: `io::Reader<R>` gives
/// `Reader`.
fn bare(text: &str) -> &str {
    let text = text.trim_start_matches(['&', '*', ' ']);
    let text = text.strip_prefix("mut ").unwrap_or(text);
    let text = text.split('<').next().unwrap_or(text);
    text.rsplit("::").next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_inside_brackets_part_nothing() {
        assert_eq!(segments("a/b::m::<x::T as y::Tr>::f"), ["a/b", "m", "<x::T as y::Tr>", "f"]);
        assert_eq!(segments("<F: Fn(u8) -> a::B>::c"), ["<F: Fn(u8) -> a::B>", "c"]);
        assert_eq!(segments("::std::io"), ["std", "io"]);
    }

    #[test]
    fn a_type_is_named_without_its_arguments() {
        assert!(matches("<io::Reader<R> as Read>", "Reader") == Match::TypeOrTrait);
        assert!(matches("<&mut Reader<R> as Read>", "Read") == Match::TypeOrTrait);
        assert!(matches("<Reader<R>>", "Reader") == Match::InherentType);
        assert!(matches("Reader", "Read") == Match::None);
    }

    #[test]
    fn raw_identifiers_lose_their_mark() {
        assert_eq!(without_raw("r#type::r#match"), "type::match");
        assert_eq!(without_raw("bar#x"), "bar#x");
    }
}
