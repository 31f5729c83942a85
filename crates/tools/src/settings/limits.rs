//! Limits that a project may give itself: as loose as the user's, or as the most of any project.

use std::time::Duration;

/// The longest time limit that a project may give itself.
pub(super) const LONGEST: Duration = Duration::from_secs(3_600);
/// The most parallel jobs that a project may ask for.
pub(super) const MOST_JOBS: u32 = 64;

/// Whether a limit that a project gives is no looser than the user's, or than the most that any project may
/// give; `None`: a limit that graftage derives.
pub(super) fn is_within<T: Ord>(users: Option<&T>, project: Option<&T>, most: &T) -> bool {
    project.is_none_or(|it| it <= most || users.is_some_and(|users| it <= users))
}
