//! The part of an item that identifies it: name, canonical path, visibility, body. `parse.rs` adds
//! the rest.

use base::ByteSpan;

use crate::NodeKind;
use crate::canon::canon_form;
use crate::tree::{Kind, Tree};

/// The naming part of an item.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) name: String,
    pub(crate) canon: String,
    /// Prefix of members where it is not the canon.
    pub(crate) scope: Option<String>,
    pub(crate) name_span: Option<ByteSpan>,
    pub(crate) body: Option<ByteSpan>,
    pub(crate) visibility: String,
}

impl Head {
    /// Reads the head of `node`, an item of `kind`.
    pub(crate) fn of(text: &str, tree: &Tree, node: u32, kind: NodeKind) -> Self {
        let visibility = tree.child(node, Kind::VISIBILITY);
        let visibility = visibility.map(|it| canon_form(tree.slice(text, it)));
        Self { visibility: visibility.unwrap_or_default(), ..Self::of_kind(text, tree, node, kind) }
    }

    fn of_kind(text: &str, tree: &Tree, node: u32, kind: NodeKind) -> Self {
        let body = body(tree, node).map(|it| tree.node(it).span());
        match kind {
            NodeKind::Impl => Head { body, ..Head::of_impl(text, tree, node) },
            NodeKind::Import => Head::of_import(text, tree, node),
            NodeKind::Macro if tree.kind(node) != Kind::MACRO_CALL => {
                let open = body.map(|it| ByteSpan::new(it.start, tree.node(node).end as usize));
                let (name, name_span) = name(text, tree, node);
                let canon = format!("{name}!");
                Head { canon, name, name_span, body: open, ..Head::default() }
            }
            NodeKind::Macro => {
                let path = tree.child(node, Kind::PATH);
                let name = path.map_or_else(String::new, |it| canon_form(tree.slice(text, it)));
                let name_span = path.map(|it| tree.node(it).span());
                Head { canon: format!("{name}!()"), name, name_span, body, ..Head::default() }
            }
            _ => {
                let (name, name_span) = name(text, tree, node);
                Head { canon: name.clone(), name, name_span, body, ..Head::default() }
            }
        }
    }

    fn of_import(text: &str, tree: &Tree, node: u32) -> Self {
        if tree.kind(node) == Kind::USE {
            let tree_of = tree.child(node, Kind::USE_TREE);
            let name = tree_of.map_or_else(String::new, |it| canon_form(tree.slice(text, it)));
            return Head { canon: format!("use {name}"), name, ..Head::default() };
        }
        let of = tree.child(node, Kind::NAME_REF);
        let alias = tree.child(node, Kind::RENAME).and_then(|it| tree.child(it, Kind::NAME));
        let slice = |it: Option<u32>| it.map_or("", |it| tree.slice(text, it)).to_owned();
        let token = alias.or(of);
        Head {
            canon: format!("extern crate {}", slice(of)),
            name: slice(token),
            name_span: token.map(|it| tree.node(it).span()),
            ..Head::default()
        }
    }

    /// The names of an impl block; its body is not read.
    fn of_impl(text: &str, tree: &Tree, node: u32) -> Self {
        let types = ImplTypes::of(tree, node);
        let Some(of) = types.self_type else { return Head::default() };
        let name = canon_form(tree.slice(text, of));
        if let Some(of_trait) = types.of_trait {
            let not = if tree.has(node, Kind::BANG) { "!" } else { "" };
            let of_trait = canon_form(tree.slice(text, of_trait));
            return Head {
                canon: format!("<{name} as {not}{of_trait}>"),
                name: format!("{not}{of_trait} for {name}"),
                ..Head::default()
            };
        }
        let scope = match bare_path(text, tree, of) {
            Some(bare) => canon_form(bare),
            None => format!("<{name}>"),
        };
        Head { canon: format!("<{name}>"), scope: Some(scope), name, ..Head::default() }
    }
}

/// The types of an impl.
pub(crate) struct ImplTypes {
    pub(crate) of_trait: Option<u32>,
    pub(crate) self_type: Option<u32>,
}

impl ImplTypes {
    pub(crate) fn of(tree: &Tree, node: u32) -> Self {
        let Some(split) = tree.child(node, Kind::FOR_KW) else {
            return Self { of_trait: None, self_type: tree.types(node).next() };
        };
        Self {
            of_trait: tree.types(node).find(|it| *it < split),
            self_type: tree.types(node).find(|it| *it > split),
        }
    }
}

/// The path of a path type without the generic arguments of its last segment.
fn bare_path<'t>(text: &'t str, tree: &Tree, of: u32) -> Option<&'t str> {
    let path = tree.child(of, Kind::PATH).filter(|_| tree.kind(of) == Kind::PATH_TYPE)?;
    let segment = tree.child(path, Kind::PATH_SEGMENT)?;
    let name = tree.child(segment, Kind::NAME_REF)?;
    text.get(tree.node(path).start as usize..tree.node(name).end as usize)
}

/// The block, list, token tree or initialiser of an item.
fn body(tree: &Tree, node: u32) -> Option<u32> {
    let wanted = match tree.kind(node) {
        Kind::CONST | Kind::STATIC => return tree.exprs(node).next(),
        Kind::FN => &[Kind::BLOCK_EXPR][..],
        Kind::STRUCT => &[Kind::RECORD_FIELD_LIST, Kind::TUPLE_FIELD_LIST],
        Kind::UNION => &[Kind::RECORD_FIELD_LIST],
        Kind::ENUM => &[Kind::VARIANT_LIST],
        Kind::TRAIT | Kind::IMPL => &[Kind::ASSOC_ITEM_LIST],
        Kind::MODULE => &[Kind::ITEM_LIST],
        Kind::MACRO_RULES | Kind::MACRO_DEF | Kind::MACRO_CALL => &[Kind::TOKEN_TREE],
        _ => return None,
    };
    tree.children(node).find(|&it| wanted.contains(&tree.kind(it)))
}

/// The name of an item; `_` is one.
fn name(text: &str, tree: &Tree, node: u32) -> (String, Option<ByteSpan>) {
    let token = tree.child(node, Kind::NAME).or_else(|| tree.child(node, Kind::UNDERSCORE));
    match token.filter(|it| !tree.node(*it).has_error()) {
        Some(token) => (tree.slice(text, token).to_owned(), Some(tree.node(token).span())),
        None => (String::new(), None),
    }
}
