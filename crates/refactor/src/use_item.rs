//! One `use` declaration: what it imports, and how it is written without some of its names or with
//! other paths. Read from tokens, so that it does not matter whether the code around it parses. Start
//! at [`UseItem`].

use std::ops::Range;

use base::ByteSpan;
use edit::{Splice, TextEdit};
use preserve::outline::{ElementKind, Outline, Token, TokenKind, tokens};

use crate::text::whole_lines;

/// Most bytes of a declaration, to each side of a name in it.
const LONGEST: usize = 8_000;

/// One `use` declaration.
pub struct UseItem<'t> {
    text: &'t str,
    /// Tokens of the text around it.
    tokens: Vec<Token<'t>>,
    /// Offset of `tokens` in `text`.
    offset: usize,
    /// Its first token with attributes.
    from: usize,
    /// Its first token without attributes.
    code: usize,
    /// The token `use`.
    first: usize,
    /// The token `;`.
    last: usize,
}

/// One name that an import adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseLeaf {
    /// Its whole path; of a glob that before `*`.
    pub path: Vec<String>,
    /// The name that it adds, `*` or `_`.
    pub what: String,
    /// Whether the path starts with `::`.
    pub is_global: bool,
}

impl UseLeaf {
    fn new(mut path: Vec<String>, what: Option<String>, is_global: bool) -> Option<Self> {
        // `a::{self}` imports `a`.
        if path.len() > 1
            && path.last().is_some_and(|it| it == "self")
            && what.as_deref() != Some("*")
        {
            path.pop();
        }
        let what = what.or_else(|| path.last().cloned())?;
        Some(Self { path, what, is_global })
    }

    /// Its path below a crate.
    pub fn below(&self, name: &str) -> Option<&[String]> {
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

/// Removes the imported name that ends with `span`: the name and its path with one comma, the whole
/// group if it is the only one in it, and the declaration if nothing is left.
pub fn without_import(text: &str, span: ByteSpan) -> Option<Splice> {
    UseItem::around(text, span)?.without(span)
}

/// Removes several imported names, which may be those of one declaration.
pub fn without_imports(text: &str, mut spans: Vec<ByteSpan>) -> Vec<Splice> {
    spans.sort_unstable();
    spans.dedup();
    if let [one] = spans.as_slice() {
        return without_import(text, *one).into_iter().collect();
    }
    let mut rest = text.to_owned();
    // From the end: what is removed moves no earlier name.
    for span in spans.iter().rev() {
        if let Some(splice) = without_import(&rest, *span) {
            rest.replace_range(splice.span.start..splice.span.end, &splice.insert);
        }
    }
    TextEdit::diff(text, &rest).splices
}

/// The imports in a text.
pub(crate) fn use_items<'t>(text: &'t str, outline: &Outline<'_>) -> Vec<UseItem<'t>> {
    let imports = outline.elements.iter().filter(|it| it.kind == ElementKind::Import);
    let spans = imports.filter_map(|it| Some(outline.tokens.get(it.head)?.span));
    spans.filter_map(|it| UseItem::around(text, it)).collect()
}

/// The starts of the imports in a text that add a name.
pub fn imports_of(text: &str, outline: &Outline<'_>, name: &str) -> Vec<usize> {
    let adds = |it: &UseItem<'_>| it.leaves().iter().any(|it| it.what == name);
    let items = use_items(text, outline).into_iter().filter(adds);
    items.map(|it| it.of(it.first..it.first + 1).start).collect()
}

/// The paths of all imports in a text that add a name, in order.
pub fn imported_paths(text: &str, outline: &Outline<'_>, name: &str) -> Vec<Vec<String>> {
    let leaves = use_items(text, outline).into_iter().flat_map(|it| it.leaves());
    leaves.filter(|it| it.what == name).map(|it| it.path).collect()
}

impl<'t> UseItem<'t> {
    /// The declaration that contains `span`.
    pub fn around(text: &'t str, span: ByteSpan) -> Option<Self> {
        let offset = text.floor_char_boundary(span.start.saturating_sub(LONGEST));
        let end = text.floor_char_boundary(span.end.saturating_add(LONGEST));
        let tokens = tokens(text.get(offset..end)?);
        let at = tokens.iter().position(|it| offset + it.span.end >= span.end)?;
        let first = (0..=at).rev().find(|at| tokens[*at].is("use"))?;
        let last = (at..tokens.len()).find(|at| tokens[*at].is(";"))?;
        if !tokens[first + 1..last].iter().all(is_of_tree) {
            return None;
        }
        let code = before_visibility(&tokens, first);
        let from = before_attributes(&tokens, code);
        let item = Self { text, tokens, offset, from, code, first, last };
        item.span().contains(span).then_some(item)
    }

    /// Its text with its attributes.
    pub fn text(&self) -> &'t str {
        self.span().slice(self.text).unwrap_or("")
    }

    /// With its attributes.
    pub fn span(&self) -> ByteSpan {
        self.of(self.from..self.last + 1)
    }

    /// The names that it adds, in order.
    pub fn leaves(&self) -> Vec<UseLeaf> {
        let mut leaves = Vec::new();
        // The paths before the groups around.
        let mut prefixes: Vec<(Vec<String>, bool)> = Vec::new();
        let (mut path, mut is_global): (Vec<String>, bool) = (Vec::new(), false);
        let (mut what, mut is_renamed, mut is_group) = (None, false, false);
        for token in &self.tokens[self.first + 1..=self.last] {
            match token.text {
                "::" => is_global |= path.is_empty(),
                "{" => prefixes.push((path.clone(), is_global)),
                "," | "}" | ";" => {
                    if !is_group {
                        let inner = prefixes.last().map_or(0, |it| it.0.len());
                        let is_empty = path.len() == inner && what.is_none();
                        leaves.extend(UseLeaf::new(path, what, is_global).filter(|_| !is_empty));
                    }
                    // After a group only a separator follows.
                    is_group = token.is("}") && prefixes.pop().is_some();
                    (path, is_global) = prefixes.last().cloned().unwrap_or_default();
                    (what, is_renamed) = (None, false);
                }
                "as" => is_renamed = true,
                "*" => what = Some("*".to_owned()),
                name if is_renamed => what = Some(plain(name)),
                name if token.kind == TokenKind::Word => path.push(plain(name)),
                _ => {}
            }
        }
        leaves
    }

    /// Without the name that ends with `span`, its path and one comma.
    fn without(&self, span: ByteSpan) -> Option<Splice> {
        let Self { tokens: list, first, last, .. } = self;
        let name = list.iter().position(|it| self.offset + it.span.end == span.end)?;
        let (mut from, mut to) = element(list, *first, *last, name)?;
        // The only one of a group: the group goes.
        let is_end = |to: usize| {
            list[to].is("}") || list[to].is(",") && list.get(to + 1).is_some_and(|it| it.is("}"))
        };
        while list[from - 1].is("{") && is_end(to) {
            (from, to) = element(list, *first, *last, from - 1)?;
        }
        let remove = |span: ByteSpan| Some(Splice { span, insert: String::new() });
        if from == first + 1 {
            return remove(whole_lines(self.text, self.span()));
        }
        if let Some((group, only)) = alone_in_group(list, from) {
            let only = self.of(only).slice(self.text)?.to_owned();
            return Some(Splice { span: self.of(group), insert: only });
        }
        let at = |idx: usize| self.of(idx..idx + 1).start;
        match (list[to].is(","), list[from - 1].is(",")) {
            // With the space before the next name, if that is on the same line.
            (true, _) if !is_end(to) => remove(ByteSpan::new(at(from), at(to + 1))),
            (_, true) => remove(self.of(from - 1..to)),
            _ => remove(ByteSpan::new(at(from), at(to))),
        }
    }

    /// With another path, if it adds one name only. Attributes stay, visibility too.
    pub fn with_path(&self, path: &str) -> Option<Splice> {
        let is_single = self.leaves().len() == 1;
        let span = self.of(self.first..self.last + 1);
        is_single.then(|| Splice { span, insert: format!("use {path};") })
    }

    /// With other leaves, in the same order.
    pub fn with(&self, leaves: &[UseLeaf]) -> Vec<Splice> {
        if let Some(splice) = self.one_name(leaves) {
            return vec![splice];
        }
        let visibility = self.before(self.code, self.first);
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
                true => format!("{visibility}use {tree};"),
                false => format!("{visibility}use {prefix}::{tree};"),
            }
        });
        // Each has the attributes.
        let attributes = self.before(self.from, self.code).lines().map(str::trim_start);
        let attributes = attributes.filter(|it| it.starts_with("#["));
        let attributes: String = attributes.map(|it| format!("{it}\n")).collect();
        let insert = lines.collect::<Vec<_>>().join(&format!("\n{attributes}"));
        vec![Splice { span: self.of(self.code..self.last + 1), insert }]
    }

    /// If all that differs is one name that the declaration has once: the replacement of that name.
    fn one_name(&self, leaves: &[UseLeaf]) -> Option<Splice> {
        let mut found: Option<(&str, &str)> = None;
        let own = self.leaves();
        for (a, b) in own.iter().zip(leaves) {
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
        let mut places = (self.code..=self.last).filter(|it| self.tokens[*it].text == old);
        let place = places.next().filter(|_| places.next().is_none())?;
        Some(Splice { span: self.of(place..place + 1), insert: new.to_owned() })
    }

    /// The span of tokens.
    fn of(&self, tokens: Range<usize>) -> ByteSpan {
        let (first, last) = (self.tokens[tokens.start].span, self.tokens[tokens.end - 1].span);
        ByteSpan::new(self.offset + first.start, self.offset + last.end)
    }

    /// The text from one token to the beginning of another.
    fn before(&self, from: usize, to: usize) -> &'t str {
        let start = |it: usize| self.offset + self.tokens[it].span.start;
        self.text.get(start(from)..start(to)).unwrap_or("")
    }
}

/// A name without `r#`.
fn plain(name: &str) -> String {
    name.trim_start_matches("r#").to_owned()
}

/// Whether a token may be part of the tree of a declaration, `$` in a macro.
fn is_of_tree(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Word || matches!(token.text, "::" | "{" | "}" | "," | "*" | "$")
}

/// The first token of the visibility that ends before `at`, else `at`.
pub fn before_visibility(list: &[Token<'_>], at: usize) -> usize {
    let open = match at.checked_sub(1).filter(|it| list[*it].is(")")) {
        Some(close) => (0..close).rev().find(|it| list[*it].is("(")).unwrap_or(at),
        None => at,
    };
    open.checked_sub(1).filter(|it| list[*it].is("pub")).unwrap_or(at)
}

/// The first token of the attributes that end before `at`, else `at`.
pub fn before_attributes(list: &[Token<'_>], at: usize) -> usize {
    let mut first = at;
    while first > 0 && list[first - 1].is("]") {
        let mut depth = 0_usize;
        let open = (0..first).rev().find(|idx| {
            if list[*idx].is("]") {
                depth += 1;
            } else if list[*idx].is("[") {
                depth -= 1;
            }
            depth == 0
        });
        // Not the inner attributes of the file.
        match open.and_then(|it| it.checked_sub(1)).filter(|it| list[*it].is("#")) {
            Some(hash) => first = hash,
            None => break,
        }
    }
    first
}

/// The element of an import list around `at`: its first token, and the separator or bracket after it.
fn element(list: &[Token<'_>], first: usize, last: usize, at: usize) -> Option<(usize, usize)> {
    let is_edge = |it: &Token<'_>| it.is(",") || it.is("{") || it.is("use");
    let from = (first..at).rev().find(|idx| is_edge(&list[*idx]))? + 1;
    let mut depth = 0_usize;
    let to = (at..=last).find(|idx| {
        let it = &list[*idx];
        if it.is("{") {
            depth += 1;
        } else if it.is("}") && depth > 0 {
            depth -= 1;
            return false;
        }
        depth == 0 && (it.is(",") || it.is("}") || it.is(";"))
    })?;
    Some((from, to))
}

/// If the group around the element at `from` has one other element: the tokens of the group, and
/// those of the other element, which needs no braces. `{self}` does: it imports no value.
fn alone_in_group(list: &[Token<'_>], from: usize) -> Option<(Range<usize>, Range<usize>)> {
    let mut depth = 0_usize;
    let open = (0..from).rev().find(|idx| match list[*idx].text {
        "}" => {
            depth += 1;
            false
        }
        "{" if depth == 0 => true,
        "{" => {
            depth -= 1;
            false
        }
        _ => false,
    })?;
    let mut elements: Vec<Range<usize>> = Vec::new();
    let mut start = open + 1;
    for (idx, it) in list.iter().enumerate().skip(open + 1) {
        match it.text {
            "{" => depth += 1,
            "}" if depth == 0 => {
                elements.push(start..idx);
                elements.retain(|it| !it.is_empty() && !it.contains(&from));
                let [only] = elements.as_slice() else { return None };
                let is_self = list[only.start].is("self");
                return (!is_self).then(|| (open..idx + 1, only.clone()));
            }
            "}" => depth -= 1,
            "," if depth == 0 => {
                elements.push(start..idx);
                start = idx + 1;
            }
            ";" => return None,
            _ => {}
        }
    }
    None
}
