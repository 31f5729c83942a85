use base::ByteSpan;
use tree_sitter::Node;

use crate::NodeKind;
use crate::canon::canon_form;

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
    pub(crate) fn of(text: &str, node: Node<'_>, kind: NodeKind) -> Self {
        // Of an item that did not parse, the name is all there is.
        if matches!(node.kind(), "identifier" | "type_identifier") {
            let name = slice(text, node).to_owned();
            let name_span = Some(span_of(node));
            return Self { canon: name.clone(), name, name_span, ..Self::default() };
        }
        Self { visibility: visibility(text, node), ..Self::of_kind(text, node, kind) }
    }

    fn of_kind(text: &str, node: Node<'_>, kind: NodeKind) -> Self {
        let field = |name: &str| node.child_by_field_name(name);
        let body = ["body", "value"].into_iter().find_map(field).map(span_of);
        match kind {
            NodeKind::Impl => Head { body, ..Head::of_impl(text, node) },
            NodeKind::Import => {
                if let Some(argument) = field("argument") {
                    let name = canon_form(slice(text, argument));
                    return Head { canon: format!("use {name}"), name, ..Head::default() };
                }
                let token = field("alias").or_else(|| field("name"));
                let name = token.map_or_else(String::new, |it| slice(text, it).to_owned());
                let of = field("name").map_or_else(String::new, |it| slice(text, it).to_owned());
                Head {
                    canon: format!("extern crate {of}"),
                    name,
                    name_span: token.map(span_of),
                    ..Head::default()
                }
            }
            NodeKind::Macro if node.kind() == "macro_definition" => {
                let name = name(text, node);
                let open = (0..node.child_count())
                    .filter_map(|i| node.child(i))
                    .find(|it| matches!(it.kind(), "(" | "[" | "{"));
                Head {
                    canon: format!("{}!", name.0),
                    name: name.0,
                    name_span: name.1,
                    body: open.map(|it| ByteSpan::new(it.start_byte(), node.end_byte())),
                    ..Head::default()
                }
            }
            NodeKind::Macro => {
                let call = match node.kind() {
                    "macro_invocation" => node,
                    _ => node.named_child(0).unwrap_or(node),
                };
                let path = call.child_by_field_name("macro");
                let name = path.map_or_else(String::new, |it| canon_form(slice(text, it)));
                let tokens = (0..call.child_count())
                    .filter_map(|i| call.child(i))
                    .find(|it| it.kind() == "token_tree");
                Head {
                    canon: format!("{name}!()"),
                    name,
                    name_span: path.map(span_of),
                    body: tokens.map(span_of),
                    ..Head::default()
                }
            }
            _ => {
                let (name, name_span) = name(text, node);
                Head { canon: name.clone(), name, name_span, body, ..Head::default() }
            }
        }
    }

    /// The names of an impl block; its body is not looked at.
    fn of_impl(text: &str, node: Node<'_>) -> Self {
        let Some(of) = node.child_by_field_name("type") else { return Head::default() };
        let name = canon_form(slice(text, of));
        match node.child_by_field_name("trait") {
            Some(of_trait) => {
                let before = text.get(node.start_byte()..of_trait.start_byte());
                let not = before.is_some_and(|it| it.trim_end().ends_with('!'));
                let not = if not { "!" } else { "" };
                let of_trait = canon_form(slice(text, of_trait));
                Head {
                    canon: format!("<{name} as {not}{of_trait}>"),
                    name: format!("{not}{of_trait} for {name}"),
                    ..Head::default()
                }
            }
            None => {
                let bare = match of.kind() {
                    "generic_type" => of.child_by_field_name("type"),
                    "type_identifier" | "scoped_type_identifier" | "primitive_type" => Some(of),
                    _ => None,
                };
                let scope =
                    bare.map_or_else(|| format!("<{name}>"), |it| canon_form(slice(text, it)));
                Head { canon: format!("<{name}>"), scope: Some(scope), name, ..Head::default() }
            }
        }
    }
}

/// The bytes of a node.
pub(crate) fn span_of(node: Node<'_>) -> ByteSpan {
    ByteSpan::new(node.start_byte(), node.end_byte())
}

fn slice<'t>(text: &'t str, node: Node<'_>) -> &'t str {
    text.get(node.byte_range()).unwrap_or("")
}

fn name(text: &str, node: Node<'_>) -> (String, Option<ByteSpan>) {
    match node.child_by_field_name("name") {
        Some(token) if !token.is_missing() => (slice(text, token).to_owned(), Some(span_of(token))),
        _ => (String::new(), None),
    }
}

fn visibility(text: &str, node: Node<'_>) -> String {
    let first = node.child(0).filter(|it| it.kind() == "visibility_modifier");
    first.map_or_else(String::new, |it| canon_form(slice(text, it)))
}
