//! Declarations of the public items of the standard library, printed from their facts: signatures
//! without bodies, lifetimes, mutability and allocators, which resolution does not use.

use std::fmt::Write as _;

use base::{ItemKind, SortedMap, SortedSet};
use graftage_resolve::{DefId, Resolution};
use syntax::facts::{Fields, FileFacts, Shape, TypeId, TypeRef};

use super::library::Library;

/// Traits whose bounds and impls say nothing about calls.
pub(super) const SKIPPED_TRAITS: [&str; 14] = [
    "Allocator",
    "Destruct",
    "Freeze",
    "FusedIterator",
    "MetaSized",
    "PointeeSized",
    "RefUnwindSafe",
    "Send",
    "Sized",
    "StructuralPartialEq",
    "Sync",
    "TrustedLen",
    "Unpin",
    "UnwindSafe",
];

/// The derives that declare impls.
const DERIVED: [&str; 9] =
    ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// The traits of operators, whose impls for references resolution derives from the others.
const OPERATORS: [&str; 10] =
    ["Add", "BitAnd", "BitOr", "BitXor", "Div", "Mul", "Rem", "Shl", "Shr", "Sub"];

/// Macros that resolution expands; all others are declared by name.
const THREAD_LOCAL: &str = "#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$of:meta])* $see:vis static $name:ident: $ty:ty = const $value:block $(; $($more:tt)*)?) => {
        $(#[$of])* $see static $name: $ty = $value;
        $crate::thread_local! { $($($more)*)? }
    };
    ($(#[$of:meta])* $see:vis static $name:ident: $ty:ty = $value:expr $(; $($more:tt)*)?) => {
        $(#[$of])* $see static $name: $ty = $value;
        $crate::thread_local! { $($($more)*)? }
    };
}
";

/// Items that only signatures name.
const UNNAMEABLE: &str = "unnameable";

/// The comment at the start of the file.
pub(crate) fn header(release: &str) -> String {
    format!(
        "// The public declarations of the standard library of Rust {release}, without bodies.\n\
         // Made by `cargo xtask gen-sysroot` from rust-src; do not edit.\n"
    )
}

/// All declarations.
pub(crate) fn declarations(library: &mut Library) -> String {
    let mut printer = Printer::of(library);
    printer.run();
    printer.file()
}

/// One module of the file: its items and impls as text.
#[derive(Default)]
struct Module {
    modules: SortedMap<String, Module>,
    /// By name; a name can be a type and a function.
    items: SortedSet<(String, String)>,
    aliases: SortedMap<String, Vec<String>>,
    /// By header: without mutability several impls can have the same one.
    impls: SortedMap<String, SortedSet<String>>,
}

pub(super) struct Printer<'a> {
    pub(super) library: &'a mut Library,
    root: Module,
    /// Items to print.
    queue: Vec<DefId>,
    queued: SortedSet<DefId>,
    /// Impls that have been printed.
    printed: SortedSet<DefId>,
    /// The public names of the prelude, which need no path.
    prelude: SortedMap<Vec<String>, String>,
}

/// The context of a printed type: the item whose generics are in scope.
#[derive(Clone, Copy)]
pub(super) struct At<'f> {
    pub(super) item: DefId,
    pub(super) facts: &'f FileFacts,
}

impl<'a> Printer<'a> {
    fn of(library: &'a mut Library) -> Self {
        let v1: Vec<String> = ["prelude", "v1"].map(str::to_owned).to_vec();
        let prelude = library.aliases.get(&v1).cloned().unwrap_or_default();
        // A name that a module also gives to another item is printed with its path.
        let is_only = |name: &String| {
            library.paths.values().filter(|path| path.last() == Some(name)).count() == 1
        };
        let prelude = prelude.into_iter().filter(|(name, _)| is_only(name));
        let prelude = prelude.map(|(name, path)| (path, name)).collect();
        let queue: Vec<DefId> = library.paths.keys().copied().collect();
        let queued = queue.iter().copied().collect();
        Self { library, root: Module::default(), queue, queued, printed: SortedSet::new(), prelude }
    }

    /// Prints items and impls until no more items are named.
    fn run(&mut self) {
        loop {
            while let Some(def) = self.queue.pop() {
                if let Some(text) = self.item(def) {
                    let mut path = self.library.paths[&def].clone();
                    let name = path.pop().unwrap();
                    self.module(&path).items.insert((name, text));
                }
            }
            let impls: Vec<DefId> = self
                .library
                .map
                .ids()
                .filter(|def| self.library.def(*def).kind == ItemKind::Impl)
                .filter(|def| self.library.exists(*def) && !self.printed.contains(def))
                .collect();
            for def in impls {
                let Some((path, header, members)) = self.implementation(def) else { continue };
                self.printed.insert(def);
                let impls = &mut self.module(&path).impls;
                if !header.contains(" for ") {
                    impls.entry(header).or_default().extend(members);
                } else if impls.get(&header).is_none_or(|other| members < *other) {
                    impls.insert(header, members);
                }
            }
            if self.queue.is_empty() {
                break;
            }
        }
        for (path, names) in self.library.aliases.clone() {
            self.module(&path).aliases.extend(names);
        }
    }

    fn module(&mut self, path: &[String]) -> &mut Module {
        path.iter()
            .fold(&mut self.root, |module, name| module.modules.entry(name.clone()).or_default())
    }

    fn file(&self) -> String {
        let mut text = THREAD_LOCAL.to_owned();
        for (path, name) in &self.library.macros {
            if path.is_empty() && name != "thread_local" {
                writeln!(text, "#[macro_export]\nmacro_rules! {} {{}}", raw(name)).unwrap();
            }
        }
        print_module(&self.root, &mut text);
        text
    }

    /// The printed name of an item, which is printed too.
    pub(super) fn named(&mut self, def: DefId) -> String {
        if !self.library.paths.contains_key(&def) {
            let name = self.library.name(def);
            let taken = |library: &Library, name: &str| {
                library.paths.values().any(|it| it[0] == UNNAMEABLE && it[1] == name)
            };
            let mut free = name.clone();
            while taken(self.library, &free) {
                free.push('_');
            }
            self.library.paths.insert(def, vec![UNNAMEABLE.to_owned(), free]);
        }
        if self.queued.insert(def) {
            self.queue.push(def);
        }
        self.path_text(&self.library.paths[&def])
    }

    fn path_text(&self, path: &[String]) -> String {
        match self.prelude.get(path) {
            Some(name) => name.clone(),
            None => {
                let names: Vec<String> = path.iter().map(|name| raw(name)).collect();
                format!("crate::{}", names.join("::"))
            }
        }
    }

    /// The item that a name of the declarations in use means, by its public path.
    pub(super) fn of_prelude(&self, def: DefId) -> Option<DefId> {
        let canon = self.library.map.canon(def);
        let path: Vec<String> = canon.split("::").skip(1).map(str::to_owned).collect();
        let found = self.library.paths.iter().find(|(_, known)| **known == path)?;
        Some(*found.0)
    }

    fn item(&mut self, def: DefId) -> Option<String> {
        let map = &self.library.map;
        map.facts(def)?;
        let number = map.def(def).item as usize;
        let source = map.source(map.def(def).file);
        let (facts, source) = (source.facts.clone(), source.text.clone());
        let (item, decl) = (&facts.file.items[number], &facts.decls[number]);
        let at = At { item: def, facts: &facts };
        let name = raw(self.library.paths[&def].last().unwrap());
        let generics = self.generics(at, decl);
        let wheres = self.wheres(at, decl);
        let text = match &decl.shape {
            Shape::Fn(of) => format!("pub {}", self.function(at, decl, of, &name)),
            Shape::Struct(fields) => {
                let code = source.get(item.code_span.start..item.code_span.end)?;
                let derives = derives(&item.attributes);
                let fields = self.fields(at, fields, code, &wheres);
                format!("{derives}pub struct {name}{generics}{fields}")
            }
            Shape::Enum(variants) => {
                let mut all = Vec::new();
                for variant in variants {
                    let name = raw(&facts.names[variant.name.idx()]);
                    let fields = match &variant.fields {
                        Fields::Unit => String::new(),
                        Fields::Tuple(types) => {
                            let types: Vec<_> = types.iter().map(|it| self.ty(at, *it)).collect();
                            format!("({})", types.join(", "))
                        }
                        Fields::Named(fields) => {
                            let fields: Vec<_> = fields
                                .iter()
                                .map(|(name, ty)| {
                                    format!("{}: {}", facts.names[name.idx()], self.ty(at, *ty))
                                })
                                .collect();
                            format!(" {{ {} }}", fields.join(", "))
                        }
                    };
                    all.push(format!("{name}{fields}"));
                }
                let derives = derives(&item.attributes);
                format!("{derives}pub enum {name}{generics}{wheres} {{ {} }}", all.join(", "))
            }
            Shape::Trait(parents) => {
                let parents = self.bounds(at, parents);
                let parents = if parents.is_empty() { parents } else { format!(": {parents}") };
                let members = block(&self.members(def, true));
                format!("pub trait {name}{generics}{parents}{wheres} {members}")
            }
            Shape::Alias { .. } => format!("pub {}", self.alias(at, decl, &name)),
            Shape::Value(Some(ty)) => format!("pub const {name}: {} = 0;", self.ty(at, *ty)),
            _ => return None,
        };
        Some(text)
    }

    /// The header and the members of an impl, and the module in which it is printed, if trait and
    /// type are printed.
    fn implementation(&mut self, def: DefId) -> Option<(Vec<String>, String, SortedSet<String>)> {
        let map = &self.library.map;
        map.facts(def)?;
        let facts = map.source(map.def(def).file).facts.clone();
        let decl = &facts.decls[map.def(def).item as usize];
        let Shape::Impl { self_type, of_trait, is_negative: false } = decl.shape else {
            return None;
        };
        let at = At { item: def, facts: &facts };
        let own = self.head(at, self_type)?;
        let mut path = own.map(|def| self.library.paths[&def].clone());
        let of_trait = match of_trait {
            None => None,
            Some(of) => {
                let Resolution::Def(found) = self.resolve(at, of) else { return None };
                let is_skipped = SKIPPED_TRAITS.contains(&self.library.name(found).as_str());
                if !self.queued.contains(&found) || is_skipped {
                    return None;
                }
                path = path.or_else(|| self.library.paths.get(&found).cloned());
                Some(of)
            }
        };
        let mut path = path.unwrap_or_default();
        path.pop();
        if path.is_empty() {
            path.push("primitive".to_owned());
        }
        let members = self.members(def, of_trait.is_none());
        if of_trait.is_none() && members.is_empty() {
            return None;
        }
        let generics = self.generics(at, decl);
        let wheres = self.wheres(at, decl);
        let of_trait = of_trait.map(|of| self.path(at, of)).unwrap_or_default();
        let self_type = self.ty(at, self_type);
        if is_derived_operator(&of_trait, &self_type) {
            return None;
        }
        let of_trait = if of_trait.is_empty() { of_trait } else { format!("{of_trait} for ") };
        Some((path, format!("impl{generics} {of_trait}{self_type}{wheres}"), members))
    }

    /// The item at the head of a type, if it is printed; `None` inside: not an item.
    fn head(&self, at: At<'_>, id: TypeId) -> Option<Option<DefId>> {
        match &at.facts.types[id.idx()] {
            TypeRef::Path(path) => match self.resolve(at, *path) {
                Resolution::Def(def) => self.queued.contains(&def).then_some(Some(def)),
                Resolution::Prim(_) | Resolution::Param(..) => Some(None),
                _ => None,
            },
            TypeRef::Unknown => None,
            TypeRef::Ref(to) | TypeRef::Ptr(to) => self.head(at, *to).map(|_| None),
            TypeRef::Dyn(bounds) => {
                let first = bounds.first()?;
                match self.resolve(at, first.0) {
                    Resolution::Def(def) => self.queued.contains(&def).then_some(Some(def)),
                    _ => None,
                }
            }
            _ => Some(None),
        }
    }
}

/// Whether it is the impl of an operator for a reference, or of a shift by another type.
fn is_derived_operator(of_trait: &str, self_type: &str) -> bool {
    let (path, arg) = of_trait.split_once('<').unwrap_or((of_trait, ""));
    let name = path.rsplit("::").next().unwrap_or_default();
    let name = name.strip_suffix("Assign").unwrap_or(name);
    let is_unary = ["Neg", "Not"].contains(&name);
    if !is_unary && !OPERATORS.contains(&name) {
        return false;
    }
    let is_number = |text: &str| text.starts_with(['i', 'u', 'f']) && text.len() < 6;
    let is_shift = ["Shl", "Shr"].contains(&name) && is_number(self_type);
    let is_of_other = is_shift && arg.strip_suffix('>') != Some(self_type);
    let is_wrapper = ["crate::num::", "&crate::num::"].iter().any(|it| self_type.starts_with(it));
    is_of_other
        || (self_type.starts_with('&') || arg.starts_with('&'))
            && (is_wrapper || is_number(self_type.trim_start_matches('&')))
}

fn block(members: &SortedSet<String>) -> String {
    if members.is_empty() {
        return "{}".to_owned();
    }
    let members: Vec<&str> = members.iter().map(String::as_str).collect();
    format!("{{\n{}\n}}", members.join("\n"))
}

/// The derived traits in one attribute.
fn derives(attributes: &[String]) -> String {
    let mut all = SortedSet::new();
    for attribute in attributes {
        for start in ["#[derive(", "#[derive_const("] {
            let attribute = attribute.replace(' ', "");
            let Some(rest) = attribute.strip_prefix(start) else { continue };
            let names = rest.split(')').next().unwrap_or_default().split(',').map(str::trim);
            let names = names.filter(|name| DERIVED.contains(name));
            all.extend(names.map(str::to_owned));
        }
    }
    if all.is_empty() {
        return String::new();
    }
    let all: Vec<String> = all.into_iter().collect();
    format!("#[derive({})]\n", all.join(", "))
}

/// Keywords as raw identifiers.
pub(super) fn raw(name: &str) -> String {
    let is_keyword = ["try", "async", "await", "dyn", "gen", "match", "type"].contains(&name);
    if is_keyword { format!("r#{name}") } else { name.to_owned() }
}

fn print_module(module: &Module, text: &mut String) {
    for (name, target) in &module.aliases {
        let path: Vec<String> = target.iter().map(|name| raw(name)).collect();
        let name = if target.last() == Some(name) { String::new() } else { format!(" as {name}") };
        writeln!(text, "pub use crate::{}{name};", path.join("::")).unwrap();
    }
    for (_, item) in &module.items {
        writeln!(text, "{item}").unwrap();
    }
    for (header, members) in &module.impls {
        writeln!(text, "{header} {}", block(members)).unwrap();
    }
    for (name, inner) in &module.modules {
        writeln!(text, "pub mod {} {{", raw(name)).unwrap();
        print_module(inner, text);
        writeln!(text, "}}").unwrap();
    }
}
