//! The list of traits in the derive of a type.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::tokens;
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
    listed(text, derive_list(text, of)?, added)
}

/// A derive that is to be inserted, once for each of its traits, those first that the text has elsewhere: of the
/// macros that an attribute belongs to, one is meant.
pub(crate) fn one_each(text: &str, new: &Splice) -> Option<Vec<Splice>> {
    let (head, rest) = new.insert.split_once("#[derive(")?;
    let (list, tail) = rest.split_once(")]")?;
    let mut names: Vec<&str> = list.split(',').map(str::trim).collect();
    names.sort_by_key(|it| !base::has_word(text, it));
    let alone =
        |name: &str| Splice { span: new.span, insert: format!("{head}#[derive({name})]{tail}") };
    Some(names.into_iter().map(alone).collect())
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
