//! Canonical paths in one spelling, so that they can be compared.

use base::is_word;

/// The path without lifetimes and generic arguments: `m::Slot::get`, `m::<Valve as From>::from`.
pub(super) fn plain(path: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    let mut chars = path.chars().peekable();
    while let Some(ch) = chars.next() {
        let opens = ch == '<' && (depth > 0 || out.ends_with(is_word));
        depth += usize::from(opens);
        if depth > 0 {
            depth -= usize::from(ch == '>');
        } else if ch == '\'' {
            while chars.next_if(|ch| is_word(*ch)).is_some() {}
            while chars.next_if_eq(&' ').is_some() {}
        } else {
            out.push(ch);
        }
    }
    out
}

/// Whether `answer` matches `gold`. Gold with generic arguments requires them; gold that names an
/// impl's function is also matched by the less specific declaration in the trait.
pub(super) fn fits(gold: &str, answer: &str) -> bool {
    let exact = if plain(gold) == gold { plain(answer) == gold } else { answer == gold };
    exact || declaration(gold).is_some_and(|declared| ends_with(&plain(answer), &declared))
}

/// `Trait::method` of `module::<Type as Trait<A>>::method`.
pub(super) fn declaration(path: &str) -> Option<String> {
    let path = plain(path);
    let (_, behind) = path.rsplit_once(" as ")?;
    let (of_trait, method) = behind.rsplit_once(">::")?;
    let of_trait = of_trait.rsplit("::").next().unwrap_or(of_trait);
    Some(format!("{of_trait}::{method}"))
}

/// Whether the last segments of `path` are `tail`.
pub(super) fn ends_with(path: &str, tail: &str) -> bool {
    path.strip_suffix(tail).is_some_and(|before| before.is_empty() || before.ends_with("::"))
}

/// The path after the crate: `package/target::module::f` is `module::f`.
pub(super) fn without_crate(canon: &str) -> &str {
    canon.split_once("::").map_or("", |(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generic_arguments_and_lifetimes_do_not_tell_paths_apart() {
        assert_eq!(plain("m::Slot<T>::get"), "m::Slot::get");
        assert_eq!(plain("<Valve as From<Vec<u8>>>::from"), "<Valve as From>::from");
        assert_eq!(plain("<&'a mut Tank as Tr<'a>>::f"), "<&mut Tank as Tr>::f");
        assert_eq!(plain("[T]::f"), "[T]::f");
    }

    #[test]
    fn gold_is_met_by_itself_and_by_the_declaration_behind_it() {
        assert!(fits("m::Slot::get", "m::Slot<T>::get"));
        assert!(fits("m::Water<Hot>::level", "m::Water<Hot>::level"));
        assert!(!fits("m::Water<Hot>::level", "m::Water<Cold>::level"));
        assert!(fits("m::<A as Run>::go", "kinds::Run::go"));
        assert!(!fits("m::<A as Run>::go", "m::<B as Run>::go"));
        assert!(!fits("kinds::Run::go", "m::<A as Run>::go"));
        assert!(!fits("m::<A as Run>::go", "m::OtherRun::go"));
    }
}
