use std::collections::BTreeMap;

use base::{ByteSpan, Hasher};

use crate::attribute::{is_test_like, needs_cfg_test};
use crate::head::{Head, macro_call};
use crate::piece::{Piece, Reading};
use crate::tree::{Kind, Tree};
use crate::{Item, NodeKind, SourceFile};

/// Longer scopes are shortened to a hash, so that deep nesting stays linear in memory.
const LONGEST_SCOPE: usize = 512;

/// Reads a text: one parse, one walk.
pub fn parse(text: &str) -> SourceFile {
    match crate::read::tree(text) {
        Some(tree) => items(text, &tree, &BTreeMap::new()).file,
        None => unreadable(text),
    }
}

/// What there is to say of a text that the parser cannot take at all.
pub(crate) fn unreadable(text: &str) -> SourceFile {
    SourceFile { items: Vec::new(), parse_errors: vec![ByteSpan::new(0, text.len())] }
}

/// The items of a tree and the nodes that they are. `pieces` are the macro calls whose tokens were
/// parsed once more, by the node of the call.
pub(crate) fn items(text: &str, tree: &Tree, pieces: &BTreeMap<u32, Piece>) -> Items {
    let mut reader = Reader::new(text, tree);
    let mut levels = vec![Level { is_list: true, ..Level::default() }];
    // Where the lists of siblings end, and where to go on behind them.
    let mut ends = vec![(tree.node(0).after, tree.node(0).after)];
    let mut at = 0;
    while let Some(&(end, next)) = ends.last() {
        if at >= end {
            at = next;
            ends.pop();
            if let Some(level) = levels.pop() {
                reader.close(level.recovered, level.last_end);
            }
            continue;
        }
        let node = tree.node(at);
        let (descend, mut level) = reader.enter(at, &mut levels);
        let is_call = node.kind == Kind::MacroInvocation;
        if let Some(piece) = pieces.get(&at).filter(|_| is_call) {
            if node.has_error() {
                reader.errors_within(at + 1..node.after, level.item);
            }
            level.is_list = piece.reading == Reading::Items;
            level.in_macro = true;
            levels.push(level);
            ends.push((tree.node(piece.node).after, node.after));
            at = piece.node + 1;
        } else if descend && node.after > at + 1 {
            levels.push(level);
            ends.push((node.after, node.after));
            at += 1;
        } else {
            at = node.after;
        }
    }
    reader.finish()
}

/// Items with what reading on needs.
#[derive(Default)]
pub(crate) struct Items {
    pub(crate) file: SourceFile,
    /// One for each item.
    pub(crate) nodes: Vec<ItemNode>,
    /// Inner attributes: the item they stand in (none: the file), their node.
    pub(crate) inner_attributes: Vec<(Option<usize>, u32)>,
}

/// Which node an item is.
#[derive(Clone, Copy)]
pub(crate) struct ItemNode {
    pub(crate) node: u32,
    pub(crate) in_macro: bool,
}

/// What a node is to us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Item(NodeKind),
    Function,
    MacroCall,
    Statement,
    ExternBlock,
    List,
    Attribute,
    InnerAttribute,
    Comment,
    Other,
}

fn class(kind: Kind) -> Class {
    match kind {
        Kind::FunctionItem | Kind::FunctionSignatureItem => Class::Function,
        Kind::ConstItem => Class::Item(NodeKind::Const),
        Kind::EnumItem => Class::Item(NodeKind::Enum),
        Kind::ImplItem => Class::Item(NodeKind::Impl),
        Kind::UseDeclaration | Kind::ExternCrateDeclaration => Class::Item(NodeKind::Import),
        Kind::MacroDefinition => Class::Item(NodeKind::Macro),
        Kind::ModItem => Class::Item(NodeKind::Module),
        Kind::StaticItem => Class::Item(NodeKind::Static),
        Kind::StructItem => Class::Item(NodeKind::Struct),
        Kind::TraitItem => Class::Item(NodeKind::Trait),
        Kind::TypeItem | Kind::AssociatedType => Class::Item(NodeKind::TypeAlias),
        Kind::UnionItem => Class::Item(NodeKind::Union),
        Kind::MacroInvocation => Class::MacroCall,
        Kind::ExpressionStatement => Class::Statement,
        Kind::ForeignModItem => Class::ExternBlock,
        Kind::SourceFile | Kind::DeclarationList => Class::List,
        Kind::AttributeItem => Class::Attribute,
        Kind::InnerAttributeItem => Class::InnerAttribute,
        Kind::LineComment | Kind::BlockComment => Class::Comment,
        _ => Class::Other,
    }
}

/// One list of siblings on the way down to the cursor.
#[derive(Default)]
struct Level {
    /// Where the run of doc comments and attributes before the next item began.
    pending: Option<usize>,
    attributes: Vec<String>,
    docs: Vec<ByteSpan>,
    /// The innermost item around.
    item: Option<usize>,
    /// Items stand here, not statements: a macro call is an item.
    is_list: bool,
    /// The siblings are pieces that did not parse.
    is_error: bool,
    /// They stand in the tokens of a macro call.
    in_macro: bool,
    /// The keyword just passed, if it begins an item, and where that item begins.
    keyword: Option<(NodeKind, usize)>,
    /// Where visibility or modifiers before a keyword begin.
    modifiers: Option<usize>,
    /// The item whose head was found among the pieces and whose pieces we are passing.
    recovered: Option<usize>,
    /// Where the last sibling ended that was neither comment nor attribute.
    last_end: usize,
}

impl Level {
    /// Hands over what stands before an item that ends at `end`, and what it stands in.
    fn take_lead(&mut self, end: usize) -> Level {
        self.last_end = end;
        (self.keyword, self.modifiers) = (None, None);
        Level {
            pending: self.pending.take(),
            attributes: std::mem::take(&mut self.attributes),
            docs: std::mem::take(&mut self.docs),
            item: self.item,
            in_macro: self.in_macro,
            ..Level::default()
        }
    }

    /// What came was no item: doc comments and attributes before it are not the next one's.
    fn forget(&mut self) {
        self.pending = None;
        self.attributes.clear();
        self.docs.clear();
    }
}

/// What the members of an item inherit.
#[derive(Default)]
struct Inside {
    scope: String,
    has_methods: bool,
    is_test: bool,
    is_local: bool,
    /// It is a macro call, with what it stands in.
    of_call: Option<Option<usize>>,
}

struct Reader<'a> {
    text: &'a str,
    tree: &'a Tree,
    found: Items,
    inside: Vec<Inside>,
    root: Inside,
    twins: BTreeMap<(NodeKind, String), usize>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, tree: &'a Tree) -> Self {
        Self {
            text,
            tree,
            found: Items::default(),
            inside: Vec::new(),
            root: Inside::default(),
            twins: BTreeMap::new(),
        }
    }

    /// Looks at one node; says whether to go inside, and with what level.
    fn enter(&mut self, idx: u32, levels: &mut [Level]) -> (bool, Level) {
        let Some(level) = levels.last_mut() else { return (false, Level::default()) };
        let node = self.tree.node(idx);
        let (start, end) = (node.start as usize, node.end as usize);
        let around = level.recovered.or(level.item);
        let mut inner = Level { item: around, in_macro: level.in_macro, ..Level::default() };
        // A word of the 2024 edition that the grammar does not know: `safe fn` in extern blocks.
        if node.is_error() && level.is_list && !level.is_error && self.slice(idx) == "safe" {
            level.pending.get_or_insert(start);
            return (false, inner);
        }
        if node.is_error() || node.is_missing() {
            // Whether the tokens of a macro call are Rust is not known for certain.
            if !level.in_macro {
                self.found.file.parse_errors.push(node.span());
            }
            // The call itself was counted as it stands.
            let is_inside = |idx: &usize| self.found.nodes.get(*idx).is_some_and(|it| it.in_macro);
            let counted = around.filter(|idx| !level.in_macro || is_inside(idx));
            if let Some(item) = counted.and_then(|idx| self.found.file.items.get_mut(idx)) {
                item.parse_errors += 1;
            }
            inner.is_list = level.is_list && level.recovered.is_none();
            inner.is_error = node.is_error();
            level.last_end = end;
            (level.keyword, level.modifiers) = (None, None);
            level.forget();
            return (true, inner);
        }
        if level.is_error && self.recover(idx, level) {
            return (false, inner);
        }
        let class = class(node.kind);
        let kind = match class {
            Class::Comment => {
                let comment = self.slice(idx);
                if is_outer_doc(comment) {
                    level.pending.get_or_insert(start);
                    // The grammar counts the newline behind a line doc comment as part of it.
                    let len = comment.trim_end_matches(['\n', '\r']).len();
                    level.docs.push(ByteSpan::new(start, start + len));
                }
                return (node.has_error(), inner);
            }
            Class::Attribute => {
                level.pending.get_or_insert(start);
                level.attributes.push(self.slice(idx).to_owned());
                return (node.has_error(), inner);
            }
            Class::InnerAttribute => {
                self.found.inner_attributes.push((around, idx));
                if needs_cfg_test(self.slice(idx)) {
                    self.enclosing_needs_test(around);
                }
                return (node.has_error(), inner);
            }
            Class::Item(kind) => kind,
            Class::Function => {
                let has_methods = level.is_list && self.scope_of(level.item).has_methods;
                if has_methods { NodeKind::Method } else { NodeKind::Function }
            }
            Class::MacroCall if level.is_list && level.recovered.is_none() => NodeKind::Macro,
            Class::Statement
                if level.is_list
                    && level.recovered.is_none()
                    && macro_call(self.tree, idx).is_some() =>
            {
                NodeKind::Macro
            }
            Class::List | Class::ExternBlock => {
                inner.is_list = class == Class::List;
                level.last_end = end;
                level.forget();
                return (true, inner);
            }
            Class::MacroCall | Class::Statement | Class::Other => {
                level.last_end = end;
                level.forget();
                return (node.has_item(), inner);
            }
        };
        self.close(level.recovered.take(), level.last_end);
        let lead = level.take_lead(end);
        inner.item = Some(self.push(idx, kind, lead));
        (true, inner)
    }

    /// Counts what is wrong with the tokens of a macro call that are read otherwise.
    fn errors_within(&mut self, nodes: std::ops::Range<u32>, call: Option<usize>) {
        let nodes = nodes.map(|idx| self.tree.node(idx));
        let wrong = nodes.filter(|node| node.is_error() || node.is_missing());
        let known = self.found.file.parse_errors.len();
        self.found.file.parse_errors.extend(wrong.map(|node| node.span()));
        let found = self.found.file.parse_errors.len() - known;
        if let Some(item) = call.and_then(|idx| self.found.file.items.get_mut(idx)) {
            item.parse_errors += found;
        }
    }

    /// Looks for the heads of items among pieces that did not parse: a keyword and a name. True
    /// where the node was used up.
    fn recover(&mut self, idx: u32, level: &mut Level) -> bool {
        let node = self.tree.node(idx);
        let kind = match node.kind {
            Kind::Fn => NodeKind::Function,
            Kind::Struct => NodeKind::Struct,
            Kind::Enum => NodeKind::Enum,
            Kind::Union => NodeKind::Union,
            Kind::Trait => NodeKind::Trait,
            Kind::Mod => NodeKind::Module,
            Kind::Type => NodeKind::TypeAlias,
            Kind::Static => NodeKind::Static,
            Kind::VisibilityModifier | Kind::FunctionModifiers => {
                // Modifiers around pieces that did not parse may hold heads of other items.
                if node.has_error() {
                    level.modifiers = None;
                    level.forget();
                } else {
                    level.modifiers.get_or_insert(node.start as usize);
                }
                return false;
            }
            Kind::Identifier | Kind::TypeIdentifier => {
                let Some((kind, start)) = level.keyword.take() else {
                    level.modifiers = None;
                    return false;
                };
                self.close(level.recovered.take(), level.last_end);
                let mut lead = level.take_lead(node.end as usize);
                lead.pending = Some(lead.pending.map_or(start, |pending| pending.min(start)));
                let idx = self.push(idx, kind, lead);
                if let Some(item) = self.found.file.items.get_mut(idx) {
                    item.code_span.start = start;
                    item.is_recovered = true;
                    item.parse_errors = 1;
                }
                level.recovered = Some(idx);
                return true;
            }
            _ => {
                (level.keyword, level.modifiers) = (None, None);
                return false;
            }
        };
        let has_methods = level.is_list && self.inside_of(level.item).has_methods;
        let kind = match kind {
            NodeKind::Function if has_methods => NodeKind::Method,
            kind => kind,
        };
        let start = level.modifiers.take().unwrap_or(node.start as usize);
        level.keyword = Some((kind, start));
        // Doc comments and attributes before it stay for the item.
        true
    }

    /// Ends an item whose head alone was found.
    fn close(&mut self, recovered: Option<usize>, end: usize) {
        if let Some(item) = recovered.and_then(|idx| self.found.file.items.get_mut(idx)) {
            item.span.end = item.span.end.max(end);
            item.code_span.end = item.span.end;
        }
    }

    fn push(&mut self, idx: u32, kind: NodeKind, lead: Level) -> usize {
        let node = self.tree.node(idx);
        let start = lead.pending.unwrap_or(node.start as usize);
        let (attributes, docs, parent) = (lead.attributes, lead.docs, lead.item);
        let head = Head::of(self.text, self.tree, idx, kind);
        let around = self.inside_of(parent);
        let is_test =
            around.is_test || attributes.iter().any(|it| is_test_like(it) || needs_cfg_test(it));
        let is_local = around.is_local;
        let around = if lead.in_macro { self.scope_of(parent) } else { around };
        let base = join(&around.scope, &head.canon);
        let is_call = kind == NodeKind::Macro && node.kind != Kind::MacroDefinition;
        let inside = Inside {
            scope: shorten(join(&around.scope, head.scope.as_deref().unwrap_or(&head.canon))),
            has_methods: matches!(kind, NodeKind::Impl | NodeKind::Trait),
            is_test,
            is_local: is_local
                || matches!(
                    kind,
                    NodeKind::Function | NodeKind::Method | NodeKind::Const | NodeKind::Static
                ),
            of_call: is_call.then_some(parent),
        };
        // Items in macro calls are numbered behind those that surely exist.
        let canon = if lead.in_macro { base } else { self.twin(kind, base) };
        // `name!(…);` at item level: the semicolon is a statement of its own to the grammar.
        let call = node.kind == Kind::MacroInvocation;
        let semicolon = call && self.text.as_bytes().get(node.end as usize) == Some(&b';');
        let end = node.end as usize + usize::from(semicolon);
        let item = self.found.file.items.len();
        self.found.file.items.push(Item {
            kind,
            name: head.name,
            canon,
            span: ByteSpan::new(start, end),
            code_span: ByteSpan::new(node.start as usize, end),
            name_span: head.name_span,
            body: head.body,
            visibility: head.visibility,
            docs,
            attributes,
            is_test,
            is_local,
            is_recovered: false,
            parent,
            parse_errors: 0,
        });
        self.found.nodes.push(ItemNode { node: idx, in_macro: lead.in_macro });
        self.inside.push(inside);
        item
    }

    /// The canon with the number that tells it from those before it.
    fn twin(&mut self, kind: NodeKind, base: String) -> String {
        let twin = self.twins.entry((kind, base.clone())).or_insert(0);
        *twin += 1;
        if *twin == 1 { base } else { format!("{base}-{twin}") }
    }

    fn inside_of(&self, item: Option<usize>) -> &Inside {
        item.and_then(|idx| self.inside.get(idx)).unwrap_or(&self.root)
    }

    /// What names the members of `item`; macro calls are seen through.
    fn scope_of(&self, mut item: Option<usize>) -> &Inside {
        while let Some(around) = self.inside_of(item).of_call {
            item = around;
        }
        self.inside_of(item)
    }

    /// `#![cfg(test)]` stands inside what it speaks of.
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
            // A macro call was counted as it stands.
            let in_macro = |idx: usize| self.found.nodes.get(idx).is_some_and(|it| it.in_macro);
            if let Some(parent) = parent.filter(|it| in_macro(*it) || !in_macro(idx)) {
                items[parent].parse_errors += errors;
            }
        }
        for idx in 0..self.found.nodes.len() {
            if self.found.nodes[idx].in_macro {
                let item = &mut self.found.file.items[idx];
                let (kind, base) = (item.kind, std::mem::take(&mut item.canon));
                self.found.file.items[idx].canon = self.twin(kind, base);
            }
        }
        self.found
    }
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

fn is_outer_doc(comment: &str) -> bool {
    (comment.starts_with("///") && !comment.starts_with("////"))
        || (comment.starts_with("/**") && !comment.starts_with("/***") && comment != "/**/")
}
