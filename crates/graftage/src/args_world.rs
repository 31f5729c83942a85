//! Arguments of `world`; the doc comments are the help texts.

use clap::{Args as ClapArgs, Subcommand};

/// `world`.
#[derive(Debug, Subcommand)]
pub(crate) enum World {
    /// Play the stories of the project (`stories/*.toml`) in a headless Chromium, in the sandbox. Ends with
    /// status 1 if one fails
    Test(WorldTest),
    /// List the stories of the project
    List {
        /// Only stories whose file or name contains this
        #[arg(long, value_name = "TEXT")]
        filter: Option<String>,
    },
    /// Play one story and show the page after each of its steps: roles, console, events, threads
    Inspect {
        /// Name of the story, or a part of it that no other story has
        story: String,
        /// Write the steps with pictures into this file, which opens without a server
        #[arg(long, value_name = "FILE")]
        html: Option<std::path::PathBuf>,
    },
    /// Serve the workshop: a page on this machine that lists the stories, plays one or all, shows each step with its
    /// picture, and plays again after a change of a story or a source. Ends with Ctrl-C
    Serve {
        /// Port on 127.0.0.1; 0 takes a free one
        #[arg(long, value_name = "PORT", default_value_t = 0)]
        port: u16,
    },
    /// Show the rewards of a run that `world test --trajectory` wrote, or compare two runs story by story: which one is
    /// better, and where. Ends with status 1 if the first run is not the better one
    Rewards(WorldRewards),
    /// Do random actions on the pages of files of stories, until one throws, logs an error or reaches for another
    /// address; prints the shortest way there as a story. Ends with status 1 if there is one
    Explore {
        /// Path of the file of stories, or a part of it
        file: String,
        /// Beginning of the random numbers: the same one does the same actions
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Number of walks, each on a new page
        #[arg(long, value_name = "N", default_value_t = 10)]
        walks: u32,
        /// Most actions of a walk
        #[arg(long, value_name = "N", default_value_t = 30)]
        actions: u32,
    },
    /// Run tests of wasm-bindgen in the browser, without a driver: a runner for cargo
    /// (`CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER="graftage world wasm-test"`). Needs
    /// `wasm-bindgen-test-runner` in the path
    WasmTest {
        /// Module with the tests
        module: std::path::PathBuf,
        /// Arguments of the runner, such as a part of names of tests
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<std::ffi::OsString>,
    },
    /// Print the JSON Schema of files of stories
    Schema,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct WorldTest {
    /// Only stories whose file or name contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// How many stories are played at once [default: 4]
    #[arg(long, value_name = "N")]
    pub(crate) at_once: Option<usize>,
    /// Write the snapshots that stories name (`screenshot`, `role_tree_file`) where they are missing or differ, for
    /// stories that pass otherwise
    #[arg(long)]
    pub(crate) update: bool,
    /// Write each play with its reward and the page after each step into this file, as lines of JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) trajectory: Option<std::path::PathBuf>,
    /// Print the results as JUnit's XML
    #[arg(long, conflicts_with = "json")]
    pub(crate) junit: bool,
    /// Print how long each story took
    #[arg(long)]
    pub(crate) times: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct WorldRewards {
    /// Trajectory of a run; `-` reads standard input
    pub(crate) run: std::path::PathBuf,
    /// Trajectory of another run of the same stories
    pub(crate) other: Option<std::path::PathBuf>,
    /// Only stories whose file or name contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// Only plays that failed
    #[arg(long)]
    pub(crate) failed: bool,
    /// Only plays with at least this reward, in thousandths
    #[arg(long, value_name = "REWARD", default_value_t = 0)]
    pub(crate) least: u32,
    /// Print the lines of the plays in place of their numbers
    #[arg(long, conflicts_with = "other")]
    pub(crate) lines: bool,
}
