//! The line with the parts of a project that were not checked.

use policy::{ProofCoverage, UncheckedKind, UncheckedPart};

use crate::output::{self, DIM, paint};

/// Kinds of parts, in the order of the line, with the plural. Targets are last: what they lack shows when
/// they are built next, and what a feature hides does not.
const KINDS: [(UncheckedKind, &str); 9] = [
    (UncheckedKind::Package, "packages"),
    (UncheckedKind::Feature, "features"),
    (UncheckedKind::Condition, "conditions"),
    (UncheckedKind::TestCode, "code"),
    (UncheckedKind::Binary, "binaries"),
    (UncheckedKind::Test, "tests"),
    (UncheckedKind::Example, "examples"),
    (UncheckedKind::Bench, "benches"),
    (UncheckedKind::Other, "others"),
];

/// Maximum number of names of a kind.
const LISTED: usize = 4;

/// The parts of the project that were not checked, one line; each of them with `verbose`.
pub(crate) fn not_checked(coverage: &ProofCoverage, verbose: bool) -> String {
    let parts = &coverage.not_looked_at;
    if parts.is_empty() {
        return String::new();
    }
    let each: Vec<String> = parts.iter().map(|it| it.text.clone()).collect();
    let names = if verbose { each.clone() } else { by_kind(parts) };
    let more = if verbose || names == each { "" } else { " (`--verbose` lists each)" };
    let text = format!("not checked: {}{more}", names.join("; "));
    format!("{}\n", paint(DIM, &output::safe(&text)))
}

/// One entry for each kind: names where they are few or features, else their number.
fn by_kind(parts: &[UncheckedPart]) -> Vec<String> {
    let mut entries = Vec::new();
    for (kind, plural) in KINDS {
        let of_kind: Vec<&UncheckedPart> = parts.iter().filter(|it| it.kind == kind).collect();
        match of_kind.as_slice() {
            few @ ([] | [_] | [_, _]) => entries.extend(few.iter().map(|it| it.text.clone())),
            all if kind == UncheckedKind::Other => {
                entries.extend(all.iter().map(|it| it.text.clone()))
            }
            all if matches!(
                kind,
                UncheckedKind::Feature | UncheckedKind::Package | UncheckedKind::Condition
            ) =>
            {
                let names = all.iter().take(LISTED).map(|it| it.name.as_str());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_grouped_with_features_before_targets() {
        let parts = "code of tests (`cfg(test)`)|test `a` of `k`|test `b` of `k`|test `c` of `k`|\
                     bench `x` of `k`|feature `p` of `k`|feature `q` of `k`|feature `r` of `k`|\
                     feature `s` of `k`|feature `t` of `k`|cfg(windows): src/win.rs:1|12 more";
        let parts = parts.split('|').map(|it| UncheckedPart::from(it.to_owned()));
        let parts: Vec<UncheckedPart> = parts.collect();
        assert_eq!(
            by_kind(&parts).join("; "),
            "features `p`, `q`, `r`, `s` and 1 more; cfg(windows): src/win.rs:1; \
             code of tests (`cfg(test)`); 3 tests; bench `x` of `k`; 12 more"
        );
        let conditions = ["cfg(a): x:1", "cfg(b): y:1", "cfg(c): z:1"];
        let conditions = conditions.map(|it| UncheckedPart::from(it.to_owned()));
        assert_eq!(by_kind(&conditions), ["conditions cfg(a), cfg(b), cfg(c)"]);
    }
}
