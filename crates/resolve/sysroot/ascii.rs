// `std::ascii`.

pub struct EscapeDefault;
impl Iterator for EscapeDefault { type Item = u8; }
impl crate::fmt::Display for EscapeDefault {}
pub fn escape_default(c: u8) -> EscapeDefault;
pub trait AsciiExt {}
