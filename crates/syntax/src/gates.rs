use base::ByteSpan;

use crate::attribute::cfg_predicate;
use crate::walk::{Descend, SyntaxNode, walk};

/// A part of a text, no item, with a `#[cfg(…)]` of its own: a statement, an arm, a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// From the attribute on.
    pub span: ByteSpan,
    /// The predicate, in the spelling that items have.
    pub predicate: String,
}

/// What is gated below the items of a text, in its order; items say by themselves what they stand
/// behind.
pub fn gates(text: &str) -> Vec<Gate> {
    let mut gates = Vec::new();
    if !text.contains("cfg") {
        return gates;
    }
    // By depth, the node that the walk is in.
    let mut around: Vec<Around> = Vec::new();
    walk(text, &mut |node| {
        around.truncate(node.depth);
        if let Some(holder) = around.last_mut() {
            holder.child(node, text, &mut gates);
        }
        around.push(Around {
            is_part_of_it: holds_its_own(node.kind),
            span: node.span,
            open: None,
        });
        Descend::Into
    });
    gates
}

/// A node whose children are being visited.
struct Around {
    /// An attribute among its children is its own, not the next one's.
    is_part_of_it: bool,
    span: ByteSpan,
    /// Where attributes without what they belong to began, and which.
    open: Option<(usize, Vec<String>)>,
}

impl Around {
    fn child(&mut self, node: &SyntaxNode<'_>, text: &str, gates: &mut Vec<Gate>) {
        if node.kind == "attribute_item" {
            let written = node.span.slice(text).unwrap_or_default().to_owned();
            if self.is_part_of_it {
                let predicate = cfg_predicate(&[written]);
                gates.extend(predicate.map(|predicate| Gate { span: self.span, predicate }));
            } else {
                self.open.get_or_insert((node.span.start, Vec::new())).1.push(written);
            }
            return;
        }
        if node.is_extra || !node.is_named {
            return;
        }
        let Some((start, written)) = self.open.take() else { return };
        if let Some(predicate) = cfg_predicate(&written).filter(|_| !is_item(node.kind)) {
            gates.push(Gate { span: ByteSpan::new(start, node.span.end), predicate });
        }
    }
}

fn holds_its_own(kind: &str) -> bool {
    matches!(
        kind,
        "match_arm"
            | "last_match_arm"
            | "field_initializer"
            | "shorthand_field_initializer"
            | "base_field_initializer"
            | "field_pattern"
            | "parameter"
    )
}

fn is_item(kind: &str) -> bool {
    kind.ends_with("_item") || kind == "macro_definition" || kind == "use_declaration"
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
