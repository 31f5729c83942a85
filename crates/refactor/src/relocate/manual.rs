//! Items that a person has moved to another module manually: what their move leaves to do. The items are
//! put back in memory, and the plan of the move is made as for one that starts from a request; of its edits
//! those count that are not done yet.

use std::sync::Arc;

use base::{ByteSpan, ProjectPath, SortedMap, SortedSet};
use edit::Splice;

use super::modules::{CrateRoot, ModulePath};
use super::pieces::{Pieces, pieces};
use super::request::Request;
use super::scope::{Scopes, between};
use super::supply::{Ends, NewImport, Origin, raw};
use super::users::{Finder, Public, Uses};
use super::{Plan, heads, layout, public};
use crate::module_item::{module_declarations, module_parents};
use crate::use_item::without_imports;

/// Items that were moved together: the file that they were in, and the name of each where it is now.
pub struct ManualMove {
    /// File that they were in.
    pub from: ProjectPath,
    /// File that they are in.
    pub to: ProjectPath,
    /// Each with the position of its name in the new file.
    pub items: Vec<(String, usize)>,
    /// The names of items that errors miss, with the files of the errors.
    pub missed: SortedSet<(ProjectPath, String)>,
}

/// What is left to do: the edits by path and position, and the moved texts with their impls.
pub struct ManuallyMoved {
    /// Edits by path and position.
    pub splices: Vec<(ProjectPath, Splice)>,
    /// Moved texts with their impls.
    pub pieces: Vec<ByteSpan>,
}

type Texts = Vec<(ProjectPath, Arc<str>)>;
type Edits = SortedMap<(usize, usize), String>;

impl ManualMove {
    /// The edits that the move asks for in `files`, the present texts; `None` if a module or item is not
    /// found, or belongs to several crates.
    pub fn finish(&self, files: &Texts, roots: &[CrateRoot]) -> Option<ManuallyMoved> {
        let declared = self.declared(files, roots);
        let (files, declaration) = match &declared {
            Some((files, declaration)) => (files, Some(declaration)),
            None => (files, None),
        };
        let scopes = Scopes::of(files, roots);
        let new = scopes.tree.file(&self.to)?.0;
        let to = only(scopes.tree.modules_at(new, 0))?;
        let mut spans: Vec<ByteSpan> = Vec::new();
        for (name, at) in &self.items {
            let mut all = scopes.file(new).places.definitions.iter();
            let it = all.find(|it| it.name_span.start == *at && it.name == *name)?;
            spans.extend(pieces(&scopes, &to, new, it).ok()?.spans);
        }
        spans.sort();
        spans.dedup();
        let back = Back::of(files, self, &spans)?;
        let before = Scopes::of(&back.files, roots);
        let from = only(before.tree.modules_at(before.tree.file(&self.from)?.0, 0))?;
        let mut found = Found::new(&before, &from, &to);
        for (name, at) in &self.items {
            found.plan(&back, self, (name, back.to_old(*at)?))?;
        }
        let mut splices = found.splices(&scopes, &back, self)?;
        splices.extend(declaration.cloned());
        Some(ManuallyMoved { splices, pieces: spans })
    }
}

impl ManualMove {
    /// If no file declares the new module yet: the texts in which its parent does, at the end, so that
    /// other positions stay, and the declaration where it belongs.
    fn declared(
        &self,
        files: &Texts,
        roots: &[CrateRoot],
    ) -> Option<(Texts, (ProjectPath, Splice))> {
        let scopes = Scopes::of(files, roots);
        let new = scopes.tree.file(&self.to)?.0;
        if !scopes.tree.modules_at(new, 0).is_empty() {
            return None;
        }
        let stem = self.to.as_str().strip_suffix(".rs")?;
        let (folder, name) = stem.strip_suffix("/mod").unwrap_or(stem).rsplit_once('/')?;
        let folder = format!("{folder}/");
        let parent = module_parents(&folder).find_map(|it| {
            let path = ProjectPath::new(&it).ok().filter(|it| *it != self.to)?;
            let file = scopes.tree.file(&path)?.0;
            (!scopes.tree.modules_at(file, 0).is_empty()).then_some(path)
        })?;
        let mut all = files.clone();
        let (_, text) = all.iter_mut().find(|it| it.0 == parent)?;
        let splice = module_declarations(text, &SortedSet::from([name.to_owned()]));
        *text = Arc::from(format!("{text}\nmod {name};\n"));
        Some((all, (parent, splice)))
    }
}

fn only(mut modules: Vec<ModulePath>) -> Option<ModulePath> {
    let first = modules.pop()?;
    modules.is_empty().then_some(first)
}

/// The tree with the items in their old file, after its present text.
struct Back {
    files: Texts,
    /// The moved texts: in the new file, and in the old one.
    spans: Vec<(ByteSpan, ByteSpan)>,
    /// Length of the present text of the old file.
    len: usize,
}

impl Back {
    fn of(files: &Texts, of: &ManualMove, spans: &[ByteSpan]) -> Option<Self> {
        let text = |path: &ProjectPath| Some(&files.iter().find(|it| it.0 == *path)?.1);
        let (old, new) = (text(&of.from)?, text(&of.to)?);
        let (mut long, mut blank) = (old.to_string(), new.to_string());
        let mut pairs = Vec::new();
        for span in spans {
            let code = span.slice(new)?;
            long.push_str("\n\n");
            pairs.push((*span, ByteSpan::new(long.len(), long.len() + code.len())));
            long.push_str(code);
            // Positions after it stay.
            let empty: String =
                code.bytes().map(|it| if it == b'\n' { '\n' } else { ' ' }).collect();
            blank.replace_range(span.start..span.end, &empty);
        }
        long.push('\n');
        let replaced = files.iter().map(|(path, text)| match path {
            path if *path == of.from => (path.clone(), Arc::from(long.as_str())),
            path if *path == of.to => (path.clone(), Arc::from(blank.as_str())),
            _ => (path.clone(), Arc::clone(text)),
        });
        Some(Self { files: replaced.collect(), spans: pairs, len: old.len() })
    }

    /// A position of the new file in the old one.
    fn to_old(&self, at: usize) -> Option<usize> {
        let (new, old) = self.spans.iter().find(|it| it.0.start <= at && at < it.0.end)?;
        Some(at - new.start + old.start)
    }

    /// A span of the moved texts in the new file.
    fn to_new(&self, (start, end): (usize, usize)) -> Option<ByteSpan> {
        let (new, old) = self.spans.iter().find(|it| it.1.start <= start && end <= it.1.end)?;
        Some(between(start - old.start + new.start, end - old.start + new.start))
    }
}

/// The edits of all items.
struct Found<'s> {
    scopes: &'s Scopes,
    from: &'s ModulePath,
    to: &'s ModulePath,
    /// In the moved texts.
    moved: Edits,
    /// By file, elsewhere.
    edits: SortedMap<usize, Edits>,
    /// Names of imports that go, by file.
    removed: SortedMap<usize, Vec<ByteSpan>>,
    /// Imports with their visibility.
    imports: SortedMap<ModulePath, SortedSet<(String, NewImport)>>,
}

impl<'s> Found<'s> {
    fn new(scopes: &'s Scopes, from: &'s ModulePath, to: &'s ModulePath) -> Self {
        Self {
            scopes,
            from,
            to,
            moved: Edits::new(),
            edits: SortedMap::new(),
            removed: SortedMap::new(),
            imports: SortedMap::new(),
        }
    }

    /// Adds the plan of one item, whose name is at a position of its old file.
    fn plan(&mut self, back: &Back, of: &ManualMove, (name, at): (&str, usize)) -> Option<()> {
        let scopes = self.scopes;
        let file = scopes.tree.file(&of.from)?.0;
        let mut all = scopes.file(file).places.definitions.iter();
        let definition = all.find(|it| it.name_span.start == at)?;
        let request = Request { file, definition, from: self.from.clone(), to: self.to.clone() };
        request.check_conditions(scopes).ok()?;
        let spans: Vec<ByteSpan> = back.spans.iter().map(|it| it.1).collect();
        let pieces = Pieces { file, spans, impls: 0 };
        let ends = Ends { scopes, from: self.from, to: self.to, name };
        let public = public(&ends, definition, file);
        // The person has taken the item out of its old module: a `pub use` is left there only if other
        // crates could not name it any more.
        let old_stays = public.old_stays && !public.new_is_public;
        let public = Public { old_stays, ..public };
        let finder = Finder { ends: &ends, pieces: &pieces, public, found: Uses::default() };
        let uses = finder.run();
        let mut heads = heads(scopes, &pieces);
        heads.retain(|name, _| !of.items.iter().any(|it| it.0 == *name));
        let mut supplies = ends.supplies(&heads);
        // A name that no path is known for is left to the compiler.
        let hidden = ends.hidden(&request, &heads, &pieces.texts(scopes));
        supplies.extend(hidden.unwrap_or_default());
        let plan = Plan {
            supplies,
            ends: &ends,
            request: &request,
            pieces: &pieces,
            heads: &heads,
            public,
            uses,
        };
        self.add(plan, of);
        Some(())
    }

    fn add(&mut self, mut plan: Plan<'_>, of: &ManualMove) {
        let mut widened = Vec::new();
        let mut moved = plan.rebased();
        plan.qualified(&mut moved);
        plan.own_visibility(&mut moved, &mut widened);
        self.moved.extend(moved);
        let own = plan.pieces.file;
        for supply in &plan.supplies {
            let imports = supply.imports.iter().map(|it| (String::new(), it.clone()));
            self.imports.entry(self.to.clone()).or_default().extend(imports);
            if matches!(supply.origin, Origin::Member(_)) {
                let edit = plan.wider(&supply.name, &mut widened);
                self.edits.entry(own).or_default().extend(edit);
            }
        }
        for name in plan.own_names() {
            let edit = plan.wider(&name, &mut widened);
            self.edits.entry(own).or_default().extend(edit);
        }
        let name = plan.ends.name.to_owned();
        // A variable may have the name too.
        let is_missed = |module: &ModulePath| {
            let place = self.scopes.place(module);
            place.is_some_and(|(_, file)| of.missed.contains(&(file.path.clone(), name.clone())))
        };
        let stays = plan.public.old_stays;
        if stays || plan.uses.in_old && is_missed(self.from) {
            let tree = format!("{}::{}", self.to, raw(plan.ends.name));
            let visibility = if stays { "pub " } else { "" };
            let import = (visibility.to_owned(), NewImport::of(tree));
            self.imports.entry(self.from.clone()).or_default().insert(import);
        }
        plan.uses.imports.retain(|module, _| is_missed(module));
        plan.drop_unused();
        for (file, edits) in plan.uses.edits {
            let own = self.edits.entry(file).or_default();
            for (span, insert) in edits {
                let known = own.entry(span).or_default();
                // Imports that leave one declaration are inserted before it.
                match span.0 == span.1 && !known.is_empty() && *known != insert {
                    true => known.push_str(&insert),
                    false => *known = insert,
                }
            }
        }
        for (file, spans) in plan.uses.removed {
            self.removed.entry(file).or_default().extend(spans);
        }
        for (module, all) in plan.uses.imports {
            let all = all.into_iter().map(|it| (String::new(), it));
            self.imports.entry(module).or_default().extend(all);
        }
    }

    /// A visibility as most code writes it: below the root `pub(super)` means the whole crate.
    fn widened(&self, module: &ModulePath, insert: &str) -> String {
        match (module.names.len(), insert.trim_end()) {
            (1, "pub(super)") => insert.replace("super", "crate"),
            _ => insert.to_owned(),
        }
    }

    /// Whether a module has the name of an import already: by the same one, or by a glob.
    fn has(&self, module: &ModulePath, import: &NewImport) -> bool {
        let (of, name) = import.tree.rsplit_once("::").unwrap_or(("", &import.tree));
        self.scopes.leaves_of(module).any(|(_, leaf)| {
            let names = leaf.names();
            match leaf.is_glob() {
                true => {
                    let of_glob = self.scopes.resolve(module, &names, leaf.is_global);
                    of_glob.is_some_and(|it| it.to_string() == of)
                }
                false => {
                    leaf.name == name
                        && self.scopes.absolute(module, &names, leaf.is_global) == import.tree
                }
            }
        })
    }

    fn splices(
        self,
        present: &Scopes,
        back: &Back,
        of: &ManualMove,
    ) -> Option<Vec<(ProjectPath, Splice)>> {
        let mut found: SortedMap<ProjectPath, Vec<Splice>> = SortedMap::new();
        for (span, insert) in &self.moved {
            let insert = self.widened(self.to, insert);
            let splice = Splice { span: back.to_new(*span)?, insert };
            found.entry(of.to.clone()).or_default().push(splice);
        }
        let path = |file: usize| self.scopes.file(file).path.clone();
        for (file, edits) in &self.edits {
            let own = edits.iter().map(|((a, b), insert)| {
                let insert = if path(*file) == of.from {
                    self.widened(self.from, insert)
                } else {
                    insert.clone()
                };
                Splice::new(*a, *b, grouped(&insert))
            });
            let is_here = |it: &Splice| path(*file) != of.from || it.span.end <= back.len;
            found.entry(path(*file)).or_default().extend(own.filter(is_here));
        }
        for (file, spans) in &self.removed {
            let (_, text) = present.tree.file(&path(*file))?;
            let spans: Vec<ByteSpan> =
                spans.iter().copied().filter(|it| it.end <= text.text.len()).collect();
            for item in self.scopes.use_items(*file) {
                let inside = spans.iter().copied().filter(|it| item.span.contains(*it));
                let own: Vec<ByteSpan> = inside.collect();
                if !own.is_empty() {
                    let gone = without_imports(&text.text, own);
                    found.entry(path(*file)).or_default().extend(gone);
                }
            }
        }
        for (module, all) in &self.imports {
            let (place, file) = present.place(module)?;
            let missing = all.iter().filter(|it| !it.0.is_empty() || !self.has(module, &it.1));
            let all: Vec<(String, NewImport)> = missing.cloned().collect();
            let added = layout::imports(file, &place, &[all]);
            let added = added.map(|it| Splice { insert: grouped(&it.insert), ..it });
            found.entry(file.path.clone()).or_default().extend(added);
        }
        let all = found.into_iter().flat_map(|(path, mut all)| {
            all.sort_by_key(|it| it.span);
            all.dedup();
            all.into_iter().map(move |it| (path.clone(), it))
        });
        Some(all.collect())
    }
}

/// Lines of imports with one declaration for all names of a module; another text as it is.
fn grouped(lines: &str) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines.lines().filter(|it| !it.is_empty()) {
        let name = line.strip_suffix(';').and_then(|it| it.rsplit_once("::"));
        let Some((module, name)) =
            name.filter(|it| it.0.contains("use ") && !it.1.contains(['*', '}']))
        else {
            return lines.to_owned();
        };
        match groups.iter_mut().find(|it| it.0 == module) {
            Some(group) => group.1.push(name),
            None => groups.push((module, vec![name])),
        }
    }
    let line = |(module, mut names): (&str, Vec<&str>)| {
        names.sort_unstable();
        match names.as_slice() {
            [name] => format!("{module}::{name};\n"),
            _ => format!("{module}::{{{}}};\n", names.join(", ")),
        }
    };
    let count = groups.len();
    let rest = lines.trim_end_matches('\n').len();
    let all: String = groups.into_iter().map(line).collect();
    // The blank line after them stays.
    if count == 0 { lines.to_owned() } else { format!("{}{}", all.trim_end(), &lines[rest..]) }
}
