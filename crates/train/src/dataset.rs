//! [`Dataset`]: the training pairs of all crates as bags of term ids, and its binary format.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use base::{SortedMap, SortedSet};
use search::{code_bag, query_bag};

use crate::suite::is_for_ranking;
use crate::{Pin, Sample, TrainError, samples_of_crate};

/// Most pairs of one crate, sampled evenly over its files: large generated crates repeat themselves.
const MAX_PAIRS_PER_CRATE: usize = 600;
/// How often the same sentence is used, over all crates.
const MAX_DUPLICATES: u32 = 2;
/// Most distinct terms of a document; those with the lowest weights are dropped.
const MAX_DOCUMENT_TERMS: usize = 400;

/// Term ids with their weights.
pub type Bag = Vec<(u32, f32)>;

/// A sentence and the code it documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pair {
    /// The terms of the sentence.
    pub query: Bag,
    /// The terms of the code.
    pub document: Bag,
}

/// The pairs of one crate, in the order of its files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CratePairs {
    /// Its name.
    pub name: String,
    /// Its pairs.
    pub pairs: Vec<Pair>,
}

/// All pairs, as bags of term ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dataset {
    /// The terms, sorted; a term id is an index into them.
    pub terms: Vec<String>,
    /// The crates, sorted by name.
    pub crates: Vec<CratePairs>,
}

impl Dataset {
    /// Extracts the pairs of all crates (`folders` in the order of `pins`). Sentences in `held_out`
    /// are left out.
    pub fn extract(
        pins: &[Pin],
        folders: &[PathBuf],
        held_out: &SortedSet<String>,
        threads: usize,
    ) -> Result<Self, TrainError> {
        let read = read_all(pins, folders, threads)?;
        let mut seen: SortedMap<String, u32> = SortedMap::new();
        let mut ids: HashMap<String, u32> = HashMap::new();
        let mut terms: Vec<String> = Vec::new();
        let mut crates = Vec::new();
        for (pin, local) in pins.iter().zip(read) {
            let kept: Vec<&LocalPair> = local
                .pairs
                .iter()
                .filter(|pair| {
                    let count = seen.entry(pair.sentence.clone()).or_default();
                    *count += 1;
                    *count <= MAX_DUPLICATES && !held_out.contains(&pair.sentence)
                })
                .collect();
            let mut global_id = |id: u32| {
                let term = local.terms.get(id as usize).map(String::as_str).unwrap_or_default();
                *ids.entry(term.to_owned()).or_insert_with(|| {
                    terms.push(term.to_owned());
                    terms.len() as u32 - 1
                })
            };
            let step = kept.len().div_ceil(MAX_PAIRS_PER_CRATE).max(1);
            let mut pairs = Vec::new();
            for pair in kept.into_iter().step_by(step) {
                let mut global = |bag: &Bag| {
                    bag.iter().map(|(term, weight)| (global_id(*term), *weight)).collect()
                };
                let pair = Pair { query: global(&pair.query), document: global(&pair.document) };
                pairs.push(pair);
            }
            crates.push(CratePairs { name: pin.name.clone(), pairs });
        }
        Ok(Self { terms, crates }.sorted())
    }

    /// The number of pairs.
    pub fn pair_count(&self) -> usize {
        self.crates.iter().map(|it| it.pairs.len()).sum()
    }

    /// The dataset without the crates that the ranker is trained on: on crates of its own training
    /// set the table performs too well, and the ranker would weight it too high.
    pub(crate) fn without_ranking_crates(&self) -> Self {
        let crates = self.crates.iter().filter(|it| !is_for_ranking(&it.name));
        Self { terms: self.terms.clone(), crates: crates.cloned().collect() }
    }

    /// Keeps the `max_terms` most frequent of the terms that occur in at least `min_count` pairs.
    /// Pairs with fewer than two terms left on one side are dropped.
    pub(crate) fn with_frequent_terms(&self, min_count: u32, max_terms: usize) -> Self {
        let counts = self.pair_counts();
        let mut order: Vec<usize> =
            (0..counts.len()).filter(|term| counts[*term] >= min_count).collect();
        order.sort_by_key(|term| (std::cmp::Reverse(counts[*term]), *term));
        order.truncate(max_terms);
        order.sort_unstable();
        let mut ids = vec![None; self.terms.len()];
        for (new, old) in order.iter().enumerate() {
            ids[*old] = Some(new as u32);
        }
        let keep = |bag: &Bag| -> Bag {
            let known = |(term, weight): &(u32, f32)| Some((ids[*term as usize]?, *weight));
            bag.iter().filter_map(known).collect()
        };
        let crates = self.crates.iter().map(|it| {
            let pairs = it
                .pairs
                .iter()
                .map(|pair| Pair { query: keep(&pair.query), document: keep(&pair.document) });
            let pairs = pairs.filter(|pair| pair.query.len() >= 2 && pair.document.len() >= 2);
            CratePairs { name: it.name.clone(), pairs: pairs.collect() }
        });
        Self {
            crates: crates.collect(),
            terms: order.iter().map(|term| self.terms[*term].clone()).collect(),
        }
    }

    /// For each term, the number of pairs that contain it.
    pub(crate) fn pair_counts(&self) -> Vec<u32> {
        let mut counts = vec![0u32; self.terms.len()];
        for pair in self.crates.iter().flat_map(|it| &it.pairs) {
            let terms: SortedSet<u32> =
                pair.query.iter().chain(&pair.document).map(|(term, _)| *term).collect();
            for term in terms {
                counts[term as usize] += 1;
            }
        }
        counts
    }

    /// Sorts the terms and renumbers all bags.
    fn sorted(mut self) -> Self {
        let mut order: Vec<u32> = (0..self.terms.len() as u32).collect();
        order.sort_by(|a, b| self.terms[*a as usize].cmp(&self.terms[*b as usize]));
        let mut new = vec![0u32; order.len()];
        for (place, old) in order.iter().enumerate() {
            new[*old as usize] = place as u32;
        }
        self.terms = order.iter().map(|old| self.terms[*old as usize].clone()).collect();
        for pair in self.crates.iter_mut().flat_map(|it| &mut it.pairs) {
            for bag in [&mut pair.query, &mut pair.document] {
                bag.iter_mut().for_each(|(term, _)| *term = new[*term as usize]);
                bag.sort_unstable_by_key(|(term, _)| *term);
            }
        }
        self
    }

    /// The binary form: a sequence of 32-bit little-endian numbers.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut number = |number: u32| out.extend(number.to_le_bytes());
        let text = |number: &mut dyn FnMut(u32), text: &str| {
            number(text.len() as u32);
            text.bytes().for_each(|byte| number(u32::from(byte)));
        };
        number(search::TOKENIZER_VERSION);
        number(self.terms.len() as u32);
        self.terms.iter().for_each(|term| text(&mut number, term));
        number(self.crates.len() as u32);
        for it in &self.crates {
            text(&mut number, &it.name);
            number(it.pairs.len() as u32);
            for bag in it.pairs.iter().flat_map(|pair| [&pair.query, &pair.document]) {
                number(bag.len() as u32);
                for (term, weight) in bag {
                    number(*term);
                    number(weight.to_bits());
                }
            }
        }
        out
    }

    /// Decodes the output of [`Dataset::to_bytes`]; `None` if it is damaged or was written with
    /// another tokenizer version.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut numbers =
            bytes.chunks_exact(4).filter_map(|it| Some(u32::from_le_bytes(it.try_into().ok()?)));
        let text = |numbers: &mut dyn Iterator<Item = u32>| -> Option<String> {
            let len = numbers.next()?;
            let bytes: Option<Vec<u8>> =
                (0..len).map(|_| u8::try_from(numbers.next()?).ok()).collect();
            String::from_utf8(bytes?).ok()
        };
        if numbers.next()? != search::TOKENIZER_VERSION {
            return None;
        }
        let mut dataset = Self::default();
        for _ in 0..numbers.next()? {
            dataset.terms.push(text(&mut numbers)?);
        }
        let known = dataset.terms.len() as u32;
        for _ in 0..numbers.next()? {
            let mut it = CratePairs { name: text(&mut numbers)?, pairs: Vec::new() };
            for _ in 0..numbers.next()? {
                let mut bag = || -> Option<Bag> {
                    let len = numbers.next()?;
                    (0..len)
                        .map(|_| {
                            let term = numbers.next().filter(|term| *term < known)?;
                            Some((term, f32::from_bits(numbers.next()?)))
                        })
                        .collect()
                };
                it.pairs.push(Pair { query: bag()?, document: bag()? });
            }
            dataset.crates.push(it);
        }
        numbers.next().is_none().then_some(dataset)
    }
}

/// One pair with term ids that are local to its crate.
struct LocalPair {
    sentence: String,
    query: Bag,
    document: Bag,
}

/// The pairs of one crate; local term ids are indices into its own terms.
#[derive(Default)]
struct LocalPairs {
    terms: Vec<String>,
    pairs: Vec<LocalPair>,
}

/// Reads crates in parallel; the result has the order of the pins.
fn read_all(
    pins: &[Pin],
    folders: &[PathBuf],
    threads: usize,
) -> Result<Vec<LocalPairs>, TrainError> {
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<Result<LocalPairs, TrainError>>>> =
        pins.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(pin), Some(folder)) = (pins.get(at), folders.get(at)) else { break };
                    let pairs = local_pairs(&pin.name, folder);
                    if let Ok(mut slot) = done[at].lock() {
                        *slot = Some(pairs);
                    }
                }
            });
        }
    });
    let taken = done.into_iter().map(|slot| slot.into_inner().ok().flatten());
    taken.map(|pairs| pairs.unwrap_or_else(|| Ok(LocalPairs::default()))).collect()
}

fn local_pairs(name: &str, folder: &Path) -> Result<LocalPairs, TrainError> {
    let mut out = LocalPairs::default();
    let mut ids: HashMap<String, u32> = HashMap::new();
    for sample in samples_of_crate(name, folder)? {
        let mut number = |bag: Vec<(String, f32)>| -> Bag {
            let mut number = |(term, weight): (String, f32)| {
                let next = out.terms.len() as u32;
                let number = *ids.entry(term).or_insert_with_key(|term| {
                    out.terms.push(term.clone());
                    next
                });
                (number, weight)
            };
            bag.into_iter().map(&mut number).collect()
        };
        let (query, document) = bags_of(&sample);
        let pair =
            LocalPair { query: number(query), document: number(document), sentence: sample.query };
        out.pairs.push(pair);
    }
    Ok(out)
}

/// Terms with their weights.
type WeightedTerms = Vec<(String, f32)>;

fn bags_of(sample: &Sample) -> (WeightedTerms, WeightedTerms) {
    let mut document = code_bag(&sample.document(), &sample.path);
    if document.len() > MAX_DOCUMENT_TERMS {
        document.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        document.truncate(MAX_DOCUMENT_TERMS);
    }
    (query_bag(&sample.query), document)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dataset() -> Dataset {
        let pair = |a: u32, b: u32| Pair {
            query: vec![(a, 1.0), (2, 1.5)],
            document: vec![(b, 1.0), (2, 2.0)],
        };
        let terms = ["a", "b", "c"].map(str::to_owned).to_vec();
        let crates = vec![CratePairs { name: "x".to_owned(), pairs: vec![pair(0, 1), pair(1, 1)] }];
        Dataset { terms, crates }
    }

    #[test]
    fn encoded_pairs_round_trip_and_truncated_bytes_are_rejected() {
        let bytes = dataset().to_bytes();
        assert_eq!(Dataset::from_bytes(&bytes), Some(dataset()));
        for end in 0..bytes.len() - 3 {
            assert_eq!(Dataset::from_bytes(&bytes[..end]), None);
        }
    }

    #[test]
    fn rare_terms_are_dropped_with_the_pairs_that_have_too_few_left() {
        let frequent = dataset().with_frequent_terms(2, 9);
        assert_eq!(frequent.terms, ["b", "c"]);
        assert_eq!(frequent.pair_count(), 1);
        assert_eq!(frequent.crates[0].pairs[0].query, [(0, 1.0), (1, 1.5)]);
        assert_eq!(dataset().with_frequent_terms(1, 1).terms, ["b"]);
    }

    #[test]
    fn a_source_folder_yields_pairs_with_sorted_terms() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("src")).unwrap();
        let text = "/// Opens the log file for writing.\npub fn open_log() { create(); }\n\
                    /// Closes every file that is open.\npub fn close_all() { drop(); }\n";
        std::fs::write(dir.path().join("src/lib.rs"), text).unwrap();
        let pin = Pin {
            name: "logs".to_owned(),
            version: "1.0.0".to_owned(),
            checksum: String::new(),
            licence: "MIT".to_owned(),
        };
        let folders = [dir.path().to_owned()];
        let held_out = SortedSet::from(["Closes every file that is open.".to_owned()]);
        let all =
            Dataset::extract(std::slice::from_ref(&pin), &folders, &SortedSet::new(), 2).unwrap();
        assert_eq!(all.pair_count(), 2);
        assert!(all.terms.is_sorted());
        let some = Dataset::extract(&[pin], &folders, &held_out, 1).unwrap();
        assert_eq!(some.pair_count(), 1);
    }
}
