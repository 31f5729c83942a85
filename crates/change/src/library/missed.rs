//! Names that errors miss of a dependency, which may have them behind a feature.

use base::{Diagnostic, SortedSet};
use refactor::{quoted, type_head};
use syntax::NodeKind;

use super::Library;

/// The names that errors miss: members, macros, and types without an impl that their crate may offer.
pub fn missed_names(errors: &[Diagnostic]) -> SortedSet<String> {
    let of = |it: &Diagnostic| {
        let ty = offered(it).and_then(|_| type_of(it)).or_else(|| missed_impl(it).map(|it| it.0));
        missed_name(it).or(ty).or_else(|| end_of_path(it)).map(str::to_owned)
    };
    errors.iter().filter(|it| it.is_error() && !is_of_project(it)).filter_map(of).collect()
}

/// Whether the compiler shows the type that misses a member, in the project: no dependency has it.
fn is_of_project(error: &Diagnostic) -> bool {
    error.spans.iter().any(|it| {
        let label = it.label.as_deref().unwrap_or_default();
        it.place.project().is_some() && label.contains(" not found for this ")
    })
}

/// The feature that a crate may offer for the impl of a trait, as the author of the trait writes it; none
/// for a type that the compiler shows in the project.
pub fn offered(error: &Diagnostic) -> Option<&str> {
    let is_own = error.children.iter().any(|it| {
        let is_shown = it.spans.iter().any(|it| it.place.project().is_some());
        is_shown && it.message.contains("is not implemented for")
    });
    if is_own {
        return None;
    }
    let notes = error.children.iter().map(|it| it.message.as_str());
    let mut offers = notes.filter_map(|it| it.split_once("whether the crate offers a `"));
    let (feature, rest) = offers.next()?.1.split_once('`')?;
    rest.trim_start().starts_with("feature").then_some(feature)
}

/// The member or macro that an error misses.
pub(crate) fn missed_name(error: &Diagnostic) -> Option<&str> {
    let message = &error.message;
    let is_it = error.code.as_deref() == Some("E0599")
        || message.starts_with("cannot find macro ")
        || message.starts_with("cannot find attribute ");
    is_it.then(|| quoted(message).next()).flatten()
}

/// The type and the trait of an impl that an error misses, by their last names; none of a type that the compiler
/// shows in the project.
fn missed_impl(error: &Diagnostic) -> Option<(&str, &str)> {
    let bound = error.message.split_once("the trait bound `")?.1.split('`').next()?;
    let of_trait = bound.split_once(": ")?.1.split(['<', ' ', '+']).next()?;
    let mut shown = error.children.iter().flat_map(|it| &it.spans);
    let is_own = shown.any(|it| it.place.project().is_some());
    let ty = type_of(error).filter(|it| it.starts_with(char::is_uppercase) && !is_own)?;
    Some((ty, of_trait.rsplit("::").next()?))
}

/// The last name of a path into a dependency that leads nowhere.
fn end_of_path(error: &Diagnostic) -> Option<&str> {
    let mut names = quoted(&error.message);
    let (first, root) = (names.next()?, names.next());
    let (root, name) = match error.code.as_deref()? {
        "E0432" => first.split_once("::").map(|it| (it.0, it.1.rsplit("::").next()))?,
        "E0433" if error.message.starts_with("cannot find `") => (root?, Some(first)),
        _ => return None,
    };
    let is_own = matches!(root, "crate" | "self" | "super" | "std" | "core" | "alloc");
    name.filter(|_| !is_own)
}

/// The last name of the type whose member or impl an error misses.
pub(crate) fn type_of(error: &Diagnostic) -> Option<&str> {
    let written = match error.code.as_deref()? {
        "E0599" => quoted(&error.message).nth(1)?,
        "E0277" => error.message.split_once("trait bound `")?.1.split(": ").next()?,
        _ => return None,
    };
    Some(type_head(written)).filter(|it| !it.is_empty())
}

impl Library {
    /// The features without which the new version has no member, impl or macro that an error misses; of a
    /// version that stays only for a type that it defines.
    pub(crate) fn features_for(&self, error: &Diagnostic) -> Vec<String> {
        let ty = type_of(error);
        let is_ours =
            ty.is_some_and(|it| self.has_name(it) || !self.new.interface.named(it).is_empty());
        let is_member = error.code.as_deref() == Some("E0599");
        if let Some(name) = missed_name(error) {
            let is_it = self.from() != self.to() || !is_member || is_ours;
            return if is_it { self.features_of(name) } else { Vec::new() };
        }
        // An associated type or a variant has no impl, and no crate offers impls of its own traits.
        let is_type = ty.is_some_and(|it| self.has_type(it));
        match offered(error).filter(|it| *it != self.new.release.name) {
            Some(feature) if is_type => self.features_with(feature).into_iter().collect(),
            Some(_) => Vec::new(),
            None => missed_impl(error)
                .filter(|_| is_type)
                .map(|(ty, of_trait)| self.features_of_impl(ty, of_trait))
                .unwrap_or_default(),
        }
    }

    /// Whether a public path leads to a type of this name.
    fn has_type(&self, name: &str) -> bool {
        let interface = &self.new.interface;
        let entries = interface.named(name).iter().flat_map(|path| interface.get(path));
        entries.into_iter().any(|it| {
            matches!(
                it.kind,
                NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::TypeAlias
            )
        })
    }

    /// The feature that turns an optional dependency of this name on: its own, or one that enables it.
    fn features_with(&self, name: &str) -> Option<String> {
        let release = &self.new.release;
        let enables = |list: &[String]| {
            list.iter().any(|it| {
                let it = it.strip_prefix("dep:").unwrap_or(it);
                let it = it.split(['/', '?']).next().unwrap_or(it);
                it == name || it.strip_suffix("_core") == Some(name)
            })
        };
        let is_off = |it: &&String| !release.enabled.contains(*it);
        let named = release.features.keys().filter(|it| *it == name).find(is_off);
        let others = release.features.iter().filter(|it| enables(it.1)).map(|it| it.0);
        named.or_else(|| others.filter(is_off).min_by_key(|it| it.len())).cloned()
    }
}
