//! Targets of links, whether or not they are there.

use std::path::{Path, PathBuf};

/// Most links that are followed, as by the kernel.
const MOST: usize = 40;

/// The path of the file or folder that a path leads to, links followed. Of a link to nothing it is the path
/// that the link names: who makes it makes what the link leads to. `None` if no folder above it is there.
pub fn leads_to(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    let mut at = path.to_owned();
    for _ in 0..MOST {
        let Ok(target) = std::fs::read_link(&at) else { break };
        let folder = at.parent()?;
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        at = base::normal_path(&folder.join(target));
    }
    let there = at.ancestors().find_map(|it| Some((it.canonicalize().ok()?, it)));
    let (real, known) = there?;
    Some(real.join(at.strip_prefix(known).ok()?))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_to_nothing_leads_to_what_it_names() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("src")).unwrap();
        symlink("src/new.rs", root.join("a.txt")).unwrap();
        symlink("a.txt", root.join("b.txt")).unwrap();
        symlink("src", root.join("folder")).unwrap();
        for name in ["a.txt", "b.txt", "folder/new.rs", "src/new.rs"] {
            assert_eq!(leads_to(&root.join(name)), Some(root.join("src/new.rs")), "{name}");
        }
        assert_eq!(leads_to(&root.join("folder")), Some(root.join("src")));
    }
}
