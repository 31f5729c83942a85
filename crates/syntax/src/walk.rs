use std::cell::RefCell;
use std::ops::ControlFlow;

use base::ByteSpan;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// One node of the concrete syntax tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxNode<'a> {
    /// The grammar's name (`function_item`, `let_declaration`, `macro_invocation`), or the token
    /// itself (`fn`, `{`); `ERROR` where the text did not parse.
    pub kind: &'a str,
    /// The role it plays in its parent (`body`, `name`, `condition`), where it has one.
    pub field: Option<&'a str>,
    /// Its bytes.
    pub span: ByteSpan,
    /// 0 for the file.
    pub depth: usize,
    /// Not a mere token.
    pub is_named: bool,
    /// The parser skipped this text.
    pub is_error: bool,
    /// The parser put it there itself to go on; its span is empty.
    pub is_missing: bool,
    /// A comment.
    pub is_extra: bool,
    /// An error lies in it or it is one.
    pub has_error: bool,
}

/// Where a walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descend {
    /// To the node's children.
    Into,
    /// Past them, to the next sibling.
    Over,
    /// Nowhere: the walk ends.
    Stop,
}

/// Visits the syntax tree of `text`, parents before children, in the order of the text. A text
/// that the parser cannot take at all (4 GiB and more) is one `ERROR` node.
pub fn walk(text: &str, visit: &mut dyn FnMut(&SyntaxNode<'_>) -> Descend) {
    let Some(tree) = tree(text) else {
        visit(&SyntaxNode {
            kind: "ERROR",
            field: None,
            span: ByteSpan::new(0, text.len()),
            depth: 0,
            is_named: true,
            is_error: true,
            is_missing: false,
            is_extra: false,
            has_error: true,
        });
        return;
    };
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        let descend = visit(&SyntaxNode {
            kind: node.kind(),
            field: cursor.field_name(),
            span: ByteSpan::new(node.start_byte(), node.end_byte()),
            depth,
            is_named: node.is_named(),
            is_error: node.is_error(),
            is_missing: node.is_missing(),
            is_extra: node.is_extra(),
            has_error: node.has_error(),
        });
        match descend {
            Descend::Stop => return,
            Descend::Into if cursor.goto_first_child() => {
                depth += 1;
                continue;
            }
            Descend::Into | Descend::Over => {}
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}

thread_local! {
    /// A parser keeps what it allocated for the next text.
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// The tree of a text; `None` only where tree-sitter counts no further (its offsets are 32 bits).
pub(crate) fn tree(text: &str) -> Option<Tree> {
    parsed(text, |parser| parser.parse(text, None))
}

/// The tree of a text in which nothing is wrong. `None` where something is: that is told soon after
/// it was met, and the rest is not read.
pub(crate) fn clean_tree(text: &str) -> Option<Tree> {
    let tree = parsed(text, |parser| {
        let bytes = text.as_bytes();
        // Once every way to read the text has met an error there is none without one.
        let mut is_clean = |state: &ParseState| match state.has_error() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let options = ParseOptions::new().progress_callback(&mut is_clean);
        let mut from = |at: usize, _| bytes.get(at..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut from, None, Some(options));
        if tree.is_none() {
            // It would go on from there.
            parser.reset();
        }
        tree
    });
    tree.filter(|tree| !tree.root_node().has_error())
}

fn parsed(text: &str, parse: impl FnOnce(&mut Parser) -> Option<Tree>) -> Option<Tree> {
    if u32::try_from(text.len()).is_err() {
        return None;
    }
    PARSER.with_borrow_mut(|kept| {
        if kept.is_none() {
            let mut parser = Parser::new();
            parser.set_language(&tree_sitter_rust::LANGUAGE.into()).ok()?;
            *kept = Some(parser);
        }
        parse(kept.as_mut()?)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

        #[test]
        fn a_clean_tree_is_the_tree_of_a_text_without_errors(
            parts in prop::collection::vec(prop::sample::select(vec![
                "fn f() { a.b(c); }\n", "struct S;", "fn [<f g>]() {}", "impl T for U {", "}", "let x = ", ";",
                "match a { b => c, d if e => f }", "m! { a $ b }", "\"", "'a", "/*", "( ", "mod m { fn g() {} }\n",
            ]), 0..40),
        ) {
            let text = parts.concat();
            let whole = tree(&text).filter(|tree| !tree.root_node().has_error());
            let clean = clean_tree(&text);
            prop_assert_eq!(
                clean.map(|tree| tree.root_node().to_sexp()),
                whole.map(|tree| tree.root_node().to_sexp())
            );
            // What was given up leaves nothing behind.
            prop_assert!(clean_tree("struct S;").is_some());
        }
    }
}
