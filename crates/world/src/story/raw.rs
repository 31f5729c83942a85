//! A file of stories as it is written. [`super::parse`] makes [`super::Story`] of it, or names what is wrong.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::constraints::{RawBlock, RawChannel, RawLever, RawLoop, RawObject};

/// A file of stories: one page or app, and the scenes that are played on it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "StoryFile")]
pub(super) struct RawFile {
    /// The page or app of all stories of the file.
    #[serde(default)]
    #[schemars(with = "Option<RawPage>")]
    pub(super) page: Option<Spanned<RawPage>>,
    /// The stories.
    #[serde(default)]
    #[schemars(with = "Vec<RawStory>")]
    pub(super) story: Vec<Spanned<RawStory>>,
    /// Objects of the pages.
    #[serde(default)]
    #[schemars(with = "Vec<RawObject>")]
    pub(super) object: Vec<Spanned<RawObject>>,
    /// Values of fields of events.
    #[serde(default)]
    #[schemars(with = "Vec<RawChannel>")]
    pub(super) channel: Vec<Spanned<RawChannel>>,
    /// Limits of actions.
    #[serde(default)]
    #[schemars(with = "Vec<RawLever>")]
    pub(super) lever: Vec<Spanned<RawLever>>,
    /// Actions that are answered.
    #[serde(default, rename = "loop")]
    #[schemars(with = "Vec<RawLoop>")]
    pub(super) loops: Vec<Spanned<RawLoop>>,
    /// Events in an order.
    #[serde(default)]
    #[schemars(with = "Vec<RawBlock>")]
    pub(super) block: Vec<Spanned<RawBlock>>,
}

/// Exactly one of `html`, `file` and `serve`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Page")]
pub(super) struct RawPage {
    /// The text of a page.
    pub(super) html: Option<String>,
    /// A page beside the file of stories; what it loads is in the same folder or below it.
    pub(super) file: Option<String>,
    /// A command that serves the app: `cargo run -p web`. It listens on 127.0.0.1, on the port in `$PORT`.
    pub(super) serve: Option<String>,
    /// The path that answers with success when the app is ready; `/` without it.
    pub(super) ready: Option<String>,
    /// The port on which the app listens, for apps that do not read `$PORT`.
    pub(super) port: Option<u16>,
    /// How long the app may take until it is ready, in milliseconds.
    pub(super) ready_ms: Option<u64>,
}

/// One scene.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Story")]
pub(super) struct RawStory {
    /// Name, unique in its file.
    #[schemars(with = "String")]
    pub(super) name: Spanned<String>,
    /// The path that is opened: `/cart?item=3`; `/` without it.
    pub(super) open: Option<String>,
    /// A page of its own in place of that of the file.
    pub(super) html: Option<String>,
    /// How long each step may wait, in milliseconds.
    pub(super) timeout_ms: Option<u64>,
    /// Width of the window in pixels.
    pub(super) width: Option<u32>,
    /// Height of the window in pixels.
    pub(super) height: Option<u32>,
    /// Incidents that do not fail the story.
    #[serde(default)]
    pub(super) allow: RawAllow,
    /// The steps, in order.
    #[serde(default)]
    #[schemars(with = "Vec<RawStep>")]
    pub(super) play: Vec<Spanned<RawStep>>,
}

/// Incidents that do not fail a story. A text allows what contains it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Allow")]
pub(super) struct RawAllow {
    /// Errors on the console and exceptions.
    #[serde(default)]
    pub(super) console: Vec<String>,
    /// Addresses of requests that fail.
    #[serde(default)]
    pub(super) requests: Vec<String>,
    /// How a dialog of the page (`alert`, `confirm`, `prompt`) is answered.
    pub(super) dialogs: Option<RawDialog>,
}

/// The answer to a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Dialog")]
pub(super) enum RawDialog {
    /// With yes.
    Accept,
    /// With no.
    Dismiss,
}

/// One step: exactly one of the actions, with its parameters beside it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Step")]
pub(super) struct RawStep {
    /// Action: clicks an element.
    pub(super) click: Option<RawLocator>,
    /// Action: clicks an element twice.
    pub(super) dblclick: Option<RawLocator>,
    /// Action: types `text` into an element.
    #[serde(rename = "type")]
    pub(super) type_into: Option<RawLocator>,
    /// Action: presses a key, such as `Enter`, `Tab` or `Control+a`; on the element `at`, if it is given.
    pub(super) press: Option<String>,
    /// Action: chooses the option named `option` of a list.
    pub(super) select: Option<RawLocator>,
    /// Action: moves the pointer over an element.
    pub(super) hover: Option<RawLocator>,
    /// Action: focuses an element.
    pub(super) focus: Option<RawLocator>,
    /// Action: scrolls an element into view.
    pub(super) scroll: Option<RawLocator>,
    /// Action: waits until an element is visible, or with `absent = true` until there is none.
    pub(super) wait_for: Option<RawLocator>,
    /// Action: evaluates an expression in the page; `equals` is its expected value.
    pub(super) eval: Option<String>,
    /// Action: compares an element with what is expected of it.
    pub(super) expect: Option<RawLocator>,
    /// Action: compares the page with what is expected of it.
    pub(super) expect_page: Option<RawPageExpectation>,

    /// Number of times (`click`).
    pub(super) times: Option<u32>,
    /// Text (`type`), or the text of the element, white space normalised (`expect`).
    pub(super) text: Option<String>,
    /// Whether the former value is removed first (`type`).
    pub(super) clear: Option<bool>,
    /// Element that gets the key (`press`).
    pub(super) at: Option<RawLocator>,
    /// Label of the option (`select`).
    pub(super) option: Option<String>,
    /// Whether there must be no such element (`wait_for`).
    pub(super) absent: Option<bool>,
    /// Expected value (`eval`).
    pub(super) equals: Option<RawValue>,
    /// Part of the text (`expect`).
    pub(super) contains: Option<String>,
    /// Value of a field (`expect`).
    pub(super) value: Option<String>,
    /// Attributes with their values (`expect`); `false`: there is no such attribute.
    #[schemars(with = "Option<std::collections::HashMap<String, RawValue>>")]
    pub(super) attribute: Option<base::SortedMap<String, RawValue>>,
    /// Number of elements that match (`expect`).
    pub(super) count: Option<u32>,
    /// Whether it is visible (`expect`).
    pub(super) visible: Option<bool>,
    /// Whether it has the focus (`expect`).
    pub(super) focused: Option<bool>,
    /// Whether it can be used (`expect`).
    pub(super) enabled: Option<bool>,
    /// Whether it is checked (`expect`).
    pub(super) checked: Option<bool>,
    /// Roles and names in it, as Playwright's `toMatchAriaSnapshot` takes them (`expect`).
    pub(super) role_tree: Option<String>,
    /// A PNG beside the file of stories with the picture of the element (`expect`); `graftage world test --update`
    /// writes it.
    pub(super) screenshot: Option<String>,
    /// Share of pixels that may differ from the screenshot, from 0 to 1; 0 without it (`expect`).
    pub(super) tolerance: Option<f64>,
}

/// A value of JSON without structure.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Value")]
pub(super) enum RawValue {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
}

/// The expectation of a whole page.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PageExpectation")]
pub(super) struct RawPageExpectation {
    /// The title.
    pub(super) title: Option<String>,
    /// The path with its query: `/cart?item=3`.
    pub(super) path: Option<String>,
    /// The roles and names, as Playwright's `toMatchAriaSnapshot` takes them.
    pub(super) role_tree: Option<String>,
    /// A file beside the file of stories with the whole role tree, a line for each node; `graftage world test
    /// --update` writes it.
    pub(super) role_tree_file: Option<String>,
    /// A PNG beside the file of stories with the picture of the window; `graftage world test --update` writes it.
    pub(super) screenshot: Option<String>,
    /// Share of pixels that may differ from the screenshot, from 0 to 1; 0 without it.
    pub(super) tolerance: Option<f64>,
    /// Rules of accessibility that hold.
    pub(super) accessibility: Option<Vec<String>>,
    /// Texts that the console has, in this order.
    pub(super) console: Option<Vec<String>>,
    /// Events that happened, in this order; others may be between them.
    pub(super) events: Option<Vec<String>>,
    /// Events of which none happened.
    pub(super) never: Option<Vec<String>>,
    /// Events that each were followed by another: `{ save = "saved" }`.
    #[schemars(with = "Option<std::collections::HashMap<String, String>>")]
    pub(super) leads_to: Option<base::SortedMap<String, String>>,
}

/// The element of a step: by role and accessible name, or by exactly one of the other ways. All matching
/// elements count; a step on one element fails where several match.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Locator")]
pub(super) struct RawLocator {
    /// Role: `button`, `link`, `textbox`, `heading`, `status` and so on.
    pub(super) role: Option<String>,
    /// Accessible name; with `role`.
    pub(super) name: Option<String>,
    /// Accessible name of a field of a form.
    pub(super) label: Option<String>,
    /// Whole text of the smallest element that has it.
    pub(super) text: Option<String>,
    /// Value of the attribute `data-testid`.
    pub(super) test_id: Option<String>,
    /// Selector of CSS.
    pub(super) css: Option<String>,
    /// The element, counted from 1, where several match.
    pub(super) nth: Option<u32>,
    /// Another element in which it is.
    pub(super) within: Option<Box<RawLocator>>,
}
