//! Functions that return a struct instead of a tuple: the tuples that they make, and what their callers
//! make of the parts.

use base::{ByteSpan, Diagnostic, ProjectPath, is_word};
use edit::Splice;
use preserve::outline::{Outline, tokens};
use refactor::import_place;
use refactor::{PlacedText, quoted, spelled};
use syntax::places::{Definition, DefinitionKind, PartKind, Use, UseKind};

use super::positions::members;
use super::tuples::{Tuple, only_tuple, pattern_at, plain, tuple_at};
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{Intent, What};

/// A struct in place of a tuple.
struct Turned {
    /// Name of the struct.
    name: String,
    /// Its file, and the module that this is: `crate::a`, if it is at the top of it.
    at: (ProjectPath, Option<String>),
    /// The field that each part of the tuple is: its name, or its index.
    fields: Vec<String>,
    /// What was around the tuple: `Result`, `Option`, or nothing.
    has_map: bool,
}

/// What follows from a tuple that became a struct.
pub(super) fn named_tuples(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let What::Retyped { of, at: None, from, to } = &intent.what else { return };
    if of.kind != DefinitionKind::Function {
        return;
    }
    let about = |it: &Marked<'_>, name: &str| mentions(it.error, name);
    for (parts, name) in candidates(from, to) {
        let marked: Vec<Marked<'_>> = errors.marked().filter(|it| about(it, &name)).collect();
        if marked.is_empty() {
            continue;
        }
        let Some(turned) = Turned::of(project, &parts, &name, from, &marked) else { continue };
        let reason = format!("`{}` returns `{to}`, was `{from}`", of.name);
        let mut change = propagation(reason, Confidence::Certain);
        let mut imports = Vec::new();
        for it in &marked {
            let Some(text) = project.text(it.path) else { continue };
            let splices = turned.splices(&text, it);
            if !splices.is_empty() {
                change.seeds.push(it.seed);
                change.splices.extend(splices.into_iter().map(|it| (text.path.clone(), it)));
                imports.extend(turned.import(&text, it).map(|it| (text.path.clone(), it)));
            }
        }
        if !imports.is_empty() {
            let mut with_imports = change.clone();
            with_imports.splices.extend(imports);
            found.push(with_imports);
            // Another path may be meant.
            change.confidence = Confidence::Likely;
        }
        found.push(change);
        return;
    }
}

/// Whether an error is about a field of the struct: its name is not needed there.
fn mentions_field(marked: &Marked<'_>) -> bool {
    marked.error.code.as_deref() == Some("E0609")
}

/// The path of the module that a source file of a package is.
pub(super) fn module_path(path: &ProjectPath) -> Option<String> {
    let (_, inner) = path.as_str().split_once("src/")?;
    let inner = inner.strip_suffix(".rs")?;
    let inner = inner.strip_suffix("/mod").unwrap_or(inner);
    match inner {
        "lib" | "main" => Some("crate".to_owned()),
        it if it.starts_with("bin/") => None,
        it => Some(format!("crate::{}", it.replace('/', "::"))),
    }
}

/// Whether a label or note of an error, or its message, has a type of that name.
fn mentions(error: &Diagnostic, name: &str) -> bool {
    let labels = error.spans.iter().filter_map(|it| it.label.as_deref());
    let notes = error.children.iter().map(|it| it.message.as_str());
    let mut all = labels.chain(notes).chain([error.message.as_str()]);
    all.any(|it| quoted(it).any(|it| has_word(it, name)))
}

/// The parts of a tuple in one type and the name that the other type has in its place.
fn candidates(from: &str, to: &str) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    for (open, _) in from.match_indices('(') {
        let is_list = from[..open].ends_with(|it: char| is_word(it) || it == '>');
        let Some(prefix) = from.get(..open).filter(|it| to.starts_with(it) && !is_list) else {
            continue;
        };
        let Some(parts) = tuple_at(from, open) else { continue };
        let rest = &from[parts.span.end..];
        let middle = to.get(prefix.len()..to.len().saturating_sub(rest.len()));
        let Some(middle) = middle.filter(|_| to.ends_with(rest)) else { continue };
        let path = middle.split('<').next().unwrap_or("");
        let name = path.rsplit("::").next().unwrap_or(path);
        if name.starts_with(char::is_uppercase) && name.chars().all(is_word) {
            let parts = parts.parts.iter().map(|it| it.slice(from).unwrap_or("").to_owned());
            found.push((parts.collect(), name.to_owned()));
        }
    }
    found
}

/// A type without lifetimes.
fn without_lifetimes(ty: &str) -> String {
    let list = tokens(ty);
    let kept = list.iter().filter(|it| !it.text.starts_with('\''));
    let text: Vec<&str> = kept.map(|it| it.text).collect();
    spelled(&text.join(" ")).replace("<>", "").replace("<,", "<")
}

/// The struct of that name in a text.
fn struct_of<'t>(text: &'t PlacedText, name: &str) -> Option<&'t Definition> {
    let mut all = text.places.definitions.iter();
    all.find(|it| it.kind == DefinitionKind::Struct && it.name == name)
}

/// The words in the generic parameters of a type.
fn generics(of: &Definition, text: &str) -> Vec<String> {
    let list = of.parts.iter().find(|it| it.kind == PartKind::Generics);
    let list = list.and_then(|it| it.span.slice(text)).unwrap_or("");
    tokens(list).iter().map(|it| it.text.to_owned()).collect()
}

/// The field of each part: by the names that places give to the parts, else by order and type, else by
/// type alone; `None` if that is ambiguous.
fn order(
    parts: &[String],
    fields: &[(String, String)],
    generics: &[String],
    mut votes: impl Iterator<Item = Vec<usize>>,
) -> Option<Vec<usize>> {
    let fits = |part: &String, field: &(String, String)| {
        generics.contains(&field.1) || without_lifetimes(part) == without_lifetimes(&field.1)
    };
    if fields.len() != parts.len() {
        return None;
    }
    let only = |part: &String| {
        let mut all = (0..fields.len()).filter(|it| fits(part, &fields[*it]));
        all.next().filter(|_| all.next().is_none())
    };
    let found = match votes.next() {
        Some(first) => votes.all(|it| it == first).then_some(first)?,
        None if parts.iter().zip(fields).all(|(part, field)| fits(part, field)) => {
            (0..parts.len()).collect()
        }
        None => parts.iter().map(only).collect::<Option<Vec<usize>>>()?,
    };
    let mut all = found.clone();
    all.sort_unstable();
    let is_each = all.into_iter().eq(0..fields.len());
    let fits_all = found.iter().enumerate().all(|(at, it)| fits(&parts[at], &fields[*it]));
    (is_each && fits_all).then_some(found)
}

impl Turned {
    /// `None` unless each part is one field.
    fn of(
        project: &Project<'_>,
        parts: &[String],
        name: &str,
        from: &str,
        marked: &[Marked<'_>],
    ) -> Option<Self> {
        let texts = project.with_word(name);
        let mut declaring = texts.iter().filter_map(|it| Some((it, struct_of(it, name)?)));
        // With another one of its name, the one that is meant is unknown.
        let (Some((text, declared)), None) = (declaring.next(), declaring.next()) else {
            return None;
        };
        let fields = members(&text.places, &text.text, name);
        let names: Vec<String> = fields.iter().map(|it| it.0.clone()).collect();
        let votes = marked.iter().filter_map(|it| {
            let text = project.text(it.path)?;
            let tuple = only_tuple(&text, it.span, parts.len())?;
            let part = |it: &ByteSpan| names.iter().position(|name| name == plain(text.slice(*it)));
            tuple.parts.iter().map(part).collect::<Option<Vec<usize>>>()
        });
        let order = order(parts, &fields, &generics(declared, &text.text), votes)?;
        let head = from.split('<').next().unwrap_or("").rsplit("::").next().unwrap_or("");
        let mut modules = text.places.definitions.iter();
        let is_inner =
            modules.any(|it| it.kind == DefinitionKind::Module && it.span.contains(declared.span));
        let module = module_path(&text.path).filter(|_| !is_inner);
        Some(Self {
            name: name.to_owned(),
            at: (text.path.clone(), module),
            fields: order.iter().map(|it| names[*it].clone()).collect(),
            has_map: head == "Option" || head.ends_with("Result"),
        })
    }

    /// The import of the struct by a file of the same package that does not know it.
    fn import(&self, text: &PlacedText, marked: &Marked<'_>) -> Option<Splice> {
        let package = |path: &ProjectPath| path.as_str().split_once("src/").map(|it| it.0.len());
        let (path, module) = &self.at;
        let has_names = mentions_field(marked);
        if *path == text.path || package(path) != package(&text.path) || has_names {
            return None;
        }
        let insert = format!("use {}::{};\n", module.as_ref()?, self.name);
        let at = import_place(&Outline::of(&text.text), &text.text, marked.span);
        let is_known = has_word(&text.text, &self.name);
        (!is_known).then(|| Splice { span: ByteSpan::new(at, at), insert })
    }

    /// Whether the fields have names.
    fn has_names(&self) -> bool {
        !self.fields.iter().any(|it| it.starts_with(|it: char| it.is_ascii_digit()))
    }

    /// What one error asks for at its place.
    fn splices(&self, text: &PlacedText, marked: &Marked<'_>) -> Vec<Splice> {
        match marked.error.code.as_deref() {
            Some("E0609") => self.field(text, marked.span).into_iter().collect(),
            Some("E0631") => self.parameter(text, marked.span).into_iter().collect(),
            Some("E0308" | "E0271") => {
                if self.is_found(marked.error) {
                    return self.value(text, marked).into_iter().collect();
                }
                let tuple = only_tuple(text, marked.span, self.fields.len());
                let is_pattern = |it: &Tuple| pattern_at(text, it.span).is_some();
                match tuple {
                    Some(tuple) if is_pattern(&tuple) => {
                        vec![Splice { span: tuple.span, insert: self.pattern(text, &tuple) }]
                    }
                    Some(tuple) => self.literal(text, &tuple),
                    None => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// The field of an index.
    fn field(&self, text: &PlacedText, span: ByteSpan) -> Option<Splice> {
        let at: usize = text.slice(span).parse().ok()?;
        let insert = self.fields.get(at).filter(|_| self.has_names())?.clone();
        Some(Splice { span, insert })
    }

    /// The pattern of a closure's parameter.
    fn parameter(&self, text: &PlacedText, marked: ByteSpan) -> Option<Splice> {
        let lines = text.lines_around(marked);
        let is_parameter = |it: &&Use| {
            let before = text.text.get(..it.span.start).unwrap_or("");
            it.kind == UseKind::Tuple
                && it.args.len() == self.fields.len()
                && lines.contains(it.span)
                && before.trim_end_matches('&').trim_end().ends_with(['|', ','])
        };
        let mut all = text.places.uses.iter().filter(is_parameter);
        let only = all.next().filter(|_| all.next().is_none())?;
        let tuple = tuple_at(&text.text, only.span.start)?;
        Some(Splice { span: tuple.span, insert: self.pattern(text, &tuple) })
    }

    /// A pattern with the fields for the parts.
    fn pattern(&self, text: &PlacedText, tuple: &Tuple) -> String {
        let has_names = self.has_names();
        let mut parts: Vec<String> = Vec::new();
        for (name, part) in self.fields.iter().zip(&tuple.parts) {
            match text.slice(*part) {
                it if !has_names => parts.push(it.to_owned()),
                "_" => {}
                it if plain(it) == name => parts.push(it.to_owned()),
                it => parts.push(format!("{name}: {it}")),
            }
        }
        if !has_names {
            return format!("{}({})", self.name, parts.join(", "));
        }
        if parts.len() < self.fields.len() {
            parts.push("..".to_owned());
        }
        format!("{} {{ {} }}", self.name, parts.join(", "))
    }

    /// The edits that make a struct of a tuple; inside the parts nothing changes.
    fn literal(&self, text: &PlacedText, tuple: &Tuple) -> Vec<Splice> {
        let at = |start: usize, end: usize, insert: String| Splice {
            span: ByteSpan::new(start, end),
            insert,
        };
        let (start, end) = (tuple.span.start, tuple.span.end);
        if !self.has_names() {
            return vec![at(start, start, self.name.clone())];
        }
        let is_blank = |it: Option<&str>| it.is_some_and(|it| it.trim().is_empty());
        let first = if is_blank(text.text.get(start + 1..start + 2)) { "" } else { " " };
        let last = if is_blank(text.text.get(end - 2..end - 1)) { "" } else { " " };
        let mut found = vec![at(start, start + 1, format!("{} {{{first}", self.name))];
        for (name, part) in self.fields.iter().zip(&tuple.parts) {
            if text.slice(*part) != name {
                found.push(at(part.start, part.start, format!("{name}: ")));
            }
        }
        found.push(at(end - 1, end, format!("{last}}}")));
        found
    }

    /// Whether an error reports the struct where the tuple is wanted.
    fn is_found(&self, error: &Diagnostic) -> bool {
        let (expected, found) = expectation(error);
        quoted(found).any(|it| has_word(it, &self.name)) && expected.contains('(')
    }

    /// A call where the tuple is wanted.
    fn value(&self, text: &PlacedText, marked: &Marked<'_>) -> Option<Splice> {
        let found = expectation(marked.error).1;
        let slice = text.slice(marked.span);
        if !slice.ends_with(')') || !self.has_names() {
            return None;
        }
        let (names, end) = (self.fields.join(", "), marked.span.end);
        let is_inner = |it: &str| it.trim_start_matches(['&', ' ']).starts_with(&self.name);
        if !quoted(found).any(is_inner) {
            let insert = format!(".map(|{} {{ {names} }}| ({names}))", self.name);
            let span = ByteSpan::new(end, end);
            return self.has_map.then_some(Splice { span, insert });
        }
        let line = text.text.get(..marked.span.start)?.rsplit('\n').next()?;
        let is_tail = line.trim().is_empty() && text.text.get(end..)?.trim_start().starts_with('}');
        let made = format!("let {} {{ {names} }} = {slice};", self.name);
        let insert = match is_tail {
            true => format!("{made}\n{line}({names})"),
            false => format!("{{ {made} ({names}) }}"),
        };
        Some(Splice { span: marked.span, insert })
    }
}

/// What the label at the place of an error expects and what it finds there.
pub(super) fn expectation(error: &Diagnostic) -> (&str, &str) {
    let mut labels = error.spans.iter().filter(|it| it.primary);
    let label = labels.find_map(|it| it.label.as_deref()).unwrap_or("");
    label.split_once(", found ").unwrap_or((label, ""))
}
