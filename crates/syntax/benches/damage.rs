//! What is left of a file that somebody breaks: 10,000 random mutations of real files, and how many
//! of the items that a mutation did not touch keep their kind and canon.
//! `cargo bench -p graftage-syntax --bench damage -- <folder>`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a bench reads and prints")]

#[path = "support/files.rs"]
mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;

use graftage_syntax::SourceFile;

const MUTATIONS: usize = 10_000;
const WORDS: [&str; 16] =
    ["", "", "", "", "{", "}", "(", ")", "\"", "'", "/*", ";", "fn ", "=> ", "x", "\n"];

fn main() {
    let texts = files::rust_texts();
    let texts: Vec<&str> =
        texts.iter().map(String::as_str).filter(|it| (200..60_000).contains(&it.len())).collect();
    let mut chance = Chance(0x2545_F491_4F6C_DD1D);
    let (mut panics, mut dropped, mut untouched, mut kept) = (0, 0, 0, 0);
    let mut losses: Vec<Loss> = Vec::new();
    for round in 0..if texts.is_empty() { 0 } else { MUTATIONS } {
        let text = texts[chance.below(texts.len())];
        let boundary = |mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = boundary(chance.below(text.len()));
        let end = boundary((start + chance.below(12)).min(text.len())).max(start);
        let word = WORDS[chance.below(WORDS.len())];
        let broken = format!("{}{word}{}", &text[..start], &text[end..]);
        let before = graftage_syntax::parse(text);
        let Ok(after) = catch_unwind(|| graftage_syntax::read(&broken)) else {
            panics += 1;
            continue;
        };
        dropped += usize::from(after.file.items.is_empty() && before.items.len() > 3);
        let names: BTreeSet<_> =
            after.file.items.iter().map(|it| (it.kind, it.canon.as_str())).collect();
        let outside: Vec<_> =
            (0..before.items.len()).filter(|it| is_untouched(&before, *it, start, end)).collect();
        let lost: Vec<_> = outside
            .iter()
            .map(|it| &before.items[*it])
            .filter(|it| !names.contains(&(it.kind, it.canon.as_str())))
            .collect();
        untouched += outside.len();
        kept += outside.len() - lost.len();
        if !lost.is_empty() {
            losses.push(Loss {
                lost: lost.len(),
                of: outside.len(),
                round,
                cut: text[start..end].to_owned(),
                word,
                around: text[boundary(start.saturating_sub(30))..start].to_owned(),
                first: lost[0].canon.clone(),
            });
        }
    }
    println!(
        "{MUTATIONS} mutations of {} files: {panics} panics, {dropped} files lost",
        texts.len()
    );
    println!(
        "{kept} of {untouched} untouched items kept with the same kind and canon: {:.3} %",
        100.0 * kept as f64 / untouched.max(1) as f64,
    );
    let mut by_word: BTreeMap<&str, usize> = BTreeMap::new();
    for loss in &losses {
        *by_word.entry(loss.word).or_default() += loss.lost;
    }
    println!("lost by what was put in: {by_word:?}");
    losses.sort_by_key(|it| (std::cmp::Reverse(it.lost), it.round));
    println!("{} mutations lost items; the worst:", losses.len());
    for loss in losses.iter().take(25) {
        println!(
            "  round {}: {} of {} lost, the first `{}`; {:?} {:?} -> {:?}",
            loss.round, loss.lost, loss.of, loss.first, loss.around, loss.cut, loss.word
        );
    }
}

/// A mutation that lost items.
struct Loss {
    lost: usize,
    of: usize,
    round: usize,
    cut: String,
    word: &'static str,
    around: String,
    first: String,
}

/// An item is untouched where the mutation lies outside it and outside the heads of all that hold
/// it: their names are in its path.
fn is_untouched(file: &SourceFile, item: usize, start: usize, end: usize) -> bool {
    let is_apart = |from: usize, to: usize| to <= start || end <= from;
    let own = file.items[item].span;
    if !is_apart(own.start, own.end) || start == own.end || end == own.start {
        return false;
    }
    let mut holder = file.items[item].parent;
    while let Some(at) = holder {
        let it = &file.items[at];
        if !is_apart(it.span.start, it.body.map_or(it.span.end, |body| body.start + 1)) {
            return false;
        }
        holder = it.parent;
    }
    true
}

/// xorshift: the same mutations each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 1).unwrap_or(0) % bound
    }
}
