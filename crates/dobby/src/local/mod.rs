//! [`LocalServer`]: a server of the user's, such as `llama-server`, that runs one model file, confined like foreign
//! code: it reads the file and its own folder, has no network, and answers on one socket.

mod gguf;
mod guard;

pub(crate) use guard::available as available_memory;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use base::{Ctx, Host, SortedMap, Timestamp};
use sandbox::{Job, JobLimits, Level, Mount, Network, Sandbox, Stream, View};
use untrusted_fs::ScratchFolder;

/// Longest time for a server to load its model.
const START: Duration = Duration::from_secs(180);

/// Time between two looks at whether it is ready.
const LOOK: Duration = Duration::from_millis(50);

/// Longest context that a server is started with, in tokens.
const MOST_CONTEXT: u32 = 8_192;

/// The model in the view of the server.
const MODEL: &str = "/model/weights.gguf";

/// Folder of the socket in the view of the server.
const SOCKETS: &str = "/socket";

/// Name of the socket; `llama-server` takes an address with this ending for one.
const SOCKET: &str = "model.sock";

/// Last line of its output that an error names, in characters.
const LAST: usize = 300;

/// Reason why a local model does not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocalModelError {
    /// The file is no model.
    #[error("`{path}` is no GGUF file: {cause}")]
    NoGguf {
        /// Its path.
        path: String,
        /// Cause.
        cause: String,
    },
    /// The machine has too little memory.
    #[error("the model needs about {needed} MiB of memory, {available} MiB are available")]
    Memory {
        /// Needed, in MiB.
        needed: u64,
        /// Available, in MiB.
        available: u64,
    },
    /// The server cannot be run.
    #[error("`{program}` does not serve the model: {cause}")]
    Server {
        /// Its path.
        program: String,
        /// Cause.
        cause: String,
    },
}

impl base::Hint for LocalModelError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoGguf { .. } => "choose a model in GGUF format".to_owned(),
            Self::Memory { .. } => "end other programs, or choose a smaller model".to_owned(),
            Self::Server { .. } => {
                "set `model.server` to a `llama-server` of llama.cpp, or one with its arguments"
                    .to_owned()
            }
        })
    }
}

/// A model file and the program that runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalServerOptions {
    /// The program, with the arguments of `llama-server`; chosen by the user.
    pub program: PathBuf,
    /// The verified model file.
    pub model: PathBuf,
    /// Folders that the program reads beside the one that it is installed in.
    pub readable: Vec<PathBuf>,
    /// Required protection.
    pub require: Level,
    /// Home of the user, which it does not see.
    pub home: PathBuf,
}

impl LocalServerOptions {
    fn failed(&self, cause: String) -> LocalModelError {
        LocalModelError::Server { program: self.program.display().to_string(), cause }
    }
}

/// A running server; it ends with this value.
pub struct LocalServer {
    folder: ScratchFolder,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LocalServer {
    /// Starts a server and waits until it takes requests.
    ///
    /// # Errors
    /// [`LocalModelError`]: a file that is no model, too little memory, a program that does not serve it.
    pub fn start(
        ctx: &Ctx,
        sandbox: &Sandbox,
        options: &LocalServerOptions,
    ) -> Result<Self, LocalModelError> {
        let context = gguf::context_length(&options.model)?.min(MOST_CONTEXT);
        let memory = guard::check(&options.model, context)?;
        let failed = |cause: String| options.failed(cause);
        let name = || format!("graftage-model-{}", &ctx.fresh_name()[..8]);
        let folder =
            ScratchFolder::new(Path::new("/tmp"), name).map_err(|it| failed(it.to_string()))?;
        let job = job(options, folder.path(), (context, memory));
        let stop: Arc<AtomicBool> = Arc::default();
        let ended: Arc<Mutex<Option<String>>> = Arc::default();
        let (inner, flag, end) = (sandbox.clone(), Arc::clone(&stop), Arc::clone(&ended));
        let own = Ctx::new(Arc::new(StopHost { outer: ctx.clone(), stop: flag }));
        let run = move || {
            let mut last = String::new();
            let outcome = inner.run(&own, &job, &mut |stream, line| {
                if stream == Stream::Stderr && !line.is_empty() {
                    last = String::from_utf8_lossy(line).chars().take(LAST).collect();
                }
            });
            let cause = match outcome {
                Ok(outcome) if outcome.out_of_memory => "it exceeded its memory".to_owned(),
                Ok(outcome) => format!("it ended with status {}: {last}", outcome.exit_code),
                Err(error) => error.to_string(),
            };
            *base::lock(&end) = Some(base::visible_line(&cause));
        };
        let thread = thread::Builder::new().name("local model".to_owned()).spawn(run);
        let thread = thread.map_err(|error| failed(error.to_string()))?;
        let server = Self { folder, stop, thread: Some(thread) };
        server.wait(ctx, options, &ended)?;
        Ok(server)
    }

    /// The socket on which it answers.
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join(SOCKET)
    }

    fn wait(
        &self,
        ctx: &Ctx,
        options: &LocalServerOptions,
        ended: &Mutex<Option<String>>,
    ) -> Result<(), LocalModelError> {
        let until = Instant::now() + START;
        loop {
            if let Some(cause) = base::lock(ended).clone() {
                return Err(options.failed(cause));
            }
            if model::is_ready(&self.socket()) {
                return Ok(());
            }
            if ctx.is_cancelled() {
                return Err(options.failed("interrupted".to_owned()));
            }
            if Instant::now() > until {
                return Err(options.failed(format!("it is not ready after {} s", START.as_secs())));
            }
            thread::sleep(LOOK);
        }
    }
}

impl Drop for LocalServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // A panic of it is on standard error.
            let _ = thread.join();
        }
    }
}

fn job(options: &LocalServerOptions, folder: &Path, (context, memory): (u32, u64)) -> Job {
    let socket = Path::new(SOCKETS).join(SOCKET);
    let mut mounts = Vec::new();
    // `/usr` is in each view.
    let readable = |it: PathBuf| Mount::ReadOnly { host: it.clone(), inside: it };
    mounts.extend(options.readable.iter().cloned().map(readable));
    mounts.extend(installation(&options.program, &options.home).into_iter().map(readable));
    mounts.push(Mount::Sockets { host: folder.to_owned(), inside: SOCKETS.into() });
    mounts.push(Mount::ReadOnly { host: options.model.clone(), inside: MODEL.into() });
    let words: [OsString; 8] = [
        "-m".into(),
        MODEL.into(),
        "--host".into(),
        socket.into(),
        "-c".into(),
        context.to_string().into(),
        "--parallel".into(),
        "1".into(),
    ];
    Job {
        program: options.program.clone(),
        args: words.to_vec(),
        cwd: PathBuf::from("/"),
        env: SortedMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        stdin: Vec::new(),
        view: View { mounts },
        limits: JobLimits {
            wall: Duration::from_secs(24 * 3_600),
            memory_bytes: Some(memory),
            pids: Some(512),
            file_bytes: Some(64 << 20),
            ..JobLimits::default()
        },
        network: Network::Off,
        require: options.require,
    }
}

/// Paths of the host that a program needs which is installed outside of `/usr`: its folder, and the libraries beside
/// that. Never the home, nor a folder around it.
fn installation(program: &Path, home: &Path) -> Vec<PathBuf> {
    let Some(folder) = program.parent().filter(|_| !program.starts_with("/usr")) else {
        return Vec::new();
    };
    if home.starts_with(folder) {
        return vec![program.to_owned()];
    }
    let mut found = vec![folder.to_owned()];
    if let Some(prefix) = folder.parent().filter(|_| folder.ends_with("bin")) {
        let libraries = ["lib", "lib64", "libexec"].map(|it| prefix.join(it));
        // A link among them, such as `lib64`, leads to another one.
        let is_folder = |it: &PathBuf| it.symlink_metadata().is_ok_and(|it| it.is_dir());
        found.extend(libraries.into_iter().filter(|it| is_folder(it) && !home.starts_with(it)));
    }
    found
}

/// A host that stops with its server, too.
struct StopHost {
    outer: Ctx,
    stop: Arc<AtomicBool>,
}

impl Host for StopHost {
    fn now(&self) -> Timestamp {
        self.outer.now()
    }

    fn random(&self) -> [u8; 16] {
        self.outer.random()
    }

    fn log(&self) -> Option<Arc<dyn base::WorkLog>> {
        self.outer.log()
    }

    fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_shown_with_its_folder_and_never_with_the_home() {
        let project = testkit::project("//- /x/bin/server\n//- /x/lib/a.so\n//- /x/secret\n");
        let root = project.root();
        let of = |path: &Path| installation(path, Path::new("/home/u"));
        let expected = vec![root.join("x/bin"), root.join("x/lib")];
        assert_eq!(of(&root.join("x/bin/server")), expected);
        let alone = Path::new("/home/u/server");
        assert_eq!(of(alone), [alone]);
        assert_eq!(of(Path::new("/home/u/bin/server")), [Path::new("/home/u/bin")]);
        assert_eq!(of(Path::new("/home/server")), [Path::new("/home/server")]);
        assert!(of(Path::new("/usr/bin/server")).is_empty());
    }

    #[test]
    fn a_program_that_does_not_serve_is_named_and_leaves_nothing() {
        let project = testkit::project("//- /a\n");
        let model = project.root().join("weights");
        // A head without fields.
        let head = [b"GGUF\x03\0\0\0".as_slice(), &[0; 16]].concat();
        std::fs::write(&model, head).unwrap();
        let options = |model: &Path| LocalServerOptions {
            program: "/usr/bin/false".into(),
            model: model.to_owned(),
            readable: Vec::new(),
            require: testkit::inner::level(),
            home: "/home/u".into(),
        };
        let start = |model: &Path| {
            let started =
                LocalServer::start(&testkit::ctx(), &testkit::inner::sandbox(), &options(model));
            started.err().map(|error| error.to_string()).unwrap_or_default()
        };
        let failed = start(&model);
        assert!(
            failed.contains("`/usr/bin/false` does not serve the model: it ended with status 1"),
            "{failed}"
        );
        assert!(start(&project.root().join("a")).contains("is no GGUF file"));
    }
}
