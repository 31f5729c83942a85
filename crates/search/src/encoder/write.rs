//! Writes an encoder table.

use super::layout::{CHECKSUM, FORMAT, HEADER, Layout, MAGIC, TableError, checksum, first_slot};
use crate::shape::is_shape;
use crate::tokenize::TOKENIZER_VERSION;
use crate::vectors::Row;

/// Number of words that are compared with all others in one pass.
const BLOCK: usize = 16;

/// The content of a table.
#[derive(Clone, Debug, Default)]
pub struct TableParts {
    /// Number of components of a vector.
    pub dims: usize,
    /// Words with their vectors, sorted, without duplicates.
    pub words: Vec<(String, Vec<f32>)>,
    /// Maximum number of neighbours per word.
    pub neighbours: usize,
    /// Minimum cosine of a neighbour.
    pub least_cos: f32,
}

/// Writes a table: rows with eight bits per component, and the neighbours of each word, computed
/// here so that queries do not need to. Quadratic in the number of words.
pub fn table_bytes(parts: &TableParts) -> Result<Vec<u8>, TableError> {
    let TableParts { dims, words, .. } = parts;
    if words.len() >= usize::from(u16::MAX) {
        return Err(TableError::TooLarge("65,535 words and more"));
    }
    if words.iter().any(|(_, vector)| vector.len() != *dims) {
        return Err(TableError::TooLarge("vectors of several lengths"));
    }
    if !words.is_sorted_by(|a, b| a.0 < b.0) {
        return Err(TableError::TooLarge("words out of order"));
    }
    let rows: Vec<Row> = words
        .iter()
        .map(|(_, vector)| {
            Row::of(vector).unwrap_or_else(|| Row { scale: 0.0, values: vec![0; *dims] })
        })
        .collect();
    let neighbours = nearest(parts);
    let text: usize = words.iter().map(|(word, _)| word.len()).sum();
    let count: usize = neighbours.iter().map(Vec::len).sum();
    let slot_bits = (words.len() * 2 + 2).next_power_of_two().trailing_zeros();
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let header = [number(*dims), number(words.len()), number(count), number(text), slot_bits];
    let layout = Layout::of(header[0], header[1], header[2], header[3], header[4])
        .ok_or(TableError::TooLarge("so many words"))?;

    let mut out = Vec::with_capacity(layout.end);
    out.extend(MAGIC);
    for field in [FORMAT, TOKENIZER_VERSION].into_iter().chain(header).chain([0]) {
        out.extend(field.to_le_bytes());
    }
    out.extend([0; 32]);
    ends(&mut out, words.iter().map(|(word, _)| word.len()));
    ends(&mut out, neighbours.iter().map(Vec::len));
    rows.iter().for_each(|row| out.extend(row.scale.to_le_bytes()));
    slots(words, layout.slots).iter().for_each(|slot| out.extend(slot.to_le_bytes()));
    for (word, cos) in neighbours.iter().flatten() {
        out.extend(word.to_le_bytes());
        out.push((cos * 255.0).clamp(0.0, 255.0).round() as u8);
    }
    words.iter().for_each(|(word, _)| out.extend(word.as_bytes()));
    rows.iter().for_each(|row| out.extend(row.values.iter().map(|value| *value as u8)));
    let sum = checksum(&out);
    if let Some(place) = out.get_mut(CHECKSUM..HEADER) {
        place.copy_from_slice(sum.as_bytes());
    }
    Ok(out)
}

fn ends(out: &mut Vec<u8>, lengths: impl Iterator<Item = usize>) {
    let mut end = 0usize;
    for length in lengths {
        end += length;
        out.extend(u32::try_from(end).unwrap_or(u32::MAX).to_le_bytes());
    }
}

fn slots(entries: &[(String, Vec<f32>)], count: usize) -> Vec<u16> {
    let mut slots = vec![0u16; count];
    for (number, (word, _)) in entries.iter().enumerate() {
        let mut slot = first_slot(word.as_bytes(), count);
        while slots[slot] != 0 {
            slot = (slot + 1) & (count - 1);
        }
        slots[slot] = u16::try_from(number + 1).unwrap_or(0);
    }
    slots
}

/// The neighbours of each word, nearest first, ties by number.
fn nearest(parts: &TableParts) -> Vec<Vec<(u16, f32)>> {
    let units: Vec<Vec<f32>> = parts
        .words
        .iter()
        .map(|(_, vector)| {
            let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
            vector.iter().map(|value| if length > 0.0 { value / length } else { 0.0 }).collect()
        })
        .collect();
    // Marker terms never occur in a text, so they are not useful as neighbours.
    let units: Vec<Vec<f32>> = parts
        .words
        .iter()
        .zip(units)
        .map(|((word, _), unit)| if is_shape(word) { vec![0.0; unit.len()] } else { unit })
        .collect();
    let mut found: Vec<Vec<(u16, f32)>> = vec![Vec::new(); units.len()];
    let number = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    // Compares a block of words with all words after it, so that a loaded row is used often.
    for block in (0..units.len()).step_by(BLOCK) {
        for other in block + 1..units.len() {
            for word in block..(block + BLOCK).min(other) {
                let cos = dot(&units[word], &units[other]);
                if cos > parts.least_cos {
                    found[word].push((number(other), cos));
                    found[other].push((number(word), cos));
                }
            }
        }
    }
    for near in &mut found {
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.truncate(parts.neighbours);
    }
    found
}

/// A dot product in eight sums, so that the compiler can vectorise without reordering.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest = a.len() - a.len() % 8;
    let tail: f32 = a.iter().zip(b).skip(rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + tail
}
