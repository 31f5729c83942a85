// `std::os`.

pub mod fd {
    pub type RawFd = i32;
    pub trait AsRawFd { fn as_raw_fd(&self) -> RawFd; }
    pub trait FromRawFd { fn from_raw_fd(fd: RawFd) -> Self; }
    pub trait IntoRawFd { fn into_raw_fd(self) -> RawFd; }
    pub trait AsFd { fn as_fd(&self) -> BorrowedFd<'_>; }
    #[derive(Clone, Copy, Debug)]
    pub struct BorrowedFd<'fd>;
    impl BorrowedFd<'_> { fn borrow_raw(fd: RawFd) -> Self; fn try_clone_to_owned(&self) -> crate::io::Result<OwnedFd>; }
    #[derive(Debug)]
    pub struct OwnedFd;
    impl AsRawFd for RawFd {}
    impl AsRawFd for OwnedFd {} impl AsFd for OwnedFd {} impl FromRawFd for OwnedFd {} impl IntoRawFd for OwnedFd {}
    impl AsRawFd for BorrowedFd<'_> {}
    impl AsRawFd for crate::fs::File {} impl AsFd for crate::fs::File {} impl FromRawFd for crate::fs::File {} impl IntoRawFd for crate::fs::File {}
    impl AsRawFd for crate::net::TcpStream {} impl AsFd for crate::net::TcpStream {} impl FromRawFd for crate::net::TcpStream {} impl IntoRawFd for crate::net::TcpStream {}
    impl AsRawFd for crate::net::TcpListener {} impl AsRawFd for crate::net::UdpSocket {}
    impl<T: AsRawFd> AsRawFd for &T {}
    impl<T: AsRawFd> AsRawFd for crate::sync::Arc<T> {}
    impl<T: AsRawFd> AsRawFd for crate::boxed::Box<T> {}
}
pub mod unix {
    pub mod io { pub use crate::os::fd::*; }
    pub mod ffi {
        pub trait OsStrExt { fn from_bytes(slice: &[u8]) -> &Self; fn as_bytes(&self) -> &[u8]; }
        impl OsStrExt for crate::ffi::OsStr {}
        pub trait OsStringExt { fn from_vec(vec: crate::vec::Vec<u8>) -> Self; fn into_vec(self) -> crate::vec::Vec<u8>; }
        impl OsStringExt for crate::ffi::OsString {}
    }
    pub mod fs {
        pub trait MetadataExt { fn dev(&self) -> u64; fn ino(&self) -> u64; fn mode(&self) -> u32; fn uid(&self) -> u32; fn gid(&self) -> u32; fn size(&self) -> u64; fn nlink(&self) -> u64; fn mtime(&self) -> i64; }
        impl MetadataExt for crate::fs::Metadata {}
        pub trait PermissionsExt { fn mode(&self) -> u32; fn set_mode(&mut self, mode: u32); fn from_mode(mode: u32) -> Self; }
        impl PermissionsExt for crate::fs::Permissions {}
        pub trait FileTypeExt { fn is_fifo(&self) -> bool; fn is_socket(&self) -> bool; fn is_block_device(&self) -> bool; fn is_char_device(&self) -> bool; }
        impl FileTypeExt for crate::fs::FileType {}
        pub trait OpenOptionsExt { fn mode(&mut self, mode: u32) -> &mut Self; fn custom_flags(&mut self, flags: i32) -> &mut Self; }
        impl OpenOptionsExt for crate::fs::OpenOptions {}
        pub trait FileExt { fn read_at(&self, buf: &mut [u8], offset: u64) -> crate::io::Result<usize>; fn write_at(&self, buf: &[u8], offset: u64) -> crate::io::Result<usize>; }
        impl FileExt for crate::fs::File {}
        pub trait DirEntryExt { fn ino(&self) -> u64; }
        impl DirEntryExt for crate::fs::DirEntry {}
        pub fn symlink<P: AsRef<crate::path::Path>, Q: AsRef<crate::path::Path>>(original: P, link: Q) -> crate::io::Result<()>;
    }
    pub mod process {
        pub trait CommandExt { fn exec(&mut self) -> crate::io::Error; fn uid(&mut self, id: u32) -> &mut crate::process::Command; fn gid(&mut self, id: u32) -> &mut crate::process::Command; fn arg0<S>(&mut self, arg: S) -> &mut crate::process::Command; fn process_group(&mut self, pgroup: i32) -> &mut crate::process::Command; }
        impl CommandExt for crate::process::Command {}
        pub trait ExitStatusExt { fn from_raw(raw: i32) -> Self; fn signal(&self) -> Option<i32>; }
        impl ExitStatusExt for crate::process::ExitStatus {}
    }
}
