use std::collections::BTreeSet;
use std::sync::Arc;

use graftage_search::{Encoder, Probe, SearchIndex, nearest, surroundings};
use graph::HopQuery;
use proptest::prelude::*;

use crate::fixture::{Project, demo};
use crate::index::funs;

/// A number for each of a few words.
pub(crate) struct Toy;

const WORDS: [&str; 6] = ["cach", "entry", "socket", "fil", "string", "remov"];

impl Encoder for Toy {
    fn name(&self) -> &str {
        "toy"
    }

    fn dims(&self) -> usize {
        WORDS.len()
    }

    fn encode(&self, bag: &[(&str, f32)], out: &mut [f32]) {
        out.fill(0.0);
        for (term, weight) in bag {
            if let Some(at) = WORDS.iter().position(|word| term.starts_with(word)) {
                out[at] += weight;
            }
        }
        let length = out.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 {
            out.iter_mut().for_each(|value| *value /= length);
        }
    }

    fn neighbours(&self, _: &str, _: usize, _: f32) -> Vec<(String, f32)> {
        Vec::new()
    }
}

fn with_vectors(project: &Project) -> SearchIndex {
    SearchIndex::open(Arc::new(project.index_bytes(Some(&Toy)))).unwrap()
}

fn number(project: &Project, name: &str) -> u32 {
    project.map.items().find(|item| item.name() == name).unwrap().number
}

fn names(project: &Project, items: impl Iterator<Item = u32>) -> Vec<String> {
    items.filter_map(|item| Some(project.map.item(item)?.name().into_owned())).collect()
}

#[test]
fn the_exact_retriever_follows_calls_both_ways_hop_by_hop() {
    let project = Project::new(&demo());
    let seed = number(&project, "insert_entry");
    let found = surroundings(&project.map, &[seed], &HopQuery::NEAR);
    let at = |depth: u32| {
        let own = found.iter().filter(|reached| reached.depth == depth);
        names(&project, own.map(|reached| reached.item))
    };
    assert_eq!(at(1), ["evict_oldest", "cache_drops_oldest"]);
    assert_eq!(at(2), ["lookup"]);
    assert_eq!(at(3), [""; 0]);
    assert!(surroundings(&project.map, &[u32::MAX], &HopQuery::NEAR).is_empty());
}

#[test]
fn the_vector_retriever_finds_what_a_text_describes() {
    let project = Project::new(&demo());
    let found = nearest(
        &with_vectors(&project),
        &Toy,
        Probe::Text("a socket of the network"),
        2,
        &BTreeSet::new(),
    );
    let mut found = names(&project, found.iter().map(|near| near.item));
    found.sort();
    assert_eq!(found, ["connect", "open_socket"]);
}

#[test]
fn an_item_is_no_neighbour_of_its_own_and_what_is_known_is_left_out() {
    let project = Project::new(&demo());
    let index = with_vectors(&project);
    let connect = number(&project, "connect");
    let near = |known: &BTreeSet<u32>| nearest(&index, &Toy, Probe::Item(connect), 3, known);
    let all = near(&BTreeSet::new());
    assert_eq!(names(&project, all.iter().take(1).map(|near| near.item)), ["open_socket"]);
    assert!(all.iter().all(|near| near.item != connect));
    let known = BTreeSet::from([all[0].item]);
    assert!(near(&known).iter().all(|near| near.item != all[0].item && near.item != connect));
}

#[test]
fn without_vectors_of_the_encoder_nothing_is_near() {
    let project = Project::new(&demo());
    let none = BTreeSet::new();
    assert!(nearest(&project.index(), &Toy, Probe::Text("socket"), 5, &none).is_empty());
    let index = with_vectors(&project);
    assert!(nearest(&index, &Toy, Probe::Text("nothing that it knows"), 5, &none).is_empty());
    assert!(nearest(&index, &Toy, Probe::Item(u32::MAX), 5, &none).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_give_each_item_once_within_their_bounds(
        funs in funs(),
        text in "[a-z ]{0,40}",
        most in 0usize..9,
    ) {
        let project = Project::new(&funs);
        let index = with_vectors(&project);
        let text = format!("{text} entry of a file");
        let found = nearest(&index, &Toy, Probe::Text(&text), most, &BTreeSet::new());
        let items: BTreeSet<u32> = found.iter().map(|near| near.item).collect();
        prop_assert!(found.len() <= most && items.len() == found.len());
        prop_assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
        let around = surroundings(&project.map, &[0], &HopQuery::NEAR);
        let items: BTreeSet<u32> = around.iter().map(|reached| reached.item).collect();
        prop_assert!(items.len() == around.len() && !items.contains(&0));
        prop_assert!(around.iter().all(|reached| (1..=2).contains(&reached.depth)));
    }

    #[test]
    fn the_same_project_gives_the_same_bytes_and_the_same_answers(funs in funs(), text in ".{0,60}") {
        use graftage_search::{Query, Searcher, Stages};
        let (one, other) = (Project::new(&funs), Project::new(&funs));
        prop_assert!(one.index_bytes(Some(&Toy)) == other.index_bytes(Some(&Toy)));
        let query = Query { explain: true, stages: Stages::CONTEXT, ..Query::new(text, 30) };
        let ask = |project: &Project| {
            let index = with_vectors(project);
            let searcher = Searcher { encoder: Some(&Toy), ..Searcher::new(&project.map, &index) };
            searcher.search(&query)
        };
        let answer = ask(&one);
        let items: BTreeSet<u32> = answer.hits.iter().map(|hit| hit.item).collect();
        prop_assert_eq!(items.len(), answer.hits.len(), "a hit comes once, though the alike stand back");
        prop_assert_eq!(answer, ask(&other));
    }
}
