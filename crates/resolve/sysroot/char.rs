// `std::char`, and what `char` can do.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCharError;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharTryFromError;
impl char {
    fn from_u32(i: u32) -> Option<char>;
    fn from_u32_unchecked(i: u32) -> char;
    fn from_digit(num: u32, radix: u32) -> Option<char>;
    fn is_digit(self, radix: u32) -> bool;
    fn to_digit(self, radix: u32) -> Option<u32>;
    fn escape_unicode(self) -> ToCase;
    fn escape_debug(self) -> ToCase;
    fn escape_default(self) -> ToCase;
    fn len_utf8(self) -> usize;
    fn len_utf16(self) -> usize;
    fn encode_utf8(self, dst: &mut [u8]) -> &mut str;
    fn encode_utf16(self, dst: &mut [u16]) -> &mut [u16];
    fn is_alphabetic(self) -> bool;
    fn is_lowercase(self) -> bool;
    fn is_uppercase(self) -> bool;
    fn is_whitespace(self) -> bool;
    fn is_alphanumeric(self) -> bool;
    fn is_control(self) -> bool;
    fn is_numeric(self) -> bool;
    fn to_lowercase(self) -> ToCase;
    fn to_uppercase(self) -> ToCase;
    fn is_ascii(&self) -> bool;
    fn to_ascii_uppercase(&self) -> char;
    fn to_ascii_lowercase(&self) -> char;
    fn eq_ignore_ascii_case(&self, other: &char) -> bool;
    fn is_ascii_alphabetic(&self) -> bool;
    fn is_ascii_uppercase(&self) -> bool;
    fn is_ascii_lowercase(&self) -> bool;
    fn is_ascii_alphanumeric(&self) -> bool;
    fn is_ascii_digit(&self) -> bool;
    fn is_ascii_hexdigit(&self) -> bool;
    fn is_ascii_punctuation(&self) -> bool;
    fn is_ascii_graphic(&self) -> bool;
    fn is_ascii_whitespace(&self) -> bool;
    fn is_ascii_control(&self) -> bool;
}
#[derive(Clone, Debug)]
pub struct ToCase;
impl Iterator for ToCase { type Item = char; }
impl crate::fmt::Display for ToCase {}
pub fn from_u32(i: u32) -> Option<char>;
pub unsafe fn from_u32_unchecked(i: u32) -> char;
pub fn from_digit(num: u32, radix: u32) -> Option<char>;
pub const MAX: char = '\u{10FFFF}';
pub const REPLACEMENT_CHARACTER: char = '\u{FFFD}';
