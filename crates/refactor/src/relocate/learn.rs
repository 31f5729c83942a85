//! Corrections of a move from what the compiler reports for the moved tree.

use std::sync::Arc;

use base::{ByteSpan, Diagnostic, DiagnosticSpan, LineIndex, ProjectPath, SortedMap, SortedSet};
use edit::Splice;
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::apply::{keyword, least};
use super::assemble::{Imports, assembled};
use super::modules::{CrateRoot, ModulePath, visibility_span};
use super::scope::Scopes;
use super::supply::{Ends, NewImport, raw, reach};
use crate::text::quoted;
use crate::use_item::without_imports;

/// What corrections need of the tree before the move.
pub(super) struct State {
    pub(super) roots: Vec<CrateRoot>,
    pub(super) from: ModulePath,
    pub(super) to: ModulePath,
    pub(super) name: String,
    /// Names that the plan imports.
    pub(super) copied: SortedSet<String>,
    /// Imports that it adds.
    pub(super) copied_paths: SortedSet<String>,
}

impl State {
    pub(super) fn with(self, before: Scopes) -> Known {
        Known { state: self, before }
    }
}

/// The state with the modules before the move.
pub(super) struct Known {
    pub(super) state: State,
    pub(super) before: Scopes,
}

/// A correction of the tree with the move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelocationLesson {
    /// Edits of that tree.
    pub splices: Vec<(ProjectPath, Splice)>,
    /// Visibilities that are wider, one line each.
    pub widened: Vec<String>,
}

impl super::Relocation {
    /// What follows from the diagnostics of the tree with the move, whose Rust files are `files`.
    /// Nothing, if nothing does.
    pub fn learn(
        &mut self,
        diagnostics: &[Diagnostic],
        files: &[(ProjectPath, Arc<str>)],
    ) -> RelocationLesson {
        if !diagnostics.iter().any(|it| it.is_error() || is_lint(it)) {
            return RelocationLesson::default();
        }
        let now = Scopes::of(files, &self.state.state.roots);
        let mut lesson = Lesson {
            known: &self.state,
            now: &now,
            imports: SortedMap::new(),
            widths: SortedMap::new(),
            removed: SortedMap::new(),
        };
        let has_errors = diagnostics.iter().any(|it| it.is_error() && !is_lint(it));
        for it in diagnostics {
            match it.is_error() && !is_lint(it) {
                true => lesson.error(it),
                false if !has_errors => lesson.warning(it),
                false => {}
            }
        }
        let (found, names) = lesson.finish();
        self.state.state.copied.extend(names.iter().map(|it| preserve::last_name(it).to_owned()));
        self.state.state.copied_paths.extend(names);
        self.widened.extend(found.widened.iter().cloned());
        found
    }
}

/// Whether it is about an import that is not used; a crate may make it an error.
pub(super) fn is_lint(it: &Diagnostic) -> bool {
    it.code.as_deref() == Some("unused_imports")
}

pub(super) struct Lesson<'a> {
    pub(super) known: &'a Known,
    pub(super) now: &'a Scopes,
    imports: Imports,
    /// Wider visibilities, by file and place: the definition's name and the visibility.
    widths: SortedMap<(usize, usize, usize), (String, &'static str)>,
    pub(super) removed: SortedMap<usize, Vec<ByteSpan>>,
}

impl Lesson<'_> {
    fn error(&mut self, error: &Diagnostic) {
        let Some((scope, _, _)) = self.place(error.primary()) else { return };
        if scope.krate != self.known.state.to.krate {
            return;
        }
        match error.code.as_deref() {
            Some("E0603" | "E0624") => self.defined_here(error, &scope),
            Some("E0616" | "E0451") => self.field(error, &scope),
            Some("E0599") => self.method(error, &scope),
            Some("E0423" | "E0532") if error.message.contains("private fields") => {
                self.constructor(error, &scope);
            }
            Some(
                "E0405" | "E0412" | "E0422" | "E0423" | "E0425" | "E0432" | "E0433" | "E0531"
                | "E0574",
            ) => self.missing(error, &scope),
            None => self.missing(error, &scope),
            Some(_) => {}
        }
    }

    /// The module, file and position of a span.
    pub(super) fn place(
        &self,
        span: Option<&DiagnosticSpan>,
    ) -> Option<(ModulePath, usize, ByteSpan)> {
        let mut span = span?;
        while let Some(expansion) = &span.expansion
            && span.place.project().is_none()
        {
            span = &expansion.call_site;
        }
        let (file, _) = self.now.tree.file(span.place.project()?)?;
        let modules = self.now.tree.modules_at(file, span.bytes.start);
        let own = modules.iter().find(|it| it.krate == self.known.state.to.krate);
        Some((own.or(modules.first())?.clone(), file, span.bytes))
    }

    fn ends(&self) -> Ends<'_> {
        let Known { state, before } = self.known;
        Ends { scopes: before, from: &state.from, to: &state.to, name: &state.name }
    }

    /// A name that is not in scope: that of the item, or one of its old module.
    fn missing(&mut self, error: &Diagnostic, scope: &ModulePath) {
        let is_missing = error.message.starts_with("cannot find")
            || error.message.contains("unresolved")
            || error.message.contains("use of undeclared");
        let Some(name) = quoted(&error.message).next().filter(|_| is_missing) else { return };
        let name = preserve::last_name(name).trim_end_matches('!').to_owned();
        let all = self.imports_of(&name);
        if error.code.as_deref() == Some("E0432") || !self.is_near(scope) {
            return;
        }
        self.add(scope, all);
    }

    /// Whether a module is the old or new one, or inside of one.
    fn is_near(&self, scope: &ModulePath) -> bool {
        let state = &self.known.state;
        state.from.contains(scope) || state.to.contains(scope)
    }

    /// The imports that give a name of the old module to another one.
    fn imports_of(&self, name: &str) -> Vec<NewImport> {
        let state = &self.known.state;
        if name == state.name {
            return vec![NewImport::of(format!("{}::{}", state.to, raw(name)))];
        }
        let ends = self.ends();
        if let Some((_, imports)) = ends.origin(name) {
            return imports;
        }
        let unnamed = ends.unnamed(name);
        if !unnamed.is_empty() {
            return unnamed;
        }
        // Globs of other crates, and of modules with items that cannot be seen.
        let globs = ends.scopes.leaves_of(&state.from).filter(|(_, it)| it.is_glob());
        globs.map(|(item, leaf)| ends.copied(item, leaf)).collect()
    }

    fn add(&mut self, scope: &ModulePath, imports: Vec<NewImport>) {
        let own: Vec<String> = self
            .now
            .leaves_of(scope)
            .map(|(_, leaf)| {
                let path = self.now.absolute(scope, &leaf.names(), leaf.is_global);
                if leaf.is_glob() { format!("{path}::*") } else { path }
            })
            .collect();
        for import in imports {
            let path = import.tree.split(" as ").next().unwrap_or("");
            let is_own = path.rsplit_once("::").is_some_and(|(it, _)| it == scope.to_string());
            let is_glob_of_own = path == format!("{scope}::*");
            if !own.iter().any(|it| it == path) && !is_own && !is_glob_of_own {
                self.imports.entry(scope.clone()).or_default().insert((String::new(), import));
            }
        }
    }

    /// A trait that has to be in scope.
    fn method(&mut self, error: &Diagnostic, scope: &ModulePath) {
        let replacements = error.children.iter().flat_map(|it| &it.replacements);
        let paths = replacements.filter_map(|it| {
            let path = it.text.trim().strip_prefix("use ")?.split(';').next()?.trim();
            Some(path.split(" as ").next().unwrap_or(path).to_owned())
        });
        let paths: SortedSet<String> = paths.collect();
        let known = |path: &&String| {
            let name = preserve::last_name(path);
            let ends = self.ends();
            name == self.known.state.name
                || ends.origin(name).is_some()
                || !ends.unnamed(name).is_empty()
        };
        let mut own: Vec<&String> = paths.iter().filter(known).collect();
        if own.is_empty() && paths.len() == 1 {
            own.extend(&paths);
        }
        let imports: Vec<NewImport> = match own.as_slice() {
            [path] => {
                let found = self.imports_of(preserve::last_name(path));
                let is_glob = |it: &NewImport| it.tree.ends_with("::*");
                match found.is_empty() || found.iter().any(is_glob) {
                    true => vec![NewImport::of((*path).clone())],
                    false => found,
                }
            }
            _ => Vec::new(),
        };
        if self.is_near(scope) {
            self.add(scope, imports);
        }
    }

    /// A private item or method, at the place that the compiler points at.
    fn defined_here(&mut self, error: &Diagnostic, scope: &ModulePath) {
        let is_here = |it: &&DiagnosticSpan| {
            it.label.as_ref().is_some_and(|label| label.contains("defined here"))
        };
        let labelled = error.spans.iter().filter(|it| !it.primary).filter(is_here);
        let noted = error.children.iter().filter(|it| it.message.contains("defined here"));
        let spans = labelled.chain(noted.flat_map(|it| &it.spans));
        let spans: Vec<&DiagnosticSpan> = spans.collect();
        if error.message.starts_with("tuple struct constructor") {
            self.constructor(error, scope);
            return;
        }
        for span in spans {
            let Some((_, file, bytes)) = self.place(Some(span)) else { continue };
            let definitions = &self.now.file(file).places.definitions;
            let around = definitions.iter().filter(|it| {
                it.span.contains(bytes)
                    && bytes.start <= it.name_span.start
                    && it.of_trait.is_none()
            });
            if let Some(it) = around.min_by_key(|it| it.span.len()) {
                self.widen(file, it, scope);
                return;
            }
        }
    }

    /// A private field by its name and that of its type.
    fn field(&mut self, error: &Diagnostic, scope: &ModulePath) {
        // E0451 may name several fields; the type is the last.
        let named: Vec<&str> = quoted(&error.message).collect();
        let [field, .., owner] = named[..] else { return };
        let owner = owner.split('<').next().unwrap_or("").rsplit("::").next().unwrap_or("");
        let fields = &named[..named.len() - 1];
        for file in self.own_files() {
            for it in &self.now.file(file).places.definitions {
                let is_field = it.kind == DefinitionKind::Field
                    && it.owner == owner
                    && fields.contains(&it.name.as_str());
                if is_field {
                    self.widen(file, it, scope);
                }
            }
            if field.bytes().all(|it| it.is_ascii_digit()) {
                self.parts(file, owner, field.parse().ok(), scope);
            }
        }
    }

    /// All fields of a tuple struct.
    fn constructor(&mut self, error: &Diagnostic, scope: &ModulePath) {
        let Some((_, file, bytes)) = self.place(error.primary()) else { return };
        let text = self.now.file(file).slice(bytes);
        let named = quoted(&error.message).next().unwrap_or("");
        let of = if error.code.as_deref() == Some("E0603") { named } else { text };
        let name = preserve::last_name(of.trim()).to_owned();
        for file in self.own_files() {
            self.parts(file, &name, None, scope);
        }
    }

    /// The fields of a tuple struct, or one of them.
    fn parts(&mut self, file: usize, owner: &str, index: Option<usize>, scope: &ModulePath) {
        let source = self.now.file(file);
        let Some(of) = source.places.definitions.iter().find(|it| {
            it.kind == DefinitionKind::Struct && it.name == owner && source.is_of_module(it)
        }) else {
            return;
        };
        let Some(module) = self.module_of(file, of.name_span.start) else { return };
        let fields = of.parts.iter().filter(|it| it.kind == PartKind::Parameter);
        for (_, part) in fields.enumerate().filter(|(at, _)| index.is_none_or(|it| it == *at)) {
            let text = source.slice(part.span);
            if text.trim_start().starts_with("pub") {
                continue;
            }
            let start = part.ty.map_or(part.span.start, |it| it.start);
            let wanted = least(&module, &module.common(scope));
            self.widths.insert((file, start, start), (format!("{owner}.{}", part.name), wanted));
        }
    }

    /// The files of the old and the new module.
    fn own_files(&self) -> SortedSet<usize> {
        let state = &self.known.state;
        let both = [&state.from, &state.to].into_iter();
        both.filter_map(|it| self.now.place(it)).map(|(place, _)| place.file).collect()
    }

    fn module_of(&self, file: usize, at: usize) -> Option<ModulePath> {
        let own = self.now.tree.modules_at(file, at);
        own.into_iter().find(|it| it.krate == self.known.state.to.krate)
    }

    /// Makes a definition visible in a module.
    fn widen(&mut self, file: usize, of: &Definition, scope: &ModulePath) {
        let Some(module) = self.module_of(file, of.name_span.start) else { return };
        let text = &self.now.file(file).text;
        let span = visibility_span(text, of);
        let written = span.and_then(|it| it.slice(text)).map(crate::text::spelled);
        let Some(now) = reach(self.now, &module, written.as_deref()) else { return };
        if now.contains(scope) && span.is_some() {
            return;
        }
        let mut wanted = least(&module, &module.common(scope));
        let span = match span {
            Some(span) => (span.start, span.end),
            None => {
                let at = keyword(text, of);
                (at, at)
            }
        };
        let key = (file, span.0, span.1);
        if self.widths.get(&key).is_some_and(|it| it.1 == "pub(crate)") {
            wanted = "pub(crate)";
        }
        let name = match of.owner.as_str() {
            "" => of.name.clone(),
            owner => format!("{owner}::{}", of.name),
        };
        self.widths.insert(key, (name, wanted));
    }

    fn finish(self) -> (RelocationLesson, SortedSet<String>) {
        let mut lesson = RelocationLesson::default();
        let mut edits: SortedMap<usize, Vec<Splice>> = SortedMap::new();
        let added = self.imports.values().flatten();
        let names = added.map(|(_, it)| it.tree.clone()).collect();
        for ((file, start, end), (name, wanted)) in &self.widths {
            let source = self.now.file(*file);
            let blank = if start == end { " " } else { "" };
            let line = LineIndex::new(&source.text).line_of(*start);
            lesson.widened.push(format!("`{name}` is now `{wanted}`: {}:{line}", source.path));
            let span = ByteSpan::new(*start, *end);
            let splice = Splice { span, insert: format!("{wanted}{blank}") };
            edits.entry(*file).or_default().push(splice);
        }
        for (file, spans) in self.removed {
            let source = self.now.file(file);
            let splices = without_imports(&source.text, spans);
            edits.entry(file).or_default().extend(splices);
        }
        // Edits that meet teach nothing: the errors are the reason then.
        let like = &self.known.state.from;
        lesson.splices = assembled(self.now, edits, &self.imports, like).unwrap_or_default();
        (lesson, names)
    }
}
