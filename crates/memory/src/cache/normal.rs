//! The normal form of a question: what two questions must share to have the same answer.
//!
//! Only such differences are removed that cannot change the answer: politeness and frames of requests
//! (`can you show me`), articles, the place of `is`, `a's b` for `b of a`, the number of a noun after
//! `which` together with its verb, a phrase that is put in front. All other words stay, in their order:
//! negations, prepositions, auxiliary verbs, tenses and synonyms make another question.

use super::tokens::{Token, tokens};

const ARTICLES: [&str; 3] = ["a", "an", "the"];
const BE: [&str; 2] = ["is", "are"];
const PREPOSITIONS: [&str; 22] = [
    "about", "after", "at", "before", "below", "between", "by", "during", "for", "from", "in",
    "inside", "into", "of", "on", "outside", "to", "under", "via", "with", "within", "without",
];
const CONJUNCTIONS: [&str; 4] = ["and", "or", "but", "than"];
const QUESTION_WORDS: [&str; 9] =
    ["how", "that", "what", "when", "where", "which", "who", "whose", "why"];
const AUXILIARIES: [&str; 14] = [
    "be", "can", "could", "did", "do", "does", "had", "has", "have", "must", "should", "was",
    "were", "will",
];
/// Words whose noun is meant in general, so that its number is free.
const GENERAL: [&str; 6] = ["all", "any", "each", "every", "what", "which"];
/// Words that rules of this file remove or replace, beside the ones above.
const OTHERS: [&str; 17] = [
    "get", "gets", "hello", "hey", "hi", "i", "kindly", "list", "me", "not", "please", "show",
    "tell", "thanks", "us", "we", "you",
];
/// Frames of requests, longest first; what follows is the question.
const FRAMES: [&[&str]; 14] = [
    &["i", "would", "like", "you", "to"],
    &["i", "would", "like", "to", "know"],
    &["i", "want", "to", "know"],
    &["i", "want", "you", "to"],
    &["i", "need", "to", "know"],
    &["do", "you", "know"],
    &["let", "me", "know"],
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["will", "you"],
    &["tell", "me"],
    &["i", "wonder"],
    &["hi"],
];
/// Verbs that only ask for an answer.
const SHOWING: [&str; 2] = ["list", "show"];
/// Maximum number of tokens of a phrase in front.
const LONGEST_FRONT: usize = 6;

/// Whether a word has a meaning for this file.
pub(super) fn is_grammar(word: &str) -> bool {
    [
        &ARTICLES[..],
        &BE,
        &PREPOSITIONS,
        &CONJUNCTIONS,
        &QUESTION_WORDS,
        &AUXILIARIES,
        &GENERAL,
        &OTHERS,
    ]
    .iter()
    .any(|words| words.contains(&word))
}

/// Whether the word before this one is a subject or a noun, not an imperative.
pub(super) fn follows_subject(word: &str) -> bool {
    BE.contains(&word)
        || AUXILIARIES.contains(&word)
        || PREPOSITIONS.contains(&word)
        || CONJUNCTIONS.contains(&word)
}

/// The normal form of a question; the text itself if nothing is left of it.
pub(super) fn normal_form(text: &str) -> String {
    let mut tokens = tokens(text);
    to_end(&mut tokens);
    tokens.retain(|token| *token != Token::Comma);
    without_frames(&mut tokens);
    how_to(&mut tokens);
    possessives(&mut tokens);
    agreement(&mut tokens);
    passive(&mut tokens);
    articles(&mut tokens);
    let be = tokens.iter().filter(|token| is_one_of(Some(token), &BE)).count();
    let mut form = be.to_string();
    for token in &tokens {
        if let Token::Word(text) | Token::Name(text) = token
            && !is_one_of(Some(token), &BE)
        {
            form.push('\u{1f}');
            form.push_str(&text.replace('\u{1f}', "\u{1e}"));
        }
    }
    if tokens.is_empty() { text.to_owned() } else { form }
}

fn is_one_of(token: Option<&Token>, words: &[&str]) -> bool {
    token.and_then(Token::word).is_some_and(|word| words.contains(&word))
}

/// `in a, where is b` asks the same as `where is b in a`.
fn to_end(tokens: &mut Vec<Token>) {
    if !is_one_of(tokens.first(), &PREPOSITIONS) {
        return;
    }
    let comma = tokens.iter().take(LONGEST_FRONT + 1).position(|token| *token == Token::Comma);
    if let Some(comma) = comma.filter(|at| at + 1 < tokens.len()) {
        let rest = tokens.split_off(comma + 1);
        tokens.pop();
        let front = std::mem::replace(tokens, rest);
        tokens.extend(front);
    }
}

/// Removes politeness and what only asks for an answer.
fn without_frames(tokens: &mut Vec<Token>) {
    tokens.retain(|token| !is_one_of(Some(token), &["please", "kindly", "thanks"]));
    loop {
        let frame = FRAMES.iter().find(|frame| {
            frame.len() < tokens.len()
                && frame.iter().zip(tokens.iter()).all(|(word, token)| token.word() == Some(word))
        });
        let asks = is_one_of(tokens.first(), &SHOWING);
        let next = tokens.get(1);
        let length = match frame {
            Some(frame) => frame.len(),
            None if asks && is_one_of(next, &["me", "us"]) && tokens.len() > 2 => 2,
            // `list push` can mean the `push` of a list.
            None if asks && [&ARTICLES[..], &GENERAL].iter().any(|it| is_one_of(next, it)) => 1,
            None if is_one_of(tokens.first(), &["all"]) && tokens.len() > 1 => 1,
            None => return,
        };
        tokens.drain(..length);
    }
}

/// `how do i`, `how can you` and `how to` ask the same.
fn how_to(tokens: &mut Vec<Token>) {
    if is_one_of(tokens.first(), &["how"])
        && is_one_of(tokens.get(1), &["do", "can"])
        && is_one_of(tokens.get(2), &["i", "we", "you"])
    {
        tokens.splice(1..3, [Token::Word("to".to_owned())]);
    }
}

/// `a's b` is `b of a`; the noun ends before the next word of the grammar.
fn possessives(tokens: &mut Vec<Token>) {
    while let Some(at) = tokens.iter().position(|token| *token == Token::Possessive) {
        tokens.remove(at);
        let ends = |token: &Token| {
            matches!(token, Token::Possessive) || token.word().is_some_and(is_grammar)
        };
        let end = tokens[at..].iter().position(ends).map_or(tokens.len(), |it| at + it);
        // Without a possessor or a noun, the mark has no meaning.
        if at == 0 || end == at {
            continue;
        }
        let owner = tokens.remove(at - 1);
        let is_defined = at >= 2 && is_one_of(tokens.get(at - 2), &ARTICLES);
        tokens.insert(end - 1, Token::Word("of".to_owned()));
        tokens.insert(end, owner);
        if is_defined {
            let article = tokens.remove(at - 2);
            tokens.insert(end - 1, article);
        }
    }
    // `what is the b of a` asks for it as `the b of a` does.
    if is_one_of(tokens.first(), &["what"])
        && is_one_of(tokens.get(1), &BE)
        && is_noun_of(&tokens[2..])
    {
        tokens.drain(..2);
    }
}

/// Whether words begin with a noun phrase and `of`.
fn is_noun_of(tokens: &[Token]) -> bool {
    let of = tokens.iter().position(|token| is_one_of(Some(token), &["of"]));
    of.is_some_and(|of| {
        let noun = &tokens[..of];
        let noun = if is_one_of(noun.first(), &ARTICLES) { &noun[1..] } else { noun };
        !noun.is_empty() && noun.iter().all(|token| token.word().is_none_or(|it| !is_grammar(it)))
    })
}

/// `which test covers` and `which tests cover` ask the same: noun and verb agree, and the form is the one
/// without their endings.
fn agreement(tokens: &mut [Token]) {
    for at in 0..tokens.len().saturating_sub(2) {
        if !is_one_of(tokens.get(at), &GENERAL) {
            continue;
        }
        let [Token::Word(general), Token::Word(noun), Token::Word(verb)] = &tokens[at..at + 3]
        else {
            continue;
        };
        if is_grammar(noun) {
            continue;
        }
        let (singular, base) = (without_s(noun), without_s(verb));
        let (noun, verb) = match (singular, verb.as_str()) {
            (Some(singular), "are") => (singular, None),
            (None, "is") => continue,
            (Some(singular), verb) if base.is_none() && !is_grammar(verb) => (singular, None),
            (None, _) if base.is_some() => (noun.clone(), base),
            _ => continue,
        };
        // Only with a noun, `what` is `which`.
        let general = if general == "what" { "which".to_owned() } else { general.clone() };
        tokens[at] = Token::Word(general);
        tokens[at + 1] = Token::Word(noun);
        if let Some(verb) = verb {
            tokens[at + 2] = Token::Word(verb);
        }
    }
}

/// A word without the `s` of a plural or of a third person.
fn without_s(word: &str) -> Option<String> {
    let stem =
        word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']))?;
    if let Some(stem) = stem.strip_suffix("ie") {
        return Some(format!("{stem}y"));
    }
    let sibilant = stem
        .strip_suffix('e')
        .filter(|it| ["ch", "sh", "ss", "x", "z"].iter().any(|end| it.ends_with(end)));
    Some(sibilant.unwrap_or(stem).to_owned())
}

/// `does a get parsed` and `gets parsed` are `is a parsed`.
fn passive(tokens: &mut Vec<Token>) {
    // At the beginning, `get` is an imperative.
    let get = (1..tokens.len()).find(|at| {
        is_one_of(tokens.get(*at), &["get", "gets"])
            && tokens.get(at + 1).and_then(Token::word).is_some_and(|it| it.ends_with("ed"))
    });
    let Some(get) = get else { return };
    let does = tokens[..get].iter().rposition(|token| is_one_of(Some(token), &["do", "does"]));
    tokens[get] = Token::Word("is".to_owned());
    if let Some(does) = does {
        tokens.remove(does);
    }
}

/// Removes articles before nouns. A letter that is no article (`rename a to b`) stays.
fn articles(tokens: &mut Vec<Token>) {
    let is_article: Vec<bool> = (0..tokens.len())
        .map(|at| {
            let next = tokens.get(at + 1);
            is_one_of(tokens.get(at), &ARTICLES)
                && next.is_some_and(|it| !it.word().is_some_and(follows_subject))
        })
        .collect();
    let mut at = 0;
    tokens.retain(|_| {
        at += 1;
        !is_article[at - 1]
    });
}
