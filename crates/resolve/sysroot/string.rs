// `std::string`.

use crate::iter::{Extend, FromIterator};
use crate::ops::{Deref, DerefMut};

pub trait ToString { fn to_string(&self) -> String; }
impl<T: crate::fmt::Display> ToString for T { fn to_string(&self) -> String; }
#[derive(Clone, Debug, Default, PartialOrd, Ord, Hash, Eq)]
pub struct String;
impl String {
    fn new() -> String;
    fn with_capacity(capacity: usize) -> String;
    fn from_utf8(vec: crate::vec::Vec<u8>) -> Result<String, FromUtf8Error>;
    fn from_utf8_lossy(v: &[u8]) -> crate::borrow::Cow<'_, str>;
    fn from_utf8_unchecked(bytes: crate::vec::Vec<u8>) -> String;
    fn from_utf16(v: &[u16]) -> Result<String, FromUtf16Error>;
    fn from_utf16_lossy(v: &[u16]) -> String;
    fn into_bytes(self) -> crate::vec::Vec<u8>;
    fn as_str(&self) -> &str;
    fn as_mut_str(&mut self) -> &mut str;
    fn push_str(&mut self, string: &str);
    fn capacity(&self) -> usize;
    fn reserve(&mut self, additional: usize);
    fn shrink_to_fit(&mut self);
    fn push(&mut self, ch: char);
    fn as_bytes(&self) -> &[u8];
    fn truncate(&mut self, new_len: usize);
    fn pop(&mut self) -> Option<char>;
    fn remove(&mut self, idx: usize) -> char;
    fn retain<F: FnMut(char) -> bool>(&mut self, f: F);
    fn insert(&mut self, idx: usize, ch: char);
    fn insert_str(&mut self, idx: usize, string: &str);
    fn as_mut_vec(&mut self) -> &mut crate::vec::Vec<u8>;
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn split_off(&mut self, at: usize) -> String;
    fn clear(&mut self);
    fn drain<R>(&mut self, range: R) -> Drain<'_>;
    fn replace_range<R>(&mut self, range: R, replace_with: &str);
    fn into_boxed_str(self) -> crate::boxed::Box<str>;
    fn leak<'a>(self) -> &'a mut str;
}
pub struct Drain<'a>;
impl Iterator for Drain<'_> { type Item = char; }
impl Deref for String { type Target = str; fn deref(&self) -> &str; }
impl DerefMut for String { fn deref_mut(&mut self) -> &mut str; }
impl AsRef<str> for String { fn as_ref(&self) -> &str; }
impl AsRef<[u8]> for String { fn as_ref(&self) -> &[u8]; }
impl crate::borrow::Borrow<str> for String { fn borrow(&self) -> &str; }
impl crate::fmt::Display for String {}
impl crate::fmt::Write for String {}
impl crate::str::FromStr for String { type Err = crate::convert::Infallible; }
impl crate::ops::Add<&str> for String { type Output = String; fn add(self, other: &str) -> String; }
impl crate::ops::AddAssign<&str> for String {}
impl crate::ops::Index<crate::ops::Range<usize>> for String { type Output = str; }
impl crate::ops::Index<crate::ops::RangeFrom<usize>> for String { type Output = str; }
impl crate::ops::Index<crate::ops::RangeTo<usize>> for String { type Output = str; }
impl crate::ops::Index<crate::ops::RangeFull> for String { type Output = str; }
impl From<&str> for String {}
impl From<&mut str> for String {}
impl From<&String> for String {}
impl From<char> for String {}
impl From<crate::boxed::Box<str>> for String {}
impl From<crate::borrow::Cow<'_, str>> for String {}
impl FromIterator<char> for String {}
impl FromIterator<&char> for String {}
impl FromIterator<&str> for String {}
impl FromIterator<String> for String {}
impl FromIterator<crate::borrow::Cow<'_, str>> for String {}
impl Extend<char> for String {}
impl Extend<&str> for String {}
impl Extend<String> for String {}
impl PartialEq for String {}
impl PartialEq<str> for String {}
impl PartialEq<&str> for String {}
impl PartialEq<String> for str {}
impl PartialEq<String> for &str {}
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromUtf8Error;
impl FromUtf8Error {
    fn as_bytes(&self) -> &[u8];
    fn into_bytes(self) -> crate::vec::Vec<u8>;
    fn utf8_error(&self) -> crate::str::Utf8Error;
}
impl crate::fmt::Display for FromUtf8Error {}
impl crate::error::Error for FromUtf8Error {}
#[derive(Debug)]
pub struct FromUtf16Error;
impl crate::fmt::Display for FromUtf16Error {}
