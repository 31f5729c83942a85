// `std::io`.

pub mod prelude { pub use super::{BufRead, Read, Seek, Write}; }

pub type Result<T> = crate::result::Result<T, Error>;
#[derive(Debug)]
pub struct Error;
impl Error {
    fn new<E: Into<crate::boxed::Box<dyn crate::error::Error>>>(kind: ErrorKind, error: E) -> Error;
    fn other<E: Into<crate::boxed::Box<dyn crate::error::Error>>>(error: E) -> Error;
    fn last_os_error() -> Error;
    fn from_raw_os_error(code: i32) -> Error;
    fn raw_os_error(&self) -> Option<i32>;
    fn get_ref(&self) -> Option<&(dyn crate::error::Error + Send + Sync + 'static)>;
    fn get_mut(&mut self) -> Option<&mut (dyn crate::error::Error + Send + Sync + 'static)>;
    fn into_inner(self) -> Option<crate::boxed::Box<dyn crate::error::Error + Send + Sync>>;
    fn kind(&self) -> ErrorKind;
}
impl crate::fmt::Display for Error {}
impl crate::error::Error for Error {}
impl From<ErrorKind> for Error {}
impl From<crate::ffi::NulError> for Error {}
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum ErrorKind {
    NotFound, PermissionDenied, ConnectionRefused, ConnectionReset, ConnectionAborted, NotConnected,
    AddrInUse, AddrNotAvailable, BrokenPipe, AlreadyExists, WouldBlock, NotADirectory, IsADirectory,
    DirectoryNotEmpty, InvalidInput, InvalidData, TimedOut, WriteZero, StorageFull, Interrupted,
    Unsupported, UnexpectedEof, OutOfMemory, Other, HostUnreachable, NetworkUnreachable,
}
impl crate::fmt::Display for ErrorKind {}
pub trait Read {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize>;
    fn read_vectored(&mut self, bufs: &mut [IoSliceMut<'_>]) -> Result<usize>;
    fn read_to_end(&mut self, buf: &mut crate::vec::Vec<u8>) -> Result<usize>;
    fn read_to_string(&mut self, buf: &mut crate::string::String) -> Result<usize>;
    fn read_exact(&mut self, buf: &mut [u8]) -> Result<()>;
    fn by_ref(&mut self) -> &mut Self;
    fn bytes(self) -> Bytes<Self>;
    fn chain<R: Read>(self, next: R) -> Chain<Self, R>;
    fn take(self, limit: u64) -> Take<Self>;
}
pub trait Write {
    fn write(&mut self, buf: &[u8]) -> Result<usize>;
    fn write_vectored(&mut self, bufs: &[IoSlice<'_>]) -> Result<usize>;
    fn is_write_vectored(&self) -> bool;
    fn flush(&mut self) -> Result<()>;
    fn write_all(&mut self, buf: &[u8]) -> Result<()>;
    fn write_fmt(&mut self, fmt: crate::fmt::Arguments<'_>) -> Result<()>;
    fn by_ref(&mut self) -> &mut Self;
}
pub trait Seek {
    fn seek(&mut self, pos: SeekFrom) -> Result<u64>;
    fn rewind(&mut self) -> Result<()>;
    fn stream_position(&mut self) -> Result<u64>;
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekFrom { Start(u64), End(i64), Current(i64) }
pub trait BufRead: Read {
    fn fill_buf(&mut self) -> Result<&[u8]>;
    fn consume(&mut self, amt: usize);
    fn read_until(&mut self, byte: u8, buf: &mut crate::vec::Vec<u8>) -> Result<usize>;
    fn read_line(&mut self, buf: &mut crate::string::String) -> Result<usize>;
    fn split(self, byte: u8) -> Split<Self>;
    fn lines(self) -> Lines<Self>;
}
pub trait IsTerminal { fn is_terminal(&self) -> bool; }
#[derive(Debug)]
pub struct Bytes<R>;
impl<R: Read> Iterator for Bytes<R> { type Item = Result<u8>; }
#[derive(Debug)]
pub struct Chain<T, U>;
impl<T: Read, U: Read> Read for Chain<T, U> {}
#[derive(Debug)]
pub struct Take<T>;
impl<T: Read> Read for Take<T> {}
impl<T: BufRead> BufRead for Take<T> {}
impl<T> Take<T> { fn limit(&self) -> u64; fn into_inner(self) -> T; fn get_ref(&self) -> &T; fn get_mut(&mut self) -> &mut T; }
#[derive(Debug)]
pub struct Split<B>;
impl<B: BufRead> Iterator for Split<B> { type Item = Result<crate::vec::Vec<u8>>; }
#[derive(Debug)]
pub struct Lines<B>;
impl<B: BufRead> Iterator for Lines<B> { type Item = Result<crate::string::String>; }
#[derive(Debug, Default, Clone)]
pub struct Cursor<T>;
impl<T> Cursor<T> {
    fn new(inner: T) -> Cursor<T>;
    fn into_inner(self) -> T;
    fn get_ref(&self) -> &T;
    fn get_mut(&mut self) -> &mut T;
    fn position(&self) -> u64;
    fn set_position(&mut self, pos: u64);
}
impl<T: AsRef<[u8]>> Read for Cursor<T> {}
impl<T: AsRef<[u8]>> BufRead for Cursor<T> {}
impl<T: AsRef<[u8]>> Seek for Cursor<T> {}
impl<T> Write for Cursor<T> {}
#[derive(Debug)]
pub struct BufReader<R>;
impl<R: Read> BufReader<R> {
    fn new(inner: R) -> BufReader<R>;
    fn with_capacity(capacity: usize, inner: R) -> BufReader<R>;
    fn get_ref(&self) -> &R;
    fn get_mut(&mut self) -> &mut R;
    fn buffer(&self) -> &[u8];
    fn capacity(&self) -> usize;
    fn into_inner(self) -> R;
}
impl<R: Read> Read for BufReader<R> {}
impl<R: Read> BufRead for BufReader<R> {}
impl<R: Seek> Seek for BufReader<R> {}
#[derive(Debug)]
pub struct BufWriter<W>;
impl<W: Write> BufWriter<W> {
    fn new(inner: W) -> BufWriter<W>;
    fn with_capacity(capacity: usize, inner: W) -> BufWriter<W>;
    fn get_ref(&self) -> &W;
    fn get_mut(&mut self) -> &mut W;
    fn buffer(&self) -> &[u8];
    fn into_inner(self) -> crate::result::Result<W, IntoInnerError<BufWriter<W>>>;
}
impl<W: Write> Write for BufWriter<W> {}
#[derive(Debug)]
pub struct IntoInnerError<W>;
#[derive(Debug)]
pub struct LineWriter<W>;
impl<W: Write> LineWriter<W> { fn new(inner: W) -> LineWriter<W>; fn get_ref(&self) -> &W; fn get_mut(&mut self) -> &mut W; }
impl<W: Write> Write for LineWriter<W> {}
#[derive(Debug)]
pub struct IoSlice<'a>;
impl<'a> IoSlice<'a> { fn new(buf: &'a [u8]) -> IoSlice<'a>; fn advance(&mut self, n: usize); fn advance_slices(bufs: &mut &mut [IoSlice<'a>], n: usize); }
impl crate::ops::Deref for IoSlice<'_> { type Target = [u8]; }
#[derive(Debug)]
pub struct IoSliceMut<'a>;
impl<'a> IoSliceMut<'a> { fn new(buf: &'a mut [u8]) -> IoSliceMut<'a>; }
impl crate::ops::Deref for IoSliceMut<'_> { type Target = [u8]; }
#[derive(Clone, Copy, Debug, Default)]
pub struct Empty;
impl Read for Empty {} impl BufRead for Empty {} impl Write for Empty {}
#[derive(Clone, Copy, Debug, Default)]
pub struct Sink;
impl Write for Sink {}
pub struct Repeat;
impl Read for Repeat {}
pub fn empty() -> Empty;
pub fn sink() -> Sink;
pub fn repeat(byte: u8) -> Repeat;
pub fn copy<R: Read, W: Write>(reader: &mut R, writer: &mut W) -> Result<u64>;
pub fn read_to_string<R: Read>(reader: R) -> Result<crate::string::String>;
#[derive(Debug)]
pub struct Stdin;
impl Stdin { fn lock(&self) -> StdinLock<'static>; fn read_line(&self, buf: &mut crate::string::String) -> Result<usize>; fn lines(self) -> Lines<StdinLock<'static>>; }
impl Read for Stdin {} impl IsTerminal for Stdin {}
#[derive(Debug)]
pub struct StdinLock<'a>;
impl Read for StdinLock<'_> {} impl BufRead for StdinLock<'_> {} impl IsTerminal for StdinLock<'_> {}
#[derive(Debug)]
pub struct Stdout;
impl Stdout { fn lock(&self) -> StdoutLock<'static>; }
impl Write for Stdout {} impl IsTerminal for Stdout {}
#[derive(Debug)]
pub struct StdoutLock<'a>;
impl Write for StdoutLock<'_> {} impl IsTerminal for StdoutLock<'_> {}
#[derive(Debug)]
pub struct Stderr;
impl Stderr { fn lock(&self) -> StderrLock<'static>; }
impl Write for Stderr {} impl IsTerminal for Stderr {}
#[derive(Debug)]
pub struct StderrLock<'a>;
impl Write for StderrLock<'_> {} impl IsTerminal for StderrLock<'_> {}
pub fn stdin() -> Stdin;
pub fn stdout() -> Stdout;
pub fn stderr() -> Stderr;
impl<R: Read> Read for &mut R {}
impl<W: Write> Write for &mut W {}
impl<S: Seek> Seek for &mut S {}
impl<B: BufRead> BufRead for &mut B {}
impl<R: Read> Read for crate::boxed::Box<R> {}
impl<W: Write> Write for crate::boxed::Box<W> {}
impl<B: BufRead> BufRead for crate::boxed::Box<B> {}
impl Read for [u8] {}
impl BufRead for [u8] {}
impl Write for [u8] {}
impl Write for crate::vec::Vec<u8> {}
impl Write for crate::collections::VecDeque<u8> {}
