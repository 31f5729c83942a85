//! Parses rust-analyzer's SCIP symbol strings into package, path and kind.

use crate::scip::SymbolKind;

/// A parsed symbol string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedSymbol {
    /// The package name.
    pub package: String,
    /// The path; see [`crate::scip::ScipSymbol::path`].
    pub path: String,
    /// The kind.
    pub kind: SymbolKind,
}

/// Parses a symbol string of rust-analyzer:
/// `rust-analyzer cargo PACKAGE VERSION module/impl#[Type][Trait]method().`
///
/// `None` if the text has another form. A member of an impl has the impl's type, or
/// `<Type as Trait>`, in its path; generic arguments stay as written.
pub(crate) fn parse_symbol(text: &str) -> Option<ParsedSymbol> {
    let mut rest = text;
    let _scheme = word(&mut rest)?;
    let _manager = word(&mut rest)?;
    let package = word(&mut rest)?;
    let _version = word(&mut rest)?;
    let mut parts: Vec<String> = Vec::new();
    let mut kind = SymbolKind::Module;
    while !rest.is_empty() {
        kind = descriptor(&mut rest, &mut parts)?;
    }
    Some(ParsedSymbol { package, path: parts.join("::"), kind })
}

/// The text up to a single space; a doubled space is an escaped one.
fn word(rest: &mut &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = rest.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        if ch != ' ' {
            out.push(ch);
        } else if chars.next_if(|(_, next)| *next == ' ').is_some() {
            out.push(' ');
        } else {
            *rest = rest.get(at + 1..)?;
            return Some(out);
        }
    }
    None
}

/// Parses one descriptor and appends its name to `parts`.
fn descriptor(rest: &mut &str, parts: &mut Vec<String>) -> Option<SymbolKind> {
    if let Some(open) = rest.chars().next().filter(|ch| matches!(ch, '[' | '(')) {
        // A parameter of a function, or a type parameter.
        *rest = rest.get(1..)?;
        let name = identifier(rest)?;
        *rest = rest.strip_prefix(if open == '[' { ']' } else { ')' })?;
        parts.push(name);
        return Some(SymbolKind::Other);
    }
    let name = identifier(rest)?;
    let suffix = rest.chars().next()?;
    *rest = rest.get(suffix.len_utf8()..)?;
    let kind = match suffix {
        '/' if name == "crate" && parts.is_empty() => return Some(SymbolKind::Module),
        '/' => SymbolKind::Module,
        '#' if name == "impl" && rest.starts_with('[') => {
            parts.push(impl_header(rest)?);
            return Some(SymbolKind::Other);
        }
        '#' => SymbolKind::Type,
        '.' => SymbolKind::Term,
        '!' => SymbolKind::Macro,
        ':' => SymbolKind::Other,
        '(' => {
            let close = rest.find(").")?;
            *rest = rest.get(close + 2..)?;
            SymbolKind::Function
        }
        _ => return None,
    };
    parts.push(name);
    Some(kind)
}

/// `[Type]` or `[Type][Trait]`.
fn impl_header(rest: &mut &str) -> Option<String> {
    let mut names = Vec::new();
    while let Some(inside) = rest.strip_prefix('[') {
        let mut after = inside;
        names.push(identifier(&mut after)?);
        *rest = after.strip_prefix(']')?;
    }
    match &names[..] {
        [of] => Some(of.clone()),
        [of, implemented] => Some(format!("<{of} as {implemented}>")),
        _ => None,
    }
}

/// A simple name, or any text between backticks (a doubled backtick is an escaped one).
fn identifier(rest: &mut &str) -> Option<String> {
    let Some(quoted) = rest.strip_prefix('`') else {
        let simple = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '+' | '-' | '$');
        let end = rest.find(|ch| !simple(ch)).unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(end)?;
        *rest = after;
        return (!name.is_empty()).then(|| name.to_owned());
    };
    let mut out = String::new();
    let mut chars = quoted.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        if ch != '`' {
            out.push(ch);
        } else if chars.next_if(|(_, next)| *next == '`').is_some() {
            out.push('`');
        } else {
            *rest = quoted.get(at + 1..)?;
            return Some(out);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(descriptors: &str, path: &str, kind: SymbolKind) {
        let text = format!("rust-analyzer cargo some-crate 1.2.3 {descriptors}");
        let want = ParsedSymbol { package: "some-crate".into(), path: path.into(), kind };
        assert_eq!(parse_symbol(&text), Some(want), "{descriptors}");
    }

    #[test]
    fn descriptors_become_rust_paths() {
        use SymbolKind::{Function, Macro, Module, Other, Term, Type};
        check("crate/", "", Module);
        check("a/b/", "a::b", Module);
        check("main().", "main", Function);
        check("kinds/Run#go().", "kinds::Run::go", Function);
        check("kinds/impl#[A]new().", "kinds::A::new", Function);
        check("kinds/impl#[A][Run]go().", "kinds::<A as Run>::go", Function);
        check("m/impl#[`Standard<W>`]sink().", "m::Standard<W>::sink", Function);
        check(
            "m/impl#[`Vec<T, A>`][`Index<I>`]index().",
            "m::<Vec<T, A> as Index<I>>::index",
            Function,
        );
        check("outer().inner().", "outer::inner", Function);
        check("kinds/A#n.", "kinds::A::n", Term);
        check("kinds/A#", "kinds::A", Type);
        check("mk!", "mk", Macro);
        check("m/impl#[A][Run]", "m::<A as Run>", Other);
        check("f().(arg)", "f::arg", Other);
    }

    #[test]
    fn a_version_may_contain_slashes() {
        let text = "rust-analyzer cargo core https://example.org/core cmp/min().";
        assert_eq!(parse_symbol(text).map(|it| it.path), Some("cmp::min".to_owned()));
    }

    #[test]
    fn other_forms_are_rejected() {
        for text in
            ["", "local 1", "a b c d `x", "a b c d x(", "a b c d x?", "a b c d impl#[`A`", "é"]
        {
            assert_eq!(parse_symbol(text), None, "{text}");
        }
    }
}
