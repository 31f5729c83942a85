//! [`RowSet`]: a bit set of row numbers.

/// A set of row numbers, one bit each: the scope of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSet {
    words: Vec<u64>,
    len: usize,
}

impl RowSet {
    /// An empty set of numbers below `rows`.
    pub(crate) fn new(rows: usize) -> Self {
        Self { words: vec![0; rows.div_ceil(64)], len: 0 }
    }

    /// Clears it for numbers below `rows`, reusing its memory.
    pub(crate) fn fit(&mut self, rows: usize) {
        self.words.clear();
        self.words.resize(rows.div_ceil(64), 0);
        self.len = 0;
    }

    /// Adds a number; numbers out of range are ignored.
    pub(crate) fn insert(&mut self, row: u32) {
        if let Some(word) = self.words.get_mut(row as usize / 64) {
            let bit = 1 << (row % 64);
            self.len += usize::from(*word & bit == 0);
            *word |= bit;
        }
    }

    /// Removes a number.
    pub(crate) fn remove(&mut self, row: u32) {
        if let Some(word) = self.words.get_mut(row as usize / 64) {
            let bit = 1 << (row % 64);
            self.len -= usize::from(*word & bit != 0);
            *word &= !bit;
        }
    }

    /// Whether a number is in the set.
    pub(crate) fn contains(&self, row: u32) -> bool {
        self.words.get(row as usize / 64).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(idx, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.checked_sub(1)?;
                Some(idx as u32 * 64 + bit)
            })
        })
    }
}

impl FromIterator<u32> for RowSet {
    fn from_iter<I: IntoIterator<Item = u32>>(rows: I) -> Self {
        let rows: Vec<u32> = rows.into_iter().collect();
        let mut set = Self::new(rows.iter().max().map_or(0, |row| *row as usize + 1));
        rows.into_iter().for_each(|row| set.insert(row));
        set
    }
}
