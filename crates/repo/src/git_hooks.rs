//! The files of a project that git runs as hooks: a folder that some configuration names, and what links
//! in folders of hooks lead to. It does not start git, and finds more than git runs, never less.

use std::path::{Path, PathBuf};

use base::{ProjectPath, SortedMap};
use untrusted_fs::{Dir, EntryKind};

use crate::git_config::Levels;
use crate::git_files::{GitDirs, find};
use crate::project::Project;

/// Most entries of one folder of hooks that are looked at.
const MAX_ENTRIES: usize = 10_000;
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
    /// Files of the project that git may run as hooks, as links: the names are in git's folder, each leads to a
    /// file or folder of the project.
    pub(crate) fn hook_links(&self) -> SortedMap<ProjectPath, ProjectPath> {
        let mut links = SortedMap::new();
        let Some(dirs) = find(self.root()) else { return links };
        let within = |path: &Path| ProjectPath::within(self.root(), path).ok();
        for (nth, real) in self.hook_folders(&dirs).iter().enumerate() {
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
        links
    }

    /// The folders from which git may run hooks, links followed: each that a configuration names, and its own.
    fn hook_folders(&self, dirs: &GitDirs) -> Vec<PathBuf> {
        let levels = Levels::of(&self.git().env, (&dirs.common_dir, &dirs.git_dir));
        let named = levels.entries().into_iter().filter(|it| it.is("core", "hookspath"));
        let named = named.filter_map(|it| Some(levels.path(&it.value?, &dirs.top)));
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
}
