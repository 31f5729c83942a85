//! From nodes behind their children to nodes before them.

use super::Post;
use crate::tree::{Node, Tree};

/// Adds a tree to the nodes of a text; its root is the first of the new ones.
pub(super) fn arrange(posts: &[Post], tree: &mut Tree) {
    let base = tree.nodes.len() as u32;
    let total = posts.len() as u32;
    let empty = tree.node(u32::MAX);
    tree.nodes.resize(posts.len() + base as usize, empty);
    // Of each node around: the number of its first descendant, and where its next child, from the
    // last to the first, ends.
    let mut open: Vec<(u32, u32)> = vec![(0, base + total)];
    for (number, post) in (0..total).zip(posts).rev() {
        while open.len() > 1 && open.last().is_some_and(|it| number < it.0) {
            open.pop();
        }
        let Some(around) = open.last_mut() else { return };
        let place = around.1.saturating_sub(post.size);
        around.1 = place;
        if let Some(node) = tree.nodes.get_mut(place as usize) {
            let Post { start, end, size, kind, field, is_named, has_item } = *post;
            *node = Node::new(start, end, place + size, (kind, field), is_named, has_item);
        }
        if post.size > 1 {
            open.push((number + 1 - post.size, place + post.size));
        }
    }
}
