// `std::fs`.

use crate::io;
use crate::path::{Path, PathBuf};

#[derive(Debug)]
pub struct File;
impl File {
    fn open<P: AsRef<Path>>(path: P) -> io::Result<File>;
    fn create<P: AsRef<Path>>(path: P) -> io::Result<File>;
    fn create_new<P: AsRef<Path>>(path: P) -> io::Result<File>;
    fn options() -> OpenOptions;
    fn sync_all(&self) -> io::Result<()>;
    fn sync_data(&self) -> io::Result<()>;
    fn set_len(&self, size: u64) -> io::Result<()>;
    fn metadata(&self) -> io::Result<Metadata>;
    fn try_clone(&self) -> io::Result<File>;
    fn set_permissions(&self, perm: Permissions) -> io::Result<()>;
    fn set_times(&self, times: FileTimes) -> io::Result<()>;
    fn set_modified(&self, time: crate::time::SystemTime) -> io::Result<()>;
    fn lock(&self) -> io::Result<()>;
    fn unlock(&self) -> io::Result<()>;
}
impl io::Read for File {} impl io::Write for File {} impl io::Seek for File {} impl io::IsTerminal for File {}
impl io::Read for &File {} impl io::Write for &File {} impl io::Seek for &File {}
#[derive(Clone, Debug)]
pub struct OpenOptions;
impl OpenOptions {
    fn new() -> Self;
    fn read(&mut self, read: bool) -> &mut Self;
    fn write(&mut self, write: bool) -> &mut Self;
    fn append(&mut self, append: bool) -> &mut Self;
    fn truncate(&mut self, truncate: bool) -> &mut Self;
    fn create(&mut self, create: bool) -> &mut Self;
    fn create_new(&mut self, create_new: bool) -> &mut Self;
    fn open<P: AsRef<Path>>(&self, path: P) -> io::Result<File>;
}
#[derive(Clone, Debug)]
pub struct Metadata;
impl Metadata {
    fn file_type(&self) -> FileType;
    fn is_dir(&self) -> bool;
    fn is_file(&self) -> bool;
    fn is_symlink(&self) -> bool;
    fn len(&self) -> u64;
    fn permissions(&self) -> Permissions;
    fn modified(&self) -> io::Result<crate::time::SystemTime>;
    fn accessed(&self) -> io::Result<crate::time::SystemTime>;
    fn created(&self) -> io::Result<crate::time::SystemTime>;
}
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permissions;
impl Permissions { fn readonly(&self) -> bool; fn set_readonly(&mut self, readonly: bool); }
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileType;
impl FileType { fn is_dir(&self) -> bool; fn is_file(&self) -> bool; fn is_symlink(&self) -> bool; }
#[derive(Clone, Copy, Debug, Default)]
pub struct FileTimes;
#[derive(Debug)]
pub struct ReadDir;
impl Iterator for ReadDir { type Item = io::Result<DirEntry>; }
#[derive(Debug)]
pub struct DirEntry;
impl DirEntry {
    fn path(&self) -> PathBuf;
    fn metadata(&self) -> io::Result<Metadata>;
    fn file_type(&self) -> io::Result<FileType>;
    fn file_name(&self) -> crate::ffi::OsString;
}
#[derive(Debug)]
pub struct DirBuilder;
impl DirBuilder { fn new() -> DirBuilder; fn recursive(&mut self, recursive: bool) -> &mut Self; fn create<P: AsRef<Path>>(&self, path: P) -> io::Result<()>; }
pub fn read<P: AsRef<Path>>(path: P) -> io::Result<crate::vec::Vec<u8>>;
pub fn read_to_string<P: AsRef<Path>>(path: P) -> io::Result<crate::string::String>;
pub fn write<P: AsRef<Path>, C: AsRef<[u8]>>(path: P, contents: C) -> io::Result<()>;
pub fn remove_file<P: AsRef<Path>>(path: P) -> io::Result<()>;
pub fn metadata<P: AsRef<Path>>(path: P) -> io::Result<Metadata>;
pub fn symlink_metadata<P: AsRef<Path>>(path: P) -> io::Result<Metadata>;
pub fn rename<P: AsRef<Path>, Q: AsRef<Path>>(from: P, to: Q) -> io::Result<()>;
pub fn copy<P: AsRef<Path>, Q: AsRef<Path>>(from: P, to: Q) -> io::Result<u64>;
pub fn hard_link<P: AsRef<Path>, Q: AsRef<Path>>(original: P, link: Q) -> io::Result<()>;
pub fn read_link<P: AsRef<Path>>(path: P) -> io::Result<PathBuf>;
pub fn canonicalize<P: AsRef<Path>>(path: P) -> io::Result<PathBuf>;
pub fn create_dir<P: AsRef<Path>>(path: P) -> io::Result<()>;
pub fn create_dir_all<P: AsRef<Path>>(path: P) -> io::Result<()>;
pub fn remove_dir<P: AsRef<Path>>(path: P) -> io::Result<()>;
pub fn remove_dir_all<P: AsRef<Path>>(path: P) -> io::Result<()>;
pub fn read_dir<P: AsRef<Path>>(path: P) -> io::Result<ReadDir>;
pub fn set_permissions<P: AsRef<Path>>(path: P, perm: Permissions) -> io::Result<()>;
pub fn exists<P: AsRef<Path>>(path: P) -> io::Result<bool>;
