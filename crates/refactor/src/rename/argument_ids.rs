//! Names of arguments in the attributes of derives for command lines: `#[arg(requires = "input")]` names the field
//! `input` of the same type, as its identifier at run time. Start at [`id_key`].

use preserve::outline::{Outline, TokenKind, tokens};
use syntax::places::DefinitionKind;

use super::{RenameKind, RenameSite, Renaming};

/// Attribute keys whose strings, or whose first strings in each list, are identifiers of arguments.
const FIRST: &[&str] = &[
    "arg",
    "args",
    "conflicts_with",
    "conflicts_with_all",
    "default_value_if",
    "default_value_ifs",
    "default_value_if_os",
    "default_value_ifs_os",
    "overrides_with",
    "overrides_with_all",
    "required_if",
    "required_if_eq",
    "required_if_eq_all",
    "required_if_eq_any",
    "required_ifs",
    "required_unless",
    "required_unless_all",
    "required_unless_one",
    "required_unless_present",
    "required_unless_present_all",
    "required_unless_present_any",
    "requires",
    "requires_all",
];
/// The same for the second strings.
const SECOND: &[&str] = &["requires_if", "requires_ifs"];

/// Whether the string literal at `at`, in an attribute that begins at token `start`, is the identifier of an
/// argument by its key and position: `requires = "a"`, `requires_all(["a"])`, `default_value_ifs([("a", "b")])`.
pub(super) fn is_id(outline: &Outline<'_>, start: usize, at: usize) -> bool {
    let Some((key, index)) = id_key(outline, start, at) else { return false };
    FIRST.contains(&key) && index == 0 || SECOND.contains(&key) && index == 1
}

/// The key of a string in an attribute, and its index in the innermost parentheses.
fn id_key<'a>(outline: &Outline<'a>, start: usize, at: usize) -> Option<(&'a str, usize)> {
    let (mut depth, mut index, mut is_fixed) = (0usize, 0, false);
    for before in (start + 1..at).rev() {
        match outline.text(before) {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "(" => {
                let called = before.checked_sub(1).filter(|it| *it > start)?;
                let called = &outline.tokens[called];
                if called.kind == TokenKind::Word {
                    return Some((called.text, index));
                }
                is_fixed = true;
            }
            "[" if !is_fixed => index = 0,
            "," if depth == 0 && !is_fixed => index += 1,
            "=" if depth == 0 => return Some((outline.before(before, 1), index)),
            _ => {}
        }
    }
    None
}

impl Renaming {
    /// Whether a string in an attribute of the type that the renamed field is a part of is the name of the field
    /// and nothing else.
    pub(super) fn is_equal_string(&self, site: &RenameSite) -> bool {
        let text = self.source(&site.path).map_or("", |it| &it.text);
        let (before, after) = (text.get(..site.span.start), text.get(site.span.end..));
        self.target.kind == RenameKind::Field
            && self.target.from != self.target.to
            && before.is_some_and(|it| it.ends_with('"'))
            && after.is_some_and(|it| it.starts_with('"'))
    }

    /// Whether the identifier of the field as an argument is written in its attributes: then no other string
    /// follows its name.
    pub(super) fn has_own_id(&self) -> bool {
        self.target.definitions.iter().any(|(path, at)| {
            let Some(source) = self.source(path) else { return false };
            let own = source.places.definitions.iter();
            let own = own.filter(|it| it.kind == DefinitionKind::Field);
            let head = own.filter(|it| it.name_span.start == *at);
            let head = head.map(|it| source.slice(it.span.start..*at));
            head.into_iter().any(|head| {
                let tokens = tokens(head);
                tokens.windows(2).any(|it| matches!(it[0].text, "id" | "name") && it[1].is("="))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_and_the_position_tell_an_identifier_from_a_value() {
        let is_it = |text: &str| {
            let outline = Outline::of(text);
            let at = outline.tokens.iter().position(|it| it.text == "\"x\"").unwrap();
            is_id(&outline, outline.attributes[0].name, at)
        };
        for text in [
            r#"#[arg(long, requires = "x")] struct S;"#,
            r#"#[arg(requires("x"), short = "y")] struct S;"#,
            r#"#[clap(conflicts_with_all = &["a", "x"])] struct S;"#,
            r#"#[arg(default_value_ifs([("a", "b", "c"), ("x", "y", "z")]))] struct S;"#,
            r#"#[arg(requires_if("a", "x"))] struct S;"#,
            r#"#[command(group(ArgGroup::new("g").required(true).args(["a", "x"])))] struct S;"#,
            r#"#[cfg_attr(a, arg(requires = "x"))] struct S;"#,
        ] {
            assert!(is_it(text), "{text}");
        }
        for text in [
            r#"#[arg("x")] struct S;"#,
            r#"#[arg(help = "x")] struct S;"#,
            r#"#[arg(required_if_eq("a", "x"))] struct S;"#,
            r#"#[arg(requires_if("x", "a"))] struct S;"#,
            r#"#[arg(requires = "a", help = "x")] struct S;"#,
        ] {
            assert!(!is_it(text), "{text}");
        }
    }
}
