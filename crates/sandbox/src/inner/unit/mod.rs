//! The unit stage: one compiler or build script of a build, which may write the output of its own unit
//! and nothing else of the target directory.
//!
//! cargo, which is trusted, starts it instead of the compiler (a wrapper whose text is
//! [`unit_wrapper`](crate::unit_wrapper)). A compiler loads macros, which are foreign code, so it
//! writes a private folder; this process, which runs nothing foreign, moves the files that have the
//! unit's name from there to where cargo expects them. A build script gets a small file in its place
//! that starts this stage again, and may write its `OUT_DIR`, a private `TMPDIR` and `HOME`, and its
//! package where the view permits that. Landlock enforces both for all their children too.
//!
//! So foreign code of one unit cannot forge what another unit is built from: artefacts, fingerprints,
//! dependency files, incremental data. A process that is confined already (a compiler that a build
//! script starts) is not confined again.
//!
//! A unit reads the project through calls that this process answers, and leaves a record of what it read
//! (`reads.rs`). A build script begins with an empty `OUT_DIR`, as in a cold build.

mod arguments;
mod caller;
mod calls;
mod facts;
mod fault;
mod guard;
mod libraries;
mod outputs;
mod program;
mod reads;
mod record;
mod sight;
mod tokens;
mod walk;

use std::ffi::OsString;
use std::io::{PipeReader, Read, Write};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base::SortedSet;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, WaitOptions, pidfd_open, waitpid};

use super::landlock;
use super::variables::Variables;
use crate::sys::notice::{Listener, message_on, notify, refuse};
use crate::sys::{self, Fork};
use crate::wire;
use arguments::CompilerCall;
use caller::Caller;
use fault::UnitFault;
use guard::Guard;
pub use guard::{LAUNCHER, unit_wrapper};
use libraries::GivenLibraries;
use outputs::UnitOutputs;
use reads::Reads;
use record::Record;
pub use record::UnitRecord;
use sight::Target;
use tokens::Tokens;

/// The exit status of cargo's children that fail for a reason of ours.
const FAILED: i32 = 101;

/// The folder in the target directory with the private folders of units.
const UNITS: &str = ".units";

/// A folder that a unit may use besides its output.
struct PrivateFolder {
    all: untrusted_fs::Dir,
    name: String,
    path: PathBuf,
    /// A folder beside it, which only this process writes.
    lists: PathBuf,
}

/// Runs the compiler of the command line `stage word wrapper compiler arguments…`.
pub(super) fn compile(args: Vec<OsString>) -> i32 {
    let mut args = args.into_iter();
    let (Some(wrapper), Some(program)) = (args.next(), args.next()) else { return FAILED };
    finish(compile_in(Path::new(&wrapper), Path::new(&program), args.collect()))
}

/// Runs the build script of the command line `stage word file arguments…`.
pub(super) fn build_script(args: Vec<OsString>) -> i32 {
    let mut args = args.into_iter();
    let Some(file) = args.next() else { return FAILED };
    finish(script_in(Path::new(&file), args.collect()))
}

fn finish(done: Result<i32, UnitFault>) -> i32 {
    done.unwrap_or_else(|fault| {
        let _ = writeln!(std::io::stderr(), "error: this unit of the build: {fault}");
        FAILED
    })
}

fn compile_in(wrapper: &Path, program: &Path, args: Vec<OsString>) -> Result<i32, UnitFault> {
    let guard = Guard::read(wrapper)?;
    let variables = Variables::of_process();
    if guard.is_confined() {
        return Err(exec(program_of(program, &variables).args(args)));
    }
    let args = arguments::expand(args)?;
    let Some(call) = CompilerCall::parse(&args)? else {
        // Only questions of cargo (`-vV`, `--print`), which write nothing.
        landlock::confine_writes(&[]).map_err(UnitFault::Confine)?;
        return Err(exec(program_of(program, &variables).args(args)));
    };
    let tokens = Tokens::begin(&variables).map_err(UnitFault::Pipe)?;
    let private = PrivateFolder::make(&guard.target, &private_name(&call.unit))?;
    let record = Record::begin(&guard.target, &call.unit).map_err(UnitFault::Record)?;
    let incremental = match call.incremental.as_ref().filter(|_| !guard.is_cold(&variables)) {
        // It knows nothing of what the compiler does not report itself.
        Some(folder) if record.had_more => {
            remove(&guard.target, &folder.join(&call.unit))?;
            None
        }
        Some(folder) => Some(make(&guard.target, folder, &call.unit)?),
        None => None,
    };
    let outputs = UnitOutputs::open(&guard, &call, &private.path)?;
    let mut command = program_of(program, &variables);
    command.args(call.arguments(&private.path, incremental.as_deref()));
    command.env("TMPDIR", private.inner("tmp")?);
    tokens.name(&mut command, &variables);
    // cargo passes lines of a compiler's standard output on as if they were its own messages, and reads
    // only standard error itself: what a macro prints there would count as cargo's.
    command.stdout(Stdio::null());
    let mut writable = vec![private.path.as_path()];
    writable.extend(incremental.as_deref());
    let libraries = GivenLibraries::begin(&guard.target, &call.unit, &call.given);
    let libraries = libraries.map_err(UnitFault::Record)?;
    let is_unknown = libraries.is_unknown;
    let target = Target::new(&guard.target, &writable, &private.lists, libraries);
    let mut reads = Reads::new(&guard.roots, target);
    if is_unknown {
        reads.lose();
    }
    let status = run(&mut command, &writable, &mut reads, &mut |line| outputs.announced(line))?;
    if status == 0 {
        record
            .write(&reads, &record::reported(&private.path, &call.unit), &variables)
            .map_err(UnitFault::Record)?;
        outputs.take_all()?;
    }
    private.remove();
    Ok(status)
}

fn script_in(file: &Path, args: Vec<OsString>) -> Result<i32, UnitFault> {
    let guard = Guard::read(file)?;
    let real = file.with_file_name(guard.real.as_deref().ok_or(UnitFault::NoBuildScript)?);
    let variables = Variables::of_process();
    let mut command = program_of(&real, &variables);
    command.args(args);
    if guard.is_confined() {
        return Err(exec(&mut command));
    }
    let tokens = Tokens::begin(&variables).map_err(UnitFault::Pipe)?;
    let out_dir = guard.out_dir(&variables)?;
    let unit = out_dir.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let unit = UnitRecord::of_run(&unit);
    // What the run before left is not there in a cold build.
    remove(&guard.target, &out_dir)?;
    make(&guard.target, &out_dir, "")?;
    let private = PrivateFolder::make(&guard.target, &private_name(&unit))?;
    let record = Record::begin(&guard.target, &unit).map_err(UnitFault::Record)?;
    command.env("TMPDIR", private.inner("tmp")?).env("HOME", private.inner("home")?);
    tokens.name(&mut command, &variables);
    // As many as its job server has: another number of jobs is no other input.
    command.env("NUM_JOBS", (tokens::MOST + 1).to_string());
    let package = guard.package_folder(&variables);
    let mut writable = vec![out_dir.as_path(), private.path.as_path()];
    writable.extend(package.as_deref());
    let own = [&writable[..], &[real.as_path()]].concat();
    let program = guard.program().unwrap_or_default();
    let libraries =
        GivenLibraries::of_program(&guard.target, program).map_err(UnitFault::Record)?;
    let is_unknown = libraries.is_unknown;
    let target = Target::new(&guard.target, &own, &private.lists, libraries);
    let mut reads = Reads::new(&guard.roots, target);
    // A folder that it may write it may read back.
    let is_writable = |it: &Path| rustix::fs::access(it, rustix::fs::Access::WRITE_OK).is_ok();
    if is_unknown || package.as_deref().is_some_and(is_writable) {
        reads.lose();
    }
    let status = run(&mut command, &writable, &mut reads, &mut |_| None)?;
    if status == 0 {
        record.write(&reads, &SortedSet::new(), &variables).map_err(UnitFault::Record)?;
    }
    private.remove();
    Ok(status)
}

/// A name that no other unit has at the time: several can be built into files of one name.
fn private_name(unit: &str) -> String {
    format!("{unit}.{}", std::process::id())
}

/// The program with the variables that cargo chose for it.
fn program_of(program: &Path, variables: &Variables) -> Command {
    let mut command = Command::new(program);
    command.env_clear().envs(variables.iter().map(|(name, value)| (name, value)));
    command
}

/// Removes a folder, which is below `target`.
fn remove(target: &Path, folder: &Path) -> Result<(), UnitFault> {
    let below = folder.strip_prefix(target).map_err(|_| outside(folder))?;
    untrusted_fs::Dir::open(target)
        .and_then(|target| target.remove_all(below))
        .map_err(|fault| UnitFault::Folder { path: below.to_owned(), fault })
}

/// Runs the command with write access to these folders alone, and notes what it reads. Its lines on standard
/// error are passed on, replaced by what `change` returns.
fn run(
    command: &mut Command,
    writable: &[&Path],
    reads: &mut Reads,
    change: &mut dyn FnMut(&[u8]) -> Option<Vec<u8>>,
) -> Result<i32, UnitFault> {
    let (lines, errors) = std::io::pipe().map_err(UnitFault::Pipe)?;
    let (own, theirs) = UnixStream::pair().map_err(UnitFault::Pipe)?;
    let is_seen = Caller::can_be_seen();
    // So that what the unit starts stays below this process.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let child = match sys::fork().map_err(UnitFault::Fork)? {
        Fork::Child => {
            drop((lines, own));
            // So that no other unit is in its group.
            let _ = rustix::process::setsid();
            let fault = match landlock::confine_writes(writable) {
                Ok(()) => match filter(theirs, is_seen) {
                    Err(error) => UnitFault::Fork(error),
                    Ok(()) => exec(command.stderr(errors)),
                },
                Err(failure) => UnitFault::Confine(failure),
            };
            sys::exit_now(finish(Err(fault)))
        }
        Fork::Parent(child) => child,
    };
    drop((errors, theirs));
    let listener = wire::receive_descriptor(&own).ok().map(Listener::new);
    reads.is_unseen = listener.is_none();
    // Faster, or as before.
    let _ = listener.as_ref().map(Listener::take_turns);
    let end = pidfd_open(child, PidfdFlags::empty()).map_err(|_| UnitFault::Lost)?;
    follow(listener, lines, &end, reads, change);
    reads.end();
    status_of(child)
}

/// Applies the filters of a unit to this process. Where its calls can be seen, sends the other end of that filter;
/// without it the unit is built all the same, and has no record.
fn filter(to: UnixStream, is_seen: bool) -> std::io::Result<()> {
    // A number that no program comes to by itself: a message on it is refused from then on.
    const DOOR: i32 = 1_000;
    let door = rustix::io::fcntl_dupfd_cloexec(to, DOOR).map(UnixStream::from);
    let mut others: Vec<_> = calls::refused_requests().collect();
    let Some(door) = door.ok().filter(|_| is_seen) else {
        return refuse(calls::REFUSED, &others);
    };
    if let Ok(listener) = notify(&calls::numbers(), door.as_fd()) {
        let _ = wire::send_descriptor(&door, &listener);
    }
    others.push(message_on(door.as_raw_fd()));
    refuse(calls::REFUSED, &others)
}

/// Answers calls and passes lines on until the process has ended and no other one can write lines.
fn follow(
    mut listener: Option<Listener>,
    lines: PipeReader,
    end: &OwnedFd,
    reads: &mut Reads,
    change: &mut dyn FnMut(&[u8]) -> Option<Vec<u8>>,
) {
    let (mut lines, mut has_ended) = (Lines { from: Some(lines), line: Vec::new() }, false);
    while lines.from.is_some() || !has_ended {
        // A negative time is none; an entry that is not asked for has no events.
        let asked = |is: bool| if is { PollFlags::IN } else { PollFlags::empty() };
        let mut fds = vec![PollFd::new(end, asked(!has_ended))];
        fds.extend(lines.from.iter().map(|it| PollFd::new(it, PollFlags::IN)));
        fds.extend(listener.iter().map(|it| PollFd::new(it, PollFlags::IN)));
        match poll(&mut fds, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
        let looks: Vec<PollFlags> = fds.iter().map(PollFd::revents).collect();
        drop(fds);
        has_ended |= looks[0].contains(PollFlags::IN);
        let has_lines = lines.from.is_some();
        match looks.get(1 + usize::from(has_lines)) {
            Some(look) if look.contains(PollFlags::IN) => {
                listener.iter().for_each(|it| reads.answer(it));
            }
            // No process has the filter any more.
            Some(look) if !look.is_empty() => listener = None,
            _ => {}
        }
        if has_lines && looks.get(1).is_some_and(|it| !it.is_empty()) {
            lines.pass_on(change);
        }
    }
}

fn status_of(child: Pid) -> Result<i32, UnitFault> {
    loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Ok(Some((_, status))) => return Ok(status.exit_status().unwrap_or(FAILED)),
            Err(rustix::io::Errno::INTR) => {}
            Ok(None) | Err(_) => return Err(UnitFault::Lost),
        }
    }
}

/// The lines of a unit's standard error.
struct Lines {
    /// `None` after the end.
    from: Option<PipeReader>,
    /// The beginning of a line.
    line: Vec<u8>,
}

impl Lines {
    /// Passes on the lines that are complete.
    fn pass_on(&mut self, change: &mut dyn FnMut(&[u8]) -> Option<Vec<u8>>) {
        let Some(from) = &mut self.from else { return };
        let mut bytes = [0; 16 << 10];
        let read = from.read(&mut bytes).unwrap_or(0);
        let is_end = read == 0;
        self.line.extend_from_slice(&bytes[..read]);
        let mut to = std::io::stderr().lock();
        let complete = self.line.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
        let complete = if is_end { self.line.len() } else { complete };
        for line in self.line[..complete].split_inclusive(|it| *it == b'\n') {
            // The reader may have ended; the status counts.
            let _ = to.write_all(change(line).as_deref().unwrap_or(line));
        }
        self.line.drain(..complete);
        if is_end {
            self.from = None;
        }
    }
}

/// Becomes the program; returns only if that fails, with the reason.
fn exec(command: &mut Command) -> UnitFault {
    let error = command.exec();
    UnitFault::Exec { program: command.get_program().to_owned(), error }
}

/// Makes the folder `name` in `folder`, which is below `target`.
fn make(target: &Path, folder: &Path, name: &str) -> Result<PathBuf, UnitFault> {
    let below = folder.strip_prefix(target).map_err(|_| outside(folder))?.join(name);
    untrusted_fs::Dir::open(target)
        .and_then(|target| target.make_dirs(&below))
        .map_err(|fault| UnitFault::Folder { path: below.clone(), fault })?;
    Ok(target.join(below))
}

fn outside(folder: &Path) -> UnitFault {
    UnitFault::Outside(folder.to_owned())
}

/// The name of the folder with lists beside a private one.
fn lists_of(name: &str) -> String {
    format!("{name}.lists")
}

impl PrivateFolder {
    /// Makes an empty folder of this name, in place of one that a killed build left.
    fn make(target: &Path, name: &str) -> Result<Self, UnitFault> {
        let failed = UnitFault::PrivateFolder;
        let all = untrusted_fs::Dir::open(target)
            .and_then(|target| target.make_dirs(UNITS))
            .map_err(failed)?;
        let lists = lists_of(name);
        for name in [name, &lists] {
            all.remove_all(name).and_then(|()| all.make_dirs(name)).map_err(failed)?;
        }
        let folder = target.join(UNITS);
        let (path, lists) = (folder.join(name), folder.join(lists));
        Ok(Self { all, name: name.to_owned(), path, lists })
    }

    fn inner(&self, name: &str) -> Result<PathBuf, UnitFault> {
        let failed = UnitFault::PrivateFolder;
        self.all
            .open_dir(&self.name)
            .map_err(failed)?
            .ok_or(UnitFault::Gone)?
            .make_dirs(name)
            .map_err(failed)?;
        Ok(self.path.join(name))
    }

    fn remove(&self) {
        // What is left is removed by the unit's next build, or with the target directory.
        let _ = self.all.remove_all(&self.name);
        let _ = self.all.remove_all(lists_of(&self.name));
    }
}
