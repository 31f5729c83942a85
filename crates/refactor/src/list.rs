//! Lists in brackets – arguments, parameters, patterns – with one element more, less or elsewhere.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::tokens;
use syntax::places::Use;

/// A list with its elements.
pub struct ElementList<'a> {
    text: &'a str,
    /// The list, brackets included.
    span: ByteSpan,
    items: Vec<ByteSpan>,
}

impl<'a> ElementList<'a> {
    /// The list at `span` with its elements.
    pub fn new(text: &'a str, span: ByteSpan, items: Vec<ByteSpan>) -> Self {
        Self { text, span, items }
    }

    /// The arguments, fields or patterns of a use.
    pub fn of(text: &'a str, it: &Use) -> Self {
        Self::new(text, it.list, it.args.iter().map(|it| it.span).collect())
    }

    /// Inserts an element before the one at `at`, else as the last.
    pub fn insert(&self, at: usize, element: &str) -> Splice {
        if let Some(next) = self.items.get(at) {
            let separator = self.line_before(*next).unwrap_or(" ");
            return spliced(next.start, next.start, format!("{element},{separator}"));
        }
        match self.items.last() {
            Some(last) => {
                let separator = self.line_before(*last).unwrap_or(" ");
                spliced(last.end, last.end, format!(",{separator}{element}"))
            }
            None => {
                let at = self.span.start + self.slice(self.span).find(['(', '{']).unwrap_or(0) + 1;
                spliced(at, at, element.to_owned())
            }
        }
    }

    /// Removes the element at `at` with one comma.
    pub fn remove(&self, at: usize) -> Option<Splice> {
        let own = *self.items.get(at)?;
        let has_comment = |gap: ByteSpan| has_comment(self.slice(gap));
        let alone = || self.comma_after(own).unwrap_or(own.end);
        let (start, end) = match (self.items.get(at + 1), at.checked_sub(1)) {
            (Some(next), _) => match has_comment(ByteSpan::new(own.end, next.start)) {
                true => (own.start, alone()),
                false => (own.start, next.start),
            },
            (None, Some(last)) => {
                let last = self.items.get(last)?.end;
                match has_comment(ByteSpan::new(last, own.start)) {
                    true => (own.start, alone()),
                    false => (last, own.end),
                }
            }
            (None, None) => (own.start, alone()),
        };
        Some(spliced(start, end, String::new()))
    }

    /// Removes the elements at these ascending indices, with their commas.
    pub fn remove_all(&self, gone: &[usize]) -> Vec<Splice> {
        let runs = gone.chunk_by(|a, b| a + 1 == *b);
        let run = |run: &[usize]| match run {
            [at] => self.remove(*at).into_iter().collect(),
            [first, .., last] => match self.remove_run(*first, *last) {
                Some(splice) => vec![splice],
                None => Vec::new(),
            },
            [] => Vec::new(),
        };
        runs.flat_map(run).collect()
    }

    /// Removes several adjacent elements; `None` if there are comments between them.
    fn remove_run(&self, first: usize, last: usize) -> Option<Splice> {
        let (own, end) = (*self.items.get(first)?, *self.items.get(last)?);
        let (start, end) = match (self.items.get(last + 1), first.checked_sub(1)) {
            (Some(next), _) => (own.start, next.start),
            (None, Some(before)) => (self.items.get(before)?.end, end.end),
            (None, None) => (own.start, self.comma_after(end).unwrap_or(end.end)),
        };
        (!has_comment(self.slice(ByteSpan::new(start, end))))
            .then(|| spliced(start, end, String::new()))
    }

    /// The list without the elements at `gone` and with those of `come` at their new indices, which
    /// are ascending; and where these are in the inserted text. `None` if a comment would be lost.
    pub fn changed(
        &self,
        gone: &[usize],
        come: &[(usize, &str)],
    ) -> Option<(Splice, Vec<ByteSpan>)> {
        let (first, last) = (self.items.first()?, self.items.last()?);
        let span = ByteSpan::new(first.start, last.end);
        if has_comment(self.slice(span)) {
            return None;
        }
        let kept = self.items.iter().enumerate().filter(|(at, _)| !gone.contains(at));
        let mut parts: Vec<(&str, bool)> = kept.map(|(_, it)| (self.slice(*it), false)).collect();
        for (at, element) in come {
            parts.insert((*at).min(parts.len()), (element, true));
        }
        let second = self.items.get(1).unwrap_or(first);
        let separator = format!(",{}", self.line_before(*second).unwrap_or(" "));
        let (mut insert, mut places) = (String::new(), Vec::new());
        for (nth, (element, is_new)) in parts.into_iter().enumerate() {
            insert.push_str(if nth > 0 { &separator } else { "" });
            let start = insert.len();
            insert.push_str(element);
            places.extend(is_new.then(|| ByteSpan::new(start, insert.len())));
        }
        Some((Splice { span, insert }, places))
    }

    /// The elements in another order, which has the old index of each: those whose place another one
    /// takes, with the text of that one after `inner`, edits inside of elements. `more` follows the last.
    pub fn reorder(&self, order: &[usize], inner: &[Splice], more: Option<&str>) -> Vec<Splice> {
        let mut found = Vec::new();
        for (at, from) in order.iter().enumerate() {
            let more = more.filter(|_| at + 1 == order.len());
            let (Some(own), Some(other)) = (self.items.get(at), self.items.get(*from)) else {
                continue;
            };
            if at != *from || more.is_some() {
                let mut insert = self.edited(*other, inner);
                insert.extend(more.map(|it| format!(", {it}")));
                found.push(Splice { span: *own, insert });
            }
        }
        found
    }

    /// The text of an element after edits inside of it.
    fn edited(&self, element: ByteSpan, inner: &[Splice]) -> String {
        let mut own: Vec<&Splice> = inner.iter().filter(|it| element.contains(it.span)).collect();
        own.sort_by_key(|it| it.span);
        let (mut text, mut at) = (String::new(), element.start);
        for it in own {
            text.push_str(self.text.get(at..it.span.start).unwrap_or(""));
            text.push_str(&it.insert);
            at = it.span.end;
        }
        text.push_str(self.text.get(at..element.end).unwrap_or(""));
        text
    }

    fn slice(&self, span: ByteSpan) -> &'a str {
        span.slice(self.text).unwrap_or("")
    }

    /// The line break and white space before an element that begins a line.
    fn line_before(&self, it: ByteSpan) -> Option<&'a str> {
        line_break(self.text.get(self.span.start..it.start)?)
    }

    /// The end of the comma after an element.
    fn comma_after(&self, it: ByteSpan) -> Option<usize> {
        let rest = self.text.get(it.end..self.span.end)?;
        let list = tokens(rest);
        list.first().filter(|it| it.is(",")).map(|comma| it.end + comma.span.end)
    }
}

/// The line break and white space at the end of a text; `None` if other code is on the line.
pub fn line_break(before: &str) -> Option<&str> {
    let at = before.rfind('\n')?;
    let at = if before[..at].ends_with('\r') { at - 1 } else { at };
    before.get(at..).filter(|it| it.trim().is_empty())
}

fn has_comment(text: &str) -> bool {
    text.contains("//") || text.contains("/*")
}

fn spliced(start: usize, end: usize, insert: String) -> Splice {
    Splice { span: ByteSpan::new(start, end), insert }
}

/// The literal with one field more, as its last.
pub fn with_field(text: &str, record: &Use, name: &str, value: &str) -> Splice {
    let field = if name == value { name.to_owned() } else { format!("{name}: {value}") };
    let Some(last) = record.args.last() else {
        let span = ByteSpan::new(record.list.start + 1, record.list.start + 1);
        return Splice { span, insert: format!(" {field} ") };
    };
    let span = ByteSpan::new(last.span.end, last.span.end);
    let before = text.get(..last.span.start).unwrap_or("");
    // On a line of its own if the last field has one.
    let separator = line_break(before).filter(|it| !it.ends_with('\n')).unwrap_or(" ");
    let insert = format!(",{separator}{field}");
    Splice { span, insert }
}

#[cfg(test)]
mod tests {
    use syntax::places::places;

    use super::*;

    /// The text after an edit of its first call.
    fn edited(text: &str, edit: impl Fn(&ElementList<'_>) -> Splice) -> String {
        let all = places(text);
        let it = edit(&ElementList::of(text, &all.uses[0]));
        format!("{}{}{}", &text[..it.span.start], it.insert, &text[it.span.end..])
    }

    fn round_trip(text: &str, at: usize, expected: &str) {
        let added = edited(text, |it| it.insert(at, "x"));
        assert_eq!(added, expected);
        assert_eq!(edited(&added, |it| it.remove(at).unwrap()), text);
    }

    #[test]
    fn what_is_inserted_can_be_removed_again() {
        round_trip("fn m() { f(); }", 0, "fn m() { f(x); }");
        round_trip("fn m() { f(a, b); }", 0, "fn m() { f(x, a, b); }");
        round_trip("fn m() { f(a, b); }", 1, "fn m() { f(a, x, b); }");
        round_trip("fn m() { f(a, b); }", 2, "fn m() { f(a, b, x); }");
        round_trip("fn m() { f(a,); }", 1, "fn m() { f(a, x,); }");
        let lines = "fn m() {\n    f(\n        a,\n        b,\n    );\n}";
        round_trip(lines, 2, "fn m() {\n    f(\n        a,\n        b,\n        x,\n    );\n}");
        round_trip(lines, 0, "fn m() {\n    f(\n        x,\n        a,\n        b,\n    );\n}");
    }

    #[test]
    fn several_elements_come_and_go_at_once() {
        let all = |text: &str, gone: &[usize]| {
            edited(text, |it| it.remove_all(gone).into_iter().next().unwrap())
        };
        assert_eq!(all("fn m() { f(a, b, c, d); }", &[1, 2]), "fn m() { f(a, d); }");
        assert_eq!(all("fn m() { f(a, b, c); }", &[1, 2]), "fn m() { f(a); }");
        assert_eq!(all("fn m() { f(a, b,); }", &[0, 1]), "fn m() { f(); }");
        let changed = |text: &str, gone: &[usize], come: &[(usize, &str)]| {
            edited(text, |it| it.changed(gone, come).unwrap().0)
        };
        assert_eq!(
            changed("fn m() { f(a, b); }", &[0], &[(0, "x"), (1, "y")]),
            "fn m() { f(x, y, b); }"
        );
        assert_eq!(
            changed("fn m() { f(\n  a,\n  b,\n); }", &[], &[(2, "x"), (3, "y")]),
            "fn m() { f(\n  a,\n  b,\n  x,\n  y,\n); }"
        );
    }

    #[test]
    fn comments_between_elements_stay() {
        let remove = |text: &str, at: usize| edited(text, |it| it.remove(at).unwrap());
        assert_eq!(remove("fn m() { f(a, /* b */ b); }", 1), "fn m() { f(a, /* b */ ); }");
        assert_eq!(remove("fn m() { f(a, // a\n b, c); }", 0), "fn m() { f( // a\n b, c); }");
        assert_eq!(remove("fn m() { f(a,); }", 0), "fn m() { f(); }");
    }
}
