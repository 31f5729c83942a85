//! Whether the right reference is found for an intent: Recall@1 and @3 over trees that the caller names.
//!
//! Argument: a file of lines `TREE<tab>INTENT<tab>PATH`, where PATH is the reference that is right, or a
//! folder with checkouts `OWNER/NAME`: then the intents of `held_out.tsv` are asked of those trees, whose
//! commits are named there. They were written without a look at a ranking and measured once; with `fit` as
//! the second argument, the intents of `fit.tsv`, for changes. A tree without intents is listed with its
//! references. Without an argument nothing is measured.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints its figures")]

use std::path::Path;

use base::SortedMap;
use graftage_memory::{Rules, RulesOptions};

const HELD_OUT: &str = include_str!("held_out.tsv");
const FIT: &str = include_str!("fit.tsv");

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let Some(argument) = args.next() else { return };
    let argument = Path::new(&argument);
    let set = if args.next().as_deref() == Some("fit") { FIT } else { HELD_OUT };
    let (text, folder) = match argument.is_dir() {
        true => (set.to_owned(), argument),
        false => (std::fs::read_to_string(argument).unwrap(), Path::new("")),
    };
    let mut trees: SortedMap<&str, Vec<(&str, &str)>> = SortedMap::new();
    for line in text.lines() {
        let mut parts = line.split('\t');
        let Some(tree) = parts.next().filter(|tree| !tree.is_empty()) else { continue };
        trees.entry(tree).or_default().extend(parts.next().zip(parts.next()));
    }
    let (mut all, mut first, mut third) = (0, 0, 0);
    for (tree, intents) in trees {
        let ctx = testkit::FakeHost::new().ctx();
        let root = tree.split_once('@').map_or(tree, |(name, _)| name);
        let rules = Rules::open(&ctx, &folder.join(root), RulesOptions::default()).unwrap();
        println!("{tree}: {} references", rules.references().len());
        if intents.is_empty() {
            for reference in rules.references() {
                println!("  {} -> {:?}", reference.display_text, reference.target);
            }
        }
        for (intent, path) in intents {
            let hits = rules.search_references(intent, 100);
            let rank = hits.iter().position(|hit| hit.path.as_str() == path);
            all += 1;
            first += usize::from(rank == Some(0));
            third += usize::from(rank.is_some_and(|rank| rank < 3));
            if rank.is_none_or(|rank| rank >= 3) {
                println!("  rank {rank:?} of {}: {intent} -> {path}", hits.len());
                for hit in hits.iter().take(3) {
                    println!("    {} {:?}", hit.path, hit.score);
                }
            }
        }
    }
    println!("{all} intents, Recall@1 {first}, Recall@3 {third}");
}
