//! Turns the plan of a move into edits: removal at the old place, insertion at the new one, paths,
//! imports and visibilities. The last step of a plan.

use base::{ByteSpan, LineIndex, ProjectPath, SortedMap, SortedSet};
use edit::Splice;
use preserve::MovedItem;
use preserve::outline::{Outline, TokenKind, tokens};
use syntax::places::Definition;

use super::assemble::{Imports, assembled};
use super::fault::RelocateFault;
use super::layout;
use super::modules::{ModulePath, visibility, visibility_span};
use super::scope::{before, between};
use super::supply::{NewImport, raw, replaced};
use super::{Origin, Plan, reach};
use crate::text::PlacedText;
use crate::use_item::without_imports;
use base::has_word;

/// The edits, and what a report needs of them.
pub(super) struct Applied {
    pub(super) splices: Vec<(ProjectPath, Splice)>,
    pub(super) uses: usize,
    pub(super) has_examples: bool,
    pub(super) widened: Vec<String>,
    pub(super) declared: MovedItem,
    /// Names that were imported for the moved text, or for uses of the item.
    pub(super) copied: SortedSet<String>,
    /// The imports that were added.
    pub(super) copied_paths: SortedSet<String>,
}

/// Replacements of spans of one file.
type Edits = SortedMap<(usize, usize), String>;

impl Plan<'_> {
    pub(super) fn apply(mut self) -> Result<Applied, RelocateFault> {
        let mut widened = Vec::new();
        let mut edits = self.rebased();
        self.qualified(&mut edits);
        self.doc_links(&mut edits);
        self.own_visibility(&mut edits, &mut widened);
        let code = self.code(&edits);
        let mut imports = std::mem::take(&mut self.uses.imports)
            .into_iter()
            .map(|(module, all)| (module, all.into_iter().map(|it| (String::new(), it)).collect()))
            .collect::<Imports>();
        let mut copied = SortedSet::from([self.ends.name.to_owned()]);
        for supply in &self.supplies {
            copied.insert(supply.name.clone());
            let all = supply.imports.iter().map(|it| (String::new(), it.clone()));
            imports.entry(self.ends.to.clone()).or_default().extend(all);
            let is_member = matches!(supply.origin, Origin::Member(_));
            let edit = if is_member { self.wider(&supply.name, &mut widened) } else { None };
            self.uses.edits.entry(self.pieces.file).or_default().extend(edit);
        }
        for name in self.own_names() {
            let edit = self.wider(&name, &mut widened);
            self.uses.edits.entry(self.pieces.file).or_default().extend(edit);
        }
        if let Some(import) = self.import_of_old() {
            imports.entry(self.ends.from.clone()).or_default().insert(import);
        } else {
            self.links_of_old();
        }
        self.drop_unused();
        let mut found: SortedMap<usize, Vec<Splice>> = SortedMap::new();
        let (place, file) = self.ends.scopes.place(self.ends.to).ok_or(RelocateFault::NoModule)?;
        found.entry(place.file).or_default().push(layout::insertion(file, &place, &code));
        self.outside(&mut found);
        let source = &self.file().text;
        let gone = layout::removals(source, &self.pieces.spans);
        found.entry(self.pieces.file).or_default().extend(gone);
        let paths = imports.values().flatten();
        let copied_paths = paths.map(|(_, it)| it.tree.clone()).collect();
        Ok(Applied {
            splices: assembled(self.ends.scopes, found, &imports, self.ends.from)?,
            copied_paths,
            uses: self.uses.count,
            has_examples: self.uses.has_examples,
            widened,
            declared: self.declared(),
            copied,
        })
    }

    fn file(&self) -> &PlacedText {
        self.ends.scopes.file(self.pieces.file)
    }

    fn declared(&self) -> MovedItem {
        let scopes = self.ends.scopes;
        let target = scopes.place(self.ends.to).map(|(_, file)| file.path.clone());
        MovedItem {
            name: self.ends.name.to_owned(),
            from: self.file().path.clone(),
            to: target.unwrap_or_else(|| self.file().path.clone()),
            pieces: self.pieces.spans.clone(),
            from_module: self.ends.from.names.clone(),
            to_module: self.ends.to.names.clone(),
            library: scopes.tree.roots[self.ends.to.krate].name.clone(),
        }
    }

    /// Paths of the moved texts that are relative to the old module, or lead to it.
    pub(super) fn rebased(&self) -> Edits {
        let (from, to) = (self.ends.from, self.ends.to);
        let mut edits = Edits::new();
        for span in &self.pieces.spans {
            let text = self.file().slice(*span);
            let list = tokens(text);
            for at in 0..list.len() {
                let next = list.get(at + 1).map_or("", |it| it.text);
                if list[at].kind != TokenKind::Word || next == "::" && !self.is_name(list[at].text)
                {
                    continue;
                }
                let Some(path) = before(&list, at).filter(|it| !it.path.is_empty()) else {
                    continue;
                };
                let end = span.start + list[at].span.start;
                let start = span.start + path.start;
                let module = self.ends.scopes.resolve(from, &path.path, path.is_global);
                if self.is_name(list[at].text) && module.as_ref() == Some(from) {
                    if path.path != ["self"] {
                        edits.insert((start, end), format!("{to}::"));
                    }
                    continue;
                }
                let runs = path.path.iter().take_while(|it| matches!(**it, "self" | "super"));
                let runs = runs.count();
                let Some(old) = self.ends.scopes.resolve(from, &path.path[..runs], false) else {
                    continue;
                };
                let new = self.ends.scopes.resolve(to, &path.path[..runs], false);
                let is_done = edits.range((start, 0)..=(start, usize::MAX)).next().is_some();
                if runs == 0 || new.as_ref() == Some(&old) || is_done {
                    continue;
                }
                let after: usize = list[..at]
                    .iter()
                    .filter(|it| it.span.start >= path.start)
                    .nth(2 * runs)
                    .map_or(end, |it| span.start + it.span.start);
                edits.insert((start, after), format!("{old}::"));
            }
            self.restricted(*span, &mut edits);
        }
        edits
    }

    /// Visibilities in the moved texts that are relative to a module.
    fn restricted(&self, span: ByteSpan, edits: &mut Edits) {
        let text = self.file().slice(span);
        let list = tokens(text);
        for at in 0..list.len() {
            let next = |ahead: usize| list.get(at + ahead).map_or("", |it| it.text);
            if !list[at].is("pub") || next(1) != "(" || !matches!(next(2), "super" | "in") {
                continue;
            }
            let Some(close) = list[at..].iter().position(|it| it.is(")")) else { continue };
            let own = ByteSpan::new(list[at].span.start, list[at + close].span.end);
            let written = crate::text::spelled(own.slice(text).unwrap_or(""));
            let is_valid = match next(2) {
                "super" => !self.ends.to.names.is_empty(),
                _ => {
                    let new = reach(self.ends.scopes, self.ends.to, Some(&written));
                    let old = reach(self.ends.scopes, self.ends.from, Some(&written));
                    new == old && new.is_some_and(|it| it.contains(self.ends.to))
                }
            };
            if !is_valid {
                let place = (span.start + own.start, span.start + own.end);
                edits.insert(place, "pub(crate)".to_owned());
            }
        }
    }

    fn is_name(&self, text: &str) -> bool {
        text.trim_start_matches("r#") == self.ends.name
    }

    /// The whole path for names that mean something else in the new module.
    pub(super) fn qualified(&self, edits: &mut Edits) {
        for supply in &self.supplies {
            let (Some(path), Some(head)) = (&supply.qualified, self.heads.get(&supply.name)) else {
                continue;
            };
            for span in &head.spans {
                edits.insert((span.start, span.end), path.clone());
            }
        }
    }

    /// Makes the item as visible as its uses need.
    pub(super) fn own_visibility(&self, edits: &mut Edits, widened: &mut Vec<String>) {
        let (scopes, to) = (self.ends.scopes, self.ends.to);
        let file = self.file();
        let written = visibility(file, self.request.definition);
        if written.as_deref() == Some("pub") {
            return;
        }
        let users = self.uses.users.iter();
        let all = users.fold(to.clone(), |all, it| all.common(it));
        let new = reach(scopes, to, written.as_deref()).unwrap_or_else(|| to.clone());
        let span = visibility_span(&file.text, self.request.definition);
        let is_rewritten = span.is_some_and(|it| edits.contains_key(&(it.start, it.end)));
        if new.contains(&all) || is_rewritten {
            return;
        }
        let wanted = least(to, &all);
        widened.push(format!("`{}` is now `{wanted}`", self.ends.name));
        match span {
            Some(span) => drop(edits.insert((span.start, span.end), wanted.to_owned())),
            None => {
                let at = keyword(&file.text, self.request.definition);
                edits.insert((at, at), format!("{wanted} "));
            }
        }
    }

    /// The moved texts as they are in the new module.
    fn code(&self, edits: &Edits) -> String {
        let file = self.file();
        let target = self.ends.scopes.place(self.ends.to);
        let to = target.map_or_else(String::new, |(place, file)| member_indent(file, place.body));
        let parts = self.pieces.spans.iter().map(|span| {
            let own: Edits = edits
                .range((span.start, 0)..(span.end, usize::MAX))
                .map(|((a, b), it)| ((a - span.start, b - span.start), it.clone()))
                .collect();
            let text = replaced(file.slice(*span), &own);
            let from = layout::indent_of(&file.text, span.start);
            format!("{to}{}", layout::indented(&text, from, &to))
        });
        parts.collect::<Vec<_>>().join("\n\n")
    }

    /// Makes a definition of the old module visible in the new one.
    pub(super) fn wider(
        &self,
        name: &str,
        widened: &mut Vec<String>,
    ) -> Option<((usize, usize), String)> {
        let (from, to) = (self.ends.from, self.ends.to);
        let member = self.ends.scopes.member(from, name)?;
        if self.ends.is_visible(from, name) || name == self.ends.name {
            return None;
        }
        let wanted = least(from, &from.common(to));
        let text = &self.file().text;
        let line = LineIndex::new(text).line_of(member.name_span.start);
        let path = &self.file().path;
        widened.push(format!("`{name}` is now `{wanted}`: {path}:{line}"));
        Some(match visibility_span(text, member) {
            Some(span) => ((span.start, span.end), wanted.to_owned()),
            None => {
                let at = keyword(text, member);
                ((at, at), format!("{wanted} "))
            }
        })
    }

    /// The names that follow `self::` in the moved texts.
    pub(super) fn own_names(&self) -> SortedSet<String> {
        let mut found = SortedSet::new();
        for span in &self.pieces.spans {
            let list = tokens(self.file().slice(*span));
            let own = list.windows(3).filter(|it| it[0].is("self") && it[1].is("::"));
            found.extend(own.map(|it| it[2].text.trim_start_matches("r#").to_owned()));
        }
        found
    }

    /// What the old module imports: the item, for others or for itself.
    fn import_of_old(&self) -> Option<(String, NewImport)> {
        if !self.uses.in_old && !self.public.old_stays || self.has_glob_of_new() {
            return None;
        }
        let visibility = if self.public.old_stays { "pub " } else { "" };
        let tree = format!("{}::{}", self.ends.to, raw(self.ends.name));
        let of = self.request.definition;
        let head = self.file().text.get(of.span.start..of.name_span.start).unwrap_or("");
        let attributes = super::request::cfgs(head);
        Some((visibility.to_owned(), NewImport { tree, attributes }))
    }

    /// Whether the old module has all names of the new one already, for others too where they need it.
    fn has_glob_of_new(&self) -> bool {
        let (scopes, from) = (self.ends.scopes, self.ends.from);
        scopes.leaves_of(from).any(|(item, leaf)| {
            let is_for_all = item.visibility.trim() == "pub" || !self.public.old_stays;
            let is_always = !self.file().slice(item.span).starts_with('#');
            leaf.is_glob()
                && is_for_all
                && is_always
                && scopes.resolve(from, &leaf.names(), leaf.is_global).as_ref()
                    == Some(self.ends.to)
        })
    }

    /// Imports of the old module that only the moved text needed.
    pub(super) fn drop_unused(&mut self) {
        let mut removed = Vec::new();
        for supply in &self.supplies {
            let Origin::Import { leaf } = &supply.origin else { continue };
            if !self.is_used_elsewhere(&supply.name) {
                removed.push(leaf.end);
            }
        }
        self.uses.removed.entry(self.pieces.file).or_default().extend(removed);
    }

    /// Whether other text than the moved one may use an import of the old module.
    fn is_used_elsewhere(&self, name: &str) -> bool {
        let (scopes, from) = (self.ends.scopes, self.ends.from);
        let items = scopes.use_items(self.pieces.file);
        let imports = items.iter().filter(|it| it.leaves.iter().any(|leaf| leaf.name == name));
        let mut imports: Vec<_> = imports.collect();
        // Another import of the name, or one for others, may be one for another `cfg`.
        if imports.len() != 1 || imports.iter().any(|it| !it.visibility.is_empty()) {
            return true;
        }
        let Some(own) = imports.pop() else { return true };
        let text = &self.file().text;
        let word = |it: &&preserve::outline::Token<'_>| {
            it.text.trim_start_matches("r#") == name
                && !own.span.contains(it.span)
                && !self.pieces.contain(self.pieces.file, it.span.start)
        };
        if tokens(text).iter().any(|it| word(&it)) {
            return true;
        }
        let others = scopes.tree.modules.iter().filter(|(module, _)| *module != from);
        others.into_iter().any(|(module, place)| {
            place.file != self.pieces.file
                && has_word(&scopes.file(place.file).text, name)
                && scopes.leaves_of(module).any(|(_, leaf)| {
                    let names = leaf.names();
                    let before =
                        if leaf.is_glob() { &names[..] } else { &names[..names.len() - 1] };
                    (leaf.is_glob() || names.last() == Some(&name))
                        && scopes.resolve(module, before, leaf.is_global).as_ref() == Some(from)
                })
        })
    }

    /// The edits outside of the moved texts.
    fn outside(&self, found: &mut SortedMap<usize, Vec<Splice>>) {
        for (file, edits) in &self.uses.edits {
            let own = edits
                .iter()
                .map(|((a, b), insert)| Splice { span: between(*a, *b), insert: insert.clone() });
            found.entry(*file).or_default().extend(own);
        }
        for (file, spans) in &self.uses.removed {
            let text = &self.ends.scopes.file(*file).text;
            let items = self.ends.scopes.use_items(*file);
            for item in items {
                let own: Vec<ByteSpan> =
                    spans.iter().filter(|it| item.span.contains(**it)).copied().collect();
                if !own.is_empty() {
                    found.entry(*file).or_default().extend(without_imports(text, own));
                }
            }
        }
    }
}

/// The narrowest visibility of an item of `module` that reaches `all`.
pub(super) fn least(module: &ModulePath, all: &ModulePath) -> &'static str {
    match module.parent() {
        // In a module of the root both mean the same, and people write the second.
        Some(parent) if parent.parent().is_some() && parent.contains(all) => "pub(super)",
        _ => "pub(crate)",
    }
}

/// Where the visibility of a definition goes.
pub(super) fn keyword(text: &str, of: &Definition) -> usize {
    let head = text.get(of.span.start..of.name_span.start).unwrap_or("");
    let outline = Outline::of(head);
    let after = outline.attributes.iter().map(|it| it.end + 1).max().unwrap_or(0);
    outline.tokens.get(after).map_or(of.name_span.start, |it| of.span.start + it.span.start)
}

/// The indentation of the members of a module.
fn member_indent(file: &PlacedText, body: Option<ByteSpan>) -> String {
    let Some(body) = body else { return String::new() };
    let inside = file.slice(body);
    let line = inside.lines().skip(1).find(|it| !it.trim().is_empty() && it.trim() != "}");
    match line {
        Some(line) => line.chars().take_while(|it| matches!(it, ' ' | '\t')).collect(),
        None => format!("{}    ", layout::indent_of(&file.text, body.start)),
    }
}
