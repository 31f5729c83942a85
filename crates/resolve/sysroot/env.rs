// `std::env`.

use crate::ffi::{OsStr, OsString};
use crate::path::{Path, PathBuf};
use crate::string::String;

pub fn current_dir() -> crate::io::Result<PathBuf>;
pub fn set_current_dir<P: AsRef<Path>>(path: P) -> crate::io::Result<()>;
pub fn vars() -> Vars;
pub fn vars_os() -> VarsOs;
pub fn var<K: AsRef<OsStr>>(key: K) -> Result<String, VarError>;
pub fn var_os<K: AsRef<OsStr>>(key: K) -> Option<OsString>;
pub unsafe fn set_var<K: AsRef<OsStr>, V: AsRef<OsStr>>(key: K, value: V);
pub unsafe fn remove_var<K: AsRef<OsStr>>(key: K);
pub fn split_paths<T: AsRef<OsStr>>(unparsed: &T) -> SplitPaths;
pub fn home_dir() -> Option<PathBuf>;
pub fn temp_dir() -> PathBuf;
pub fn current_exe() -> crate::io::Result<PathBuf>;
pub fn args() -> Args;
pub fn args_os() -> ArgsOs;
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VarError { NotPresent, NotUnicode(OsString) }
impl crate::fmt::Display for VarError {}
pub struct Vars;
impl Iterator for Vars { type Item = (String, String); }
pub struct VarsOs;
impl Iterator for VarsOs { type Item = (OsString, OsString); }
pub struct SplitPaths;
impl Iterator for SplitPaths { type Item = PathBuf; }
pub struct Args;
impl Iterator for Args { type Item = String; }
impl DoubleEndedIterator for Args {}
impl ExactSizeIterator for Args {}
pub struct ArgsOs;
impl Iterator for ArgsOs { type Item = OsString; }
impl ExactSizeIterator for ArgsOs {}
pub mod consts {
    pub const ARCH: &str = "";
    pub const OS: &str = "";
    pub const FAMILY: &str = "";
    pub const EXE_SUFFIX: &str = "";
    pub const EXE_EXTENSION: &str = "";
    pub const DLL_EXTENSION: &str = "";
}
