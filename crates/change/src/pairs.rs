//! Which definition of the present tree is which of the base.

use base::{ProjectPath, SortedMap, SortedSet};
use preserve::outline::{TokenKind, tokens};
use refactor::spelled;
use refactor::words;
use syntax::places::{Definition, DefinitionKind, Places, places};

use crate::Difference;

/// A definition with the text that it is in.
#[derive(Clone, Copy)]
pub(crate) struct Located<'a> {
    pub(crate) path: &'a ProjectPath,
    pub(crate) text: &'a str,
    pub(crate) definition: &'a Definition,
}

impl<'a> Located<'a> {
    pub(crate) fn slice(&self, span: base::ByteSpan) -> &'a str {
        span.slice(self.text).unwrap_or("")
    }
}

/// The places of both sides of each file.
pub(crate) struct Read<'a> {
    files: Vec<(&'a ProjectPath, &'a str, Places)>,
}

impl<'a> Read<'a> {
    pub(crate) fn of(texts: impl Iterator<Item = (&'a ProjectPath, Option<&'a str>)>) -> Self {
        let read = texts.filter_map(|(path, text)| Some((path, text?, places(text?))));
        Self { files: read.collect() }
    }

    pub(crate) fn definitions(&self) -> impl Iterator<Item = Located<'_>> {
        self.files.iter().flat_map(|(path, text, places)| {
            places.definitions.iter().map(|definition| Located { path, text, definition })
        })
    }
}

impl Read<'_> {
    /// Whether no other definition of its file is around a definition.
    pub(crate) fn is_outermost(&self, it: &Located<'_>) -> bool {
        let own = self.files.iter().filter(|(path, ..)| *path == it.path);
        let mut all = own.flat_map(|(_, _, places)| &places.definitions);
        !all.any(|other| other.body.is_some_and(|body| body.contains(it.definition.span)))
    }
}

/// A definition of the base and the same one now.
pub(crate) struct Pair<'a> {
    pub(crate) base: Located<'a>,
    pub(crate) now: Located<'a>,
    /// In percent.
    pub(crate) confidence: u8,
}

/// The definitions that both sides have, and those that one side has alone.
pub(crate) struct Pairs<'a> {
    pub(crate) both: Vec<Pair<'a>>,
    pub(crate) removed: Vec<Located<'a>>,
    pub(crate) added: Vec<Located<'a>>,
}

/// Least likeness of a renamed definition, from 0 to 1.
const LEAST: f64 = 0.5;

type Key<'a> = (DefinitionKind, &'a str, Option<&'a str>, &'a str);

fn key<'a>(it: &Located<'a>) -> Key<'a> {
    let definition = it.definition;
    (definition.kind, &definition.owner, definition.of_trait.as_deref(), &definition.name)
}

impl<'a> Pairs<'a> {
    pub(crate) fn of(base: &'a Read<'_>, now: &'a Read<'_>) -> Self {
        let mut pairs = Self {
            both: Vec::new(),
            removed: base.definitions().collect(),
            added: now.definitions().collect(),
        };
        // Of several of one name, behind different `cfg`s, first those that are as they were.
        let written = |it: &Located<'a>| it.slice(it.definition.span);
        pairs.take_equal(|a, b| a.path == b.path && key(a) == key(b) && written(a) == written(b));
        pairs.take_equal(|a, b| a.path == b.path && key(a) == key(b));
        pairs.take_equal(|a, b| key(a) == key(b));
        // Types first: their members are found by the new name of the owner.
        pairs.take_renamed(|kind| !is_member(kind), (base, now));
        let renamed: SortedMap<&str, &str> = pairs
            .both
            .iter()
            .map(|it| (it.base.definition.name.as_str(), it.now.definition.name.as_str()))
            .filter(|(a, b)| a != b)
            .collect();
        let owner = |it: &str| renamed.get(it).copied().unwrap_or(it).to_owned();
        pairs.take_equal(|a, b| {
            let (x, y) = (a.definition, b.definition);
            x.kind == y.kind && x.name == y.name && owner(&x.owner) == y.owner
        });
        pairs.take_renamed(is_member, (base, now));
        pairs.take_modules();
        pairs
    }

    /// Pairs a removed module with the new one to whose file most of its definitions went.
    fn take_modules(&mut self) {
        let is_module = |it: &Located<'_>| it.definition.kind == DefinitionKind::Module;
        let mut left = Vec::new();
        for module in std::mem::take(&mut self.removed) {
            let went = |to: &Located<'_>| {
                let both = self.both.iter().filter(|it| {
                    module_of(it.base.path) == module.definition.name
                        && module_of(it.now.path) == to.definition.name
                });
                both.count()
            };
            let candidates =
                self.added.iter().enumerate().filter(|(_, it)| {
                    is_module(&module) && is_module(it) && it.path == module.path
                });
            let best = candidates
                .map(|(at, it)| (went(it), std::cmp::Reverse(at)))
                .max()
                .filter(|(count, _)| *count > 0);
            match best {
                Some((_, std::cmp::Reverse(at))) => {
                    let now = self.added.remove(at);
                    self.both.push(Pair { base: module, now, confidence: 90 });
                }
                None => left.push(module),
            }
        }
        self.removed = left;
    }

    /// Pairs what is left, in the order of the base, each with the first that is equal.
    fn take_equal(&mut self, equal: impl Fn(&Located<'a>, &Located<'a>) -> bool) {
        let mut left = Vec::new();
        for a in std::mem::take(&mut self.removed) {
            match self.added.iter().position(|b| equal(&a, b)) {
                Some(at) => {
                    let now = self.added.remove(at);
                    self.both.push(Pair { base: a, now, confidence: 100 });
                }
                None => left.push(a),
            }
        }
        self.removed = left;
    }

    /// Pairs definitions of one kind with different names, the most alike first.
    fn take_renamed(
        &mut self,
        of_kind: impl Fn(DefinitionKind) -> bool,
        (base, now): (&Read<'_>, &Read<'_>),
    ) {
        let mut found: Vec<(f64, usize, usize)> = Vec::new();
        let member_places = |list: &[Located<'a>], read: &Read<'_>| -> Vec<Option<MemberPlace>> {
            let place = |it: &Located<'a>| MemberPlace::of(it, read);
            list.iter().map(|it| of_kind(it.definition.kind).then(|| place(it))?).collect()
        };
        let (old, new) = (member_places(&self.removed, base), member_places(&self.added, now));
        for (i, a) in self.removed.iter().enumerate() {
            if !of_kind(a.definition.kind) {
                continue;
            }
            for (j, b) in self.added.iter().enumerate() {
                let score = match old[i].is_some() && old[i] == new[j] && a.path == b.path {
                    true => likeness(a, b).max(SAME_PLACE),
                    false => likeness(a, b),
                };
                if score >= LEAST {
                    found.push((score, i, j));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let (mut used_a, mut used_b) = (SortedSet::new(), SortedSet::new());
        for (score, i, j) in found {
            if !used_a.contains(&i) && !used_b.contains(&j) {
                let (base, now) = (self.removed[i], self.added[j]);
                let confidence = (score * 100.0).round() as u8;
                self.both.push(Pair { base, now, confidence });
                used_a.insert(i);
                used_b.insert(j);
            }
        }
        keep_others(&mut self.removed, &used_a);
        keep_others(&mut self.added, &used_b);
    }
}

/// Likeness of two variants, fields, constants or required methods at the same place, with the same payload,
/// signature, type and value.
const SAME_PLACE: f64 = 0.8;

/// Place of a variant, field, constant or required method among those of its owner: two with equal places are one
/// under two names.
#[derive(PartialEq, Eq)]
struct MemberPlace {
    kind: DefinitionKind,
    owner: String,
    /// Text after the name: payload and discriminant, signature, or type and value.
    payload: String,
    /// Number of its kind before it, and of all.
    at: (usize, usize),
}

impl MemberPlace {
    /// `None` for another kind, whose place means little.
    fn of(it: &Located<'_>, read: &Read<'_>) -> Option<Self> {
        use DefinitionKind as K;
        let definition = it.definition;
        let kind = definition.kind;
        // Of a method that a trait requires, all but the name is its signature.
        let is_required =
            kind == K::Function && !definition.owner.is_empty() && definition.body.is_none();
        if !is_required && !matches!(kind, K::Variant | K::Field | K::Const | K::Static) {
            return None;
        }
        let all = &read.files.iter().find(|(path, ..)| *path == it.path)?.2.definitions;
        let own = || {
            let is_own = |it: &&Definition| it.kind == kind && it.owner == definition.owner;
            all.iter().filter(is_own)
        };
        let before = own().filter(|it| it.span.start < definition.span.start).count();
        let payload = base::ByteSpan::new(definition.name_span.end, definition.span.end);
        Some(Self {
            kind,
            owner: definition.owner.clone(),
            payload: spelled(it.slice(payload)),
            at: (before, own().count()),
        })
    }
}

/// The name of the module that a file is; `lib` and `main` of a root.
pub(crate) fn module_of(path: &ProjectPath) -> &str {
    let path = path.as_str().trim_end_matches(".rs").trim_end_matches("/mod");
    path.rsplit('/').next().unwrap_or(path)
}

fn keep_others<T>(list: &mut Vec<T>, used: &SortedSet<usize>) {
    let mut idx = 0;
    list.retain(|_| {
        idx += 1;
        !used.contains(&(idx - 1))
    });
}

fn is_member(kind: DefinitionKind) -> bool {
    use DefinitionKind as K;
    matches!(kind, K::Function | K::Field | K::Variant | K::Const | K::TypeAlias)
}

/// How likely `b` is `a` under another name, from 0 to 1.
fn likeness(a: &Located<'_>, b: &Located<'_>) -> f64 {
    let (x, y) = (a.definition, b.definition);
    if x.kind != y.kind || x.of_trait != y.of_trait {
        return 0.0;
    }
    let same_owner = x.owner == y.owner && a.path == b.path;
    if !same_owner && (x.kind != DefinitionKind::Function || x.owner != y.owner) {
        return 0.0;
    }
    let values = match x.kind {
        DefinitionKind::Field => value_words(a.text, &x.name),
        _ => SortedSet::new(),
    };
    let shared = words(&y.name).iter().filter(|it| values.contains(*it)).count();
    alike(a, b) + VALUE_WORD * shared.min(3) as f64
}

/// What each word of a new field's name counts that the values of the old one have: of two new fields of
/// its type that decides.
const VALUE_WORD: f64 = 0.03;

/// The words in the values that literals of a text have for a field, and in the `let`s of those values.
fn value_words(text: &str, field: &str) -> SortedSet<String> {
    let list = tokens(text);
    let word = |at: usize| list.get(at).map_or("", |it| it.text);
    let ends = |at: &usize| matches!(word(*at), "," | ";" | "}" | "{" | "");
    let mut found = SortedSet::new();
    let mut add = |from: usize| {
        let value = (from..from + LONGEST_VALUE).take_while(|at| !ends(at));
        found.extend(value.flat_map(|at| words(word(at))));
    };
    for at in (1..list.len()).filter(|at| list[*at].is(field) && word(at + 1) == ":") {
        if !matches!(word(at - 1), "{" | ",") {
            continue;
        }
        add(at + 2);
        let variable = word(at + 2);
        if ends(&(at + 3)) {
            let bound = (0..at).rev().take_while(|it| !list[*it].is("fn"));
            let is_let = |it: &usize| word(*it) == variable && word(it + 1) == "=";
            bound.filter(is_let).take(1).for_each(|it| add(it + 2));
        }
    }
    found
}

/// Most tokens of such a value.
const LONGEST_VALUE: usize = 12;

/// How alike names, parts and bodies of two definitions are, from 0 to 1.
pub(crate) fn alike(a: &Located<'_>, b: &Located<'_>) -> f64 {
    let (x, y) = (a.definition, b.definition);
    let names = overlap(&words(&x.name), &words(&y.name));
    let body = |it: &Located<'_>| match it.definition.body {
        Some(body) => solid(it.slice(body)),
        None => Vec::new(),
    };
    let parts = |it: &Located<'_>| {
        let parts = it.definition.parts.iter();
        solid(&parts.map(|part| it.slice(part.span)).collect::<Vec<_>>().join(" "))
    };
    let (body_a, body_b) = (body(a), body(b));
    let parts = match (parts(a), parts(b)) {
        (a, b) if a.is_empty() && b.is_empty() => 0.5,
        (a, b) => overlap(&a, &b),
    };
    match x.kind {
        DefinitionKind::Field | DefinitionKind::Module => 0.55 * parts + 0.45 * names,
        DefinitionKind::Variant if body_a.is_empty() => 0.5 * parts + 0.5 * names,
        _ if body_a.is_empty() && body_b.is_empty() => 0.5 * parts + 0.5 * names,
        _ => 0.45 * overlap(&body_a, &body_b) + 0.3 * parts + 0.25 * names,
    }
}

/// The names and literals of a text.
fn solid(text: &str) -> Vec<String> {
    let found = tokens(text).into_iter().filter(|it| it.kind != TokenKind::Punctuation);
    found.map(|it| it.text.to_owned()).collect()
}

/// Shared part of two lists as multisets (Jaccard's index), from 0 to 1.
pub(crate) fn overlap(a: &[String], b: &[String]) -> f64 {
    let mut counts: SortedMap<&str, (usize, usize)> = SortedMap::new();
    a.iter().for_each(|it| counts.entry(it).or_default().0 += 1);
    b.iter().for_each(|it| counts.entry(it).or_default().1 += 1);
    let shared: usize = counts.values().map(|(a, b)| a.min(b)).sum();
    let all: usize = counts.values().map(|(a, b)| a.max(b)).sum();
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// Both sides of a difference.
pub(crate) fn read(difference: &Difference) -> (Read<'_>, Read<'_>) {
    let base = Read::of(difference.files().map(|(path, it)| (path, it.base.as_deref())));
    let now = Read::of(difference.files().map(|(path, it)| (path, it.now.as_deref())));
    (base, now)
}
