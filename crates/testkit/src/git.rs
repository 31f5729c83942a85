//! Runs git on the repositories of tests, with fixed identity and times. It never reads the
//! configuration of the user or of the system.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Git on one repository, without the user's and the system's configuration; names and times
/// are fixed, so commits have the same hash in every run.
#[derive(Clone, Debug)]
pub struct TestGit {
    root: PathBuf,
}

impl TestGit {
    /// Makes `root` a repository with the branch `main`, an identity and no commit.
    ///
    /// # Panics
    /// If git is missing or fails; this holds for all methods here.
    pub fn init(root: &Path) -> Self {
        let git = Self::at(root);
        git.run(&["init", "--quiet", "--initial-branch=main"]);
        // For programs under test that commit themselves, without the variables of this crate.
        git.run(&["config", "user.name", "Ada Tester"]);
        git.run(&["config", "user.email", "ada@example.invalid"]);
        git
    }

    /// A handle on an existing repository.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Runs `git args…` and returns its output without the last newline.
    pub fn run(&self, args: &[&str]) -> String {
        let output = self.try_run(args);
        assert!(
            output.status.success(),
            "git {} failed: {}",
            args.join(" "),
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8_lossy(&output.stdout);
        text.strip_suffix('\n').unwrap_or(&text).to_owned()
    }

    /// Runs `git args…` and returns its output, also if it fails.
    pub fn try_run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("git runs")
    }

    /// Commits everything, untracked files included, and returns the commit's hash.
    pub fn commit_all(&self, message: &str) -> String {
        self.run(&["add", "--all"]);
        self.run(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.head()
    }

    /// The hash of HEAD.
    pub fn head(&self) -> String {
        self.run(&["rev-parse", "HEAD"])
    }

    /// The output of `git status --porcelain`, untracked files included; empty if clean.
    pub fn status(&self) -> String {
        self.run(&["status", "--porcelain=v1", "--untracked-files=all"])
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).args(args);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        command
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("HOME", "/nonexistent")
            .env("LC_ALL", "C");
        for who in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{who}_NAME"), "Ada Tester")
                .env(format!("GIT_{who}_EMAIL"), "ada@example.invalid")
                .env(format!("GIT_{who}_DATE"), "2026-01-01T00:00:00Z");
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use crate::project;

    #[test]
    fn equal_trees_give_equal_commits() {
        let one = project("fn a() {}\n").git().head();
        let two = project("fn a() {}\n").git().head();
        assert_eq!(one, two);
    }

    #[test]
    fn a_fresh_repository_is_clean_until_something_is_written() {
        let project = project("fn a() {}\n");
        let git = project.git();
        assert_eq!(git.status(), "");
        project.write("b.rs", "");
        assert_eq!(git.status(), "?? b.rs");
    }
}
