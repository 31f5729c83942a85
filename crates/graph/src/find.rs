//! Lookup of items by id, key, place, canonical path and name, and [`Map::find`], which resolves what a
//! user typed. Every lookup returns item numbers; none of them ranks by relevance (see `search`).
use base::{EdgeKind, ItemId, ItemKind, Tier};

use crate::item::ItemView;
use crate::layout::{Section, bucket, hash_of_name};
use crate::map::Map;
use crate::path_match::{Match, ends_with, is_crate, segments, without_raw};

impl Map {
    /// The item with this id.
    pub fn by_id(&self, id: ItemId) -> Option<u32> {
        let sorted = self.column(Section::ById);
        let at = sorted.partition_point(|n| self.id(n).is_some_and(|other| other < id));
        sorted.get(at).filter(|n| self.id(*n) == Some(id))
    }

    /// The items with this canonical path, cfg alternatives included.
    pub fn by_canon(&self, canon: &str) -> Vec<u32> {
        self.items_with_canons()
            .filter(|(_, other)| other == canon)
            .map(|(item, _)| item.number)
            .collect()
    }

    /// The items with this name, by number.
    pub fn by_name(&self, name: &str) -> Vec<u32> {
        self.named(name).collect()
    }

    /// The items with this name, by number, lazily: some names have thousands.
    pub(crate) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = u32> + 'a {
        let starts = self.column(Section::NameStarts);
        let numbers = self.column(Section::ByName);
        let range = starts.range(bucket(hash_of_name(name), starts.len().saturating_sub(1)));
        range
            .take(numbers.len())
            .filter_map(move |at| numbers.get(at))
            .filter(move |number| self.item(*number).is_some_and(|item| item.name() == name))
    }

    /// The items that a user's `query` may mean: an id, a key, a place (`src/lib.rs:7`), a canonical
    /// path with or without its crate, or the end of one (`Type::method`, `method`). Returns the items
    /// of the best rank of match, by number: one, or several where the query is ambiguous.
    ///
    /// Raw identifiers are written with or without `r#`, macros with or without `!`, and a path through
    /// re-exports means what they lead to. Case is ignored where nothing matches as written and the path does not
    /// begin with a type or trait that does: for questions. What edits calls [`Map::find_exact`].
    pub fn find(&self, query: &str) -> Vec<u32> {
        let (exact, other_case) = self.find_both(query, |_| true);
        if exact.is_empty() && !self.has_owner(query) { other_case } else { exact }
    }

    /// The same as [`Map::find`] with the case of every name as in `query`: an edit must not change an
    /// item that was not named. What is no code of the project, such as a dependency or a feature, hides no item.
    pub fn find_exact(&self, query: &str) -> Vec<u32> {
        let is_code = |it: ItemKind| {
            use ItemKind as K;
            !matches!(it, K::External | K::Feature | K::File | K::MacroCall)
        };
        self.find_both(query, is_code).0
    }

    /// The items of these kinds that match as written, and those that match ignoring case.
    fn find_both(&self, query: &str, takes: fn(ItemKind) -> bool) -> (Vec<u32>, Vec<u32>) {
        let query = &without_raw(query.trim());
        let (found, rank) = self.find_ranked(query, takes);
        if rank >= Rank::Part {
            return (found, Vec::new());
        }
        if !query.ends_with('!') && !query.is_empty() {
            let (macros, rank) = self.find_ranked(&format!("{query}!"), takes);
            if rank >= Rank::Part {
                return (macros, Vec::new());
            }
        }
        let reexported = self.through_reexports(query, |path| {
            let (found, rank) = self.find_ranked(path, takes);
            if rank >= Rank::Part { found } else { Vec::new() }
        });
        (reexported, found)
    }

    /// Whether the path before the last name of a query is that of a type or trait, which has no item of
    /// that name then.
    fn has_owner(&self, query: &str) -> bool {
        let is_owner = |it: u32| {
            self.item(it).is_some_and(|it| {
                use ItemKind as K;
                matches!(it.kind, K::Struct | K::Enum | K::Union | K::Trait | K::TypeAlias)
            })
        };
        let owner = query.rsplit_once("::").map_or("", |it| it.0);
        self.find_exact(owner).into_iter().any(is_owner)
    }

    /// The items of the best rank of match, of these kinds, and the rank.
    fn find_ranked(&self, query: &str, takes: fn(ItemKind) -> bool) -> (Vec<u32>, Rank) {
        if let Some(number) = ItemId::parse(query).and_then(|id| self.by_id(id)) {
            return (vec![number], Rank::Canon);
        }
        if query.is_empty() {
            return (Vec::new(), Rank::None);
        }
        if let Some(number) = self.at_place(query) {
            return (vec![number], Rank::Canon);
        }
        let parsed = ParsedQuery::new(query);
        // The name index finds nearly everything; impls, macros and wrong case need the full scan.
        let mut best = BestMatches::default();
        let mut near = self.by_name(parsed.last);
        near.extend(self.by_name(query));
        near.sort_unstable();
        near.dedup();
        let near = near.into_iter().filter_map(|number| self.item(number));
        for item in near.filter(|it| takes(it.kind)) {
            best.take(parsed.rank(&item, &item.canon()), item);
        }
        if best.rank < Rank::Suffix {
            let mut canon = Vec::new();
            for item in self.items() {
                item.continue_canon(&mut canon);
                let Ok(canon) = std::str::from_utf8(&canon) else { continue };
                if takes(item.kind) && parsed.is_near(&item, canon) {
                    let rank = parsed.rank(&item, canon);
                    if !(rank == best.rank && best.found.iter().any(|b| b.number == item.number)) {
                        best.take(rank, item);
                    }
                }
            }
            best.found.sort_by_key(|item| item.number);
        }
        let mut found = best.found;
        narrow(&mut found, |item| !is_mention(item.kind));
        narrow(&mut found, |item| !item.flags.is_inactive);
        narrow(&mut found, |item| !item.flags.is_local);
        if best.rank == Rank::Suffix {
            narrow(&mut found, |item| item.kind != ItemKind::Crate);
        }
        if best.rank < Rank::Key
            && let Some(target) = self.imported(&found, parsed.last)
        {
            return (vec![target], best.rank);
        }
        (found.into_iter().map(|item| item.number).collect(), best.rank)
    }

    /// The innermost item at `FILE:LINE`; `None` if the query is no such place, or nothing is there.
    fn at_place(&self, query: &str) -> Option<u32> {
        let (path, line) = query.rsplit_once(':')?;
        let line: u32 = line.parse().ok()?;
        let file = self.file_by_path(path.trim_start_matches("./"))?;
        self.innermost(file, |item| (item.line..=item.end_line).contains(&line))
    }

    /// The one item that all of these imports resolve to: the path of a re-export means the
    /// re-exported item.
    fn imported(&self, found: &[ItemView<'_>], name: &str) -> Option<u32> {
        if !found.iter().all(|item| item.kind == ItemKind::Import) {
            return None;
        }
        let imported = found.iter().flat_map(|item| self.edges_out(item.number));
        let imported = imported.filter(|it| it.kind == EdgeKind::Uses && it.tier == Tier::Proven);
        let mut target: Vec<_> = imported.filter_map(|edge| self.item(edge.dst)).collect();
        // A `use` list imports several items: take the one of this name, unless it is renamed.
        narrow(&mut target, |item| item.name() == name);
        target.sort_by_key(|item| item.number);
        target.dedup_by_key(|item| item.number);
        match target.as_slice() {
            [one] => Some(one.number),
            _ => None,
        }
    }

    /// The canonical paths with the names most similar to a query without matches, best first.
    pub fn nearest(&self, query: &str, limit: usize) -> Vec<String> {
        let name = segments(query).last().copied().unwrap_or_default().to_lowercase();
        let max_distance = (name.chars().count() / 3).clamp(1, 3);
        let mut near: Vec<(usize, String)> = Vec::new();
        for (item, canon) in self.items_with_canons() {
            if is_mention(item.kind) || item.kind == ItemKind::Impl {
                continue;
            }
            let other = item.name().to_lowercase();
            let distance = if other.starts_with(&name) && name.len() >= 3 {
                1
            } else {
                distance(&name, &other, max_distance)
            };
            if distance <= max_distance {
                near.push((distance, canon));
            }
        }
        near.sort();
        near.dedup();
        near.into_iter().take(limit).map(|(_, canon)| canon).collect()
    }
}

/// The matches of the best rank so far.
#[derive(Default)]
struct BestMatches<'a> {
    rank: Rank,
    found: Vec<ItemView<'a>>,
}

impl<'a> BestMatches<'a> {
    fn take(&mut self, rank: Rank, item: ItemView<'a>) {
        if rank > self.rank {
            self.rank = rank;
            self.found.clear();
        }
        if rank == self.rank && rank > Rank::None {
            self.found.push(item);
        }
    }
}

/// A query with its derived forms, computed once.
struct ParsedQuery<'q> {
    query: &'q str,
    segments: Vec<&'q str>,
    last: &'q str,
    lower: String,
}

impl<'q> ParsedQuery<'q> {
    fn new(query: &'q str) -> Self {
        let segments = segments(query);
        let last = segments.last().copied().unwrap_or_default();
        Self { query, segments, last, lower: query.to_lowercase() }
    }

    /// Whether the item can match at all: a quick test before ranking, false for nearly all items.
    fn is_near(&self, item: &ItemView<'_>, canon: &str) -> bool {
        // A path that ends in a bracket is an impl; its type's name may be target.
        canon.ends_with('>')
            || canon.len() >= self.last.len()
                && canon.as_bytes()[canon.len() - self.last.len()..]
                    .eq_ignore_ascii_case(self.last.as_bytes())
            || self.query.ends_with(&*item.name())
    }

    fn rank(&self, item: &ItemView<'_>, canon: &str) -> Rank {
        if canon == self.query {
            return Rank::Canon;
        }
        if item.key_with_canon(canon) == self.query {
            return Rank::Key;
        }
        let is_header = canon.ends_with('>') && self.query.contains(" for ");
        if is_header && item.name() == self.query {
            return Rank::Name;
        }
        let parts = segments(canon);
        let Some((krate, inside)) = parts.split_first() else { return Rank::None };
        // A test, bench or example may have the name of what it is about, which is meant more often.
        let is_side_target = inside.is_empty()
            && item.krate().is_some_and(|krate| matches!(krate.kind, "test" | "bench" | "example"));
        if let Some((head, rest)) = self.segments.split_first()
            && rest.len() == inside.len()
            && is_crate(head, krate)
            && !is_side_target
            && ends_with(inside, rest) == Match::Whole
        {
            return Rank::Short;
        }
        // An impl has the name of its type: the type itself is the better match.
        if item.name() == self.query {
            return if canon.ends_with('>') { Rank::Part } else { Rank::Suffix };
        }
        match ends_with(&parts, &self.segments) {
            Match::Whole => return Rank::Suffix,
            Match::TypeOrTrait | Match::InherentType => return Rank::Part,
            Match::None => {}
        }
        let lower = canon.to_lowercase();
        match ends_with(&segments(&lower), &segments(&self.lower)) {
            Match::None => Rank::None,
            Match::TypeOrTrait | Match::InherentType => Rank::PartIgnoreCase,
            Match::Whole => Rank::SuffixIgnoreCase,
        }
    }
}

/// How well an item matches a query, worst first.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    #[default]
    None,
    /// As `Part`, ignoring case.
    PartIgnoreCase,
    /// As `Suffix`, ignoring case.
    SuffixIgnoreCase,
    /// `Type::method` for `<Type as Trait>::method`.
    Part,
    /// The end of the canonical path.
    Suffix,
    /// The full name of an item whose path has another form (impls).
    Name,
    /// `crate::module::Item`.
    Short,
    Key,
    Canon,
}

/// Keeps the elements that satisfy `holds`, if there are any.
fn narrow<T>(found: &mut Vec<T>, holds: impl Fn(&T) -> bool) {
    if found.iter().any(&holds) {
        found.retain(holds);
    }
}

/// Whether the kind only refers to something defined elsewhere, or is not code.
fn is_mention(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Import | ItemKind::External | ItemKind::MacroCall | ItemKind::File)
}

/// The edit distance (insert, delete, replace, transpose); any number above `limit` where it is
/// larger.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    if a.chars().count().abs_diff(b.chars().count()) > limit {
        return limit + 1;
    }
    strsim::osa_distance(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_letters_are_one_step() {
        assert_eq!(distance("reader", "raeder", 3), 1);
        assert_eq!(distance("a", "abcdef", 2), 3);
    }
}
