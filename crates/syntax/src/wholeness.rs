//! How much of a broken text a tree has kept: what tells the better of two readings.

use tree_sitter::Tree;

use crate::delimiters::is_head_line;
use crate::isolate::first_indent;

/// What a tree has of a text that is broken.
#[derive(Default)]
pub(crate) struct Wholeness {
    /// Items in lists of items, not in bodies: one for each, one more where nothing is wrong in it,
    /// one more where it begins in the column of the first of its list, as people write them; one
    /// less for each place among them that is none.
    pub(crate) items: i32,
    /// Bytes that the parser skipped.
    pub(crate) errors: usize,
    /// What is no item goes over lines in a list of items.
    pub(crate) is_torn: bool,
}

impl Wholeness {
    pub(crate) fn of(text: &str, tree: &Tree) -> Self {
        let mut it = Self::default();
        let mut cursor = tree.walk();
        // For each node around: the column of the items in it, where it is a list of them.
        let mut lists = vec![Some(None)];
        loop {
            let node = cursor.node();
            let is_whole = !node.has_error();
            let column = node.start_position().column;
            let list = lists.last_mut().and_then(Option::as_mut);
            let in_list = list.is_some();
            if let Some(first) = list
                && is_item(node.kind())
            {
                let is_in_column = *first.get_or_insert(column) == column;
                it.items += 1 + i32::from(is_whole) + i32::from(is_in_column);
            }
            if in_list && node.kind() == "macro_invocation" {
                it.items += 3 * heads_in_call(text.get(node.byte_range()).unwrap_or(""), column);
            }
            if node.is_error() {
                it.errors += node.end_byte() - node.start_byte();
                it.items -= i32::from(in_list);
                it.is_torn |= in_list && node.start_position().row < node.end_position().row;
            }
            let holds_items = in_list && holds_items(node.kind());
            let is_open = !node.is_error() && (holds_items || !is_whole);
            if is_open && cursor.goto_first_child() {
                lists.push(holds_items.then_some(None));
                continue;
            }
            while !cursor.goto_next_sibling() {
                lists.pop();
                if !cursor.goto_parent() {
                    return it;
                }
            }
        }
    }
}

/// How many items begin in the tokens of a macro call, which stands in a column: at the indentation
/// of the first line of them.
fn heads_in_call(call: &str, column: usize) -> i32 {
    let inner = call.split_once('\n').map_or("", |(_, inner)| inner);
    let Some(indent) = first_indent(inner).filter(|indent| *indent > column) else {
        return 0;
    };
    let is_head = |line: &&str| {
        let code = line.trim_start();
        line.len() - code.len() == indent && is_head_line(code) && !code.starts_with(['#', '/'])
    };
    i32::try_from(inner.lines().filter(is_head).count()).unwrap_or(i32::MAX / 4)
}

fn is_item(kind: &str) -> bool {
    matches!(
        kind,
        "function_item"
            | "function_signature_item"
            | "struct_item"
            | "enum_item"
            | "union_item"
            | "impl_item"
            | "trait_item"
            | "mod_item"
            | "use_declaration"
            | "extern_crate_declaration"
            | "foreign_mod_item"
            | "const_item"
            | "static_item"
            | "type_item"
            | "associated_type"
            | "macro_definition"
            | "macro_invocation"
    )
}

/// Whether items stand in a node as such.
fn holds_items(kind: &str) -> bool {
    matches!(
        kind,
        "source_file"
            | "declaration_list"
            | "mod_item"
            | "impl_item"
            | "trait_item"
            | "foreign_mod_item"
            | "expression_statement"
    )
}
