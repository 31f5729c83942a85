// `std::path`.

use crate::borrow::{Borrow, Cow, ToOwned};
use crate::boxed::Box;
use crate::ffi::{OsStr, OsString};
use crate::io;
use crate::iter::{Extend, FromIterator};
use crate::ops::Deref;
use crate::string::String;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Component<'a> { Prefix(PrefixComponent<'a>), RootDir, CurDir, ParentDir, Normal(&'a OsStr) }
impl<'a> Component<'a> { fn as_os_str(self) -> &'a OsStr; }
impl AsRef<Path> for Component<'_> {}
impl AsRef<OsStr> for Component<'_> {}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrefixComponent<'a>;
#[derive(Clone, Debug)]
pub struct Components<'a>;
impl<'a> Components<'a> { fn as_path(&self) -> &'a Path; }
impl<'a> Iterator for Components<'a> { type Item = Component<'a>; }
impl<'a> DoubleEndedIterator for Components<'a> {}
#[derive(Clone, Debug)]
pub struct Iter<'a>;
impl<'a> Iterator for Iter<'a> { type Item = &'a OsStr; }
impl<'a> DoubleEndedIterator for Iter<'a> {}
#[derive(Clone, Copy, Debug)]
pub struct Ancestors<'a>;
impl<'a> Iterator for Ancestors<'a> { type Item = &'a Path; }
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripPrefixError;
pub struct Display<'a>;
impl crate::fmt::Display for Display<'_> {}
pub const MAIN_SEPARATOR: char = '/';
pub const MAIN_SEPARATOR_STR: &str = "/";
pub fn is_separator(c: char) -> bool;
pub fn absolute<P: AsRef<Path>>(path: P) -> io::Result<PathBuf>;
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path;
impl Path {
    fn new<S: AsRef<OsStr>>(s: &S) -> &Path;
    fn as_os_str(&self) -> &OsStr;
    fn to_str(&self) -> Option<&str>;
    fn to_string_lossy(&self) -> Cow<'_, str>;
    fn to_path_buf(&self) -> PathBuf;
    fn is_absolute(&self) -> bool;
    fn is_relative(&self) -> bool;
    fn has_root(&self) -> bool;
    fn parent(&self) -> Option<&Path>;
    fn ancestors(&self) -> Ancestors<'_>;
    fn file_name(&self) -> Option<&OsStr>;
    fn strip_prefix<P: AsRef<Path>>(&self, base: P) -> Result<&Path, StripPrefixError>;
    fn starts_with<P: AsRef<Path>>(&self, base: P) -> bool;
    fn ends_with<P: AsRef<Path>>(&self, child: P) -> bool;
    fn file_stem(&self) -> Option<&OsStr>;
    fn extension(&self) -> Option<&OsStr>;
    fn join<P: AsRef<Path>>(&self, path: P) -> PathBuf;
    fn with_file_name<S: AsRef<OsStr>>(&self, file_name: S) -> PathBuf;
    fn with_extension<S: AsRef<OsStr>>(&self, extension: S) -> PathBuf;
    fn components(&self) -> Components<'_>;
    fn iter(&self) -> Iter<'_>;
    fn display(&self) -> Display<'_>;
    fn metadata(&self) -> io::Result<crate::fs::Metadata>;
    fn symlink_metadata(&self) -> io::Result<crate::fs::Metadata>;
    fn canonicalize(&self) -> io::Result<PathBuf>;
    fn read_link(&self) -> io::Result<PathBuf>;
    fn read_dir(&self) -> io::Result<crate::fs::ReadDir>;
    fn exists(&self) -> bool;
    fn try_exists(&self) -> io::Result<bool>;
    fn is_file(&self) -> bool;
    fn is_dir(&self) -> bool;
    fn is_symlink(&self) -> bool;
    fn into_path_buf(self: Box<Path>) -> PathBuf;
}
impl ToOwned for Path { type Owned = PathBuf; fn to_owned(&self) -> PathBuf; }
impl AsRef<OsStr> for Path {} impl AsRef<Path> for Path {} impl AsRef<Path> for OsStr {} impl AsRef<Path> for OsString {}
impl AsRef<Path> for str {} impl AsRef<Path> for String {} impl AsRef<Path> for PathBuf {} impl AsRef<OsStr> for PathBuf {}
impl<'a> IntoIterator for &'a Path { type Item = &'a OsStr; type IntoIter = Iter<'a>; }
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathBuf;
impl PathBuf {
    fn new() -> PathBuf;
    fn with_capacity(capacity: usize) -> PathBuf;
    fn as_path(&self) -> &Path;
    fn push<P: AsRef<Path>>(&mut self, path: P);
    fn pop(&mut self) -> bool;
    fn set_file_name<S: AsRef<OsStr>>(&mut self, file_name: S);
    fn set_extension<S: AsRef<OsStr>>(&mut self, extension: S) -> bool;
    fn into_os_string(self) -> OsString;
    fn into_boxed_path(self) -> Box<Path>;
    fn clear(&mut self);
}
impl Deref for PathBuf { type Target = Path; fn deref(&self) -> &Path; }
impl Borrow<Path> for PathBuf {}
impl<T: AsRef<OsStr>> From<&T> for PathBuf {}
impl From<OsString> for PathBuf {} impl From<String> for PathBuf {} impl From<Box<Path>> for PathBuf {}
impl From<Cow<'_, Path>> for PathBuf {}
impl<'a> From<&'a Path> for Cow<'a, Path> {} impl<'a> From<PathBuf> for Cow<'a, Path> {}
impl<'a> From<&'a Path> for Box<Path> {}
impl<'a> From<&'a Path> for crate::sync::Arc<Path> {}
impl<P: AsRef<Path>> FromIterator<P> for PathBuf {}
impl<P: AsRef<Path>> Extend<P> for PathBuf {}
impl crate::str::FromStr for PathBuf { type Err = crate::convert::Infallible; }
impl PartialEq<Path> for PathBuf {} impl PartialEq<PathBuf> for Path {} impl PartialEq<PathBuf> for PathBuf {}
