//! Adds, traverses and checks a graph of 100,000 relations for cycles, beside petgraph on the same graph.
//! CPU seconds, the least of five runs.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints its figures")]

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Duration;

use graftage_memory::{Relation, RelationContext, RelationUpdate, Relations, RelationsConfig};
use petgraph::algo::{has_path_connecting, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Bfs, Reversed};
use rustix::time::{ClockId, clock_gettime};

const NODES: usize = 100_000;
const QUERIES: usize = 200;

fn main() {
    let parents = graph();
    let edges: usize = parents.iter().map(Vec::len).sum();
    println!("{NODES} relations, {edges} edges; least of 5, CPU ms: ours, petgraph");
    let ids: Vec<String> = (0..NODES).map(|at| format!("node-{at:06}")).collect();
    let nodes: Vec<Relation> =
        parents.iter().zip(&ids).map(|(it, id)| node(id, it, &ids)).collect();
    let ctx = testkit::FakeHost::new().ctx();
    let ours_add = least(|| {
        let mut relations = Relations::default();
        for (at, parents) in parents.iter().enumerate() {
            let parents: Vec<&str> = parents.iter().map(|it| ids[*it].as_str()).collect();
            let context = RelationContext::default();
            relations.add(&ctx, &ids[at], &parents, "step", context).unwrap();
        }
        relations.size()
    });
    report("add one by one with ids and content", ours_add, least(|| build_by_id(&parents, &ids)));
    let initial_nodes = nodes.clone();
    let config = RelationsConfig { initial_nodes, ..RelationsConfig::default() };
    let mut relations = Relations::new(config).unwrap();
    let mut graph = build(&parents);
    let chosen: Vec<usize> = (0..QUERIES).map(|at| at * 7919 % NODES).collect();
    let ours =
        least(|| chosen.iter().map(|at| relations.ancestors(&ids[*at]).len()).sum::<usize>());
    let peer = least(|| chosen.iter().map(|at| reach(&graph, *at)).sum::<usize>());
    report(&format!("ancestors of {QUERIES} nodes"), ours, peer);
    let sort = least(|| toposort(&graph, None).unwrap().len());
    println!("toposort of petgraph, which a check for any cycle costs: {:.2}", ms(sort));
    let pairs: Vec<(usize, usize)> =
        chosen.iter().map(|at| (*at, (at * 31 + 17) % NODES)).filter(|(a, b)| a != b).collect();
    let ours = least(|| {
        let cycle = |(child, parent): &&(usize, usize)| {
            relations.would_create_cycle(&ids[*child], &[&ids[*parent]])
        };
        pairs.iter().filter(cycle).count()
    });
    let path = |(child, parent): &&(usize, usize)| {
        has_path_connecting(&graph, NodeIndex::new(*child), NodeIndex::new(*parent), None)
    };
    let peer = least(|| pairs.iter().filter(path).count());
    report(&format!("cycle check of {} random edges", pairs.len()), ours, peer);
    change_parents(&mut relations, &mut graph, &pairs, &ids);
}

/// Gives nodes another parent, checked for a cycle.
fn change_parents(
    relations: &mut Relations,
    graph: &mut DiGraph<(), ()>,
    pairs: &[(usize, usize)],
    ids: &[String],
) {
    let start = cpu();
    let mut done = 0;
    for (child, parent) in pairs {
        let parents = Some(vec![ids[*parent].clone()]);
        let update = RelationUpdate { parents, ..RelationUpdate::default() };
        done += usize::from(relations.update(&ids[*child], update).is_ok());
    }
    let ours = cpu() - start;
    let start = cpu();
    let mut peer_done = 0;
    for (child, parent) in pairs {
        let (child, parent) = (NodeIndex::new(*child), NodeIndex::new(*parent));
        if !has_path_connecting(&*graph, child, parent, None) {
            graph.retain_edges(|graph, edge| {
                graph.edge_endpoints(edge).is_none_or(|it| it.1 != child)
            });
            graph.add_edge(parent, child, ());
            peer_done += 1;
        }
    }
    assert_eq!(done, peer_done);
    report(
        &format!("another parent for {done} of {} nodes (one run)", pairs.len()),
        ours,
        cpu() - start,
    );
}

/// Up to three parents among the 2,000 nodes before: long chains with many crossings.
fn graph() -> Vec<Vec<usize>> {
    let mut state = 88_172_645_463_325_252u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    (0..NODES)
        .map(|at| {
            let count = if at == 0 { 0 } else { next(4) };
            let mut parents: Vec<usize> = (0..count).map(|_| at - 1 - next(at.min(2000))).collect();
            parents.sort_unstable();
            parents.dedup();
            parents
        })
        .collect()
}

fn node(id: &str, parents: &[usize], ids: &[String]) -> Relation {
    Relation {
        id: id.to_owned(),
        parents: parents.iter().map(|it| ids[*it].clone()).collect(),
        edge_type: "step".to_owned(),
        context: RelationContext::default(),
        created_at: base::Timestamp(0),
    }
}

fn build(parents: &[Vec<usize>]) -> DiGraph<(), ()> {
    let mut graph = DiGraph::new();
    for (at, parents) in parents.iter().enumerate() {
        graph.add_node(());
        for parent in parents {
            graph.add_edge(NodeIndex::new(*parent), NodeIndex::new(at), ());
        }
    }
    graph
}

/// As [`build`], with the content of each node and a map from ids, as every user of ids needs.
fn build_by_id(parents: &[Vec<usize>], ids: &[String]) -> usize {
    let mut graph = DiGraph::new();
    let mut numbers: HashMap<String, NodeIndex> = HashMap::new();
    for (at, parents) in parents.iter().enumerate() {
        let number = graph.add_node(node(&ids[at], parents, ids));
        numbers.insert(ids[at].clone(), number);
        for parent in parents {
            graph.add_edge(numbers[&ids[*parent]], number, ());
        }
    }
    graph.node_count() + numbers.len()
}

fn reach(graph: &DiGraph<(), ()>, from: usize) -> usize {
    let reversed = Reversed(graph);
    let mut search = Bfs::new(reversed, NodeIndex::new(from));
    let mut count = 0;
    while search.next(reversed).is_some() {
        count += 1;
    }
    count - 1
}

fn least<T>(mut run: impl FnMut() -> T) -> Duration {
    let mut once = || {
        let start = cpu();
        black_box(run());
        cpu() - start
    };
    (0..5).map(|_| once()).min().unwrap()
}

fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn report(what: &str, ours: Duration, peer: Duration) {
    println!("{what}: {:.2}, {:.2}", ms(ours), ms(peer));
}
