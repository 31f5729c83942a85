//! Lowers literals to the type that their text shows.

use super::Lower;
use crate::facts::Literal;
use crate::tree::Kind;

const INTEGERS: [&str; 12] =
    ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "usize", "isize"];
const FLOATS: [&str; 2] = ["f32", "f64"];

impl Lower<'_> {
    /// The literal that a `LITERAL` node is.
    pub(super) fn literal(&mut self, node: u32) -> Option<Literal> {
        let token = self.tree.children(node).last()?;
        let text = self.slice(token);
        Some(match self.tree.kind(token) {
            Kind::STRING => Literal::Str,
            Kind::BYTE_STRING => Literal::ByteStr,
            Kind::C_STRING => Literal::CStr,
            Kind::BYTE => Literal::Suffixed(self.intern("u8")),
            Kind::CHAR => Literal::Char,
            Kind::TRUE_KW | Kind::FALSE_KW => Literal::Bool,
            Kind::INT_NUMBER => self.suffix(text).unwrap_or(Literal::Int),
            Kind::FLOAT_NUMBER => self.suffix(text).unwrap_or(Literal::Float),
            _ => return None,
        })
    }

    /// Whether an expression is a string literal.
    pub(super) fn is_string(&self, node: u32) -> bool {
        self.tree.kind(node) == Kind::LITERAL && self.tree.has(node, Kind::STRING)
    }

    fn suffix(&mut self, text: &str) -> Option<Literal> {
        let ends = |suffix: &&&str| text.ends_with(**suffix);
        // `0x1f32` has no suffix.
        let is_hex = text.starts_with("0x");
        let suffix = INTEGERS.iter().find(ends);
        let suffix = suffix.or_else(|| FLOATS.iter().filter(|_| !is_hex).find(ends))?;
        Some(Literal::Suffixed(self.intern(suffix)))
    }
}
