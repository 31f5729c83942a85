//! How much of a broken text a tree has kept: decides which of two readings is better.

use crate::delimiters::is_head_line;
use crate::isolate::first_indent;
use crate::tree::{Kind, Node, Tree, is_item, is_item_list};

/// What a tree has of a text that is broken.
#[derive(Default)]
pub(crate) struct Wholeness {
    /// Items in lists of items, not in bodies: one for each, one more where nothing is wrong in it,
    /// one more where it begins in the column of the first of its list, as people write them; one
    /// less for each run of errors among them.
    pub(crate) items: i32,
    /// Bytes that the parser skipped.
    pub(crate) errors: usize,
    /// Whether an error in a list of items extends over several lines.
    pub(crate) is_torn: bool,
}

impl Wholeness {
    pub(crate) fn of(text: &str, tree: &Tree) -> Self {
        let mut it = Self::default();
        // For each node around: its end, and the list that it is.
        let mut lists = vec![(tree.node(0).after, Some(List::default()))];
        let mut at = 1;
        while at < tree.node(0).after {
            while lists.last().is_some_and(|(end, _)| at >= *end) {
                lists.pop();
            }
            let node = tree.node(at);
            let list = lists.last_mut().and_then(|(_, list)| list.as_mut());
            let in_list = list.is_some();
            if let Some(list) = list {
                it.entry(text, node, list);
            }
            if node.is_error() {
                it.errors += node.span().end - node.span().start;
            }
            let is_list = in_list && holds_items(node.kind);
            if !node.is_error() && (is_list || node.has_error()) {
                lists.push((node.after, is_list.then(List::default)));
                at += 1;
            } else {
                at = node.after;
            }
        }
        it
    }

    /// Counts one entry of a list of items.
    fn entry(&mut self, text: &str, node: Node, list: &mut List) {
        let is_call = node.kind == Kind::MACRO_CALL;
        if is_item(node.kind) || is_call {
            let column = column(text, node.span().start);
            let is_in_column = *list.column.get_or_insert(column) == column;
            self.items += 1 + i32::from(!node.has_error()) + i32::from(is_in_column);
            if is_call {
                self.items += 3 * heads_in_call(node.span().slice(text).unwrap_or(""), column);
            }
        }
        if node.is_error() {
            self.items -= i32::from(!list.is_after_error);
            self.is_torn |= node.span().slice(text).is_some_and(|it| it.contains('\n'));
        }
        list.is_after_error = node.is_error();
    }
}

/// A list of items, as far as it was read.
#[derive(Default)]
struct List {
    /// The column of the first item.
    column: Option<usize>,
    /// Whether the last entry was an error: errors in a row are one.
    is_after_error: bool,
}

/// The column of a byte, in bytes.
fn column(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().rev().take_while(|it| **it != b'\n').count()
}

/// How many items begin in the tokens of a macro call, which begins in a column: at the indentation
/// of their first line.
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

/// Whether the children of a node in a list of items are items too, or lists of them.
fn holds_items(kind: Kind) -> bool {
    is_item_list(kind)
        || matches!(kind, Kind::MODULE | Kind::IMPL | Kind::TRAIT | Kind::EXTERN_BLOCK)
}
