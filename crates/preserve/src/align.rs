//! Aligns the tokens of a text before and after an edit: each old token is kept, renamed or gone.
//! Every rule is decided on this alignment. Start at [`align`].

use edit::{Splice, TextEdit};

use crate::outline::{EffectKind, Outline, Token, TokenKind, is_keyword};

/// What happens to an old token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is in the new text, at this index.
    Kept(usize),
    /// Another word, value or operator replaces it, at this index.
    Renamed(usize),
    Gone,
}

impl Fate {
    pub(crate) fn survives(self) -> bool {
        self != Fate::Gone
    }
}

/// The alignment of the old tokens with the new ones.
pub(crate) struct Alignment {
    /// Fate of each old token.
    pub(crate) fates: Vec<Fate>,
    /// For each new token, the old one that it is, kept or renamed.
    pub(crate) origins: Vec<Option<usize>>,
}

/// Maximum size of the comparison table; larger gaps are compared at their ends only.
const MAX_CELLS: usize = 4_000_000;

/// Follows each token through `edit`. Tokens outside of the edit's splices are found by their
/// offset, and are removed if the new text has them in a comment or a string. Those inside are
/// found by the longest common subsequence, and then by order if one replaces another.
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
        // Touched by a splice, or cut by an insertion.
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
    if rows == 0 || columns == 0 || rows.saturating_mul(columns) > MAX_CELLS {
        return;
    }
    let weight = |i: usize, j: usize| {
        same(old_at + i, new_at + j).then(|| if old.tokens[old_at + i].is_solid() { 3 } else { 2 })
    };
    let lengths = common_lengths(rows, columns, weight);
    let width = columns + 1;
    let (mut i, mut j) = (0, 0);
    let (mut old_gap, mut new_gap) = (Vec::new(), Vec::new());
    while i < rows && j < columns {
        let here = lengths[i * width + j];
        let diagonal = lengths[(i + 1) * width + j + 1];
        if weight(i, j).is_some_and(|weight| here == diagonal + weight) {
            rename(old, new, &mut old_gap, &mut new_gap, alignment);
            alignment.fates[old_at + i] = Fate::Kept(new_at + j);
            alignment.origins[new_at + j] = Some(old_at + i);
            (i, j) = (i + 1, j + 1);
        } else if here == lengths[(i + 1) * width + j] {
            old_gap.push(old_at + i);
            i += 1;
        } else {
            new_gap.push(new_at + j);
            j += 1;
        }
    }
    old_gap.extend(old_at + i..old_end);
    new_gap.extend(new_at + j..new_end);
    rename(old, new, &mut old_gap, &mut new_gap, alignment);
}

/// The weights of the longest common subsequences after row i and column j, row by row, given the
/// weight of each equal pair. Words weigh more than punctuation, so that names keep their brackets
/// and not the reverse.
fn common_lengths(
    rows: usize,
    columns: usize,
    weight: impl Fn(usize, usize) -> Option<u32>,
) -> Vec<u32> {
    let width = columns + 1;
    let mut lengths = vec![0u32; (rows + 1) * width];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let mut best = lengths[(i + 1) * width + j].max(lengths[i * width + j + 1]);
            if let Some(weight) = weight(i, j) {
                best = best.max(lengths[(i + 1) * width + j + 1] + weight);
            }
            lengths[i * width + j] = best;
        }
    }
    lengths
}

/// Pairs the removed with the added tokens between two kept ones, in order and class by class.
fn rename(
    old: &Outline<'_>,
    new: &Outline<'_>,
    old_gap: &mut Vec<usize>,
    new_gap: &mut Vec<usize>,
    alignment: &mut Alignment,
) {
    let mut from = 0;
    for &a in old_gap.iter() {
        let Some(class) = class_of(old, a) else { continue };
        let found = (from..new_gap.len()).find(|it| {
            class_of(new, new_gap[*it]) == Some(class) && alignment.origins[new_gap[*it]].is_none()
        });
        if let Some(it) = found {
            alignment.fates[a] = Fate::Renamed(new_gap[it]);
            alignment.origins[new_gap[it]] = Some(a);
            from = it + 1;
        }
    }
    old_gap.clear();
    new_gap.clear();
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenClass {
    Value,
    Operator,
    ItemKeyword,
    Control,
    Parenthesis,
}

/// The class of a token; tokens may replace others of their class.
fn class_of(outline: &Outline<'_>, at: usize) -> Option<TokenClass> {
    let token = &outline.tokens[at];
    match token.kind {
        TokenKind::Literal => Some(TokenClass::Value),
        TokenKind::Lifetime => None,
        TokenKind::Word if outline.roles[at] == Some(EffectKind::Control) => {
            Some(TokenClass::Control)
        }
        TokenKind::Word if !is_keyword(token.text) => Some(TokenClass::Value),
        TokenKind::Word => match token.text {
            "fn" | "struct" | "enum" | "union" | "trait" | "const" | "static" | "type" | "let" => {
                Some(TokenClass::ItemKeyword)
            }
            _ => None,
        },
        TokenKind::Punctuation if outline.roles[at] == Some(EffectKind::Call) => {
            Some(TokenClass::Parenthesis)
        }
        TokenKind::Punctuation => match token.text {
            "=" | "==" | "!=" | "<" | ">" | "<=" | ">=" | "+" | "-" | "*" | "/" | "%" | "&"
            | "|" | "^" | "&&" | "||" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^="
            | "=>" | "->" | ":" | "::" | "<<" | "<<=" => Some(TokenClass::Operator),
            _ => None,
        },
    }
}

/// Whether `edit` turns one text into the other, as it should.
pub(crate) fn leads_to(edit: &TextEdit, before: &str, after: &str) -> bool {
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
