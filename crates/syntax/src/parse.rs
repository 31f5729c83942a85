use std::collections::BTreeMap;
use std::sync::OnceLock;

use base::{ByteSpan, Hasher};
use tree_sitter::{Language, Node};

use crate::attribute::{is_test_like, needs_cfg_test};
use crate::head::{Head, span_of};
use crate::{Item, NodeKind, SourceFile};

/// Longer scopes are shortened to a hash, so that deep nesting stays linear in memory.
const LONGEST_SCOPE: usize = 512;

/// Reads a text: one parse, one walk.
pub fn parse(text: &str) -> SourceFile {
    let Some(tree) = crate::walk::tree(text) else {
        return SourceFile { items: Vec::new(), parse_errors: vec![ByteSpan::new(0, text.len())] };
    };
    let mut reader = Reader::new(text);
    let mut cursor = tree.walk();
    let mut levels = vec![Level { is_list: true, ..Level::default() }];
    loop {
        let (descend, level) = reader.enter(cursor.node(), &mut levels);
        if descend && cursor.goto_first_child() {
            levels.push(level);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return reader.finish();
            }
            if let Some(level) = levels.pop() {
                reader.close(level.recovered, level.last_end);
            }
        }
    }
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

/// The classes by the grammar's symbol number.
fn classes() -> &'static [Class] {
    static CLASSES: OnceLock<Vec<Class>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let language = Language::from(tree_sitter_rust::LANGUAGE);
        let count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        (0..count)
            .map(|id| match language.node_kind_for_id(id) {
                Some("function_item" | "function_signature_item") => Class::Function,
                Some("const_item") => Class::Item(NodeKind::Const),
                Some("enum_item") => Class::Item(NodeKind::Enum),
                Some("impl_item") => Class::Item(NodeKind::Impl),
                Some("use_declaration" | "extern_crate_declaration") => {
                    Class::Item(NodeKind::Import)
                }
                Some("macro_definition") => Class::Item(NodeKind::Macro),
                Some("mod_item") => Class::Item(NodeKind::Module),
                Some("static_item") => Class::Item(NodeKind::Static),
                Some("struct_item") => Class::Item(NodeKind::Struct),
                Some("trait_item") => Class::Item(NodeKind::Trait),
                Some("type_item" | "associated_type") => Class::Item(NodeKind::TypeAlias),
                Some("union_item") => Class::Item(NodeKind::Union),
                Some("macro_invocation") => Class::MacroCall,
                Some("expression_statement") => Class::Statement,
                Some("foreign_mod_item") => Class::ExternBlock,
                Some("source_file" | "declaration_list") => Class::List,
                Some("attribute_item") => Class::Attribute,
                Some("inner_attribute_item") => Class::InnerAttribute,
                Some("line_comment" | "block_comment") => Class::Comment,
                _ => Class::Other,
            })
            .collect()
    })
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
}

struct Reader<'a> {
    text: &'a str,
    file: SourceFile,
    inside: Vec<Inside>,
    root: Inside,
    twins: BTreeMap<(NodeKind, String), usize>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            file: SourceFile::default(),
            inside: Vec::new(),
            root: Inside::default(),
            twins: BTreeMap::new(),
        }
    }

    /// Looks at one node; says whether to go inside, and with what level.
    fn enter(&mut self, node: Node<'_>, levels: &mut [Level]) -> (bool, Level) {
        let Some(level) = levels.last_mut() else { return (false, Level::default()) };
        let around = level.recovered.or(level.item);
        let mut inner = Level { item: around, ..Level::default() };
        // A word of the 2024 edition that the grammar does not know: `safe fn` in extern blocks.
        if node.is_error() && level.is_list && !level.is_error && self.slice(node) == "safe" {
            level.pending.get_or_insert(node.start_byte());
            return (false, inner);
        }
        if node.is_error() || node.is_missing() {
            self.file.parse_errors.push(span_of(node));
            if let Some(item) = around.and_then(|idx| self.file.items.get_mut(idx)) {
                item.parse_errors += 1;
            }
            inner.is_list = level.is_list && level.recovered.is_none();
            inner.is_error = node.is_error();
            level.last_end = node.end_byte();
            (level.keyword, level.modifiers) = (None, None);
            level.forget();
            return (true, inner);
        }
        if level.is_error && self.recover(node, level) {
            return (false, inner);
        }
        let class = classes().get(usize::from(node.kind_id())).copied().unwrap_or(Class::Other);
        let kind = match class {
            Class::Comment => {
                let comment = self.slice(node);
                if is_outer_doc(comment) {
                    level.pending.get_or_insert(node.start_byte());
                    // The grammar counts the newline behind a line doc comment as part of it.
                    let len = comment.trim_end_matches(['\n', '\r']).len();
                    let start = node.start_byte();
                    level.docs.push(ByteSpan::new(start, start + len));
                }
                return (node.has_error(), inner);
            }
            Class::Attribute => {
                level.pending.get_or_insert(node.start_byte());
                level.attributes.push(self.slice(node).to_owned());
                return (node.has_error(), inner);
            }
            Class::InnerAttribute => {
                if needs_cfg_test(self.slice(node)) {
                    self.enclosing_needs_test(around);
                }
                return (node.has_error(), inner);
            }
            Class::Item(kind) => kind,
            Class::Function => {
                let has_methods = level.is_list && self.inside_of(level.item).has_methods;
                if has_methods { NodeKind::Method } else { NodeKind::Function }
            }
            Class::MacroCall if level.is_list && level.recovered.is_none() => NodeKind::Macro,
            Class::Statement
                if level.is_list
                    && level.recovered.is_none()
                    && node.named_child(0).is_some_and(|it| it.kind() == "macro_invocation") =>
            {
                NodeKind::Macro
            }
            Class::List | Class::ExternBlock => {
                inner.is_list = class == Class::List;
                level.last_end = node.end_byte();
                level.forget();
                return (true, inner);
            }
            Class::MacroCall | Class::Statement | Class::Other => {
                level.last_end = node.end_byte();
                level.forget();
                return (true, inner);
            }
        };
        self.close(level.recovered.take(), level.last_end);
        let lead = level.take_lead(node.end_byte());
        inner.item = Some(self.push(node, kind, lead));
        (true, inner)
    }

    /// Looks for the heads of items among pieces that did not parse: a keyword and a name. True
    /// where the node was used up.
    fn recover(&mut self, node: Node<'_>, level: &mut Level) -> bool {
        let kind = match node.kind() {
            "fn" => NodeKind::Function,
            "struct" => NodeKind::Struct,
            "enum" => NodeKind::Enum,
            "union" => NodeKind::Union,
            "trait" => NodeKind::Trait,
            "mod" => NodeKind::Module,
            "type" => NodeKind::TypeAlias,
            "static" => NodeKind::Static,
            "visibility_modifier" | "function_modifiers" => {
                // Modifiers around pieces that did not parse may hold heads of other items.
                if !node.has_error() {
                    level.modifiers.get_or_insert(node.start_byte());
                }
                return false;
            }
            "identifier" | "type_identifier" => {
                let Some((kind, start)) = level.keyword.take() else {
                    level.modifiers = None;
                    return false;
                };
                self.close(level.recovered.take(), level.last_end);
                let mut lead = level.take_lead(node.end_byte());
                lead.pending = Some(lead.pending.map_or(start, |pending| pending.min(start)));
                let idx = self.push(node, kind, lead);
                if let Some(item) = self.file.items.get_mut(idx) {
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
        let start = level.modifiers.take().unwrap_or(node.start_byte());
        level.keyword = Some((kind, start));
        // Doc comments and attributes before it stay for the item.
        true
    }

    /// Ends an item whose head alone was found.
    fn close(&mut self, recovered: Option<usize>, end: usize) {
        if let Some(item) = recovered.and_then(|idx| self.file.items.get_mut(idx)) {
            item.span.end = item.span.end.max(end);
            item.code_span.end = item.span.end;
        }
    }

    fn push(&mut self, node: Node<'_>, kind: NodeKind, lead: Level) -> usize {
        let start = lead.pending.unwrap_or(node.start_byte());
        let (attributes, docs, parent) = (lead.attributes, lead.docs, lead.item);
        let head = Head::of(self.text, node, kind);
        let around = self.inside_of(parent);
        let is_test =
            around.is_test || attributes.iter().any(|it| is_test_like(it) || needs_cfg_test(it));
        let is_local = around.is_local;
        let base = join(&around.scope, &head.canon);
        let inside = Inside {
            scope: shorten(join(&around.scope, head.scope.as_deref().unwrap_or(&head.canon))),
            has_methods: matches!(kind, NodeKind::Impl | NodeKind::Trait),
            is_test,
            is_local: is_local
                || matches!(
                    kind,
                    NodeKind::Function | NodeKind::Method | NodeKind::Const | NodeKind::Static
                ),
        };
        let twin = self.twins.entry((kind, base.clone())).or_insert(0);
        *twin += 1;
        let canon = if *twin == 1 { base } else { format!("{base}-{twin}") };
        // `name!(…);` at item level: the semicolon is a statement of its own to the grammar.
        // (Looked up in the text: asking a node for its sibling walks down from the root.)
        let call = node.kind() == "macro_invocation";
        let semicolon = call && self.text.as_bytes().get(node.end_byte()) == Some(&b';');
        let end = node.end_byte() + usize::from(semicolon);
        let idx = self.file.items.len();
        self.file.items.push(Item {
            kind,
            name: head.name,
            canon,
            span: ByteSpan::new(start, end),
            code_span: ByteSpan::new(node.start_byte(), end),
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
        self.inside.push(inside);
        idx
    }

    fn inside_of(&self, item: Option<usize>) -> &Inside {
        item.and_then(|idx| self.inside.get(idx)).unwrap_or(&self.root)
    }

    /// `#![cfg(test)]` stands inside what it speaks of.
    fn enclosing_needs_test(&mut self, item: Option<usize>) {
        match item {
            None => self.root.is_test = true,
            Some(idx) => {
                if let Some(inside) = self.inside.get_mut(idx) {
                    inside.is_test = true;
                }
                if let Some(item) = self.file.items.get_mut(idx) {
                    item.is_test = true;
                }
            }
        }
    }

    fn slice(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// Adds the errors of members to those of their holders.
    fn finish(mut self) -> SourceFile {
        for idx in (0..self.file.items.len()).rev() {
            let (errors, parent) = (self.file.items[idx].parse_errors, self.file.items[idx].parent);
            if let Some(parent) = parent {
                self.file.items[parent].parse_errors += errors;
            }
        }
        self.file
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
