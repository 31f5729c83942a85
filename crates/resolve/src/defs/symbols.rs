//! Interned identifiers: equal names have equal numbers. Those that resolution uses itself are
//! constants.

use super::{Prim, Symbol};
use crate::keys::Mix;

/// Identifiers that resolution uses itself; interned first, so their indices are constants.
pub(crate) mod sym {
    use super::Symbol;

    pub(crate) const CRATE: Symbol = Symbol(0);
    pub(crate) const SELF: Symbol = Symbol(1);
    pub(crate) const SUPER: Symbol = Symbol(2);
    pub(crate) const SELF_TYPE: Symbol = Symbol(3);
    pub(crate) const DOLLAR_CRATE: Symbol = Symbol(4);
    pub(crate) const STD: Symbol = Symbol(5);
    pub(crate) const CORE: Symbol = Symbol(6);
    pub(crate) const ALLOC: Symbol = Symbol(7);
    pub(crate) const MAIN: Symbol = Symbol(8);
    /// The first built-in type; the others follow in the order of [`super::Prim::ALL`].
    pub(crate) const FIRST_PRIM: u32 = 9;
    pub(super) const NAMES: [&str; 9] =
        ["crate", "self", "super", "Self", "$crate", "std", "core", "alloc", "main"];
}

/// All identifiers of one map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    text: String,
    /// The end of each symbol's text.
    ends: Vec<u32>,
    hashes: Vec<u64>,
    /// Open addressing: index of the symbol + 1, 0 is free.
    table: Vec<u32>,
    /// The names of each source, from [`super::DefSource::names`] on.
    pub(super) of_sources: Vec<Symbol>,
}

impl Symbols {
    /// A table with the identifiers of [`sym`].
    pub(crate) fn new() -> Self {
        let mut it = Self { table: vec![0; 1 << 12], ..Self::default() };
        for name in sym::NAMES {
            it.intern(name);
        }
        for prim in Prim::ALL {
            it.intern(prim.as_str());
        }
        it
    }

    /// The built-in type of this name.
    pub(crate) fn prim(symbol: Symbol) -> Option<Prim> {
        Prim::ALL.get(symbol.0.checked_sub(sym::FIRST_PRIM)? as usize).copied()
    }

    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        let idx = symbol.0 as usize;
        let start = idx.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[idx] as usize]
    }

    /// A hash that is the same in every build.
    pub(crate) fn hash(&self, symbol: Symbol) -> u64 {
        self.hashes[symbol.0 as usize]
    }

    pub(crate) fn get(&self, text: &str) -> Option<Symbol> {
        if self.table.is_empty() {
            return None;
        }
        self.slot(text, Mix::new(0).text(text).finish()).ok()
    }

    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        if self.ends.len() * 2 >= self.table.len() {
            self.grow();
        }
        let hash = Mix::new(0).text(text).finish();
        match self.slot(text, hash) {
            Ok(symbol) => symbol,
            Err(free) => {
                let symbol = Symbol(self.ends.len() as u32);
                self.text.push_str(text);
                self.ends.push(self.text.len() as u32);
                self.hashes.push(hash);
                self.table[free] = symbol.0 + 1;
                symbol
            }
        }
    }

    /// The symbol of a text, or the free slot for it.
    fn slot(&self, text: &str, hash: u64) -> Result<Symbol, usize> {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.table[at].checked_sub(1) {
                None => return Err(at),
                Some(number) => {
                    let symbol = Symbol(number);
                    if self.hashes[number as usize] == hash && self.text(symbol) == text {
                        return Ok(symbol);
                    }
                }
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let len = (self.table.len() * 2).max(1 << 12);
        self.table = vec![0; len];
        for (number, hash) in self.hashes.iter().enumerate() {
            let mut at = *hash as usize & (len - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (len - 1);
            }
            self.table[at] = number as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_symbol_and_predefined_names_have_fixed_indices() {
        let mut symbols = Symbols::new();
        assert_eq!(symbols.get("$crate"), Some(sym::DOLLAR_CRATE));
        assert_eq!(symbols.get("main"), Some(sym::MAIN));
        for prim in Prim::ALL {
            assert_eq!(Symbols::prim(symbols.get(prim.as_str()).unwrap()), Some(prim));
        }
        let all: Vec<_> = (0..20_000).map(|it| symbols.intern(&format!("name{it}"))).collect();
        for (it, symbol) in all.iter().enumerate() {
            assert_eq!(symbols.text(*symbol), format!("name{it}"));
            assert_eq!(symbols.get(&format!("name{it}")), Some(*symbol));
        }
        assert_eq!(symbols.get("absent"), None);
        assert_eq!(Symbols::prim(sym::MAIN), None);
    }
}
