//! Features that a `cfg` asks for.

use base::SortedSet;

/// The features that a predicate needs and that are not enabled. An alternative that needs none is
/// taken to hold, such as a platform; what is negated needs nothing.
pub(crate) fn missing_features(predicate: &str, enabled: &SortedSet<String>) -> Vec<String> {
    let predicate = predicate.trim();
    if let Some(inner) = group(predicate, "all") {
        let mut found: Vec<String> = Vec::new();
        for it in parts(inner).into_iter().flat_map(|it| missing_features(it, enabled)) {
            if !found.contains(&it) {
                found.push(it);
            }
        }
        return found;
    }
    if let Some(inner) = group(predicate, "any") {
        let mut all = parts(inner).into_iter().map(|it| missing_features(it, enabled));
        let first = all.next().unwrap_or_default();
        return all.fold(first, |best, it| if it.len() < best.len() { it } else { best });
    }
    let value = predicate.strip_prefix("feature").and_then(|it| it.trim_start().strip_prefix('='));
    let name = value.map(|it| it.trim().trim_matches('"')).filter(|it| !enabled.contains(*it));
    name.map(str::to_owned).into_iter().collect()
}

/// What is between the parentheses of `name(…)`.
fn group<'a>(predicate: &'a str, name: &str) -> Option<&'a str> {
    let rest = predicate.strip_prefix(name)?.trim_start();
    rest.strip_prefix('(')?.trim_end().strip_suffix(')')
}

/// The parts of a list, which are predicates.
fn parts(list: &str) -> Vec<&str> {
    let (mut depth, mut from) = (0_usize, 0);
    let mut found = Vec::new();
    for (at, it) in list.char_indices() {
        match it {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(&list[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&list[from..]);
    found.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predicate_needs_the_features_of_its_cheapest_alternative() {
        let enabled = SortedSet::from(["on".to_owned()]);
        let of = |it: &str| missing_features(it, &enabled).join(" ");
        assert_eq!(of("feature = \"a\""), "a");
        assert_eq!(of("feature = \"on\""), "");
        assert_eq!(of("all(any(unix, feature = \"b\"), feature = \"a\")"), "a");
        assert_eq!(of("any(all(feature = \"a\", feature = \"b\"), feature = \"c\")"), "c");
        assert_eq!(of("any(feature = \"a\", feature = \"on\")"), "");
        assert_eq!(of("not(feature = \"a\")"), "");
    }
}
