//! Code to find the list of a use in: the file, an example in its documentation, or a call in the
//! tokens of a macro.

use base::{ByteSpan, is_word};
use edit::Splice;
use preserve::outline::tokens;
use syntax::grammar_errors;
use syntax::places::{Places, Use, places};

use crate::rename::Source;
use crate::rename::docs::{DocExample, examples_of};

/// A piece of code with its uses, and where it is in the file.
pub(super) struct View<'a> {
    pub(super) text: &'a str,
    uses: &'a [Use],
    at: At<'a>,
}

enum At<'a> {
    File,
    Example(&'a DocExample),
    /// The difference between places in the file and in the piece.
    Piece(usize, usize),
}

impl<'a> View<'a> {
    pub(super) fn file(source: &'a Source) -> Self {
        Self { text: &source.text, uses: &source.places.uses, at: At::File }
    }

    /// Whether a test compiles it, if it is an example.
    pub(super) fn is_compiled(&self) -> bool {
        matches!(self.at, At::Example(it) if it.is_compiled)
    }

    fn to_file(&self, at: usize) -> Option<usize> {
        match self.at {
            At::File => Some(at),
            At::Example(it) => it.to_file(at),
            At::Piece(file, piece) => (at + file).checked_sub(piece),
        }
    }

    /// The place in the view of a place in the file.
    fn to_view(&self, at: usize) -> Option<usize> {
        match self.at {
            At::File => Some(at),
            At::Example(it) => it.to_code(at),
            At::Piece(file, piece) => (at + piece).checked_sub(file),
        }
    }

    /// The use whose name is at this place of the file.
    pub(super) fn use_at(&self, at: usize) -> Option<&'a Use> {
        let at = self.to_view(at)?;
        self.uses.iter().find(|it| it.name_span.start == at && !it.name.is_empty())
    }

    pub(super) fn slice(&self, span: ByteSpan) -> &'a str {
        span.slice(self.text).unwrap_or("")
    }

    /// Edits of the view as edits of the file.
    pub(super) fn in_file(&self, splices: Vec<Splice>) -> Option<Vec<Splice>> {
        let moved = |it: Splice| {
            let (start, end) = (self.to_file(it.span.start)?, self.to_file(it.span.end)?);
            let insert = match self.at {
                At::Example(example) => example.commented(it.span.start, &it.insert),
                At::File | At::Piece(..) => it.insert,
            };
            (start <= end).then(|| Splice { span: ByteSpan::new(start, end), insert })
        };
        splices.into_iter().map(moved).collect()
    }
}

/// The examples of a file with their uses.
pub(super) struct Examples {
    list: Vec<(DocExample, Places)>,
}

impl Examples {
    pub(super) fn of(source: &Source) -> Self {
        let list = examples_of(source).into_iter();
        Self { list: list.map(|it| (places(&it.code), it)).map(|(a, b)| (b, a)).collect() }
    }

    pub(super) fn views(&self) -> impl Iterator<Item = View<'_>> {
        self.list.iter().map(|(example, places)| View {
            text: &example.code,
            uses: &places.uses,
            at: At::Example(example),
        })
    }
}

/// A call in tokens that were not parsed, such as the body of a macro.
pub(super) struct Piece {
    text: String,
    places: Places,
    at: (usize, usize),
}

impl Piece {
    /// The call or literal whose name is the token at `start`; `None` if no list follows it. Only the
    /// body of a macro can have a literal that was not parsed.
    pub(super) fn at(source: &Source, start: usize, in_macro: bool) -> Option<Self> {
        let before = source.text.get(..start)?.trim_end();
        let word = &before[before.trim_end_matches(is_word).len()..];
        let is_head = matches!(word, "impl" | "for" | "struct" | "enum" | "trait" | "dyn")
            || before.ends_with("->");
        if word == "fn" {
            return None;
        }
        let head = match () {
            () if before.ends_with("::") => "fn f() { q::",
            () if before.ends_with('.') => "fn f() { r.",
            () => "fn f() { ",
        };
        let rest = source.text.get(start..)?;
        let end = list_end(rest)?;
        let code = &rest[..end];
        if code.ends_with('}') && (is_head || !in_macro) {
            return None;
        }
        // `$name` becomes a name of the same length; repetitions have no list of known length.
        if code.contains("$(") {
            return None;
        }
        let text = format!("{head}{} }}", code.replace('$', "_"));
        // What is no expression, such as `impl Name { … }`.
        if !grammar_errors(&text).is_empty() {
            return None;
        }
        let places = places(&text);
        Some(Self { text, places, at: (start, head.len()) })
    }

    pub(super) fn view(&self) -> View<'_> {
        let at = At::Piece(self.at.0, self.at.1);
        View { text: &self.text, uses: &self.places.uses, at }
    }
}

/// The end of the list that follows a name, after generic arguments.
pub(super) fn list_end(rest: &str) -> Option<usize> {
    let list = tokens(rest);
    let mut at = 1;
    if list.get(at)?.is("::") && list.get(at + 1)?.is("<") {
        let mut depth = 0_usize;
        at += 1;
        loop {
            let text = list.get(at)?.text;
            depth = (depth + text.matches('<').count()).checked_sub(match text {
                "->" | "=>" => 0,
                _ => text.matches('>').count(),
            })?;
            at += 1;
            if depth == 0 {
                break;
            }
        }
    }
    if !matches!(list.get(at)?.text, "(" | "{") {
        return None;
    }
    let mut depth = 0_usize;
    for token in &list[at..] {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(token.span.end);
        }
    }
    None
}
