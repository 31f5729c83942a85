//! The list of traits in the derive of a type.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::{Token, TokenKind, tokens};
use syntax::places::{Definition, places};

/// The list of the first derive of a type, without parentheses.
pub(crate) fn derive_list(text: &str, of: &Definition) -> Option<ByteSpan> {
    let head = ByteSpan::new(of.span.start, of.name_span.start).slice(text)?;
    let list = tokens(head);
    let at = list.windows(3).position(|it| it[0].is("[") && it[1].is("derive") && it[2].is("("))?;
    let close = list.iter().skip(at).find(|it| it.is(")"))?;
    Some(ByteSpan::new(of.span.start + list[at + 2].span.end, of.span.start + close.span.start))
}

/// Traits in the list of a derive.
pub(crate) fn listed(text: &str, list: ByteSpan, added: &str) -> Option<Splice> {
    let old = list.slice(text)?.trim_end();
    let end = list.start + old.len();
    let insert = match old.trim().is_empty() {
        true => added.to_owned(),
        false if old.ends_with(',') => format!(" {added}"),
        false => format!(", {added}"),
    };
    Some(Splice { span: ByteSpan::new(end, end), insert })
}

/// For a derive that is to be inserted before a type which has one: the traits in that one.
pub(crate) fn in_existing_derive(text: &str, new: &Splice) -> Option<Splice> {
    let added = new.insert.trim().strip_prefix("#[derive(")?.strip_suffix(")]")?;
    let at = new.span.start;
    let places = places(text);
    let is_it = |it: &&Definition| it.span.start <= at && at <= it.name_span.start;
    let of = places.definitions.iter().filter(is_it).min_by_key(|it| it.span.len())?;
    // One after it comes too late for a helper attribute between them.
    listed(text, derive_list(text, of).filter(|it| it.end <= at)?, added)
}

/// A derive that is to be inserted before a type, before the first attribute of the type that is a helper
/// of the derived macro: a helper attribute may not come before its derive.
pub(crate) fn above_helpers(text: &str, new: &Splice, helper: &str) -> Option<Splice> {
    let added = new.insert.trim();
    let at = new.span.start;
    let places = places(text);
    let is_it = |it: &&Definition| it.span.start <= at && at <= it.name_span.start;
    let of = places.definitions.iter().filter(is_it).min_by_key(|it| it.span.len())?;
    let list = tokens(ByteSpan::new(of.span.start, at).slice(text)?);
    let is_helper = |idx: &usize| {
        let has_word = || {
            let rest = list.iter().skip(idx + 3).take_while(|it| !it.is("]") && !it.is("#"));
            rest.into_iter().any(|it| it.is(helper))
        };
        let name = list.get(idx + 2);
        list[*idx].is("#")
            && (name.is_some_and(|it| it.is(helper))
                || name.is_some_and(|it| it.is("cfg_attr")) && has_word())
    };
    let first = (0..list.len()).find(is_helper)?;
    let start = of.span.start + list[first].span.start;
    let line = text.get(..start)?.rfind('\n').map_or(0, |it| it + 1);
    let indent = text.get(line..start).filter(|it| it.trim().is_empty()).unwrap_or("");
    let end = if text.get(..line)?.ends_with("\r\n") { "\r\n" } else { "\n" };
    added.starts_with("#[derive(").then(|| Splice {
        span: ByteSpan::new(start, start),
        insert: format!("{added}{end}{indent}"),
    })
}

/// A derive that is to be inserted, once for each of its traits, those first that the text has elsewhere: of the
/// macros that an attribute belongs to, one is meant. Before them comes one of all traits that the text
/// imports and does not use, if these are several, in their place: each was derived.
pub(crate) fn one_each(text: &str, new: &Splice) -> Option<Vec<Splice>> {
    let (head, rest) = new.insert.split_once("#[derive(")?;
    let (list, tail) = rest.split_once(")]")?;
    let mut names: Vec<&str> = list.split(',').map(str::trim).collect();
    names.sort_by_key(|it| !base::has_word(text, it));
    let of =
        |names: &str| Splice { span: new.span, insert: format!("{head}#[derive({names})]{tail}") };
    let all = tokens(text);
    let is_unused = |it: &&&str| {
        let places: Vec<usize> = (0..all.len()).filter(|at| all[*at].is(it)).collect();
        places.len() == 1 && is_imported(&all, places[0])
    };
    let unused: Vec<&str> = names.iter().filter(is_unused).copied().collect();
    let together = (unused.len() > 1).then(|| unused.join(", "));
    let is_alone = |it: &&&str| together.is_none() || !unused.contains(it);
    let alone: Vec<String> = names.iter().filter(is_alone).map(|it| (*it).to_owned()).collect();
    Some(together.into_iter().chain(alone).map(|it| of(&it)).collect())
}

/// Whether a token is in an import.
fn is_imported(list: &[Token<'_>], at: usize) -> bool {
    let mut before = list[..at].iter().rev();
    let first = before.find(|it| it.is("use") || it.is(";") || !is_in_path(it));
    first.is_some_and(|it| it.is("use"))
}

/// Whether a token may be between `use` and an imported name.
fn is_in_path(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Word || ["::", "{", "}", ",", "*"].contains(&token.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_macros_the_one_that_is_imported_comes_first() {
        let span = ByteSpan::new(0, 0);
        let new = Splice { span, insert: "  #[derive(Args, Parser)]\n".to_owned() };
        let found = one_each("use clap::Parser;", &new).unwrap();
        let inserts: Vec<&str> = found.iter().map(|it| it.insert.as_str()).collect();
        assert_eq!(inserts, ["  #[derive(Parser)]\n", "  #[derive(Args)]\n"]);
    }

    #[test]
    fn of_several_macros_those_are_derived_that_are_imported_for_nothing_else() {
        let new = Splice { span: ByteSpan::new(0, 0), insert: "#[derive(De, Ser)]\n".to_owned() };
        let inserts = |text: &str| -> Vec<String> {
            one_each(text, &new).unwrap().into_iter().map(|it| it.insert).collect()
        };
        let (de, ser) = ("#[derive(De)]\n".to_owned(), "#[derive(Ser)]\n".to_owned());
        assert_eq!(inserts("use serde::{De, Ser};\nstruct A;"), std::slice::from_ref(&new.insert));
        assert_eq!(inserts("use serde::{De, Ser};\n#[derive(De)]\nstruct A;"), [de, ser]);
    }

    #[test]
    fn a_derive_comes_before_its_helper_attributes() {
        let moved = |text: &str, insert: &str| {
            let at = text.find("pub struct").unwrap();
            let new = Splice { span: ByteSpan::new(at, at), insert: insert.to_owned() };
            let found = above_helpers(text, &new, "serde")?;
            let mut text = text.to_owned();
            text.insert_str(found.span.start, &found.insert);
            Some(text)
        };
        let new = "#[derive(A)]\n";
        assert_eq!(
            moved("/// B.\n#[must_use]\n#[serde(default)]\n#[c]\npub struct B;", new).unwrap(),
            "/// B.\n#[must_use]\n#[derive(A)]\n#[serde(default)]\n#[c]\npub struct B;"
        );
        assert_eq!(
            moved("mod m {\n    #[serde(a)]\n    pub struct B;\n}", new).unwrap(),
            "mod m {\n    #[derive(A)]\n    #[serde(a)]\n    pub struct B;\n}"
        );
        assert_eq!(
            moved("#[cfg_attr(x, serde(a))]\npub struct B;", new).unwrap(),
            "#[derive(A)]\n#[cfg_attr(x, serde(a))]\npub struct B;"
        );
        // That of a field.
        assert_eq!(moved("#[b]\npub struct B { #[serde(a)] c: u8 }", new), None);
        assert_eq!(moved("#[derive(serde::A)]\npub struct B;", new), None);
    }

    #[test]
    fn a_derive_below_a_helper_attribute_is_not_joined() {
        let text = "#[serde(a)]\n#[derive(Debug)]\nstruct B;";
        let new = Splice { span: ByteSpan::new(0, 0), insert: "#[derive(A)]\n".to_owned() };
        assert_eq!(in_existing_derive(text, &new), None);
    }

    #[test]
    fn a_new_derive_joins_the_one_that_the_type_has() {
        let text = "/// A.\n#[derive(Debug, PartialEq)]\npub enum A { B }\nstruct C;";
        let at = text.find("pub enum").unwrap();
        let new = |at: usize| Splice {
            span: ByteSpan::new(at, at),
            insert: "#[derive(Clone)]\n".to_owned(),
        };
        let joined = in_existing_derive(text, &new(at)).unwrap();
        assert_eq!((joined.span.start, joined.insert.as_str()), (at - 3, ", Clone"));
        assert_eq!(in_existing_derive(text, &new(text.find("struct").unwrap())), None);
    }
}
