use std::cell::RefCell;

use base::ByteSpan;
use tree_sitter::{Parser, Tree};

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
    if u32::try_from(text.len()).is_err() {
        return None;
    }
    PARSER.with_borrow_mut(|kept| {
        if kept.is_none() {
            let mut parser = Parser::new();
            parser.set_language(&tree_sitter_rust::LANGUAGE.into()).ok()?;
            *kept = Some(parser);
        }
        kept.as_mut()?.parse(text, None)
    })
}
