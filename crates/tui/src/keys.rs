//! The one table of keys: what each does and where, for the loop, for `?` and for the settings.

use std::fmt;

/// A key without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum KeyCode {
    /// A letter as typed.
    Char(char),
    /// Enter.
    Enter,
    /// Escape.
    Esc,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Tab.
    Tab,
    /// Shift and tab.
    BackTab,
    /// Cursor left.
    Left,
    /// Cursor right.
    Right,
    /// Cursor up.
    Up,
    /// Cursor down.
    Down,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key.
    F(u8),
}

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    /// The key.
    pub(crate) code: KeyCode,
    /// Whether Ctrl is held.
    pub(crate) ctrl: bool,
    /// Whether Alt is held.
    pub(crate) alt: bool,
}

impl Key {
    /// A key without modifiers.
    pub(crate) const fn plain(code: KeyCode) -> Self {
        Self { code, ctrl: false, alt: false }
    }

    /// Reads `ctrl-a`, `alt-1`, `enter`, `f1`, `A`; `None` if it is no key.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (mut rest, mut ctrl, mut alt) = (text, false, false);
        loop {
            if let Some(more) = rest.strip_prefix("ctrl-") {
                (rest, ctrl) = (more, true);
            } else if let Some(more) = rest.strip_prefix("alt-") {
                (rest, alt) = (more, true);
            } else {
                break;
            }
        }
        let named = NAMES.iter().find(|(name, _)| *name == rest).map(|it| it.1);
        let function = rest.strip_prefix('f').and_then(|it| it.parse().ok()).map(KeyCode::F);
        let mut letters = rest.chars();
        let letter = match (letters.next(), letters.next()) {
            (Some(c), None) => Some(KeyCode::Char(c)),
            _ => None,
        };
        Some(Self { code: named.or(letter).or(function)?, ctrl, alt })
    }
}

const NAMES: [(&str, KeyCode); 16] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("tab", KeyCode::Tab),
    ("shift-tab", KeyCode::BackTab),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("space", KeyCode::Char(' ')),
    ("comma", KeyCode::Char(',')),
];

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        if self.alt {
            f.write_str("alt-")?;
        }
        match (NAMES.iter().find(|it| it.1 == self.code), self.code) {
            (Some((name, _)), _) => f.write_str(name),
            (None, KeyCode::Char(c)) => write!(f, "{c}"),
            (None, KeyCode::F(number)) => write!(f, "f{number}"),
            (None, _) => Ok(()),
        }
    }
}

/// Where a key is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyContext {
    /// Everywhere, before all else.
    Always,
    /// Wherever no text is typed.
    Browse,
    /// In a change under review.
    Overlay,
    /// In the results of a search.
    Search,
    /// In the list of proposals.
    Proposals,
    /// In the list of written changes.
    History,
    /// In the answer to a request.
    Approval,
}

impl KeyContext {
    /// The heading in the help.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Always => "everywhere",
            Self::Browse => "outside of the prompt",
            Self::Overlay => "overlay",
            Self::Search => "search",
            Self::Proposals => "proposals",
            Self::History => "history",
            Self::Approval => "request (focus with tab or ctrl-y)",
        }
    }
}

macro_rules! actions {
    ($($action:ident $name:literal $context:ident [$($key:literal),+] $help:literal;)+) => {
        /// Effect of a key.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Action {
            $(#[doc = $help] $action,)+
        }

        /// All actions, with name, context, keys and help.
        const ACTIONS: &[(Action, &str, KeyContext, &[&str], &str)] =
            &[$((Action::$action, $name, KeyContext::$context, &[$($key),+], $help)),+];
    };
}

actions! {
    NextFocus "next-focus" Always ["tab"] "next part: prompt, content, request";
    FocusRequest "focus-request" Always ["ctrl-y"] "to the request that waits";
    Help "help" Always ["f1"] "this help";
    Cancel "cancel" Always ["ctrl-c"] "cancel the running job; twice without one: quit";
    Quit "quit" Always ["ctrl-q"] "quit";
    Suspend "suspend" Always ["ctrl-z"] "suspend to the shell";
    Redraw "redraw" Always ["ctrl-l"] "draw the screen again";
    ToggleMouse "toggle-mouse" Always ["f9"] "give the mouse to the terminal, or take it";
    ScreenTalk "screen-talk" Always ["alt-1", "f2"] "conversation";
    ScreenOverlay "screen-overlay" Always ["alt-2", "f3"] "change under review";
    ScreenSearch "screen-search" Always ["alt-3", "f4"] "search";
    ScreenProposals "screen-proposals" Always ["alt-4", "f5"] "proposals";
    ScreenHistory "screen-history" Always ["alt-5", "f6"] "written changes";
    ScreenPages "screen-pages" Always ["alt-6", "f7"] "plans, policy and other answers";
    ScreenMeter "screen-meter" Always ["alt-7", "f8"] "jobs, tokens and cost";

    Prompt "prompt" Browse [":", "i"] "type a command";
    HelpBrowse "help-browse" Browse ["?"] "this help";
    Up "up" Browse ["up", "k"] "one line up";
    Down "down" Browse ["down", "j"] "one line down";
    PageUp "page-up" Browse ["pageup", "ctrl-b"] "one page up";
    PageDown "page-down" Browse ["pagedown", "ctrl-f"] "one page down";
    Top "top" Browse ["home", "g"] "to the beginning";
    Bottom "bottom" Browse ["end", "G"] "to the end";
    Left "left" Browse ["left"] "scroll to the left";
    Right "right" Browse ["right"] "scroll to the right";
    Copy "copy" Browse ["y"] "copy (OSC 52); a file has the same text";
    Open "open" Browse ["enter"] "open what is selected";
    Back "back" Browse ["esc"] "back to the prompt";

    NextPatch "next-patch" Overlay ["n"] "next part of the change";
    PrevPatch "prev-patch" Overlay ["p", "N"] "part before";
    NextFile "next-file" Overlay ["]"] "next file";
    PrevFile "prev-file" Overlay ["["] "file before";
    TogglePart "toggle-part" Overlay ["space"] "take the part, or leave it out";
    ToggleFile "toggle-file" Overlay ["F"] "take the file, or leave it out";
    ToggleItem "toggle-item" Overlay ["I"] "take all parts in the item, or leave them out";
    TakeAll "take-all" Overlay ["a"] "take all parts";
    TakeNone "take-none" Overlay ["u"] "leave all parts out";
    ToggleDiff "toggle-diff" Overlay ["d"] "unified, side by side, or the new text alone";
    RunCheck "run-check" Overlay ["c"] "prove exactly the chosen part by a build";
    RunTests "run-tests" Overlay ["t"] "prove exactly the chosen part by build and tests";
    Accept "accept" Overlay ["A"] "ask for the write of exactly what was proven";
    Reject "reject" Overlay ["R"] "reject the change";
    Edit "edit" Overlay ["e"] "edit the new text in place (esc ends)";
    OwnText "own-text" Overlay ["o"] "write an own text; esc proves it by build and tests";
    EditOutside "edit-outside" Overlay ["E"] "edit the new text in $EDITOR";
    SaveEdits "save-edits" Overlay ["s"] "keep the change as a proposal";
    Restage "restage" Overlay ["r"] "stage the change again on the present files";
    Discard "discard" Overlay ["x"] "close the review; the proposal stays";
    NextChoice "next-choice" Overlay ["+", "="] "next of several changes that were found";

    Type "type" Search ["/"] "type another query";
    Callers "callers" Search ["c"] "callers of the item";
    Callees "callees" Search ["e"] "what the item calls";
    Impact "impact" Search ["m"] "what a change of the item may affect";
    PathFrom "path-from" Search ["f"] "path from the item: mark, then press at the end";
    Pack "pack" Search ["x"] "pack the code of the query for a model";

    RejectProposal "reject-proposal" Proposals ["R"] "reject the proposal";
    RestageProposal "restage-proposal" Proposals ["r"] "stage it again on the present files";
    Why "why" Proposals ["w"] "why it is not applied";
    ShowAll "show-all" Proposals ["a"] "list decided ones, too";

    Undo "undo" History ["u"] "ask for the undo of the change";
    Redo "redo" History ["r"] "ask for the redo of the change";

    Yes "yes" Approval ["y"] "yes";
    No "no" Approval ["n"] "no";
    Later "later" Approval ["esc"] "later: neither yes nor no";
}

/// The keys in use.
#[derive(Clone, Debug)]
pub struct Keymap {
    rows: Vec<(KeyContext, Key, Action)>,
}

/// Reason why keys of the settings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// A part is not of the form `action=key`.
    #[error("`{0}` is not `ACTION=KEY`")]
    Form(String),
    /// There is no such action.
    #[error("there is no action `{0}`: `graftage tui --keys` lists them")]
    Action(String),
    /// A text is no key.
    #[error("`{0}` is no key: write `a`, `A`, `ctrl-a`, `alt-1`, `enter`, `f1`")]
    Key(String),
    /// Two actions of one context have one key.
    #[error("the key `{key}` is for both `{first}` and `{second}`")]
    Conflict {
        /// The key.
        key: String,
        /// One action.
        first: &'static str,
        /// The other one.
        second: &'static str,
    },
}

impl Default for Keymap {
    fn default() -> Self {
        let rows = ACTIONS.iter().flat_map(|(action, _, context, keys, _)| {
            keys.iter().filter_map(|key| Some((*context, Key::read(key)?, *action)))
        });
        Self { rows: rows.collect() }
    }
}

impl Keymap {
    /// The default keys with those of the settings: `accept=ctrl-a, next-patch=n`. An action that is named
    /// has only the keys that are given for it.
    ///
    /// # Errors
    /// [`KeymapError`]: the part that cannot be used.
    pub fn with(changes: &str) -> Result<Self, KeymapError> {
        let mut map = Self::default();
        let parts = changes.split(',').map(str::trim).filter(|it| !it.is_empty());
        let mut changed = Vec::new();
        for part in parts {
            let (name, key) =
                part.split_once('=').ok_or_else(|| KeymapError::Form(part.to_owned()))?;
            let row = ACTIONS.iter().find(|it| it.1 == name.trim());
            let (action, _, context, ..) =
                *row.ok_or_else(|| KeymapError::Action(name.trim().to_owned()))?;
            let key =
                Key::read(key.trim()).ok_or_else(|| KeymapError::Key(key.trim().to_owned()))?;
            if !changed.contains(&action) {
                map.rows.retain(|it| it.2 != action);
                changed.push(action);
            }
            map.rows.push((context, key, action));
        }
        map.conflict().map_or(Ok(map), Err)
    }

    fn conflict(&self) -> Option<KeymapError> {
        for (at, (context, key, action)) in self.rows.iter().enumerate() {
            let meets = |other: KeyContext| {
                other == *context || [other, *context].contains(&KeyContext::Always)
            };
            let other = self.rows[..at].iter().find(|it| meets(it.0) && it.1 == *key);
            if let Some((.., other)) = other.filter(|it| it.2 != *action) {
                return Some(KeymapError::Conflict {
                    key: key.to_string(),
                    first: name(*other),
                    second: name(*action),
                });
            }
        }
        None
    }

    /// The action of a key in the first of these contexts that has it.
    pub(crate) fn action(&self, contexts: &[KeyContext], key: Key) -> Option<Action> {
        contexts.iter().find_map(|context| {
            self.rows.iter().find(|it| it.0 == *context && it.1 == key).map(|it| it.2)
        })
    }

    /// The action of this name.
    pub(crate) fn named(&self, name: &str) -> Option<Action> {
        ACTIONS.iter().find(|it| it.1 == name).map(|it| it.0)
    }

    /// The first key of an action, for hints.
    pub(crate) fn key(&self, action: Action) -> String {
        let row = self.rows.iter().find(|it| it.2 == action);
        row.map_or_else(String::new, |it| it.1.to_string())
    }

    /// All actions by context: context, keys, name, help.
    pub fn table(&self) -> Vec<(KeyContext, String, &'static str, &'static str)> {
        let row = |(action, name, context, _, help): &(Action, &'static str, KeyContext, _, _)| {
            let keys = self.rows.iter().filter(|it| it.2 == *action).map(|it| it.1.to_string());
            let keys: Vec<String> = keys.collect();
            (*context, keys.join(" "), *name, *help)
        };
        ACTIONS.iter().map(row).collect()
    }
}

fn name(action: Action) -> &'static str {
    ACTIONS.iter().find(|it| it.0 == action).map_or("", |it| it.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_keys_have_no_conflict() {
        assert_eq!(Keymap::default().conflict(), None);
        for (_, keys, name, _) in Keymap::default().table() {
            assert!(!keys.is_empty(), "{name}");
        }
    }

    #[test]
    fn keys_of_the_settings_replace_those_of_their_action() {
        let map = Keymap::with("accept=ctrl-a, next-patch=J").expect("keys");
        assert_eq!(map.key(Action::Accept), "ctrl-a");
        let key = Key::read("n").expect("a key");
        assert_eq!(map.action(&[KeyContext::Overlay], key), None);
        let error = Keymap::with("accept=t").expect_err("a conflict");
        assert_eq!(error.to_string(), "the key `t` is for both `run-tests` and `accept`");
        assert!(Keymap::with("accept=tab").is_err());
        assert!(Keymap::with("fly=a").is_err());
        assert!(Keymap::with("accept=hyper-a").is_err());
    }

    #[test]
    fn keys_are_read_as_they_are_written() {
        for text in ["a", "A", "ctrl-a", "alt-1", "enter", "f1", "shift-tab", "space", "ctrl-alt-x"]
        {
            assert_eq!(Key::read(text).expect(text).to_string(), text);
        }
        assert_eq!(Key::read("nokey"), None);
    }
}
