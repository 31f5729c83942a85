//! Rules for what a project may do to a setting of its user: the last column of the table in `keys`.

use std::time::Duration;

use super::{EncoderChoice, RerankerChoice};

/// The longest time limit that a project may give itself.
const LONGEST: Duration = Duration::from_secs(3_600);
/// The most parallel jobs that a project may ask for.
const MOST_JOBS: u32 = 64;
/// The most candidates that a project may ask for.
const MOST_ATTEMPTS: usize = 1_000;

/// Nothing: only the user chooses programs that run, files that are read, and who receives code of the project.
pub(super) fn same<T: PartialEq>(users: &T, project: &T) -> bool {
    project == users
}

/// Lower it; of a flag: switch it off.
pub(super) fn at_most<T: PartialOrd>(users: &T, project: &T) -> bool {
    project <= users
}

/// Raise it; of a flag: switch it on.
pub(super) fn at_least<T: PartialOrd>(users: &T, project: &T) -> bool {
    project >= users
}

/// Lower a limit, or give one where there is none.
pub(super) fn limited<T: Ord>(users: &Option<T>, project: &Option<T>) -> bool {
    match (users, project) {
        (None, _) => true,
        (Some(users), Some(project)) => project <= users,
        (Some(_), None) => false,
    }
}

/// Leave entries out.
pub(super) fn fewer<T: PartialEq>(users: &[T], project: &[T]) -> bool {
    project.iter().all(|it| users.contains(it))
}

/// Add entries.
pub(super) fn more<T: PartialEq>(users: &[T], project: &[T]) -> bool {
    users.iter().all(|it| project.contains(it))
}

/// Give a list where there is none, which allows everything.
pub(super) fn listed<T: PartialEq>(users: &[T], project: &[T]) -> bool {
    users.is_empty() || project == users
}

/// Choose nothing, or what the user has chosen.
pub(super) fn none_or_same<T: PartialEq>(users: &Option<T>, project: &Option<T>) -> bool {
    project.is_none() || project == users
}

/// Choose what needs no file of the project, or what the user has chosen.
pub(super) fn built_in(users: &EncoderChoice, project: &EncoderChoice) -> bool {
    matches!(project, EncoderChoice::Embedded | EncoderChoice::None) || project == users
}

/// Choose no reranker, or that of the user.
pub(super) fn no_reranker(users: &RerankerChoice, project: &RerankerChoice) -> bool {
    *project == RerankerChoice::None || project == users
}

/// Choose a time up to an hour, or up to the user's.
pub(super) fn an_hour(users: &Duration, project: &Duration) -> bool {
    is_within(Some(users), Some(project), &LONGEST)
}

/// Choose a time up to an hour or up to the user's, or none: then graftage derives it.
pub(super) fn an_hour_or_derived(users: &Option<Duration>, project: &Option<Duration>) -> bool {
    is_within(users.as_ref(), project.as_ref(), &LONGEST)
}

/// Choose some jobs, or as many as the user.
pub(super) fn some_jobs(users: &Option<u32>, project: &Option<u32>) -> bool {
    is_within(users.as_ref(), project.as_ref(), &MOST_JOBS)
}

/// Choose some candidates, or as many as the user.
pub(super) fn some_attempts(users: &usize, project: &usize) -> bool {
    is_within(Some(users), Some(project), &MOST_ATTEMPTS)
}

/// Whether a limit that a project gives is no looser than the user's, or than the most that any project may
/// give; `None`: a limit that graftage derives.
fn is_within<T: Ord>(users: Option<&T>, project: Option<&T>, most: &T) -> bool {
    project.is_none_or(|it| it <= most || users.is_some_and(|users| it <= users))
}
