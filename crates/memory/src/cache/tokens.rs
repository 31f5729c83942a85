//! Splits a question into words, names and separators.

/// A part of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word of the language, in lower case.
    Word(String),
    /// A name, number or quoted text, as it is written.
    Name(String),
    /// The `'s` of a possessor.
    Possessive,
    /// A comma, or another mark between clauses.
    Comma,
}

impl Token {
    /// The text of a word; `None` for others.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Contractions that are two words; the ones with `n't` and those of pronouns are found by their ends.
const WITH_IS: [&str; 9] = ["what", "where", "who", "how", "when", "why", "that", "it", "there"];
const PRONOUNS: [&str; 6] = ["i", "you", "we", "they", "he", "she"];
const ENDS: [(&str, &str); 5] =
    [("'re", "are"), ("'m", "am"), ("'d", "would"), ("'ll", "will"), ("'ve", "have")];

/// The tokens of a question.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let text = text.replace(['\u{2019}', '\u{2018}'], "'");
    let text = text.trim();
    let is_question = text.ends_with('?');
    let text = text.trim_end_matches('?').trim_end();
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else if let Some((name, after)) = quoted(rest) {
            tokens.push(name);
            rest = after;
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || c == '`').unwrap_or(rest.len());
            // A quotation mark that is not closed is a character like others.
            let end = end.max(first.len_utf8());
            plain(&rest[..end], tokens.is_empty(), &mut tokens);
            rest = &rest[end..];
        }
    }
    let is_marked = is_question || text.ends_with('.');
    lower_first(&mut tokens, is_marked);
    tokens
}

/// The quoted text that `rest` begins with. Backquotes mark a name; other quotation marks belong to it.
fn quoted(rest: &str) -> Option<(Token, &str)> {
    let (open, close) = match rest.chars().next()? {
        '`' => ('`', '`'),
        '"' => ('"', '"'),
        '\u{201c}' => ('\u{201c}', '\u{201d}'),
        '\'' => ('\'', '\''),
        _ => return None,
    };
    let inner = &rest[open.len_utf8()..];
    let end = inner.find(close)?;
    let (text, after) = (&inner[..end], &inner[end + close.len_utf8()..]);
    // `it's` and lifetimes have no text between two marks.
    let is_closed = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if text.is_empty() || (open == '\'' && !is_closed) {
        return None;
    }
    let name = if open == '`' { marked(text.trim()) } else { format!("\"{text}\"") };
    Some((Token::Name(name), after))
}

/// A quoted name; one that is a word with a meaning of its own differs from that word.
fn marked(name: &str) -> String {
    if super::normal::is_grammar(name) { format!("`{name}`") } else { name.to_owned() }
}

/// Adds the tokens of a text without spaces.
fn plain(text: &str, is_first: bool, out: &mut Vec<Token>) {
    let end = text.trim_end_matches([',', ';']);
    // The end of a sentence, also behind a quoted name.
    let end = if end == "." || end == ":" { "" } else { end };
    let end = match end.strip_suffix('.').or_else(|| end.strip_suffix(':')) {
        Some(shorter) if shorter.ends_with(|c: char| c.is_alphanumeric() || c == '`') => shorter,
        _ => end,
    };
    let is_possessive = end.ends_with("'s") && end.len() > 2;
    if end == "'s" {
        out.push(Token::Possessive);
    } else if !end.is_empty() {
        let lower = end.to_ascii_lowercase();
        if let Some(words) = contraction(&lower) {
            out.extend(words.map(|word| Token::Word(word.to_owned())));
        } else if is_possessive {
            push(&end[..end.len() - 2], is_first, out);
            out.push(Token::Possessive);
        } else {
            push(end, is_first, out);
        }
    }
    if end.len() < text.len() {
        out.push(Token::Comma);
    }
}

/// The two words of a contraction.
fn contraction(lower: &str) -> Option<[&str; 2]> {
    match lower {
        "can't" | "cannot" => return Some(["can", "not"]),
        "won't" => return Some(["will", "not"]),
        "let's" => return Some(["let", "us"]),
        _ => {}
    }
    if let Some(verb) = lower.strip_suffix("n't") {
        return (!verb.is_empty()).then_some([verb, "not"]);
    }
    if let Some(word) = lower.strip_suffix("'s") {
        return WITH_IS.contains(&word).then_some([word, "is"]);
    }
    ENDS.iter().find_map(|(end, verb)| {
        let pronoun = lower.strip_suffix(end).filter(|it| PRONOUNS.contains(it))?;
        Some([pronoun, *verb])
    })
}

/// Adds a word, or a name: what has another character than letters, a capital letter that does not only
/// begin the question, or a single letter.
fn push(text: &str, is_first: bool, out: &mut Vec<Token>) {
    let has_upper = |text: &str| text.chars().any(char::is_uppercase);
    let begin = text.chars().next().map_or(0, char::len_utf8);
    let is_plain = text.chars().all(|c| c.is_alphabetic() || c == '-');
    let is_name = !is_plain || has_upper(&text[begin..]) || (!is_first && has_upper(text));
    out.push(match text {
        "I" => Token::Word("i".to_owned()),
        _ if is_name => Token::Name(text.to_owned()),
        // The case of the first word is decided when the next one is known.
        _ => Token::Word(text.to_owned()),
    });
}

/// A capital letter begins a sentence, unless its first word is the subject: `Config is …`. Without a word
/// of the grammar or a mark at the end it is no sentence: `Config` and `config` are two names.
fn lower_first(tokens: &mut [Token], is_marked: bool) {
    let is_grammar = |token: &Token| token.word().is_some_and(super::normal::is_grammar);
    let is_subject = match tokens.get(1) {
        Some(Token::Word(next)) => super::normal::follows_subject(next),
        Some(Token::Possessive) => true,
        _ => false,
    };
    let is_sentence = is_marked || tokens.iter().skip(1).any(is_grammar);
    if let Some(Token::Word(first)) = tokens.first_mut() {
        let lower = first.to_lowercase();
        let is_name = *first != lower && (is_subject || !is_sentence);
        if is_name && !super::normal::is_grammar(&lower) {
            let name = std::mem::take(first);
            tokens[0] = Token::Name(name);
        } else {
            *first = lower;
        }
    }
}
