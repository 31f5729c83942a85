//! The trait that tokens without a resolved meaning write out for a member, as in the body of a macro
//! or the output that a procedural macro quotes: `impl … Trait for … { fn name … }` and
//! `<… as Trait>::name`. Reads tokens only; start at [`written_trait`].

use base::SortedSet;
use preserve::outline::{Token, TokenKind};

/// The most tokens of a head or a qualified type.
const FAR: usize = 300;

/// The trait of the impl whose member the token at `at` names.
pub(super) fn written_trait<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    let open = opening_brace(tokens, at)?;
    let head = head_before(tokens, open);
    let begin = head.iter().rposition(|it| it.text == "impl")?;
    trait_of(&head[begin + 1..])
}

/// Whether the block around the token at `at` is none of an impl or a trait, as in a part of one.
pub(super) fn is_outside_impl(tokens: &[Token<'_>], at: usize) -> bool {
    let head = opening_brace(tokens, at).map(|open| head_before(tokens, open));
    let is_head = |it: &Token<'_>| matches!(it.text, "impl" | "trait");
    !head.is_some_and(|it| it.iter().any(is_head))
}

/// Whether the tokens write an impl of one of these traits.
pub(super) fn writes_impl(tokens: &[Token<'_>], traits: &SortedSet<String>) -> bool {
    let begins = (0..tokens.len()).filter(|it| tokens[*it].text == "impl");
    begins.into_iter().any(|begin| {
        let rest = &tokens[begin + 1..];
        let end = rest.iter().take(FAR).position(|it| matches!(it.text, "{" | "}" | ";"));
        let of = end.and_then(|end| trait_of(&rest[..end]));
        of.is_some_and(|it| traits.contains(it))
    })
}

/// The trait of the head of an impl, without `impl`.
fn trait_of<'a>(head: &[Token<'a>]) -> Option<&'a str> {
    let for_at = (0..head.len())
        .find(|it| head[*it].text == "for" && head.get(it + 1).is_none_or(|it| it.text != "<"))?;
    last_segment(&head[..for_at])
}

/// The trait in `<… as Trait>::name`, of the token at `at`.
pub(super) fn qualifying_trait<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    let close = at.checked_sub(2).filter(|it| tokens[*it].text == ">")?;
    let mut depth = 0usize;
    let mut keyword = None;
    for index in (close.saturating_sub(FAR)..close).rev() {
        match tokens[index].text {
            ">" | ")" | "]" | "}" => depth += 1,
            "as" if depth == 0 => keyword = Some(index),
            "<" if depth == 0 => return last_segment(&tokens[keyword? + 1..close]),
            "<" | "(" | "[" | "{" => depth = depth.checked_sub(1)?,
            ";" => return None,
            _ => {}
        }
    }
    None
}

/// The brace of the block that the token is in.
fn opening_brace(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for index in (0..at).rev() {
        match tokens[index].text {
            "}" | ")" | "]" => depth += 1,
            "{" if depth == 0 => return Some(index),
            "(" | "[" if depth == 0 => return None,
            "{" | "(" | "[" => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The tokens before the brace of a block, back to the item before it or to the block around it.
fn head_before<'t, 'a>(tokens: &'t [Token<'a>], open: usize) -> &'t [Token<'a>] {
    let begin = open.saturating_sub(FAR);
    let is_end = |it: &Token<'_>| matches!(it.text, "{" | "}" | ";");
    let end = tokens[begin..open].iter().rposition(is_end).map_or(begin, |it| begin + it + 1);
    &tokens[end..open]
}

/// The last name of a path outside of its generic arguments.
fn last_segment<'a>(path: &[Token<'a>]) -> Option<&'a str> {
    let mut depth = 0usize;
    let mut last = None;
    for (at, token) in path.iter().enumerate() {
        match token.text {
            "<" | "(" | "[" => depth += 1,
            ">" | ")" | "]" => depth = depth.saturating_sub(1),
            // A variable of a macro is not the name of a trait.
            text if depth == 0 && token.kind == TokenKind::Word => {
                let is_variable =
                    at.checked_sub(1).is_some_and(|it| matches!(path[it].text, "#" | "$"));
                last = (!is_variable).then(|| text.trim_start_matches("r#"));
            }
            _ => {}
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use preserve::outline::tokens;

    use super::*;

    fn of(text: &str) -> Option<String> {
        let tokens = tokens(text);
        let at = tokens.iter().rposition(|it| it.text == "name").unwrap();
        let found = match at.checked_sub(1).map(|it| tokens[it].text) {
            Some("::") => qualifying_trait(&tokens, at),
            _ => written_trait(&tokens, at),
        };
        found.map(str::to_owned)
    }

    #[test]
    fn the_trait_of_a_quoted_impl_is_the_last_name_of_its_path() {
        for text in [
            "quote! { #[a] impl #g #path::Tr for #t #w { const X: u8 = 1; fn name() {} } }",
            "quote! { fn f() {} impl<'a, T: For<U>> m::Tr<'a, T> for S<T> where T: A { type name = T; } }",
            "m! { impl<F> Tr for F where for<'a> F: Fn(&'a u8) { fn name() {} } }",
            "quote! { <#t as #path::Tr>::name }",
            "quote! { <S<u8> as m::Tr<Vec<A>>>::name }",
        ] {
            assert_eq!(of(text).as_deref(), Some("Tr"), "{text}");
        }
    }

    #[test]
    fn other_blocks_and_variables_have_none() {
        for text in [
            "quote! { impl #t { fn name() {} } }",
            "quote! { impl #tr for #t { fn name() {} } }",
            "impl Tr for S { fn f() { const name: u8 = 1; } }",
            "quote! { fn name() {} }",
            "Vec::<Tr>::name",
            "name",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
