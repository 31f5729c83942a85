//! An open project: the state that all commands share, and the search for its root.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use analyzer::session::Session;
use base::Ctx;
use cargo::{CargoEnv, HostEnv, Trust};
use check::{Ladder, Prover, Tests};
use policy::RungName;
use repo::{Dirs, Git, Project};
use sandbox::Sandbox;

use crate::{Error, Settings, Surroundings};

/// Environment variable with the key of a reranker. It is not a setting because settings are printed.
const RERANKER_KEY: &str = "GRAFTAGE_RERANKER_KEY";

/// An open project with the state that the commands share.
///
/// Invariant: opening a project only reads it and recovers interrupted writes. The toolchain is
/// located by the first check.
pub struct Workspace {
    project: Project,
    sandbox: Sandbox,
    settings: Settings,
    host: HostEnv,
    target_dir: Option<PathBuf>,
    cache_dir: PathBuf,
    models_dir: PathBuf,
    reranker_key: Option<String>,
    prover: OnceLock<Prover>,
    pub(crate) live: OnceLock<Result<Arc<Session>, String>>,
}

impl Workspace {
    /// Opens the project with the root directory `root` (see [`find_root`]).
    ///
    /// # Errors
    /// A root that cannot be read, or an interrupted write that cannot be recovered.
    pub fn open(
        ctx: &Ctx,
        root: &Path,
        settings: &Settings,
        surroundings: &Surroundings,
        sandbox: Sandbox,
    ) -> Result<Self, Error> {
        let dirs =
            Dirs { cache: surroundings.cache_dir.clone(), state: surroundings.state_dir.clone() };
        Ok(Self {
            project: Project::open(ctx, root, dirs)?.with_git(git(surroundings)),
            sandbox,
            settings: settings.clone(),
            host: HostEnv {
                path: surroundings.path.clone(),
                home: surroundings.home.clone(),
                cargo_home: surroundings.cargo_home.clone(),
                rustup_home: surroundings.rustup_home.clone(),
            },
            target_dir: surroundings.target_dir.clone(),
            cache_dir: surroundings.cache_dir.clone(),
            models_dir: surroundings.data_dir.join("models"),
            reranker_key: surroundings.variables.get(RERANKER_KEY).cloned(),
            prover: OnceLock::new(),
            live: OnceLock::new(),
        })
    }

    /// The user's files; the only access for writes.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The sandbox for foreign code.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Directories outside the project that builds may read.
    pub fn trust(&self) -> Trust {
        Trust::new(&self.settings.trust_paths)
    }

    /// The project's index with the last stored map; `refresh` updates it.
    ///
    /// # Errors
    /// An index directory that cannot be read or created.
    pub fn index(&self, ctx: &Ctx) -> Result<ingest::Index, Error> {
        let probe = cargo::ToolchainProbe {
            sandbox: self.sandbox.clone(),
            host: self.host.clone(),
            require: self.settings.sandbox_require,
            trust: self.trust(),
            cache: self.cache_dir.clone(),
            target_dir: self.target_dir.clone(),
        };
        Ok(ingest::Index::open(ctx, &self.project, Some(&probe))?)
    }

    /// Graftage's cache directory.
    pub(crate) fn cache_dir(&self) -> &Path {
        &self.cache_dir
    }

    /// Directory of the models, by hash.
    pub(crate) fn models_dir(&self) -> &Path {
        &self.models_dir
    }

    /// Bearer token for a reranker server.
    pub(crate) fn reranker_key(&self) -> Option<&str> {
        self.reranker_key.as_deref()
    }

    /// Options for rust-analyzer, from the settings.
    pub fn hydrate(&self) -> ingest::Hydrate {
        ingest::Hydrate {
            program: self.settings.analyzer_path.clone(),
            cache_dir: self.cache_dir.clone(),
            runs_project_code: self.settings.analyzer_build_scripts,
            timeout: self.settings.analyzer_timeout,
            memory_bytes: self.settings.analyzer_memory_mb.map(|mb| mb.saturating_mul(1 << 20)),
        }
    }

    /// The prover with toolchain and warm target directory; created by the first call.
    ///
    /// # Errors
    /// A toolchain that is missing or not trusted, or a rust-analyzer that cannot be set up.
    pub fn prover(&self, ctx: &Ctx) -> Result<&Prover, Error> {
        if let Some(prover) = self.prover.get() {
            return Ok(prover);
        }
        let (trust, require) = (self.trust(), self.settings.sandbox_require);
        let toolchain = cargo::locate_toolchain(
            ctx,
            &self.sandbox,
            &self.host,
            self.project.root(),
            &trust,
            require,
        )?;
        let env = CargoEnv {
            sandbox: self.sandbox.clone(),
            host: self.host.clone(),
            toolchain,
            require,
            trust,
            cache: self.cache_dir.clone(),
            offline: self.settings.cargo_offline,
            jobs: self.settings.cargo_jobs,
        };
        let preflight = match self.settings.analyzer_live {
            true => Some(self.preflight(ctx, &env)?),
            false => None,
        };
        let mut prover = Prover::new(ctx, self.project.clone(), env)?
            .with_scopes(self.settings.scopes())
            .with_git(self.settings.overlay_require_git);
        if let Some(preflight) = preflight {
            prover = prover.with_preflight(preflight);
        }
        Ok(self.prover.get_or_init(|| prover))
    }

    /// The ladder of the settings, with the tests of this call.
    pub fn ladder(&self, tests: Tests, filter: Option<String>) -> Ladder {
        Ladder {
            test_code: false,
            analyzer: self.settings.analyzer_live,
            clippy: self.settings.check_clippy,
            tests,
            filter,
            format: true,
            excuse: false,
            timeout: self.settings.check_timeout,
        }
    }

    /// The gate's rules of the settings. They require every rung that was requested, so tests that
    /// could not run do not count as passed.
    pub fn rules(&self, tests: Tests) -> policy::Rules {
        let rules = self.settings.gate.clone();
        let rules = match tests {
            Tests::None => rules,
            Tests::Affected => rules.requiring(RungName::AffectedTests),
            Tests::All => rules.requiring(RungName::AllTests),
        };
        if self.settings.check_clippy { rules.requiring(RungName::Clippy) } else { rules }
    }
}

/// Git with the user's configuration, and with the toolchains that hooks may call.
fn git(surroundings: &Surroundings) -> Git {
    let variables = [
        ("PATH", surroundings.path.clone()),
        ("HOME", surroundings.home.clone().into()),
        ("CARGO_HOME", surroundings.cargo_home.clone().into()),
        ("RUSTUP_HOME", surroundings.rustup_home.clone().into()),
    ];
    Git {
        env: variables
            .into_iter()
            .map(|(name, value)| (name.into(), value))
            .chain(surroundings.git.clone())
            .collect(),
        // Not all of CARGO_HOME: it contains credentials.
        visible: vec![surroundings.cargo_home.join("bin"), surroundings.rustup_home.clone()],
        ..Git::default()
    }
}

/// Size limit of a manifest in bytes.
const LARGEST_MANIFEST: u64 = 16 << 20;

/// The root directory of the workspace that contains `dir`: that of the nearest manifest, or of a
/// workspace manifest above that lists it as a member.
///
/// # Errors
/// [`Error::NoProject`] without a manifest; [`Error::NotDirectory`] and [`Error::Unreadable`].
pub fn find_root(dir: &Path) -> Result<PathBuf, Error> {
    let unreadable = |path: &Path, reason: String| Error::Unreadable {
        path: path.display().to_string(),
        reason,
    };
    let start = dir.canonicalize().map_err(|error| unreadable(dir, error.to_string()))?;
    if !start.is_dir() {
        return Err(Error::NotDirectory(dir.display().to_string()));
    }
    let mut nearest = None;
    for folder in start.ancestors() {
        let manifest = folder.join("Cargo.toml");
        let bytes = match beneath::read_regular(&manifest, LARGEST_MANIFEST) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => continue,
            Err(_) if nearest.is_some() => break,
            Err(fault) => return Err(unreadable(&manifest, fault.to_string())),
        };
        // A manifest that is not valid TOML still marks a project; cargo reports its errors.
        let table: Option<toml::Table> =
            String::from_utf8(bytes).ok().and_then(|text| text.parse().ok());
        let workspace = table.as_ref().and_then(|table| table.get("workspace"));
        match (&nearest, workspace) {
            (None, Some(_)) => return Ok(folder.to_path_buf()),
            (None, None) => nearest = Some(folder.to_path_buf()),
            (Some(member), Some(workspace)) if has_member(folder, workspace, member) => {
                return Ok(folder.to_path_buf());
            }
            (Some(_), _) => {}
        }
    }
    nearest.ok_or_else(|| Error::NoProject(start.display().to_string()))
}

/// The root directory for the map: as [`find_root`], or without a manifest `dir` itself if it or its
/// `src` directory contains Rust files, which are mapped as one crate.
///
/// # Errors
/// As [`find_root`].
pub fn find_sources(dir: &Path) -> Result<PathBuf, Error> {
    let error = match find_root(dir) {
        Err(error @ Error::NoProject(_)) => error,
        found => return found,
    };
    let Ok(folder) = dir.canonicalize() else { return Err(error) };
    let has_rust = |folder: PathBuf| {
        let entries = folder.read_dir().into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.path().extension().is_some_and(|it| it == "rs"))
    };
    let is_source = has_rust(folder.clone()) || has_rust(folder.join("src"));
    if is_source { Ok(folder) } else { Err(error) }
}

/// Whether the workspace at `root` lists `member` and does not exclude it.
fn has_member(root: &Path, workspace: &toml::Value, member: &Path) -> bool {
    let Some(relative) = member.strip_prefix(root).ok().and_then(Path::to_str) else {
        return false;
    };
    let list = |name: &str| {
        let values = workspace.get(name).and_then(toml::Value::as_array);
        values.into_iter().flatten().filter_map(toml::Value::as_str).collect::<Vec<_>>()
    };
    let excluded = list("exclude")
        .iter()
        .any(|folder| Path::new(relative).starts_with(folder.trim_end_matches('/')));
    !excluded && list("members").iter().any(|pattern| matches(pattern, relative))
}

/// Matches cargo's member globs by path component: `*` does not match `/`.
fn matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> =
        pattern.trim_start_matches("./").trim_matches('/').split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    pattern.len() == path.len()
        && pattern.iter().zip(&path).all(|(pattern, part)| match pattern.split_once('*') {
            None => pattern == part,
            Some((before, after)) => {
                part.len() >= before.len() + after.len()
                    && part.starts_with(before)
                    && part.ends_with(after.trim_start_matches('*'))
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        dir
    }

    #[test]
    fn a_member_belongs_to_the_workspace_that_lists_it() {
        let dir = tree(&[
            ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/out\"]\n"),
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("crates/a/src/lib.rs", ""),
            ("crates/out/Cargo.toml", "[package]\nname = \"out\"\n"),
            ("lone/Cargo.toml", "[package]\nname = \"lone\"\n"),
        ]);
        let root = dir.path().canonicalize().unwrap();
        assert_eq!(find_root(&root.join("crates/a/src")).unwrap(), root);
        assert_eq!(find_root(&root.join("crates/out")).unwrap(), root.join("crates/out"));
        assert_eq!(find_root(&root.join("lone")).unwrap(), root.join("lone"));
    }

    #[test]
    fn a_directory_without_a_manifest_is_refused_with_a_hint() {
        let dir = tree(&[("src/lib.rs", "")]);
        let error = find_root(dir.path()).unwrap_err();
        assert!(error.to_string().starts_with("no `Cargo.toml` in `"), "{error}");
        assert_eq!(
            base::Hint::hint(&error).unwrap(),
            "run inside a cargo project, or pass its directory with `-C DIR`"
        );
    }

    #[test]
    fn a_directory_of_sources_without_a_manifest_can_be_mapped() {
        let dir = tree(&[("src/lib.rs", ""), ("docs/a.md", "")]);
        let root = dir.path().canonicalize().unwrap();
        assert_eq!(find_sources(&root).unwrap(), root);
        assert_eq!(find_sources(&root.join("src")).unwrap(), root.join("src"));
        assert!(matches!(find_sources(&root.join("docs")), Err(Error::NoProject(_))));
    }

    #[test]
    fn a_broken_manifest_is_still_a_project() {
        let dir = tree(&[("Cargo.toml", "[package\nname = ")]);
        assert_eq!(find_root(dir.path()).unwrap(), dir.path().canonicalize().unwrap());
    }
}
