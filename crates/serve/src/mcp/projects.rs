//! [`Projects`]: the projects that clients may use, each opened once and shared.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::{Ctx, SortedMap};
use code::Follower;
use project::{ExitKind, Workspace};
use tools::ToolError;

/// Opens the project at a root, with the settings of the user.
pub type OpenProject = dyn Fn(&Ctx, &Path) -> Result<Workspace, ToolError> + Send + Sync;

/// The number of projects that are open at once.
const MOST_OPEN: usize = 16;

type Slot = Arc<Mutex<Option<OpenedProject>>>;

struct OpenedProject {
    workspace: Arc<Workspace>,
    _follower: Follower,
}

/// The projects of a server. Each is opened by the first call that needs it, stays open, and follows
/// its files.
pub(crate) struct Projects {
    /// Of the server, which projects belong to: that of a call ends with the call.
    ctx: Ctx,
    open: Box<OpenProject>,
    opened: Mutex<SortedMap<PathBuf, Slot>>,
}

impl Projects {
    /// Projects that `open` opens, with the context of the server.
    pub(crate) fn new(ctx: Ctx, open: Box<OpenProject>) -> Self {
        Self { ctx, open, opened: Mutex::default() }
    }

    /// The context of the server.
    pub(super) fn ctx(&self) -> &Ctx {
        &self.ctx
    }

    /// The open project at a root.
    ///
    /// # Errors
    /// A root without a project, too many projects.
    pub(crate) fn workspace(&self, ctx: &Ctx, root: &Path) -> Result<Arc<Workspace>, ToolError> {
        let slot = {
            let mut opened = base::lock(&self.opened);
            if !opened.contains_key(root) && opened.len() >= MOST_OPEN {
                let reason = format!("{MOST_OPEN} projects are open already");
                return Err(ToolError::new(ExitKind::Input, reason, "start another server"));
            }
            Arc::clone(opened.entry(root.to_owned()).or_default())
        };
        // Others that need the same project wait for it here; other projects do not.
        let mut slot = base::lock(&slot);
        if let Some(opened) = &*slot {
            return Ok(Arc::clone(&opened.workspace));
        }
        let workspace = Arc::new((self.open)(&self.ctx, root)?);
        let _follower = Follower::start(ctx, &workspace)?;
        *slot = Some(OpenedProject { workspace: Arc::clone(&workspace), _follower });
        Ok(workspace)
    }
}

/// The root that a call is for: the only one, or the one that it names by path or last folder.
pub(super) fn choose(roots: &[PathBuf], named: Option<&str>) -> Result<PathBuf, ToolError> {
    let listed = || {
        let paths: Vec<String> = roots.iter().map(|it| it.display().to_string()).collect();
        format!("pass `{ROOT}`, one of: {}", paths.join(", "))
    };
    match (named, roots) {
        (_, []) => Err(ToolError::new(
            ExitKind::Input,
            "the client has no project open",
            "open a folder with a Rust project, or start the server with `-C FOLDER`",
        )),
        (None, [only]) => Ok(only.clone()),
        (None, _) => Err(ToolError::field(ROOT, "several projects are open", listed())),
        (Some(named), _) => {
            let is_named =
                |root: &&PathBuf| root.as_path() == Path::new(named) || root.ends_with(named);
            let mut found = roots.iter().filter(is_named);
            match (found.next(), found.next()) {
                (Some(root), None) => Ok(root.clone()),
                (Some(_), Some(_)) => Err(ToolError::field(ROOT, "ambiguous", listed())),
                (None, _) => {
                    let reason = "not a project of this server; other folders are refused";
                    Err(ToolError::field(ROOT, reason, listed()))
                }
            }
        }
    }
}

/// The argument of a call that names the project, where several are open.
pub(super) const ROOT: &str = "root";

/// The folder of a root as a client sends it: a `file:` URI of an absolute path that exists.
pub(super) fn root_of_uri(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = PathBuf::from(String::from_utf8(percent_decoded(path)?).ok()?);
    let path = path.is_absolute().then_some(path)?;
    path.canonicalize().ok().filter(|it| it.is_dir())
}

/// The bytes of a part of a URI; `None` if an escape is not valid.
pub(super) fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_one_of_the_server() {
        let roots = ["/code/a", "/code/b", "/other/b"].map(PathBuf::from);
        let named = |name: &str| choose(&roots, Some(name)).ok();
        assert_eq!(named("a"), Some(PathBuf::from("/code/a")));
        assert_eq!(named("/other/b"), Some(PathBuf::from("/other/b")));
        assert_eq!(named("other/b"), Some(PathBuf::from("/other/b")));
        for refused in ["b", "/code", "/code/a/../../etc", "..", "", "/", "/etc"] {
            assert_eq!(named(refused), None, "{refused}");
        }
        assert!(choose(&roots, None).is_err() && choose(&[], None).is_err());
        assert_eq!(choose(&roots[..1], None).ok(), Some(PathBuf::from("/code/a")));
    }

    #[test]
    fn a_uri_is_an_absolute_folder() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().canonicalize().unwrap().join("a b");
        std::fs::create_dir(&inner).unwrap();
        let uri = format!("file://{}", inner.display()).replace(' ', "%20");
        assert_eq!(root_of_uri(&uri), Some(inner));
        for wrong in
            ["file://relative", "http:///tmp", "file:///no/such/folder", "file:///%zz", "/"]
        {
            assert_eq!(root_of_uri(wrong), None, "{wrong}");
        }
    }
}
