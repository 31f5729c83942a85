//! Finds the elements that a [`Locator`] means, and describes what is there instead.

use serde_json::{Value, json};

use super::tree::{PageNode, PageTree};
use crate::browser::{Page, Unanswered, shortened};
use crate::story::{By, Locator, normal};

/// Most elements that match.
const MOST_MATCHES: usize = 1_000;
/// Most elements that are named in place of one that is missing.
const MOST_NEAREST: usize = 5;

/// Roles of fields of forms, which labels name.
const FIELDS: &[&str] = &[
    "textbox",
    "searchbox",
    "combobox",
    "listbox",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
    "Date",
    "DateTime",
    "InputTime",
    "ColorWell",
    "button",
];

/// An element of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    /// Its frame, by index.
    pub(super) frame: usize,
    /// Its number for the browser.
    pub(super) number: i64,
}

/// The result of a search.
pub(super) struct Matches {
    pub(super) elements: Vec<Element>,
    pub(super) tree: PageTree,
}

/// Why a locator does not lead to one element.
#[derive(Debug)]
pub(super) enum NotOne {
    /// There is none, or there are several: what is there.
    Elements { reason: String, there: Vec<String> },
    /// The page does not answer.
    Unanswered(Unanswered),
}

impl From<Unanswered> for NotOne {
    fn from(unanswered: Unanswered) -> Self {
        Self::Unanswered(unanswered)
    }
}

/// All elements that match.
pub(super) fn all(page: &mut Page, locator: &Locator) -> Result<Matches, NotOne> {
    let tree = PageTree::read(page)?;
    let elements = in_tree(page, &tree, locator)?;
    Ok(Matches { elements, tree })
}

/// The only element that matches.
pub(super) fn one(page: &mut Page, locator: &Locator) -> Result<Element, NotOne> {
    one_and_tree(page, locator).map(|(element, _)| element)
}

/// The only element that matches, and the tree in which it is.
pub(super) fn one_and_tree(
    page: &mut Page,
    locator: &Locator,
) -> Result<(Element, PageTree), NotOne> {
    let Matches { elements, tree } = all(page, locator)?;
    Ok((only(&elements, &tree, locator)?, tree))
}

fn only(elements: &[Element], tree: &PageTree, locator: &Locator) -> Result<Element, NotOne> {
    match elements {
        [element] => Ok(*element),
        [] => {
            Err(NotOne::Elements { reason: format!("no {locator}"), there: nearest(tree, locator) })
        }
        several => Err(NotOne::Elements {
            reason: format!("{} elements are {locator}; add `nth` or `within`", several.len()),
            there: several.iter().take(MOST_NEAREST).map(|it| described(tree, *it)).collect(),
        }),
    }
}

fn in_tree(page: &mut Page, tree: &PageTree, locator: &Locator) -> Result<Vec<Element>, NotOne> {
    let outer = match &locator.within {
        Some(within) => {
            let elements = in_tree(page, tree, within)?;
            Some(only(&elements, tree, within)?)
        }
        None => None,
    };
    let found = match &locator.by {
        By::Css(css) => by_css(page, tree, css, outer)?,
        By::TestId(id) => {
            let id = id.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\a ");
            by_css(page, tree, &format!("[data-testid=\"{id}\"]"), outer)?
        }
        by => by_name(tree, by, outer),
    };
    Ok(match locator.nth {
        Some(nth) => found.get(nth - 1).copied().into_iter().collect(),
        None => found,
    })
}

/// The elements by their role, name or text. What is not perceived is not found.
fn by_name(tree: &PageTree, by: &By, outer: Option<Element>) -> Vec<Element> {
    let top = match outer {
        Some(outer) => match index(tree, outer) {
            Some(idx) => Some(idx),
            None => return Vec::new(),
        },
        None => None,
    };
    let mut found: Vec<usize> = Vec::new();
    for idx in tree.walk(top) {
        let node = &tree.nodes[idx];
        if Some(idx) == top || node.is_ignored && !matches!(by, By::Text(_)) {
            continue;
        }
        let is_match = match by {
            By::Role { role, name } => {
                has_role(node, role) && name.as_ref().is_none_or(|it| normal(&node.name) == *it)
            }
            By::Label(label) => {
                FIELDS.contains(&node.role.as_str()) && normal(&node.name) == *label
            }
            By::Text(text) => {
                !matches!(node.role.as_str(), "StaticText" | "InlineTextBox")
                    && tree.text(idx) == *text
            }
            By::Css(_) | By::TestId(_) => false,
        };
        if is_match {
            found.push(idx);
        }
    }
    if matches!(by, By::Text(_)) {
        // The smallest element that has the text.
        let all = found.clone();
        found.retain(|idx| !all.iter().any(|other| other != idx && tree.is_in(*other, *idx)));
    }
    let elements = found.iter().map(|idx| &tree.nodes[*idx]);
    elements.map(|it| Element { frame: it.frame, number: it.element }).collect()
}

fn has_role(node: &PageNode, role: &str) -> bool {
    node.role == role || role == "image" && node.role == "img"
}

fn index(tree: &PageTree, element: Element) -> Option<usize> {
    tree.nodes.iter().position(|it| it.element == element.number && it.frame == element.frame)
}

/// The elements that a selector matches, in open shadow trees and all frames, too.
fn by_css(
    page: &mut Page,
    tree: &PageTree,
    css: &str,
    outer: Option<Element>,
) -> Result<Vec<Element>, NotOne> {
    const FIND: &str = "function (css, most) { \
        const found = []; \
        const walk = root => { \
            for (const e of root.querySelectorAll(css)) if (found.length < most) found.push(e); \
            for (const e of root.querySelectorAll('*')) if (e.shadowRoot) walk(e.shadowRoot); }; \
        document.querySelector(css); \
        if (this.shadowRoot) walk(this.shadowRoot); \
        walk(this); \
        return found }";
    let mut roots = Vec::new();
    match outer {
        Some(outer) => roots.push((outer.frame, object(page, tree, outer)?)),
        None => {
            for (idx, frame) in tree.frames.iter().enumerate() {
                let world = page.world(frame)?;
                let document = json!({ "expression": "document", "contextId": world });
                let document = page.call("Runtime.evaluate", document)?;
                let id = document["result"]["objectId"].as_str().unwrap_or_default();
                roots.push((idx, id.to_owned()));
            }
        }
    }
    let mut elements = Vec::new();
    for (frame, root) in roots {
        let arguments = json!([{ "value": css }, { "value": MOST_MATCHES }]);
        let call = json!({ "objectId": root, "functionDeclaration": FIND, "arguments": arguments });
        let found = page.call("Runtime.callFunctionOn", call)?;
        if let Some(error) = found["exceptionDetails"]["exception"]["description"].as_str() {
            let reason = shortened(error.lines().next().unwrap_or_default());
            return Err(NotOne::Elements { reason, there: Vec::new() });
        }
        let list = json!({ "objectId": found["result"]["objectId"], "ownProperties": true });
        let list = page.call("Runtime.getProperties", list)?;
        for item in list["result"].as_array().into_iter().flatten() {
            let is_element = item["name"].as_str().is_some_and(|it| it.parse::<u32>().is_ok());
            if let Some(id) = item["value"]["objectId"].as_str().filter(|_| is_element) {
                let node = page.call("DOM.describeNode", json!({ "objectId": id }))?;
                let number = node["node"]["backendNodeId"].as_i64().unwrap_or_default();
                elements.push(Element { frame, number });
            }
        }
    }
    Ok(elements)
}

/// The object of an element, in our world of its frame.
pub(super) fn object(
    page: &mut Page,
    tree: &PageTree,
    element: Element,
) -> Result<String, Unanswered> {
    let frame = tree.frames.get(element.frame).cloned().unwrap_or_default();
    page.object(&frame, element.number)
}

/// Calls a function on an element; its value.
pub(super) fn on(
    page: &mut Page,
    element: Element,
    function: &str,
    arguments: Value,
) -> Result<Value, Unanswered> {
    let frames = page.frames()?;
    let frame = frames.get(element.frame).cloned().unwrap_or_default();
    let object = page.object(&frame, element.number)?;
    let call = json!({
        "objectId": object, "functionDeclaration": function, "arguments": arguments,
        "returnByValue": true, "awaitPromise": true,
    });
    let answer = page.call("Runtime.callFunctionOn", call)?;
    match answer["exceptionDetails"]["exception"]["description"].as_str() {
        Some(message) => {
            let message = shortened(message.lines().next().unwrap_or_default());
            Err(Unanswered::Refused { method: "Runtime.callFunctionOn", message })
        }
        None => Ok(answer["result"]["value"].clone()),
    }
}

/// The role and name of an element.
fn described(tree: &PageTree, element: Element) -> String {
    match index(tree, element).map(|idx| &tree.nodes[idx]) {
        Some(node) if !node.is_ignored => named(node),
        _ => "an element without a role".to_owned(),
    }
}

fn named(node: &PageNode) -> String {
    match normal(&node.name) {
        name if name.is_empty() => format!("{} without a name", node.role),
        name => format!("{} {:?}", node.role, shortened(&name)),
    }
}

/// The elements that are most like the one that is missing: of the same role, then of a near name.
fn nearest(tree: &PageTree, locator: &Locator) -> Vec<String> {
    let (role, name) = match &locator.by {
        By::Role { role, name } => (Some(role.as_str()), name.as_deref()),
        By::Label(label) => (None, Some(label.as_str())),
        By::Text(text) => (None, Some(text.as_str())),
        By::TestId(_) | By::Css(_) => return Vec::new(),
    };
    let mut near: Vec<(bool, usize, usize, String)> = Vec::new();
    for (order, idx) in tree.walk(None).into_iter().enumerate().take(20_000) {
        let node = &tree.nodes[idx];
        if node.is_ignored
            || matches!(node.role.as_str(), "InlineTextBox" | "RootWebArea" | "generic")
        {
            continue;
        }
        let is_field = matches!(locator.by, By::Label(_)) && FIELDS.contains(&node.role.as_str());
        let has_role = is_field || role.is_some_and(|role| has_role(node, role));
        let own: String = normal(&node.name).chars().take(200).collect();
        let distance = name.map_or(0, |name| strsim::osa_distance(name, &own));
        let is_near = !own.is_empty() && name.is_some_and(|it| distance <= it.chars().count() / 2);
        if has_role || is_near {
            near.push((!has_role, distance, order, named(node)));
        }
    }
    near.sort();
    near.dedup_by(|a, b| a.3 == b.3);
    near.into_iter().take(MOST_NEAREST).map(|(_, _, _, text)| text).collect()
}
