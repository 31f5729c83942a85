//! Page and anchor of each item, and intra-doc links in prose.

use base::{ItemKind, SortedMap, SortedSet, is_one_word};

use super::tree::{CrateDoc, DocTree, ItemDoc, ModuleDoc};

/// Pages and anchors of all documented items.
pub(crate) struct Links {
    /// Page and anchor by item number.
    targets: SortedMap<u32, PageAnchor>,
    /// Item numbers by the last parts of the path: `Reader::read`, `Reader`.
    names: SortedMap<String, SortedSet<u32>>,
    /// Full paths by item number, crate and modules included.
    paths: SortedMap<u32, Vec<String>>,
}

/// A page with an anchor on it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PageAnchor {
    page: String,
    /// Anchor; empty: the page itself.
    anchor: String,
}

impl Links {
    pub(crate) fn of(tree: &DocTree) -> Self {
        let mut links = Self::empty();
        for krate in &tree.crates {
            for module in &krate.modules {
                let page = page_of(krate, module);
                let mut above = vec![krate.folder.replace('-', "_")];
                above.extend(module.path.iter().cloned());
                let (name, outside) = above.split_last().unwrap_or((&krate.folder, &[]));
                links.put(module.number, &page, String::new(), outside, &[name]);
                let mut taken = SortedSet::new();
                for item in &module.items {
                    let anchor =
                        unique_anchor(&mut taken, format!("{}.{}", keyword(item.kind), item.name));
                    links.put(item.number, &page, anchor, &above, &[&item.name]);
                    for member in &item.members {
                        let name =
                            format!("{}.{}.{}", keyword(member.kind), item.name, member.name);
                        let anchor = unique_anchor(&mut taken, name);
                        let names = [&item.name, &member.name];
                        links.put(member.number, &page, anchor, &above, &names);
                    }
                }
            }
        }
        links
    }

    fn empty() -> Self {
        Self { targets: SortedMap::new(), names: SortedMap::new(), paths: SortedMap::new() }
    }

    fn put(
        &mut self,
        number: u32,
        page: &str,
        anchor: String,
        above: &[String],
        names: &[&String],
    ) {
        self.targets.insert(number, PageAnchor { page: page.to_owned(), anchor });
        let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
        self.names.entry(names.join("::")).or_default().insert(number);
        let path = above.iter().cloned().chain(names.into_iter().map(str::to_owned));
        self.paths.insert(number, path.collect());
    }

    /// The anchor of an item on its page.
    pub(crate) fn anchor(&self, number: u32) -> &str {
        self.targets.get(&number).map_or("", |target| &target.anchor)
    }

    /// The link from a page to an item.
    pub(crate) fn to(&self, from: &str, number: u32) -> Option<String> {
        let target = self.targets.get(&number)?;
        let anchor = match target.anchor.as_str() {
            "" => String::new(),
            anchor => format!("#{anchor}"),
        };
        if target.page == from {
            return Some(if anchor.is_empty() { file_name(from).to_owned() } else { anchor });
        }
        Some(format!("{}{anchor}", relative(from, &target.page)))
    }

    /// The link from a page to the item that a path in prose names; `None` if it is unknown or
    /// ambiguous.
    fn resolve_path(&self, from: &str, path: &str) -> Option<String> {
        let path = path.trim().trim_end_matches("()").trim_end_matches('!');
        let path = ["fn@", "struct@", "trait@", "enum@", "mod@", "type@", "macro@", "method@"]
            .iter()
            .find_map(|mark| path.strip_prefix(mark))
            .unwrap_or(path);
        let parts: Vec<&str> = path.split("::").collect();
        let is_name = |part: &&str| is_one_word(part);
        if !parts.iter().all(is_name) {
            return None;
        }
        let parts: Vec<&str> =
            parts.into_iter().filter(|part| !matches!(*part, "crate" | "self" | "super")).collect();
        // The longest known suffix: `Reader::read` for `io::Reader::read`. The parts before it must
        // occur in the full path: `fmt::Display` is not a `Display` of the workspace.
        let ends = (0..parts.len()).map(|at| parts[at..].join("::"));
        let found = ends.filter_map(|end| self.names.get(&end)).next()?;
        let mut found = found.iter().filter(|number| {
            let mut path = self.paths.get(number).into_iter().flatten();
            parts.iter().all(|part| path.any(|other| other == part))
        });
        match (found.next(), found.next()) {
            (Some(number), None) => self.to(from, *number),
            _ => None,
        }
    }

    /// Rewrites the intra-doc links of one line of prose to links to pages.
    pub(crate) fn in_prose(&self, from: &str, prose: &Prose<'_>, line: &str) -> String {
        let of_path = |path: &str| match path.trim_matches('`').strip_prefix("Self::") {
            Some(rest) => self.resolve_path(from, &format!("{}::{rest}", prose.self_name)),
            None => self.resolve_path(from, path.trim_matches('`')),
        };
        let of_label = |label: &str| match prose.targets.get(label) {
            Some(target) if target.contains("//") => Some((*target).to_owned()),
            Some(target) => of_path(target),
            None => of_path(label).filter(|_| is_item_like(label)),
        };
        if let Some((label, target)) = definition(line) {
            let link = of_path(target).unwrap_or_else(|| target.to_owned());
            return format!("[{label}]: {link}");
        }
        let mut out = String::new();
        let mut rest = line;
        while let Some(at) = rest.find('[') {
            let (before, bracketed) = rest.split_at(at);
            out.push_str(before);
            let Some(end) = bracketed.find(']') else {
                rest = bracketed;
                break;
            };
            let (text, after) = (&bracketed[1..end], &bracketed[end + 1..]);
            let is_picture = before.ends_with('!');
            let (link, after) = if let Some((target, after)) = in_brackets(after) {
                (Some(of_path(target).unwrap_or_else(|| target.to_owned())), after)
            } else if let Some((label, after)) =
                after.strip_prefix('[').and_then(|rest| rest.split_once(']'))
            {
                let link = of_label(if label.is_empty() { text } else { label });
                match link {
                    Some(link) => (Some(link), after),
                    None => {
                        out.push_str(&format!("[{text}][{label}]"));
                        rest = after;
                        continue;
                    }
                }
            } else {
                (of_label(text).filter(|_| !is_picture), after)
            };
            match link {
                Some(link) => out.push_str(&format!("[{text}]({link})")),
                None => out.push_str(&format!("[{text}]")),
            }
            rest = after;
        }
        out + rest
    }
}

/// Names that are local to one piece of documentation.
#[derive(Default)]
pub(crate) struct Prose<'d> {
    /// Name of the documented item, for `Self`.
    self_name: &'d str,
    /// Targets of the labels in `[label]: target` lines.
    targets: SortedMap<&'d str, &'d str>,
}

impl<'d> Prose<'d> {
    /// Parses the documentation `docs` of the item `self_name`.
    pub(crate) fn of(self_name: &'d str, docs: &'d str) -> Self {
        Self { self_name, targets: docs.lines().filter_map(definition).collect() }
    }
}

/// Parses a line `[label]: target`.
fn definition(line: &str) -> Option<(&str, &str)> {
    let (label, target) = line.trim().strip_prefix('[')?.split_once("]: ")?;
    let target = target.split_whitespace().next()?;
    (!label.contains(['[', ']'])).then_some((label, target))
}

/// Whether a label looks like an item, not like an ordinary English word.
fn is_item_like(label: &str) -> bool {
    let bare = label.trim_matches('`');
    bare.contains("::")
        || bare.ends_with("()")
        || bare.ends_with('!')
        || bare.chars().next().is_some_and(char::is_uppercase)
}

/// Splits `(target) rest` into target and rest; the target may contain balanced parentheses.
fn in_brackets(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('(')?;
    let mut depth = 1usize;
    for (at, ch) in inner.char_indices() {
        match ch {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&inner[..at], &inner[at + 1..]));
        }
    }
    None
}

/// The path of the page of a module. `crate` is a keyword, so no module has that name.
pub(crate) fn page_of(krate: &CrateDoc, module: &ModuleDoc) -> String {
    match module.path[..] {
        [] => format!("{}/crate.md", krate.folder),
        _ => format!("{}/{}.md", krate.folder, module.path.join("/")),
    }
}

/// The relative path from one page to another.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let folders = from.len() - 1;
    let same = from[..folders].iter().zip(&to).take_while(|(a, b)| a == b).count();
    let same = same.min(to.len() - 1);
    format!("{}{}", "../".repeat(folders - same), to[same..].join("/"))
}

fn file_name(page: &str) -> &str {
    page.rsplit('/').next().unwrap_or(page)
}

/// The keyword of an item kind, as in rustdoc.
pub(crate) fn keyword(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Function => "fn",
        ItemKind::TypeAlias => "type",
        other => other.as_str(),
    }
}

/// An anchor that is unique on the page.
fn unique_anchor(taken: &mut SortedSet<String>, name: String) -> String {
    let mut anchor = name.clone();
    let mut n = 2;
    while !taken.insert(anchor.clone()) {
        anchor = format!("{name}-{n}");
        n += 1;
    }
    anchor
}

/// All items with their members.
pub(crate) fn all(items: &[ItemDoc]) -> impl Iterator<Item = &ItemDoc> {
    items.iter().flat_map(|item| std::iter::once(item).chain(&item.members))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_between_pages_are_relative() {
        assert_eq!(relative("p/crate.md", "p/a/b.md"), "a/b.md");
        assert_eq!(relative("p/a/b.md", "p/crate.md"), "../crate.md");
        assert_eq!(relative("p/a.md", "q/crate.md"), "../q/crate.md");
        assert_eq!(relative("index.md", "p/crate.md"), "p/crate.md");
        assert_eq!(relative("p/a.md", "index.md"), "../index.md");
    }

    #[test]
    fn item_names_in_prose_become_links() {
        let mut links = Links::empty();
        let (reader, read) = ("Reader".to_owned(), "read".to_owned());
        let above = ["p".to_owned(), "io".to_owned()];
        links.put(1, "p/io.md", "struct.Reader".to_owned(), &above, &[&reader]);
        links.put(2, "p/io.md", "method.Reader.read".to_owned(), &above, &[&reader, &read]);
        let docs = "[`read`]: method@Reader::read\n[web]: https://example.org/b";
        let prose = Prose::of("Reader", docs);
        let check = |line: &str, want: &str| {
            assert_eq!(links.in_prose("p/crate.md", &prose, line), want);
        };
        check("a [`Reader`].", "a [`Reader`](io.md#struct.Reader).");
        check("[it](crate::io::Reader::read)", "[it](io.md#method.Reader.read)");
        check("[it](https://example.org/a)", "[it](https://example.org/a)");
        check("[`p::Reader`]", "[`p::Reader`](io.md#struct.Reader)");
        check("[`fmt::Reader`]", "[`fmt::Reader`]");
        check("[it](Self::read())", "[it](io.md#method.Reader.read)");
        check("[`Other`] and a[0]", "[`Other`] and a[0]");
        check("[`Reader`]: elsewhere", "[`Reader`]: elsewhere");
        check(
            "[`read`] and [it][`read`]",
            "[`read`](io.md#method.Reader.read) and [it](io.md#method.Reader.read)",
        );
        check("[`read`]: method@Reader::read", "[`read`]: io.md#method.Reader.read");
        check("[it][web] and [it][other]", "[it](https://example.org/b) and [it][other]");
    }
}
