//! The objects of a commit: its tree, and the commit itself, made by git's plumbing in a session that keeps
//! nothing by itself.

use crate::commit_hooks::{MESSAGE, TREE_INDEX};
use crate::error::RepoError;
use crate::git_session::Session;

/// Writes the tree of HEAD with the changes, by an index of its own.
pub(crate) fn write_tree(
    run: &Session<'_>,
    head: Option<&str>,
    changes: &[u8],
) -> Result<String, RepoError> {
    let tree_index = run.path(TREE_INDEX);
    let with_tree_index = [("GIT_INDEX_FILE", tree_index.as_os_str())];
    match head {
        Some(head) => run.must(&["read-tree", head], &with_tree_index, b"")?,
        None => run.must(&["read-tree", "--empty"], &with_tree_index, b"")?,
    };
    let update = ["update-index", "-z", "--index-info"];
    run.must(&update, &with_tree_index, changes)?;
    let tree = run.must(&["write-tree"], &with_tree_index, b"")?.text();
    if let Some(head) = head {
        let former = run.must(&["rev-parse", &format!("{head}^{{tree}}")], &[], b"")?.text();
        if former == tree {
            let reason = "to git the change is none (line endings that git normalises?)";
            return Err(RepoError::GitState { reason: reason.to_owned() });
        }
    }
    Ok(tree)
}

/// The tree and the objects below it that HEAD does not have.
pub(crate) fn new_objects(
    run: &Session<'_>,
    head: Option<&str>,
    tree: &str,
) -> Result<Vec<String>, RepoError> {
    let mut ids = vec![tree.to_owned()];
    let listed = match head {
        // `:<mode> <mode> <object> <object> <status>` NUL `<path>` NUL
        Some(head) => {
            let args = ["diff-tree", "-r", "-t", "-z", "--no-renames", "--raw", "--no-abbrev"];
            let listed = run.must(&[&args[..], &[head, tree]].concat(), &[], b"")?.stdout;
            let heads = listed.split(|byte| *byte == 0).filter_map(|it| it.strip_prefix(b":"));
            heads.map(|it| word(it, 3)).collect::<Vec<_>>()
        }
        // `<mode> <type> <object>` TAB `<path>` NUL
        None => {
            let listed = run.must(&["ls-tree", "-r", "-t", "-z", tree], &[], b"")?.stdout;
            listed.split(|byte| *byte == 0).map(|it| word(it, 2)).collect()
        }
    };
    ids.extend(listed.into_iter().filter(|id| id.bytes().any(|byte| byte != b'0')));
    Ok(ids)
}

/// Makes the commit of a tree.
pub(crate) fn commit_tree(
    run: &Session<'_>,
    head: Option<&str>,
    tree: &str,
    message: &[u8],
) -> Result<String, RepoError> {
    run.write(MESSAGE, message)?;
    let message = run.path(MESSAGE).to_string_lossy().into_owned();
    let mut args = vec!["commit-tree", tree, "-F", message.as_str()];
    if let Some(head) = head {
        args.extend(["-p", head]);
    }
    let signs = run.git(&["config", "--type=bool", "commit.gpgSign"], &[], b"")?;
    if signs.text() == "true" {
        args.push("-S");
    }
    Ok(run.must(&args, &[], b"")?.text())
}

/// Refuses files of git-lfs: its filter stores their contents in the git folder, which nothing but git
/// itself writes, so that the commit would name contents that exist nowhere.
pub(crate) fn refuse_lfs(run: &Session<'_>, paths: &[String]) -> Result<(), RepoError> {
    // `<path>` NUL `filter` NUL `<value>` NUL
    let listed = run.with_paths(&["check-attr", "-z", "filter", "--"], paths)?;
    let words: Vec<&[u8]> = listed.split(|byte| *byte == 0).collect();
    match words.chunks(3).find(|it| it.get(2) == Some(&&b"lfs"[..])) {
        Some([path, ..]) => {
            let path = String::from_utf8_lossy(path);
            let reason = format!("`{path}` is a file of git-lfs; leave out `--commit`");
            Err(RepoError::GitState { reason })
        }
        _ => Ok(()),
    }
}

/// The word of this index of a record.
fn word(record: &[u8], idx: usize) -> String {
    let mut words = record.split(|byte| matches!(byte, b' ' | b'\t'));
    String::from_utf8_lossy(words.nth(idx).unwrap_or_default()).into_owned()
}
