//! The job in which a browser runs, with the app whose pages it shows.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::SortedMap;
use sandbox::{Job, JobLimits, Level, Mount, Network, View};

use crate::WorldError;

/// The programs that are tried, in order: the smaller build starts faster.
const PROGRAMS: &[&str] = &[
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The host's folders with fonts and their index.
const FONTS: &[&str] = &["/etc/fonts", "/var/cache/fontconfig"];
/// Settings of the distribution's start scripts.
const SCRIPTS: &str = "/etc/chromium.d";

/// Longest life of a browser.
const LIFE: Duration = Duration::from_secs(6 * 60 * 60);
/// Memory of the browser with all of its pages and the app.
const MEMORY: u64 = 4 << 30;
/// Processes and threads.
const PIDS: u64 = 2_048;

/// The options of Chromium: nothing of its own uses the network, nothing is looked up of the user, windows
/// cannot be opened, and all frames of a page are in one process, so that each can be looked at.
const OPTIONS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    "--user-data-dir=/tmp/profile",
    "--no-first-run",
    "--no-default-browser-check",
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,Translate,MediaRouter,OptimizationHints",
    "--disable-sync",
    "--disable-backgrounding-occluded-windows",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--font-render-hinting=none",
    "--hide-scrollbars",
    "--lang=en-US",
    "--metrics-recording-only",
    "--mute-audio",
    "--no-proxy-server",
    "--password-store=basic",
    "--use-mock-keychain",
];

/// A browser of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserProgram {
    /// Its file.
    pub path: PathBuf,
}

impl BrowserProgram {
    /// The first browser in the folders of a `PATH` value.
    ///
    /// # Errors
    /// Where there is none.
    pub fn find(path: &OsStr) -> Result<Self, WorldError> {
        let mut all = PROGRAMS.iter().flat_map(|name| sandbox::programs(path, name).take(1));
        match all.next() {
            Some(path) => Ok(Self { path }),
            None => Err(WorldError::NoBrowser { searched: PROGRAMS.to_vec() }),
        }
    }
}

/// A built app and how it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppCommand {
    /// Absolute path in the view.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Working directory in the view.
    pub cwd: PathBuf,
    /// Its complete environment.
    pub env: SortedMap<OsString, OsString>,
    /// The visible part of the file system besides the system.
    pub view: View,
}

/// The job of a browser. Its input is the socket, which becomes both ends of the pipe that Chromium expects; the
/// app gets neither.
pub(super) fn job(
    program: &BrowserProgram,
    app: Option<&AppCommand>,
    require: Level,
    is_confined: bool,
) -> Job {
    let mut view = View::default();
    for path in FONTS.iter().chain([&SCRIPTS]).map(PathBuf::from).filter(|it| it.exists()) {
        view.mounts.push(Mount::ReadOnly { host: path.clone(), inside: path });
    }
    let folder = program.path.parent().unwrap_or(Path::new("/usr/bin"));
    if !folder.starts_with("/usr") && !folder.starts_with("/bin") {
        view.mounts.push(Mount::ReadOnly { host: folder.to_owned(), inside: folder.to_owned() });
    }
    let mut script = OsString::new();
    if let Some(app) = app {
        view.mounts.extend(app.view.mounts.iter().cloned());
        script.push("(cd ");
        script.push(quoted(app.cwd.as_os_str()));
        script.push(" && exec /usr/bin/env -i");
        for (name, value) in &app.env {
            let mut pair = name.clone();
            pair.push("=");
            pair.push(value);
            script.push(" ");
            script.push(quoted(&pair));
        }
        for word in
            [app.program.as_os_str()].into_iter().chain(app.args.iter().map(OsString::as_os_str))
        {
            script.push(" ");
            script.push(quoted(word));
        }
        script.push(") </dev/null 2>&1 & ");
    }
    script.push("exec \"$0\" \"$@\" 3<&0 4<&0 </dev/null >&2");
    let mut args = vec!["-c".into(), script, program.path.clone().into_os_string()];
    args.extend(OPTIONS.iter().map(OsString::from));
    if is_confined {
        args.push("--no-sandbox".into());
    }
    args.push("about:blank".into());
    let env = [
        ("HOME", "/tmp"),
        ("LANG", "C.UTF-8"),
        ("PATH", "/usr/bin:/bin"),
        ("TZ", "UTC"),
        // No bus: it would be looked for, and start one.
        ("DBUS_SESSION_BUS_ADDRESS", "disabled:"),
        ("DBUS_SYSTEM_BUS_ADDRESS", "disabled:"),
    ];
    Job {
        program: "/bin/sh".into(),
        args,
        cwd: "/tmp".into(),
        env: env.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        stdin: Vec::new(),
        view,
        limits: JobLimits {
            wall: LIFE,
            cpu: None,
            memory_bytes: Some(MEMORY),
            pids: Some(PIDS),
            file_bytes: Some(1 << 30),
            output_bytes: 64 << 10,
        },
        network: Network::Loopback,
        require,
    }
}

/// A word of a shell.
fn quoted(word: &OsStr) -> OsString {
    use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
    let mut quoted = vec![b'\''];
    for byte in word.as_bytes() {
        match byte {
            b'\'' => quoted.extend_from_slice(b"'\\''"),
            byte => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    OsString::from_vec(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_an_app_are_no_commands_of_the_shell() {
        assert_eq!(quoted("a'b; $(c)".as_ref()), "'a'\\''b; $(c)'");
    }

    #[test]
    fn without_a_browser_the_error_lists_what_was_searched() {
        let error = BrowserProgram::find("/nowhere".as_ref()).unwrap_err();
        assert!(error.to_string().starts_with("no browser: none of chromium-headless-shell, "));
    }
}
