//! Links in documentation to what a move makes another module: they get the path as their target.

use base::{ByteSpan, is_word};

use super::Plan;
use super::supply::{NewImport, Present};
use crate::rename::docs;

/// Replacements of spans of one file.
type Edits = base::SortedMap<(usize, usize), String>;

/// A link to an item, in one line of documentation.
#[derive(Debug, PartialEq, Eq)]
struct DocLink<'t> {
    /// The path to the item.
    path: &'t str,
    /// The path as written, which may be replaced; empty after the brackets of a link that has none.
    target: ByteSpan,
}

impl DocLink<'_> {
    /// The edit that leads the link to a path; `from` is the place of the line.
    fn to(&self, path: &str, from: usize) -> ((usize, usize), String) {
        let (start, end) = (from + self.target.start, from + self.target.end);
        let insert = if start == end { format!("({path})") } else { path.to_owned() };
        ((start, end), insert)
    }

    fn first(&self) -> &str {
        self.path.split("::").next().unwrap_or("")
    }

    /// The path below its first name, with `::`.
    fn rest(&self) -> &str {
        &self.path[self.first().len()..]
    }
}

/// The links of a line that have no target, or an item's path as one.
fn links(line: &str) -> Vec<DocLink<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = line.get(at..).and_then(|it| it.find('[')).map(|it| at + it) {
        let Some(close) = line[open..].find(']').map(|it| open + it) else { break };
        at = open + 1;
        let after = &line[close + 1..];
        let is_definition = line[..open].trim().is_empty() && after.starts_with(':');
        let span = match after.chars().next() {
            Some('(') => {
                let end = after.find(')').map(|it| close + 1 + it);
                end.map(|end| ByteSpan::new(close + 2, end))
            }
            Some(':') if is_definition => {
                let start = close + 2 + (after.len() - 1 - after[1..].trim_start().len());
                let len = line[start..].find(char::is_whitespace).unwrap_or(line.len() - start);
                Some(ByteSpan::new(start, start + len))
            }
            Some('[') => None,
            _ => Some(ByteSpan::new(close + 1, close + 1)),
        };
        let Some(span) = span else { continue };
        let text = match span.is_empty() {
            true => &line[open + 1..close],
            false => &line[span.start..span.end],
        };
        if let Some(path) = item_path(text) {
            // Of a target, the path alone is replaced.
            let start =
                line[span.start..span.end].find(path).map_or(span.start, |it| span.start + it);
            let end = if span.is_empty() { span.end } else { start + path.len() };
            found.push(DocLink { path, target: ByteSpan::new(start, end) });
        }
    }
    found
}

/// The path in the text of a link: without backquotes, `fn@`, `()` and `!`.
fn item_path(text: &str) -> Option<&str> {
    let text = text.trim().trim_matches('`');
    let text = text.split_once('@').map_or(text, |it| it.1);
    let text = text.trim_end_matches(['(', ')', '!']);
    let is_path = |it: &str| {
        it.split("::").all(|it| {
            it.starts_with(|it: char| it.is_alphabetic() || it == '_') && it.chars().all(is_word)
        })
    };
    is_path(text).then_some(text)
}

impl Plan<'_> {
    /// Links of the moved documentation to names that only the old module has.
    pub(super) fn doc_links(&self, edits: &mut Edits) {
        let text = &self.ends.scopes.file(self.pieces.file).text;
        for line in docs::prose(text) {
            if !self.pieces.contain(self.pieces.file, line.start) {
                continue;
            }
            let content = line.slice(text).unwrap_or("");
            for link in links(content).iter().filter(|it| !is_defined(text, it, content)) {
                if let Some(path) = self.moved_target(link) {
                    let (span, insert) = link.to(&path, line.start);
                    edits.entry(span).or_insert(insert);
                }
            }
        }
    }

    /// The path by which a link of the moved text leads to the same item; `None` if it does already.
    fn moved_target(&self, link: &DocLink<'_>) -> Option<String> {
        let (first, rest) = (link.first(), link.rest());
        let (scopes, from) = (self.ends.scopes, self.ends.from);
        if matches!(first, "self" | "super") {
            let names: Vec<&str> = link.path.split("::").collect();
            return Some(scopes.absolute(from, &names, false));
        }
        if matches!(first, "crate" | "Self") || first == self.ends.name {
            return None;
        }
        let (_, imports) = self.ends.origin(first)?;
        let supply = self.supplies.iter().find(|it| it.name == first);
        let comes_along = supply.is_some_and(|it| it.qualified.is_none());
        if comes_along || matches!(self.ends.in_target(first, &imports), Present::Same) {
            return None;
        }
        let tree = imports.first().map(|it: &NewImport| it.tree.as_str())?;
        Some(format!("{}{rest}", tree.split(" as ").next().unwrap_or(tree)))
    }

    /// Links of the old module's documentation to the item, which the module no longer has.
    pub(super) fn links_of_old(&mut self) {
        let (scopes, from) = (self.ends.scopes, self.ends.from);
        let Some((place, file)) = scopes.place(from) else { return };
        let text = &file.text;
        let to = format!("{}::{}", self.ends.to, super::supply::raw(self.ends.name));
        let mut found = Edits::new();
        for line in docs::prose(text) {
            let is_here = scopes.is_directly_in(from, place.file, line.start)
                && !self.pieces.contain(place.file, line.start);
            let content = line.slice(text).unwrap_or("");
            let own = links(content).into_iter().filter(|it| {
                is_here && it.first() == self.ends.name && !is_defined(text, it, content)
            });
            found.extend(own.map(|it| it.to(&format!("{to}{}", it.rest()), line.start)));
        }
        self.uses.edits.entry(place.file).or_default().extend(found);
    }
}

/// Whether the text of a link without a target is defined elsewhere in the documentation.
fn is_defined(text: &str, link: &DocLink<'_>, line: &str) -> bool {
    let Some(start) = line.get(..link.target.start).and_then(|it| it.rfind('[')) else {
        return false;
    };
    let label = line.get(start..link.target.start).unwrap_or("");
    link.target.is_empty() && text.contains(&format!("{label}:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Vec<String> {
        let edit = |it: &DocLink<'_>| {
            let ((start, end), insert) = it.to("crate::m::X", 0);
            format!("{}{insert}{}", &line[..start], &line[end..])
        };
        links(line).iter().map(edit).collect()
    }

    #[test]
    fn a_link_gets_a_path_as_its_target() {
        assert_eq!(shown("See [`a`], not (b)."), ["See [`a`](crate::m::X), not (b)."]);
        assert_eq!(shown("[it](super::a)"), ["[it](crate::m::X)"]);
        assert_eq!(shown(" [it]: a::b"), [" [it]: crate::m::X"]);
        assert_eq!(
            shown("[fn@a()] [x][y] [an array] [1]"),
            [
                "[fn@a()](crate::m::X) [x][y] [an array] [1]",
                "[fn@a()] [x][y](crate::m::X) [an array] [1]"
            ]
        );
        assert_eq!(shown("[it](http://a.b/c)"), Vec::<String>::new());
    }
}
