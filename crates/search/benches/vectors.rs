//! Benchmark of vector scans against memory bandwidth: bytes per second, compared with a simple sum
//! over the same bytes in the same run, and the recall of the one-bit pass.
//!
//! ```text
//! cargo bench -p graftage-search --bench vectors                  # 50,000 to 1,000,000 vectors
//! cargo bench -p graftage-search --bench vectors -- --rows 80000  # one size
//! cargo bench -p graftage-search --bench vectors -- --real        # the table's words as vectors
//! ```
//!
//! Each figure is the least of several rounds, in processor time of the one thread, so that other
//! work on the machine counts as little as it can; the memory is shared with it all the same.
#![expect(clippy::print_stdout, reason = "a bench reads its arguments and prints its figures")]

use std::hint::black_box;
use std::time::Duration;

#[allow(dead_code, reason = "the fixed loop is for the bench of searches")]
#[path = "search/cost.rs"]
mod cost;

use cost::cpu;
use graftage_search::vectors::{Near, Nearest, Pass, Row, SimdLevel, Vectors, write_vectors};
use graftage_search::{Encoder, StaticTable};

const DIMS: usize = 256;
const QUERIES: usize = 20;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.iter().any(|arg| arg == "--list") {
        return;
    }
    let is_real_run = args.iter().any(|arg| arg == "--bench");
    let rounds = if is_real_run { 12 } else { 1 };
    let rows = args.iter().position(|arg| arg == "--rows").and_then(|at| args.get(at + 1));
    if args.iter().any(|arg| arg == "--real") {
        let table = StaticTable::embedded();
        let words: Vec<Vec<f32>> = (0..)
            .map_while(|word| {
                let mut vector = vec![0.0; DIMS];
                table.encode(&[(table.word(word)?, 1.0)], &mut vector);
                Some(vector)
            })
            .collect();
        measure(words.len(), rounds, &|row| words[row].clone());
        return;
    }
    let sizes = match rows.map(|rows| rows.parse()) {
        Some(Ok(rows)) => vec![rows],
        _ if is_real_run => vec![50_000, 100_000, 200_000, 500_000, 1_000_000],
        _ => vec![2_000],
    };
    // Texts of one project lie in groups: a centre, and a way of its own from it.
    let centres: Vec<Vec<f32>> = (0..400).map(|seed| unit(seed, None)).collect();
    for size in sizes {
        measure(size, rounds, &|row| {
            unit(row as u64 + 1_000, centres.get(row * 7_919 % centres.len()))
        });
    }
}

fn measure(size: usize, rounds: usize, vector: &dyn Fn(usize) -> Vec<f32>) {
    let rows: Vec<Option<Row>> = (0..size).map(|row| Row::of(&vector(row))).collect();
    let bytes = write_vectors(DIMS, &rows.iter().map(Option::as_ref).collect::<Vec<_>>(), true);
    drop(rows);
    let Some(vectors) = Vectors::open(&bytes) else { return println!("no vectors") };
    let queries: Vec<Vec<f32>> = (0..QUERIES)
        .map(|query| {
            let near = vector(query * (size / QUERIES).max(1) % size);
            let other = unit(query as u64 + 77, None);
            let mixed: Vec<f32> = near.iter().zip(&other).map(|(a, b)| a + 0.7 * b).collect();
            let length = mixed.iter().map(|it| it * it).sum::<f32>().sqrt();
            mixed.iter().map(|it| it / length).collect()
        })
        .collect();
    // The sum reads what the scan reads: one byte a number and a scale a row.
    let scanned = &bytes[bytes.len() - size * DIMS..];
    let sum = least(rounds * 3, &mut || black_box(sum_of(black_box(scanned))));
    println!("{size} vectors of {DIMS}, {} MB", bytes.len() / 1_000_000);
    println!("  sum over the bytes   {:>9.1} us  {:>5.1} GB/s", us(sum), speed(scanned, sum));
    let ask = |query: usize, level, pass| {
        let wanted = Nearest {
            level: Some(level),
            pass: Some(pass),
            ..Nearest::new(&queries[query % QUERIES], 40)
        };
        vectors.nearest(&wanted)
    };
    for level in SimdLevel::available() {
        let took = least(rounds, &mut || black_box(ask(3, level, Pass::Exact)));
        println!(
            "  exact, {:<12}  {:>9.1} us  {:>5.1} GB/s  {:>4.0} % of the sum",
            format!("{level:?}"),
            us(took),
            speed(scanned, took),
            100.0 * sum.as_secs_f64() / took.as_secs_f64()
        );
    }
    for candidates in [200, 1_000, size / 200] {
        let level = SimdLevel::best();
        let took = least(rounds, &mut || black_box(ask(3, level, Pass::Bits(candidates))));
        let found: Vec<f64> = (0..QUERIES)
            .map(|query| {
                let exact = first_ten(&ask(query, level, Pass::Exact));
                let bits = first_ten(&ask(query, level, Pass::Bits(candidates)));
                exact.iter().filter(|row| bits.contains(row)).count() as f64
                    / exact.len().max(1) as f64
            })
            .collect();
        println!(
            "  bits, {candidates:>5} beyond   {:>9.1} us  recall of the first ten {:.3}",
            us(took),
            found.iter().sum::<f64>() / QUERIES as f64
        );
    }
}

fn first_ten(near: &[Near]) -> Vec<u32> {
    near.iter().take(10).map(|near| near.row).collect()
}

/// A sum in 32 lanes of 64 bits: as fast as plain code reads memory.
fn sum_of(bytes: &[u8]) -> u64 {
    let mut sums = [0u64; 32];
    for piece in bytes.chunks_exact(256) {
        for (sum, word) in sums.iter_mut().zip(piece.as_chunks::<8>().0) {
            *sum = sum.wrapping_add(u64::from_le_bytes(*word));
        }
    }
    sums.iter().fold(0, |a, b| a.wrapping_add(*b))
}

fn least<T>(rounds: usize, run: &mut dyn FnMut() -> T) -> Duration {
    let once = |_| {
        let start = cpu();
        run();
        cpu() - start
    };
    (0..rounds.max(1)).map(once).min().unwrap_or_default()
}

fn us(took: Duration) -> f64 {
    took.as_secs_f64() * 1e6
}

fn speed(bytes: &[u8], took: Duration) -> f64 {
    bytes.len() as f64 / took.as_secs_f64().max(1e-9) / 1e9
}

/// A vector of length 1 that looks like chance, near a centre where there is one.
fn unit(seed: u64, centre: Option<&Vec<f32>>) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut vector: Vec<f32> = (0..DIMS)
        .map(|idx| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let own = (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
            own * 0.1 + centre.map_or(0.0, |centre| centre[idx])
        })
        .collect();
    let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|it| *it /= length);
    vector
}
