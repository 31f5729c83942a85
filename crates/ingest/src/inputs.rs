//! The inputs of the map besides Rust files: cargo's metadata and rustc's cfg, cached while nothing
//! they depend on changed. Start at [`inputs`].

use std::path::{Path, PathBuf};

use base::{ContentHash, Ctx, Hasher, ProjectPath};
use build::{Manifests, OutsideFolder, OutsideFolders, ToolchainProbe};
use graph::ProblemRow;
use serde::{Deserialize, Serialize};

use crate::IngestError;
use crate::discover::{Tree, problem};
use crate::guess::guess;
use crate::sealed::{self, Format, SealedFile, seal};

const FILE: &str = "inputs.bin";
/// Size limit in bytes of a file that the inputs depend on.
const LARGEST: u64 = 64 << 20;
const FORMAT: Format = Format { kind: *b"inpt", version: 2 };

/// The inputs of the map besides the Rust files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Inputs {
    /// Hash of everything that these inputs were computed from.
    pub(crate) key: Option<ContentHash>,
    pub(crate) manifests: Manifests,
    /// `rustc --print cfg` of this host.
    pub(crate) cfg: Vec<String>,
    pub(crate) problems: Vec<ProblemRow>,
}

impl Inputs {
    /// Two inputs with the same fingerprint produce the same crates.
    pub(crate) fn fingerprint(&self) -> ContentHash {
        let bytes = postcard::to_stdvec(&(&self.manifests, &self.cfg, &self.problems));
        ContentHash::of(&bytes.unwrap_or_default())
    }
}

/// Runs cargo and rustc for the tree, or returns the cached inputs from `folder` if nothing they
/// depend on changed: then no process is started.
pub(crate) fn inputs(
    ctx: &Ctx,
    root: &Path,
    folder: Option<&Path>,
    probe: Option<&ToolchainProbe>,
    tree: &Tree,
) -> Result<Inputs, IngestError> {
    let toolchain = probe.map(|probe| probe.key(root)).transpose();
    let trust = probe.map(|probe| probe.trust.clone()).unwrap_or_default();
    let folder_of = |manifest: &ProjectPath| match manifest.parent() {
        Some(folder) => folder.join_to(root),
        None => root.to_owned(),
    };
    let packages = tree.manifests.iter().map(folder_of).collect();
    let outside = build::outside_paths_of(root, packages, &trust);
    let key = key(root, tree, &toolchain, &outside);
    let file = folder.map(|folder| folder.join(FILE));
    // A damaged cache is recomputed without a report.
    if let Some(inputs) = file.as_deref().and_then(kept)
        && inputs.key == Some(key)
    {
        return Ok(inputs);
    }
    let missing = toolchain.as_ref().err().map(ToString::to_string);
    let mut inputs = compute(ctx, root, probe, tree, missing.as_ref())?;
    inputs.key = Some(key);
    inputs.problems.extend(outside.left_out.iter().map(left_out));
    inputs.problems.sort();
    if let (Some(file), Ok(content)) = (file, postcard::to_stdvec(&inputs)) {
        // If it cannot be written it is recomputed the next time.
        let _ = sealed::replace(&file, &[&seal(FORMAT, &content)]);
    }
    Ok(inputs)
}

fn kept(file: &Path) -> Option<Inputs> {
    match sealed::read(FORMAT, file) {
        SealedFile::Content(content) => postcard::from_bytes(&content).ok(),
        SealedFile::Missing | SealedFile::Damaged(_) => None,
    }
}

fn compute(
    ctx: &Ctx,
    root: &Path,
    probe: Option<&ToolchainProbe>,
    tree: &Tree,
    no_toolchain: Option<&String>,
) -> Result<Inputs, IngestError> {
    let mut inputs = Inputs::default();
    let manifest = manifest_path();
    let has_manifest = tree.manifests.contains(&manifest);
    let env = match (probe, no_toolchain) {
        (Some(probe), None) => match probe.env(ctx, root) {
            Ok(env) => Some(env),
            Err(build::CargoError::Cancelled(stop)) => return Err(stop.into()),
            Err(err) => {
                inputs.problems.push(problem(&manifest, "toolchain", err.to_string()));
                None
            }
        },
        (_, reason) => {
            inputs.problems.extend(reason.map(|it| problem(&manifest, "toolchain", it.clone())));
            None
        }
    };
    let manifests = match &env {
        Some(env) if has_manifest => match build::manifests(ctx, env, root) {
            Ok(manifests) => Some(manifests),
            Err(build::CargoError::Cancelled(stop)) => return Err(stop.into()),
            Err(err) => {
                let message = format!("{err}; crates were guessed from the manifests alone");
                inputs.problems.push(problem(&manifest, "metadata", message));
                None
            }
        },
        _ => None,
    };
    inputs.manifests = match manifests {
        Some(manifests) => manifests,
        None => guess(root, tree),
    };
    let cfg = env.as_ref().map(|env| build::host_cfg(ctx, env));
    inputs.cfg = match cfg {
        Some(Ok(cfg)) => cfg,
        Some(Err(build::CargoError::Cancelled(stop))) => return Err(stop.into()),
        Some(Err(err)) => {
            inputs.problems.push(problem(&manifest, "host cfg", err.to_string()));
            guessed_cfg()
        }
        None => guessed_cfg(),
    };
    inputs.problems.sort();
    Ok(inputs)
}

/// The problem for a path dependency that is outside every view.
fn left_out(outside: &OutsideFolder) -> ProblemRow {
    let message = format!(
        "`{}` is outside the project and not trusted, so it was left out (`{}` names it); \
         `--trust-path {}` allows it",
        outside.folder.display(),
        outside.named_by.display(),
        outside.folder.display()
    );
    problem(&manifest_path(), "path dependency", message)
}

/// Problems of the whole project have this path.
pub(crate) fn manifest_path() -> ProjectPath {
    #[allow(clippy::expect_used, reason = "a constant that is a path")]
    ProjectPath::new("Cargo.toml").expect("a file's name is a path")
}

/// Hash of everything that the inputs are computed from: manifests, lock file, cargo's
/// configuration, the toolchain, and the files in cargo's default target directories.
fn key(
    root: &Path,
    tree: &Tree,
    toolchain: &Result<Option<ContentHash>, impl std::fmt::Display>,
    outside: &OutsideFolders,
) -> ContentHash {
    let mut hasher = Hasher::new();
    match toolchain {
        Ok(Some(key)) => hasher.field(b"toolchain").field(key.as_bytes()),
        Ok(None) => hasher.field(b"none"),
        Err(error) => hasher.field(b"missing").field(error.to_string().as_bytes()),
    };
    let mut file = |path: PathBuf| {
        // Above the tree the files belong to the user, who may use links.
        let is_ours = path.starts_with(root);
        let read = if is_ours { untrusted_fs::read_regular } else { untrusted_fs::read_own };
        let bytes = read(&path, LARGEST).ok().flatten();
        hasher.field(path.as_os_str().as_encoded_bytes());
        hasher.field(&[u8::from(bytes.is_some())]).field(&bytes.unwrap_or_default());
    };
    file(root.join("Cargo.lock"));
    for name in [".cargo/config.toml", ".cargo/config"] {
        root.ancestors().for_each(|dir| file(dir.join(name)));
    }
    tree.manifests.iter().for_each(|path| file(path.join_to(root)));
    // Path dependencies outside the tree decide whether cargo accepts it, including missing ones.
    outside.shown.iter().for_each(|dir| file(dir.join("Cargo.toml")));
    for left_out in &outside.left_out {
        hasher.field(left_out.folder.as_os_str().as_encoded_bytes());
    }
    for path in tree.rust.iter().filter(|path| may_be_root(path)) {
        hasher.field(path.as_str().as_bytes());
    }
    for (link, real) in &tree.links {
        hasher.field(link.as_str().as_bytes()).field(real.as_str().as_bytes());
    }
    hasher.finish()
}

/// Whether cargo may take the file for a target by default.
fn may_be_root(path: &ProjectPath) -> bool {
    const FOLDERS: [&str; 4] = ["bin", "tests", "examples", "benches"];
    let name = path.file_name();
    let folder = path.parent();
    let folder_name = folder.as_ref().map(ProjectPath::file_name);
    let above = folder.as_ref().and_then(ProjectPath::parent);
    matches!(name, "lib.rs" | "main.rs" | "build.rs")
        || folder_name.is_some_and(|name| FOLDERS.contains(&name))
        || (name == "main.rs" && above.is_some_and(|it| FOLDERS.contains(&it.file_name())))
}

/// The cfg of the host as far as known without a compiler.
fn guessed_cfg() -> Vec<String> {
    use std::env::consts;
    let mut cfg = vec![
        "debug_assertions".to_owned(),
        consts::FAMILY.to_owned(),
        "panic=\"unwind\"".to_owned(),
        format!("target_arch=\"{}\"", consts::ARCH),
        format!("target_endian=\"{}\"", if cfg!(target_endian = "big") { "big" } else { "little" }),
        format!("target_family=\"{}\"", consts::FAMILY),
        format!("target_os=\"{}\"", consts::OS),
        format!("target_pointer_width=\"{}\"", usize::BITS),
    ];
    for width in ["8", "16", "32", "64", "ptr"] {
        cfg.push(format!("target_has_atomic=\"{width}\""));
    }
    if cfg!(target_os = "linux") {
        cfg.push("target_env=\"gnu\"".to_owned());
    }
    cfg.push("target_has_atomic".to_owned());
    cfg.sort();
    cfg
}
