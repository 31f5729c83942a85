//! The difference of two trees as an overlay.

use base::{ProjectPath, Timestamp};
use edit::{FileState, Overlay};

use crate::preserve::TextsByPath;

/// The change from `before` to `after`, which can be counted and printed.
pub(crate) fn between(before: &TextsByPath, after: &TextsByPath) -> Overlay {
    let mut paths: Vec<&String> = before.keys().chain(after.keys()).collect();
    paths.sort();
    paths.dedup();
    let state = |text: Option<&String>| {
        text.map(|text| FileState { text: text.as_str().into(), executable: false })
    };
    let states = paths
        .into_iter()
        .filter_map(|path| {
            let project_path = ProjectPath::new(path).ok()?;
            Some((project_path, state(before.get(path)), state(after.get(path))))
        })
        .collect();
    Overlay::from_states("eval", Timestamp(0), states)
}
