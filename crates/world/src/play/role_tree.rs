//! Compares role trees, and writes one as a story has it.

use crate::browser::shortened;
use crate::story::{RoleTree, RoleTreeNode};

/// The first line of `expected` that has no counterpart in `there`; `None` where all have one.
///
/// As Playwright has it: the nodes are expected anywhere in the tree, beside each other in their order.
pub(super) fn missing(expected: &RoleTree, there: &RoleTree) -> Option<String> {
    let mut best = (0, there.nodes.as_slice());
    if anywhere(&expected.nodes, &there.nodes, &mut best) {
        return None;
    }
    first_missing(&expected.nodes, best.1).map(|node| {
        let mut text = String::new();
        line(node, 0, &mut text);
        text
    })
}

/// Whether the nodes are in one list of the tree, in their order. `best`: the list in which most of them are, or one
/// of them but for what is below it.
fn anywhere<'t>(
    expected: &[RoleTreeNode],
    there: &'t [RoleTreeNode],
    best: &mut (usize, &'t [RoleTreeNode]),
) -> bool {
    let mut rest = expected.iter().peekable();
    for node in there {
        rest.next_if(|it| matches(it, node));
    }
    let left = rest.len();
    let next = rest.next();
    let is_partial = next.is_some_and(|it| there.iter().any(|node| matches_alone(it, node)));
    let found = 2 * (expected.len() - left) + usize::from(is_partial);
    if found > best.0 {
        *best = (found, there);
    }
    left == 0 || there.iter().any(|it| anywhere(expected, &it.below, best))
}

/// The first node without a counterpart: of those below a node that has one, the deepest.
fn first_missing<'e>(
    expected: &'e [RoleTreeNode],
    there: &[RoleTreeNode],
) -> Option<&'e RoleTreeNode> {
    let mut rest = expected.iter().peekable();
    for node in there {
        rest.next_if(|it| matches(it, node));
    }
    let first = rest.next()?;
    let partial = there.iter().find(|node| matches_alone(first, node));
    partial.and_then(|node| first_missing(&first.below, &node.below)).or(Some(first))
}

fn matches(expected: &RoleTreeNode, node: &RoleTreeNode) -> bool {
    let mut below = expected.below.iter().peekable();
    if !matches_alone(expected, node) {
        return false;
    }
    for node in &node.below {
        below.next_if(|it| matches(it, node));
    }
    below.next().is_none() || leaf_text(expected, node)
}

/// Whether a node is the expected one, whatever is below it.
fn matches_alone(expected: &RoleTreeNode, node: &RoleTreeNode) -> bool {
    let has_role = expected.role == node.role || expected.role == "image" && node.role == "img";
    let has_states = expected
        .states
        .iter()
        .all(|state| node.states.iter().any(|it| it.name == state.name && it.value == state.value));
    let has_text = match &expected.text {
        None => true,
        Some(text) => node.text.as_ref() == Some(text) || only_text(node).as_ref() == Some(text),
    };
    let has_name = expected.name.is_none() || expected.name == node.name;
    has_role && has_states && has_text && has_name
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
