use base::SortedSet;

use graftage_search::tokens;
use proptest::prelude::*;

fn terms(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    tokens(text, &mut |term| found.push(term.to_owned()));
    found
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_terms_that_are_folded_words(text in any::<String>()) {
        for term in terms(&text) {
            prop_assert!(!term.is_empty() && term.len() <= 64 * 4);
            prop_assert!(!term.contains(|c: char| c == '_' || c.is_ascii() && !c.is_ascii_alphanumeric()), "{term:?}");
            let folded: String = term.chars().flat_map(char::to_lowercase).collect();
            prop_assert_eq!(&folded, &term);
        }
    }

    #[test]
    fn case_of_plain_words_does_not_count(text in "[a-z ]{0,40}") {
        prop_assert_eq!(terms(&text.to_uppercase()), terms(&text));
    }

    #[test]
    fn spellings_of_one_name_have_the_same_terms(parts in prop::collection::vec("[a-z]{3,8}", 2..4)) {
        let snake = parts.join("_");
        let pascal: String = parts.iter().map(|part| part[..1].to_uppercase() + &part[1..]).collect();
        let camel = parts[0].clone() + &pascal[parts[0].len()..];
        prop_assert_eq!(terms(&pascal), terms(&snake));
        prop_assert_eq!(terms(&camel), terms(&snake));
        prop_assert_eq!(terms(&snake.to_uppercase()), terms(&snake));
    }

    #[test]
    fn a_whole_identifier_is_kept_beside_its_parts(parts in prop::collection::vec("[a-z]{3,8}", 2..4)) {
        let whole = terms(&parts.join("_"));
        let joined: SortedSet<String> = terms(&parts.concat()).into_iter().collect();
        prop_assert!(joined.iter().all(|term| whole.contains(term)), "{whole:?} {joined:?}");
        for part in &parts {
            prop_assert!(terms(part).iter().all(|term| whole.contains(term)));
        }
    }

    #[test]
    fn texts_side_by_side_have_the_terms_of_both(a in any::<String>(), b in any::<String>()) {
        let both = terms(&format!("{a} {b}"));
        prop_assert_eq!(both, [terms(&a), terms(&b)].concat());
    }
}
