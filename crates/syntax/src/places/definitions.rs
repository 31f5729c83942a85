//! Finds the definitions of a text and their parts: name, parameters, fields, types, body.

use base::{ByteSpan, SortedMap};

use super::{
    Definition, DefinitionKind, DefinitionPart, GenericImpl, PartKind, all_nodes, name_of,
};
use crate::head::ImplTypes;
use crate::tree::{Kind, Tree};

/// All definitions of the tree, and its impls with generic parameters. `calls` are the macro calls by the
/// nodes of their input.
pub(super) fn definitions(
    text: &str,
    tree: &Tree,
    calls: &SortedMap<u32, u32>,
) -> (Vec<Definition>, Vec<GenericImpl>) {
    let (open, around) = (Vec::new(), Vec::new());
    let mut reader =
        Reader { text, tree, calls, open, around, found: Vec::new(), impls: Vec::new() };
    for node in all_nodes(tree) {
        reader.visit(node);
    }
    (reader.found, reader.impls)
}

/// What the definitions inside of a node are members of.
#[derive(Clone)]
struct Scope {
    /// The first node outside.
    after: u32,
    owner: String,
    of_trait: Option<String>,
    macro_name: Option<String>,
}

struct Reader<'a> {
    text: &'a str,
    tree: &'a Tree,
    calls: &'a SortedMap<u32, u32>,
    /// The scopes around the current node, the innermost last.
    open: Vec<Scope>,
    /// All scopes so far, by their text.
    around: Vec<(ByteSpan, Scope)>,
    found: Vec<Definition>,
    impls: Vec<GenericImpl>,
}

impl Reader<'_> {
    fn visit(&mut self, node: u32) {
        while self.open.last().is_some_and(|it| it.after <= node) {
            self.open.pop();
        }
        let Some(kind) = self.definition_kind(node) else {
            if self.tree.kind(node) == Kind::MACRO_ITEMS {
                self.enter_call(node);
            } else if self.tree.kind(node) == Kind::IMPL {
                self.enter_impl(node);
            } else if self.tree.kind(node) == Kind::BLOCK_EXPR {
                self.enter(node, String::new());
            }
            return;
        };
        let Some(name_node) = self.tree.child(node, Kind::NAME) else { return };
        let name = name_of(self.text, self.tree, name_node);
        let scope = self.open.last();
        let owner = scope.map_or_else(String::new, |it| it.owner.clone());
        let of_trait = scope.and_then(|it| it.of_trait.clone());
        let macro_name = scope.and_then(|it| it.macro_name.clone());
        let inner = match kind {
            DefinitionKind::Struct | DefinitionKind::Enum | DefinitionKind::Trait => name.clone(),
            DefinitionKind::Variant => format!("{owner}::{name}"),
            _ => String::new(),
        };
        self.found.push(Definition {
            kind,
            name,
            name_span: self.tree.node(name_node).span(),
            owner,
            of_trait,
            macro_name,
            span: self.tree.node(node).span(),
            head: self.head(node, name_node),
            body: self.body(node).map(|it| self.tree.node(it).span()),
            parts: self.parts(node),
        });
        self.enter(node, inner);
    }

    fn definition_kind(&self, node: u32) -> Option<DefinitionKind> {
        Some(match self.tree.kind(node) {
            Kind::FN => DefinitionKind::Function,
            Kind::STRUCT | Kind::UNION => DefinitionKind::Struct,
            Kind::ENUM => DefinitionKind::Enum,
            Kind::TRAIT => DefinitionKind::Trait,
            Kind::TYPE_ALIAS => DefinitionKind::TypeAlias,
            Kind::CONST => DefinitionKind::Const,
            Kind::STATIC => DefinitionKind::Static,
            Kind::MODULE => DefinitionKind::Module,
            Kind::MACRO_RULES | Kind::MACRO_DEF => DefinitionKind::Macro,
            Kind::RECORD_FIELD => DefinitionKind::Field,
            Kind::VARIANT => DefinitionKind::Variant,
            _ => return None,
        })
    }

    fn enter(&mut self, node: u32, owner: String) {
        self.push(node, owner, None);
    }

    fn push(&mut self, node: u32, owner: String, of_trait: Option<String>) {
        let macro_name = self.open.last().and_then(|it| it.macro_name.clone());
        let scope = Scope { after: self.tree.node(node).after, owner, of_trait, macro_name };
        self.around.push((self.tree.node(node).span(), scope.clone()));
        self.open.push(scope);
    }

    /// The items of a macro call, which come after the tree, are where the call is.
    fn enter_call(&mut self, node: u32) {
        let (span, after) = (self.tree.node(node).span(), self.tree.node(node).after);
        let mut around = self.around.iter().rev();
        let around = around.find(|it| it.0.contains(span)).map(|it| it.1.clone());
        let call = self.calls.get(&node).and_then(|it| self.tree.child(*it, Kind::PATH));
        let macro_name = call.map(|it| self.tree.slice(self.text, it).to_owned());
        let (owner, of_trait) = around.map_or_else(Default::default, |it| (it.owner, it.of_trait));
        self.open.push(Scope { after, owner, of_trait, macro_name });
    }

    fn enter_impl(&mut self, node: u32) {
        let types = ImplTypes::of(self.tree, node);
        let name = |it: Option<u32>| it.and_then(|it| self.type_name(it));
        let owner = name(types.self_type).unwrap_or_default();
        let of_trait = name(types.of_trait);
        if let Some(list) = self.tree.child(node, Kind::GENERIC_PARAM_LIST) {
            let span = |it: u32| self.tree.node(it).span();
            let (owner, span, generics) = (owner.clone(), span(node), span(list));
            self.impls.push(GenericImpl { owner, span, generics });
        }
        self.push(node, owner, of_trait);
    }

    /// The last name of a type's path, through references.
    fn type_name(&self, node: u32) -> Option<String> {
        let tree = self.tree;
        if tree.kind(node) != Kind::PATH_TYPE {
            return tree.types(node).next().and_then(|it| self.type_name(it));
        }
        let segment = tree.child(tree.child(node, Kind::PATH)?, Kind::PATH_SEGMENT)?;
        Some(name_of(self.text, tree, tree.child(segment, Kind::NAME_REF)?))
    }

    fn body(&self, node: u32) -> Option<u32> {
        const BODIES: [Kind; 6] = [
            Kind::BLOCK_EXPR,
            Kind::RECORD_FIELD_LIST,
            Kind::VARIANT_LIST,
            Kind::ASSOC_ITEM_LIST,
            Kind::ITEM_LIST,
            Kind::TOKEN_TREE,
        ];
        let tree = self.tree;
        let mut bodies = tree.children(node).filter(|it| BODIES.contains(&tree.kind(*it)));
        // Of a `macro` without arms the parameters come first.
        if tree.kind(node) == Kind::MACRO_DEF { bodies.last() } else { bodies.next() }
    }

    /// From the name to the body, without what separates them.
    fn head(&self, node: u32, name: u32) -> ByteSpan {
        let start = self.tree.node(name).span().start;
        let end = match self.body(node) {
            Some(body) => self.tree.node(body).span().start,
            None => self.tree.node(node).span().end,
        };
        let head = self.text.get(start..end.max(start)).unwrap_or("");
        let kept = head.trim_end_matches(|it: char| it == ';' || it == ',' || it.is_whitespace());
        ByteSpan::new(start, start + kept.len())
    }

    fn parts(&self, node: u32) -> Vec<DefinitionPart> {
        let tree = self.tree;
        let mut parts = Vec::new();
        for child in tree.children(node) {
            match tree.kind(child) {
                Kind::GENERIC_PARAM_LIST => parts.push(self.part(PartKind::Generics, child, None)),
                Kind::PARAM_LIST => parts.extend(self.parameters(child)),
                Kind::TUPLE_FIELD_LIST => parts.extend(self.tuple_fields(child)),
                Kind::RET_TYPE => {
                    let ty = tree.types(child).next();
                    parts.extend(ty.map(|it| self.part(PartKind::Type, it, Some(it))));
                }
                kind if crate::tree::is_type(kind) => {
                    parts.push(self.part(PartKind::Type, child, Some(child)));
                }
                _ => {}
            }
        }
        parts
    }

    fn parameters(&self, list: u32) -> Vec<DefinitionPart> {
        let tree = self.tree;
        let part = |node: u32| match tree.kind(node) {
            Kind::SELF_PARAM => Some(self.part(PartKind::Receiver, node, None)),
            Kind::PARAM => {
                let mut part = self.part(PartKind::Parameter, node, tree.types(node).next());
                let binding = tree.child(node, Kind::IDENT_PAT);
                let name = binding.and_then(|it| tree.child(it, Kind::NAME));
                part.name = name.map_or_else(String::new, |it| name_of(self.text, tree, it));
                Some(part)
            }
            _ => None,
        };
        tree.children(list).filter_map(part).collect()
    }

    fn tuple_fields(&self, list: u32) -> Vec<DefinitionPart> {
        let tree = self.tree;
        let fields = tree.children(list).filter(|it| tree.kind(*it) == Kind::TUPLE_FIELD);
        fields.map(|it| self.part(PartKind::Parameter, it, tree.types(it).next())).collect()
    }

    fn part(&self, kind: PartKind, node: u32, ty: Option<u32>) -> DefinitionPart {
        let span = |it: u32| self.tree.node(it).span();
        DefinitionPart { kind, name: String::new(), span: span(node), ty: ty.map(span) }
    }
}
