// `std::ffi`.

use crate::borrow::{Borrow, Cow, ToOwned};
use crate::boxed::Box;
use crate::iter::{Extend, FromIterator};
use crate::ops::Deref;
use crate::string::String;
use crate::vec::Vec;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OsStr;
impl OsStr {
    fn new<S: AsRef<OsStr>>(s: &S) -> &OsStr;
    fn to_str(&self) -> Option<&str>;
    fn to_string_lossy(&self) -> Cow<'_, str>;
    fn to_os_string(&self) -> OsString;
    fn is_empty(&self) -> bool;
    fn len(&self) -> usize;
    fn as_encoded_bytes(&self) -> &[u8];
    fn from_encoded_bytes_unchecked(bytes: &[u8]) -> &OsStr;
    fn to_ascii_lowercase(&self) -> OsString;
    fn eq_ignore_ascii_case<S: AsRef<OsStr>>(&self, other: S) -> bool;
    fn display(&self) -> crate::path::Display<'_>;
}
impl ToOwned for OsStr { type Owned = OsString; fn to_owned(&self) -> OsString; }
impl AsRef<OsStr> for OsStr {} impl AsRef<OsStr> for OsString {} impl AsRef<OsStr> for str {} impl AsRef<OsStr> for String {}
impl PartialEq<str> for OsStr {} impl PartialEq<&str> for OsString {} impl PartialEq<str> for OsString {}
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OsString;
impl OsString {
    fn new() -> OsString;
    fn as_os_str(&self) -> &OsStr;
    fn into_string(self) -> Result<String, OsString>;
    fn push<T: AsRef<OsStr>>(&mut self, s: T);
    fn with_capacity(capacity: usize) -> OsString;
    fn clear(&mut self);
    fn into_encoded_bytes(self) -> Vec<u8>;
    fn into_boxed_os_str(self) -> Box<OsStr>;
}
impl Deref for OsString { type Target = OsStr; fn deref(&self) -> &OsStr; }
impl Borrow<OsStr> for OsString {}
impl From<String> for OsString {}
impl<T: AsRef<OsStr>> From<&T> for OsString {}
impl From<crate::path::PathBuf> for OsString {}
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CStr;
impl CStr {
    fn from_ptr<'a>(ptr: *const i8) -> &'a CStr;
    fn from_bytes_with_nul(bytes: &[u8]) -> Result<&CStr, FromBytesWithNulError>;
    fn from_bytes_until_nul(bytes: &[u8]) -> Result<&CStr, FromBytesWithNulError>;
    fn from_bytes_with_nul_unchecked(bytes: &[u8]) -> &CStr;
    fn as_ptr(&self) -> *const i8;
    fn to_bytes(&self) -> &[u8];
    fn to_bytes_with_nul(&self) -> &[u8];
    fn to_str(&self) -> Result<&str, crate::str::Utf8Error>;
    fn to_string_lossy(&self) -> Cow<'_, str>;
    fn count_bytes(&self) -> usize;
}
impl ToOwned for CStr { type Owned = CString; fn to_owned(&self) -> CString; }
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CString;
impl CString {
    fn new<T: Into<Vec<u8>>>(t: T) -> Result<CString, NulError>;
    fn from_raw(ptr: *mut i8) -> CString;
    fn into_raw(self) -> *mut i8;
    fn into_string(self) -> Result<String, IntoStringError>;
    fn into_bytes(self) -> Vec<u8>;
    fn as_bytes(&self) -> &[u8];
    fn as_c_str(&self) -> &CStr;
}
impl Deref for CString { type Target = CStr; fn deref(&self) -> &CStr; }
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NulError;
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromBytesWithNulError;
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntoStringError;
pub enum c_void {}
pub type c_char = i8;
pub type c_int = i32;
pub type c_uint = u32;
pub type c_long = i64;
pub type c_ulong = u64;
