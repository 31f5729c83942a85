//! The files of a project that git runs or obeys: the folder of hooks that some configuration names, what links
//! in folders of hooks lead to, and what else a configuration includes or names. It does not start git, and finds
//! more than git runs, never less.

use std::path::{Path, PathBuf};

use base::{ProjectPath, SortedMap, SortedSet};
use untrusted_fs::{Dir, EntryKind};

use crate::git_config::{GitSetting, Levels};
use crate::git_files::{GitDirs, find};
use crate::project::Project;

/// Most entries of one folder of hooks that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// Largest hook that is read, in bytes.
const LARGEST_HOOK: u64 = 1 << 20;
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
        let by_git = self.named_by_git((&dirs, &levels), files, &settings);
        let named = by_git.into_iter().chain(self.named_by_hooks(&dirs, &levels));
        for (nth, file) in named.enumerate() {
            links.extend(ProjectPath::new(&format!(".git/config-{nth}")).ok().zip(Some(file)));
        }
        links
    }

    /// Files of the project that git's configuration includes, or that a value of it names: programs, their
    /// arguments, lists of attributes and of ignored files.
    fn named_by_git(
        &self,
        (dirs, levels): (&GitDirs, &Levels),
        files: Vec<PathBuf>,
        settings: &[GitSetting],
    ) -> SortedSet<ProjectPath> {
        let values = settings.iter().filter_map(|it| it.value.as_deref());
        let found = self.named_in(dirs, levels, values);
        let read =
            files.into_iter().filter_map(|it| untrusted_fs::leads_to(&base::normal_path(&it)));
        found.into_iter().chain(read.filter_map(|it| self.own_file(dirs, &it))).collect()
    }

    /// The scripts of the project that a hook of git's own folder names. Sources and manifests are named by many
    /// that run none of them.
    fn named_by_hooks(&self, dirs: &GitDirs, levels: &Levels) -> SortedSet<ProjectPath> {
        let mut texts = Vec::new();
        for folder in [&dirs.common_dir, &dirs.git_dir] {
            let Ok(Some(dir)) = Dir::open(folder).and_then(|it| it.open_dir("hooks")) else {
                continue;
            };
            for entry in dir.entries(MAX_ENTRIES).unwrap_or_default() {
                let is_example = entry.name.to_string_lossy().ends_with(".sample");
                let read =
                    (!is_example).then(|| dir.read(&entry.name, LARGEST_HOOK).ok().flatten());
                texts.extend(
                    read.flatten().map(|it| String::from_utf8_lossy(&it.bytes).into_owned()),
                );
            }
        }
        let mut found = self.named_in(dirs, levels, texts.iter().map(String::as_str));
        let is_script = |it: &ProjectPath| {
            !matches!(it.extension(), Some("rs" | "md" | "txt" | "lock"))
                && it.file_name() != "Cargo.toml"
        };
        found.retain(is_script);
        found
    }

    /// The files of the project that words of these texts name.
    fn named_in<'a>(
        &self,
        dirs: &GitDirs,
        levels: &Levels,
        values: impl Iterator<Item = &'a str>,
    ) -> SortedSet<ProjectPath> {
        let separates = |c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '"' | '\'' | ';' | '&' | '|' | '(' | ')' | '=' | '!' | '<' | '>' | '$' | '`'
                )
        };
        let words = values.flat_map(|it| std::iter::once(it).chain(it.split(separates)));
        let words: SortedSet<&str> = words.filter(|it| !it.is_empty()).take(MAX_ENTRIES).collect();
        let bases = [&dirs.top, &dirs.git_dir, &dirs.common_dir];
        let named = words.iter().flat_map(|word| bases.map(|base| levels.path(word, base)));
        // A name alone is a file of the project only where there is one.
        let named = named.filter(|it| it.is_file());
        let may_be_path =
            |it: &str| it.contains('/') && !it.contains("://") && !it.contains(char::is_whitespace);
        let paths = words.iter().filter(|it| may_be_path(it)).map(|it| levels.path(it, &dirs.top));
        let paths = paths.filter(|it| !it.is_dir());
        let real =
            named.chain(paths).filter_map(|it| untrusted_fs::leads_to(&base::normal_path(&it)));
        real.filter_map(|it| self.own_file(dirs, &it)).collect()
    }

    /// A file of the project that is none of git's folder.
    fn own_file(&self, dirs: &GitDirs, path: &Path) -> Option<ProjectPath> {
        let is_of_git = [&dirs.git_dir, &dirs.common_dir].iter().any(|dir| path.starts_with(dir));
        let within = || ProjectPath::within(self.root(), path).ok();
        (!is_of_git && path.starts_with(self.root())).then(within).flatten()
    }
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
