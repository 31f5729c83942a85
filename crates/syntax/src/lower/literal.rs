//! Literals: the type that shows.

use super::Lower;
use crate::facts::Literal;
use crate::tree::Kind;

const INTEGERS: [&str; 12] =
    ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "usize", "isize"];
const FLOATS: [&str; 2] = ["f32", "f64"];

impl Lower<'_> {
    /// The literal that a node is.
    pub(super) fn literal(&mut self, node: u32) -> Option<Literal> {
        let text = self.slice(node);
        Some(match self.tree.node(node).kind {
            Kind::StringLiteral | Kind::RawStringLiteral => match text.as_bytes().first() {
                Some(b'b') => Literal::ByteStr,
                Some(b'c') => Literal::CStr,
                _ => Literal::Str,
            },
            Kind::CharLiteral if text.starts_with('b') => Literal::Suffixed(self.intern("u8")),
            Kind::CharLiteral => Literal::Char,
            Kind::BooleanLiteral => Literal::Bool,
            Kind::IntegerLiteral => self.suffix(text).unwrap_or(Literal::Int),
            Kind::FloatLiteral => self.suffix(text).unwrap_or(Literal::Float),
            Kind::NegativeLiteral => {
                let of = self.tree.parts(node).next()?;
                match self.tree.node(of).kind {
                    Kind::NegativeLiteral => return None,
                    _ => self.literal(of)?,
                }
            }
            _ => return None,
        })
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
