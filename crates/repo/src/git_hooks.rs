//! The files of a project that git runs or obeys: the folder of hooks that some configuration names, what links
//! in folders of hooks lead to, and what a configuration includes; and the texts that git runs, in which the gate
//! looks for names of files. It does not start git, and finds more than git runs, never less.

use std::path::{Path, PathBuf};

use base::{ProjectPath, SortedMap, SortedSet};
use policy::OutsideText;
use untrusted_fs::{Dir, DirEntry, EntryKind};

use crate::git_config::{GitSetting, Levels};
use crate::git_files::{GitDirs, find};
use crate::project::Project;

/// Most entries of one folder of hooks that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// Largest hook that is read, in bytes.
const LARGEST_HOOK: u64 = 16 << 20;
/// Sections whose values name persons and no file.
const NO_FILES: [&str; 3] = ["author", "committer", "user"];
/// The hooks of git.
const HOOKS: [&str; 28] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "p4-prepare-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

impl Project {
    /// Files of the project that git may run as hooks or reads as its configuration, as links: the names are in git's
    /// folder, each leads to a file or folder of the project; and the texts that git runs.
    pub(crate) fn run_by_git(&self) -> (SortedMap<ProjectPath, ProjectPath>, Vec<OutsideText>) {
        let mut links = SortedMap::new();
        let Some(dirs) = find(self.root()) else { return (links, Vec::new()) };
        let levels = Levels::of(&self.git().env, (&dirs.common_dir, &dirs.git_dir));
        let (files, settings) = levels.read();
        let within = |path: &Path| ProjectPath::within(self.root(), path).ok();
        for (nth, real) in hook_folders(&dirs, &levels, &settings).iter().enumerate() {
            let name = match nth {
                0 => ".git/hooks".to_owned(),
                nth => format!(".git/hooks-{nth}"),
            };
            let mut add = |below: &str, target: &Path| {
                let link = ProjectPath::new(&format!("{name}{below}")).ok();
                links.extend(link.zip(within(target)));
            };
            // Files of git's own folder are no files of the project.
            let is_own = [&dirs.git_dir, &dirs.common_dir].iter().any(|it| real.starts_with(it));
            if *real == *self.root() {
                HOOKS.iter().for_each(|hook| add(&format!("/{hook}"), &real.join(hook)));
            } else if !is_own && real.starts_with(self.root()) {
                add("", real);
            }
            let entries = Dir::open(real).and_then(|it| it.entries(MAX_ENTRIES));
            let linked =
                entries.unwrap_or_default().into_iter().filter(|it| it.kind == EntryKind::Link);
            for entry in linked {
                if let Some(target) = untrusted_fs::leads_to(&real.join(&entry.name)) {
                    add(&format!("/{}", entry.name.to_string_lossy()), &target);
                }
            }
        }
        let read =
            files.into_iter().filter_map(|it| untrusted_fs::leads_to(&base::normal_path(&it)));
        let included: SortedSet<ProjectPath> =
            read.filter_map(|it| self.own_file(&dirs, &it)).collect();
        for (nth, file) in included.into_iter().enumerate() {
            links.extend(ProjectPath::new(&format!(".git/config-{nth}")).ok().zip(Some(file)));
        }
        let mut texts = self.hook_texts(&hook_folders(&dirs, &levels, &settings), &dirs);
        texts.extend(setting_texts(settings).into_iter().map(Some));
        let of_git = |text| OutsideText { by: ".git".to_owned(), path: None, text };
        (links, texts.into_iter().map(of_git).collect())
    }

    /// The texts of the hooks that are no files of the project; `None`: one that cannot be read.
    fn hook_texts(&self, folders: &[PathBuf], dirs: &GitDirs) -> Vec<Option<String>> {
        let is_of_git =
            |it: &Path| [&dirs.git_dir, &dirs.common_dir].iter().any(|dir| it.starts_with(dir));
        let mut queue: Vec<PathBuf> = folders.to_vec();
        queue.retain(|it| is_of_git(it) || !it.starts_with(self.root()));
        let (mut texts, mut left) = (Vec::new(), MAX_ENTRIES);
        while let Some(folder) = queue.pop() {
            let entries = match Dir::open(&folder).and_then(|it| it.entries(left)) {
                Ok(entries) => entries,
                Err(_) => {
                    texts.extend(folder.exists().then_some(None));
                    continue;
                }
            };
            // A folder that others share has more than hooks.
            let is_own = is_of_git(&folder);
            let is_hook = |it: &DirEntry| {
                let name = it.name.to_string_lossy();
                is_own && !name.ends_with(".sample") || HOOKS.contains(&&*name)
            };
            left -= entries.len().min(left);
            for entry in entries.iter().filter(|it| is_hook(it)) {
                let path = folder.join(&entry.name);
                match entry.kind {
                    EntryKind::Folder => queue.push(path),
                    EntryKind::File => texts.push(text_of(&path, LARGEST_HOOK)),
                    // One into the project is a file of it.
                    EntryKind::Link => {
                        let real = untrusted_fs::leads_to(&path);
                        let outside =
                            real.filter(|it| !it.starts_with(self.root()) && it.is_file());
                        texts.extend(outside.map(|it| text_of(&it, LARGEST_HOOK)));
                    }
                    EntryKind::Special => {}
                }
            }
        }
        texts
    }

    /// A file of the project that is none of git's folder.
    fn own_file(&self, dirs: &GitDirs, path: &Path) -> Option<ProjectPath> {
        let is_of_git = [&dirs.git_dir, &dirs.common_dir].iter().any(|dir| path.starts_with(dir));
        let within = || ProjectPath::within(self.root(), path).ok();
        (!is_of_git && path.starts_with(self.root())).then(within).flatten()
    }
}

/// The text of a regular file of at most `limit` bytes; `None` if it cannot be read.
pub(crate) fn text_of(path: &Path, limit: u64) -> Option<String> {
    let bytes = untrusted_fs::read_regular(path, limit).ok()??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The values of a configuration that may name files.
fn setting_texts(settings: Vec<GitSetting>) -> Vec<String> {
    let may_name = |it: &GitSetting| !NO_FILES.contains(&it.section.as_str());
    let values = settings.into_iter().filter(may_name).filter_map(|it| it.value);
    let is_address = |it: &str| it.contains("://") && !it.contains(char::is_whitespace);
    values.filter(|it| !is_address(it)).collect()
}

/// The folders from which git may run hooks, links followed: each that a configuration names, and its own.
fn hook_folders(dirs: &GitDirs, levels: &Levels, settings: &[GitSetting]) -> Vec<PathBuf> {
    let named = settings.iter().filter(|it| it.is("core", "hookspath"));
    let named = named.filter_map(|it| Some(levels.path(it.value.as_deref()?, &dirs.top)));
    let own = [&dirs.common_dir, &dirs.git_dir].map(|it| it.join("hooks"));
    // Where a folder on the way is missing, who makes it makes what the path then leads to.
    let both = named.chain(own).flat_map(|it| [base::normal_path(&it), it]);
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in both.filter_map(|it| untrusted_fs::leads_to(&it)) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}
