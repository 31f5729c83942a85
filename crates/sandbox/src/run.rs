//! Runs one job from start to end: starts the inner stage, forwards output, enforces the wall time
//! and cancellation, and waits until no process of the job is left. Start at [`Sandbox::run`].

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use base::{Ctx, LogEntry, WorkLog};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{PidfdFlags, pidfd_open};

use crate::capture::Capture;
use crate::cgroup::{Bounds, Group};
use crate::known::{self, Known};
use crate::layers::{self, Capabilities, Layers};
use crate::plan::{self, Plan};
use crate::scratch;
use crate::wire::{self, Ended, Report, Spec, Stage};
use crate::{Job, Mount, Outcome, SandboxError, Stream, Upper};

/// The interval at which cancellation is checked.
const TICK: Duration = Duration::from_millis(50);
/// The time that the supervisor of a stopped job has to end the tree before it is killed itself.
const GRACE: Duration = Duration::from_secs(3);

/// Runs jobs through one executable for the inner stage.
#[derive(Clone, Debug)]
pub struct Sandbox {
    inner: PathBuf,
    layers: Layers,
    scratch_root: PathBuf,
    capabilities: Arc<OnceLock<Arc<Capabilities>>>,
    known: Option<Arc<Known>>,
}

impl Sandbox {
    /// `inner` is an executable whose `main` calls [`inner_main_if_asked`] first.
    ///
    /// [`inner_main_if_asked`]: crate::inner_main_if_asked
    pub fn new(inner: PathBuf) -> Self {
        Self::with_layers(inner, Layers::default())
    }

    /// As [`Sandbox::new`], with some layers disabled although they may work: for tests, and to show
    /// the behaviour of a machine without them.
    pub fn with_layers(inner: PathBuf, layers: Layers) -> Self {
        Self {
            inner,
            layers,
            scratch_root: PathBuf::from("/tmp"),
            capabilities: Arc::new(OnceLock::new()),
            known: None,
        }
    }

    /// Uses `folder` instead of `/tmp` for the files of a run: private folders if there are no
    /// namespaces, and the probe of overlays.
    pub fn with_scratch_root(self, folder: PathBuf) -> Self {
        Self { scratch_root: folder, capabilities: Arc::new(OnceLock::new()), ..self }
    }

    /// Keeps what is found out by trying in `file`, which is the program's own, for later processes.
    pub fn with_answers_in(self, file: PathBuf) -> Self {
        let known = Some(Arc::new(Known::open(file, &self.inner)));
        Self { known, capabilities: Arc::new(OnceLock::new()), ..self }
    }

    /// The answer that an earlier process gave to [`Sandbox::learn`], for this machine and user.
    pub fn answer(&self, question: &str) -> Option<String> {
        self.known.as_ref()?.answer(question)
    }

    /// Keeps an answer until the machine or the program is another one, or a run cannot be set up.
    pub fn learn(&self, question: &str, answer: &str) {
        if let Some(known) = &self.known {
            known.learn(question, answer);
        }
    }

    /// The identity of a program, for a question about it: another one after an update in place.
    pub fn identity(program: &Path) -> String {
        known::identity(program)
    }

    /// The capabilities of this machine, probed once per process by using them; where answers are kept
    /// ([`Sandbox::with_answers_in`]), only until all layers have worked.
    pub fn capabilities(&self) -> &Capabilities {
        self.capabilities.get_or_init(|| {
            layers::capabilities(
                &self.inner,
                self.layers,
                &self.scratch_root,
                self.known.as_deref(),
            )
        })
    }

    /// The program that confines single units of a build (see [`unit_wrapper`](crate::unit_wrapper));
    /// `None` without Landlock, which that needs.
    pub fn unit_stage(&self) -> Option<&Path> {
        self.capabilities().landlock.works.then_some(self.inner.as_path())
    }

    /// Runs the job to its end. `on_line` sees each complete line of output as it comes, without
    /// its newline.
    ///
    /// When it returns, no process of the job is left, whatever the job did.
    ///
    /// # Errors
    /// If the job was not run: its level or its view is not available, its program does not exist,
    /// or the inner stage fails. A failure of the program itself is never an error.
    pub fn run(
        &self,
        ctx: &Ctx,
        job: &Job,
        on_line: &mut dyn FnMut(Stream, &[u8]),
    ) -> Result<Outcome, SandboxError> {
        self.run_as(ctx, job, Manner::Plain, on_line)
    }

    /// As [`Sandbox::run`], for a program that runs tests in threads of its own and ends when its `main`
    /// returns: sees an end by a test ([`Outcome::ended_by_test`]). The program is the last of `starts` that
    /// begin in each other's place: 1, or 2 with a shell before it. Needs seccomp; without it such an end is
    /// not seen.
    ///
    /// # Errors
    /// As [`Sandbox::run`].
    pub fn run_tests(
        &self,
        ctx: &Ctx,
        (job, starts): (&Job, u32),
        on_line: &mut dyn FnMut(Stream, &[u8]),
    ) -> Result<Outcome, SandboxError> {
        self.run_as(ctx, job, Manner::SeesEnd { starts }, on_line)
    }

    /// As [`Sandbox::run`], for a build all of whose units go through the unit stage
    /// ([`unit_wrapper`](crate::unit_wrapper)), which answers their questions about files itself.
    ///
    /// # Errors
    /// As [`Sandbox::run`].
    pub fn run_units(
        &self,
        ctx: &Ctx,
        job: &Job,
        on_line: &mut dyn FnMut(Stream, &[u8]),
    ) -> Result<Outcome, SandboxError> {
        self.run_as(ctx, job, Manner::Units, on_line)
    }

    /// As [`Sandbox::run`], interactively: the program's standard input is `input` – the reading
    /// end of a pipe or a socket whose other end the caller keeps – in place of the job's, and
    /// `on_bytes` sees output as it comes, in pieces of any size.
    ///
    /// # Errors
    /// As [`Sandbox::run`].
    pub fn converse(
        &self,
        ctx: &Ctx,
        job: &Job,
        input: OwnedFd,
        on_bytes: &mut dyn FnMut(Stream, &[u8]),
    ) -> Result<Outcome, SandboxError> {
        self.run_as(ctx, job, Manner::Interactive(input), on_bytes)
    }

    fn run_as(
        &self,
        ctx: &Ctx,
        job: &Job,
        manner: Manner,
        on_output: &mut dyn FnMut(Stream, &[u8]),
    ) -> Result<Outcome, SandboxError> {
        let (inner, found, scratch) = (&self.inner, self.capabilities(), &self.scratch_root);
        let cancelled = || ctx.is_cancelled();
        let outcome = run(inner, found, scratch, &cancelled, job, manner, on_output);
        if let (Some(log), Ok(ended)) = (ctx.log(), &outcome) {
            log_job(&*log, job, ended);
        }
        // What worked once does not work any more: the next process tries all again.
        let is_refused = matches!(
            outcome,
            Err(SandboxError::Setup { .. } | SandboxError::OverlayRefused { .. })
        );
        if let (true, Some(known)) = (is_refused, &self.known) {
            known.forget();
        }
        outcome
    }
}

/// The entry of a job: the words of its command that are no values of options, and what it used.
fn log_job(log: &dyn WorkLog, job: &Job, ended: &Outcome) {
    let program = job.program.file_name().unwrap_or(job.program.as_os_str()).to_string_lossy();
    let first = job.args.first().map_or_else(String::new, |it| format!(" {}", it.display()));
    log.finished(&LogEntry {
        name: "job",
        detail: &format!("{program}{first}"),
        micros: ended.duration.as_micros() as u64,
        numbers: &[
            ("cpu_us", ended.cpu.unwrap_or_default().as_micros() as u64),
            ("peak_kib", ended.peak_rss_bytes.unwrap_or(0) >> 10),
            ("exit", ended.exit_code.unsigned_abs().into()),
        ],
    });
}

/// How a job is run.
pub(crate) enum Manner {
    /// With the job's own standard input; output is passed on by lines.
    Plain,
    /// The same, and the supervisor looks at what ends the last of so many programs.
    SeesEnd { starts: u32 },
    /// As the first, for a build of units that are confined.
    Units,
    /// With this standard input; output is passed on as it comes.
    Interactive(OwnedFd),
}

pub(crate) fn run(
    inner: &Path,
    found: &Capabilities,
    scratch_root: &Path,
    is_cancelled: &dyn Fn() -> bool,
    job: &Job,
    manner: Manner,
    on_output: &mut dyn FnMut(Stream, &[u8]),
) -> Result<Outcome, SandboxError> {
    let started = Instant::now();
    let bare = !found.namespaces.works;
    let scratch = if bare {
        Some(scratch::folder(scratch_root).map_err(io("a scratch folder"))?)
    } else {
        None
    };
    let Plan { mut spec, mut protections } =
        plan::plan(job, found, scratch.as_ref().map(untrusted_fs::ScratchFolder::path))?;
    let group = Group::new(
        &found.site,
        Bounds {
            memory_bytes: job.limits.memory_bytes,
            // The supervisors are in the group too, so the limit includes them.
            pids: job.limits.pids.map(|pids| pids + 2),
            kill: bare,
        },
    )
    .map_err(io("making a control group"))?;
    spec.cgroups = group.entrances();
    if bare && (found.site.unified.is_some() || found.site.kill_only.is_some()) {
        protections.tree_kill.push("control group".to_owned());
    }
    let input = match manner {
        Manner::Interactive(input) => Some(input),
        Manner::Plain => None,
        Manner::SeesEnd { starts } => {
            spec.sees_end = Some(starts);
            None
        }
        Manner::Units => {
            spec.seccomp.iter_mut().for_each(|it| it.units = true);
            None
        }
    };
    let is_raw = input.is_some();
    spec.has_input = is_raw;
    let mut stage = InnerStage::start(inner, &spec, &job.stdin, input)?;
    let new = if is_raw { Capture::raw } else { Capture::new };
    let captures = [new(job.limits.output_bytes), new(job.limits.output_bytes)];
    let followed = follow(&mut stage, is_cancelled, started, job, captures, on_output);
    group.kill();
    stage.end();
    tidy_overlays(job);
    let Followed { captures: [stdout, stderr], ready, ended, failed, timed_out, cancelled } =
        followed?;
    if let Some(error) = failed {
        return Err(refusal(job, error));
    }
    if let Some((landlock, degraded)) = ready {
        protections.filesystem.extend(landlock);
        protections.degraded.extend(degraded);
    }
    let out_of_memory = ended.is_some_and(|ended| ended.over_memory) || group.ran_out_of_memory();
    let Some(ended) = ended.or_else(|| {
        // The kernel may have killed the supervisor instead of the program.
        (timed_out || cancelled || out_of_memory).then(|| Ended { code: 137, ..Ended::default() })
    }) else {
        return Err(SandboxError::Inner {
            inner: inner.to_owned(),
            cause: "it ended without a report".to_owned(),
        });
    };
    Ok(Outcome {
        exit_code: ended.code,
        dropped: (stdout.dropped, stderr.dropped),
        stdout: stdout.kept,
        stderr: stderr.kept,
        duration: started.elapsed(),
        cpu: (ended.cpu_micros > 0).then(|| Duration::from_micros(ended.cpu_micros)),
        peak_rss_bytes: (ended.rss_kib > 0).then_some(ended.rss_kib << 10),
        timed_out,
        out_of_memory,
        ended_by_test: ended.by_test,
        cancelled,
        protections,
    })
}

fn io(doing: &'static str) -> impl FnOnce(std::io::Error) -> SandboxError {
    move |source| SandboxError::Io { doing, source }
}

/// The running inner stage.
struct InnerStage {
    child: Child,
    control: UnixStream,
    outputs: [Option<OwnedFd>; 2],
}

impl InnerStage {
    fn start(
        inner: &Path,
        spec: &Spec,
        stdin: &[u8],
        input: Option<OwnedFd>,
    ) -> Result<Self, SandboxError> {
        let (control, theirs) = UnixStream::pair().map_err(io("making a socket"))?;
        let mut child = Command::new(inner)
            .arg(wire::INNER)
            .env_clear()
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| SandboxError::Inner {
                inner: inner.to_owned(),
                cause: error.to_string(),
            })?;
        let outputs =
            [child.stdout.take().map(OwnedFd::from), child.stderr.take().map(OwnedFd::from)];
        let stage = Self { child, control, outputs };
        stage.send(spec, stdin, input).map_err(|error| SandboxError::Inner {
            inner: inner.to_owned(),
            cause: format!("it does not take its orders: {error}"),
        })?;
        Ok(stage)
    }

    fn send(&self, spec: &Spec, stdin: &[u8], input: Option<OwnedFd>) -> std::io::Result<()> {
        self.control.set_write_timeout(Some(Duration::from_secs(10)))?;
        let text = serde_json::to_vec(spec)?;
        let mut message = (text.len() as u64).to_le_bytes().to_vec();
        message.extend_from_slice(&text);
        (&self.control).write_all(&message)?;
        match input {
            Some(input) => wire::send_descriptor(&self.control, &input),
            None => (&self.control).write_all(stdin),
        }
    }

    /// Signals the supervisor to end the tree.
    fn stop(&self) {
        // An error means that the supervisor has already ended.
        let _ = self.control.shutdown(Shutdown::Write);
    }

    /// Waits for the end of the supervisor, which follows that of the tree; kills it after a time.
    fn end(&mut self) {
        self.stop();
        let pid = rustix::process::Pid::from_child(&self.child);
        if let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty()) {
            let grace = Timespec::try_from(GRACE).ok();
            let _ = poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], grace.as_ref());
        }
        // Not an error if it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for InnerStage {
    fn drop(&mut self) {
        self.end();
    }
}

struct Followed {
    captures: [Capture; 2],
    ready: Option<(Option<String>, Vec<String>)>,
    ended: Option<Ended>,
    failed: Option<(Stage, String)>,
    timed_out: bool,
    cancelled: bool,
}

/// Streams the output until the supervisor reports that the tree has ended.
fn follow(
    stage: &mut InnerStage,
    is_cancelled: &dyn Fn() -> bool,
    started: Instant,
    job: &Job,
    captures: [Capture; 2],
    on_line: &mut dyn FnMut(Stream, &[u8]),
) -> Result<Followed, SandboxError> {
    let mut followed = Followed {
        captures,
        ready: None,
        ended: None,
        failed: None,
        timed_out: false,
        cancelled: false,
    };
    let mut reports = Vec::new();
    let mut buffer = vec![0u8; 64 << 10];
    let mut stopped: Option<Instant> = None;
    let mut talking = true;
    let mut drained_by: Option<Instant> = None;
    loop {
        let now = Instant::now();
        if stopped.is_none() {
            followed.timed_out = now.duration_since(started) >= job.limits.wall;
            followed.cancelled = is_cancelled();
            if followed.timed_out || followed.cancelled {
                stage.stop();
                stopped = Some(now);
            }
        }
        if stopped.is_some_and(|at| now.duration_since(at) > GRACE) && talking {
            // An error means that the supervisor has already ended.
            let _ = stage.child.kill();
        }
        if !talking {
            // All writers have ended; the pipes may still contain their output.
            let by = *drained_by.get_or_insert(now + GRACE);
            if now > by || stage.outputs.iter().all(Option::is_none) {
                break;
            }
        }
        let left = job.limits.wall.saturating_sub(now.duration_since(started));
        let pause =
            if stopped.is_none() { TICK.min(left.max(Duration::from_millis(1))) } else { TICK };
        step(stage, &mut followed, &mut reports, &mut buffer, &mut talking, pause, on_line)?;
    }
    for (capture, stream) in followed.captures.iter_mut().zip([Stream::Stdout, Stream::Stderr]) {
        capture.finish(&mut |line| on_line(stream, line));
    }
    Ok(followed)
}

/// Waits for output, a report or the end, at most `pause`, and processes it.
fn step(
    stage: &mut InnerStage,
    followed: &mut Followed,
    reports: &mut Vec<u8>,
    buffer: &mut [u8],
    talking: &mut bool,
    pause: Duration,
    on_line: &mut dyn FnMut(Stream, &[u8]),
) -> Result<(), SandboxError> {
    let mut sources = Vec::with_capacity(3);
    let mut fds = Vec::with_capacity(3);
    for (idx, output) in stage.outputs.iter().enumerate() {
        if let Some(output) = output {
            sources.push(idx);
            fds.push(PollFd::new(output, PollFlags::IN));
        }
    }
    if *talking {
        sources.push(2);
        fds.push(PollFd::new(&stage.control, PollFlags::IN));
    }
    let timeout = Timespec::try_from(pause).ok();
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(io("waiting for output")(error.into())),
    }
    let happened: Vec<usize> = sources
        .iter()
        .zip(&fds)
        .filter(|(_, fd)| !fd.revents().is_empty())
        .map(|(&source, _)| source)
        .collect();
    drop(fds);
    for source in happened {
        if source == 2 {
            let bytes = (&stage.control).read(buffer).unwrap_or(0);
            reports.extend_from_slice(&buffer[..bytes]);
            take_reports(reports, followed);
            *talking = bytes > 0 && followed.ended.is_none();
            continue;
        }
        let stream = [Stream::Stdout, Stream::Stderr][source];
        if let Some(output) = &stage.outputs[source] {
            let more = followed.captures[source]
                .read(output, buffer, &mut |line| on_line(stream, line))
                .map_err(io("reading output"))?;
            if !more {
                stage.outputs[source] = None;
            }
        }
    }
    Ok(())
}

fn take_reports(reports: &mut Vec<u8>, followed: &mut Followed) {
    while let Some(end) = reports.iter().position(|&byte| byte == b'\n') {
        let line: Vec<u8> = reports.drain(..=end).collect();
        match serde_json::from_slice(&line) {
            Ok(Report::Ready { landlock, degraded }) => followed.ready = Some((landlock, degraded)),
            Ok(Report::Failed { at, cause }) => {
                followed.failed.get_or_insert((at, cause));
            }
            Ok(Report::Ended(ended)) => followed.ended = Some(ended),
            // Only the inner stage has the other end of the socket.
            Err(_) => {}
        }
    }
}

fn refusal(job: &Job, (at, cause): (Stage, String)) -> SandboxError {
    match at {
        Stage::Overlay(inside) => SandboxError::OverlayRefused { inside: inside.into(), cause },
        Stage::Mount(inside) => SandboxError::MountRefused { inside: inside.into(), cause },
        Stage::Exec => SandboxError::Exec { program: job.program.clone(), cause },
        Stage::Setup(stage) => SandboxError::Setup { stage, cause },
    }
}

/// Removes the folder without permissions that the kernel leaves in `work`, so that the caller can
/// remove the rest.
fn tidy_overlays(job: &Job) {
    for mount in &job.view.mounts {
        if let Mount::Overlay { upper: Some(Upper { work, .. }), .. } = mount {
            for name in ["work", "index"] {
                let folder = work.join(name);
                if folder.is_dir() {
                    untrusted_fs::remove_scratch(&folder);
                }
            }
        }
    }
}
