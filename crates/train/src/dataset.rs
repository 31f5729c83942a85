use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use search::{code_bag, query_bag};

use crate::suite::is_for_ranking;
use crate::{Pin, Sample, TrainError, samples_of_crate};

/// How many pairs one crate gives at most, taken evenly from its files: a large crate that was
/// made by a program says the same a thousand times.
const MOST_PAIRS: usize = 600;
/// How often one sentence counts among all crates.
const MOST_EQUALS: u32 = 2;
/// A document has no more different terms than this; those of least weight go.
const MOST_TERMS: usize = 400;

/// Terms by number, with their weights.
pub type Bag = Vec<(u32, f32)>;

/// A sentence and the code it speaks of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pair {
    /// The terms of the sentence.
    pub query: Bag,
    /// The terms of the code.
    pub document: Bag,
}

/// The pairs of one crate, in order of its files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CratePairs {
    /// Its name.
    pub name: String,
    /// Its pairs.
    pub pairs: Vec<Pair>,
}

/// All pairs, as numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dataset {
    /// The terms, sorted.
    pub words: Vec<String>,
    /// The crates, in order of their names.
    pub crates: Vec<CratePairs>,
}

impl Dataset {
    /// Reads the sources of all crates (`folders` in the order of `pins`). Sentences that stand in
    /// `forbidden` are left out.
    pub fn extract(
        pins: &[Pin],
        folders: &[PathBuf],
        forbidden: &BTreeSet<String>,
        threads: usize,
    ) -> Result<Self, TrainError> {
        let read = read_all(pins, folders, threads)?;
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut words: Vec<String> = Vec::new();
        let mut crates = Vec::new();
        for (pin, bags) in pins.iter().zip(read) {
            let kept: Vec<&Terms> = bags
                .pairs
                .iter()
                .filter(|terms| {
                    let count = seen.entry(terms.sentence.clone()).or_default();
                    *count += 1;
                    *count <= MOST_EQUALS && !forbidden.contains(&terms.sentence)
                })
                .collect();
            let mut number = |local: u32| {
                let word = bags.words.get(local as usize).map(String::as_str).unwrap_or_default();
                *numbers.entry(word.to_owned()).or_insert_with(|| {
                    words.push(word.to_owned());
                    words.len() as u32 - 1
                })
            };
            let step = kept.len().div_ceil(MOST_PAIRS).max(1);
            let mut pairs = Vec::new();
            for terms in kept.into_iter().step_by(step) {
                let mut global =
                    |bag: &Bag| bag.iter().map(|(word, weight)| (number(*word), *weight)).collect();
                let pair = Pair { query: global(&terms.query), document: global(&terms.document) };
                pairs.push(pair);
            }
            crates.push(CratePairs { name: pin.name.clone(), pairs });
        }
        Ok(Self { words, crates }.sorted())
    }

    /// How many pairs there are.
    pub fn pair_count(&self) -> usize {
        self.crates.iter().map(|it| it.pairs.len()).sum()
    }

    /// Without the crates that teach the ranker: what the table knows by heart would be worth more
    /// to it there than elsewhere.
    pub fn for_the_table(&self) -> Self {
        let crates = self.crates.iter().filter(|it| !is_for_ranking(&it.name));
        Self { words: self.words.clone(), crates: crates.cloned().collect() }
    }

    /// Only the words that stand in `least` pairs or more, and of them the `most` most frequent.
    /// Pairs of which one side has nothing left go.
    pub fn with_frequent_words(&self, least: u32, most: usize) -> Self {
        let counts = self.pair_counts();
        let mut order: Vec<usize> =
            (0..counts.len()).filter(|word| counts[*word] >= least).collect();
        order.sort_by_key(|word| (std::cmp::Reverse(counts[*word]), *word));
        order.truncate(most);
        order.sort_unstable();
        let mut numbers = vec![None; self.words.len()];
        for (new, old) in order.iter().enumerate() {
            numbers[*old] = Some(new as u32);
        }
        let keep = |bag: &Bag| -> Bag {
            let known = |(word, weight): &(u32, f32)| Some((numbers[*word as usize]?, *weight));
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
            words: order.iter().map(|word| self.words[*word].clone()).collect(),
        }
    }

    /// In how many pairs each word stands.
    pub fn pair_counts(&self) -> Vec<u32> {
        let mut counts = vec![0u32; self.words.len()];
        for pair in self.crates.iter().flat_map(|it| &it.pairs) {
            let words: BTreeSet<u32> =
                pair.query.iter().chain(&pair.document).map(|(word, _)| *word).collect();
            for word in words {
                counts[word as usize] += 1;
            }
        }
        counts
    }

    /// Numbers in the order of the words.
    fn sorted(mut self) -> Self {
        let mut order: Vec<u32> = (0..self.words.len() as u32).collect();
        order.sort_by(|a, b| self.words[*a as usize].cmp(&self.words[*b as usize]));
        let mut new = vec![0u32; order.len()];
        for (place, old) in order.iter().enumerate() {
            new[*old as usize] = place as u32;
        }
        self.words = order.iter().map(|old| self.words[*old as usize].clone()).collect();
        for pair in self.crates.iter_mut().flat_map(|it| &mut it.pairs) {
            for bag in [&mut pair.query, &mut pair.document] {
                bag.iter_mut().for_each(|(word, _)| *word = new[*word as usize]);
                bag.sort_unstable_by_key(|(word, _)| *word);
            }
        }
        self
    }

    /// As bytes, to keep between runs: counts and numbers of 32 bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut number = |number: u32| out.extend(number.to_le_bytes());
        let text = |number: &mut dyn FnMut(u32), text: &str| {
            number(text.len() as u32);
            text.bytes().for_each(|byte| number(u32::from(byte)));
        };
        number(search::TOKENIZER_VERSION);
        number(self.words.len() as u32);
        self.words.iter().for_each(|word| text(&mut number, word));
        number(self.crates.len() as u32);
        for it in &self.crates {
            text(&mut number, &it.name);
            number(it.pairs.len() as u32);
            for bag in it.pairs.iter().flat_map(|pair| [&pair.query, &pair.document]) {
                number(bag.len() as u32);
                for (word, weight) in bag {
                    number(*word);
                    number(weight.to_bits());
                }
            }
        }
        out
    }

    /// From those bytes; `None` where they are no such, or of another tokenizer.
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
            dataset.words.push(text(&mut numbers)?);
        }
        let known = dataset.words.len() as u32;
        for _ in 0..numbers.next()? {
            let mut it = CratePairs { name: text(&mut numbers)?, pairs: Vec::new() };
            for _ in 0..numbers.next()? {
                let mut bag = || -> Option<Bag> {
                    let len = numbers.next()?;
                    (0..len)
                        .map(|_| {
                            let word = numbers.next().filter(|word| *word < known)?;
                            Some((word, f32::from_bits(numbers.next()?)))
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

/// One pair of a crate, by numbers of the crate's own.
struct Terms {
    sentence: String,
    query: Bag,
    document: Bag,
}

#[derive(Default)]
struct CrateTerms {
    words: Vec<String>,
    pairs: Vec<Terms>,
}

/// Reads crates side by side; what comes out has the order of the pins.
fn read_all(
    pins: &[Pin],
    folders: &[PathBuf],
    threads: usize,
) -> Result<Vec<CrateTerms>, TrainError> {
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<Result<CrateTerms, TrainError>>>> =
        pins.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(pin), Some(folder)) = (pins.get(at), folders.get(at)) else { break };
                    let terms = crate_terms(&pin.name, folder);
                    if let Ok(mut slot) = done[at].lock() {
                        *slot = Some(terms);
                    }
                }
            });
        }
    });
    let taken = done.into_iter().map(|slot| slot.into_inner().ok().flatten());
    taken.map(|terms| terms.unwrap_or_else(|| Ok(CrateTerms::default()))).collect()
}

fn crate_terms(name: &str, folder: &Path) -> Result<CrateTerms, TrainError> {
    let mut out = CrateTerms::default();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    for sample in samples_of_crate(name, folder)? {
        let mut number = |bag: Vec<(String, f32)>| -> Bag {
            let mut number = |(word, weight): (String, f32)| {
                let next = out.words.len() as u32;
                let number = *numbers.entry(word).or_insert_with_key(|word| {
                    out.words.push(word.clone());
                    next
                });
                (number, weight)
            };
            bag.into_iter().map(&mut number).collect()
        };
        let (query, document) = bags_of(&sample);
        let terms =
            Terms { query: number(query), document: number(document), sentence: sample.query };
        out.pairs.push(terms);
    }
    Ok(out)
}

/// Words with their weights.
type Words = Vec<(String, f32)>;

fn bags_of(sample: &Sample) -> (Words, Words) {
    let mut document = code_bag(&sample.document(), &sample.path);
    if document.len() > MOST_TERMS {
        document.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        document.truncate(MOST_TERMS);
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
        let words = ["a", "b", "c"].map(str::to_owned).to_vec();
        let crates = vec![CratePairs { name: "x".to_owned(), pairs: vec![pair(0, 1), pair(1, 1)] }];
        Dataset { words, crates }
    }

    #[test]
    fn bytes_give_back_the_same_pairs_and_damage_gives_none() {
        let bytes = dataset().to_bytes();
        assert_eq!(Dataset::from_bytes(&bytes), Some(dataset()));
        for end in 0..bytes.len() - 3 {
            assert_eq!(Dataset::from_bytes(&bytes[..end]), None);
        }
    }

    #[test]
    fn rare_words_go_and_pairs_that_say_nothing_without_them() {
        let frequent = dataset().with_frequent_words(2, 9);
        assert_eq!(frequent.words, ["b", "c"]);
        assert_eq!(frequent.pair_count(), 1);
        assert_eq!(frequent.crates[0].pairs[0].query, [(0, 1.0), (1, 1.5)]);
        assert_eq!(dataset().with_frequent_words(1, 1).words, ["b"]);
    }

    #[test]
    fn a_folder_of_sources_gives_pairs_with_sorted_words() {
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
        let forbidden = BTreeSet::from(["Closes every file that is open.".to_owned()]);
        let all =
            Dataset::extract(std::slice::from_ref(&pin), &folders, &BTreeSet::new(), 2).unwrap();
        assert_eq!(all.pair_count(), 2);
        assert!(all.words.is_sorted());
        let some = Dataset::extract(&[pin], &folders, &forbidden, 1).unwrap();
        assert_eq!(some.pair_count(), 1);
    }
}
