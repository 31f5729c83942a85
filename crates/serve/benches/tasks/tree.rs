//! The tree of a task: laid out from a clone, and cargo in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::task::{Edit, Task};
use base::SortedMap;

/// A working tree with a git history that ends at the commit of the task.
pub(crate) struct Tree {
    pub(crate) root: PathBuf,
}

impl Tree {
    /// Lays a task out. The build outputs of earlier tasks of the crate stay, as a person's would.
    pub(crate) fn lay_out(task: &Task, clones: &Path, work: &Path) -> Self {
        let tree = Self { root: work.join(task.crate_name()) };
        if !tree.root.join(".git").exists() {
            fs::create_dir_all(&tree.root).unwrap();
            tree.git(&["init", "-q"]);
        }
        let clone = fs::canonicalize(clones.join(task.crate_name())).unwrap();
        tree.git(&["fetch", "-q", &clone.display().to_string(), &task.tree]);
        tree.git(&["checkout", "-q", "-f", "--detach", &task.tree]);
        tree.git(&["clean", "-q", "-f", "-d", "-x", "-e", "target", "-e", "Cargo.lock"]);
        // Only the installed toolchain can be used.
        let _ = fs::remove_file(tree.root.join("rust-toolchain.toml"));
        tree.git(&["gc", "--auto", "-q"]);
        if !tree.succeeds(&["fetch", "-q", "--offline"]) {
            assert!(tree.succeeds(&["fetch", "-q"]), "{}: no dependencies", task.id);
        }
        tree.git(&["add", "-A"]);
        tree.git(&["add", "-f", "Cargo.lock"]);
        tree.git(&["commit", "-q", "--allow-empty", "-m", "Use the installed toolchain"]);
        tree
    }

    /// Makes the edits with which the task begins.
    pub(crate) fn begin(&self, task: &Task) {
        for edit in &task.in_progress {
            assert!(self.edit(edit), "{}: an edit does not fit", task.id);
        }
    }

    fn git(&self, args: &[&str]) {
        let own = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
        let done = Command::new("git").args(own).args(args).current_dir(&self.root).output();
        let done = done.unwrap();
        assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn succeeds(&self, args: &[&str]) -> bool {
        self.command(args).output().unwrap().status.success()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.args(args).current_dir(&self.root).env("CARGO_TERM_COLOR", "never");
        command.env_remove("RUSTFLAGS");
        command
    }

    /// The output of cargo, errors first.
    pub(crate) fn cargo(&self, args: &[&str]) -> (bool, String) {
        let done = self.command(args).output().unwrap();
        let text = [done.stderr, done.stdout].concat();
        (done.status.success(), String::from_utf8_lossy(&text).into_owned())
    }

    /// Whether all tests pass.
    pub(crate) fn passes(&self) -> bool {
        self.cargo(&["test", "-q", "--offline", "--lib", "--tests"]).0
    }

    pub(crate) fn text(&self, file: &str) -> String {
        fs::read_to_string(self.root.join(file)).unwrap_or_default()
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        fs::write(self.root.join(file), text).unwrap();
    }

    /// Replaces the old text, if it occurs once.
    pub(crate) fn edit(&self, edit: &Edit) -> bool {
        let text = self.text(&edit.file);
        let fits = text.matches(&edit.old).count() == 1;
        if fits {
            self.write(&edit.file, &text.replacen(&edit.old, &edit.new, 1));
        }
        fits
    }

    /// All Rust sources, by path.
    pub(crate) fn sources(&self) -> SortedMap<String, String> {
        let mut found = SortedMap::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if path.is_dir() && name != "target" && !name.starts_with('.') {
                    folders.push(path);
                } else if name.ends_with(".rs") {
                    let relative = path.strip_prefix(&self.root).unwrap().display().to_string();
                    let text = self.text(&relative);
                    found.insert(relative, text);
                }
            }
        }
        found
    }
}

/// The lines of a text from `first` to `last`, from 1.
pub(crate) fn lines(text: &str, first: usize, last: usize) -> String {
    let skipped = text.lines().skip(first.saturating_sub(1));
    skipped.take((last + 1).saturating_sub(first)).map(|line| format!("{line}\n")).collect()
}

/// The last line of the item that starts at a line, both from 1: the first later line of the same
/// indentation that closes it, as rustfmt writes code.
pub(crate) fn end_of_item(text: &str, line: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let all: Vec<&str> = text.lines().collect();
    let Some(first) = all.get(line - 1) else { return line };
    let closes = |it: &str| indent(it) == indent(first) && it.trim_start().starts_with(['}', ')']);
    let rest = all.iter().skip(line);
    let ends = |it: &str| it.trim_end().ends_with('}') || it.trim_end().ends_with(';');
    let mut end = line;
    if first.trim_end().ends_with('}') || first.trim_end().ends_with(';') {
        return line;
    }
    for (number, text) in rest.enumerate() {
        end = line + number + 1;
        if closes(text) && ends(text) {
            return end;
        }
    }
    end
}
