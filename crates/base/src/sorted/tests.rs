//! Laws: both collections do what those of the standard library do.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use proptest::prelude::*;

use super::{SortedMap, SortedSet};

/// One change of a map.
#[derive(Clone, Debug)]
enum Step {
    Insert(u16, u8),
    Add(u16),
    Remove(u16),
    PopFirst,
    RetainOdd,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        20 => (0u16..600, any::<u8>()).prop_map(|(key, value)| Step::Insert(key, value)),
        10 => (0u16..600).prop_map(Step::Add),
        6 => (0u16..600).prop_map(Step::Remove),
        1 => Just(Step::PopFirst),
        1 => Just(Step::RetainOdd),
    ]
}

fn bound() -> impl Strategy<Value = Bound<u16>> {
    prop_oneof![
        Just(Bound::Unbounded),
        (0u16..600).prop_map(Bound::Included),
        (0u16..600).prop_map(Bound::Excluded),
    ]
}

/// Bounds for which the tree of the standard library does not panic.
fn is_range(from: &Bound<u16>, to: &Bound<u16>) -> bool {
    match (from, to) {
        (Bound::Excluded(from), Bound::Excluded(to)) => from < to,
        (
            Bound::Included(from) | Bound::Excluded(from),
            Bound::Included(to) | Bound::Excluded(to),
        ) => from <= to,
        _ => true,
    }
}

proptest! {
    #[test]
    fn a_map_does_what_the_tree_does(
        steps in proptest::collection::vec(step(), 0..1_200),
        from in bound(),
        to in bound(),
    ) {
        let (mut map, mut tree) = (SortedMap::new(), BTreeMap::new());
        for step in steps {
            match step {
                Step::Insert(key, value) => {
                    prop_assert_eq!(map.insert(key, value), tree.insert(key, value));
                }
                Step::Add(key) => {
                    let one = map.entry(key).and_modify(|it: &mut u8| *it ^= 1).or_default();
                    let other = tree.entry(key).and_modify(|it| *it ^= 1).or_default();
                    prop_assert_eq!(one, other);
                }
                Step::Remove(key) => prop_assert_eq!(map.remove(&key), tree.remove(&key)),
                Step::PopFirst => prop_assert_eq!(map.pop_first(), tree.pop_first()),
                Step::RetainOdd => {
                    map.retain(|key, _| key % 7 != 0);
                    tree.retain(|key, _| key % 7 != 0);
                }
            }
            prop_assert_eq!(map.len(), tree.len());
        }
        prop_assert!(map.iter().eq(tree.iter()));
        prop_assert!(map.iter().rev().eq(tree.iter().rev()));
        prop_assert_eq!(map.iter().len(), tree.len());
        prop_assert!((0..600).all(|key| map.get(&key) == tree.get(&key)));
        if is_range(&from, &to) {
            prop_assert!(map.range((from, to)).eq(tree.range((from, to))));
            prop_assert!(map.range((from, to)).rev().eq(tree.range((from, to)).rev()));
        }
        prop_assert_eq!(serde_json::to_string(&map).unwrap(), serde_json::to_string(&tree).unwrap());
        prop_assert_eq!(format!("{map:?}"), format!("{tree:?}"));
        prop_assert!(map.into_iter().eq(tree));
    }

    #[test]
    fn sets_combine_as_those_of_the_tree_do(
        one in proptest::collection::vec(0u16..400, 0..500),
        other in proptest::collection::vec(0u16..400, 0..500),
    ) {
        let (a, b): (SortedSet<u16>, SortedSet<u16>) =
            (one.iter().copied().collect(), other.iter().copied().collect());
        let (c, d): (BTreeSet<u16>, BTreeSet<u16>) =
            (one.into_iter().collect(), other.into_iter().collect());
        prop_assert!(a.union(&b).eq(c.union(&d)));
        prop_assert!(a.intersection(&b).eq(c.intersection(&d)));
        prop_assert!(a.difference(&b).eq(c.difference(&d)));
        prop_assert!(a.symmetric_difference(&b).eq(c.symmetric_difference(&d)));
        prop_assert_eq!(a.is_subset(&b), c.is_subset(&d));
        prop_assert_eq!(a.is_disjoint(&b), c.is_disjoint(&d));
        prop_assert_eq!(a.cmp(&b), c.cmp(&d));
        prop_assert_eq!(a == b, c == d);
        let text = serde_json::to_string(&a).unwrap();
        prop_assert_eq!(serde_json::from_str::<SortedSet<u16>>(&text).unwrap(), a);
    }
}

#[test]
fn an_empty_map_has_nothing() {
    let map: SortedMap<String, u8> = SortedMap::new();
    assert!(map.is_empty() && map.get("a").is_none() && map.iter().next_back().is_none());
    assert_eq!(map.range("a".to_owned()..).count(), 0);
}

#[test]
fn a_second_value_replaces_the_first() {
    let map: SortedMap<&str, u8> = [("a", 1), ("b", 2), ("a", 3)].into();
    assert_eq!((map["a"], map.len()), (3, 2));
}
