use base::{EdgeKind, ItemId, Tier};

use crate::data::ItemKind;
use crate::item::ItemView;
use crate::layout::{Section, bucket, hash_of_name};
use crate::map::Map;

impl Map {
    /// The item of this id.
    pub fn by_id(&self, id: ItemId) -> Option<u32> {
        let sorted = self.column(Section::ById);
        let at = sorted.partition_point(|n| self.id(n).is_some_and(|other| other < id));
        sorted.get(at).filter(|n| self.id(*n) == Some(id))
    }

    /// The item of this key.
    pub fn by_key(&self, key: &str) -> Option<u32> {
        let has_key = |item: &ItemView<'_>| item.key() == key;
        // A key begins with its file: only that file's items are read, where there is one.
        let in_file = self
            .files()
            .filter(|file| key.starts_with(&crate::layout::key_head(file.path)))
            .flat_map(|file| self.items_of_file(file.number))
            .filter_map(|number| self.item(number))
            .find(has_key);
        let found = in_file.map(|item| item.number);
        found.or_else(|| {
            self.items_with_canons()
                .find(|(item, canon)| item.key_behind(canon) == key)
                .map(|(item, _)| item.number)
        })
    }

    /// The items of this canonical path, twins included.
    pub fn by_canon(&self, canon: &str) -> Vec<u32> {
        self.items_with_canons()
            .filter(|(_, other)| other == canon)
            .map(|(item, _)| item.number)
            .collect()
    }

    /// The items of this name, in their order.
    pub fn by_name(&self, name: &str) -> Vec<u32> {
        self.named(name).collect()
    }

    /// The items of this name, in their order, one by one: some names have thousands.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = u32> + 'a {
        let starts = self.column(Section::NameStarts);
        let numbers = self.column(Section::ByName);
        let range = starts.range(bucket(hash_of_name(name), starts.len().saturating_sub(1)));
        range
            .take(numbers.len())
            .filter_map(move |at| numbers.get(at))
            .filter(move |number| self.item(*number).is_some_and(|item| item.name() == name))
    }

    /// What a person may mean by `query`: an id, a key, a canonical path with or without its
    /// crate, or the end of one (`Type::method`, `method`). The items of the best kind of match,
    /// in their order: one, or several where it is ambiguous.
    pub fn find(&self, query: &str) -> Vec<u32> {
        let query = query.trim();
        if let Some(number) = ItemId::parse(query).and_then(|id| self.by_id(id)) {
            return vec![number];
        }
        if query.is_empty() {
            return Vec::new();
        }
        let asked = Asked::new(query);
        // Nearly everything is found by its name alone; impls, macros and slips of case are not.
        let mut best = Best::default();
        let mut near = self.by_name(asked.last);
        near.extend(self.by_name(query));
        near.sort_unstable();
        near.dedup();
        for item in near.into_iter().filter_map(|number| self.item(number)) {
            best.take(asked.rank(&item, &item.canon()), item);
        }
        if best.rank < Rank::Suffix {
            let mut canon = Vec::new();
            for item in self.items() {
                item.continue_canon(&mut canon);
                let Ok(canon) = std::str::from_utf8(&canon) else { continue };
                if asked.is_near(&item, canon) {
                    let rank = asked.rank(&item, canon);
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
        if best.rank < Rank::Key
            && let Some(meant) = self.imported(&found, asked.last)
        {
            return vec![meant];
        }
        found.into_iter().map(|item| item.number).collect()
    }

    /// The one item that all of these imports bring: who writes the path of a re-export means what
    /// stands behind it.
    fn imported(&self, found: &[ItemView<'_>], name: &str) -> Option<u32> {
        if !found.iter().all(|item| item.kind == ItemKind::Import) {
            return None;
        }
        let brought = found.iter().flat_map(|item| self.edges_out(item.number));
        let brought = brought.filter(|it| it.kind == EdgeKind::Uses && it.tier == Tier::Proven);
        let mut meant: Vec<_> = brought.filter_map(|edge| self.item(edge.dst)).collect();
        // One of many that a list brings, unless it is renamed.
        narrow(&mut meant, |item| item.name() == name);
        meant.sort_by_key(|item| item.number);
        meant.dedup_by_key(|item| item.number);
        match meant.as_slice() {
            [one] => Some(one.number),
            _ => None,
        }
    }

    /// The names nearest to a query that nothing was found for, best first, as canonical paths.
    pub fn nearest(&self, query: &str, most: usize) -> Vec<String> {
        let name = segments(query).last().copied().unwrap_or_default().to_lowercase();
        let limit = (name.chars().count() / 3).clamp(1, 3);
        let mut near: Vec<(usize, String)> = Vec::new();
        for (item, canon) in self.items_with_canons() {
            if is_mention(item.kind) || item.kind == ItemKind::Impl {
                continue;
            }
            let other = item.name().to_lowercase();
            let distance = if other.starts_with(&name) && name.len() >= 3 {
                1
            } else {
                distance(&name, &other, limit)
            };
            if distance <= limit {
                near.push((distance, canon));
            }
        }
        near.sort();
        near.dedup();
        near.into_iter().take(most).map(|(_, canon)| canon).collect()
    }
}

/// The best matches so far.
#[derive(Default)]
struct Best<'a> {
    rank: Rank,
    found: Vec<ItemView<'a>>,
}

impl<'a> Best<'a> {
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

/// A query, taken apart once.
struct Asked<'q> {
    query: &'q str,
    segments: Vec<&'q str>,
    last: &'q str,
    lower: String,
}

impl<'q> Asked<'q> {
    fn new(query: &'q str) -> Self {
        let segments = segments(query);
        let last = segments.last().copied().unwrap_or_default();
        Self { query, segments, last, lower: query.to_lowercase() }
    }

    /// Whether it is worth the while to rank the item: nearly all are not.
    fn is_near(&self, item: &ItemView<'_>, canon: &str) -> bool {
        // The end of a path in brackets is an impl, which a type's name may mean.
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
        if item.key_behind(canon) == self.query {
            return Rank::Key;
        }
        let is_header = canon.ends_with('>') && self.query.contains(" for ");
        if is_header && item.name() == self.query {
            return Rank::Name;
        }
        let parts = segments(canon);
        let Some((krate, inside)) = parts.split_first() else { return Rank::None };
        if let Some((head, rest)) = self.segments.split_first()
            && rest.len() == inside.len()
            && is_crate(head, krate)
            && ends_with(inside, rest) == Match::Whole
        {
            return Rank::Short;
        }
        // The name of an impl of a type is the type's: it is the type that is meant.
        if item.name() == self.query {
            return if canon.ends_with('>') { Rank::Part } else { Rank::Suffix };
        }
        match ends_with(&parts, &self.segments) {
            Match::Whole => return Rank::Suffix,
            Match::Part | Match::Own => return Rank::Part,
            Match::No => {}
        }
        let lower = canon.to_lowercase();
        match ends_with(&segments(&lower), &segments(&self.lower)) {
            Match::No => Rank::None,
            Match::Part | Match::Own => Rank::CasePart,
            Match::Whole => Rank::Case,
        }
    }
}

/// How well an item answers a query.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    #[default]
    None,
    /// Both of the two below.
    CasePart,
    /// But for upper and lower case.
    Case,
    /// `Type::method` for `<Type as Trait>::method`.
    Part,
    /// The end of the path.
    Suffix,
    /// The whole name of what stands under another one (impls).
    Name,
    /// `crate::module::Item`.
    Short,
    Key,
    Canon,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    No,
    /// By the type or trait of `<Type as Trait>`.
    Part,
    /// By the type of `<Type>`.
    Own,
    Whole,
}

/// Keeps those that hold, if any does.
fn narrow<T>(found: &mut Vec<T>, holds: impl Fn(&T) -> bool) {
    if found.iter().any(&holds) {
        found.retain(holds);
    }
}

/// Mentions something that is defined elsewhere, or is no code.
fn is_mention(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Import | ItemKind::External | ItemKind::MacroCall | ItemKind::File)
}

/// The parts of a path; `::` inside brackets parts nothing.
fn segments(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    let mut before = 0;
    for (at, byte) in path.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            // Of `->` the arrow's head closes nothing.
            b'>' if before == b'-' => {}
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b':' if before == b':' && depth == 0 && at > start => {
                parts.push(&path[start..at - 1]);
                start = at + 1;
            }
            _ => {}
        }
        before = byte;
    }
    parts.push(&path[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// `tokio`, `tokio/tokio` or `crate` for the crate `tokio/tokio`.
fn is_crate(wanted: &str, krate: &str) -> bool {
    let target = krate.rsplit('/').next().unwrap_or(krate);
    wanted == "crate" || wanted == krate || wanted == target || wanted == target.replace('-', "_")
}

fn ends_with(parts: &[&str], wanted: &[&str]) -> Match {
    let Some(skipped) = parts.len().checked_sub(wanted.len()) else { return Match::No };
    let mut all = Match::Whole;
    for (n, (part, wanted)) in parts[skipped..].iter().zip(wanted).enumerate() {
        let of_crate = skipped == 0 && n == 0 && is_crate(wanted, part);
        let is_last = n + 1 == parts.len() - skipped;
        match if of_crate { Match::Whole } else { matches(part, wanted) } {
            // A member of `<Type>` is the type's own; `<Type>` itself is an impl, not the type.
            Match::Own if is_last => all = Match::Part,
            Match::Own => {}
            Match::No => return Match::No,
            Match::Part => all = Match::Part,
            Match::Whole => {}
        }
    }
    all
}

/// Whether `wanted` names the segment: wholly, or by the type or trait of `<Type as Trait>`.
fn matches(part: &str, wanted: &str) -> Match {
    if part == wanted {
        return Match::Whole;
    }
    let Some(inner) = part.strip_prefix('<').and_then(|part| part.strip_suffix('>')) else {
        return Match::No;
    };
    let names = |text: &str| text == wanted || bare(text) == wanted;
    // The outermost ` as `, not one of an inner `<A as B>`.
    let mut depth = 0usize;
    for (at, ch) in inner.char_indices() {
        match ch {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && inner[at..].starts_with(" as ") => {
                let is_named = names(&inner[..at]) || names(&inner[at + 4..]);
                return if is_named { Match::Part } else { Match::No };
            }
            _ => {}
        }
    }
    if names(inner) { Match::Own } else { Match::No }
}

/// The last name of a type, without its arguments and references: `io::Reader<R>` gives `Reader`.
fn bare(text: &str) -> &str {
    let text = text.trim_start_matches(['&', '*', ' ']);
    let text = text.strip_prefix("mut ").unwrap_or(text);
    let text = text.split('<').next().unwrap_or(text);
    text.rsplit("::").next().unwrap_or(text)
}

/// How many characters to put in, take out, change or swap; above `limit` some number above it.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut older = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, cb) in b.iter().enumerate() {
            let change = above[j] + usize::from(ca != cb);
            let mut least = change.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *ca == b[j - 1] && a[i - 1] == *cb {
                least = least.min(older[j - 1] + 1);
            }
            row.push(least);
        }
        older = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(limit + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_inside_brackets_part_nothing() {
        assert_eq!(segments("a/b::m::<x::T as y::Tr>::f"), ["a/b", "m", "<x::T as y::Tr>", "f"]);
        assert_eq!(segments("<F: Fn(u8) -> a::B>::c"), ["<F: Fn(u8) -> a::B>", "c"]);
        assert_eq!(segments("::std::io"), ["std", "io"]);
    }

    #[test]
    fn a_type_is_named_without_its_arguments() {
        assert!(matches("<io::Reader<R> as Read>", "Reader") == Match::Part);
        assert!(matches("<&mut Reader<R> as Read>", "Read") == Match::Part);
        assert!(matches("<Reader<R>>", "Reader") == Match::Own);
        assert!(matches("Reader", "Read") == Match::No);
    }

    #[test]
    fn swapped_letters_are_one_step() {
        assert_eq!(distance("reader", "raeder", 3), 1);
        assert_eq!(distance("a", "abcdef", 2), 3);
    }
}
