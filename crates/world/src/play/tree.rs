//! [`PageTree`]: the accessibility tree of a page with all of its frames, as the browser computes it.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::WorldError;
use crate::browser::{Page, Unanswered};
use crate::story::{RoleState, RoleTree, RoleTreeNode, normal};

/// Most nodes of a page.
const MOST_NODES: usize = 100_000;
/// Most depth of a page.
const DEEPEST: usize = 1_000;

/// One node.
#[derive(Clone, Debug, Default)]
pub(super) struct PageNode {
    pub(super) role: String,
    pub(super) name: String,
    pub(super) value: String,
    /// Whether it is left out of what a person perceives; what is below it may be perceived.
    pub(super) is_ignored: bool,
    /// Its element for the browser, within its process.
    pub(super) element: i64,
    /// Its frame, by index.
    pub(super) frame: usize,
    pub(super) parent: Option<usize>,
    pub(super) below: Vec<usize>,
    pub(super) states: Vec<RoleState>,
}

/// The tree of a page.
#[derive(Debug, Default)]
pub(super) struct PageTree {
    pub(super) nodes: Vec<PageNode>,
    pub(super) frames: Vec<String>,
}

impl PageTree {
    pub(super) fn read(page: &mut Page) -> Result<Self, Unanswered> {
        let mut tree = Self { nodes: Vec::new(), frames: page.frames()? };
        for idx in 0..tree.frames.len() {
            let frame = tree.frames[idx].clone();
            let answer = page.call("Accessibility.getFullAXTree", json!({ "frameId": frame }))?;
            let root = tree.add(idx, &answer)?;
            if idx > 0 {
                let owner = page.call("DOM.getFrameOwner", json!({ "frameId": frame }))?;
                let owner = owner["backendNodeId"].as_i64().unwrap_or(-1);
                // Without its element in the tree, the frame is hidden with what is in it.
                let owner = tree.nodes.iter().position(|it| it.element == owner && it.frame != idx);
                if let (Some(root), Some(owner)) = (root, owner) {
                    tree.nodes[root].parent = Some(owner);
                    tree.nodes[owner].below.push(root);
                }
            }
        }
        tree.name_rows();
        Ok(tree)
    }

    /// Names rows by what is in them, as WAI-ARIA has it and the browser does not.
    fn name_rows(&mut self) {
        for idx in 0..self.nodes.len() {
            let node = &self.nodes[idx];
            if node.role == "row" && node.name.is_empty() && !node.is_ignored {
                self.nodes[idx].name = self.text(idx);
            }
        }
    }

    /// Adds the nodes of a frame; returns its root.
    fn add(&mut self, frame: usize, answer: &Value) -> Result<Option<usize>, Unanswered> {
        let first = self.nodes.len();
        let raw = answer["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
        if first + raw.len() > MOST_NODES {
            return Err(WorldError::TooMuch { what: "elements", most: MOST_NODES }.into());
        }
        let ids: HashMap<&str, usize> = raw
            .iter()
            .enumerate()
            .filter_map(|(idx, it)| Some((it["nodeId"].as_str()?, first + idx)))
            .collect();
        for it in raw {
            self.nodes.push(node(it, frame));
        }
        let mut root = None;
        for (idx, it) in raw.iter().enumerate() {
            let own = first + idx;
            for child in it["childIds"].as_array().into_iter().flatten() {
                let child = child.as_str().and_then(|it| ids.get(it)).copied();
                // Each node has one parent, so that no walk is endless.
                if let Some(child) =
                    child.filter(|it| self.nodes[*it].parent.is_none() && *it != first)
                {
                    self.nodes[child].parent = Some(own);
                    self.nodes[own].below.push(child);
                }
            }
            if root.is_none() && it["parentId"].is_null() {
                root = Some(own);
            }
        }
        Ok(root)
    }

    /// Nodes in the order of the page, each with its depth, from `top` or from the root.
    pub(super) fn walk(&self, top: Option<usize>) -> Vec<usize> {
        let mut order = Vec::new();
        let Some(first) = top.or(if self.nodes.is_empty() { None } else { Some(0) }) else {
            return order;
        };
        let mut rest = vec![(first, 0)];
        while let Some((idx, depth)) = rest.pop() {
            order.push(idx);
            if depth < DEEPEST && order.len() <= self.nodes.len() {
                rest.extend(self.nodes[idx].below.iter().rev().map(|it| (*it, depth + 1)));
            }
        }
        order
    }

    /// Whether a node is in another one, or is it.
    pub(super) fn is_in(&self, node: usize, outer: usize) -> bool {
        let mut at = Some(node);
        for _ in 0..=self.nodes.len() {
            match at {
                Some(idx) if idx == outer => return true,
                Some(idx) => at = self.nodes[idx].parent,
                None => return false,
            }
        }
        false
    }

    /// The text of a node and all below it.
    pub(super) fn text(&self, top: usize) -> String {
        let mut text = String::new();
        for idx in self.walk(Some(top)) {
            let node = &self.nodes[idx];
            match node.role.as_str() {
                // The marker of a list has a text of its own below it.
                "StaticText" if !self.is_marker(idx) => text.push_str(&node.name),
                "LineBreak" => text.push('\n'),
                role if !node.is_ignored && is_block(role) => text.push(' '),
                _ => {}
            }
        }
        normal(&text)
    }

    fn is_marker(&self, idx: usize) -> bool {
        self.nodes[idx].parent.is_some_and(|it| self.nodes[it].role == "ListMarker")
    }

    /// The part of the tree that a person perceives, below a node.
    pub(super) fn perceived(&self, top: usize) -> RoleTree {
        let own = &self.nodes[top];
        let is_page = own.role == "RootWebArea" || own.is_ignored;
        let nodes = match is_page {
            true => self.perceived_below(top, 0),
            false => vec![self.perceived_node(top, 0)],
        };
        RoleTree { nodes }
    }

    fn perceived_below(&self, top: usize, depth: usize) -> Vec<RoleTreeNode> {
        let mut nodes: Vec<RoleTreeNode> = Vec::new();
        if depth > 200 {
            return nodes;
        }
        for idx in &self.nodes[top].below {
            let node = &self.nodes[*idx];
            let is_passed_over = node.is_ignored
                || matches!(
                    node.role.as_str(),
                    "none"
                        | "generic"
                        | "RootWebArea"
                        | "LabelText"
                        | "Section"
                        | "rowgroup"
                        | "MenuListPopup"
                        | "Legend"
                );
            match node.role.as_str() {
                "InlineTextBox" | "LineBreak" | "ListMarker" => {}
                "StaticText" => {
                    let text = normal(&node.name);
                    match nodes.last_mut() {
                        Some(RoleTreeNode { role, text: Some(last), .. }) if role == "text" => {
                            last.push(' ');
                            last.push_str(&text);
                        }
                        _ if text.is_empty() => {}
                        _ => nodes.push(RoleTreeNode {
                            role: "text".to_owned(),
                            name: None,
                            states: Vec::new(),
                            text: Some(text),
                            below: Vec::new(),
                        }),
                    }
                }
                _ if is_passed_over => nodes.extend(self.perceived_below(*idx, depth + 1)),
                _ => nodes.push(self.perceived_node(*idx, depth + 1)),
            }
        }
        nodes
    }

    fn perceived_node(&self, idx: usize, depth: usize) -> RoleTreeNode {
        let node = &self.nodes[idx];
        let mut below = self.perceived_below(idx, depth);
        let name = normal(&node.name);
        let mut text = Some(normal(&node.value)).filter(|it| !it.is_empty());
        // Text that is the name, or all that is in the node, is no node of its own.
        if let [RoleTreeNode { role, text: Some(only), .. }] = below.as_slice()
            && role == "text"
        {
            if *only != name && text.is_none() {
                text = Some(only.clone());
            }
            below.clear();
        }
        RoleTreeNode {
            role: node.role.clone(),
            name: Some(name).filter(|it| !it.is_empty()),
            states: node.states.clone(),
            text,
            below,
        }
    }
}

/// Roles whose text is apart from what is before it.
fn is_block(role: &str) -> bool {
    !matches!(
        role,
        "strong"
            | "emphasis"
            | "code"
            | "link"
            | "generic"
            | "subscript"
            | "superscript"
            | "mark"
            | "InlineTextBox"
            | "time"
            | "deletion"
            | "insertion"
            | "button"
    )
}

fn node(raw: &Value, frame: usize) -> PageNode {
    let text = |key: &str| match &raw[key]["value"] {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value => value.to_string(),
    };
    let mut states = Vec::new();
    for property in raw["properties"].as_array().into_iter().flatten() {
        let name = property["name"].as_str().unwrap_or_default();
        let value = match &property["value"]["value"] {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let is_kept = match name {
            "checked" | "disabled" | "expanded" | "pressed" | "selected" => value != "false",
            "level" => matches!(raw["role"]["value"].as_str(), Some("heading" | "treeitem")),
            _ => false,
        };
        if is_kept {
            states.push(RoleState { name: name.to_owned(), value });
        }
    }
    let (mut role, name) = (text("role"), text("name"));
    // As WAI-ARIA has it: a form is a landmark only with a name.
    let of_aria = match role.as_str() {
        "Iframe" => Some("iframe"),
        "image" => Some("img"),
        "form" if name.is_empty() => Some("generic"),
        _ => None,
    };
    if let Some(of_aria) = of_aria {
        role = of_aria.to_owned();
    }
    PageNode {
        role,
        name,
        value: text("value"),
        is_ignored: raw["ignored"] == true,
        element: raw["backendDOMNodeId"].as_i64().unwrap_or_default(),
        frame,
        parent: None,
        below: Vec::new(),
        states,
    }
}
