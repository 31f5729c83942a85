//! Reads the heads of impls from tokens: generics, trait, type and where clause. Works on text that
//! does not compile.

use base::ByteSpan;
use preserve::outline::{Token, tokens};

use crate::text::spelled;

/// Most impls of one file that are read.
const MAX_HEADS: usize = 400;

/// Most tokens of a list in angle brackets.
const LONGEST: usize = 400;

/// The head of an impl, by places in its text.
pub struct ImplHead<'t> {
    /// Text of the file.
    pub text: &'t str,
    /// After `impl`.
    pub start: usize,
    /// Elements of the list after `impl`.
    pub generics: Vec<ByteSpan>,
    /// Of an impl of a trait, the trait.
    pub of_trait: Option<ByteSpan>,
    /// The type.
    pub ty: ByteSpan,
    /// From `where` to its last bound.
    pub bounds: Option<ByteSpan>,
    /// From `impl` to the end of the body.
    pub whole: ByteSpan,
}

impl ImplHead<'_> {
    /// A part of the head in one spelling.
    pub fn spelled(&self, span: ByteSpan) -> String {
        spelled(span.slice(self.text).unwrap_or(""))
    }

    /// Last name of the path of its type, and the number of arguments that it has.
    pub fn type_name(&self) -> (String, usize) {
        let list = tokens(self.ty.slice(self.text).unwrap_or(""));
        let open = list.iter().position(|it| it.is("<")).unwrap_or(list.len());
        let name = open.checked_sub(1).map_or("", |it| list[it].text).to_owned();
        let end = closed(&list[open..]).map_or(open, |it| open + it);
        let inner = list.get(open + 1..end).unwrap_or(&[]);
        (name, angle_elements(inner).len())
    }

    /// Last name of the path of its trait, and the arguments that it has.
    pub fn trait_parts(&self) -> Option<(&str, Vec<&str>)> {
        let text = self.of_trait?.slice(self.text)?;
        let list = tokens(text);
        let open = list.iter().position(|it| it.is("<")).unwrap_or(list.len());
        let name = list.get(open.checked_sub(1)?)?.text;
        let end = closed(&list[open..]).map_or(open, |it| open + it);
        let inner = angle_elements(list.get(open + 1..end).unwrap_or(&[]));
        Some((name, inner.into_iter().filter_map(|it| it.slice(text)).collect()))
    }

    /// The predicates of its `where`, as written.
    pub fn predicates(&self) -> Vec<String> {
        let text = self.bounds.and_then(|it| it.slice(self.text)).unwrap_or("");
        let list = tokens(text);
        let parts = angle_elements(list.get(1..).unwrap_or(&[])).into_iter();
        parts.filter_map(|it| it.slice(text)).map(str::to_owned).collect()
    }

    /// The whole head in one spelling.
    pub fn key(&self) -> String {
        self.spelled(ByteSpan::new(self.start, self.ty.end))
    }
}

/// The heads of the impls of a text.
pub fn heads(text: &str) -> Vec<ImplHead<'_>> {
    let list = tokens(text);
    let begins = |at: usize| {
        let before = at.checked_sub(1).and_then(|it| list.get(it));
        list[at].is("impl")
            && before.is_none_or(|it| matches!(it.text, "}" | ";" | "]" | "{" | "unsafe"))
    };
    let starts = (0..list.len()).filter(|at| begins(*at)).take(MAX_HEADS);
    starts.filter_map(|at| head(text, &list, at)).collect()
}

/// The head of the impl whose keyword is at a token.
pub(crate) fn head<'t>(text: &'t str, list: &[Token<'_>], at: usize) -> Option<ImplHead<'t>> {
    let start = list[at].span.end;
    let mut next = at + 1;
    let mut generics = Vec::new();
    if list.get(next)?.is("<") {
        let end = next + closed(&list[next..])?;
        generics = angle_elements(&list[next + 1..end]);
        next = end + 1;
    }
    let (mut depth, mut brackets) = (0_i32, 0_i32);
    let (mut first, mut of_trait) = (next, None);
    let span = |from: usize, to: usize| -> Option<ByteSpan> {
        let (first, last) = (list.get(from)?, list.get(to.checked_sub(1)?)?);
        (from < to).then(|| ByteSpan::new(first.span.start, last.span.end))
    };
    loop {
        let token = list.get(next)?;
        let follows = list.get(next + 1).map_or("", |it| it.text);
        match token.text {
            "{" | "where" if depth == 0 => break,
            // The length of an array is after one too.
            ";" if brackets == 0 => return None,
            "[" => brackets += 1,
            "]" => brackets -= 1,
            "for" if depth == 0 && follows != "<" => {
                of_trait = Some(span(first, next)?);
                first = next + 1;
            }
            text => depth += angle(text),
        }
        next += 1;
    }
    let ty = span(first, next)?;
    let open = (next..list.len()).find(|it| list[*it].is("{"))?;
    let bounds = span(next, open);
    let mut braces = 0_usize;
    let end = list[open..].iter().find(|it| {
        braces += usize::from(it.is("{"));
        braces -= usize::from(it.is("}"));
        braces == 0
    })?;
    let whole = ByteSpan::new(list[at].span.start, end.span.end);
    Some(ImplHead { text, start, generics, of_trait, ty, bounds, whole })
}

/// How a token changes the depth of angle brackets.
fn angle(text: &str) -> i32 {
    match text {
        "<" => 1,
        ">" => -1,
        "<<" => 2,
        ">>" => -2,
        _ => 0,
    }
}

/// The index of the token that closes the angle bracket at the start.
pub fn closed(list: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0;
    list.iter().take(LONGEST).position(|it| {
        depth += angle(it.text);
        depth <= 0
    })
}

/// The elements of a list in angle brackets.
pub fn angle_elements(list: &[Token<'_>]) -> Vec<ByteSpan> {
    let mut depth = 0;
    let parts = list.split(|it| {
        depth += angle(it.text);
        depth == 0 && it.is(",")
    });
    parts
        .filter_map(|it| Some(ByteSpan::new(it.first()?.span.start, it.last()?.span.end)))
        .collect()
}
