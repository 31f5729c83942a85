//! Reads `use` items as a list of leaves, and writes them with other paths.

use base::ByteSpan;
use edit::Splice;

/// One `use` item.
pub(super) struct Import {
    /// With its attributes.
    pub(super) span: ByteSpan,
    /// From its visibility to `;`.
    pub(super) code: ByteSpan,
    /// Its documentation and attributes.
    pub(super) before: String,
    /// Text of `code`.
    pub(super) text: String,
    pub(super) leaves: Vec<Leaf>,
}

/// One name that an import adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Its whole path; of a glob that before `*`.
    pub(super) path: Vec<String>,
    /// The name that it adds, `*` or `_`.
    pub(super) what: String,
    pub(super) is_global: bool,
}

impl Leaf {
    /// Its path below a crate.
    pub(super) fn below(&self, name: &str) -> Option<&[String]> {
        let (first, rest) = self.path.split_first()?;
        (first == name && !rest.is_empty()).then_some(rest)
    }

    /// The part of a tree that it is: `Name`, `Name as Other`, `*`.
    fn text(&self) -> String {
        let last = self.path.last().map_or("", String::as_str);
        match self.what.as_str() {
            "*" => "*".to_owned(),
            what if what == last => last.to_owned(),
            what => format!("{last} as {what}"),
        }
    }

    /// The path before [`Leaf::text`].
    fn prefix(&self) -> String {
        let path = match self.what.as_str() {
            "*" => &self.path[..],
            _ => &self.path[..self.path.len().saturating_sub(1)],
        };
        let global = if self.is_global { "::" } else { "" };
        format!("{global}{}", path.join("::"))
    }
}

impl Import {
    /// The paths below a crate that it imports.
    pub(super) fn paths(&self, name: &str) -> impl Iterator<Item = Vec<String>> {
        self.leaves.iter().filter_map(|it| it.below(name).map(<[String]>::to_vec))
    }

    /// The import with other leaves, in the same order.
    pub(super) fn with(&self, leaves: &[Leaf]) -> Vec<Splice> {
        if let Some(splice) = self.one_name(leaves) {
            return vec![splice];
        }
        let head = self.text.find("use").map_or("", |it| &self.text[..it]);
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for leaf in leaves {
            let prefix = leaf.prefix();
            match groups.iter_mut().find(|it| it.0 == prefix) {
                Some(group) => group.1.push(leaf.text()),
                None => groups.push((prefix, vec![leaf.text()])),
            }
        }
        let lines = groups.into_iter().map(|(prefix, names)| {
            let tree = match names.as_slice() {
                [name] => name.clone(),
                names => format!("{{{}}}", names.join(", ")),
            };
            match prefix.is_empty() {
                true => format!("{head}use {tree};"),
                false => format!("{head}use {prefix}::{tree};"),
            }
        });
        // Attributes are those of each.
        let lines: Vec<String> = lines.collect();
        let insert = lines.join(&format!("\n{}", self.attributes()));
        vec![Splice { span: self.code, insert }]
    }

    /// If all that differs is one name that the tree has once: the replacement of that name.
    fn one_name(&self, leaves: &[Leaf]) -> Option<Splice> {
        let mut found: Option<(&str, &str)> = None;
        for (a, b) in self.leaves.iter().zip(leaves) {
            if a.path.len() != b.path.len() || (a.what == "*") != (b.what == "*") {
                return None;
            }
            for (x, y) in a.path.iter().zip(&b.path).filter(|(x, y)| x != y) {
                if *found.get_or_insert((x, y)) != (x.as_str(), y.as_str()) {
                    return None;
                }
            }
        }
        let (old, new) = found?;
        let tokens = preserve::outline::tokens(&self.text);
        let mut places = tokens.iter().filter(|it| it.text == old);
        let place = places.next().filter(|_| places.next().is_none())?;
        let start = self.code.start + place.span.start;
        let span = ByteSpan::new(start, start + place.span.len());
        Some(Splice { span, insert: new.to_owned() })
    }

    /// The attributes without the documentation, a line each.
    fn attributes(&self) -> String {
        let lines = self.before.lines().map(str::trim_start);
        lines.filter(|it| it.starts_with("#[")).map(|it| format!("{it}\n")).collect()
    }
}
