//! Workspace rule about paths: crates that see paths of a project, of its parents or of what a build
//! left open them through `untrusted_fs`, never through `std::fs`.

use super::source::Source;

/// The crates that see such paths.
const CRATES: &[&str] = &[
    "agent", "analyzer", "build", "check", "code", "ingest", "memory", "preserve", "project",
    "record", "repo", "serve", "store", "tools",
];

/// Files that may open paths otherwise, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("agent/src/trace/file.rs", "traces in the state folder, which is closed to others"),
    ("agent/src/world/tape.rs", "removes its own trace from the state folder"),
    ("analyzer/src/locate.rs", "the user's rust-analyzer and its sources"),
    ("analyzer/src/memory.rs", "/proc"),
    ("analyzer/src/session/sandboxed.rs", "removes its own layer from the cache folder"),
    ("build/src/fetch/cache_lock.rs", "the lock of the user's cargo"),
    ("build/src/fetch/download.rs", "makes folders of the user's registry"),
    ("build/src/fetch/home.rs", "a private folder of the download step, below the cache folder"),
    ("build/src/fetch/take_over.rs", "makes folders of the user's registry"),
    (
        "build/src/outside.rs",
        "names of folders that the user trusts; their files are read by `untrusted_fs`",
    ),
    ("build/src/view_file.rs", "where links of a view lead; files are read by `untrusted_fs`"),
    ("build/src/probe.rs", "sizes of files of the user's toolchain"),
    ("build/src/process.rs", "/proc"),
    ("build/src/rustup.rs", "rustup's settings of the user"),
    ("build/src/run/layers.rs", "makes new folders of ours, and puts such folders aside"),
    ("build/src/trial/mod.rs", "writes a program of ours into a new folder of ours"),
    ("build/src/warm/baseline.rs", "makes new folders beside a target directory"),
    ("build/src/warm/candidate.rs", "makes new folders beside a target directory"),
    ("build/src/warm/lock.rs", "the lock beside a target directory, where no build writes"),
    ("build/src/warm/manifest.rs", "the list beside a target directory, where no build writes"),
    ("build/src/warm/mod.rs", "lists the cache folder of warm targets, where no build writes"),
    ("ingest/src/usage.rs", "/proc"),
    ("memory/src/relations/file.rs", "moves a damaged file of the state folder aside"),
    ("project/src/trust.rs", "locks the folder of the user's configuration"),
    ("record/src/blobs.rs", "removes a text from the state folder"),
    ("record/src/log.rs", "logs in the state folder, which is closed to others"),
    ("repo/src/git_files.rs", "files of git's folder, as git opens them"),
    ("repo/src/git_index.rs", "files of git's folder, as git opens them"),
    ("repo/src/git_mounts.rs", "files of git's folder, as git opens them"),
    ("repo/src/git_run.rs", "writes into a new folder of ours"),
    ("repo/src/head_locks.rs", "files of git's folder, as git opens them"),
    ("repo/src/journal.rs", "the journal in the state folder, which is closed to others"),
    ("repo/src/sealed.rs", "the journal in the state folder, which is closed to others"),
    ("repo/src/snapshot.rs", "sizes and targets of links, which are not followed"),
    ("repo/src/tree_state.rs", "times of files; links are not followed"),
    (
        "repo/src/view_copy.rs",
        "copies listed files into a new folder of ours; opens with O_NOFOLLOW",
    ),
    ("repo/src/view_git.rs", "git's folder of a new copy of ours"),
    ("repo/src/view_overlay.rs", "a new folder of ours, and modes of folders of the tree"),
    ("repo/src/view_writes.rs", "makes and looks at a new file of ours"),
    ("serve/src/token.rs", "the file that the user named for the token; its owner is checked"),
    (
        "store/src/datalog/database.rs",
        "the database in the cache folder, which SQLite opens by path",
    ),
    ("store/src/datalog/seal.rs", "syncs the cache folder"),
    ("tools/src/hook/seen.rs", "removes its own file from the state folder"),
    ("tools/src/memory/forget.rs", "removes traces from the state folder"),
    ("tools/src/memory/rows.rs", "the time of a trace in the state folder"),
];

/// Ways to open a path by its name.
const CALLS: &[&str] = &[
    "DirBuilder::",
    "File::create(",
    "File::create_new(",
    "File::open(",
    "File::options(",
    "OpenOptions::",
    ".read_dir(",
];

/// The problems of one file: each line that opens a path, or an exception that has become needless.
pub(super) fn problems(path: &str, source: &Source, tests_only: bool) -> Vec<String> {
    let Some(path_in_crates) = path.strip_prefix("crates/") else { return Vec::new() };
    let is_seeing = CRATES.iter().any(|name| {
        path_in_crates.strip_prefix(name).is_some_and(|rest| rest.starts_with("/src/"))
    });
    if !is_seeing || tests_only {
        return Vec::new();
    }
    let lines = source.code.iter().zip(&source.test).enumerate();
    let opening: Vec<usize> = lines
        .filter(|(_, (code, is_test))| !**is_test && opens(code))
        .map(|(line, _)| line + 1)
        .collect();
    if EXCEPTIONS.iter().any(|(exception, _)| *exception == path_in_crates) {
        let needless =
            format!("{path}: opens no path, so its exception (`tidy::open_paths`) can go");
        return opening.is_empty().then_some(needless).into_iter().collect();
    }
    let refused = |line| {
        format!(
            "{path}:{line}: open paths through `untrusted_fs`, or give a reason in `tidy::open_paths`"
        )
    };
    opening.into_iter().map(refused).collect()
}

/// Whether a line of code calls a function of `std::fs`, or opens a file by its path.
fn opens(code: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let calls_fs = code.match_indices("fs::").any(|(at, _)| {
        let before = &code[..at];
        // `rustix::fs` works on descriptors; `std::os::unix::fs` has traits, and `symlink`.
        let is_other = before.chars().next_back().is_some_and(is_part)
            || before.ends_with("rustix::")
            || before.ends_with("unix::") && !code[at..].starts_with("fs::symlink");
        let called = &code[at + "fs::".len()..];
        !is_other && called.starts_with(|c: char| c.is_ascii_lowercase())
    });
    calls_fs || CALLS.iter().any(|call| code.contains(call))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        problems(path, &Source::parse(text), false).len()
    }

    #[test]
    fn paths_are_opened_through_beneath() {
        for text in [
            "let text = std::fs::read(path)?;\n",
            "use std::fs::read;\n",
            "let text = fs::read_to_string(path)?;\n",
            "let file = File::open(path)?;\n",
            "let file = std::fs::OpenOptions::new();\n",
            "for entry in path.read_dir()? {}\n",
            "std::os::unix::fs::symlink(a, b)?;\n",
        ] {
            assert_eq!(found("crates/ingest/src/a.rs", text), 1, "{text}");
            assert_eq!(found("crates/eval/src/a.rs", text), 0, "{text}");
            assert_eq!(found("crates/ingest/tests/a.rs", text), 0, "{text}");
            let test = format!("#[cfg(test)]\nmod tests {{\n    {text}}}\n");
            assert_eq!(found("crates/ingest/src/a.rs", &test), 0, "{test}");
        }
        for text in [
            "use std::fs::File;\n",
            "rustix::fs::openat(dir, name, flags, mode)?;\n",
            "use std::os::unix::fs::PermissionsExt;\n",
            "let file = File::from(fd);\n",
            "untrusted_fs::read_regular(path, LIMIT)?;\n",
            "// std::fs::read(path)\n",
        ] {
            assert_eq!(found("crates/ingest/src/a.rs", text), 0, "{text}");
        }
    }

    #[test]
    fn an_exception_that_nothing_needs_is_reported() {
        assert_eq!(found("crates/ingest/src/usage.rs", "std::fs::read(\"/proc/stat\");\n"), 0);
        assert_eq!(found("crates/ingest/src/usage.rs", "fn f() {}\n"), 1);
    }
}
