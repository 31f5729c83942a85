//! Measures error recovery: applies random mutations to real files, and counts how many of the
//! items that a mutation did not touch keep their id in the map.
//!
//! `cargo bench -p graftage-ingest --bench damage -- DIR [--mutations 10000] [--round N]`
//!
//! With `--round` it prints the mutated file of one round, and the lost items.
//!
//! Each file is indexed as its own crate, before and after, so that ids depend on the file alone.
//! An item is untouched if the mutation is outside the item and outside the heads of all its
//! containers, whose names are in its path; a generated item, if in addition no macro of the file
//! is touched.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench reads files and prints"
)]
#![allow(clippy::unwrap_used, reason = "any failure ends the bench")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use base::{ItemId, ItemKind, ProjectPath, SortedMap, SortedSet};
use graph::ItemRow;
use rayon::prelude::*;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const MUTATIONS: usize = 10_000;
const INSERTIONS: [&str; 16] =
    ["", "", "", "", "{", "}", "(", ")", "\"", "'", "/*", ";", "fn ", "=> ", "x", "\n"];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let value = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1)?.parse::<usize>().ok()
    };
    let mutations = value("--mutations").unwrap_or(MUTATIONS);
    let folder = args.first().filter(|arg| !arg.starts_with("--"));
    let folder = folder.map_or(Path::new(env!("CARGO_MANIFEST_DIR")), |it| Path::new(it));
    let texts = texts(folder);
    let mut chance = Chance(0x2545_F491_4F6C_DD1D);
    let changes: Vec<Change> = (0..if texts.is_empty() { 0 } else { mutations })
        .map(|round| Change::random(round, &texts, &mut chance))
        .collect();
    if let Some(change) = value("--round").and_then(|round| changes.get(round)) {
        return change.show(&texts[change.text]);
    }
    let mut by_text: SortedMap<usize, Vec<&Change>> = SortedMap::new();
    changes.iter().for_each(|change| by_text.entry(change.text).or_default().push(change));
    let by_text: Vec<(usize, Vec<&Change>)> = by_text.into_iter().collect();
    std::panic::set_hook(Box::new(|_| {}));
    let found: Vec<Outcome> = by_text
        .par_iter()
        .flat_map_iter(|(text, changes)| {
            let text = texts[*text].as_str();
            let before = items(text).unwrap_or_default();
            changes.iter().map(move |change| Outcome::of(change, text, &before)).collect::<Vec<_>>()
        })
        .collect();
    drop(std::panic::take_hook());
    report(&texts, &found);
}

fn report(texts: &[String], found: &[Outcome]) {
    let sum = |of: &dyn Fn(&Outcome) -> usize| found.iter().map(of).sum::<usize>();
    let (untouched, lost) = (sum(&|it| it.untouched), sum(&|it| it.lost));
    println!(
        "{} mutations of {} files: {} panics, {} files lost",
        found.len(),
        texts.len(),
        sum(&|it| usize::from(it.has_panicked)),
        sum(&|it| usize::from(it.is_dropped)),
    );
    println!(
        "{} of {untouched} untouched items keep their id: {:.3} %",
        untouched - lost,
        100.0 * (untouched - lost) as f64 / untouched.max(1) as f64,
    );
    let mut by_insertion: SortedMap<&str, usize> = SortedMap::new();
    for it in found {
        *by_insertion.entry(it.insertion).or_default() += it.lost;
    }
    println!("lost items by inserted text: {by_insertion:?}");
    let mut worst: Vec<&Outcome> = found.iter().filter(|it| it.lost > 0 || it.is_dropped).collect();
    worst.sort_by_key(|it| (std::cmp::Reverse(it.lost), it.round));
    println!("{} mutations lost items; the worst:", worst.len());
    for it in worst.iter().take(40) {
        println!(
            "  round {}: {} of {} lost, the first `{}`; {:?} {:?} -> {:?}",
            it.round, it.lost, it.untouched, it.first, it.around, it.cut, it.insertion
        );
    }
}

/// The texts of the Rust files below a directory, without tiny and huge ones.
fn texts(folder: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    let mut queue: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = queue.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => queue.push(path),
                false if path.extension().is_some_and(|it| it == "rs") => paths.push(path),
                false => {}
            }
        }
    }
    paths.sort();
    let texts = paths.into_iter().filter_map(|it| std::fs::read_to_string(it).ok());
    texts.filter(|it| (200..60_000).contains(&it.len())).collect()
}

fn items(text: &str) -> Option<Vec<ItemRow>> {
    let ctx = testkit::ctx();
    let path = ProjectPath::new("lib.rs").unwrap();
    Some(graftage_ingest::ingest_file(&ctx, &path, text).ok()?.items)
}

/// One mutation of one text.
struct Change {
    round: usize,
    text: usize,
    start: usize,
    end: usize,
    insertion: &'static str,
}

impl Change {
    fn random(round: usize, texts: &[String], chance: &mut Chance) -> Self {
        let number = chance.below(texts.len());
        let text = texts[number].as_str();
        let start = boundary(text, chance.below(text.len()));
        let end = boundary(text, (start + chance.below(12)).min(text.len())).max(start);
        Self {
            round,
            text: number,
            start,
            end,
            insertion: INSERTIONS[chance.below(INSERTIONS.len())],
        }
    }

    fn broken(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.start], self.insertion, &text[self.end..])
    }

    fn show(&self, text: &str) {
        let broken = self.broken(text);
        println!("{broken}");
        let after = items(&broken).unwrap_or_default();
        let before = items(text).unwrap_or_default();
        let ids: SortedSet<ItemId> = after.iter().map(|row| row.id).collect();
        let earlier: SortedSet<ItemId> = before.iter().map(|row| row.id).collect();
        for (number, row) in before.iter().enumerate().filter(|(_, row)| is_item(row.kind)) {
            if !ids.contains(&row.id) {
                let is_lost = is_untouched(&before, number, self.start, self.end);
                let label = if is_lost { "lost" } else { "touched" };
                println!("{label} {:?} {} {:?}", row.kind, row.canon, row.span);
            }
        }
        for row in after.iter().filter(|row| is_item(row.kind) && !earlier.contains(&row.id)) {
            println!("new {:?} {} {:?}", row.kind, row.canon, row.span);
        }
    }
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The result of one mutation.
#[derive(Default)]
struct Outcome {
    round: usize,
    insertion: &'static str,
    cut: String,
    around: String,
    untouched: usize,
    lost: usize,
    first: String,
    has_panicked: bool,
    is_dropped: bool,
}

impl Outcome {
    fn of(change: &Change, text: &str, before: &[ItemRow]) -> Self {
        let broken = change.broken(text);
        let mut outcome = Self {
            round: change.round,
            insertion: change.insertion,
            cut: text[change.start..change.end].to_owned(),
            around: text[boundary(text, change.start.saturating_sub(30))..change.start].to_owned(),
            ..Self::default()
        };
        let Ok(Some(after)) = catch_unwind(AssertUnwindSafe(|| items(&broken))) else {
            return Self { has_panicked: true, ..outcome };
        };
        let is_item = |row: &&ItemRow| is_item(row.kind);
        outcome.is_dropped =
            before.iter().filter(is_item).count() > 3 && after.iter().filter(is_item).count() == 0;
        let ids: SortedSet<ItemId> = after.iter().map(|row| row.id).collect();
        let whole = &change.start..&change.end;
        for (number, row) in before.iter().enumerate().filter(|(_, row)| is_item(row)) {
            if !is_untouched(before, number, *whole.start, *whole.end) {
                continue;
            }
            outcome.untouched += 1;
            if !ids.contains(&row.id) {
                if outcome.lost == 0 {
                    outcome.first = row.canon.clone();
                }
                outcome.lost += 1;
            }
        }
        outcome
    }
}

/// Whether a row is an item in the text.
fn is_item(kind: ItemKind) -> bool {
    !matches!(kind, ItemKind::Crate | ItemKind::File | ItemKind::Feature | ItemKind::External)
}

fn is_untouched(rows: &[ItemRow], number: usize, start: usize, end: usize) -> bool {
    let (start, end) = (start as u32, end as u32);
    let is_apart = |from: u32, to: u32| to < start || end < from;
    let row = &rows[number];
    if !is_apart(row.span.0, row.span.1) {
        return false;
    }
    let has_macro = |it: &ItemRow| it.kind == ItemKind::Macro && !is_apart(it.span.0, it.span.1);
    if row.flags.from_macro && rows.iter().any(has_macro) {
        return false;
    }
    let mut holder = row.parent;
    while let Some(it) = holder.and_then(|at| rows.get(at as usize)).filter(|it| is_item(it.kind)) {
        if it.signature_end + 1 > start && end >= it.span.0 {
            return false;
        }
        holder = it.parent;
    }
    true
}

/// xorshift: the same mutations in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 1).unwrap_or(0) % bound
    }
}
