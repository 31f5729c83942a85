//! Walks the syntax tree and makes the list of items. Start at [`items`]; `head.rs` names each of
//! them.

use base::{ByteSpan, Hasher, SortedMap};

use crate::attribute::{is_test_like, needs_cfg_test};
use crate::head::Head;
use crate::macro_args::{MacroArgs, ParsedAs};
use crate::tree::{Kind, Tree, is_item_list};
use crate::{Item, NodeKind, SourceFile};

/// Longer scopes are shortened to a hash, so that deep nesting stays linear in memory.
const LONGEST_SCOPE: usize = 512;

/// A text that is too long for the parser: one problem.
pub(crate) fn unreadable(text: &str) -> SourceFile {
    SourceFile { items: Vec::new(), parse_errors: vec![ByteSpan::new(0, text.len())] }
}

/// The items of a tree and their nodes. `args` are the macro calls whose tokens were parsed as
/// Rust, by the node of the call.
pub(crate) fn items(text: &str, tree: &Tree, args: &SortedMap<u32, MacroArgs>) -> Items {
    let mut reader = Reader::new(text, tree);
    let mut levels = vec![Level::default()];
    // For each level where its siblings end, and where to continue after them.
    let mut ends = vec![(tree.node(0).after, tree.node(0).after)];
    let mut at = 0;
    while let Some(&(end, next)) = ends.last() {
        if at >= end {
            at = next;
            ends.pop();
            levels.pop();
            continue;
        }
        let node = tree.node(at);
        let inner = levels.last_mut().and_then(|level| reader.enter(at, level));
        match (inner, args.get(&at)) {
            (Some(mut level), Some(args)) => {
                reader.errors_within(at + 1..node.after, level.item);
                level.is_list = args.parsed_as == ParsedAs::Items;
                level.in_macro = true;
                levels.push(level);
                ends.push((tree.node(args.node).after, node.after));
                at = args.node + 1;
            }
            (Some(level), None) if node.after > at + 1 => {
                levels.push(level);
                ends.push((node.after, node.after));
                at += 1;
            }
            _ => at = node.after,
        }
    }
    reader.finish()
}

/// Items with what the next phase needs.
#[derive(Default)]
pub(crate) struct Items {
    pub(crate) file: SourceFile,
    /// The node of each item.
    pub(crate) nodes: Vec<ItemNode>,
    /// Inner attributes: the item around them (none: the file), their node.
    pub(crate) inner_attributes: Vec<(Option<usize>, u32)>,
}

/// The node of an item.
#[derive(Clone, Copy)]
pub(crate) struct ItemNode {
    pub(crate) node: u32,
    pub(crate) in_macro: bool,
}

/// One list of siblings on the way down to the cursor.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Innermost item around.
    item: Option<usize>,
    /// The siblings are items, not statements: a macro call among them is an item.
    is_list: bool,
    /// The siblings are in the tokens of a macro call.
    in_macro: bool,
    /// The last item among the siblings so far, if something is wrong in it.
    broken: Option<usize>,
    /// The problem that the sibling before was, by index: errors in a row are one problem.
    problem: Option<usize>,
}

/// What the members of an item inherit.
#[derive(Default)]
struct Inside {
    scope: String,
    has_methods: bool,
    is_test: bool,
    is_local: bool,
    /// For a macro call the item around it.
    of_call: Option<Option<usize>>,
}

struct Reader<'a> {
    text: &'a str,
    tree: &'a Tree,
    found: Items,
    inside: Vec<Inside>,
    root: Inside,
    /// How many items of a kind have a path.
    duplicates: SortedMap<(NodeKind, String), usize>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, tree: &'a Tree) -> Self {
        let mut found = Items::default();
        found.file.parse_errors.extend(&tree.tokens.open_comments);
        Self {
            text,
            tree,
            found,
            inside: Vec::new(),
            root: Inside::default(),
            duplicates: SortedMap::new(),
        }
    }

    /// Takes one node; the level of its children if there is something to find among them.
    fn enter(&mut self, idx: u32, level: &mut Level) -> Option<Level> {
        let node = self.tree.node(idx);
        if node.kind != Kind::ERROR {
            level.problem = None;
        }
        if !node.has_item() && node.kind != Kind::SOURCE_FILE {
            return None;
        }
        let mut inner = Level { item: level.item, in_macro: level.in_macro, ..Level::default() };
        match node.kind {
            Kind::ERROR => {
                self.error(idx, level);
                inner.is_list = level.is_list;
                Some(inner)
            }
            Kind::ATTR => {
                if is_inner(self.slice(idx)) {
                    self.found.inner_attributes.push((level.item, idx));
                    if needs_cfg_test(self.slice(idx)) {
                        self.enclosing_needs_test(level.item);
                    }
                }
                node.has_error().then_some(inner)
            }
            kind => {
                inner.is_list = is_item_list(kind);
                let Some(item) = self.item_kind(kind, level) else { return Some(inner) };
                let item = self.push(idx, item, *level);
                level.broken = (level.is_list && node.has_error()).then_some(item);
                inner.item = Some(item);
                Some(inner)
            }
        }
    }

    /// The kind of item that a node of `kind` is.
    fn item_kind(&self, kind: Kind, level: &Level) -> Option<NodeKind> {
        Some(match kind {
            Kind::FN if level.is_list && self.scope_of(level.item).has_methods => NodeKind::Method,
            Kind::FN => NodeKind::Function,
            Kind::CONST => NodeKind::Const,
            Kind::ENUM => NodeKind::Enum,
            Kind::IMPL => NodeKind::Impl,
            Kind::USE | Kind::EXTERN_CRATE => NodeKind::Import,
            Kind::MACRO_RULES | Kind::MACRO_DEF => NodeKind::Macro,
            Kind::MACRO_CALL if level.is_list => NodeKind::Macro,
            Kind::MODULE => NodeKind::Module,
            Kind::STATIC => NodeKind::Static,
            Kind::STRUCT => NodeKind::Struct,
            Kind::TRAIT => NodeKind::Trait,
            Kind::TYPE_ALIAS => NodeKind::TypeAlias,
            Kind::UNION => NodeKind::Union,
            _ => return None,
        })
    }

    /// Counts an error; text that the parser skipped after a broken item belongs to that item.
    fn error(&mut self, idx: u32, level: &mut Level) {
        let span = self.tree.node(idx).span();
        let problems = &mut self.found.file.parse_errors;
        let before = level.problem.filter(|_| level.is_list);
        if let Some(problem) = before.and_then(|idx| problems.get_mut(idx)) {
            problem.end = problem.end.max(span.end);
        } else {
            // Whether the tokens of a macro call are Rust is not known for certain.
            if !level.in_macro {
                level.problem = Some(problems.len());
                problems.push(span);
            }
            // The call itself was counted as it is.
            let is_inside = |idx: &usize| self.found.nodes.get(*idx).is_some_and(|it| it.in_macro);
            let around = level.broken.or(level.item);
            let counted = around.filter(|idx| !level.in_macro || is_inside(idx));
            if let Some(item) = counted.and_then(|idx| self.found.file.items.get_mut(idx)) {
                item.parse_errors += 1;
            }
        }
        let broken = level.broken.and_then(|idx| self.found.file.items.get_mut(idx));
        if let Some(item) = broken.filter(|_| span.start < span.end) {
            item.is_recovered = true;
            item.span.end = item.span.end.max(span.end);
            item.code_span.end = item.span.end;
        }
    }

    /// Counts the errors among the tokens of a macro call whose tokens are read otherwise.
    fn errors_within(&mut self, nodes: std::ops::Range<u32>, call: Option<usize>) {
        let nodes = nodes.map(|idx| self.tree.node(idx));
        let wrong = nodes.filter(|node| node.is_error());
        let known = self.found.file.parse_errors.len();
        self.found.file.parse_errors.extend(wrong.map(|node| node.span()));
        let found = self.found.file.parse_errors.len() - known;
        if let Some(item) = call.and_then(|idx| self.found.file.items.get_mut(idx)) {
            item.parse_errors += found;
        }
    }

    /// Adds the item that a node is.
    fn push(&mut self, idx: u32, kind: NodeKind, level: Level) -> usize {
        let node = self.tree.node(idx);
        let (attributes, code) = self.attributes(idx);
        let docs = self.tree.docs_before(idx, code).to_vec();
        let start =
            docs.first().map_or(node.start as usize, |it| it.start.min(node.start as usize));
        let head = Head::of(self.text, self.tree, idx, kind);
        let around = self.inside_of(level.item);
        let is_test =
            around.is_test || attributes.iter().any(|it| is_test_like(it) || needs_cfg_test(it));
        let is_local = around.is_local;
        let around = if level.in_macro { self.scope_of(level.item) } else { around };
        let base = join(&around.scope, &head.canon);
        let has_body = matches!(
            kind,
            NodeKind::Function | NodeKind::Method | NodeKind::Const | NodeKind::Static
        );
        let inside = Inside {
            scope: shorten(join(&around.scope, head.scope.as_deref().unwrap_or(&head.canon))),
            has_methods: matches!(kind, NodeKind::Impl | NodeKind::Trait),
            is_test,
            is_local: is_local || has_body,
            of_call: (node.kind == Kind::MACRO_CALL).then_some(level.item),
        };
        // Items in macro calls are numbered after those that surely exist.
        let canon = if level.in_macro { base } else { self.numbered(kind, base) };
        let item = self.found.file.items.len();
        self.found.file.items.push(Item {
            kind,
            name: head.name,
            canon,
            span: ByteSpan::new(start, node.end as usize),
            code_span: ByteSpan::new(code, node.end as usize),
            name_span: head.name_span,
            body: head.body,
            visibility: head.visibility,
            docs,
            attributes,
            is_test,
            is_local,
            is_recovered: false,
            parent: level.item,
            parse_errors: 0,
        });
        self.found.nodes.push(ItemNode { node: idx, in_macro: level.in_macro });
        self.inside.push(inside);
        item
    }

    /// The outer attributes of an item, and where its code begins after them.
    fn attributes(&self, idx: u32) -> (Vec<String>, usize) {
        let mut attributes = Vec::new();
        for child in self.tree.children(idx) {
            let node = self.tree.node(child);
            if node.kind != Kind::ATTR {
                return (attributes, node.start as usize);
            }
            attributes.push(self.slice(child).to_owned());
        }
        (attributes, self.tree.node(idx).start as usize)
    }

    /// The path with the number that distinguishes it from earlier ones.
    fn numbered(&mut self, kind: NodeKind, base: String) -> String {
        let count = self.duplicates.entry((kind, base.clone())).or_insert(0);
        *count += 1;
        if *count == 1 { base } else { format!("{base}-{count}") }
    }

    fn inside_of(&self, item: Option<usize>) -> &Inside {
        item.and_then(|idx| self.inside.get(idx)).unwrap_or(&self.root)
    }

    /// What names the members of `item`, ignoring macro calls around it.
    fn scope_of(&self, mut item: Option<usize>) -> &Inside {
        while let Some(around) = self.inside_of(item).of_call {
            item = around;
        }
        self.inside_of(item)
    }

    /// Applies `#![cfg(test)]` to the item that contains it.
    fn enclosing_needs_test(&mut self, item: Option<usize>) {
        match item {
            None => self.root.is_test = true,
            Some(idx) => {
                if let Some(inside) = self.inside.get_mut(idx) {
                    inside.is_test = true;
                }
                if let Some(item) = self.found.file.items.get_mut(idx) {
                    item.is_test = true;
                }
            }
        }
    }

    fn slice(&self, node: u32) -> &'a str {
        self.tree.slice(self.text, node)
    }

    /// Adds the errors of members to those of their holders; numbers the items in macro calls.
    fn finish(mut self) -> Items {
        let items = &mut self.found.file.items;
        for idx in (0..items.len()).rev() {
            let (errors, parent) = (items[idx].parse_errors, items[idx].parent);
            // A macro call was counted as it is.
            let in_macro = |idx: usize| self.found.nodes.get(idx).is_some_and(|it| it.in_macro);
            if let Some(parent) = parent.filter(|it| in_macro(*it) || !in_macro(idx)) {
                items[parent].parse_errors += errors;
            }
        }
        for idx in 0..self.found.nodes.len() {
            if self.found.nodes[idx].in_macro {
                let item = &mut self.found.file.items[idx];
                let (kind, base) = (item.kind, std::mem::take(&mut item.canon));
                self.found.file.items[idx].canon = self.numbered(kind, base);
            }
        }
        self.found
    }
}

fn is_inner(attribute: &str) -> bool {
    attribute.get(1..).is_some_and(|it| it.trim_start().starts_with('!'))
}

fn join(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}::{name}") }
}

fn shorten(scope: String) -> String {
    if scope.len() <= LONGEST_SCOPE {
        return scope;
    }
    format!("…{}", Hasher::new().field(scope.as_bytes()).finish().short())
}
