//! The parameters of a list of generics.

use base::ByteSpan;

/// The tokens that declare type and constant parameters in `<…>`, without lifetimes. `list` is the text
/// of the list with its angle brackets, and `start` where it starts; the spans count from there.
pub fn generic_params(list: &str, start: usize) -> Vec<ByteSpan> {
    let mut found = Vec::new();
    let (mut depth, mut starts) = (0usize, false);
    let mut at = 0;
    while let Some(ch) = list[at..].chars().next() {
        let rest = &list[at..];
        if starts && (ch.is_alphabetic() || ch == '_') {
            let len = rest.find(|it: char| !it.is_alphanumeric() && it != '_');
            let len = len.unwrap_or(rest.len());
            if &rest[..len] != "const" {
                found.push(ByteSpan::new(start + at, start + at + len));
                starts = false;
            }
            at += len;
            continue;
        }
        match ch {
            '<' | '(' | '[' | '{' => {
                depth += 1;
                starts = depth == 1;
            }
            '>' if list[..at].ends_with('-') => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => starts = true,
            '\'' => starts = false,
            _ => {}
        }
        at += ch.len_utf8();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameters_of_a_list_are_its_types_and_constants() {
        let list = "<'a, 'b: 'a, T: Into<U>, const N: usize, F = fn(A) -> B>";
        let names = generic_params(list, 0).into_iter().map(|it| it.slice(list).unwrap());
        assert_eq!(names.collect::<Vec<_>>(), ["T", "N", "F"]);
        assert_eq!(generic_params("<T>", 7), [ByteSpan::new(8, 9)]);
        assert!(generic_params("", 0).is_empty());
    }
}
