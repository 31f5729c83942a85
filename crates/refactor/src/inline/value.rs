//! Constants and type aliases in the places that name them.

use preserve::outline::{TokenKind, tokens};
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::block::is_atomic;
use super::fault::InlineFault;
use crate::rename::Source;
use crate::reshape::is_pure;

/// The types whose literals may need a suffix.
const NUMBERS: &[&str] = &[
    "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize",
];

/// Whether every use can be replaced.
pub(super) fn check(source: &Source, it: &Definition) -> Result<(), InlineFault> {
    text(source, it).map(|_| ())
}

/// What replaces the name: an expression or a type.
pub(super) fn text(source: &Source, it: &Definition) -> Result<String, InlineFault> {
    if it.parts.iter().any(|it| it.kind == PartKind::Generics) {
        return Err(InlineFault::Generic);
    }
    let ty = it.parts.iter().find(|it| it.kind == PartKind::Type).and_then(|it| it.ty);
    let ty = ty.map_or("", |it| source.slice(it.start..it.end)).trim();
    if it.kind == DefinitionKind::TypeAlias {
        return match ty.is_empty() {
            true => Err(InlineFault::NoType),
            false => Ok(ty.to_owned()),
        };
    }
    let head = source.slice(it.name_span.end..it.span.end);
    let list = tokens(head);
    let equals = list.iter().find(|it| it.is("=")).map(|it| it.span.end);
    let value =
        equals.and_then(|at| head.get(at..)).unwrap_or("").trim().trim_end_matches(';').trim();
    let value_tokens = tokens(value);
    let negative = value.strip_prefix('-').map(str::trim).unwrap_or(value);
    let is_number =
        negative.starts_with(|it: char| it.is_ascii_digit()) && tokens(negative).len() == 1;
    let complex = || Err(InlineFault::ComplexValue);
    if is_number {
        if !NUMBERS.contains(&ty) {
            return complex();
        }
        let has_suffix = NUMBERS.iter().any(|it| negative.ends_with(it))
            && !negative.starts_with("0x")
            || negative.ends_with(ty);
        let is_float = ty.starts_with('f');
        let is_hex = negative.starts_with("0x") && is_float;
        if is_hex {
            return complex();
        }
        let number = value.trim_end_matches('.');
        let suffix = match has_suffix {
            true => String::new(),
            false if number.starts_with("0x") => format!("_{ty}"),
            false => ty.to_owned(),
        };
        return Ok(format!("{number}{suffix}"));
    }
    match value_tokens.as_slice() {
        [one] if one.kind == TokenKind::Literal => {
            let is_text =
                value.starts_with('"') || value.starts_with("r\"") || value.starts_with("r#");
            let is_str = matches!(ty, "&str" | "&'static str");
            let is_char =
                value.starts_with('\'') && ty == "char" || value.starts_with("b'") && ty == "u8";
            if is_text && is_str || is_char { Ok(value.to_owned()) } else { complex() }
        }
        [one] if matches!(one.text, "true" | "false") && ty == "bool" => Ok(value.to_owned()),
        _ => {
            // A path of a scalar type has exactly that type.
            let is_path = is_pure(value) && is_atomic(value) && !value.contains('.');
            let is_scalar = NUMBERS.contains(&ty) || matches!(ty, "bool" | "char");
            if is_path && is_scalar { Ok(value.to_owned()) } else { complex() }
        }
    }
}
