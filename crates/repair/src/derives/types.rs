//! The types of the project, and the derives that they get.

use base::{ByteSpan, Diagnostic, ProjectPath, SortedSet};
use edit::Splice;
use preserve::outline::{TokenKind, tokens};
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::{OF_SERDE, TRAITS, Wanted, ordered, type_name};
use crate::derive_lists::{derive_list, listed};
use crate::sources::Source;

/// The places that an error marks beside its own, and those of its notes.
pub(super) fn marked(error: &Diagnostic) -> impl Iterator<Item = (ProjectPath, usize)> {
    let labels = error.spans.iter().filter(|it| !it.primary);
    let spans = labels.chain(error.children.iter().flat_map(|it| &it.spans));
    spans.filter_map(|it| Some((it.place.project()?.clone(), it.bytes.start)))
}

/// The words in types of plain values.
const PLAIN: [&str; 17] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

/// The words in types of the standard library that are `Copy`, their paths included, where the project has no
/// type of the name.
const COPIED: [&str; 22] = [
    "Duration",
    "Instant",
    "IpAddr",
    "Ipv4Addr",
    "Ipv6Addr",
    "NonZero",
    "NonZeroI8",
    "NonZeroI16",
    "NonZeroI32",
    "NonZeroI64",
    "NonZeroU8",
    "NonZeroU16",
    "NonZeroU32",
    "NonZeroU64",
    "NonZeroUsize",
    "Ordering",
    "SystemTime",
    "cmp",
    "core",
    "num",
    "std",
    "time",
];

/// The types of the project.
pub(super) struct Types<'a> {
    pub(super) sources: &'a [Source<'a>],
    /// The places that the errors mark, of a type among them its head.
    pub(super) named: SortedSet<(ProjectPath, usize)>,
}

impl Types<'_> {
    /// The definition of a type: the only one of the name, the only one that an error marks, or the only one
    /// that is not inside of a function.
    fn find(&self, name: &str) -> Option<(&Source<'_>, &Definition)> {
        let all: Vec<_> = self.definitions(name).collect();
        let is_marked = |it: &&(&Source<'_>, &Definition)| {
            let head = ByteSpan::new(it.1.span.start, it.1.name_span.end);
            self.named
                .iter()
                .any(|(path, at)| path == it.0.path && head.contains(ByteSpan::new(*at, *at)))
        };
        let marked = || all.iter().filter(is_marked).copied().collect::<Vec<_>>();
        let is_outside = |it: &&(&Source<'_>, &Definition)| {
            let functions = it.0.places().definitions.iter();
            let mut functions = functions.filter(|it| it.kind == DefinitionKind::Function);
            !functions.any(|of| of.span.contains(it.1.span))
        };
        let outside = || all.iter().filter(is_outside).copied().collect::<Vec<_>>();
        match (all.as_slice(), marked().as_slice(), outside().as_slice()) {
            ([only], ..) | (_, [only], _) | (_, [], [only]) => Some(*only),
            _ => None,
        }
    }

    fn definitions(&self, name: &str) -> impl Iterator<Item = (&Source<'_>, &Definition)> {
        self.sources.iter().filter(move |it| it.text.contains(name)).flat_map(move |source| {
            let is_it = move |it: &&Definition| {
                matches!(it.kind, DefinitionKind::Struct | DefinitionKind::Enum) && it.name == name
            };
            source.places().definitions.iter().filter(is_it).map(move |it| (source, it))
        })
    }

    /// Whether a type of the project has a trait, derived or written.
    fn has(&self, name: &str, of_trait: &str) -> bool {
        let Some((source, definition)) = self.find(name) else { return true };
        let is_derived = derive_list(&source.text, definition).is_some_and(|list| {
            let text = list.slice(&source.text).unwrap_or("");
            tokens(text).iter().any(|it| it.is(of_trait))
        });
        let is_written = |text: &str| {
            let mut impls = text.match_indices("impl").map(|it| &text[it.0..]);
            impls.any(|it| {
                let head = it.split(['{', ';']).next().unwrap_or("");
                let parts = head.split_once(" for ");
                parts.is_some_and(|(of, ty)| base::has_word(of, of_trait) && type_name(ty) == name)
            })
        };
        is_derived || self.sources.iter().any(|it| it.text.contains(name) && is_written(&it.text))
    }

    /// Adds a trait for a type, with what it needs; `false` if it cannot be derived. What is `asked`
    /// for by an error is missing for sure.
    pub(super) fn add(
        &self,
        name: &str,
        of_trait: &str,
        wanted: &mut Wanted,
        is_asked: bool,
    ) -> bool {
        let all = TRAITS.iter().map(|it| it.0);
        let Some(of_trait) = all.into_iter().find(|it| *it == of_trait) else { return false };
        let Some((source, definition)) = self.find(name) else { return false };
        if wanted.get(name).is_some_and(|it| it.contains(of_trait)) {
            return true;
        }
        if self.has(name, of_trait) {
            return !is_asked;
        }
        // Which variant is the default one is a decision.
        if of_trait == "Default" && definition.kind == DefinitionKind::Enum {
            return false;
        }
        wanted.entry(name.to_owned()).or_default().insert(of_trait);
        for needed in TRAITS.iter().filter(|it| it.0 == of_trait).flat_map(|it| it.1) {
            self.add(name, needed, wanted, false);
        }
        // An attribute of serde may leave a field out.
        let parts = match OF_SERDE.contains(&of_trait) {
            true => SortedSet::new(),
            false => self.part_types(source, definition),
        };
        for part in parts {
            self.add(&part, of_trait, wanted, false);
        }
        true
    }

    /// The names in the types of the fields.
    fn part_types(&self, source: &Source<'_>, of: &Definition) -> SortedSet<String> {
        let inside = source.places().definitions.iter().filter(|it| {
            of.span.contains(it.span)
                && (matches!(it.kind, DefinitionKind::Field | DefinitionKind::Variant)
                    || it.span == of.span)
        });
        let parts = inside.flat_map(|it| &it.parts).filter(|it| it.kind != PartKind::Generics);
        let types = parts.filter_map(|it| it.ty).filter_map(|it| it.slice(&source.text));
        let words = types.flat_map(tokens).filter(|it| it.kind == TokenKind::Word);
        words.map(|it| it.text.to_owned()).filter(|it| *it != of.name).collect()
    }

    /// Whether a type without parameters but lifetimes has nothing but plain values in it, so that a copy of it is all
    /// that a move can mean.
    pub(super) fn is_plain(&self, name: &str) -> bool {
        let Some((source, definition)) = self.find(name) else { return false };
        let generics = definition.parts.iter().filter(|it| it.kind == PartKind::Generics);
        let mut generics = generics.filter_map(|it| it.span.slice(&source.text)).flat_map(tokens);
        let has_parameters = generics.any(|it| it.kind == TokenKind::Word);
        let is_copied = |it: &String| {
            let is_own = self.definitions(it).next().is_some();
            PLAIN.contains(&it.as_str())
                || is_own && self.has(it, "Copy")
                || !is_own && COPIED.contains(&it.as_str())
        };
        !has_parameters
            && !self.has(name, "Drop")
            && self.part_types(source, definition).iter().all(is_copied)
    }

    /// The derives as splices; `None` if a type is not found any more.
    pub(super) fn splices(&self, wanted: &Wanted) -> Option<Vec<(ProjectPath, Splice)>> {
        let mut splices = Vec::new();
        for (name, traits) in wanted {
            let (source, definition) = self.find(name)?;
            splices.push((source.path.clone(), derive(&source.text, definition, traits)?));
        }
        splices.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
        Some(splices)
    }
}

/// Whether a text imports a name from serde, or its macro from the crate with that alone.
fn imports(text: &str, name: &str) -> bool {
    let of = |path: &str| {
        let imports = text.split(path).skip(1);
        let mut lists = imports.filter_map(|it| it.split(';').next());
        lists.any(|it| base::has_word(it, name))
    };
    of("use serde::") || of("use serde_derive::")
}

/// The traits in the derive of a type, or in a new one before it.
fn derive(text: &str, of: &Definition, traits: &SortedSet<&'static str>) -> Option<Splice> {
    let written = |it: &'static str| match OF_SERDE.contains(&it) && !imports(text, it) {
        true => format!("serde::{it}"),
        false => it.to_owned(),
    };
    let added: Vec<String> = ordered(traits).into_iter().map(written).collect();
    let added = added.join(", ");
    if let Some(list) = derive_list(text, of) {
        return listed(text, list, &added);
    }
    let head = ByteSpan::new(of.span.start, of.name_span.start).slice(text)?;
    let list = tokens(head);
    let mut at = 0;
    while list.get(at).is_some_and(|it| it.is("#")) {
        let mut depth = 0_usize;
        at +=
            1 + list.get(at + 1..)?.iter().position(|it| {
                match it.text {
                    "[" | "(" | "{" => depth += 1,
                    "]" | ")" | "}" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0
            })? + 1;
    }
    let start = of.span.start + list.get(at)?.span.start;
    let line = text.get(..start)?.rfind('\n').map_or(0, |it| it + 1);
    let indent = text.get(line..start).filter(|it| it.trim().is_empty()).unwrap_or("");
    let end = if text.get(..line)?.ends_with("\r\n") { "\r\n" } else { "\n" };
    let insert = format!("#[derive({added})]{end}{indent}");
    Some(Splice { span: ByteSpan::new(start, start), insert })
}
