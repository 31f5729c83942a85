use std::sync::Arc;

use graftage_graph::{HopQuery, Map, MapData, MapError, Traversal};
use proptest::prelude::*;

use super::maps::{any_map, open};

/// Calls every reading method; only a panic fails.
fn read_everything(map: &Map) {
    let read = map.to_data().map(|data| data.to_bytes().len()).unwrap_or_default();
    let count = map.item_count().min(200);
    let mut sum = read;
    for item in map.items().take(200) {
        sum += item.canon().len() + item.key().len() + item.name().len() + item.cfg().len();
        sum += item.disambiguator().len() + item.visibility().len();
        sum += item.path().map_or(0, str::len) + item.crate_name().map_or(0, str::len);
    }
    for number in (0..count).chain([u32::MAX]) {
        sum += map.callers(number, &Traversal::CALLS).items.len();
        sum += map.callees(number, &Traversal::IMPACT).items.len();
        sum += map.impact(&[number], &Traversal::IMPACT).tests.len();
        sum += map.hops(&[number], &HopQuery::NEAR).len();
        sum += map.path(0, number, &Traversal::IMPACT).map_or(0, |path| path.items.len());
        sum += map.item_at(number, 7).map_or(0, |item| item as usize);
        sum += map.items_of_file(number).len();
        sum += map.edges_out(number).map(|edge| map.sites(edge).count()).sum::<usize>();
    }
    for query in ["f", "Type::f", "p/p::m", "src-file0.rs-f", "übel"] {
        sum += map.find(query).len() + map.by_name(query).len() + map.nearest(query, 3).len();
    }
    std::hint::black_box(sum + map.problems().count() + map.crates().count());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_changed_byte_is_detected(data in any_map(), at in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut bytes = data.to_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        prop_assert!(Map::open(Arc::new(bytes)).is_err());
    }

    #[test]
    fn a_truncated_file_is_detected(data in any_map(), at in any::<prop::sample::Index>()) {
        let mut bytes = data.to_bytes();
        bytes.truncate(at.index(bytes.len()));
        prop_assert!(Map::open(Arc::new(bytes)).is_err());
    }

    #[test]
    fn a_forged_checksum_gives_no_panic(
        data in any_map(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        let mut bytes = data.to_bytes();
        for (at, value) in changes {
            // Keeps the header and changes any byte after it.
            let at = 64 + at.index(bytes.len() - 64);
            bytes[at] = value;
        }
        forge(&mut bytes);
        if let Ok(map) = Map::open(Arc::new(bytes)) {
            read_everything(&map);
        }
    }

    #[test]
    fn any_bytes_open_or_are_rejected(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(Map::open(Arc::new(bytes)).is_err());
    }
}

fn forge(bytes: &mut [u8]) {
    let checksum = base::Hasher::new().field(&bytes[..32]).field(&bytes[64..]).finish();
    bytes[32..64].copy_from_slice(checksum.as_bytes());
}

#[test]
fn the_test_helper_forges_valid_checksums() {
    let mut bytes = MapData::default().to_bytes();
    let written = bytes.clone();
    forge(&mut bytes);
    assert_eq!(bytes, written);
}

#[test]
fn an_empty_map_can_be_queried() {
    let map = open(&MapData::default());
    assert_eq!((map.item_count(), map.edge_count(), map.file_count()), (0, 0, 0));
    read_everything(&map);
}

#[test]
fn every_kind_of_damage_has_an_error() {
    let good = MapData { epoch: 7, ..MapData::default() }.to_bytes();
    assert_eq!(Map::open(Arc::new(good.clone())).unwrap().epoch(), 7);
    let of = |bytes: Vec<u8>| Map::open(Arc::new(bytes)).unwrap_err();
    let mut other = good.clone();
    other[8] = 99;
    assert_eq!(of(other), MapError::Version { found: 99 });
    assert_eq!(of(b"something else entirely".to_vec()), MapError::Magic);
    assert!(matches!(of(good[..good.len() - 1].to_vec()), MapError::Length { .. }));
    assert!(matches!(of(Vec::new()), MapError::Length { .. }));
    let mut other = good;
    *other.last_mut().unwrap() ^= 1;
    assert_eq!(of(other), MapError::Checksum);
}
