//! What is left of a file that somebody breaks: 10,000 random mutations of real files, and how many
//! of the items that a mutation did not touch keep their kind and canon.
//! `cargo bench -p graftage-syntax --bench damage -- <folder>`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a bench reads and prints")]

#[path = "support/files.rs"]
mod files;

use std::collections::BTreeSet;
use std::panic::catch_unwind;

const MUTATIONS: usize = 10_000;
const WORDS: [&str; 16] =
    ["", "", "", "", "{", "}", "(", ")", "\"", "'", "/*", ";", "fn ", "=> ", "x", "\n"];

fn main() {
    let texts = files::rust_texts();
    let texts: Vec<&str> =
        texts.iter().map(String::as_str).filter(|it| (200..60_000).contains(&it.len())).collect();
    let mut chance = Chance(0x2545_F491_4F6C_DD1D);
    let (mut panics, mut dropped, mut untouched, mut kept, mut worst) = (0, 0, 0, 0, (1.0, 0));
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
        // An item is untouched where the mutation lies outside it and of what holds it, its head.
        let outside: Vec<_> =
            before.items.iter().filter(|it| it.span.end <= start || end <= it.span.start).collect();
        let found =
            outside.iter().filter(|it| names.contains(&(it.kind, it.canon.as_str()))).count();
        untouched += outside.len();
        kept += found;
        let share = found as f64 / outside.len().max(1) as f64;
        if share < worst.0 {
            worst = (share, round);
        }
    }
    println!(
        "{MUTATIONS} mutations of {} files: {panics} panics, {dropped} files lost",
        texts.len()
    );
    println!(
        "{kept} of {untouched} untouched items kept with the same canon: {:.2} % (worst: {:.1} % in round {})",
        100.0 * kept as f64 / untouched.max(1) as f64,
        100.0 * worst.0,
        worst.1
    );
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
