//! Encoder tables as bytes: written, read, and damaged in every byte.

use super::*;
use crate::encoder::{TableParts, table_bytes};

fn parts() -> TableParts {
    let word = |word: &str, vector: [f32; 4]| (word.to_owned(), vector.to_vec());
    TableParts {
        dims: 4,
        words: vec![
            word("close", [0.9, 0.1, 0.0, 0.0]),
            word("drop", [1.0, 0.0, 0.0, 0.0]),
            word("parse", [0.0, 0.0, 2.0, 0.1]),
            word("zero", [0.0, 0.0, 0.0, 0.0]),
        ],
        neighbours: 2,
        least_cos: 0.3,
    }
}

fn table() -> StaticTable {
    StaticTable::open(Arc::new(table_bytes(&parts()).unwrap())).unwrap()
}

#[test]
fn words_are_found_and_their_rows_are_those_written() {
    let table = table();
    for (number, (word, vector)) in parts().words.iter().enumerate() {
        assert_eq!(table.number(word), Some(number));
        assert_eq!(table.word(number), Some(word.as_str()));
        let (scale, row) = table.row(number).unwrap();
        for (byte, value) in row.iter().zip(vector) {
            assert!((f32::from(*byte as i8) * scale - value).abs() <= scale);
        }
    }
    assert_eq!(table.number("open"), None);
    assert_eq!(table.word(4), None);
}

#[test]
fn a_text_is_the_sum_of_its_terms_at_length_one() {
    let table = table();
    let mut vector = [0.0; 4];
    table.encode(&[("drop", 1.0), ("parse", 0.5), ("unheard", 9.0)], &mut vector);
    let length: f32 = vector.iter().map(|it| it * it).sum();
    assert!((length - 1.0).abs() < 1e-5);
    assert!((vector[0] - vector[2]).abs() < 0.01);
    table.encode(&[("unheard", 9.0)], &mut vector);
    assert_eq!(vector, [0.0; 4]);
}

#[test]
fn the_row_of_a_term_is_its_vector() {
    let table = table();
    let (mut row, mut vector) = (Vec::new(), [0.0; 4]);
    for word in ["close", "drop", "parse"] {
        let scale = table.term(word, &mut row).unwrap();
        table.encode(&[(word, 1.0)], &mut vector);
        for (byte, value) in row.iter().zip(vector) {
            assert!((f32::from(*byte) * scale - value).abs() < 1e-5, "{word}");
        }
    }
    assert_eq!(table.term("zero", &mut row), None);
    assert_eq!(table.term("unheard", &mut row), None);
}

#[test]
fn neighbours_are_near_words_and_never_the_word_itself() {
    let table = table();
    let near = table.neighbours("drop", 12, 0.3);
    assert_eq!(near.len(), 1);
    assert_eq!(near[0].0, "close");
    assert!(near[0].1 > 0.98);
    assert_eq!(table.neighbours("drop", 12, 0.999), []);
    assert_eq!(table.neighbours("parse", 12, 0.3), []);
    assert_eq!(table.neighbours("unheard", 12, 0.3), []);
}

#[test]
fn the_same_parts_give_the_same_bytes_and_name() {
    assert_eq!(table_bytes(&parts()), table_bytes(&parts()));
    assert_eq!(table().name(), table().name());
    let mut other = parts();
    other.words[1].1[0] = 0.5;
    let other = StaticTable::open(Arc::new(table_bytes(&other).unwrap())).unwrap();
    assert_ne!(other.name(), table().name());
}

#[test]
fn every_flipped_byte_and_every_cut_is_noticed() {
    let bytes = table_bytes(&parts()).unwrap();
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x10;
        assert!(StaticTable::open(Arc::new(flipped)).is_err(), "flip at {at}");
        assert!(StaticTable::open(Arc::new(bytes[..at].to_vec())).is_err(), "cut at {at}");
    }
}

#[test]
fn words_out_of_order_and_rows_of_several_lengths_are_refused() {
    let mut unsorted = parts();
    unsorted.words.swap(0, 1);
    assert!(table_bytes(&unsorted).is_err());
    let mut ragged = parts();
    ragged.words[0].1.pop();
    assert!(table_bytes(&ragged).is_err());
}

#[test]
fn the_embedded_table_is_whole_and_of_this_tokenizer() {
    let table = StaticTable::open(Arc::new(EMBEDDED)).unwrap();
    assert_eq!(table.name(), StaticTable::embedded().name());
    assert_eq!(table.dims(), 256);
    assert!(table.layout.words > 10_000);
    let mut before = String::new();
    for number in 0..table.layout.words {
        let word = table.word(number).unwrap();
        assert!(before.as_str() < word);
        assert_eq!(table.number(word), Some(number));
        before = word.to_owned();
    }
}
