//! What a path in a text of the project names: an item of the project, of the standard library, of
//! another crate, or something that cannot be resolved. It follows modules, imports, renamed imports and
//! globs through the files; what a macro makes, or what no text declares, is not resolved.
//!
//! It is not the resolver of the map (`resolve`): it reads texts that are not on disk yet, needs no
//! types, and where it is in doubt its answer is [`Meaning::Unknown`].

use std::cell::RefCell;
use std::rc::Rc;

use base::{ProjectPath, SortedMap};
use edit::Files;
use syntax::NodeKind;
use syntax::facts::{FileFacts, Name, Use, UseWhat};

use super::outside::{ROOTS, is_prelude};

/// Maximum number of imports that a name is followed through.
const DEEPEST: usize = 12;

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// An item of the project, or a name that needs no import.
    Own,
    /// A path of the standard library.
    Std(Vec<String>),
    /// A path whose first segment is the name of another crate, or of nothing known.
    Extern(String),
    /// Nothing that a text declares.
    Unknown,
}

/// The texts of a project after a change.
pub(super) struct Names<'a> {
    files: &'a dyn Files,
    read: RefCell<SortedMap<ProjectPath, Option<Rc<FileFacts>>>>,
}

/// A module: its file, and the item of an inline one.
#[derive(Clone)]
struct Module {
    file: ProjectPath,
    item: Option<usize>,
}

impl<'a> Names<'a> {
    pub(super) fn new(files: &'a dyn Files) -> Self {
        Self { files, read: RefCell::default() }
    }

    /// What the imports of a file bind a word to; empty where none does.
    pub(super) fn imported(&self, file: &ProjectPath, word: &str) -> Vec<Meaning> {
        let Some(facts) = self.facts(file) else { return Vec::new() };
        let binding = facts.uses.iter().filter(|it| binds(&facts, it, word));
        binding.map(|it| self.resolve(file, &names(&facts, &it.path), DEEPEST)).collect()
    }

    /// Whether a word of a file may come from a glob import of a module that `reaches` outside.
    pub(super) fn may_be_of_glob(
        &self,
        file: &ProjectPath,
        word: &str,
        reaches: impl Fn(&str) -> bool,
    ) -> bool {
        let Some(facts) = self.facts(file) else { return false };
        let is_declared = || {
            facts.decls.iter().any(|it| it.name.is_some_and(|name| is(&facts, name, word)))
                || is_prelude(word)
                || facts.uses.iter().any(|it| binds(&facts, it, word))
        };
        let globs = facts.uses.iter().filter(|it| it.what == UseWhat::Glob);
        let mut found = globs.map(|it| self.resolve(file, &names(&facts, &it.path), DEEPEST));
        let is_outside = |it: Meaning| match it {
            Meaning::Std(path) => path.iter().any(|it| reaches(it)),
            _ => false,
        };
        found.any(is_outside) && !is_declared()
    }

    /// What a path in a file names.
    pub(super) fn meaning(&self, file: &ProjectPath, segments: &[String]) -> Meaning {
        self.resolve(file, segments, DEEPEST)
    }

    fn resolve(&self, file: &ProjectPath, segments: &[String], depth: usize) -> Meaning {
        let Some((first, rest)) = segments.split_first() else { return Meaning::Own };
        if depth == 0 {
            return Meaning::Unknown;
        }
        match first.as_str() {
            root if ROOTS.contains(&root) => return Meaning::Std(segments.to_vec()),
            "Self" => return Meaning::Own,
            "crate" | "$crate" => {
                let Some(root) = self.root_of(file) else { return Meaning::Unknown };
                return self.walk(&root, rest, depth - 1);
            }
            // Of an inline module `self` and `super` may be the file itself.
            "self" | "super" => {
                let rest = strip_supers(rest);
                let mut at = Some(Module { file: file.clone(), item: None });
                let mut found = Vec::new();
                for _ in 0..4 {
                    let Some(module) = at else { break };
                    found.push(self.walk(&module, rest, depth - 1));
                    at = self.parent_of(&module.file);
                }
                return worst(found);
            }
            _ => {}
        }
        let found = self.bound(file, segments, depth);
        if !found.is_empty() {
            return worst(found);
        }
        if is_prelude(first) {
            return Meaning::Own;
        }
        self.of_globs(file, segments, depth).unwrap_or_else(|| Meaning::Extern(first.clone()))
    }

    /// What the imports and the items of a file make of a path.
    fn bound(&self, file: &ProjectPath, segments: &[String], depth: usize) -> Vec<Meaning> {
        let mut found = Vec::new();
        let Some((first, rest)) = segments.split_first() else { return found };
        let Some(facts) = self.facts(file) else { return vec![Meaning::Unknown] };
        for import in facts.uses.iter().filter(|it| binds(&facts, it, first)) {
            let mut path = names(&facts, &import.path);
            // `use fs::read` of a name that an import binds itself would not end.
            if path.first() == Some(first) && path.len() == 1 {
                found.push(Meaning::Extern(first.clone()));
                continue;
            }
            path.extend(rest.iter().cloned());
            found.push(self.resolve(file, &path, depth - 1));
        }
        let is_declared = facts.decls.iter().any(|decl| {
            decl.name.is_some_and(|name| is(&facts, name, first))
                || decl.generics.iter().any(|it| is(&facts, it.name, first))
        });
        if is_declared {
            let module = facts
                .file
                .items
                .iter()
                .position(|it| it.kind == NodeKind::Module && it.name == *first);
            found.push(match module {
                Some(_) if !rest.is_empty() => {
                    self.walk(&Module { file: file.clone(), item: None }, segments, depth - 1)
                }
                _ => Meaning::Own,
            });
        }
        found
    }

    /// What the globs of a file make of a path; `None`: nothing.
    fn of_globs(&self, file: &ProjectPath, segments: &[String], depth: usize) -> Option<Meaning> {
        let facts = self.facts(file)?;
        let mut found = None;
        for import in facts.uses.iter().filter(|it| it.what == UseWhat::Glob) {
            let mut path = names(&facts, &import.path);
            path.extend(segments.iter().cloned());
            match self.resolve(file, &path, depth - 1) {
                Meaning::Own => return Some(Meaning::Own),
                Meaning::Std(path) => found = Some(Meaning::Std(path)),
                Meaning::Extern(_) | Meaning::Unknown => {}
            }
        }
        found
    }

    /// What the segments name in a module.
    fn walk(&self, module: &Module, segments: &[String], depth: usize) -> Meaning {
        let Some((first, rest)) = segments.split_first() else { return Meaning::Own };
        if depth == 0 {
            return Meaning::Unknown;
        }
        let Some(facts) = self.facts(&module.file) else { return Meaning::Unknown };
        let items = &facts.file.items;
        let mut found = Vec::new();
        for (idx, item) in items.iter().enumerate() {
            if item.parent != module.item || item.name.trim_start_matches("r#") != first {
                continue;
            }
            if item.kind != NodeKind::Module {
                found.push(Meaning::Own);
            } else if item.body.is_some() {
                let inner = Module { file: module.file.clone(), item: Some(idx) };
                found.push(self.walk(&inner, rest, depth - 1));
            } else if rest.is_empty() {
                found.push(Meaning::Own);
            } else {
                let inner = self.file_of(&module.file, items, module.item, first);
                found.push(
                    inner.map_or(Meaning::Unknown, |inner| self.walk(&inner, rest, depth - 1)),
                );
            }
        }
        for import in facts.uses.iter() {
            let holder = items.get(import.item as usize).and_then(|it| it.parent);
            if holder != module.item {
                continue;
            }
            let mut path = names(&facts, &import.path);
            if binds(&facts, import, first) {
                path.extend(rest.iter().cloned());
                found.push(self.resolve(&module.file, &path, depth - 1));
            } else if import.what == UseWhat::Glob && found.is_empty() {
                path.extend(segments.iter().cloned());
                match self.resolve(&module.file, &path, depth - 1) {
                    Meaning::Extern(_) | Meaning::Unknown => {}
                    meaning => found.push(meaning),
                }
            }
        }
        if found.is_empty() { Meaning::Unknown } else { worst(found) }
    }

    /// The module of a file that a `mod name;` declares.
    fn file_of(
        &self,
        file: &ProjectPath,
        items: &[syntax::Item],
        within: Option<usize>,
        name: &str,
    ) -> Option<Module> {
        let mut folder = folder_of(file)?;
        let mut inner = Vec::new();
        let mut at = within;
        while let Some(item) = at.and_then(|it| items.get(it)) {
            inner.push(item.name.clone());
            at = item.parent;
        }
        for part in inner.iter().rev() {
            folder = format!("{folder}{part}/");
        }
        let named = [format!("{folder}{name}.rs"), format!("{folder}{name}/mod.rs")];
        let mut found = named.iter().filter_map(|it| ProjectPath::new(it).ok());
        let file = found.find(|it| self.facts(it).is_some())?;
        Some(Module { file, item: None })
    }

    /// The root module of the crate that a file is part of.
    fn root_of(&self, file: &ProjectPath) -> Option<Module> {
        let text = file.as_str();
        let mut end = text.len();
        while let Some(at) = text[..end].rfind("src/") {
            if at == 0 || text.as_bytes()[at - 1] == b'/' {
                let roots = ["lib.rs", "main.rs"].map(|it| format!("{}src/{it}", &text[..at]));
                let mut found = roots.iter().filter_map(|it| ProjectPath::new(it).ok());
                let root = found.find(|it| self.facts(it).is_some())?;
                return Some(Module { file: root, item: None });
            }
            end = at;
        }
        None
    }

    /// The module that holds the module of a file.
    fn parent_of(&self, file: &ProjectPath) -> Option<Module> {
        let (folder, name) = file.as_str().rsplit_once('/')?;
        if matches!(name, "lib.rs" | "main.rs") {
            return None;
        }
        let folder = if name == "mod.rs" { folder.rsplit_once('/')?.0 } else { folder };
        let named = ["lib.rs", "main.rs", "mod.rs"].map(|it| format!("{folder}/{it}"));
        let all = named.into_iter().chain([format!("{folder}.rs")]);
        let mut found = all.filter_map(|it| ProjectPath::new(&it).ok());
        let file = found.find(|it| it != file && self.facts(it).is_some())?;
        Some(Module { file, item: None })
    }

    fn facts(&self, file: &ProjectPath) -> Option<Rc<FileFacts>> {
        if let Some(known) = self.read.borrow().get(file) {
            return known.clone();
        }
        let state = self.files.read(file).ok().flatten();
        let facts = state.map(|state| Rc::new(syntax::read(&state.text)));
        self.read.borrow_mut().insert(file.clone(), facts.clone());
        facts
    }
}

/// The folder of the modules that a file declares, with a slash.
fn folder_of(file: &ProjectPath) -> Option<String> {
    let (folder, name) = file.as_str().rsplit_once('/')?;
    Some(match name {
        "lib.rs" | "main.rs" | "mod.rs" => format!("{folder}/"),
        _ => format!("{folder}/{}/", name.strip_suffix(".rs")?),
    })
}

fn strip_supers(mut segments: &[String]) -> &[String] {
    while let Some((first, rest)) = segments.split_first()
        && first == "super"
    {
        segments = rest;
    }
    segments
}

/// Of several meanings, the one that is refused first.
fn worst(found: Vec<Meaning>) -> Meaning {
    let rank = |it: &Meaning| match it {
        Meaning::Std(_) => 0,
        Meaning::Own => 1,
        Meaning::Extern(_) => 2,
        Meaning::Unknown => 3,
    };
    found.into_iter().min_by_key(rank).unwrap_or(Meaning::Unknown)
}

fn is(facts: &FileFacts, name: Name, text: &str) -> bool {
    word(facts, name) == text
}

fn word(facts: &FileFacts, name: Name) -> &str {
    facts.names.get(name.idx()).map_or("", |it| it.trim_start_matches("r#"))
}

fn names(facts: &FileFacts, path: &[Name]) -> Vec<String> {
    path.iter().map(|it| word(facts, *it).to_owned()).collect()
}

fn binds(facts: &FileFacts, import: &Use, text: &str) -> bool {
    match import.what {
        UseWhat::Name(name) | UseWhat::ExternCrate(name) => is(facts, name, text),
        UseWhat::Underscore | UseWhat::Glob => false,
    }
}
