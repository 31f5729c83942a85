//! Literals of a function's body that have become its parameter: every call passes what was there.

use base::ByteSpan;
use edit::diff_sequences;
use preserve::outline::{Token, TokenKind, tokens};
use syntax::places::{Definition, places};

use super::values::Value;
use crate::project::Project;
use crate::{DefinitionName, Intent};

/// The literal that the body of the intent's function had where it has the new parameter now; `None`
/// if there is none, or more than one.
pub(super) fn former_value(
    project: &Project<'_>,
    intent: &Intent,
    name: &str,
    ty: &str,
) -> Option<Value> {
    let base = project.difference.get(&intent.path)?.base.clone()?;
    let now = project.text(&intent.path)?;
    let old = body_of(&base, &places(&base).definitions, intent.what.of())?;
    let new = body_of(&now.text, &now.places.definitions, intent.what.of())?;
    let (old, new) = (tokens(old), tokens(new));
    let mut found = replaced(&old, &new, name);
    found.extend(bound(&old, name).filter(|_| !is_bound(&new, name)));
    found.extend(formatted(&old, &new, name, ty));
    found.dedup();
    let [text] = found.as_slice() else { return None };
    let owned = if ty == "String" && text.starts_with('"') { ".to_owned()" } else { "" };
    let text = format!("{text}{owned}");
    Some(Value::sure(text))
}

fn body_of<'t>(text: &'t str, all: &[Definition], of: &DefinitionName) -> Option<&'t str> {
    let mut own = all.iter().filter(|it| {
        it.kind == of.kind
            && it.name == of.name
            && it.owner == of.owner
            && it.of_trait == of.of_trait
    });
    let (it, None) = (own.next()?, own.next()) else { return None };
    let body: ByteSpan = it.body?;
    body.slice(text)
}

/// The literals in whose place the name is.
fn replaced(old: &[Token<'_>], new: &[Token<'_>], name: &str) -> Vec<String> {
    let before: Vec<&str> = old.iter().map(|it| it.text).collect();
    let after: Vec<&str> = new.iter().map(|it| it.text).collect();
    let hunks = diff_sequences(&before, &after).into_iter();
    let is_name = |range: &std::ops::Range<usize>| after.get(range.clone()) == Some(&[name][..]);
    hunks.filter(|(_, now)| is_name(now)).filter_map(|(was, _)| literal(old.get(was)?)).collect()
}

/// The parts of string literals in whose place `{name}` is, as literals of the type.
fn formatted(old: &[Token<'_>], new: &[Token<'_>], name: &str, ty: &str) -> Vec<String> {
    let before: Vec<&str> = old.iter().map(|it| it.text).collect();
    let after: Vec<&str> = new.iter().map(|it| it.text).collect();
    let mut found = Vec::new();
    for (was, now) in diff_sequences(&before, &after) {
        let ([was], [now]) = (&before[was], &after[now]) else { continue };
        let parts = part_in_place(was, now, name).unwrap_or_default();
        found.extend(parts.into_iter().filter_map(|it| match ty.trim() {
            "char" if it.strip_prefix('\\').unwrap_or(it).chars().count() == 1 => match it {
                "\\\"" => Some("'\"'".to_owned()),
                "'" => Some("'\\''".to_owned()),
                it => Some(format!("'{it}'")),
            },
            "String" | "&str" | "&'static str" => Some(format!("\"{it}\"")),
            _ => None,
        }));
    }
    found
}

/// The parts of a string literal that became `{name}` in another one.
fn part_in_place<'t>(was: &'t str, now: &str, name: &str) -> Option<Vec<&'t str>> {
    let inner = |it: &'_ str| Some(it.strip_prefix('"')?.strip_suffix('"')?.len());
    let mut rest = was.get(1..1 + inner(was)?)?;
    let now = now.get(1..1 + inner(now)?)?;
    let hole = format!("{{{name}}}");
    let mut pieces = now.split(hole.as_str());
    rest = rest.strip_prefix(pieces.next()?)?;
    let pieces: Vec<&str> = pieces.collect();
    let mut found = Vec::new();
    for (nth, piece) in pieces.iter().enumerate() {
        let at = match nth + 1 == pieces.len() {
            true => rest.len().checked_sub(piece.len()).filter(|_| rest.ends_with(piece))?,
            false if piece.is_empty() => return None,
            false => rest.find(piece)?,
        };
        found.push(rest.get(..at).filter(|it| !it.is_empty())?);
        rest = rest.get(at + piece.len()..)?;
    }
    Some(found)
}

/// The token before a name that a `let` binds.
fn binding(list: &[Token<'_>], name: &str) -> Option<usize> {
    list.windows(2).position(|it| it[1].is(name) && (it[0].is("let") || it[0].is("mut")))
}

fn is_bound(list: &[Token<'_>], name: &str) -> bool {
    binding(list, name).is_some()
}

/// The literal that a `let` gives to the name.
fn bound(list: &[Token<'_>], name: &str) -> Option<String> {
    let at = binding(list, name)?;
    let rest = list.get(at + 2..)?;
    let end = rest.iter().position(|it| it.is(";"))?;
    let start = rest.iter().take(end).position(|it| it.is("="))?;
    literal(rest.get(start + 1..end)?)
}

/// The text of tokens that are one literal.
fn literal(list: &[Token<'_>]) -> Option<String> {
    let is_bool = |it: &Token<'_>| matches!(it.text, "true" | "false");
    match list {
        [it] if it.kind == TokenKind::Literal || is_bool(it) => Some(it.text.to_owned()),
        [sign, it] if sign.is("-") && it.kind == TokenKind::Literal => {
            Some(format!("-{}", it.text))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, wanted: &[&str]) {
        let (old, new) = (tokens(old), tokens(new));
        let mut found = replaced(&old, &new, "n");
        found.extend(bound(&old, "n").filter(|_| !is_bound(&new, "n")));
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_literal_that_became_a_name_is_found() {
        check("{ f(10) + g() }", "{ f(n) + g() }", &["10"]);
        check("{ let n = -3; f(n) }", "{ f(n) }", &["-3"]);
        check("{ let mut n: u8 = 7; n += 1; }", "{ n += 1; }", &["7"]);
        check("{ f(\"a\", 1); g(1) }", "{ f(\"a\", n); g(n) }", &["1", "1"]);
    }

    #[test]
    fn a_part_of_a_string_that_became_a_name_is_found() {
        let check = |old: &str, new: &str, ty: &str| formatted(&tokens(old), &tokens(new), "n", ty);
        let (old, new) = ("format!(\"\\\"{w}\\\"\")", "format!(\"{n}{w}{n}\")");
        assert_eq!(check(old, new, "char"), ["'\"'", "'\"'"]);
        assert_eq!(check(old, new, "&str"), ["\"\\\"\"", "\"\\\"\""]);
        assert_eq!(check("f(\"a-b\")", "f(\"a{n}b\")", "char"), ["'-'"]);
        assert_eq!(check("f(\"a--b\")", "f(\"a{n}b\")", "char"), [""; 0]);
        assert_eq!(check("f(\"a-b\")", "f(\"c{n}b\")", "&str"), [""; 0]);
        assert_eq!(check("f(\"ab\")", "f(\"{n}{n}\")", "&str"), [""; 0]);
    }

    #[test]
    fn other_changes_show_no_value() {
        check("{ f(x) }", "{ f(n) }", &[]);
        check("{ f(10) }", "{ f(10) + n }", &[]);
        check("{ let n = g(); f(n) }", "{ f(n) }", &[]);
        check("{ let n = 1; f(n) }", "{ let n = n + 1; f(n) }", &[]);
    }
}
