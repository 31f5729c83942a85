//! Laws of the graph, on random operations, with petgraph as the reference.

use base::{SortedMap, SortedSet};

use graftage_memory::{RelationContext, RelationUpdate, Relations};
use petgraph::graph::{DiGraph, NodeIndex};
use proptest::prelude::*;

use crate::ctx;

#[derive(Clone, Debug)]
enum Op {
    Add(u8, Vec<u8>),
    Update(u8, Vec<u8>),
    Remove(u8),
}

fn op() -> impl Strategy<Value = Op> {
    let id = 0u8..24;
    let parents = prop::collection::vec(0u8..24, 0..4);
    prop_oneof![
        4 => (id.clone(), parents.clone()).prop_map(|(id, parents)| Op::Add(id, parents)),
        4 => (id.clone(), parents).prop_map(|(id, parents)| Op::Update(id, parents)),
        1 => id.prop_map(Op::Remove),
    ]
}

fn names(numbers: &[u8]) -> Vec<String> {
    numbers.iter().map(|number| format!("n{number}")).collect()
}

/// The graph by parents, kept in the simplest way.
type Model = SortedMap<String, Vec<String>>;

fn reference(model: &Model) -> (DiGraph<String, ()>, SortedMap<String, NodeIndex>) {
    let mut graph = DiGraph::new();
    let nodes: SortedMap<String, NodeIndex> =
        model.keys().map(|id| (id.clone(), graph.add_node(id.clone()))).collect();
    for (id, parents) in model {
        for parent in parents {
            graph.add_edge(nodes[parent], nodes[id], ());
        }
    }
    (graph, nodes)
}

fn closes_cycle(model: &Model, id: &str, parents: &[String]) -> bool {
    let (graph, nodes) = reference(model);
    parents.iter().any(|parent| {
        parent == id
            || nodes.get(id).zip(nodes.get(parent)).is_some_and(|(child, parent)| {
                petgraph::algo::has_path_connecting(&graph, *child, *parent, None)
            })
    })
}

fn apply(relations: &mut Relations, model: &mut Model, op: &Op) {
    match op {
        Op::Add(id, parents) | Op::Update(id, parents) => {
            let (id, parents) = (format!("n{id}"), names(parents));
            let refs: Vec<&str> = parents.iter().map(String::as_str).collect();
            let cycle = closes_cycle(model, &id, &parents);
            assert_eq!(relations.would_create_cycle(&id, &refs), cycle);
            let distinct = parents.iter().collect::<SortedSet<_>>().len() == parents.len();
            let known = parents.iter().all(|parent| model.contains_key(parent));
            let is_add = matches!(op, Op::Add(..));
            let fits = distinct && known && !cycle && model.contains_key(&id) != is_add;
            let done = if is_add {
                relations.add(&ctx(), &id, &refs, "step", RelationContext::default())
            } else {
                let parents = Some(parents.clone());
                relations.update(&id, RelationUpdate { parents, ..RelationUpdate::default() })
            };
            assert_eq!(done.is_ok(), fits, "{op:?}: {done:?}");
            if fits {
                model.insert(id, parents);
            }
        }
        Op::Remove(id) => {
            let id = format!("n{id}");
            let removed = relations.remove(&id).unwrap();
            assert_eq!(removed, model.remove(&id).is_some());
            model.values_mut().for_each(|parents| parents.retain(|parent| *parent != id));
        }
    }
}

fn ids(relations: &[&graftage_memory::Relation]) -> SortedSet<String> {
    relations.iter().map(|relation| relation.id.clone()).collect()
}

proptest! {
    #[test]
    fn the_graph_is_acyclic_has_no_dangling_parent_and_both_directions_are_inverse(
        ops in prop::collection::vec(op(), 0..160)
    ) {
        let (mut relations, mut model) = (Relations::default(), Model::new());
        for op in &ops {
            apply(&mut relations, &mut model, op);
        }
        let stored: Model =
            relations.all().iter().map(|it| (it.id.clone(), it.parents.clone())).collect();
        prop_assert_eq!(&stored, &model);
        let (graph, nodes) = reference(&model);
        prop_assert!(petgraph::algo::toposort(&graph, None).is_ok());
        for (id, node) in &nodes {
            let (ancestors, descendants) =
                (ids(&relations.ancestors(id)), ids(&relations.descendants(id)));
            for (other, other_node) in nodes.iter().filter(|(other, _)| *other != id) {
                let path = petgraph::algo::has_path_connecting(&graph, *other_node, *node, None);
                prop_assert_eq!(ancestors.contains(other), path);
                prop_assert_eq!(ids(&relations.descendants(other)).contains(id), path);
            }
            prop_assert!(!ancestors.contains(id) && !descendants.contains(id));
            for parent in relations.parents(id) {
                prop_assert!(ids(&relations.children(&parent.id)).contains(id));
            }
        }
        prop_assert_eq!(
            ids(&relations.roots()),
            model.iter().filter(|(_, it)| it.is_empty()).map(|(id, _)| id.clone()).collect()
        );
    }
}

#[test]
fn numbers_of_removed_relations_are_reused_and_the_order_stays() {
    let mut relations = Relations::default();
    let mut add = |id: usize, parents: &[&str]| {
        relations.add(&ctx(), &format!("n{id}"), parents, "step", RelationContext::default())
    };
    for id in 0..500 {
        let before = format!("n{}", id - usize::from(id > 0));
        let parents = [before.as_str()];
        add(id, if id % 5 == 0 { &[] } else { &parents }).unwrap();
    }
    // The first half after the second: ranks differ from ages.
    let parents = Some(vec!["n499".to_owned()]);
    relations.update("n0", RelationUpdate { parents, ..RelationUpdate::default() }).unwrap();
    for id in 10..480 {
        assert!(relations.remove(&format!("n{id}")).unwrap());
    }
    assert_eq!(relations.size(), 30);
    assert_eq!(relations.ancestors("n1").len(), 6);
    assert!(relations.would_create_cycle("n499", &["n4"]));
    assert!(!relations.would_create_cycle("n499", &["n5"]));
    assert_eq!(relations.all().first().unwrap().id, "n0");
}
