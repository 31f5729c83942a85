//! The calls of the map, in the form that comparisons need.

use base::{EdgeKind, ItemKind, SortedMap, Tier};
use graph::{ItemRow, MapData, UnresolvedReason};

use super::names::without_crate;

/// A function or method of the map.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// Canonical path without the crate.
    pub(super) path: String,
    /// Path of the file.
    pub(super) file: String,
    /// Byte range of the name token; empty if it has none.
    pub(super) name: (u32, u32),
    /// Byte range of the whole function.
    pub(super) span: (u32, u32),
    /// Line, from 1.
    pub(super) line: u32,
    /// Trait that declares it.
    pub(super) of_trait: Option<String>,
    /// Whether a macro generated it.
    pub(super) from_macro: bool,
}

/// One site of one call edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// Number of the calling item.
    pub(super) caller: u32,
    /// Number of the called function.
    pub(super) callee: u32,
    /// Tier of the edge.
    pub(super) tier: Tier,
    /// Number of the rule that resolved it.
    pub(super) rule: u8,
    /// Line, from 1.
    pub(super) line: u32,
}

/// All calls of functions and methods that are in the workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    /// Callers and callees by number; for callers other than functions only the path is set.
    pub(super) functions: SortedMap<u32, Function>,
    /// Sites by file and byte of the token that names the callee.
    pub(super) sites: SortedMap<(String, u32), Vec<Site>>,
    /// Sites without a target.
    pub(super) unresolved: SortedMap<(String, u32), &'static str>,
}

/// Reads the calls of the map.
pub(super) fn calls(data: &MapData) -> Calls {
    let mut calls = Calls::default();
    let row = |number: u32| data.items.get(number as usize);
    let file = |number: u32| data.files.get(number as usize).map(|file| file.path.to_string());
    for site in &data.sites {
        let Some(edge) = data.edges.get(site.edge as usize) else { continue };
        let is_function = |row: &ItemRow| matches!(row.kind, ItemKind::Function | ItemKind::Method);
        let (Some(caller), Some(callee)) = (row(edge.src), row(edge.dst)) else { continue };
        if edge.kind != EdgeKind::Calls || !is_function(callee) || callee.file == u32::MAX {
            continue;
        }
        for (number, item) in [(edge.src, caller), (edge.dst, callee)] {
            calls.functions.entry(number).or_insert_with(|| function(data, item));
        }
        let Some(path) = file(site.file) else { continue };
        calls.sites.entry((path, site.offset)).or_default().push(Site {
            caller: edge.src,
            callee: edge.dst,
            tier: edge.tier,
            rule: edge.rule,
            line: site.line,
        });
    }
    for site in &data.unresolved {
        if let Some(path) = file(site.file) {
            calls.unresolved.insert((path, site.offset), reason(site.reason));
        }
    }
    calls
}

fn function(data: &MapData, item: &ItemRow) -> Function {
    let parent = item.parent.and_then(|number| data.items.get(number as usize));
    let of_trait = parent.filter(|parent| parent.kind == ItemKind::Trait);
    let path = without_crate(&item.canon);
    Function {
        path: parent.and_then(|parent| of_impl(path, parent)).unwrap_or_else(|| path.to_owned()),
        file: data.files.get(item.file as usize).map(|it| it.path.to_string()).unwrap_or_default(),
        name: item.name_span,
        span: item.span,
        line: item.line,
        of_trait: of_trait.map(|parent| parent.name.clone()),
        from_macro: item.flags.from_macro,
    }
}

/// The path with the type arguments of its inherent impl: they distinguish `Water<Hot>` from
/// `Water<Cold>`, which have one canonical path.
fn of_impl(path: &str, parent: &ItemRow) -> Option<String> {
    let header = parent.name.as_str();
    if parent.kind != ItemKind::Impl || !header.contains('<') || header.contains(" for ") {
        return None;
    }
    let (of_type, name) = path.rsplit_once("::")?;
    Some(match of_type.rsplit_once("::") {
        Some((module, _)) => format!("{module}::{header}::{name}"),
        None => format!("{header}::{name}"),
    })
}

fn reason(reason: UnresolvedReason) -> &'static str {
    match reason {
        UnresolvedReason::UnknownReceiver => "unresolved: the receiver's type does not show",
        UnresolvedReason::NotFound => "unresolved: nothing of that name was found",
        UnresolvedReason::TooMany => "unresolved: too many of that name",
        UnresolvedReason::InMacro => "unresolved: in a macro that could not be read",
    }
}

/// The name of a rule for messages.
pub(super) fn rule(number: u8) -> String {
    if number == ingest::ANALYZER_RULE {
        return "rust_analyzer".to_owned();
    }
    resolve::Rule::of_number(number)
        .map_or_else(|| format!("rule {number}"), |rule| rule.name().to_owned())
}

/// Whether the edges of a rule depend on an assumption about code outside the workspace.
pub(super) fn is_assumed(number: u8) -> bool {
    resolve::Rule::of_number(number).is_some_and(resolve::Rule::is_assumed)
}

impl Calls {
    /// The function with a number; both functions of every site exist.
    pub(super) fn function(&self, number: u32) -> Option<&Function> {
        self.functions.get(&number)
    }
}
