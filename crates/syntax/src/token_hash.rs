//! Hashes of tokens: what changes when the meaning may have changed, and not when it was
//! formatted.

use base::{ContentHash, Hasher};

use crate::lexer::{Lexer, Token};
use crate::{Item, SourceFile};

/// The hash of an item's tokens, its members' included. Doc comments and attributes count, other
/// comments and white space do not.
pub fn token_hash(text: &str, item: &Item) -> ContentHash {
    token_hash_of(item.span.slice(text).unwrap_or(""))
}

/// The hash of the tokens of a code, by the same rule.
pub fn token_hash_of(code: &str) -> ContentHash {
    let mut tokens = Vec::new();
    for (token, start, len) in Lexer::new(code) {
        add(&mut tokens, code, token, start, len);
    }
    hash(&tokens)
}

/// The hashes of all items of a file, in their order: one reading of the text.
pub fn token_hashes(text: &str, file: &SourceFile) -> Vec<ContentHash> {
    // Where items begin and end, by place in the text. An item is read as if it were alone, so
    // its edges are edges of tokens.
    let mut tokens = Vec::with_capacity(text.len());
    let mut places: Vec<(u32, u32)> = Vec::with_capacity(text.len() / 4);
    for (token, start, len) in Lexer::new(text) {
        places.push((start as u32, tokens.len() as u32));
        add(&mut tokens, text, token, start, len);
    }
    let place = |at: usize| {
        let next = places.partition_point(|&(start, _)| (start as usize) < at);
        places.get(next).map_or(tokens.len(), |&(_, place)| place as usize)
    };
    let range = |item: &Item| place(item.span.start)..place(item.span.end);
    file.items.iter().map(|item| hash(tokens.get(range(item)).unwrap_or(&[]))).collect()
}

/// One byte between tokens keeps `a b` and `ab` apart.
fn add(tokens: &mut Vec<u8>, text: &str, token: Token, start: usize, len: usize) {
    if token != Token::Comment {
        tokens.extend_from_slice(text.as_bytes().get(start..start + len).unwrap_or(&[]));
        tokens.push(0);
    }
}

fn hash(tokens: &[u8]) -> ContentHash {
    Hasher::new().field(tokens).finish()
}
