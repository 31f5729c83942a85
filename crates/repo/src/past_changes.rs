//! What the last commits changed in Rust files, as texts before and after. Git only reads.
//!
//! The repository may be hostile: git's output is split at zeros and by length, never at text that a
//! commit chose; sizes are known before contents are read. Only files that a commit modified count:
//! files that it adds, removes or renames, links and texts that are not UTF-8 show no rewrite. A merge
//! counts as its difference to the first parent. What a shallow or partial clone lacks is left out.

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;

use base::{Ctx, ProjectPath, SortedMap};
use sandbox::Sandbox;
use serde::{Deserialize, Serialize};

use crate::error::RepoError;
use crate::git_files;
use crate::git_run::Runner;
use crate::git_session::Session;
use crate::project::Project;

/// Commits that are looked through for those that touch Rust files.
const MOST_LISTED: usize = 200;
/// The maximum number of Rust files of a commit: a larger one is a move or a new format.
const MOST_FILES: usize = 40;
/// The maximum size of one text in bytes.
const MOST_TEXT: usize = 512 << 10;
/// The maximum size of all texts in bytes.
const MOST_BYTES: usize = 8 << 20;
/// The kept length of a subject in characters.
const MOST_SUBJECT: usize = 60;
/// The time limit of one git command.
const TIME: Duration = Duration::from_secs(5);

/// What one commit changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastChange {
    /// The commit.
    pub id: String,
    /// The first line of its message, shortened, without control characters.
    pub subject: String,
    /// Rust files of the project that it modified, sorted: path, text before, text after.
    pub files: Vec<(ProjectPath, Arc<str>, Arc<str>)>,
}

/// One commit as `git log --raw` lists it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Listed {
    id: String,
    /// Path, object before, object after.
    files: Vec<(ProjectPath, String, String)>,
}

impl Project {
    /// What the last `most` first-parent commits that modify Rust files of the project changed, the
    /// last one first; empty where there is no repository, no commit or no git.
    ///
    /// # Errors
    /// When git fails or takes too long, or the user asked to stop.
    pub fn past_changes(
        &self,
        ctx: &Ctx,
        sandbox: &Sandbox,
        most: usize,
    ) -> Result<Vec<PastChange>, RepoError> {
        let Some(dirs) = git_files::find(self.root()) else { return Ok(Vec::new()) };
        let Some(head) = git_files::head_of_work_tree(self.root()) else { return Ok(Vec::new()) };
        let below = self.root().strip_prefix(&dirs.top).ok().and_then(|below| below.to_str());
        let Some(below) = below else { return Ok(Vec::new()) };
        let prefix = if below.is_empty() { String::new() } else { format!("{below}/") };
        let runner = match Runner::new(sandbox, self.git(), dirs) {
            Err(RepoError::GitMissing | RepoError::GitState { .. }) => return Ok(Vec::new()),
            runner => runner?,
        };
        let mut run = runner.reader(ctx, self)?;
        run.limit_time(TIME);
        let place = if below.is_empty() { "." } else { below };
        let mut commits = listed(&log(&run, &head, place)?, &prefix);
        commits.truncate(most);
        let sizes = sizes(&run, &commits)?;
        let commits = affordable(commits, &sizes);
        let objects = contents(&run, &commits)?;
        Ok(commits.iter().filter_map(|it| past_change(it, &objects)).collect())
    }
}

fn log(run: &Session<'_>, head: &str, place: &str) -> Result<Vec<u8>, RepoError> {
    let most = format!("--max-count={MOST_LISTED}");
    // A header is the byte 1 and the id; no text that a commit chose.
    let args = [
        "log",
        "--first-parent",
        "--diff-merges=first-parent",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--diff-filter=M",
        "--no-ext-diff",
        "--no-show-signature",
        "--no-color",
        "--no-notes",
        &most,
        "--format=%x01%H",
        "-z",
        head,
        "--",
        place,
    ];
    Ok(run.must(&args, &no_fetch(), b"")?.stdout)
}

/// A partial clone must not ask its remote for what it lacks.
pub(crate) fn no_fetch() -> [(&'static str, &'static OsStr); 1] {
    [("GIT_NO_LAZY_FETCH", OsStr::new("1"))]
}

/// The commits of a log that modify Rust files below `prefix`, few enough of them.
fn listed(log: &[u8], prefix: &str) -> Vec<Listed> {
    let mut found: Vec<Listed> = Vec::new();
    let mut fields = log.split(|byte| *byte == 0);
    while let Some(field) = fields.next() {
        let start = field.iter().take_while(|byte| **byte == b'\n').count();
        let field = &field[start..];
        if let Some(id) = field.strip_prefix(&[1]) {
            let id = String::from_utf8_lossy(id).trim().to_owned();
            found.push(Listed { id, files: Vec::new() });
        } else if field.first() == Some(&b':') {
            let path = fields.next().unwrap_or_default();
            if let (Some(last), Some(file)) = (found.last_mut(), modified(field, path, prefix)) {
                last.files.push(file);
            }
        }
    }
    found.retain(|it| is_object(&it.id) && !it.files.is_empty() && it.files.len() <= MOST_FILES);
    for it in &mut found {
        it.files.sort();
    }
    found
}

/// `:100644 100644 <before> <after> M`, and the path.
fn modified(record: &[u8], path: &[u8], prefix: &str) -> Option<(ProjectPath, String, String)> {
    let words: Vec<&str> = std::str::from_utf8(record).ok()?.split(' ').collect();
    let [from, to, before, after, "M"] = words.as_slice() else { return None };
    let is_file = |mode: &str| mode == "100644" || mode == "100755";
    let path = std::str::from_utf8(path).ok()?.strip_prefix(prefix)?;
    let is_wanted = is_file(from.strip_prefix(':')?)
        && is_file(to)
        && path.ends_with(".rs")
        && is_object(before)
        && is_object(after);
    let path = ProjectPath::new(path).ok().filter(|_| is_wanted)?;
    Some((path, (*before).to_owned(), (*after).to_owned()))
}

pub(crate) fn is_object(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|it| it.is_ascii_hexdigit())
}

/// The sizes of all objects, which are few: most commits × most files.
fn sizes(run: &Session<'_>, commits: &[Listed]) -> Result<SortedMap<String, usize>, RepoError> {
    let args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
    let output = run.must(&args, &no_fetch(), request(commits).as_bytes())?.stdout;
    // A missing object: `<name> missing`.
    let size = |line: &str| {
        let (object, size) = line.split_once(' ')?;
        Some((object.to_owned(), size.parse().ok()?))
    };
    Ok(String::from_utf8_lossy(&output).lines().filter_map(size).collect())
}

/// The commits and their files, one object per line.
fn request(commits: &[Listed]) -> String {
    let mut text = String::new();
    for it in commits {
        let files = it.files.iter().flat_map(|(_, before, after)| [before, after]);
        for object in std::iter::once(&it.id).chain(files) {
            text.push_str(object);
            text.push('\n');
        }
    }
    text
}

/// The commits without files that are missing or too large, up to the limit for all texts.
fn affordable(commits: Vec<Listed>, sizes: &SortedMap<String, usize>) -> Vec<Listed> {
    let mut left = MOST_BYTES;
    let mut take = |objects: &[&String]| {
        let known = objects.iter().map(|it| sizes.get(*it).copied().filter(|it| *it <= MOST_TEXT));
        let total = known.sum::<Option<usize>>();
        let rest = total.and_then(|it| left.checked_sub(it));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let fitting = commits.into_iter().filter_map(|mut it| {
        if !take(&[&it.id]) {
            return None;
        }
        it.files.retain(|(_, before, after)| take(&[before, after]));
        (!it.files.is_empty()).then_some(it)
    });
    fitting.collect()
}

/// The contents of all objects of the commits.
fn contents(
    run: &Session<'_>,
    commits: &[Listed],
) -> Result<SortedMap<String, Vec<u8>>, RepoError> {
    if commits.is_empty() {
        return Ok(SortedMap::new());
    }
    let args = ["cat-file", "--batch=%(objectname) %(objectsize)"];
    Ok(batch(&run.must(&args, &no_fetch(), request(commits).as_bytes())?.stdout))
}

/// `<object> <size>\n<bytes>\n`, again and again; ends at what is not of this form.
pub(crate) fn batch(mut output: &[u8]) -> SortedMap<String, Vec<u8>> {
    let mut found = SortedMap::new();
    while let Some(end) = output.iter().position(|byte| *byte == b'\n') {
        let head = String::from_utf8_lossy(&output[..end]).into_owned();
        output = &output[end + 1..];
        let Some((object, size)) = head.split_once(' ') else { break };
        if size == "missing" {
            continue;
        }
        let Ok(size) = size.parse::<usize>() else { break };
        let Some(bytes) = output.get(..size) else { break };
        found.insert(object.to_owned(), bytes.to_vec());
        output = output.get(size.saturating_add(1)..).unwrap_or_default();
    }
    found
}

fn past_change(commit: &Listed, objects: &SortedMap<String, Vec<u8>>) -> Option<PastChange> {
    let text =
        |object: &String| std::str::from_utf8(objects.get(object)?).ok().map(Arc::<str>::from);
    let files = commit
        .files
        .iter()
        .filter_map(|(path, before, after)| Some((path.clone(), text(before)?, text(after)?)));
    let files: Vec<_> = files.collect();
    let subject = subject(objects.get(&commit.id)?);
    (!files.is_empty()).then(|| PastChange { id: commit.id.clone(), subject, files })
}

/// The first line of the message of a commit object, in plain characters.
fn subject(object: &[u8]) -> String {
    let text = String::from_utf8_lossy(object);
    let message = text.split_once("\n\n").map_or("", |it| it.1).trim_start();
    let line = message.lines().next().unwrap_or_default();
    let is_shown = |it: &char| !it.is_control() && !base::is_hidden(*it);
    line.chars().filter(is_shown).take(MOST_SUBJECT).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_log_is_read_and_foreign_paths_are_left_out() {
        let (a, b, c) = ("a".repeat(40), "b".repeat(40), "c".repeat(40));
        let record = |modes: &str, path: &str| format!(":{modes} {a} {b} M\0{path}\0");
        let log = format!(
            "\u{1}{c}\0\n{}{}{}{}",
            record("100644 100644", "lib/src/b.rs"),
            record("100644 120000", "lib/src/link.rs"),
            record("100644 100644", "src/elsewhere.rs"),
            record("100644 100644", "lib/\u{1}README.md"),
        );
        let found = listed(log.as_bytes(), "lib/");
        let path = ProjectPath::new("src/b.rs").unwrap();
        assert_eq!(found, [Listed { id: c, files: vec![(path, a, b)] }]);
        assert!(listed(b"", "").is_empty());
        assert!(listed(b"\x01no id\0:100644", "").is_empty());
    }

    #[test]
    fn contents_are_read_by_length_and_cut_output_ends_them() {
        let found = batch(b"aa 3\nx\ny\nbb missing\ncc 1\nz\ndd 9\ncut");
        assert_eq!(found.get("aa").map(Vec::as_slice), Some(b"x\ny".as_slice()));
        assert_eq!(found.keys().collect::<Vec<_>>(), ["aa", "cc"]);
    }

    #[test]
    fn a_subject_has_no_control_characters() {
        let object = b"tree 1\nauthor A\n\nUse \x1b[31mthe\xff helper\n\nBody";
        assert_eq!(subject(object), "Use [31mthe\u{fffd} helper");
        assert_eq!(subject(b"tree 1"), "");
    }

    #[test]
    fn large_files_are_left_out() {
        let path = |name: &str| ProjectPath::new(name).unwrap();
        let file = |name: &str, before: &str, after: &str| {
            (path(name), before.to_owned(), after.to_owned())
        };
        let files = vec![file("a.rs", "a", "b"), file("b.rs", "a", "big"), file("c.rs", "a", "no")];
        let commit = Listed { id: "id".to_owned(), files };
        let sizes = [("id", 9), ("a", 9), ("b", 9), ("big", MOST_TEXT + 1)];
        let sizes = sizes.into_iter().map(|(name, size)| (name.to_owned(), size)).collect();
        let found = affordable(vec![commit], &sizes);
        assert_eq!(found[0].files, [file("a.rs", "a", "b")]);
    }
}
