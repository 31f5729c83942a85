//! Canonical paths, and the disambiguators of definitions that share one.

use base::{ItemKind, SortedMap, SortedSet};

use super::{DefId, DefMap};
use crate::FileIdx;
use crate::keys::Mix;

/// A definition with the hash of its canonical path and its kind.
type NamedDef = (u64, ItemKind, DefId);

/// The disambiguators of definitions that share canonical path and kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Disambiguators {
    /// All definitions, sorted.
    all: Vec<NamedDef>,
    labels: SortedMap<DefId, String>,
}

impl Disambiguators {
    /// A hash of a definition's disambiguator; 0 if it is empty.
    pub(super) fn hash_of(&self, id: DefId) -> u64 {
        self.labels.get(&id).map_or(0, |label| Mix::new(1).text(label).finish())
    }
}

/// The type that qualifies members of an inherent impl (`Foo<T>` gives `Foo`), from the impl's
/// header; `None` for trait impls and for types that are not a path.
pub(super) fn bare_self_type(header: &str) -> Option<&str> {
    if split_header(header).is_some() {
        return None;
    }
    let first = header.chars().next()?;
    if !first.is_alphabetic() && first != '_' && !header.starts_with("::") {
        return None;
    }
    let bare = header.split('<').next().unwrap_or(header);
    // `Foo<T>::Bar`, `dyn Trait`, `fn(A)`: not a path with arguments at its end only.
    let rest = header.get(bare.len()..).unwrap_or("");
    let plain = bare.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '_' | ':'));
    (plain && (rest.is_empty() || rest.ends_with('>')) && !bare.is_empty()).then_some(bare)
}

/// Splits a trait impl's header `Trait for Type` into trait and type.
fn split_header(header: &str) -> Option<(&str, &str)> {
    let bytes = header.as_bytes();
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' | b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 => {
                if let Some(of) = header.get(at..).and_then(|it| it.strip_prefix(" for ")) {
                    return Some((header.get(..at)?, of));
                }
            }
            _ => {}
        }
    }
    None
}

impl DefMap {
    /// The canonical path: `package/target::module::Item`, `…::Type::method`, `…::<Type as
    /// Trait>::method`; in the standard library `std::vec::Vec`. An item inside a function is below
    /// the function; an item in a macro call is where the call is.
    pub fn canon(&self, id: DefId) -> String {
        let mut parts = vec![self.canon_part(id)];
        let mut at = id;
        while let Some(container) = self.container(at) {
            parts.push(match self.defs[container.idx()].kind {
                ItemKind::Impl => self.member_prefix(container),
                _ => self.canon_part(container),
            });
            at = container;
        }
        parts.reverse();
        parts.join("::")
    }

    /// The parent in the canonical path.
    fn container(&self, id: DefId) -> Option<DefId> {
        let def = self.def(id);
        if let Some(parent) = def.parent {
            return Some(parent);
        }
        if def.module != id {
            return Some(def.module);
        }
        // The name of an orphan file's root contains its crate.
        None
    }

    fn member_prefix(&self, of: DefId) -> String {
        match self.facts(of).and_then(|(_, item, _)| bare_self_type(&item.name)) {
            Some(bare) => bare.to_owned(),
            None => self.canon_part(of),
        }
    }

    fn canon_part(&self, id: DefId) -> String {
        let def = self.def(id);
        if let Some(name) = self.modules.root_names.get(&id) {
            return name.clone();
        }
        let Some((_, item, _)) = self.facts(id) else { return "?".to_owned() };
        match (def.kind, def.name) {
            (ItemKind::Macro, Some(name)) => format!("{}!", self.name_of(name)),
            (ItemKind::MacroCall, _) => format!("{}!()", item.name),
            (ItemKind::Import, _) if item.name_span.is_some() => {
                format!("extern crate {}", item.name)
            }
            (ItemKind::Import, _) => format!("use {}", item.name),
            (ItemKind::Impl, _) => match split_header(&item.name) {
                Some((of_trait, of)) => format!("<{of} as {of_trait}>"),
                None => format!("<{}>", item.name),
            },
            (_, Some(name)) => self.name_of(name).to_owned(),
            (_, None) => "?".to_owned(),
        }
    }

    /// Distinguishes a definition from others with the same canonical path and kind: empty if there
    /// is none, otherwise the cfg predicate, the impl's header, or an ordinal – the first that is
    /// sufficient.
    pub fn disambiguator(&self, id: DefId) -> String {
        self.disambiguators().labels.get(&id).cloned().unwrap_or_default()
    }

    pub(super) fn disambiguators(&self) -> &Disambiguators {
        self.cached.disambiguators.get_or_init(|| {
            let mut all: Vec<NamedDef> = self.ids().filter_map(|id| self.named_def(id)).collect();
            all.sort_unstable();
            let mut labels = SortedMap::new();
            let mut rest = all.as_slice();
            while let Some((canon, kind, _)) = rest.first() {
                let len = rest.partition_point(|(a, b, _)| (a, b) <= (canon, kind));
                let (group, after) = rest.split_at(len);
                rest = after;
                self.label(group, &mut labels);
            }
            Disambiguators { all, labels }
        })
    }

    fn named_def(&self, id: DefId) -> Option<NamedDef> {
        let canon = self.def(id).canon_hash;
        (canon != 0).then(|| (canon, self.def(id).kind, id))
    }

    /// The disambiguators after a patch; `None` if that of a definition in another file changed.
    pub(super) fn disambiguators_after(
        &self,
        old: &Disambiguators,
        is_in_file: impl Fn(DefId) -> bool,
        new: &[DefId],
    ) -> Option<Disambiguators> {
        let mut groups: SortedSet<(u64, ItemKind)> = SortedSet::new();
        let mut all: Vec<NamedDef> = Vec::with_capacity(old.all.len() + new.len());
        for it in &old.all {
            if is_in_file(it.2) {
                groups.insert((it.0, it.1));
            } else {
                all.push(*it);
            }
        }
        for it in new.iter().filter_map(|id| self.named_def(*id)) {
            groups.insert((it.0, it.1));
            all.push(it);
        }
        // Two sorted runs: the stable sort detects them.
        all.sort();
        let mut labels = old.labels.clone();
        labels.retain(|id, _| !is_in_file(*id));
        for (canon, kind) in groups {
            let start = all.partition_point(|it| (it.0, it.1) < (canon, kind));
            let len = all[start..].partition_point(|it| (it.0, it.1) <= (canon, kind));
            let group = &all[start..start + len];
            group.iter().for_each(|(.., id)| drop(labels.remove(id)));
            self.label(group, &mut labels);
            let mut elsewhere = group.iter().map(|(.., id)| *id).filter(|id| !is_in_file(*id));
            if elsewhere.any(|id| labels.get(&id) != old.labels.get(&id)) {
                return None;
            }
        }
        Some(Disambiguators { all, labels })
    }

    /// Labels a group in the order of the walk (files by path, each followed by its expansions and
    /// their items), so that neither the order of files nor that of patches matters.
    fn label(&self, group: &[NamedDef], labels: &mut SortedMap<DefId, String>) {
        if group.len() < 2 {
            return;
        }
        let mut ids: Vec<_> = group.iter().map(|(.., id)| *id).collect();
        ids.sort_by_key(|id| {
            let source = self.source(self.def(*id).file);
            (source.path.as_str(), source.call.is_some(), self.source_order(*id))
        });
        self.label_each(&ids, labels);
    }

    /// The position of a definition among those of its file and of the expansions in it: comparable
    /// within one file, in the order in which they are read.
    pub fn source_order(&self, id: DefId) -> (FileIdx, bool, u32, u32) {
        let def = self.def(id);
        (def.file, def.variant.is_some(), def.item, def.variant.unwrap_or(0))
    }

    /// Labels the definitions of a group with the first kind of label that is different for all of
    /// them.
    fn label_each(&self, ids: &[DefId], found: &mut SortedMap<DefId, String>) {
        let cfgs: Vec<_> = ids.iter().map(|id| self.cfg_label(*id)).collect();
        let headers: Vec<_> = ids.iter().map(|id| self.header_label(*id)).collect();
        let both: Vec<_> = cfgs
            .iter()
            .zip(&headers)
            .map(|(cfg, header)| [cfg.as_str(), header.as_str()].join(" ").trim().to_owned())
            .collect();
        let differ = |labels: &[String]| {
            let set: base::SortedSet<_> = labels.iter().collect();
            set.len() == labels.len()
        };
        let labels = [cfgs, headers].into_iter().find(|it| differ(it)).unwrap_or(both);
        let mut seen: SortedMap<&str, usize> = SortedMap::new();
        for (id, label) in ids.iter().zip(&labels) {
            let nth = seen.entry(label).or_insert(0);
            *nth += 1;
            let text = match *nth {
                1 => label.clone(),
                nth => format!("{label} {nth}").trim().to_owned(),
            };
            if !text.is_empty() {
                found.insert(*id, text);
            }
        }
    }

    /// The cfg predicates of an item and of its containers, innermost first.
    fn cfg_label(&self, id: DefId) -> String {
        let mut labels: Vec<&str> = Vec::new();
        let mut at = Some(id);
        while let Some(it) = at {
            if let Some((facts, item, decl)) = self.facts(it) {
                labels.extend(decl.cfg.as_deref());
                // An enclosing macro call is not the parent of a definition, but its cfg counts.
                let mut up = item.parent;
                while let Some(call) = up
                    && self.def(self.def_of(self.def(it).file, call as u32)).kind
                        == ItemKind::MacroCall
                {
                    labels.extend(facts.decls.get(call).and_then(|decl| decl.cfg.as_deref()));
                    up = facts.file.items.get(call).and_then(|item| item.parent);
                }
            }
            at = self.container(it);
        }
        labels.dedup();
        labels.join(", ")
    }

    /// The header of the impl that the definition is or is a member of, with generics and where
    /// clause.
    fn header_label(&self, id: DefId) -> String {
        let mut at = Some(id);
        while let Some(it) = at {
            let def = self.def(it);
            if def.kind == ItemKind::Impl
                && let Some((_, item, _)) = self.facts(it)
            {
                let end = item.body.map_or(item.span.end, |body| body.start);
                let text = self.source(def.file).text.get(item.code_span.start..end);
                return syntax::canon_form(text.unwrap_or(""));
            }
            at = self.container(it);
        }
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_split_at_the_for_of_the_impl() {
        let check = |header: &str, want| assert_eq!(split_header(header), want, "{header}");
        check("Display for Foo<T>", Some(("Display", "Foo<T>")));
        check("From<for<'a> fn(&'a u8)> for Foo", Some(("From<for<'a> fn(&'a u8)>", "Foo")));
        check("Fn(A) -> B for Foo", Some(("Fn(A) -> B", "Foo")));
        check("Foo<T>", None);
    }

    #[test]
    fn members_of_inherent_impls_are_named_by_the_bare_type() {
        assert_eq!(bare_self_type("Foo<T, U>"), Some("Foo"));
        assert_eq!(bare_self_type("m::Foo"), Some("m::Foo"));
        assert_eq!(bare_self_type("[T]"), None);
        assert_eq!(bare_self_type("dyn Foo"), None);
        assert_eq!(bare_self_type("&Foo"), None);
        assert_eq!(bare_self_type("Display for Foo"), None);
    }
}
