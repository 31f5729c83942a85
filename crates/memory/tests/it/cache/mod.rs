//! Which questions share an answer, and how long.
//!
//! `report.txt` was written before the rule, and the rule is not changed for it; `fit.txt` is for changes.

mod laws;

use base::ContentHash;
use graftage_memory::{SemanticCache, SemanticCacheConfig};

use crate::ctx;

fn code(text: &str) -> ContentHash {
    ContentHash::of(text.as_bytes())
}

/// Whether the answer to one question is the answer to another.
fn is_hit(asked: &str, again: &str) -> bool {
    let mut cache = SemanticCache::new(SemanticCacheConfig::default());
    cache.put(&ctx(), asked, code("a"), ()).unwrap();
    cache.get(&ctx(), again, code("a")).is_some()
}

/// A question with the same in other words and with others that look like it.
#[derive(Default)]
struct Group<'a> {
    same: Vec<&'a str>,
    other: Vec<&'a str>,
}

fn groups(text: &str) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let same = line.strip_prefix("= ");
        match (line.strip_prefix("! "), same) {
            (Some(other), _) => groups.last_mut().unwrap().other.push(other),
            (_, Some(same)) => groups.last_mut().unwrap().same.push(same),
            _ => groups.push(Group { same: vec![line], other: Vec::new() }),
        }
    }
    groups
}

struct Figures {
    same: usize,
    hits: usize,
    missed: Vec<String>,
    other: usize,
    wrong: Vec<String>,
}

fn measure(text: &str) -> Figures {
    let mut figures = Figures { same: 0, hits: 0, missed: Vec::new(), other: 0, wrong: Vec::new() };
    for group in groups(text) {
        for again in &group.same[1..] {
            figures.same += 1;
            match is_hit(group.same[0], again) {
                true => figures.hits += 1,
                false => figures.missed.push(format!("{} | {again}", group.same[0])),
            }
        }
        for asked in &group.same {
            for other in &group.other {
                figures.other += 1;
                if is_hit(asked, other) || is_hit(other, asked) {
                    figures.wrong.push(format!("{asked} | {other}"));
                }
            }
        }
    }
    figures
}

#[test]
fn questions_of_the_fit_part() {
    let figures = measure(include_str!("fit.txt"));
    assert!(figures.wrong.is_empty(), "{:#?}", figures.wrong);
    assert_eq!((figures.same, figures.hits), (33, 32), "{:#?}", figures.missed);
}

#[test]
fn questions_of_the_report_part() {
    let figures = measure(include_str!("report.txt"));
    assert!(figures.wrong.is_empty(), "{:#?}", figures.wrong);
    // The first run, by the rule that was made without this part, had 53 hits.
    let counts = (figures.same, figures.hits, figures.other);
    assert_eq!(counts, (75, 52, 528), "{:#?}", figures.missed);
}
