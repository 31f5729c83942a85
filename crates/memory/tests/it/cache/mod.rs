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

/// Words whose place or presence can change without changing the question.
const FREE: [&str; 18] = [
    "a", "an", "the", "is", "are", "all", "any", "please", "me", "show", "list", "do", "does",
    "get", "can", "you", "tell", "what's",
];

/// Every question of the set, with one word removed, negated, replaced, or swapped with the next.
#[test]
fn a_question_with_one_change_has_another_answer() {
    let texts = [include_str!("fit.txt"), include_str!("report.txt")];
    let questions: Vec<&str> =
        texts.iter().flat_map(|text| groups(text)).map(|it| it.same[0]).collect();
    let (mut count, mut wrong) = (0, Vec::new());
    for question in questions {
        let words: Vec<&str> = question.split(' ').collect();
        for at in 0..words.len() {
            let mut changed = Vec::new();
            let with = |words: &[&str]| words.join(" ");
            let mut negated = words.clone();
            negated.insert(at, "not");
            changed.push(with(&negated));
            if !FREE.contains(&words[at].to_lowercase().as_str()) {
                let mut removed = words.clone();
                removed.remove(at);
                changed.push(with(&removed));
                let mut replaced = words.clone();
                replaced[at] = "other";
                changed.push(with(&replaced));
                let next = words.get(at + 1).filter(|next| !FREE.contains(next));
                if next.is_some_and(|next| *next != words[at]) {
                    let mut swapped = words.clone();
                    swapped.swap(at, at + 1);
                    changed.push(with(&swapped));
                }
            }
            count += changed.len();
            let hits = changed.into_iter().filter(|changed| is_hit(question, changed));
            wrong.extend(hits.map(|changed| format!("{question} | {changed}")));
        }
    }
    assert_eq!(count, 750);
    assert!(wrong.is_empty(), "{count}: {wrong:#?}");
}
