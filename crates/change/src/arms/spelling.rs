//! Names of variants in string literals, such as that of `Self::NotFound => "not_found"`.

use refactor::words;

/// Ways to write a name in a string, as a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spellings(u16);

/// The text of a name in each of the ways.
fn spelled(name: &str) -> [String; 11] {
    let words = words(name);
    let capital = |word: &String| {
        let first = word.chars().take(1).flat_map(char::to_uppercase);
        first.chain(word.chars().skip(1)).collect::<String>()
    };
    let titled: Vec<String> = words.iter().map(capital).collect();
    let rest = |all: &[String]| all.get(1..).unwrap_or_default().to_vec();
    let first = |all: &[String]| all.first().cloned().into_iter().collect::<Vec<_>>();
    [
        name.to_owned(),
        words.concat(),
        words.concat().to_uppercase(),
        words.join("_"),
        words.join("_").to_uppercase(),
        words.join("-"),
        words.join("-").to_uppercase(),
        words.join(" "),
        titled.join(" "),
        [first(&titled), rest(&words)].concat().join(" "),
        [first(&words), rest(&titled)].concat().concat(),
    ]
}

impl Spellings {
    /// The ways in which a literal is the name; `None` if it is another string or none.
    pub(super) fn of(literal: &str, name: &str) -> Option<Self> {
        let text = literal.strip_prefix('"')?.strip_suffix('"')?;
        let all = spelled(name);
        let bits = all.iter().enumerate().filter(|it| it.1 == text).map(|it| 1 << it.0);
        let bits = bits.fold(0, |all, bit| all | bit);
        (bits != 0).then_some(Self(bits))
    }

    /// The ways that are in both.
    pub(super) fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The literal with another name; `None` if the ways give different texts.
    pub(super) fn literal(self, name: &str) -> Option<String> {
        let all = spelled(name).into_iter().enumerate();
        let mut texts = all.filter(|it| self.0 & (1 << it.0) != 0).map(|it| it.1);
        let first = texts.next()?;
        texts.all(|it| it == first).then(|| format!("\"{first}\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_written_as_the_others_are() {
        let written = |examples: &[(&str, &str)], name: &str| {
            let mut all =
                examples.iter().map(|(name, it)| Spellings::of(&format!("\"{it}\""), name));
            let first = all.next().flatten()?;
            all.try_fold(first, |both, it| Some(both.common(it?)))?.literal(name)
        };
        for (text, wanted) in [
            ("NotFound", "\"GoneAway\""),
            ("notfound", "\"goneaway\""),
            ("NOTFOUND", "\"GONEAWAY\""),
            ("not_found", "\"gone_away\""),
            ("NOT_FOUND", "\"GONE_AWAY\""),
            ("not-found", "\"gone-away\""),
            ("not found", "\"gone away\""),
            ("Not Found", "\"Gone Away\""),
            ("Not found", "\"Gone away\""),
            ("notFound", "\"goneAway\""),
        ] {
            assert_eq!(
                written(&[("NotFound", text)], "GoneAway").as_deref(),
                Some(wanted),
                "{text}"
            );
        }
        // Names of one word leave open how two are written.
        assert_eq!(written(&[("Get", "get"), ("Put", "put")], "Head").as_deref(), Some("\"head\""));
        assert_eq!(written(&[("Get", "get"), ("Put", "put")], "GoneAway"), None);
        assert_eq!(written(&[("Get", "get"), ("Put", "PUT")], "Head"), None);
        assert_eq!(written(&[("Get", "take")], "Head"), None);
    }
}
