use base::ByteSpan;

use crate::NodeKind;
use crate::canon::canon_form;
use crate::tree::{Field, Kind, Tree};

/// The naming part of an item.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) name: String,
    pub(crate) canon: String,
    /// What members are prefixed with, where that is not the canon.
    pub(crate) scope: Option<String>,
    pub(crate) name_span: Option<ByteSpan>,
    pub(crate) body: Option<ByteSpan>,
    pub(crate) visibility: String,
}

impl Head {
    /// Reads the head of `node`, an item of `kind`.
    pub(crate) fn of(text: &str, tree: &Tree, node: u32, kind: NodeKind) -> Self {
        // Of an item that did not parse, the name is all there is.
        if matches!(tree.node(node).kind, Kind::Identifier | Kind::TypeIdentifier) {
            let name = tree.slice(text, node).to_owned();
            let name_span = Some(tree.node(node).span());
            return Self { canon: name.clone(), name, name_span, ..Self::default() };
        }
        Self { visibility: visibility(text, tree, node), ..Self::of_kind(text, tree, node, kind) }
    }

    fn of_kind(text: &str, tree: &Tree, node: u32, kind: NodeKind) -> Self {
        let field = |field: Field| tree.field(node, field);
        let slice = |node: u32| tree.slice(text, node);
        let span_of = |node: u32| tree.node(node).span();
        let body = || [Field::Body, Field::Value].into_iter().find_map(field).map(span_of);
        match kind {
            NodeKind::Impl => Head { body: body(), ..Head::of_impl(text, tree, node) },
            NodeKind::Import => {
                if let Some(argument) = field(Field::Argument) {
                    let name = canon_form(slice(argument));
                    return Head { canon: format!("use {name}"), name, ..Head::default() };
                }
                let token = field(Field::Alias).or_else(|| field(Field::Name));
                let name = token.map_or_else(String::new, |it| slice(it).to_owned());
                let of = field(Field::Name).map_or_else(String::new, |it| slice(it).to_owned());
                Head {
                    canon: format!("extern crate {of}"),
                    name,
                    name_span: token.map(span_of),
                    ..Head::default()
                }
            }
            NodeKind::Macro if tree.node(node).kind == Kind::MacroDefinition => {
                let name = name(text, tree, node);
                let open = tree.child(node, Kind::Open).map(span_of);
                Head {
                    canon: format!("{}!", name.0),
                    name: name.0,
                    name_span: name.1,
                    body: open.map(|it| ByteSpan::new(it.start, span_of(node).end)),
                    ..Head::default()
                }
            }
            NodeKind::Macro => {
                let call = macro_call(tree, node).unwrap_or(node);
                let path = tree.field(call, Field::Macro);
                let name = path.map_or_else(String::new, |it| canon_form(slice(it)));
                Head {
                    canon: format!("{name}!()"),
                    name,
                    name_span: path.map(span_of),
                    body: tree.child(call, Kind::TokenTree).map(span_of),
                    ..Head::default()
                }
            }
            _ => {
                let (name, name_span) = name(text, tree, node);
                Head { canon: name.clone(), name, name_span, body: body(), ..Head::default() }
            }
        }
    }

    /// The names of an impl block; its body is not looked at.
    fn of_impl(text: &str, tree: &Tree, node: u32) -> Self {
        let slice = |node: u32| tree.slice(text, node);
        let Some(of) = tree.field(node, Field::Type) else { return Head::default() };
        let name = canon_form(slice(of));
        match tree.field(node, Field::Trait) {
            Some(of_trait) => {
                let before = tree.node(node).start as usize..tree.node(of_trait).start as usize;
                let not = text.get(before).is_some_and(|it| it.trim_end().ends_with('!'));
                let not = if not { "!" } else { "" };
                let of_trait = canon_form(slice(of_trait));
                Head {
                    canon: format!("<{name} as {not}{of_trait}>"),
                    name: format!("{not}{of_trait} for {name}"),
                    ..Head::default()
                }
            }
            None => {
                let bare = match tree.node(of).kind {
                    Kind::GenericType => tree.field(of, Field::Type),
                    Kind::TypeIdentifier | Kind::ScopedTypeIdentifier | Kind::PrimitiveType => {
                        Some(of)
                    }
                    _ => None,
                };
                let scope = bare.map_or_else(|| format!("<{name}>"), |it| canon_form(slice(it)));
                Head { canon: format!("<{name}>"), scope: Some(scope), name, ..Head::default() }
            }
        }
    }
}

/// The macro call that a node is, or that a statement consists of.
pub(crate) fn macro_call(tree: &Tree, node: u32) -> Option<u32> {
    match tree.node(node).kind {
        Kind::MacroInvocation => Some(node),
        _ => tree
            .children(node)
            .find(|&it| tree.node(it).is_named())
            .filter(|&it| tree.node(it).kind == Kind::MacroInvocation),
    }
}

fn name(text: &str, tree: &Tree, node: u32) -> (String, Option<ByteSpan>) {
    match tree.field(node, Field::Name) {
        Some(token) if !tree.node(token).is_missing() => {
            (tree.slice(text, token).to_owned(), Some(tree.node(token).span()))
        }
        _ => (String::new(), None),
    }
}

fn visibility(text: &str, tree: &Tree, node: u32) -> String {
    let first = tree.children(node).next();
    let first = first.filter(|&it| tree.node(it).kind == Kind::VisibilityModifier);
    first.map_or_else(String::new, |it| canon_form(tree.slice(text, it)))
}
