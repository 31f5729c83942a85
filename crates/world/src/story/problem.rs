//! [`StoryError`]: a fault of a file of stories, with its line and the fix.

/// An error in a file of stories.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct StoryError {
    /// Path of the file in the project.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    pub(crate) problem: StoryProblem,
}

impl base::Hint for StoryError {
    fn hint(&self) -> Option<String> {
        self.problem.hint()
    }
}

/// Fault of a file of stories.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StoryProblem {
    #[error("more than {most} bytes")]
    TooLarge { most: usize },
    #[error("{message}")]
    Toml { message: String },
    #[error("unknown key `{key}`")]
    UnknownKey { key: String, nearest: Option<String> },
    #[error("no story")]
    NoStory,
    #[error("more than {most} {what}")]
    TooMany { what: &'static str, most: usize },
    #[error("`page` has {found} of `html`, `file` and `serve`")]
    PageWays { found: usize },
    #[error("`{key}` is for pages with `serve`")]
    OnlyServed { key: &'static str },
    #[error("`file` is not a name beside the file of stories: `{path}`")]
    PagePath { path: String },
    #[error("`serve` is not a command: {reason}")]
    Command { reason: &'static str },
    #[error("the story has no page")]
    NoPage,
    #[error("`open` is not a path: `{path}`")]
    OpenPath { path: String },
    #[error("the name of the story is empty or has a line break")]
    Name,
    #[error("a second story is named `{name}`")]
    SameName { name: String },
    #[error("`{key}` is {value}, not between {least} and {most}")]
    Number { key: &'static str, value: u64, least: u64, most: u64 },
    #[error("the step has {found} actions")]
    Actions { found: usize },
    #[error("`{key}` is not for `{action}`")]
    WrongParameter { key: &'static str, action: &'static str },
    #[error("`{action}` needs `{key}`")]
    MissingParameter { key: &'static str, action: &'static str },
    #[error("`{action}` expects nothing")]
    ExpectsNothing { action: &'static str },
    #[error("the story expects nothing: it would pass whatever the page shows")]
    StoryExpectsNothing,
    #[error("`{key}` contradicts another expectation of the step")]
    Contradiction { key: &'static str },
    #[error("unknown key of the keyboard: `{key}`")]
    UnknownPress { key: String, nearest: Option<String> },
    #[error("an element is named in more or less than one way")]
    LocatorWays,
    #[error("a locator has an empty text")]
    EmptyLocator,
    #[error("`name` is without `role`")]
    NameWithoutRole,
    #[error("more than eight elements within each other")]
    LocatorTooDeep,
    #[error("unknown role `{role}`")]
    UnknownRole { role: String, nearest: Option<String> },
    #[error("`nth` is counted from 1")]
    NthFromOne,
    #[error("`role_tree` is empty")]
    RoleTreeEmpty,
    #[error("line {line} of `role_tree` is not `- role \"name\" [state=value]: text`")]
    RoleTreeLine { line: usize },
    #[error("a line of `role_tree` is below none that can have it")]
    RoleTreeIndent,
    #[error("`role_tree` has more than {most} lines")]
    RoleTreeTooLarge { most: usize },
    #[error("a page of `html` has no path but `/`: `{path}`")]
    NoSuchPath { path: String },
    #[error("`{name}`: {reason}")]
    Constraint { name: String, reason: String },
    #[error("the constraints are no program: {reason}")]
    Constraints { reason: String },
    #[error("impossible on any page: {events}; blocked by {by}")]
    Impossible { events: String, by: String },
    #[error("the constraints have more than {states} states, and are not verified")]
    Unexplored { states: usize },
    #[error("`tolerance` is not between 0 and 1")]
    Tolerance,
    #[error("`{name}` is not the name of a snapshot")]
    Snapshot { name: String, ending: &'static str },
    #[error("unknown rule of accessibility: `{rule}`")]
    UnknownRule { rule: String, nearest: Option<String> },
    #[error("`{pattern}` is not a pattern of events: {cause}")]
    Pattern { pattern: String, cause: String },
}

impl StoryProblem {
    fn hint(&self) -> Option<String> {
        let text = match self {
            Self::UnknownKey { nearest: Some(nearest), .. }
            | Self::UnknownPress { nearest: Some(nearest), .. }
            | Self::UnknownRole { nearest: Some(nearest), .. }
            | Self::UnknownRule { nearest: Some(nearest), .. } => {
                return Some(format!("write `{nearest}`"));
            }
            Self::Snapshot { ending, .. } => {
                return Some(format!(
                    "use a name in the folder of the file, or below it, that ends with `.{ending}`"
                ));
            }
            Self::NoSuchPath { .. } => "use a `file` or an app for several pages",
            Self::Impossible { .. } => "change the expectation, or the constraint that blocks it",
            Self::Unexplored { .. } => "use fewer conditions on one event, or smaller numbers",
            Self::Tolerance => "it is a share of the pixels: `0.01` lets one of a hundred differ",
            Self::UnknownKey { .. } => "`graftage world schema` prints all keys",
            Self::UnknownRole { .. } => "use a role of WAI-ARIA, such as `button`",
            Self::UnknownPress { .. } => {
                "use a character, or a name such as `Enter`, `Tab`, `Escape` or `ArrowDown`"
            }
            Self::UnknownRule { .. } => "`all` names every rule",
            Self::NoStory => "begin one with `[[story]]` and `name = \"…\"`",
            Self::PageWays { .. } => "give exactly one of them",
            Self::NoPage => "add `[page]` with `html`, `file` or `serve`, or `html` in the story",
            Self::OpenPath { .. } => "begin it with one `/`",
            Self::PagePath { .. } => {
                "use a name without `..` in the folder of the file, or below it"
            }
            Self::Command { .. } => "write it without a shell: `cargo run -p web -- --port 8080`",
            Self::Actions { .. } => "give each `[[story.play]]` exactly one, such as `click`",
            Self::ExpectsNothing { .. } => {
                "add what it expects, such as `text`, `count` or `visible`"
            }
            Self::StoryExpectsNothing => "add a step with `expect`, `expect_page` or `wait_for`",
            Self::LocatorWays => {
                "use one of `role` (with `name`), `label`, `text`, `test_id` and `css`"
            }
            Self::NameWithoutRole => "add the role, or use `label` or `text`",
            Self::RoleTreeIndent => "indent by two blanks, below a line that ends with `:`",
            _ => return None,
        };
        Some(text.to_owned())
    }
}
