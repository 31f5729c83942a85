//! [`PageElement`]: what a person can use on a page, for exploring it.

use super::tree::{PageNode, PageTree};
use crate::browser::{Page, Unanswered};

/// An element that a person can use, by what it is for them.
pub(crate) struct PageElement {
    pub(crate) role: String,
    pub(crate) name: String,
}

/// The elements with a name that a person can use, in the order of the page.
pub(crate) fn elements(page: &mut Page) -> Result<Vec<PageElement>, Unanswered> {
    const USED: &[&str] = &[
        "button",
        "link",
        "checkbox",
        "radio",
        "switch",
        "tab",
        "menuitem",
        "option",
        "textbox",
        "searchbox",
        "spinbutton",
    ];
    let tree = PageTree::read(page)?;
    let nodes = tree.walk(None).into_iter().map(|idx| &tree.nodes[idx]);
    let is_used = |it: &&PageNode| {
        let is_disabled = it.states.iter().any(|state| state.name == "disabled");
        !it.is_ignored && !is_disabled && USED.contains(&it.role.as_str())
    };
    let elements = nodes
        .filter(is_used)
        .map(|it| PageElement { role: it.role.clone(), name: crate::story::normal(&it.name) });
    Ok(elements.filter(|it| !it.name.is_empty()).collect())
}
