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

mod arguments;
mod fault;
mod guard;
mod outputs;

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{WaitOptions, waitpid};

use super::landlock;
use crate::sys::{self, Fork};
use arguments::CompilerCall;
use fault::UnitFault;
use guard::Guard;
pub use guard::unit_wrapper;
use outputs::UnitOutputs;

/// The exit status of cargo's children that fail for a reason of ours.
const FAILED: i32 = 101;

/// What a unit may use besides its output.
struct PrivateFolder {
    all: untrusted_fs::Dir,
    name: String,
    path: PathBuf,
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
    if guard.is_confined() {
        return Err(exec(Command::new(program).args(args)));
    }
    let args = arguments::expand(args)?;
    let Some(call) = CompilerCall::parse(&args)? else {
        // Only questions of cargo (`-vV`, `--print`), which write nothing.
        landlock::confine_writes(&[]).map_err(UnitFault::Confine)?;
        return Err(exec(Command::new(program).args(args)));
    };
    let private = PrivateFolder::make(&guard.target, &call.unit)?;
    let incremental = match call.incremental.as_ref().filter(|_| !guard.is_cold()) {
        Some(folder) => Some(make(&guard.target, folder, &call.unit)?),
        None => None,
    };
    let outputs = UnitOutputs::open(&guard, &call, &private.path)?;
    let mut command = Command::new(program);
    command.args(call.arguments(&private.path, incremental.as_deref()));
    command.env("TMPDIR", private.inner("tmp")?);
    // cargo passes lines of a compiler's standard output on as if they were its own messages, and reads
    // only standard error itself: what a macro prints there would count as cargo's.
    command.stdout(Stdio::null());
    let mut writable = vec![private.path.as_path()];
    writable.extend(incremental.as_deref());
    let status = run(&mut command, &writable, &mut |line| outputs.announced(line))?;
    if status == 0 {
        outputs.take_all()?;
    }
    private.remove();
    Ok(status)
}

fn script_in(file: &Path, args: Vec<OsString>) -> Result<i32, UnitFault> {
    let guard = Guard::read(file)?;
    let real = file.with_file_name(guard.real.as_deref().ok_or(UnitFault::NoBuildScript)?);
    let mut command = Command::new(real);
    command.args(args);
    if guard.is_confined() {
        return Err(exec(&mut command));
    }
    let out_dir = guard.out_dir()?;
    let unit = out_dir.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let private = PrivateFolder::make(&guard.target, &format!("run-{unit}"))?;
    command.env("TMPDIR", private.inner("tmp")?).env("HOME", private.inner("home")?);
    let package = guard.package_folder();
    let mut writable = vec![out_dir.as_path(), private.path.as_path()];
    writable.extend(package.as_deref());
    let status = run(&mut command, &writable, &mut |_| None)?;
    private.remove();
    Ok(status)
}

/// Runs the command with write access to these folders alone. Its lines on standard error are passed
/// on, replaced by what `change` returns.
fn run(
    command: &mut Command,
    writable: &[&Path],
    change: &mut dyn FnMut(&[u8]) -> Option<Vec<u8>>,
) -> Result<i32, UnitFault> {
    let (lines, errors) = std::io::pipe().map_err(UnitFault::Pipe)?;
    let child = match sys::fork().map_err(UnitFault::Fork)? {
        Fork::Child => {
            drop(lines);
            let fault = match landlock::confine_writes(writable) {
                Ok(()) => exec(command.stderr(errors)),
                Err(failure) => UnitFault::Confine(failure),
            };
            sys::exit_now(finish(Err(fault)))
        }
        Fork::Parent(child) => child,
    };
    drop(errors);
    let mut lines = BufReader::new(lines);
    let mut line = Vec::new();
    let mut to = std::io::stderr().lock();
    while lines.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        let changed = change(&line);
        // The reader may have ended; the status counts.
        let _ = to.write_all(changed.as_ref().unwrap_or(&line));
        line.clear();
    }
    loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Ok(Some((_, status))) => return Ok(status.exit_status().unwrap_or(FAILED)),
            Err(rustix::io::Errno::INTR) => {}
            Ok(None) | Err(_) => return Err(UnitFault::Lost),
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

impl PrivateFolder {
    /// Makes an empty folder of this name, in place of one that a killed build left.
    fn make(target: &Path, name: &str) -> Result<Self, UnitFault> {
        let failed = UnitFault::PrivateFolder;
        let all = untrusted_fs::Dir::open(target)
            .and_then(|target| target.make_dirs(".units"))
            .map_err(failed)?;
        all.remove_all(name).and_then(|()| all.make_dirs(name)).map_err(failed)?;
        Ok(Self { all, name: name.to_owned(), path: target.join(".units").join(name) })
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
    }
}
