//! [`SemanticCache`]: answers to questions that were asked before in other words.
//!
//! An answer is found only for the content of the code that it depends on, for a limited time, and only
//! if both questions have the same normal form (`normal`): the same content words in the same order, with
//! names, numbers and quoted texts unchanged. Similar vectors do not suffice: `enable x` and `disable x`
//! have them. Vectors only rank the questions with the same form, above a threshold.

mod normal;
mod tokens;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use base::{ContentHash, Ctx, Hint, Timestamp};
use search::{Encoder, Passage, StaticTable};
use serde::{Deserialize, Serialize};

use normal::normal_form;

/// Stores all entries, least recently used first. The error is reported to the caller of the operation.
pub type OnPersistCache<V> = Box<dyn FnMut(&[&CacheEntry<V>]) -> Result<(), String> + Send>;

/// How a [`SemanticCache`] begins, what it keeps, and where it is stored.
pub struct SemanticCacheConfig<V> {
    /// Receives all entries when they are to be stored.
    pub on_persist: Option<OnPersistCache<V>>,
    /// Entries to begin with, least recently used first.
    pub initial_entries: Vec<CacheEntry<V>>,
    /// Whether every change is stored at once. Off: [`SemanticCache::persist`] stores.
    pub auto_persist: bool,
    /// Time after which an answer is not returned.
    pub ttl: Duration,
    /// Minimum cosine of two questions with the same form.
    pub threshold: f32,
    /// Maximum number of entries; beyond it, the least recently used is removed.
    pub capacity: usize,
}

impl<V> Default for SemanticCacheConfig<V> {
    fn default() -> Self {
        Self {
            on_persist: None,
            initial_entries: Vec::new(),
            auto_persist: false,
            ttl: Duration::from_secs(24 * 60 * 60),
            threshold: 0.4,
            capacity: 1024,
        }
    }
}

/// An answer with its question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CacheEntry<V> {
    /// Question as it was asked.
    pub query: String,
    /// Hash of the code that the answer depends on.
    pub code: ContentHash,
    /// Answer.
    pub value: V,
    /// Time of the answer.
    pub created_at: Timestamp,
}

/// An answer that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheHit<'a, V> {
    /// Answer.
    pub value: &'a V,
    /// Question to which it was given.
    pub query: &'a str,
    /// Time of the answer.
    pub created_at: Timestamp,
    /// Cosine of the two questions; 1 for the same text.
    pub similarity: f32,
}

/// Why a cache could not be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    /// The function that stores failed. The change is in memory.
    #[error("the cache was not stored: {reason}")]
    Persist {
        /// The reason.
        reason: String,
    },
}

impl Hint for CacheError {
    fn hint(&self) -> Option<String> {
        None
    }
}

/// Answers by code and question.
///
/// Invariants: a hit has the code that was asked for, is not older than allowed and not from the future,
/// and its question has the normal form of the one that was asked. There are at most as many entries as
/// the capacity.
pub struct SemanticCache<V> {
    encoder: Arc<dyn Encoder>,
    /// Answers by code and normal form.
    slots: BTreeMap<(ContentHash, String), Vec<Slot<V>>>,
    len: usize,
    /// Number of the last use.
    uses: u64,
    on_persist: Option<OnPersistCache<V>>,
    auto_persist: bool,
    ttl: Duration,
    threshold: f32,
    capacity: usize,
}

struct Slot<V> {
    entry: CacheEntry<V>,
    question: Passage,
    used: u64,
}

impl<V> SemanticCache<V> {
    /// A cache with the initial entries. They are not stored again.
    pub fn new(config: SemanticCacheConfig<V>) -> Self {
        let mut cache = Self {
            encoder: Arc::new(StaticTable::embedded()),
            slots: BTreeMap::new(),
            len: 0,
            uses: 0,
            on_persist: config.on_persist,
            auto_persist: config.auto_persist,
            ttl: config.ttl,
            threshold: config.threshold,
            capacity: config.capacity,
        };
        config.initial_entries.into_iter().for_each(|entry| cache.insert(entry));
        cache
    }

    /// The answer to a question about this code: of several, the one to the most similar question, and of
    /// these the newest.
    pub fn get(&mut self, ctx: &Ctx, query: &str, code: ContentHash) -> Option<CacheHit<'_, V>> {
        let (now, ttl, threshold) = (ctx.now(), self.ttl, self.threshold);
        let question = Passage::new(&*self.encoder, query, "");
        let slots = self.slots.get_mut(&(code, normal_form(query)))?;
        let similarity = |slot: &Slot<V>| similarity(slot, query, &question);
        let fresh = slots.iter_mut().filter(|slot| is_fresh(slot.entry.created_at, now, ttl));
        let similar = fresh.map(|slot| (similarity(slot), slot)).filter(|(it, _)| *it >= threshold);
        let (similarity, slot) = similar.max_by(|(a, one), (b, other)| {
            a.total_cmp(b).then(one.entry.created_at.cmp(&other.entry.created_at))
        })?;
        self.uses += 1;
        slot.used = self.uses;
        let CacheEntry { query, value, created_at, .. } = &slot.entry;
        Some(CacheHit { value, query, created_at: *created_at, similarity })
    }

    /// Keeps an answer, given now. It replaces the one to the same text; answers that are too old are
    /// removed.
    ///
    /// # Errors
    /// [`CacheError::Persist`].
    pub fn put(
        &mut self,
        ctx: &Ctx,
        query: &str,
        code: ContentHash,
        value: V,
    ) -> Result<(), CacheError> {
        let (now, ttl) = (ctx.now(), self.ttl);
        self.retain(|entry| is_fresh(entry.created_at, now, ttl));
        self.insert(CacheEntry { query: query.to_owned(), code, value, created_at: now });
        self.persist_changed()
    }

    /// Removes the answers that depend on this code; their number.
    ///
    /// # Errors
    /// [`CacheError::Persist`].
    pub fn forget(&mut self, code: ContentHash) -> Result<usize, CacheError> {
        let before = self.len;
        self.retain(|entry| entry.code != code);
        if before > self.len {
            self.persist_changed()?;
        }
        Ok(before - self.len)
    }

    /// Removes all answers.
    ///
    /// # Errors
    /// [`CacheError::Persist`].
    pub fn clear(&mut self) -> Result<(), CacheError> {
        self.retain(|_| false);
        self.persist_changed()
    }

    /// The number of entries, those that are too old included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All entries, least recently used first.
    pub fn entries(&self) -> Vec<&CacheEntry<V>> {
        let mut slots: Vec<&Slot<V>> = self.slots.values().flatten().collect();
        slots.sort_by_key(|slot| slot.used);
        slots.into_iter().map(|slot| &slot.entry).collect()
    }

    /// Stores all entries with the function of the configuration; without one, nothing is done.
    ///
    /// # Errors
    /// The error of that function.
    pub fn persist(&mut self) -> Result<(), CacheError> {
        let Some(mut on_persist) = self.on_persist.take() else { return Ok(()) };
        let stored = on_persist(&self.entries());
        self.on_persist = Some(on_persist);
        stored.map_err(|reason| CacheError::Persist { reason })
    }

    fn persist_changed(&mut self) -> Result<(), CacheError> {
        if self.auto_persist { self.persist() } else { Ok(()) }
    }

    fn insert(&mut self, entry: CacheEntry<V>) {
        self.uses += 1;
        let question = Passage::new(&*self.encoder, &entry.query, "");
        let slots = self.slots.entry((entry.code, normal_form(&entry.query))).or_default();
        let before = slots.len();
        slots.retain(|slot| slot.entry.query != entry.query);
        self.len = self.len + slots.len() + 1 - before;
        slots.push(Slot { entry, question, used: self.uses });
        while self.len > self.capacity {
            let Some(oldest) = self.slots.values().flatten().map(|slot| slot.used).min() else {
                break;
            };
            self.retain_slots(|slot| slot.used != oldest);
        }
    }

    fn retain(&mut self, keep: impl Fn(&CacheEntry<V>) -> bool) {
        self.retain_slots(|slot| keep(&slot.entry));
    }

    fn retain_slots(&mut self, keep: impl Fn(&Slot<V>) -> bool) {
        self.slots.retain(|_, slots| {
            slots.retain(&keep);
            !slots.is_empty()
        });
        self.len = self.slots.values().map(Vec::len).sum();
    }
}

/// The cosine of two questions with the same form; 1 for the same text, and where no term of either is
/// known, so that there is nothing that differs.
fn similarity<V>(slot: &Slot<V>, query: &str, question: &Passage) -> f32 {
    let is_unknown = |question: &Passage| question.cosine(question) == 0.0;
    if slot.entry.query == query || (is_unknown(&slot.question) && is_unknown(question)) {
        return 1.0;
    }
    slot.question.cosine(question).min(1.0)
}

/// Whether an answer may be returned; one from the future may not, since its age is not known.
fn is_fresh(created_at: Timestamp, now: Timestamp, ttl: Duration) -> bool {
    let age = now.0.checked_sub(created_at.0);
    age.is_some_and(|age| u128::from(age) < ttl.as_micros())
}
