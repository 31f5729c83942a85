//! Definitions of a dependency by name: what changed of those that an error is about.

use std::sync::Arc;

use base::{ByteSpan, Diagnostic, ProjectPath, SortedMap, SortedSet, is_word};
use edit::Files;
use refactor::{lines_around, outermost, quoted};
use syntax::places::{Definition, DefinitionKind, PartKind, places};

use super::{Interface, Library, Release, notes, successors};
use crate::find::{changes, intent, type_of};
use crate::pairs::{Located, alike};
use crate::{DefinitionName, Intent, What};

/// Most names of one round of errors that are looked up.
const MAX_NAMES: usize = 400;
/// Most definitions of one name.
const MAX_SAME: usize = 60;
/// Most successors of one member.
const MAX_SUCCESSORS: usize = 3;
/// Least likeness of a member with another name.
const LEAST: f64 = 0.45;

/// The definitions of one version.
#[derive(Debug, Default)]
pub(crate) struct Members {
    list: Vec<Member>,
    by_name: SortedMap<String, Vec<usize>>,
    by_owner: SortedMap<String, Vec<usize>>,
    traits: SortedSet<String>,
}

#[derive(Debug)]
struct Member {
    krate: String,
    file: String,
    path: ProjectPath,
    text: Arc<str>,
    definition: Definition,
}

impl Member {
    fn located(&self) -> Located<'_> {
        Located { path: &self.path, text: &self.text, definition: &self.definition }
    }

    /// The `cfg` predicates around it; `None` where its file is no module of the crate.
    fn gates(&self, interface: &Interface) -> Option<Vec<String>> {
        let mut cfgs = interface.file_cfgs(&self.krate, &self.file)?.to_vec();
        let facts = syntax::read(&self.text);
        let around = facts.file.items.iter().zip(&facts.decls);
        let around = around.filter(|(item, _)| item.span.contains(self.definition.name_span));
        cfgs.extend(around.filter_map(|(_, decl)| decl.cfg.as_deref().map(str::to_owned)));
        Some(cfgs)
    }

    /// Whether it has this name but for the case of its letters: `MAX` for `max`.
    fn is_called_as(&self, name: &str) -> bool {
        self.definition.name != name && self.definition.name.eq_ignore_ascii_case(name)
    }

    /// Attributes and visibility.
    fn before_name(&self) -> &str {
        let (span, name) = (self.definition.span, self.definition.name_span);
        ByteSpan::new(span.start, name.start.max(span.start)).slice(&self.text).unwrap_or("")
    }

    fn note(&self) -> Option<String> {
        let before = self.before_name();
        let at = before.find("#[deprecated")?;
        notes::deprecation(&[before[at..].to_owned()])
    }
}

impl Members {
    pub(crate) fn of(release: &Release) -> Self {
        let mut found = Self::default();
        for (name, source) in &release.crates {
            for (file, text) in &source.files {
                let Some(path) = release.path(name, file) else { continue };
                for definition in places(text).definitions {
                    let idx = found.list.len();
                    if definition.kind == DefinitionKind::Trait {
                        found.traits.insert(definition.name.clone());
                    }
                    found.by_name.entry(definition.name.clone()).or_default().push(idx);
                    found.by_owner.entry(definition.owner.clone()).or_default().push(idx);
                    let (path, text) = (path.clone(), Arc::clone(text));
                    let (krate, file) = (name.clone(), file.clone());
                    found.list.push(Member { krate, file, path, text, definition });
                }
            }
        }
        found
    }

    /// Whether a name is that of a trait.
    pub(crate) fn is_trait(&self, name: &str) -> bool {
        self.traits.contains(name)
    }

    /// Names of members of traits that another version does not have.
    pub(crate) fn gone<'a>(&'a self, new: &'a Self) -> impl Iterator<Item = String> + 'a {
        let of_trait = self.list.iter().filter(|it| self.is_trait(&it.definition.owner));
        let gone = of_trait.filter(|it| !new.has(&it.definition));
        gone.map(|it| it.definition.name.clone())
    }

    /// Whether something has this name.
    pub(crate) fn defines(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Methods of a trait with one parameter besides `self` that return this type, in order.
    pub(crate) fn called(&self, of_trait: &str, output: &str) -> Vec<String> {
        let count = |it: &Definition, kind: PartKind| {
            it.parts.iter().filter(|part| part.kind == kind).count()
        };
        let is_it = |it: &&Member| {
            let of = &it.definition;
            let ty = of.parts.iter().find(|part| part.kind == PartKind::Type);
            let ty = ty.map_or("", |part| it.located().slice(part.span));
            of.kind == DefinitionKind::Function
                && of.of_trait.is_none()
                && count(of, PartKind::Receiver) == 1
                && count(of, PartKind::Parameter) == 1
                && ty.split(['<', ' ']).next().and_then(|it| it.rsplit("::").next()) == Some(output)
        };
        let found = self.owned(of_trait).filter(|_| self.is_trait(of_trait)).filter(is_it);
        found.map(|it| it.definition.name.clone()).collect()
    }

    /// The `cfg` predicates of each definition of a member of this name, fields left out, those around it
    /// included.
    pub(crate) fn gates_of<'a>(
        &'a self,
        name: &str,
        interface: &'a Interface,
    ) -> impl Iterator<Item = Vec<String>> + use<'a> {
        let named: Vec<&Member> =
            self.named(name).filter(|it| !it.definition.owner.is_empty()).collect();
        let named = named.into_iter().filter(|it| it.definition.kind != DefinitionKind::Field);
        named.filter_map(|it| it.gates(interface))
    }

    /// The `cfg`s around each member of the impls of a trait for a type.
    pub(crate) fn gates_of_impl<'a>(
        &'a self,
        owner: &str,
        of_trait: &str,
        interface: &'a Interface,
    ) -> Vec<Vec<String>> {
        let own = self.owned(owner);
        let own = own.filter(|it| it.definition.of_trait.as_deref() == Some(of_trait));
        own.filter_map(|it| it.gates(interface)).collect()
    }

    /// The names of the public members of a type or trait, without those of the traits it implements.
    pub(crate) fn of_owner(&self, owner: &str) -> SortedSet<&str> {
        let own = self.owned(owner).filter(|it| it.definition.of_trait.is_none());
        own.filter(|it| self.is_public(it)).map(|it| it.definition.name.as_str()).collect()
    }

    /// Public functions, or constants, of types and traits: owner and name.
    pub(crate) fn values(&self, is_function: bool) -> impl Iterator<Item = (&str, &str)> {
        let kind = if is_function { DefinitionKind::Function } else { DefinitionKind::Const };
        let fits = move |it: &&Member| {
            it.definition.kind == kind
                && it.definition.of_trait.is_none()
                && !it.definition.owner.is_empty()
                && self.is_public(it)
        };
        let all = self.list.iter().filter(fits);
        all.map(|it| (it.definition.owner.as_str(), it.definition.name.as_str()))
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Member> {
        self.by_name.get(name).into_iter().flatten().take(MAX_SAME).map(|idx| &self.list[*idx])
    }

    fn owned(&self, owner: &str) -> impl Iterator<Item = &Member> {
        self.by_owner.get(owner).into_iter().flatten().map(|idx| &self.list[*idx])
    }

    fn has(&self, like: &Definition) -> bool {
        self.named(&like.name).any(|it| is_same(&it.definition, like))
    }

    fn is_public(&self, it: &Member) -> bool {
        let of = &it.definition;
        let is_pub = it.before_name().split_whitespace().any(|word| word == "pub");
        is_pub
            || of.kind == DefinitionKind::Variant
            || of.of_trait.is_some()
            || self.is_trait(&of.owner)
            || of.owner.contains("::")
    }
}

fn is_same(a: &Definition, b: &Definition) -> bool {
    a.kind == b.kind && a.owner == b.owner && a.of_trait == b.of_trait && a.name == b.name
}

/// What changed of the definitions whose names are in the errors: signatures and types, members
/// that are gone, with what may be their new name.
pub(crate) fn intents(library: &Library, errors: &[Diagnostic], files: &dyn Files) -> Vec<Intent> {
    let (old, new) = (&library.old.members, &library.new.members);
    let mut found = Vec::new();
    for name in names(errors, files) {
        let mut seen: Vec<&Definition> = Vec::new();
        for a in old.named(&name).filter(|it| old.is_public(it)) {
            if seen.iter().any(|it| is_same(it, &a.definition)) {
                continue;
            }
            seen.push(&a.definition);
            let mut same = new.named(&name).filter(|it| is_same(&it.definition, &a.definition));
            match same.next() {
                Some(b) => {
                    let (x, y) = (a.located(), b.located());
                    found.extend(changes(&x, &y).into_iter().map(|what| intent(&y, what)));
                }
                None => found.extend(renamed(library, a)),
            }
        }
        let is_new_field = |it: &&Member| {
            let of = &it.definition;
            of.kind == DefinitionKind::Field
                && new.is_public(it)
                && !old.has(of)
                && old.owned(&of.owner).next().is_some()
        };
        for it in new.named(&name).filter(is_new_field) {
            let (of, ty) = (DefinitionName::of(&it.definition), type_of(&it.located()));
            found.push(intent(&it.located(), What::Added { of, ty }));
        }
    }
    found
}

/// The identifiers in the messages of the errors and on the lines that they mark.
fn names(errors: &[Diagnostic], files: &dyn Files) -> SortedSet<String> {
    let mut found = SortedSet::new();
    let mut add = |text: &str| {
        for word in text.split(|it| !is_word(it)).filter(|it| it.len() > 1) {
            if found.len() < MAX_NAMES && !word.starts_with(|it: char| it.is_numeric()) {
                found.insert(word.to_owned());
            }
        }
    };
    for error in errors.iter().filter(|it| it.is_error()) {
        quoted(&error.message).for_each(&mut add);
        for span in error.spans.iter().filter(|it| it.primary) {
            let span = outermost(span);
            let Some(path) = span.place.project() else { continue };
            let Ok(Some(state)) = files.read(path) else { continue };
            add(span.bytes.slice(&state.text).unwrap_or(""));
            // The call around a marked argument.
            add(lines_around(&state.text, span.bytes).slice(&state.text).unwrap_or(""));
        }
    }
    found
}

/// Whether a function takes nothing.
fn is_value(of: &Definition) -> bool {
    let takes = |it: &syntax::places::DefinitionPart| {
        matches!(it.kind, PartKind::Parameter | PartKind::Receiver)
    };
    of.kind == DefinitionKind::Function && !of.parts.iter().any(takes)
}

/// A member that is gone, with its likely new names.
fn renamed(library: &Library, a: &Member) -> Vec<Intent> {
    let (old, new) = (&library.old.members, &library.new.members);
    let of = &a.definition;
    if of.owner.is_empty() || of.kind == DefinitionKind::Module {
        return Vec::new();
    }
    let is_candidate = |it: &&Member| {
        let kind = it.definition.kind;
        let fits = kind == of.kind
            || (of.kind == DefinitionKind::Field && kind == DefinitionKind::Function)
            || (kind == DefinitionKind::Const && is_value(of) && it.is_called_as(&of.name));
        fits && it.definition.of_trait == of.of_trait && new.is_public(it)
    };
    let mut candidates: Vec<&Member> = new.owned(&of.owner).filter(is_candidate).collect();
    if new.owned(&of.owner).next().is_none() {
        // The owner has another name too.
        let paths = library.old.interface.named(&of.owner).iter();
        for successor in paths.flat_map(|it| successors(library, it)).take(MAX_SUCCESSORS) {
            let owner = successor.path.rsplit("::").next().unwrap_or(&successor.path);
            candidates.extend(new.owned(owner).filter(is_candidate));
            if !candidates.is_empty() {
                break;
            }
        }
    }
    let last = |it: &str| it.rsplit("::").next().unwrap_or(it).to_owned();
    let note = a.note().unwrap_or_default();
    let noted: Vec<String> = notes::names(&note).iter().map(|it| last(it)).collect();
    let log = notes::in_changelog(&library.new.release.changelog, &of.name);
    let logged: Vec<String> = log.iter().map(|it| last(&it.0)).collect();
    let mut ranked: Vec<(u8, &Member)> = Vec::new();
    for b in candidates {
        let name = &b.definition.name;
        let score = match () {
            () if noted.contains(name) => 100,
            () if b.is_called_as(&of.name) => 95,
            () if logged.contains(name) => 80,
            () if old.has(&b.definition) => continue,
            () => {
                let score = alike(&a.located(), &b.located());
                if score < LEAST {
                    continue;
                }
                (score * 79.0).round() as u8
            }
        };
        ranked.push((score, b));
    }
    ranked
        .sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.definition.name.cmp(&b.1.definition.name)));
    ranked.dedup_by(|a, b| a.1.definition.name == b.1.definition.name);
    if ranked.is_empty() {
        return vec![intent(&a.located(), What::Removed(DefinitionName::of(of)))];
    }
    let renamed = |(confidence, b): (u8, &Member)| {
        let what = What::Renamed { of: DefinitionName::of(&b.definition), from: of.name.clone() };
        Intent { confidence, ..intent(&b.located(), what) }
    };
    ranked.into_iter().take(MAX_SUCCESSORS).map(renamed).collect()
}
