//! From the counters of one run to the lines that it executed.

use std::sync::Arc;

use super::mapping::{CodeRegion, CoverageMap, CoveredFunction};
use super::profile::Counters;
use base::{SortedMap, SortedSet};

/// Maximum depth of the expressions of counters.
const DEPTH: u32 = 2_000;
/// Maximum number of lines of one region that are looked at.
const REGION_LINES: u32 = 200_000;

/// The lines that a run executed, by file as the compiler was given it.
pub(super) fn executed(
    map: &CoverageMap,
    counters: &Counters,
) -> SortedMap<Arc<str>, SortedSet<u32>> {
    let mut found: SortedMap<Arc<str>, SortedSet<u32>> = SortedMap::new();
    for function in &map.functions {
        let Some(values) = counters.get(&function.key) else { continue };
        for (file, line) in lines_of(function, values) {
            match found.get_mut(&file) {
                Some(lines) => {
                    lines.insert(line);
                }
                None => {
                    found.insert(file, SortedSet::from([line]));
                }
            }
        }
    }
    found
}

/// The executed lines of one function: of a line that several regions cover, the innermost region
/// decides, and any region that begins or ends on it.
fn lines_of(function: &CoveredFunction, values: &[u64]) -> Vec<(Arc<str>, u32)> {
    let mut known = SortedMap::new();
    let mut regions: Vec<(&CodeRegion, bool)> = function
        .regions
        .iter()
        .map(|it| (it, value(it.counter, function, values, &mut known, DEPTH) > 0))
        .collect();
    if !regions.iter().any(|(_, is_executed)| *is_executed) {
        return Vec::new();
    }
    // The outer ones first.
    regions.sort_by_key(|(it, _)| (it.first_line, std::cmp::Reverse(it.last_line)));
    let mut lines: SortedMap<(Arc<str>, u32), bool> = SortedMap::new();
    for (region, is_executed) in regions {
        let last = region.last_line.min(region.first_line.saturating_add(REGION_LINES));
        for line in region.first_line..=last {
            let is_edge = line == region.first_line || line == region.last_line;
            let known = lines.entry((Arc::clone(&region.file), line)).or_insert(is_executed);
            *known = if is_edge { *known || is_executed } else { is_executed };
        }
    }
    lines.into_iter().filter(|(_, is_executed)| *is_executed).map(|(it, _)| it).collect()
}

/// The value of a counter: 0, a number of the profile, or a difference or sum of two counters.
fn value(
    counter: u64,
    of: &CoveredFunction,
    values: &[u64],
    known: &mut SortedMap<u64, i128>,
    depth: u32,
) -> i128 {
    let nth = usize::try_from(counter >> 2).unwrap_or(usize::MAX);
    match counter & 3 {
        0 => 0,
        1 => values.get(nth).map_or(0, |it| i128::from(*it)),
        kind => {
            if let Some(value) = known.get(&counter) {
                return *value;
            }
            let (Some((left, right)), Some(depth)) =
                (of.expressions.get(nth).copied(), depth.checked_sub(1))
            else {
                return 0;
            };
            // A cycle, which only a damaged map has, finds this.
            known.insert(counter, 0);
            let left = value(left, of, values, known, depth);
            let right = value(right, of, values, known, depth);
            let value =
                if kind == 2 { left.saturating_sub(right) } else { left.saturating_add(right) };
            known.insert(counter, value);
            value
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(first_line: u32, last_line: u32, counter: u64) -> CodeRegion {
        CodeRegion { file: "a.rs".into(), first_line, last_line, counter }
    }

    fn lines(regions: Vec<CodeRegion>, expressions: Vec<(u64, u64)>, values: &[u64]) -> Vec<u32> {
        let function = CoveredFunction { key: (1, 2), expressions, regions };
        lines_of(&function, values).into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn the_innermost_region_decides() {
        let regions = || vec![region(1, 9, 1), region(3, 6, 5)];
        assert_eq!(lines(regions(), Vec::new(), &[1, 0]), [1, 2, 3, 6, 7, 8, 9]);
        assert_eq!(lines(regions(), Vec::new(), &[1, 1]), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert!(lines(regions(), Vec::new(), &[0, 0]).is_empty());
    }

    #[test]
    fn an_expression_is_a_difference_or_a_sum() {
        // Expression 0 is counter 0 minus counter 1, expression 1 their sum.
        let expressions = vec![(1, 5), (1, 5)];
        let regions = || vec![region(1, 1, 2), region(2, 2, 7)];
        assert_eq!(lines(regions(), expressions.clone(), &[4, 4]), [2]);
        assert_eq!(lines(regions(), expressions, &[4, 3]), [1, 2]);
    }

    #[test]
    fn a_cycle_of_expressions_ends() {
        assert!(lines(vec![region(1, 2, 3)], vec![(3, 3)], &[1]).is_empty());
    }
}
