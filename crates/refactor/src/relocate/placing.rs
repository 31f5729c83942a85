//! Imports in the style of a module: in its groups and blocks, in its order. Start at [`placed`].

use base::{ByteSpan, SortedMap};
use edit::Splice;

use super::layout;
use super::modules::ModulePath;
use super::scope::Scopes;
use super::style::{Present, Style, kind};
use super::supply::NewImport;
use super::uses::UseItem;
use crate::import_place::comments_start;
use crate::text::{PlacedText, line_start};

/// The edits that add imports to a module, each with its visibility; a module without imports has the
/// style of `like`.
pub(super) fn placed(
    scopes: &Scopes,
    module: &ModulePath,
    all: &[(String, NewImport)],
    like: &ModulePath,
) -> Vec<Splice> {
    let Some((place, file)) = scopes.place(module) else { return Vec::new() };
    let own = Present::of(scopes, module);
    let style = Style::of(&own, &Present::of(scopes, like));
    let missing: Vec<_> = all.iter().filter(|it| !own.has(it)).cloned().collect();
    let units = units(&missing, &style);
    if own.items.is_empty() {
        let mut blocks: SortedMap<u8, Vec<(String, NewImport)>> = SortedMap::new();
        for unit in &units {
            let block = if style.has_blocks { kind(scopes, module, &unit.first()) } else { 0 };
            blocks.entry(block).or_default().push((unit.visibility.clone(), unit.import()));
        }
        let blocks: Vec<_> = blocks.into_values().collect();
        return layout::imports(file, &place, &blocks).into_iter().collect();
    }
    let mut placing = Placing { own: &own, style, lines: SortedMap::new(), splices: Vec::new() };
    for unit in &units {
        placing.add(unit);
    }
    placing.finish()
}

/// One declaration to add.
struct Unit {
    visibility: String,
    attributes: Vec<String>,
    /// Its path before the names; empty for a crate alone.
    prefix: String,
    /// Names that it imports from there: `A`, `B as _`, `*`.
    names: Vec<String>,
}

impl Unit {
    fn import(&self) -> NewImport {
        let names = match self.names.as_slice() {
            [one] => one.clone(),
            all => format!("{{{}}}", all.join(", ")),
        };
        let tree = match self.prefix.is_empty() {
            true => names,
            false => format!("{}::{names}", self.prefix),
        };
        NewImport { tree, attributes: self.attributes.clone() }
    }

    /// The first name of its path.
    fn first(&self) -> String {
        let path = if self.prefix.is_empty() { self.names.first() } else { Some(&self.prefix) };
        let path = path.map_or("", |it| it.trim_start_matches("::"));
        path.split("::").next().unwrap_or("").to_owned()
    }
}

/// The declarations for imports; those of one path are one, if the style is so.
fn units(all: &[(String, NewImport)], style: &Style) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    for (visibility, import) in all {
        let (path, alias) = match import.tree.split_once(" as ") {
            Some((path, alias)) => (path, format!(" as {alias}")),
            None => (import.tree.as_str(), String::new()),
        };
        let (prefix, last) = path.rsplit_once("::").unwrap_or(("", path));
        let name = format!("{last}{alias}");
        let joins = style.is_merged && import.attributes.is_empty() && !prefix.is_empty();
        let same = found.iter_mut().find(|it| {
            joins
                && it.attributes.is_empty()
                && it.prefix == prefix
                && it.visibility == *visibility
                && last != "*"
                && !it.names.iter().any(|it| it == "*")
        });
        match same {
            Some(unit) if unit.names.contains(&name) => {}
            Some(unit) => {
                unit.names.push(name);
                unit.names.sort_by_key(|it| name_key(it));
            }
            None => found.push(Unit {
                visibility: visibility.clone(),
                attributes: import.attributes.clone(),
                prefix: prefix.to_owned(),
                names: vec![name],
            }),
        }
    }
    found.sort_by_key(|it| line_key(&it.import().tree));
    found
}

/// The order of names in a group: as rustfmt has it.
fn name_key(name: &str) -> (u8, String) {
    let is_upper = |it: char| it.is_uppercase() || it.is_ascii_digit() || it == '_';
    let plain = name.trim_start_matches("r#").split(" as ").next().unwrap_or(name);
    let class = match plain {
        "self" => 0,
        it if it.chars().next().is_some_and(char::is_lowercase) => 1,
        it if it.len() > 1 && it.chars().all(is_upper) => 3,
        _ => 2,
    };
    (class, plain.to_owned())
}

/// The order of declarations in a block: as rustfmt has it.
fn line_key(tree: &str) -> (u8, String) {
    let class = match tree.split("::").next().unwrap_or("") {
        "self" => 0,
        "super" => 1,
        "crate" => 2,
        _ => 3,
    };
    (class, tree.to_owned())
}

/// Text before some lines, the lines, and the text after them.
type PlacedLines = (&'static str, Vec<String>, &'static str);

/// Imports on their way into a module that has some.
struct Placing<'a> {
    own: &'a Present<'a>,
    style: Style,
    /// Lines by their place, side and kind.
    lines: SortedMap<(usize, u8, u8), PlacedLines>,
    splices: Vec<Splice>,
}

impl Placing<'_> {
    fn add(&mut self, unit: &Unit) {
        if unit.attributes.is_empty() && self.add_to_group(unit) {
            return;
        }
        let first = kind(self.own.scopes, self.own.module, &unit.first());
        let is_public = |it: &UseItem| !it.visibility.is_empty();
        let wanted = !unit.visibility.is_empty();
        let of_kind =
            |block: &&Vec<&UseItem>| block.iter().any(|it| self.own.kind(it) == Some(first));
        let same = |block: &&Vec<&UseItem>| {
            block.iter().any(|it| self.own.kind(it) == Some(first) && is_public(it) == wanted)
        };
        let blocks = &self.own.blocks;
        let block = blocks.iter().find(same).or_else(|| blocks.iter().find(of_kind));
        let (place, before, after) = match (block, self.style.has_blocks) {
            (None, true) => self.new_block(first),
            (block, _) => {
                let Some(block) = block.or(blocks.first()) else { return };
                ((self.in_block(block, unit), 1, 0), "", "")
            }
        };
        let Some(file) = self.own.file else { return };
        let indent =
            self.own.items.first().map_or("", |it| layout::indent_of(&file.text, it.span.start));
        let line = format!("{indent}{}", unit.import().code(&unit.visibility, indent));
        let lines = self.lines.entry(place).or_insert((before, Vec::new(), after));
        lines.1.push(line);
    }

    /// The start of the line of a declaration, with its comments.
    fn line_of(&self, item: &UseItem) -> usize {
        let text = self.own.file.map_or("", |it| &it.text);
        let floor = self.own.items.iter().map(|it| it.span.end).filter(|it| *it <= item.span.start);
        let first = comments_start(text, floor.max().unwrap_or(0), item.span.start);
        line_start(text, first)
    }

    /// The start of the line after a declaration.
    fn line_after(&self, item: &UseItem) -> usize {
        let text = self.own.file.map_or("", |it| &it.text);
        let rest = text.get(item.span.end..).unwrap_or("");
        rest.find('\n').map_or(text.len(), |it| item.span.end + it + 1)
    }

    fn in_block(&self, block: &[&UseItem], unit: &Unit) -> usize {
        let key = line_key(&unit.import().tree);
        let later = block.iter().find(|it| {
            let leaf = it.leaves.first();
            leaf.is_some_and(|leaf| line_key(&leaf.names().join("::")) > key)
        });
        match (later, block.last()) {
            (Some(item), _) => self.line_of(item),
            (None, Some(last)) => self.line_after(last),
            (None, None) => 0,
        }
    }

    /// The place of a block of a kind that the module does not have.
    fn new_block(&self, kind: u8) -> ((usize, u8, u8), &'static str, &'static str) {
        let later = self.own.blocks.iter().find(|block| {
            block.iter().filter_map(|it| self.own.kind(it)).min().is_some_and(|it| it > kind)
        });
        if let Some(first) = later.and_then(|it| it.first()) {
            return ((self.line_of(first), 0, kind), "", "\n");
        }
        let last = self.own.items.last();
        ((last.map_or(0, |it| self.line_after(it)), 2, kind), "\n", "")
    }

    /// Puts the names into a declaration with the same path.
    fn add_to_group(&mut self, unit: &Unit) -> bool {
        let Some(file) = self.own.file else { return false };
        let is_same = |it: &&&UseItem| {
            it.attributes.is_empty()
                && it.visibility.trim() == unit.visibility.trim()
                && it
                    .leaves
                    .iter()
                    .all(|leaf| self.own.prefix(leaf).is_some_and(|prefix| prefix == unit.prefix))
        };
        let is_free = |it: &&&UseItem| !self.splices.iter().any(|own| it.span.contains(own.span));
        let mut items = self.own.items.iter().filter(is_same).filter(is_free);
        let Some(item) = items.find(|it| {
            let code = file.slice(it.code);
            let is_flat = code.matches('{').count() == 1 && !code.contains("//");
            let is_one = it.leaves.len() == 1 && !code.contains('{');
            is_flat || is_one && self.style.is_merged
        }) else {
            return false;
        };
        let code = file.slice(item.code);
        if code.contains('{') {
            return self.grow(file, item, unit);
        }
        let Some(leaf) = item.leaves.first() else { return false };
        let Some(end) = code.rfind(';').map(|it| item.code.start + it) else { return false };
        let span = ByteSpan::new(leaf.end.start, end);
        let mut names = unit.names.clone();
        names.push(file.slice(span).trim_end().to_owned());
        names.sort_by_key(|it| name_key(it));
        names.dedup();
        let insert = format!("{{{}}}", names.join(", "));
        self.splices.push(Splice { span, insert });
        true
    }

    /// Adds names to a flat group.
    fn grow(&mut self, file: &PlacedText, item: &UseItem, unit: &Unit) -> bool {
        let code = file.slice(item.code);
        let (Some(open), Some(close)) = (code.find('{'), code.rfind('}')) else { return false };
        let inside = &code[open + 1..close];
        let known: Vec<&str> =
            inside.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
        let mut at_end = Vec::new();
        for name in unit.names.iter().filter(|it| !known.contains(&it.as_str())) {
            let key = name_key(name);
            let later = item.leaves.iter().find(|leaf| name_key(file.slice(leaf.end)) > key);
            match later {
                Some(leaf) => {
                    let span = ByteSpan::new(leaf.end.start, leaf.end.start);
                    self.splices.push(Splice { span, insert: format!("{name}, ") });
                }
                None => at_end.push(name.as_str()),
            }
        }
        if !at_end.is_empty() {
            let kept = inside.trim_end().trim_end_matches(',').trim_end().len();
            let at = item.code.start + open + 1 + kept;
            let insert = format!(", {}", at_end.join(", "));
            self.splices.push(Splice { span: ByteSpan::new(at, at), insert });
        }
        true
    }

    fn finish(self) -> Vec<Splice> {
        let text = self.own.file.map_or("", |it| &it.text);
        let mut splices = self.splices;
        for ((at, ..), (before, lines, after)) in self.lines {
            // The last line of a file may have no end.
            let is_cut = at > 0 && !text[..at].ends_with('\n');
            let first = if is_cut { "\n" } else { "" };
            let insert = format!("{first}{before}{}\n{after}", lines.join("\n"));
            splices.push(Splice { span: ByteSpan::new(at, at), insert });
        }
        splices
    }
}
