use std::sync::Arc;

use base::ContentHash;
use graftage_search::{FileTerms, IndexBuilder, Query, SearchIndex, SearchIndexError, Searcher};
use proptest::prelude::*;

use crate::fixture::{Fun, Project, demo, fun};
use crate::toy::Toy;

#[test]
fn the_order_of_files_does_not_matter() {
    let project = Project::new(&demo());
    let mut builder = IndexBuilder::new();
    for (file, first, terms) in project.terms.iter().rev() {
        builder.add(*file, *first, terms.clone(), None);
    }
    assert!(builder.finish(&project.map) == project.index_bytes(None));
}

#[test]
fn kept_terms_give_the_same_index_as_fresh_ones() {
    let project = Project::new(&demo());
    let mut builder = IndexBuilder::new();
    for (file, first, terms) in &project.terms {
        let kept = FileTerms::from_bytes(&terms.to_bytes()).unwrap();
        assert_eq!(kept, *terms);
        builder.add(*file, *first, kept, None);
    }
    assert!(builder.finish(&project.map) == project.index_bytes(None));
}

#[test]
fn the_vectors_of_a_file_come_back_under_its_key() {
    let project = Project::new(&demo());
    let mut builder = IndexBuilder::new();
    let key = |file: u32| ContentHash::of(&file.to_le_bytes());
    for (file, first, terms) in &project.terms {
        builder.add(*file, *first, terms.clone(), Some(terms.vectors(&Toy).into()));
        builder.key(*file, key(*file));
    }
    let index = SearchIndex::open(Arc::new(builder.finish(&project.map))).unwrap();
    let kept: Vec<_> = index.kept_vectors().collect();
    assert_eq!(kept.len(), project.terms.len());
    for ((found, vectors), (file, _, terms)) in kept.into_iter().zip(&project.terms) {
        assert_eq!(found.as_slice(), &key(*file).as_bytes()[..16]);
        assert_eq!(vectors(), terms.vectors(&Toy));
    }
    assert_eq!(project.index().kept_vectors().count(), 0, "an index without vectors");
}

#[test]
fn an_empty_index_finds_nothing() {
    let map = graph::Map::empty().unwrap();
    let bytes = IndexBuilder::new().finish(&map);
    let index = SearchIndex::open(Arc::new(bytes)).unwrap();
    let answer = Searcher::new(&map, &index).search(&Query::new("anything", 5));
    assert!(answer.hits.is_empty() && answer.files.is_empty());
}

#[test]
fn an_index_of_another_map_is_reported() {
    let project = Project::new(&demo());
    let map = graph::Map::empty().unwrap();
    let answer = Searcher::new(&map, &project.index()).search(&Query::new("cache", 5));
    assert!(!answer.complete && answer.hits.is_empty());
}

#[test]
fn every_kind_of_damage_is_detected() {
    let bytes = Project::new(&demo()).index_bytes(None);
    let open = |bytes: Vec<u8>| SearchIndex::open(Arc::new(bytes)).map(|index| index.epoch());
    assert_eq!(open(bytes.clone()), Ok(7));
    assert!(matches!(open(Vec::new()), Err(SearchIndexError::Length { .. })));
    assert!(matches!(open(b"something else, long enough".to_vec()), Err(SearchIndexError::Magic)));
    assert!(matches!(
        open(bytes[..bytes.len() - 1].to_vec()),
        Err(SearchIndexError::Length { .. })
    ));
    let mut other = bytes.clone();
    other[8] ^= 1;
    assert!(matches!(open(other), Err(SearchIndexError::Version { .. })));
}

/// Whether a byte is part of the content: sections are aligned to 64 bytes, and the padding between
/// them is not read.
fn is_read(bytes: &[u8], at: usize) -> bool {
    let mut changed = bytes.to_vec();
    changed[at] ^= 0x40;
    SearchIndex::open(Arc::new(changed)).is_err()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_byte_is_detected_or_in_padding(at in any::<prop::sample::Index>()) {
        let project = Project::new(&demo());
        let bytes = project.index_bytes(None);
        let at = at.index(bytes.len());
        if !is_read(&bytes, at) {
            let mut changed = bytes.clone();
            changed[at] ^= 0x40;
            let changed = SearchIndex::open(Arc::new(changed)).unwrap();
            let query = Query::new("cache entry socket file", 9);
            let searcher = Searcher::new(&project.map, &changed);
            prop_assert_eq!(searcher.search(&query), Searcher::new(&project.map, &project.index()).search(&query));
        }
    }

    #[test]
    fn any_project_is_indexed_and_searched(funs in funs(), text in ".{0,60}") {
        let project = Project::new(&funs);
        let index = project.index();
        let answer = Searcher::new(&project.map, &index).search(&Query::new(text, 7));
        prop_assert!(answer.hits.len() <= 7);
        for hit in &answer.hits {
            prop_assert!(hit.score.is_finite());
        }
    }

    #[test]
    fn damaged_terms_are_none(at in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut bytes = Project::new(&demo()).terms[0].2.to_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        prop_assert!(FileTerms::from_bytes(&bytes).is_none());
    }
}

pub(crate) fn funs() -> impl Strategy<Value = Vec<Fun>> {
    let path = prop::sample::select(vec!["src/a.rs", "src/b/c.rs", "src/b/d.rs", "tests/x.rs"]);
    let holder = prop::sample::select(vec!["", "", "Alpha", "Beta"]);
    let one = (path, holder, "[a-z_]{1,8}", "[ -~]{0,40}", "[ -~äλ\n]{0,120}");
    let made =
        |(file, holder, name, doc, body): (&'static str, &'static str, String, String, String)| {
            Fun { file, holder, name, ..fun("src/a.rs::x", &doc, &body) }
        };
    prop::collection::vec(one.prop_map(made), 1..24)
}
