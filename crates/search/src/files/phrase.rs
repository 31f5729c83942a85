//! [`Phrase`]: words of the query that follow each other in a text, as those of a message do at the place
//! that reports it.

/// Fewest words in sequence that count; fewer are chance.
const LEAST: usize = 3;
/// Most words of a query that are compared.
const MOST: usize = 40;
/// Number of words around which runs are looked for, the longest first: a long word is rare, and a
/// message whose values differ still contains the others.
const ANCHORS: usize = 2;
/// Shortest word around which runs are looked for, in bytes.
const ANCHOR_LEN: usize = 4;

/// The words of a query in sequence.
pub(super) struct Phrase {
    words: Vec<String>,
    /// Indices of the words around which runs are looked for.
    anchors: Vec<usize>,
}

impl Phrase {
    /// `None` if the query has too few words, or none that is long enough.
    pub(super) fn of(query: &str) -> Option<Self> {
        let words: Vec<String> = words(query).take(MOST).map(str::to_ascii_lowercase).collect();
        let is_anchor = |at: &usize| {
            let word = &words[*at];
            word.len() >= ANCHOR_LEN && word.bytes().all(|byte| byte.is_ascii_alphabetic())
        };
        let mut anchors: Vec<usize> = (0..words.len()).filter(is_anchor).collect();
        anchors.sort_by_key(|at| (std::cmp::Reverse(words[*at].len()), *at));
        anchors.truncate(ANCHORS);
        (words.len() >= LEAST && !anchors.is_empty()).then_some(Self { words, anchors })
    }

    /// The longest run of words in a text as a share of the query; 0 for less than half.
    pub(super) fn share(&self, text: &str) -> f32 {
        let text = text.to_ascii_lowercase();
        let runs = self.anchors.iter().map(|anchor| self.longest_run(&text, *anchor));
        let longest = runs.max().unwrap_or(0);
        let is_long = longest >= LEAST && longest * 2 >= self.words.len();
        if is_long { longest as f32 / self.words.len() as f32 } else { 0.0 }
    }

    /// The number of words in the longest run that contains the word at `anchor`.
    fn longest_run(&self, text: &str, anchor: usize) -> usize {
        let word = self.words[anchor].as_str();
        let run = |(start, _): (usize, &str)| {
            let (before, rest) = text.split_at(start);
            let after = &rest[word.len()..];
            let is_inside =
                |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
            if is_inside(before.bytes().next_back()) || is_inside(after.bytes().next()) {
                return 0;
            }
            let left = self.words[..anchor].iter().rev().zip(words_before(before));
            let right = self.words[anchor + 1..].iter().zip(words(after));
            1 + left.take_while(|(a, b)| a == b).count() + right.take_while(|(a, b)| a == b).count()
        };
        text.match_indices(word).map(run).max().unwrap_or(0)
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// The words of a text, the last one first.
fn words_before(text: &str) -> impl Iterator<Item = &str> {
    text.rsplit(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::Phrase;

    #[test]
    fn words_in_sequence_are_a_share_of_the_query() {
        let text = "fn f() { panic!(\"invalid header: {name} is longer than {max} bytes\") }";
        for (query, want) in [
            ("invalid header: {name} is longer than {max} bytes", 1.0),
            ("Invalid header 42 is longer than 7 bytes", 0.0),
            ("name is longer than", 1.0),
            ("the name is longer than it was", 4.0 / 7.0),
            ("header is longer than name", 3.0 / 5.0),
            ("longer than", 0.0),
            ("bytes longer header name", 0.0),
            ("is it so", 0.0),
            ("", 0.0),
        ] {
            let share = Phrase::of(query).map_or(0.0, |phrase| phrase.share(text));
            assert_eq!(share, want, "{query}");
        }
        assert_eq!(Phrase::of("größer als vierzig Wörter").map(|it| it.share("ößer")), Some(0.0));
    }
}
