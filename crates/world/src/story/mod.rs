//! [`Story`]: a scene on a page, read from a file. Start at [`StoryFile::parse`].

mod constraints;
mod locator;
mod parse;
mod problem;
mod raw;
mod role_tree;
mod steps;
#[cfg(test)]
mod tests;
mod verify;

use std::sync::Arc;
use std::time::Duration;

use policy::program::Program;

pub(crate) use locator::{By, Locator, normal};
pub use problem::StoryError;
pub(crate) use role_tree::{RoleState, RoleTree, RoleTreeNode};
pub(crate) use verify::StaticVerdict;

use crate::play::Rule;

/// A file of stories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryFile {
    /// Path in the project, for messages and names.
    pub path: String,
    /// The page or app on which its stories are played.
    pub page: StoryPage,
    /// Its stories, in order.
    pub stories: Vec<Story>,
    /// The facts that were verified of it without a browser.
    pub(crate) verdict: StaticVerdict,
    /// The constraints of its pages, as threads; `None` where it has none.
    pub(crate) constraints: Option<Arc<Program>>,
}

/// The page or app of a file of stories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoryPage {
    /// The text of a page.
    Html(String),
    /// The name of a page in the folder of the file.
    File(String),
    /// An app that is started.
    Served(ServedApp),
    /// None: each story has a page of its own.
    None,
}

/// An app that serves pages on 127.0.0.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedApp {
    /// Package whose program serves it; `None`: that of the workspace's root.
    pub package: Option<String>,
    /// Name of the program; `None`: the only one of the package.
    pub bin: Option<String>,
    /// Features and profile with which it is built.
    pub build: AppBuild,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Path that answers with success when it is ready.
    pub ready: String,
    /// Port on which it listens.
    pub port: u16,
    /// Longest time until it is ready.
    pub limit: Duration,
}

/// How an app is built: with the default features in the profile `dev` where nothing else is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppBuild {
    /// Features to enable.
    pub features: Vec<String>,
    /// Whether all features are enabled.
    pub all_features: bool,
    /// Whether the default features are disabled.
    pub no_default_features: bool,
    /// Whether the profile is `release`.
    pub release: bool,
}

/// One scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Name, unique in its file.
    pub name: String,
    /// Line in the file, from 1.
    pub line: usize,
    pub(crate) open: String,
    pub(crate) html: Option<String>,
    pub(crate) timeout: Duration,
    pub(crate) window: (u32, u32),
    pub(crate) allow: Allowed,
    pub(crate) play: Vec<Step>,
}

impl Story {
    /// A story without steps, for a page that only has to answer.
    pub(crate) fn probe() -> Self {
        Self {
            name: String::new(),
            line: 0,
            open: "/".to_owned(),
            html: None,
            timeout: Duration::from_secs(10),
            window: (800, 600),
            allow: Allowed { dialogs: Some(false), ..Allowed::default() },
            play: Vec::new(),
        }
    }
}

/// Incidents that do not fail a story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Allowed {
    pub(crate) console: Vec<String>,
    pub(crate) requests: Vec<String>,
    /// The answer to dialogs; without one a dialog fails the story.
    pub(crate) dialogs: Option<bool>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Line in the file, from 1.
    pub(crate) line: usize,
    pub(crate) action: Action,
}

/// The action of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Click { at: Locator, times: u32, double: bool },
    Type { at: Locator, text: String, clear: bool },
    Press { key: String, at: Option<Locator> },
    Select { at: Locator, option: String },
    Hover(Locator),
    Focus(Locator),
    Scroll(Locator),
    WaitFor { at: Locator, absent: bool },
    Eval { code: String, equals: Option<PlainValue> },
    Expect { at: Locator, expected: Expected },
    ExpectPage(ExpectedPage),
}

impl Action {
    /// Whether the action expects that something is not there: a page that is still loading is no proof of that.
    pub(crate) fn expects_absence(&self) -> bool {
        match self {
            Self::WaitFor { absent, .. } => *absent,
            Self::Expect { expected, .. } => {
                expected.count.is_some() || expected.visible == Some(false)
            }
            Self::ExpectPage(expected) => !expected.accessibility.is_empty(),
            _ => false,
        }
    }
}

/// A value of JSON without structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlainValue {
    Flag(bool),
    Number(i64),
    Text(String),
}

/// Expectation of an element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) text: Option<String>,
    pub(crate) contains: Option<String>,
    pub(crate) value: Option<String>,
    pub(crate) attributes: Vec<(String, PlainValue)>,
    pub(crate) count: Option<u32>,
    pub(crate) visible: Option<bool>,
    pub(crate) focused: Option<bool>,
    pub(crate) enabled: Option<bool>,
    pub(crate) checked: Option<bool>,
    pub(crate) role_tree: Option<RoleTree>,
    pub(crate) screenshot: Option<Screenshot>,
}

/// Expectation of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExpectedPage {
    pub(crate) title: Option<String>,
    pub(crate) path: Option<String>,
    pub(crate) role_tree: Option<RoleTree>,
    /// Name of the file with the whole role tree.
    pub(crate) role_tree_file: Option<String>,
    pub(crate) screenshot: Option<Screenshot>,
    pub(crate) accessibility: Vec<Rule>,
    pub(crate) console: Vec<String>,
    /// The expectations on events, as threads that wait for them and block them.
    pub(crate) events: Option<Arc<Program>>,
}

/// Expectation of the picture of a window or an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Screenshot {
    /// Name of the file, in the folder of the stories.
    pub(crate) name: String,
    /// Pixels of a million that may differ.
    pub(crate) tolerance: u32,
}

/// The JSON Schema of the format of stories.
pub fn story_schema() -> serde_json::Value {
    schemars::schema_for!(raw::RawFile).to_value()
}
