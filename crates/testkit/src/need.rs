//! The requirements that a test may have of the machine. This file is compiled twice: into
//! `testkit`, whose `skip` takes a value of it, and into `xtask`, whose set-up checks which of them
//! the machine meets. So both use the same names. It uses the standard library only.

/// A requirement of a test that a machine may not meet. Git itself is not among them: set-up
/// fails without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// `cargo` and `rustc` in a folder that the user who runs the test may read.
    RustToolchain,
    /// rust-analyzer and the sources of the standard library, of the toolchain's version or newer.
    RustAnalyzer,
    /// The sources of the standard library, of the release that the declarations in
    /// `crates/resolve/sysroot` were made from.
    StdSources,
    /// A user and a mount namespace for the user who runs the tests.
    UserNamespaces,
    /// The same for an ordinary user, if root runs the tests.
    OrdinaryUserNamespaces,
    /// An overlay mount in a user namespace.
    OverlayMounts,
    /// Landlock of version 2 or newer in the kernel.
    Landlock,
    /// Root runs the tests.
    Root,
    /// An ordinary user runs the tests, so that permission bits apply.
    OrdinaryUser,
    /// `user.` attributes on files of the temporary folder.
    UserAttributes,
    /// `/usr/bin/git`, which the sandbox shows to every user.
    GitInUsrBin,
    /// A git that keeps references in tables (2.45 or newer).
    GitReftable,
    /// The suites beside the repository (`../shared/eval`).
    EvaluationData,
    /// A server with a language model, whose address the developer gives in an environment variable.
    ModelServer,
    /// Clients of the Model Context Protocol by others, and Node 22 or newer, in `target/mcp-clients`.
    McpClients,
    /// Ray and its interpreter of Python, in `target/ray`.
    Ray,
    /// Chromium, in a folder of the path.
    Chromium,
    /// The dependencies of `fixtures/apps` in cargo's registry.
    ExampleApps,
}

/// Environment variable with the address of a server for [`Need::ModelServer`].
pub const MODEL_SERVER: &str = "GRAFTAGE_TEST_MODEL_URL";

impl Need {
    /// All requirements in the order of set-up's report.
    pub const ALL: [Need; 18] = [
        Need::RustToolchain,
        Need::RustAnalyzer,
        Need::StdSources,
        Need::UserNamespaces,
        Need::OrdinaryUserNamespaces,
        Need::OverlayMounts,
        Need::Landlock,
        Need::Root,
        Need::OrdinaryUser,
        Need::UserAttributes,
        Need::GitInUsrBin,
        Need::GitReftable,
        Need::EvaluationData,
        Need::ModelServer,
        Need::McpClients,
        Need::Ray,
        Need::Chromium,
        Need::ExampleApps,
    ];

    /// Its name in reports and in the list of skips; no tab, no line end.
    pub fn name(self) -> &'static str {
        match self {
            Need::RustToolchain => "a Rust toolchain",
            Need::RustAnalyzer => "rust-analyzer",
            Need::StdSources => "sources of the standard library",
            Need::UserNamespaces => "user namespaces",
            Need::OrdinaryUserNamespaces => "user namespaces for an ordinary user",
            Need::OverlayMounts => "overlay mounts",
            Need::Landlock => "Landlock",
            Need::Root => "root",
            Need::OrdinaryUser => "an ordinary user",
            Need::UserAttributes => "user attributes",
            Need::GitInUsrBin => "git in /usr/bin",
            Need::GitReftable => "git with reftable",
            Need::EvaluationData => "evaluation data",
            Need::ModelServer => "a server with a language model",
            Need::McpClients => "MCP clients",
            Need::Ray => "Ray",
            Need::Chromium => "Chromium",
            Need::ExampleApps => "dependencies of the example apps",
        }
    }

    /// The requirement of that name.
    pub fn of_name(name: &str) -> Option<Need> {
        Need::ALL.into_iter().find(|need| need.name() == name)
    }
}
