//! Where a text breaks the grammar, as the parser reports it.

use base::ByteSpan;

use crate::tree::Tree;

/// The places where a text breaks the grammar, in order: what the parser skipped, or an empty span
/// where something is missing. Without error recovery, so that two texts can be compared by it; the
/// tokens of macro calls are not parsed. A text that is too long for the parser is one error.
///
/// ```
/// assert!(graftage_syntax::grammar_errors("fn f() { g(1, 2); }").is_empty());
/// assert_eq!(graftage_syntax::grammar_errors("fn f() { g(1 2); }").len(), 1);
/// ```
pub fn grammar_errors(text: &str) -> Vec<ByteSpan> {
    let Some(tree) = Tree::of(text) else { return vec![ByteSpan::new(0, text.len())] };
    let mut errors = tree.tokens.open_comments.clone();
    let mut at = 1;
    while at < tree.node(0).after {
        let node = tree.node(at);
        if node.is_error() {
            errors.push(node.span());
        }
        at = if node.has_error() && !node.is_error() { at + 1 } else { node.after };
    }
    errors
}
