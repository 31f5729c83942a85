//! [`Locator`]: which element of a page is meant.

use std::fmt;

use super::problem::StoryProblem;
use super::raw::RawLocator;

/// An element, or all that match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Locator {
    pub(crate) by: By,
    /// The element among several, from 1.
    pub(crate) nth: Option<usize>,
    pub(crate) within: Option<Box<Locator>>,
}

/// The property by which an element is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Role { role: String, name: Option<String> },
    Label(String),
    Text(String),
    TestId(String),
    Css(String),
}

/// Most elements within each other.
const DEEPEST: usize = 8;

impl Locator {
    /// The locator as it is written, if it names an element in exactly one way.
    pub(super) fn new(raw: &RawLocator) -> Result<Self, StoryProblem> {
        Self::at_depth(raw, 0)
    }

    fn at_depth(raw: &RawLocator, depth: usize) -> Result<Self, StoryProblem> {
        let RawLocator { role, name, label, text, test_id, css, nth, within } = raw;
        if depth > DEEPEST {
            return Err(StoryProblem::LocatorTooDeep);
        }
        if name.is_some() && role.is_none() {
            return Err(StoryProblem::NameWithoutRole);
        }
        let empty = [role, name, label, text, test_id, css]
            .iter()
            .any(|it| it.as_deref().is_some_and(|it| it.trim().is_empty()));
        if empty {
            return Err(StoryProblem::EmptyLocator);
        }
        let ways = [
            role.as_ref()
                .map(|role| By::Role { role: role.clone(), name: name.as_deref().map(normal) }),
            label.as_deref().map(|it| By::Label(normal(it))),
            text.as_deref().map(|it| By::Text(normal(it))),
            test_id.clone().map(By::TestId),
            css.clone().map(By::Css),
        ];
        let mut ways: Vec<By> = ways.into_iter().flatten().collect();
        let Some(by) = ways.pop().filter(|_| ways.is_empty()) else {
            return Err(StoryProblem::LocatorWays);
        };
        if let By::Role { role, .. } = &by
            && !ROLES.contains(&role.as_str())
        {
            return Err(StoryProblem::UnknownRole {
                role: role.clone(),
                nearest: super::parse::nearest(role, ROLES).map(str::to_owned),
            });
        }
        let nth = match nth {
            Some(0) => return Err(StoryProblem::NthFromOne),
            nth => nth.map(|it| it as usize),
        };
        let within = match within {
            Some(within) => Some(Box::new(Self::at_depth(within, depth + 1)?)),
            None => None,
        };
        Ok(Self { by, nth, within })
    }
}

impl fmt::Display for Locator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            By::Role { role, name: None } => write!(f, "{role}")?,
            By::Role { role, name: Some(name) } => write!(f, "{role} {name:?}")?,
            By::Label(label) => write!(f, "field labelled {label:?}")?,
            By::Text(text) => write!(f, "text {text:?}")?,
            By::TestId(id) => write!(f, "test id {id:?}")?,
            By::Css(css) => write!(f, "css {css:?}")?,
        }
        if let Some(nth) = self.nth {
            write!(f, " number {nth}")?;
        }
        match &self.within {
            Some(within) => write!(f, " within {within}"),
            None => Ok(()),
        }
    }
}

/// A text with each run of white space as one blank, and none at its ends.
pub(crate) fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.push_str(word);
    }
    normal
}

/// The roles of WAI-ARIA that an element of a page can have.
const ROLES: &[&str] = &[
    "alert",
    "alertdialog",
    "application",
    "article",
    "banner",
    "blockquote",
    "button",
    "caption",
    "cell",
    "checkbox",
    "code",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "definition",
    "deletion",
    "dialog",
    "directory",
    "document",
    "emphasis",
    "feed",
    "figure",
    "form",
    "generic",
    "grid",
    "gridcell",
    "group",
    "heading",
    "iframe",
    "image",
    "img",
    "insertion",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "marquee",
    "math",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "note",
    "option",
    "paragraph",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "searchbox",
    "separator",
    "slider",
    "spinbutton",
    "status",
    "strong",
    "subscript",
    "superscript",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "term",
    "textbox",
    "time",
    "timer",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
];
