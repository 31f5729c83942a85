//! Compares role trees, and writes one as a story has it.

use crate::browser::shortened;
use crate::story::{RoleTree, RoleTreeNode};

/// The first line of `expected` that has no counterpart in `there`; `None` where all have one.
///
/// As Playwright has it: the nodes are expected anywhere in the tree, beside each other in their order.
pub(super) fn missing(expected: &RoleTree, there: &RoleTree) -> Option<String> {
    let mut best = 0;
    if anywhere(&expected.nodes, &there.nodes, &mut best) {
        return None;
    }
    let first = expected.nodes.get(best).or(expected.nodes.first());
    first.map(deepest_line)
}

/// Whether the nodes are in one list of the tree, in their order. `best`: most nodes that were found in one.
fn anywhere(expected: &[RoleTreeNode], there: &[RoleTreeNode], best: &mut usize) -> bool {
    let mut rest = expected.iter().peekable();
    for node in there {
        rest.next_if(|it| matches(it, node));
    }
    let left = rest.count();
    *best = (*best).max(expected.len() - left);
    left == 0 || there.iter().any(|it| anywhere(expected, &it.below, best))
}

fn matches(expected: &RoleTreeNode, node: &RoleTreeNode) -> bool {
    let has_role = expected.role == node.role || expected.role == "img" && node.role == "image";
    let has_states = expected
        .states
        .iter()
        .all(|state| node.states.iter().any(|it| it.name == state.name && it.value == state.value));
    let has_text = match &expected.text {
        None => true,
        Some(text) => node.text.as_ref() == Some(text) || only_text(node).as_ref() == Some(text),
    };
    let has_name = expected.name.is_none() || expected.name == node.name;
    let mut below = expected.below.iter().peekable();
    if has_role && has_states && has_text && has_name {
        for node in &node.below {
            below.next_if(|it| matches(it, node));
        }
        return below.next().is_none() || leaf_text(expected, node);
    }
    false
}

/// Whether the only expected child is the text that its node has.
fn leaf_text(expected: &RoleTreeNode, node: &RoleTreeNode) -> bool {
    match expected.below.as_slice() {
        [only] => only.role == "text" && only.text.is_some() && only.text == node.text,
        _ => false,
    }
}

/// The name of a node without text of its own: `- button: Save` is the same as `- button "Save"`.
fn only_text(node: &RoleTreeNode) -> Option<String> {
    node.name.clone().filter(|_| node.text.is_none() && node.below.is_empty())
}

fn deepest_line(node: &RoleTreeNode) -> String {
    let mut text = String::new();
    line(node, 0, &mut text);
    text
}

/// The lines of a tree, at most so many.
pub(super) fn lines(tree: &RoleTree, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest: Vec<(usize, &RoleTreeNode)> = tree.nodes.iter().rev().map(|it| (0, it)).collect();
    while let Some((depth, node)) = rest.pop() {
        if lines.len() == most {
            lines.push("…".to_owned());
            break;
        }
        let mut text = String::new();
        line(node, depth, &mut text);
        lines.push(text);
        rest.extend(node.below.iter().rev().map(|it| (depth + 1, it)));
    }
    lines
}

fn line(node: &RoleTreeNode, depth: usize, out: &mut String) {
    out.push_str(&"  ".repeat(depth));
    out.push_str("- ");
    out.push_str(&node.role);
    if let Some(name) = &node.name {
        out.push_str(&format!(" {:?}", shortened(name)));
    }
    for state in &node.states {
        match state.value.as_str() {
            "true" => out.push_str(&format!(" [{}]", state.name)),
            value => out.push_str(&format!(" [{}={value}]", state.name)),
        }
    }
    match &node.text {
        Some(text) => out.push_str(&format!(": {}", shortened(text))),
        None if !node.below.is_empty() => out.push(':'),
        None => {}
    }
}
