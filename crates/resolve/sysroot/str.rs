// `std::str`: signatures in our own words and order; read, never compiled.

pub trait FromStr: Sized { type Err; fn from_str(s: &str) -> Result<Self, Self::Err>; }
impl FromStr for bool { type Err = ParseBoolError; }
impl FromStr for char { type Err = crate::char::ParseCharError; }
impl FromStr for u8 { type Err = crate::num::ParseIntError; }
impl FromStr for u16 { type Err = crate::num::ParseIntError; }
impl FromStr for u32 { type Err = crate::num::ParseIntError; }
impl FromStr for u64 { type Err = crate::num::ParseIntError; }
impl FromStr for u128 { type Err = crate::num::ParseIntError; }
impl FromStr for usize { type Err = crate::num::ParseIntError; }
impl FromStr for i8 { type Err = crate::num::ParseIntError; }
impl FromStr for i16 { type Err = crate::num::ParseIntError; }
impl FromStr for i32 { type Err = crate::num::ParseIntError; }
impl FromStr for i64 { type Err = crate::num::ParseIntError; }
impl FromStr for isize { type Err = crate::num::ParseIntError; }
impl FromStr for f32 { type Err = crate::num::ParseFloatError; }
impl FromStr for f64 { type Err = crate::num::ParseFloatError; }
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseBoolError;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utf8Error;
impl Utf8Error { fn valid_up_to(&self) -> usize; fn error_len(&self) -> Option<usize>; }
impl crate::fmt::Display for Utf8Error {}
pub trait Pattern {}
impl str {
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool;
    fn is_char_boundary(&self, index: usize) -> bool;
    fn as_bytes(&self) -> &[u8];
    fn as_bytes_mut(&mut self) -> &mut [u8];
    fn as_ptr(&self) -> *const u8;
    fn as_str(&self) -> &str;
    fn get<I>(&self, i: I) -> Option<&str>;
    fn get_mut<I>(&mut self, i: I) -> Option<&mut str>;
    fn get_unchecked<I>(&self, i: I) -> &str;
    fn split_at(&self, mid: usize) -> (&str, &str);
    fn split_at_checked(&self, mid: usize) -> Option<(&str, &str)>;
    fn chars(&self) -> Chars;
    fn char_indices(&self) -> CharIndices;
    fn bytes(&self) -> Bytes;
    fn split_whitespace(&self) -> SplitWhitespace;
    fn split_ascii_whitespace(&self) -> SplitWhitespace;
    fn lines(&self) -> Lines;
    fn contains<P: FnMut(char) -> bool>(&self, pat: P) -> bool;
    fn starts_with<P: FnMut(char) -> bool>(&self, pat: P) -> bool;
    fn ends_with<P: FnMut(char) -> bool>(&self, pat: P) -> bool;
    fn find<P: FnMut(char) -> bool>(&self, pat: P) -> Option<usize>;
    fn rfind<P: FnMut(char) -> bool>(&self, pat: P) -> Option<usize>;
    fn split<P: FnMut(char) -> bool>(&self, pat: P) -> Split;
    fn split_inclusive<P: FnMut(char) -> bool>(&self, pat: P) -> Split;
    fn rsplit<P: FnMut(char) -> bool>(&self, pat: P) -> Split;
    fn split_terminator<P: FnMut(char) -> bool>(&self, pat: P) -> Split;
    fn splitn<P: FnMut(char) -> bool>(&self, n: usize, pat: P) -> Split;
    fn rsplitn<P: FnMut(char) -> bool>(&self, n: usize, pat: P) -> Split;
    fn split_once<P: FnMut(char) -> bool>(&self, delimiter: P) -> Option<(&str, &str)>;
    fn rsplit_once<P: FnMut(char) -> bool>(&self, delimiter: P) -> Option<(&str, &str)>;
    fn matches<P: FnMut(char) -> bool>(&self, pat: P) -> Split;
    fn match_indices<P: FnMut(char) -> bool>(&self, pat: P) -> MatchIndices;
    fn trim(&self) -> &str;
    fn trim_start(&self) -> &str;
    fn trim_end(&self) -> &str;
    fn trim_left(&self) -> &str;
    fn trim_right(&self) -> &str;
    fn trim_matches<P: FnMut(char) -> bool>(&self, pat: P) -> &str;
    fn trim_start_matches<P: FnMut(char) -> bool>(&self, pat: P) -> &str;
    fn trim_end_matches<P: FnMut(char) -> bool>(&self, pat: P) -> &str;
    fn trim_left_matches<P: FnMut(char) -> bool>(&self, pat: P) -> &str;
    fn trim_right_matches<P: FnMut(char) -> bool>(&self, pat: P) -> &str;
    fn strip_prefix<P: FnMut(char) -> bool>(&self, prefix: P) -> Option<&str>;
    fn strip_suffix<P: FnMut(char) -> bool>(&self, suffix: P) -> Option<&str>;
    fn parse<F: FromStr>(&self) -> Result<F, F::Err>;
    fn is_ascii(&self) -> bool;
    fn eq_ignore_ascii_case(&self, other: &str) -> bool;
    fn make_ascii_lowercase(&mut self);
    fn make_ascii_uppercase(&mut self);
    fn to_ascii_lowercase(&self) -> crate::string::String;
    fn to_ascii_uppercase(&self) -> crate::string::String;
    fn to_lowercase(&self) -> crate::string::String;
    fn to_uppercase(&self) -> crate::string::String;
    fn repeat(&self, n: usize) -> crate::string::String;
    fn replace<P: FnMut(char) -> bool>(&self, from: P, to: &str) -> crate::string::String;
    fn replacen<P: FnMut(char) -> bool>(&self, from: P, to: &str, count: usize) -> crate::string::String;
    fn escape_debug(&self) -> EscapeDebug;
    fn escape_default(&self) -> EscapeDebug;
    fn encode_utf16(&self) -> EncodeUtf16;
    fn into_string(self: crate::boxed::Box<str>) -> crate::string::String;
    fn into_boxed_bytes(self: crate::boxed::Box<str>) -> crate::boxed::Box<[u8]>;
}
#[derive(Clone)]
pub struct Chars<'a>;
impl Iterator for Chars<'_> { type Item = char; }
impl DoubleEndedIterator for Chars<'_> {}
impl Chars<'_> { fn as_str(&self) -> &str; }
#[derive(Clone)]
pub struct CharIndices<'a>;
impl Iterator for CharIndices<'_> { type Item = (usize, char); }
impl DoubleEndedIterator for CharIndices<'_> {}
impl CharIndices<'_> { fn as_str(&self) -> &str; fn offset(&self) -> usize; }
#[derive(Clone)]
pub struct Bytes<'a>;
impl Iterator for Bytes<'_> { type Item = u8; }
impl DoubleEndedIterator for Bytes<'_> {}
impl ExactSizeIterator for Bytes<'_> {}
#[derive(Clone)]
pub struct SplitWhitespace<'a>;
impl Iterator for SplitWhitespace<'_> { type Item = &str; }
impl DoubleEndedIterator for SplitWhitespace<'_> {}
#[derive(Clone)]
pub struct Lines<'a>;
impl Iterator for Lines<'_> { type Item = &str; }
impl DoubleEndedIterator for Lines<'_> {}
#[derive(Clone)]
pub struct Split<'a>;
impl Iterator for Split<'_> { type Item = &str; }
impl DoubleEndedIterator for Split<'_> {}
#[derive(Clone)]
pub struct MatchIndices<'a>;
impl Iterator for MatchIndices<'_> { type Item = (usize, &str); }
impl DoubleEndedIterator for MatchIndices<'_> {}
pub struct EscapeDebug<'a>;
impl Iterator for EscapeDebug<'_> { type Item = char; }
impl crate::fmt::Display for EscapeDebug<'_> {}
pub struct EncodeUtf16<'a>;
impl Iterator for EncodeUtf16<'_> { type Item = u16; }
pub struct Utf8Chunks<'a>;
impl Iterator for Utf8Chunks<'_> { type Item = Utf8Chunk; }
pub struct Utf8Chunk<'a>;
impl Utf8Chunk<'_> { fn valid(&self) -> &str; fn invalid(&self) -> &[u8]; }
impl crate::ops::Index<crate::ops::Range<usize>> for str { type Output = str; }
pub fn from_utf8(v: &[u8]) -> Result<&str, Utf8Error>;
pub fn from_utf8_mut(v: &mut [u8]) -> Result<&mut str, Utf8Error>;
pub unsafe fn from_utf8_unchecked(v: &[u8]) -> &str;
pub unsafe fn from_utf8_unchecked_mut(v: &mut [u8]) -> &mut str;
