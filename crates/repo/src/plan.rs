//! Makes plans: every file is checked before anything is written, and all data for the journal is
//! collected. It writes nothing.

use base::{ContentHash, ProjectPath, SortedMap, SortedSet};
use edit::Overlay;

use crate::error::RepoError;
use crate::journal::{EntryState, FolderRecord, JournalEntry, Plan, Step, Stored};
use crate::replace::{temp_name, with_executable};
use crate::tree::{Tree, describe, is_executable};

/// The direction of a change of state: undo or redo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Undo,
    Redo,
}

/// The number of a new undo, larger than all others.
pub(crate) fn next_undo(entries: &[JournalEntry]) -> u64 {
    let orders = entries.iter().map(|entry| match entry.state {
        EntryState::Applied => 0,
        EntryState::Undone(order) => order,
    });
    orders.max().unwrap_or(0) + 1
}

pub(crate) fn choose<'a>(
    entries: &'a [JournalEntry],
    id: Option<&str>,
    verb: Verb,
) -> Result<&'a JournalEntry, RepoError> {
    let fits = |entry: &&JournalEntry| match verb {
        Verb::Undo => entry.state == EntryState::Applied,
        Verb::Redo => entry.state != EntryState::Applied,
    };
    if let Some(id) = id {
        let mut named = entries.iter().filter(|entry| base::names_id(id, &entry.id));
        let (Some(entry), None) = (named.next(), named.next()) else {
            return Err(RepoError::NoEntry { id: id.to_owned() });
        };
        return if fits(&entry) {
            Ok(entry)
        } else {
            let state = if verb == Verb::Undo { "undone" } else { "applied" };
            Err(RepoError::Already { id: entry.id.clone(), state })
        };
    }
    let chosen = match verb {
        Verb::Undo => entries.iter().rfind(fits),
        Verb::Redo => entries.iter().filter(fits).max_by_key(|entry| match entry.state {
            EntryState::Applied => 0,
            EntryState::Undone(order) => order,
        }),
    };
    let verb = if verb == Verb::Undo { "undo" } else { "redo" };
    chosen.ok_or(RepoError::Nothing { verb })
}

/// Refuses changes in git's own folders: a hook or a filter there would run outside of every
/// sandbox.
pub(crate) fn refuse_git(overlay: &Overlay) -> Result<(), RepoError> {
    // Some file systems do not distinguish `.GIT` from `.git`.
    let is_git =
        |path: &ProjectPath| path.as_str().split('/').any(|part| part.eq_ignore_ascii_case(".git"));
    match overlay.changes().find(|(path, _)| is_git(path)) {
        Some((path, _)) => Err(RepoError::GitFolder { path: path.clone() }),
        None => Ok(()),
    }
}

/// Checks every file against the overlay and returns the plan.
pub(crate) fn plan_apply(
    tree: &Tree,
    overlay: &Overlay,
    mut entry: JournalEntry,
) -> Result<Plan, RepoError> {
    check_all(tree, entry.files.iter().map(|file| (&file.path, &file.before)))?;
    let mut steps = Vec::new();
    for (idx, file) in entry.files.iter_mut().enumerate() {
        let mode = check(tree, &file.path, file.before.as_ref())?;
        if let Some(before) = &mut file.before {
            before.mode = mode;
        }
        // A renamed file keeps its permissions.
        let source = overlay.get(&file.path).and_then(|change| change.renamed_from.as_ref());
        let renamed = source.and_then(|source| tree.read(source).ok().flatten());
        let mode = mode.or(renamed.map(|found| found.mode));
        if let (Some(after), Some(mode)) = (&mut file.after, mode) {
            after.mode = Some(with_executable(mode, after.executable));
        }
        steps.push(step(&entry.id, idx, file.path.clone(), &file.before, &file.after));
    }
    let make_folders = missing_folders(tree, &steps, &SortedMap::new())?;
    let mut remove_folders = SortedMap::new();
    for step in steps.iter().filter(|step| step.after.is_none()) {
        for folder in ancestors(&step.path) {
            let mode = tree.folder_mode(&folder).ok().flatten();
            remove_folders.insert(folder, mode);
        }
    }
    let remove_folders: Vec<FolderRecord> =
        remove_folders.into_iter().map(|(path, mode)| FolderRecord { path, mode }).collect();
    entry.made_folders = make_folders.clone();
    entry.removed_folders = remove_folders.clone();
    Ok(Plan { entry, steps, make_folders, remove_folders, commit: None, guard: None })
}

/// The same for an entry that is undone or redone.
pub(crate) fn plan_restore(
    tree: &Tree,
    mut entry: JournalEntry,
    verb: Verb,
    undo_order: u64,
) -> Result<Plan, RepoError> {
    check_all(
        tree,
        entry.files.iter().map(|file| match verb {
            Verb::Undo => (&file.path, &file.after),
            Verb::Redo => (&file.path, &file.before),
        }),
    )?;
    let mut steps = Vec::new();
    for (idx, file) in entry.files.iter().enumerate() {
        let (from, mut to) = match verb {
            Verb::Undo => (&file.after, file.before.clone()),
            Verb::Redo => (&file.before, file.after.clone()),
        };
        let mode = check(tree, &file.path, from.as_ref())?;
        // Permissions that the user changed since are kept; only the executable bits are set.
        if let (Some(to), Some(from), Some(mode)) = (&mut to, from, mode)
            && from.mode != Some(mode)
        {
            to.mode = Some(with_executable(mode, to.executable));
        }
        steps.push(step(&entry.id, idx, file.path.clone(), from, &to));
    }
    let (made, removed) = match verb {
        Verb::Undo => (&entry.made_folders, &entry.removed_folders),
        Verb::Redo => (&entry.removed_folders, &entry.made_folders),
    };
    let modes = removed.iter().map(|folder| (folder.path.clone(), folder.mode)).collect();
    let make_folders = missing_folders(tree, &steps, &modes)?;
    let remove_folders = made.clone();
    entry.state = match verb {
        Verb::Undo => EntryState::Undone(undo_order),
        Verb::Redo => EntryState::Applied,
    };
    Ok(Plan { entry, steps, make_folders, remove_folders, commit: None, guard: None })
}

fn step(
    id: &str,
    idx: usize,
    path: ProjectPath,
    before: &Option<Stored>,
    after: &Option<Stored>,
) -> Step {
    let temp = temp_name(id, idx);
    let mode = after.as_ref().and_then(|after| after.mode);
    Step { path, before: before.clone(), after: after.clone(), mode, temp }
}

/// Checks that all files have the expected content; the error names every one that does not.
fn check_all<'a>(
    tree: &Tree,
    files: impl Iterator<Item = (&'a ProjectPath, &'a Option<Stored>)>,
) -> Result<(), RepoError> {
    let mut first = None;
    let mut more = Vec::new();
    for (path, expected) in files {
        match check(tree, path, expected.as_ref()) {
            Ok(_) => {}
            Err(err) if first.is_none() => first = Some(err),
            Err(_) => more.push(format!("`{path}`")),
        }
    }
    match first {
        None => Ok(()),
        Some(RepoError::Changed { path, difference }) if !more.is_empty() => {
            let more = more.join(", ");
            Err(RepoError::Changed { path, difference: format!("{difference}; nor are {more}") })
        }
        Some(err) => Err(err),
    }
}

/// Checks that the file has the expected state; returns its permission bits.
fn check(
    tree: &Tree,
    path: &ProjectPath,
    expected: Option<&Stored>,
) -> Result<Option<u32>, RepoError> {
    let changed = |difference: String| RepoError::Changed { path: path.clone(), difference };
    let found = tree.read(path).map_err(|why| changed(describe(&why)))?;
    match (found, expected) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(changed("it is gone".to_owned())),
        (Some(_), None) => Err(changed("it exists already".to_owned())),
        (Some(found), Some(expected)) => {
            if found.bytes != expected.text.as_bytes() {
                let expected = ContentHash::of(expected.text.as_bytes()).short();
                let present = ContentHash::of(&found.bytes).short();
                return Err(changed(format!("its hash is {present}, not {expected}")));
            }
            if is_executable(found.mode) != expected.executable {
                let now =
                    if is_executable(found.mode) { "executable now" } else { "not executable now" };
                return Err(changed(format!("it is {now}")));
            }
            Ok(Some(found.mode))
        }
    }
}

/// All folders above a path, outermost first.
pub(crate) fn ancestors(path: &ProjectPath) -> Vec<ProjectPath> {
    let mut folders: Vec<ProjectPath> =
        std::iter::successors(path.parent(), ProjectPath::parent).collect();
    folders.reverse();
    folders
}

/// The folders that new files need and that do not exist, outermost first.
fn missing_folders(
    tree: &Tree,
    steps: &[Step],
    modes: &SortedMap<ProjectPath, Option<u32>>,
) -> Result<Vec<FolderRecord>, RepoError> {
    let mut missing = SortedSet::new();
    for step in steps.iter().filter(|step| step.after.is_some()) {
        for folder in ancestors(&step.path) {
            match tree.folder_mode(&folder) {
                Ok(Some(_)) => {}
                Ok(None) => {
                    missing.insert(folder);
                }
                Err(_) => {
                    let difference = format!("`{folder}` is not a folder of the project");
                    return Err(RepoError::Changed { path: step.path.clone(), difference });
                }
            }
        }
    }
    Ok(missing
        .into_iter()
        .map(|path| FolderRecord { mode: modes.get(&path).copied().flatten(), path })
        .collect())
}
