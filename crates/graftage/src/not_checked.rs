//! The line with the parts of a project that were not checked.

use policy::ProofCoverage;

use crate::output::{self, DIM, paint};

/// First words of parts, in the order of the line, with the plural. Targets are last: what they lack shows
/// when they are built next, and what a feature hides does not.
const KINDS: [(&str, &str); 9] = [
    ("package", "packages"),
    ("feature", "features"),
    ("cfg", "conditions"),
    ("code", "code"),
    ("bin", "binaries"),
    ("test", "tests"),
    ("example", "examples"),
    ("bench", "benches"),
    ("", "others"),
];

/// Maximum number of names of a kind.
const LISTED: usize = 4;

/// The parts of the project that were not checked, one line; each of them with `verbose`.
pub(crate) fn not_checked(coverage: &ProofCoverage, verbose: bool) -> String {
    let parts = &coverage.not_looked_at;
    if parts.is_empty() {
        return String::new();
    }
    let names = if verbose { parts.clone() } else { by_kind(parts) };
    let more = if verbose || names == *parts { "" } else { " (`--verbose` lists each)" };
    let text = format!("not checked: {}{more}", names.join("; "));
    format!("{}\n", paint(DIM, &output::safe(&text)))
}

/// One entry for each kind: names where they are few or features, else their number.
fn by_kind(parts: &[String]) -> Vec<String> {
    let kind = |part: &str| {
        let word = part.split([' ', '(']).next().unwrap_or_default();
        KINDS.iter().position(|it| it.0 == word).unwrap_or(KINDS.len() - 1)
    };
    let mut entries = Vec::new();
    for (at, (word, plural)) in KINDS.iter().enumerate() {
        let of_kind: Vec<&String> = parts.iter().filter(|it| kind(it) == at).collect();
        match of_kind.as_slice() {
            few @ ([] | [_] | [_, _]) => entries.extend(few.iter().map(|it| (*it).clone())),
            all if word.is_empty() => entries.extend(all.iter().map(|it| (*it).clone())),
            all if matches!(*word, "feature" | "package" | "cfg") => {
                let names = all.iter().take(LISTED).map(|it| name(it));
                let names: Vec<&str> = names.collect();
                let more = match all.len() - names.len() {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                entries.push(format!("{plural} {}{more}", names.join(", ")));
            }
            all => entries.push(format!("{} {plural}", all.len())),
        }
    }
    entries
}

/// The part of an entry that distinguishes it from others of its kind: a name in backticks, or a condition.
fn name(part: &str) -> &str {
    let quoted = part.split_inclusive('`').take(2).map(str::len).sum::<usize>();
    match part.find('`') {
        Some(start) if quoted > start => &part[start..quoted],
        _ => part.split(": ").next().unwrap_or(part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_grouped_with_features_before_targets() {
        let parts = "code of tests (`cfg(test)`)|test `a` of `k`|test `b` of `k`|test `c` of `k`|\
                     bench `x` of `k`|feature `p` of `k`|feature `q` of `k`|feature `r` of `k`|\
                     feature `s` of `k`|feature `t` of `k`|cfg(windows): src/win.rs:1|12 more";
        let parts: Vec<String> = parts.split('|').map(str::to_owned).collect();
        assert_eq!(
            by_kind(&parts).join("; "),
            "features `p`, `q`, `r`, `s` and 1 more; cfg(windows): src/win.rs:1; \
             code of tests (`cfg(test)`); 3 tests; bench `x` of `k`; 12 more"
        );
        let conditions = ["cfg(a): x:1", "cfg(b): y:1", "cfg(c): z:1"].map(str::to_owned);
        assert_eq!(by_kind(&conditions), ["conditions cfg(a), cfg(b), cfg(c)"]);
    }
}
