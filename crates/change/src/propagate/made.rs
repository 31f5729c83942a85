//! Values of a type of the project that need nothing else: variants without payload, and functions without parameters
//! that make one. They are options for a person; none is tried.

use base::{ProjectPath, SortedSet};
use refactor::PlacedText;
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::named_tuples::module_path;
use super::values::core;
use crate::project::Project;

/// Most values of one type.
const MAX_MADE: usize = 5;

/// The values at a place of `at`, each with why: default first, then variants and functions as they are declared.
pub(super) fn made(project: &Project<'_>, at: &PlacedText, ty: &str) -> Vec<(String, String)> {
    let written = ty.split('<').next().unwrap_or_default().trim();
    let name = core(ty).split('<').next().unwrap_or_default().trim();
    if written.starts_with('&') || !name.starts_with(char::is_uppercase) || !base::is_one_word(name)
    {
        return Vec::new();
    }
    let (mut defaults, mut others) = (Vec::new(), Vec::new());
    let mut seen = SortedSet::new();
    for text in project.with_word(name) {
        let path = path_from(at, written, &text.path);
        for it in &text.places.definitions {
            let has = |kind: PartKind| it.parts.iter().any(|part| part.kind == kind);
            let is_free = !has(PartKind::Receiver) && !has(PartKind::Parameter);
            let returns = |ty: &str| {
                let own = it.parts.iter().find(|it| it.kind == PartKind::Type);
                own.is_some_and(|it| text.slice(it.span) == ty)
            };
            let (value, why, is_default) = match it.kind {
                DefinitionKind::Variant if it.owner == name && is_plain(it) => {
                    (format!("{path}::{}", it.name), "a variant of the type", false)
                }
                DefinitionKind::Struct | DefinitionKind::Enum if it.name == name => {
                    let before = text.slice(base::ByteSpan::new(it.span.start, it.name_span.start));
                    if !before.contains("derive(") || !base::has_word(before, "Default") {
                        continue;
                    }
                    (format!("{path}::default()"), "the default of the type", true)
                }
                _ if it.owner == name && it.of_trait.as_deref() == Some("Default") && is_free => {
                    (format!("{path}::default()"), "the default of the type", true)
                }
                _ if it.owner == name && it.of_trait.is_none() && is_free => {
                    if !returns("Self") && !returns(name) {
                        continue;
                    }
                    (format!("{path}::{}()", it.name), "it makes one", false)
                }
                _ => continue,
            };
            if seen.insert(value.clone()) {
                let list = if is_default { &mut defaults } else { &mut others };
                list.push((value, why.to_owned()));
            }
        }
    }
    defaults.into_iter().chain(others).take(MAX_MADE).collect()
}

/// The path of a type that is declared in one file, in another one, which may not import it.
fn path_from(at: &PlacedText, written: &str, declared: &ProjectPath) -> String {
    let module = module_path(declared).filter(|_| !written.contains("::"));
    match module {
        Some(module) if !base::has_word(&at.text, written) => format!("{module}::{written}"),
        _ => written.to_owned(),
    }
}

/// Whether a variant has no payload.
fn is_plain(it: &Definition) -> bool {
    it.parts.is_empty() && it.body.is_none()
}
