// `std::process`.

use crate::ffi::OsStr;
use crate::io;
use crate::path::Path;
use crate::vec::Vec;

#[derive(Debug)]
pub struct Command;
impl Command {
    fn new<S: AsRef<OsStr>>(program: S) -> Command;
    fn arg<S: AsRef<OsStr>>(&mut self, arg: S) -> &mut Command;
    fn args<I, S>(&mut self, args: I) -> &mut Command where I: IntoIterator<Item = S>, S: AsRef<OsStr>;
    fn env<K: AsRef<OsStr>, V: AsRef<OsStr>>(&mut self, key: K, val: V) -> &mut Command;
    fn envs<I>(&mut self, vars: I) -> &mut Command;
    fn env_remove<K: AsRef<OsStr>>(&mut self, key: K) -> &mut Command;
    fn env_clear(&mut self) -> &mut Command;
    fn current_dir<P: AsRef<Path>>(&mut self, dir: P) -> &mut Command;
    fn stdin<T: Into<Stdio>>(&mut self, cfg: T) -> &mut Command;
    fn stdout<T: Into<Stdio>>(&mut self, cfg: T) -> &mut Command;
    fn stderr<T: Into<Stdio>>(&mut self, cfg: T) -> &mut Command;
    fn spawn(&mut self) -> io::Result<Child>;
    fn output(&mut self) -> io::Result<Output>;
    fn status(&mut self) -> io::Result<ExitStatus>;
    fn get_program(&self) -> &OsStr;
}
#[derive(Debug)]
pub struct Child { pub stdin: Option<ChildStdin>, pub stdout: Option<ChildStdout>, pub stderr: Option<ChildStderr> }
impl Child {
    fn kill(&mut self) -> io::Result<()>;
    fn id(&self) -> u32;
    fn wait(&mut self) -> io::Result<ExitStatus>;
    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>>;
    fn wait_with_output(self) -> io::Result<Output>;
}
#[derive(Debug)]
pub struct ChildStdin;
impl io::Write for ChildStdin {}
#[derive(Debug)]
pub struct ChildStdout;
impl io::Read for ChildStdout {}
#[derive(Debug)]
pub struct ChildStderr;
impl io::Read for ChildStderr {}
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output { pub status: ExitStatus, pub stdout: Vec<u8>, pub stderr: Vec<u8> }
#[derive(Debug)]
pub struct Stdio;
impl Stdio { fn piped() -> Stdio; fn inherit() -> Stdio; fn null() -> Stdio; }
impl From<ChildStdout> for Stdio {} impl From<crate::fs::File> for Stdio {}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExitStatus;
impl ExitStatus { fn success(&self) -> bool; fn code(&self) -> Option<i32>; }
impl crate::fmt::Display for ExitStatus {}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExitCode;
impl ExitCode { pub const SUCCESS: ExitCode = ExitCode; pub const FAILURE: ExitCode = ExitCode; fn exit_process(self) -> !; }
impl From<u8> for ExitCode {}
pub trait Termination { fn report(self) -> ExitCode; }
pub fn exit(code: i32) -> !;
pub fn abort() -> !;
pub fn id() -> u32;
