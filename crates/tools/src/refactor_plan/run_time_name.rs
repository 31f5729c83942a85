//! Names that a derive gives to users and data at run time: flags, subcommands, keys.

use refactor::{RenameKind, RunTimeName, words};

use super::find::Named;

/// Derives of command lines, then of data.
const OF_FLAGS: [&str; 4] = ["Parser", "Args", "Subcommand", "ValueEnum"];
const OF_DATA: [&str; 2] = ["Serialize", "Deserialize"];

/// The name of a field or variant at run time.
struct Spelled<'s> {
    derive: &'s str,
    is_flag: bool,
    /// Whether it is an option of a command line.
    is_option: bool,
    /// The old and the new text; `None` if attributes give another one.
    names: Option<(String, String)>,
}

fn spelled(named: &Named<'_>, to: Option<&str>) -> Option<Spelled<'static>> {
    if !matches!(named.kind(), RenameKind::Field | RenameKind::Variant) {
        return None;
    }
    let own = named.definition()?;
    let text = |span: (usize, usize)| named.source.text.get(span.0..span.1).unwrap_or("");
    let owner = own.owner.split("::").next().unwrap_or("");
    let mut definitions = named.source.definitions().iter();
    let of = definitions.find(|it| it.name == owner && it.span.contains(own.span))?;
    let head = text((of.span.start, of.name_span.start));
    let attributes = text((own.span.start, own.name_span.start));
    let derive = OF_FLAGS.iter().chain(&OF_DATA).find(|it| head.contains(**it))?;
    let is_named = ["rename =", "rename=", "long =", "long(", "name ="];
    let is_flag = OF_FLAGS.contains(derive);
    let style = rename_all(head).unwrap_or(if is_flag { "kebab-case" } else { "" });
    let names = to.filter(|_| !is_named.iter().any(|it| attributes.contains(it)));
    Some(Spelled {
        derive,
        is_flag,
        is_option: is_flag && named.kind() == RenameKind::Field && attributes.contains("long"),
        names: names.map(|to| (styled(named.name(), style), styled(to, style))),
    })
}

/// The name of a field or variant at run time that the new name `to` changes.
pub(super) fn changed(named: &Named<'_>, to: &str) -> Option<RunTimeName> {
    let it = spelled(named, Some(to))?;
    let (old, new) = it.names?;
    let text = if it.is_option { format!("--{old}") } else { old.clone() };
    // A field of a command line that is no option has a place, not a name.
    let is_shown = it.is_option || !it.is_flag || named.kind() == RenameKind::Variant;
    (is_shown && old != new).then(|| RunTimeName { derive: it.derive.to_owned(), text })
}

/// Meaning of the name of a field or variant at run time; with `to` the name that it gets.
pub(super) fn note(named: &Named<'_>, to: Option<&str>) -> Option<String> {
    let Spelled { derive, is_flag, is_option, names } = spelled(named, to)?;
    let Some((old, new)) = names else {
        return Some(format!("`derive({derive})` uses the name at run time"));
    };
    Some(match (is_flag, is_option) {
        (true, true) => format!(
            "`derive({derive})`: the option `--{old}` is `--{new}` for users now \
             (`long = \"{old}\"` keeps it)"
        ),
        (true, false) => format!(
            "`derive({derive})`: users see `{new}` instead of `{old}` (`name = \"{old}\"` keeps it)"
        ),
        _ => format!(
            "`derive({derive})`: data with `{old}` needs `{new}` now (`#[serde(rename = \"{old}\")]` \
             keeps it, `alias` reads both)"
        ),
    })
}

/// The style that attributes of a type give to the names in it.
fn rename_all(head: &str) -> Option<&str> {
    let rest = head.split_once("rename_all")?.1;
    rest.split_once('"')?.1.split('"').next()
}

/// A name in a style; as it is in one that has no rule here.
fn styled(name: &str, style: &str) -> String {
    let list = words(name);
    let capital = |it: &String| {
        let mut chars = it.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
    };
    match style {
        "kebab-case" => list.join("-"),
        "snake_case" => list.join("_"),
        "SCREAMING_SNAKE_CASE" => list.join("_").to_uppercase(),
        "SCREAMING-KEBAB-CASE" => list.join("-").to_uppercase(),
        "lowercase" => list.concat(),
        "UPPERCASE" => list.concat().to_uppercase(),
        "PascalCase" => list.iter().map(capital).collect(),
        "camelCase" => {
            let rest = list.iter().skip(1).map(capital).collect::<String>();
            format!("{}{rest}", list.first().map_or("", String::as_str))
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_written_in_the_style_of_its_type() {
        assert_eq!(
            rename_all("#[serde(rename_all = \"kebab-case\")]\nstruct "),
            Some("kebab-case")
        );
        assert_eq!(styled("no_percent_bars", "kebab-case"), "no-percent-bars");
        assert_eq!(styled("ReadOnly", "camelCase"), "readOnly");
        assert_eq!(styled("ReadOnly", "SCREAMING_SNAKE_CASE"), "READ_ONLY");
        assert_eq!(styled("read_only", "PascalCase"), "ReadOnly");
        assert_eq!(styled("read_only", ""), "read_only");
    }
}
