use edit::{Splice, TextEdit};

use crate::outline::{Outline, Token, TokenKind, UnitKind, is_keyword};

/// What becomes of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stands in the new text.
    Kept(usize),
    /// Another word, value or operator stands in its place.
    Renamed(usize),
    Gone,
}

impl Fate {
    pub(crate) fn survives(self) -> bool {
        self != Fate::Gone
    }
}

/// The tokens of the old text in the new one.
pub(crate) struct Alignment {
    /// For each old token.
    pub(crate) fates: Vec<Fate>,
    /// For each new token the old one that it is (kept or renamed).
    pub(crate) origins: Vec<Option<usize>>,
}

/// Gaps whose sides multiply to more cells than this are compared by their ends only.
const MOST_CELLS: usize = 4_000_000;

/// Follows each token through `edit`. Tokens outside the edit's splices are found by their
/// offset – and are gone where the new text has them in a comment or a string –; those inside by
/// the longest common sequence, and by their order where one stands in another's place.
pub(crate) fn align(old: &Outline<'_>, new: &Outline<'_>, edit: &TextEdit) -> Alignment {
    let mut alignment = Alignment {
        fates: vec![Fate::Gone; old.tokens.len()],
        origins: vec![None; new.tokens.len()],
    };
    keep_untouched(&old.tokens, &new.tokens, edit, &mut alignment);
    let (mut old_at, mut new_at) = (0, 0);
    loop {
        let old_end = (old_at..old.tokens.len())
            .find(|it| alignment.fates[*it].survives())
            .unwrap_or(old.tokens.len());
        let new_end = match alignment.fates.get(old_end) {
            Some(Fate::Kept(it)) => *it,
            _ => new.tokens.len(),
        };
        align_gap(old, new, (old_at, old_end), (new_at, new_end), &mut alignment);
        if old_end >= old.tokens.len() {
            return alignment;
        }
        (old_at, new_at) = (old_end + 1, new_end + 1);
    }
}

fn keep_untouched(
    old: &[Token<'_>],
    new: &[Token<'_>],
    edit: &TextEdit,
    alignment: &mut Alignment,
) {
    let mut splices = edit.splices.iter().peekable();
    let mut shift: isize = 0;
    let mut new_at = 0;
    for (idx, token) in old.iter().enumerate() {
        while let Some(splice) = splices.peek().filter(|it| it.span.end <= token.span.start) {
            shift += splice.insert.len() as isize - splice.span.len() as isize;
            splices.next();
        }
        // Touched by a splice, or cut by an insertion inside it.
        if splices.peek().is_some_and(|it| it.span.start < token.span.end) {
            continue;
        }
        let Some(start) = token.span.start.checked_add_signed(shift) else { continue };
        while new.get(new_at).is_some_and(|it| it.span.start < start) {
            new_at += 1;
        }
        if new.get(new_at).is_some_and(|it| it.span.start == start && it.text == token.text) {
            alignment.fates[idx] = Fate::Kept(new_at);
            alignment.origins[new_at] = Some(idx);
            new_at += 1;
        }
    }
}

fn align_gap(
    old: &Outline<'_>,
    new: &Outline<'_>,
    (mut old_at, mut old_end): (usize, usize),
    (mut new_at, mut new_end): (usize, usize),
    alignment: &mut Alignment,
) {
    let same = |a: usize, b: usize| {
        old.tokens[a].text == new.tokens[b].text && old.roles[a] == new.roles[b]
    };
    let mut keep = |a: usize, b: usize| {
        alignment.fates[a] = Fate::Kept(b);
        alignment.origins[b] = Some(a);
    };
    while old_at < old_end && new_at < new_end && same(old_at, new_at) {
        keep(old_at, new_at);
        (old_at, new_at) = (old_at + 1, new_at + 1);
    }
    while old_at < old_end && new_at < new_end && same(old_end - 1, new_end - 1) {
        (old_end, new_end) = (old_end - 1, new_end - 1);
        keep(old_end, new_end);
    }
    let (rows, columns) = (old_end - old_at, new_end - new_at);
    if rows == 0 || columns == 0 || rows.saturating_mul(columns) > MOST_CELLS {
        return;
    }
    // lengths[i][j]: the longest common sequence of the rests behind i and j; words weigh more
    // than marks, so that names hold their brackets and not the other way round.
    let width = columns + 1;
    let mut lengths = vec![0u32; (rows + 1) * width];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let mut best = lengths[(i + 1) * width + j].max(lengths[i * width + j + 1]);
            if same(old_at + i, new_at + j) {
                let weight = if old.tokens[old_at + i].is_solid() { 3 } else { 2 };
                best = best.max(lengths[(i + 1) * width + j + 1] + weight);
            }
            lengths[i * width + j] = best;
        }
    }
    let (mut i, mut j) = (0, 0);
    let (mut old_loose, mut new_loose) = (Vec::new(), Vec::new());
    while i < rows && j < columns {
        let here = lengths[i * width + j];
        let weight = if old.tokens[old_at + i].is_solid() { 3 } else { 2 };
        if same(old_at + i, new_at + j) && here == lengths[(i + 1) * width + j + 1] + weight {
            rename(old, new, &mut old_loose, &mut new_loose, alignment);
            alignment.fates[old_at + i] = Fate::Kept(new_at + j);
            alignment.origins[new_at + j] = Some(old_at + i);
            (i, j) = (i + 1, j + 1);
        } else if here == lengths[(i + 1) * width + j] {
            old_loose.push(old_at + i);
            i += 1;
        } else {
            new_loose.push(new_at + j);
            j += 1;
        }
    }
    old_loose.extend(old_at + i..old_end);
    new_loose.extend(new_at + j..new_end);
    rename(old, new, &mut old_loose, &mut new_loose, alignment);
}

/// Pairs, in order, what went with what came between two kept tokens, sort by sort.
fn rename(
    old: &Outline<'_>,
    new: &Outline<'_>,
    old_loose: &mut Vec<usize>,
    new_loose: &mut Vec<usize>,
    alignment: &mut Alignment,
) {
    let mut from = 0;
    for &a in old_loose.iter() {
        let Some(sort) = sort_of(old, a) else { continue };
        let found = (from..new_loose.len()).find(|it| {
            sort_of(new, new_loose[*it]) == Some(sort)
                && alignment.origins[new_loose[*it]].is_none()
        });
        if let Some(it) = found {
            alignment.fates[a] = Fate::Renamed(new_loose[it]);
            alignment.origins[new_loose[it]] = Some(a);
            from = it + 1;
        }
    }
    old_loose.clear();
    new_loose.clear();
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Value,
    Operator,
    ItemKeyword,
    Control,
    Parenthesis,
}

/// What may stand in another's place.
fn sort_of(outline: &Outline<'_>, at: usize) -> Option<Sort> {
    let token = &outline.tokens[at];
    match token.kind {
        TokenKind::Literal => Some(Sort::Value),
        TokenKind::Lifetime => None,
        TokenKind::Word if outline.roles[at] == Some(UnitKind::Control) => Some(Sort::Control),
        TokenKind::Word if !is_keyword(token.text) => Some(Sort::Value),
        TokenKind::Word => match token.text {
            "fn" | "struct" | "enum" | "union" | "trait" | "const" | "static" | "type" | "let" => {
                Some(Sort::ItemKeyword)
            }
            _ => None,
        },
        TokenKind::Punctuation if outline.roles[at] == Some(UnitKind::Call) => {
            Some(Sort::Parenthesis)
        }
        TokenKind::Punctuation => match token.text {
            "=" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "+" | "-" | "*" | "/" | "%" | "&"
            | "|" | "^" | "&&" | "||" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^="
            | "=>" | "->" | ":" | "::" | "<<" | "<<=" => Some(Sort::Operator),
            _ => None,
        },
    }
}

/// Whether `edit` leads from the one text to the other, as it should.
pub(crate) fn gives(edit: &TextEdit, before: &str, after: &str) -> bool {
    let mut rest = after;
    let mut at = 0;
    for splice in &edit.splices {
        let Some(kept) = before.get(at..splice.span.start) else { return false };
        let Some(behind) =
            rest.strip_prefix(kept).and_then(|it| it.strip_prefix(splice.insert.as_str()))
        else {
            return false;
        };
        rest = behind;
        at = splice.span.end;
    }
    before.get(at..) == Some(rest)
}

/// One splice from the first to the last difference.
pub(crate) fn whole_edit(before: &str, after: &str) -> TextEdit {
    let mut start = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    while !before.is_char_boundary(start) || !after.is_char_boundary(start) {
        start -= 1;
    }
    let most = before.len().min(after.len()) - start;
    let mut tail = before
        .bytes()
        .rev()
        .zip(after.bytes().rev())
        .take(most)
        .take_while(|(a, b)| a == b)
        .count();
    while !before.is_char_boundary(before.len() - tail)
        || !after.is_char_boundary(after.len() - tail)
    {
        tail -= 1;
    }
    TextEdit {
        splices: vec![Splice {
            span: base::ByteSpan::new(start, before.len() - tail),
            insert: after[start..after.len() - tail].to_owned(),
        }],
    }
}
