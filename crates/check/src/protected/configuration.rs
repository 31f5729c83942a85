//! The files that the configurations of cargo in a project include.

use base::{ProjectPath, SortedSet};
use edit::Files;
use preserve::normal;

/// Most configurations that are followed.
const MAX_FILES: usize = 100;

/// The files that these configurations include, directly or by another one; `None` where they are too many, so
/// that any file may be one.
pub(super) fn included(
    files: &dyn Files,
    configurations: impl Iterator<Item = ProjectPath>,
) -> Option<SortedSet<ProjectPath>> {
    let mut queue: Vec<ProjectPath> = configurations.collect();
    let mut found = SortedSet::new();
    while let Some(path) = queue.pop() {
        let Some(state) = files.read(&path).ok().flatten() else { continue };
        let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
        for name in build::included_by(&state.text) {
            let Some(next) = normal(&format!("{folder}{name}")) else { continue };
            if found.insert(next.clone()) {
                queue.push(next);
            }
            if found.len() > MAX_FILES {
                return None;
            }
        }
    }
    Some(found)
}
