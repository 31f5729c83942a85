//! Probes which layers work on this machine, by using them. Start at [`Capabilities`].

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use base::SortedMap;
use serde::Serialize;

use crate::cgroup::{self, Site};
use crate::error::SetupStep;
use crate::known::Known;
use crate::scratch;
use crate::{Job, JobLimits, Level, Mount, Network, SandboxError, Upper, View, run, sys, wire};

/// The layers that may be used: all of them, except in tests of their absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Layers {
    /// User, mount, process, network, IPC and host-name namespaces.
    pub namespaces: bool,
    /// Overlay file systems within the mount namespace.
    pub overlay: bool,
    /// Landlock.
    pub landlock: bool,
    /// The system call filter.
    pub seccomp: bool,
    /// Control groups.
    pub cgroups: bool,
}

impl Default for Layers {
    fn default() -> Self {
        Self { namespaces: true, overlay: true, landlock: true, seccomp: true, cgroups: true }
    }
}

/// The result of probing one layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Whether it worked when it was tried.
    pub works: bool,
    /// The form in which it works, or the reason why it does not.
    pub detail: String,
}

/// The capabilities of a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Capabilities {
    /// The highest level that can be met.
    pub level: Level,
    /// User, mount, process, network, IPC and host-name namespaces.
    pub namespaces: Finding,
    /// Overlay file systems within the mount namespace.
    pub overlay: Finding,
    /// Landlock.
    pub landlock: Finding,
    /// The system call filter.
    pub seccomp: Finding,
    /// Memory limits of a whole tree by the kernel.
    pub memory: Finding,
    /// Process limits of a whole tree by the kernel.
    pub processes: Finding,
    /// A hint for each missing layer, as a fragment.
    pub advice: Vec<String>,
    #[serde(skip)]
    pub(crate) site: Site,
    #[serde(skip)]
    pub(crate) landlock_version: u32,
}

/// The capabilities of this machine through `inner`, probed once per process.
pub(crate) fn capabilities(
    inner: &Path,
    layers: Layers,
    scratch_root: &Path,
    known: Option<&Known>,
) -> Arc<Capabilities> {
    type Probed = SortedMap<(PathBuf, Layers, PathBuf), Arc<OnceLock<Arc<Capabilities>>>>;
    static PROBED: Mutex<Probed> = Mutex::new(SortedMap::new());
    let slot = {
        let mut probed = base::lock(&PROBED);
        Arc::clone(probed.entry((inner.to_owned(), layers, scratch_root.to_owned())).or_default())
    };
    Arc::clone(slot.get_or_init(|| Arc::new(probe(inner, layers, scratch_root, known))))
}

/// Starts with every layer and disables the failing ones until a run succeeds.
fn probe(inner: &Path, layers: Layers, scratch_root: &Path, known: Option<&Known>) -> Capabilities {
    scratch::sweep(scratch_root);
    let off = |on: bool| Finding {
        works: on,
        detail: if on { "works".to_owned() } else { "switched off".to_owned() },
    };
    let site = if layers.cgroups { cgroup::locate(inner) } else { Site::default() };
    let mut found = Capabilities {
        level: Level::Strong,
        namespaces: off(layers.namespaces),
        overlay: off(layers.overlay && layers.namespaces),
        landlock: off(layers.landlock),
        seccomp: off(layers.seccomp),
        memory: off(layers.cgroups),
        processes: off(layers.cgroups),
        advice: Vec::new(),
        landlock_version: if layers.landlock { sys::landlock_version() } else { 0 },
        site,
    };
    if layers.landlock && found.landlock_version == 0 {
        found.landlock = missing("the kernel has none");
    }
    if layers.cgroups {
        found.memory = controller(found.site.memory.is_some(), found.site.unified.is_some());
        found.processes = controller(found.site.pids.is_some(), found.site.unified.is_some());
    }
    let all = format!("{layers:?}, Landlock {}, {scratch_root:?}", found.landlock_version);
    if known.and_then(|it| it.answer(&all)).is_none() {
        for attempts in 0..6 {
            match attempt(inner, &found, scratch_root) {
                Ok(()) => {
                    if let (0, Some(known)) = (attempts, known) {
                        known.learn(&all, "works");
                    }
                    break;
                }
                Err(error) => disable_failing_layer(&mut found, &error),
            }
        }
    }
    found.level = level(&found);
    found.advice = advice(&found);
    found
}

fn attempt(inner: &Path, found: &Capabilities, scratch_root: &Path) -> Result<(), SandboxError> {
    let scratch = scratch::folder(scratch_root)
        .map_err(|source| SandboxError::Io { doing: "making a scratch folder", source })?;
    let mut mounts = vec![Mount::ReadOnly { host: inner.to_owned(), inside: inner.to_owned() }];
    if found.overlay.works {
        let [lower, upper, work] = ["lower", "upper", "work"].map(|name| scratch.path().join(name));
        for folder in [&lower, &upper, &work] {
            std::fs::create_dir(folder)
                .map_err(|source| SandboxError::Io { doing: "making a scratch folder", source })?;
        }
        mounts.push(Mount::Overlay {
            lowers: vec![lower],
            upper: Some(Upper { folder: upper, work }),
            inside: "/tmp/overlay".into(),
        });
    }
    let job = Job {
        program: inner.to_owned(),
        args: vec![wire::TRUE.into()],
        cwd: "/".into(),
        env: SortedMap::new(),
        stdin: Vec::new(),
        view: View { mounts },
        limits: JobLimits::default(),
        network: Network::Off,
        require: Level::BestEffort,
    };
    let outcome =
        run::run(inner, found, scratch_root, &|| false, &job, run::Manner::Plain, &mut |_, _| {})?;
    if outcome.exit_code == 0 {
        return Ok(());
    }
    Err(SandboxError::Setup {
        stage: SetupStep::Other("the probe's program".into()),
        cause: format!("ended with {}", outcome.exit_code),
    })
}

/// Switches off the layer that `error` names, or else the most demanding one that is left.
fn disable_failing_layer(found: &mut Capabilities, error: &SandboxError) {
    let layer = match error {
        SandboxError::OverlayRefused { .. } => &mut found.overlay,
        SandboxError::Setup { stage: SetupStep::Landlock, .. } => {
            found.landlock_version = 0;
            &mut found.landlock
        }
        SandboxError::Setup { stage: SetupStep::Seccomp, .. } => &mut found.seccomp,
        SandboxError::Setup { stage: SetupStep::ControlGroup, .. } => {
            found.site = Site::default();
            found.processes = missing(&error.to_string());
            &mut found.memory
        }
        _ if found.namespaces.works => {
            found.overlay = missing("needs namespaces");
            &mut found.namespaces
        }
        _ if found.landlock.works => {
            found.landlock_version = 0;
            &mut found.landlock
        }
        _ => &mut found.seccomp,
    };
    *layer = missing(&error.to_string());
}

fn missing(why: &str) -> Finding {
    Finding { works: false, detail: why.to_owned() }
}

fn controller(first: bool, second: bool) -> Finding {
    match (first, second) {
        (_, true) => Finding { works: true, detail: "control groups v2".to_owned() },
        (true, _) => Finding { works: true, detail: "control groups v1".to_owned() },
        (false, false) => missing("no control group may be made here"),
    }
}

fn level(found: &Capabilities) -> Level {
    let confined = found.namespaces.works || found.landlock.works;
    match (found.seccomp.works, confined) {
        (true, true) if found.namespaces.works && found.landlock.works => Level::Strong,
        (true, true) => Level::Standard,
        _ => Level::BestEffort,
    }
}

/// A hint for each missing layer.
fn advice(found: &Capabilities) -> Vec<String> {
    let mut advice = Vec::new();
    if !found.namespaces.works {
        advice.push(
            "for namespaces set the sysctls `user.max_user_namespaces` above 0, \
             `kernel.unprivileged_userns_clone=1` and \
             `kernel.apparmor_restrict_unprivileged_userns=0` where they exist; in a container \
             allow `unshare` and `mount` (`--security-opt seccomp=unconfined`)"
                .to_owned(),
        );
    } else if !found.overlay.works {
        advice.push("for overlays use Linux 5.11 or newer; copies are used instead".to_owned());
    }
    if !found.landlock.works {
        advice
            .push("for Landlock use Linux 5.19 or newer and boot with `lsm=landlock,…`".to_owned());
    }
    if !found.seccomp.works {
        advice
            .push("for the system call filter use a kernel with CONFIG_SECCOMP_FILTER".to_owned());
    }
    if !found.memory.works {
        advice.push(
            "for memory limits kept by the kernel start in a delegated control group \
             (`systemd-run --user --scope`); a watch takes its place"
                .to_owned(),
        );
    }
    advice
}
