//! Finds the statements, arms and fields with their own `#[cfg(…)]`. Items have theirs in
//! [`crate::Item`].

use base::ByteSpan;

use crate::attribute::cfg_predicate;
use crate::tree::{Kind, Tree, is_item};

/// A part of a text, no item, with a `#[cfg(…)]` of its own: a statement, an arm, a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CfgGate {
    /// From the attribute on.
    pub span: ByteSpan,
    /// The predicate, in the spelling that items have.
    pub predicate: String,
}

/// The parts of a text below its items that have a `cfg`, in their order; those of items are
/// theirs.
pub fn gates(text: &str) -> Vec<CfgGate> {
    let mut gates = Vec::new();
    if !text.contains("cfg") {
        return gates;
    }
    let Some(tree) = Tree::of(text) else { return gates };
    let mut at = 0;
    // The statement around an expression: the attribute at its beginning is the statement's.
    let mut statement = tree.node(0);
    while at < tree.node(0).after {
        let node = tree.node(at);
        if node.kind == Kind::EXPR_STMT {
            statement = node;
        }
        if node.has_item() && !is_item(node.kind) {
            let span = if statement.start == node.start { statement.span() } else { node.span() };
            gates.extend(gate(text, &tree, at, span));
        }
        at = if node.has_item() { at + 1 } else { node.after };
    }
    gates
}

/// The gate that the attributes of a node are.
fn gate(text: &str, tree: &Tree, node: u32, span: ByteSpan) -> Option<CfgGate> {
    let attributes = tree.children(node).take_while(|it| tree.kind(*it) == Kind::ATTR);
    let attributes: Vec<String> = attributes.map(|it| tree.slice(text, it).to_owned()).collect();
    Some(CfgGate { span, predicate: cfg_predicate(&attributes)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_arms_fields_and_arguments_are_gated_items_are_not() {
        let text = "\
#[cfg(a)]
fn f(#[cfg(b)] x: u8, y: u8) {
    #[cfg(c)]
    // why
    #[allow(x)]
    g();
    h();
    #[cfg(all(d,not(e)))]
    let z = S { #[cfg(f)] one: o(), two: t() };
    match z {
        #[cfg(g)]
        S { .. } => k(),
        _ => l([#[cfg(h)] m(), n()]),
    }
    #[cfg(i)]
    fn inner() {}
    #[cfg(j)]
    {
        block();
    }
    #[cfg(k)]
    mac!(1);
    #[cfg(l)]
    last()
}
";
        let shown: Vec<String> = gates(text)
            .into_iter()
            .map(|gate| {
                let code = gate.span.slice(text).unwrap_or_default();
                let last = code.rsplit(']').next().unwrap_or_default();
                let words: Vec<&str> = last.split_whitespace().collect();
                format!("{}: {}", gate.predicate, words.join(" "))
            })
            .collect();
        let want = [
            "b: x: u8",
            "c: g();",
            "all(d, not(e)): one: o(), two: t() };",
            "f: one: o()",
            "g: S { .. } => k(),",
            "h: m()",
            "j: { block(); }",
            "k: mac!(1);",
            "l: last()",
        ];
        assert_eq!(shown, want);
    }

    #[test]
    fn any_text_is_taken() {
        for text in ["", "#[cfg(a)]", "fn f() { #[cfg(", "{ #[cfg(a)] }", "#[cfg(a)] #[cfg(b)] x"] {
            gates(text);
        }
        gates(&"{ #[cfg(a)] ".repeat(5_000));
    }
}
