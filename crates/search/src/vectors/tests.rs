//! Vector search on random vectors: every instruction level gives the same rows as a simple loop.

use proptest::prelude::*;

use super::simd::{self, SimdLevel};
use super::*;

/// Pseudo-random numbers, the same in each run.
fn numbers(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 24) as f32 - 0.4
    })
    .take(count)
    .collect()
}

fn unit(seed: u64, dims: usize) -> Vec<f32> {
    let vector = numbers(seed, dims);
    let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
    vector.iter().map(|it| it / length).collect()
}

fn section(rows: usize, dims: usize) -> Vec<u8> {
    // Every seventh row has no vector.
    let rows: Vec<Option<Row>> = (0..rows)
        .map(|row| if row % 7 == 3 { None } else { Row::of(&unit(row as u64 + 9, dims)) })
        .collect();
    let rows: Vec<Option<&Row>> = rows.iter().map(Option::as_ref).collect();
    write_vectors(dims, &rows, true)
}

proptest! {
    #[test]
    fn every_level_gives_the_same_sums_and_distances(
        seed in any::<u64>(),
        blocks in 1usize..6,
        rows in 0usize..20,
        odd in 0usize..2,
    ) {
        let dims = blocks * 64 + odd * 5;
        let mut query: Vec<i8> =
            numbers(seed, dims).iter().map(|it| (it * 211.0) as i8).collect();
        query[0] = 127;
        query[dims - 1] = -127;
        let mut bytes: Vec<u8> =
            numbers(seed ^ 7, rows * dims).iter().map(|it| (it * 600.0) as i32 as u8).collect();
        if let Some(byte) = bytes.first_mut() {
            *byte = 0x80;
        }
        let mut sums = vec![0; rows];
        simd::dots(SimdLevel::Portable, &query, &bytes, &mut sums);
        let bits: Vec<u8> = query.iter().map(|it| *it as u8).collect();
        let mut distances = vec![0; rows];
        simd::distances(SimdLevel::Portable, &bits, &bytes, &mut distances);
        let mut short = vec![0; rows * dims / 32];
        simd::distances(SimdLevel::Portable, &bits[..32], &bytes, &mut short);
        for level in SimdLevel::available() {
            let mut found = vec![1; rows];
            simd::dots(level, &query, &bytes, &mut found);
            prop_assert_eq!(&found, &sums);
            let mut found = vec![1; rows];
            simd::distances(level, &bits, &bytes, &mut found);
            prop_assert_eq!(&found, &distances);
            let mut found = vec![1; short.len()];
            simd::distances(level, &bits[..32], &bytes, &mut found);
            prop_assert_eq!(&found, &short);
        }
    }

    #[test]
    fn every_level_and_a_plain_loop_find_the_same_rows(seed in any::<u64>(), rows in 1usize..1500) {
        let bytes = section(rows, 64);
        let vectors = Vectors::open(&bytes).unwrap();
        let query = unit(seed, 64);
        let mut plain: Vec<Near> = (0..rows as u32)
            .filter(|row| row % 7 != 3)
            .map(|row| Near { row, score: vectors.score(row, &query) })
            .collect();
        plain.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
        plain.truncate(10);
        for level in SimdLevel::available() {
            let wanted = Nearest { level: Some(level), ..Nearest::new(&query, 10) };
            prop_assert_eq!(&vectors.nearest(&wanted), &plain);
        }
        let all = Nearest { pass: Some(Pass::Bits(rows)), ..Nearest::new(&query, 10) };
        prop_assert_eq!(&vectors.nearest(&all), &plain);
    }

    #[test]
    fn a_scope_is_held_before_scoring(
        seed in any::<u64>(),
        rows in 1usize..400,
        every in 1usize..9,
        by_bits in any::<bool>(),
    ) {
        let bytes = section(rows, 64);
        let vectors = Vectors::open(&bytes).unwrap();
        let query = unit(seed, 64);
        let scope: RowSet = (0..rows as u32).step_by(every).collect();
        let pass = by_bits.then_some(Pass::Bits(60));
        let found =
            vectors.nearest(&Nearest { among: Some(&scope), pass, ..Nearest::new(&query, 500) });
        prop_assert!(found.iter().all(|near| scope.contains(near.row) && near.row % 7 != 3));
        if !by_bits {
            let there = scope.iter().filter(|row| row % 7 != 3).count();
            prop_assert_eq!(found.len(), there);
        }
        let mut seen: Vec<u32> = found.iter().map(|near| near.row).collect();
        seen.sort_unstable();
        seen.dedup();
        prop_assert_eq!(seen.len(), found.len());
    }

    #[test]
    fn a_set_holds_what_was_put_in(rows in proptest::collection::btree_set(0u32..300, 0..60)) {
        let set: RowSet = rows.iter().copied().collect();
        prop_assert_eq!(set.len(), rows.len());
        prop_assert_eq!(set.iter().collect::<Vec<_>>(), rows.iter().copied().collect::<Vec<_>>());
        prop_assert!((0..400).all(|row| set.contains(row) == rows.contains(&row)));
    }
}

#[test]
fn a_section_of_another_length_is_refused() {
    let bytes = section(20, 64);
    assert!(Vectors::open(&bytes).is_some());
    for end in 0..bytes.len() {
        assert!(Vectors::open(&bytes[..end]).is_none());
    }
    let mut large = bytes.clone();
    large[3] = 0xff;
    assert!(Vectors::open(&large).is_none());
}

#[test]
fn rows_without_bits_are_compared_by_their_bytes() {
    let rows: Vec<Option<Row>> = (0..300).map(|row| Row::of(&unit(row + 9, 64))).collect();
    let rows: Vec<Option<&Row>> = rows.iter().map(Option::as_ref).collect();
    let (with, without) = (write_vectors(64, &rows, true), write_vectors(64, &rows, false));
    assert_eq!(with.len() - without.len(), 64 * 4 + 300 * 8);
    let query = unit(5, 64);
    let ask = |bytes: &[u8], pass| {
        let wanted = Nearest { pass: Some(pass), ..Nearest::new(&query, 10) };
        Vectors::open(bytes).unwrap().nearest(&wanted)
    };
    assert_eq!(ask(&without, Pass::Bits(50)), ask(&with, Pass::Exact));
    let mut torn = without;
    torn[8] = 1;
    assert!(Vectors::open(&torn).is_none());
}

#[test]
fn a_query_of_another_length_or_of_zeros_finds_nothing() {
    let bytes = section(20, 64);
    let vectors = Vectors::open(&bytes).unwrap();
    assert_eq!(vectors.nearest(&Nearest::new(&[0.5; 32], 5)), []);
    assert_eq!(vectors.nearest(&Nearest::new(&[0.0; 64], 5)), []);
    assert_eq!(vectors.nearest(&Nearest::new(&[f32::NAN; 64], 5)), []);
    let empty = write_vectors(64, &[], true);
    assert_eq!(Vectors::open(&empty).unwrap().nearest(&Nearest::new(&unit(1, 64), 5)), []);
}
