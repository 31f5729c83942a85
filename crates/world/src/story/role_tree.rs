//! [`RoleTree`]: roles and names of a part of a page, in the form of Playwright's `toMatchAriaSnapshot`.
//!
//! ```text
//! - main:
//!   - heading "Cart" [level=1]
//!   - textbox "Amount": 3
//!   - text: in total
//! ```
//! A tree matches where each of its nodes has a counterpart in the page, in the same order; the page may have
//! more beside and between them.

use super::locator::normal;
use super::problem::StoryProblem;

/// Nodes beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RoleTree {
    pub(crate) nodes: Vec<RoleTreeNode>,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RoleTreeNode {
    /// Role; `text` is text without an element.
    pub(crate) role: String,
    pub(crate) name: Option<String>,
    pub(crate) states: Vec<RoleState>,
    /// Whole text, or the value of a field.
    pub(crate) text: Option<String>,
    pub(crate) below: Vec<RoleTreeNode>,
}

/// A state in brackets: `[checked]`, `[level=2]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RoleState {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// The states that a node may name.
const STATES: &[&str] = &["checked", "disabled", "expanded", "level", "pressed", "selected"];
/// Most nodes of a tree.
const MOST_NODES: usize = 2_000;

impl RoleTree {
    pub(super) fn parse(text: &str) -> Result<Self, StoryProblem> {
        let mut lines = Vec::new();
        for (idx, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let trimmed = line.trim_start_matches(' ');
            let indent = line.len() - trimmed.len();
            lines
                .push((indent, node(trimmed).ok_or(StoryProblem::RoleTreeLine { line: idx + 1 })?));
        }
        if lines.len() > MOST_NODES {
            return Err(StoryProblem::RoleTreeTooLarge { most: MOST_NODES });
        }
        let mut lines = lines.into_iter().peekable();
        let Some(&(first, _)) = lines.peek() else { return Err(StoryProblem::RoleTreeEmpty) };
        let nodes = children(&mut lines, first)?;
        match lines.next() {
            None => Ok(Self { nodes }),
            Some(_) => Err(StoryProblem::RoleTreeIndent),
        }
    }
}

/// The nodes at one depth with all below them.
fn children(
    lines: &mut std::iter::Peekable<std::vec::IntoIter<(usize, RoleTreeNode)>>,
    indent: usize,
) -> Result<Vec<RoleTreeNode>, StoryProblem> {
    // Most depth: more is no tree of a person, and the stack is bounded.
    if indent > 200 {
        return Err(StoryProblem::RoleTreeIndent);
    }
    let mut nodes: Vec<RoleTreeNode> = Vec::new();
    while let Some(&(at, _)) = lines.peek() {
        if at < indent {
            break;
        }
        if at == indent {
            pass_over(&mut nodes);
            nodes.extend(lines.next().map(|(_, node)| node));
            continue;
        }
        let Some(last) = nodes.last_mut().filter(|it| it.text.is_none() && it.below.is_empty())
        else {
            return Err(StoryProblem::RoleTreeIndent);
        };
        last.below = children(lines, at)?;
    }
    pass_over(&mut nodes);
    Ok(nodes)
}

/// Replaces a last node that is a group of rows by its rows: the browser leaves those of markup out.
fn pass_over(nodes: &mut Vec<RoleTreeNode>) {
    if let Some(group) =
        nodes.pop_if(|it| it.role == "rowgroup" && it.name.is_none() && !it.below.is_empty())
    {
        nodes.extend(group.below);
    }
}

/// A line without the quotes that YAML needs around a key with a colon: `'button "Down: One"': v`.
fn unquoted(line: &str) -> Option<String> {
    let Some(quoted) = line.strip_prefix('\'') else { return Some(line.to_owned()) };
    let mut key = String::new();
    let mut rest = quoted;
    loop {
        let (before, after) = rest.split_once('\'')?;
        key.push_str(before);
        match after.strip_prefix('\'') {
            // Two quotes are one.
            Some(after) => {
                key.push('\'');
                rest = after;
            }
            None => return Some(key + after),
        }
    }
}

/// One line: `- role "name" [state=value]: text`.
fn node(line: &str) -> Option<RoleTreeNode> {
    let whole = line.strip_prefix("- ")?;
    let unquoted = unquoted(whole)?;
    let rest = unquoted.as_str();
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (role, mut rest) = rest.split_at(end);
    if role.is_empty() {
        return None;
    }
    let mut node = RoleTreeNode {
        role: role.to_owned(),
        name: None,
        states: Vec::new(),
        text: None,
        below: Vec::new(),
    };
    rest = rest.trim_start();
    if rest.starts_with('"') {
        let mut names = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        node.name = Some(normal(&names.next()?.ok()?));
        rest = rest[names.byte_offset()..].trim_start();
    }
    while let Some(state) = rest.strip_prefix('[') {
        let (state, after) = state.split_once(']')?;
        let (name, value) = state.split_once('=').unwrap_or((state, "true"));
        let is_value = match name {
            "level" => value.parse::<u8>().is_ok_and(|it| it > 0),
            _ => matches!(value, "true" | "false" | "mixed"),
        };
        if !STATES.contains(&name) || !is_value {
            return None;
        }
        node.states.push(RoleState { name: name.to_owned(), value: value.to_owned() });
        rest = after.trim_start();
    }
    match rest.strip_prefix(':').map(str::trim) {
        // A name in `/…/` would be a pattern, which is not supported.
        None if rest.is_empty() => {}
        Some("") => {}
        Some(text) if text.starts_with('"') => {
            node.text = Some(normal(&serde_json::from_str::<String>(text).ok()?));
        }
        Some(text) => node.text = Some(normal(text)),
        None => return None,
    }
    Some(node)
}
