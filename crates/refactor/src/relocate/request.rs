//! The request of a move, checked: the definition, its old and its new module, or why it cannot
//! move.

use base::ProjectPath;
use preserve::outline::Outline;
use syntax::places::{Definition, DefinitionKind};

use super::fault::RelocateFault;
use super::modules::ModulePath;
use super::pieces::Pieces;
use super::scope::Scopes;
use crate::SiteKey;

/// A definition with its old and its new module.
pub(super) struct Request<'s> {
    pub(super) file: usize,
    pub(super) definition: &'s Definition,
    pub(super) from: ModulePath,
    pub(super) to: ModulePath,
}

/// Most modules that a message lists.
const LISTED: usize = 12;

impl<'s> Request<'s> {
    pub(super) fn read(
        scopes: &'s Scopes,
        item: &SiteKey,
        to: &str,
    ) -> Result<Self, RelocateFault> {
        let (file, source) =
            scopes.tree.file(&item.0).ok_or_else(|| RelocateFault::NoFile(item.0.clone()))?;
        let definition = source.places.definitions.iter().find(|it| it.name_span.start == item.1);
        let definition = definition.ok_or(RelocateFault::NoDefinition)?;
        is_free(definition)?;
        let from = only_module(scopes, file, definition.name_span.start, &item.0)?;
        let to = destination(scopes, &from, to)?;
        if from == to {
            return Err(RelocateFault::Present(to.to_string()));
        }
        Ok(Self { file, definition, from, to })
    }

    /// What of the texts prevents the move.
    pub(super) fn check(&self, scopes: &Scopes, pieces: &Pieces) -> Result<(), RelocateFault> {
        let name = self.definition.name.as_str();
        let mut same = scopes.tree.members(&self.from);
        same.retain(|it| it.name == name && it.name_span != self.definition.name_span);
        if let Some(other) = same.first() {
            let line =
                base::LineIndex::new(&scopes.file(self.file).text).line_of(other.name_span.start);
            let path = scopes.file(self.file).path.clone();
            return Err(RelocateFault::Alternative { path, line });
        }
        let (place, target) = scopes.place(&self.to).ok_or(RelocateFault::NoModule)?;
        if let Some(taken) = scopes.member(&self.to, name) {
            let line = base::LineIndex::new(&target.text).line_of(taken.name_span.start);
            let (module, path) = (self.to.to_string(), target.path.clone());
            return Err(RelocateFault::Taken { module, path, line });
        }
        let taken = scopes.leaves_of(&self.to).find(|(_, leaf)| {
            let names = leaf.names();
            let module = names.split_last().map(|it| it.1).unwrap_or(&[]);
            let is_item = names.last().is_some_and(|it| it.trim_start_matches("r#") == name)
                && scopes.resolve(&self.to, module, leaf.is_global).as_ref() == Some(&self.from);
            leaf.name == name && !is_item && !leads_to(scopes, &self.to, &names, self)
        });
        if let Some((item, _)) = taken {
            let line = base::LineIndex::new(&target.text).line_of(item.span.start);
            let (module, path) = (self.to.to_string(), target.path.clone());
            return Err(RelocateFault::Imported { module, path, line });
        }
        let _ = place;
        self.check_conditions(scopes)?;
        self.check_attributes(scopes, pieces)
    }

    /// The `cfg`s around the old and the new place must be the same.
    pub(super) fn check_conditions(&self, scopes: &Scopes) -> Result<(), RelocateFault> {
        let (old, new) = (conditions(scopes, &self.from), conditions(scopes, &self.to));
        if old == new {
            return Ok(());
        }
        Err(RelocateFault::Conditions { old, module: self.to.to_string(), new })
    }

    fn check_attributes(&self, scopes: &Scopes, pieces: &Pieces) -> Result<(), RelocateFault> {
        let source = scopes.file(self.file);
        if self.from.names.is_empty() && self.definition.name == "main" {
            return Err(RelocateFault::EntryPoint);
        }
        for span in &pieces.spans {
            let text = source.slice(*span);
            let outline = Outline::of(text);
            for attribute in &outline.attributes {
                let name = outline.text(attribute.name);
                if name.starts_with("proc_macro") {
                    return Err(RelocateFault::ProcMacro);
                }
                if name == "test" || name == "bench" || name.ends_with("_test") {
                    return Err(RelocateFault::Test);
                }
            }
        }
        Ok(())
    }
}

/// Whether an import of the target leads to the item through a re-export.
fn leads_to(scopes: &Scopes, scope: &ModulePath, names: &[&str], of: &Request<'_>) -> bool {
    let Some((last, module)) = names.split_last() else { return false };
    let Some(module) = scopes.resolve(scope, module, false) else { return false };
    let name = &of.definition.name;
    last.trim_start_matches("r#") == name
        && scopes.leaves_of(&module).any(|(_, leaf)| {
            let path = leaf.names();
            let own = path.split_last().map(|it| it.1).unwrap_or(&[]);
            let own = if leaf.is_glob() { &path[..] } else { own };
            (leaf.is_glob() || leaf.name == *name)
                && scopes.resolve(&module, own, leaf.is_global).as_ref() == Some(&of.from)
        })
}

/// Whether the definition is a member of a module that can move.
fn is_free(it: &Definition) -> Result<(), RelocateFault> {
    Err(match it.kind {
        _ if !it.owner.is_empty() => RelocateFault::Member,
        DefinitionKind::Module => RelocateFault::Module,
        DefinitionKind::Macro => RelocateFault::Macro,
        DefinitionKind::Field | DefinitionKind::Variant => RelocateFault::Member,
        _ => return Ok(()),
    })
}

fn only_module(
    scopes: &Scopes,
    file: usize,
    at: usize,
    path: &ProjectPath,
) -> Result<ModulePath, RelocateFault> {
    let mut found = scopes.tree.modules_at(file, at);
    match found.len() {
        0 => Err(RelocateFault::NoCrate(path.clone())),
        1 => Ok(found.remove(0)),
        count => Err(RelocateFault::Several { name: path.to_string(), count }),
    }
}

/// The module that the user names.
fn destination(scopes: &Scopes, from: &ModulePath, to: &str) -> Result<ModulePath, RelocateFault> {
    let module = match to.strip_suffix(".rs") {
        Some(_) => {
            let path = ProjectPath::new(to.trim_start_matches("./"))
                .map_err(|error| RelocateFault::NoPath { to: to.to_owned(), error })?;
            let file = scopes.tree.file(&path).map(|it| it.0);
            let file = file.ok_or_else(|| RelocateFault::NoDestination(to.to_owned()))?;
            let all = scopes.tree.modules_at(file, 0);
            match all.as_slice() {
                [one] => one.clone(),
                [] => return Err(RelocateFault::Undeclared(to.to_owned())),
                all => {
                    let (name, count) = (to.to_owned(), all.len());
                    return Err(RelocateFault::Several { name, count });
                }
            }
        }
        None => by_path(scopes, from, to)?,
    };
    if module.krate != from.krate {
        return Err(RelocateFault::OtherCrate(to.to_owned()));
    }
    let (place, file) = scopes.place(&module).ok_or(RelocateFault::NoModule)?;
    only_module(scopes, place.file, place.body.map_or(0, |it| it.start + 1), &file.path)?;
    Ok(module)
}

fn by_path(scopes: &Scopes, from: &ModulePath, to: &str) -> Result<ModulePath, RelocateFault> {
    let names: Vec<&str> = to.split("::").map(str::trim).collect();
    let root = ModulePath { krate: from.krate, names: Vec::new() };
    let first = names.first().copied().unwrap_or("");
    let found = match first {
        "crate" | "self" | "super" => scopes.resolve(from, &names, false),
        _ => {
            let own = names.iter().fold(root.clone(), |path, it| path.child(it));
            let own = Some(own).filter(|it| scopes.tree.modules.contains_key(it));
            own.or_else(|| scopes.resolve(&root, &names, false))
        }
    };
    found.ok_or_else(|| {
        let own = scopes.tree.modules.keys().filter(|it| it.krate == from.krate);
        let mut all: Vec<String> = own.map(|it| format!("`{it}`")).collect();
        if all.len() > LISTED {
            all.truncate(LISTED);
            all.push("…".to_owned());
        }
        RelocateFault::UnknownModule { to: to.to_owned(), modules: all }
    })
}

/// The `cfg`s of the `mod` items around a module, in one order.
fn conditions(scopes: &Scopes, module: &ModulePath) -> Vec<String> {
    let mut found = Vec::new();
    let mut now = Some(module.clone());
    while let Some(inner) = now {
        now = inner.parent();
        let (Some(parent), Some(name)) = (&now, inner.names.last()) else { break };
        let Some((_, file)) = scopes.place(parent) else { continue };
        let members = scopes.tree.members(parent).into_iter().filter(|it| it.name == *name);
        let head = |it: &Definition| file.text.get(it.span.start..it.name_span.start);
        let declared: Vec<Vec<String>> = members.map(|it| cfgs(head(it).unwrap_or(""))).collect();
        if !is_always(&declared) {
            found.extend(declared.into_iter().next().unwrap_or_default());
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether two of the declarations of a module have conditions of which one is the negation of the other:
/// `#[cfg(test)] pub mod a; #[cfg(not(test))] mod a;`.
fn is_always(declared: &[Vec<String>]) -> bool {
    let single = || declared.iter().filter_map(|it| Some(it.first()?).filter(|_| it.len() == 1));
    let predicate = |it: &String| {
        let inner = it.strip_prefix("#[cfg(")?.strip_suffix(")]")?;
        Some(inner.to_owned())
    };
    single().filter_map(predicate).any(|it| {
        let negation = format!("#[cfg(not({it}))]");
        single().any(|other| *other == negation)
    })
}

/// The `cfg` attributes of a text, in one spelling.
pub(super) fn cfgs(head: &str) -> Vec<String> {
    written_cfgs(head).into_iter().map(crate::text::spelled).collect()
}

/// The `cfg` attributes of a text.
pub(super) fn written_cfgs(head: &str) -> Vec<&str> {
    let outline = Outline::of(head);
    let own = outline.attributes.iter().filter(|it| outline.text(it.name) == "cfg");
    let span = |it: &preserve::outline::Attribute| {
        let start = outline.tokens[..it.name].iter().rposition(|it| it.is("#"))?;
        head.get(outline.tokens[start].span.start..outline.tokens.get(it.end)?.span.end)
    };
    own.filter_map(span).collect()
}
