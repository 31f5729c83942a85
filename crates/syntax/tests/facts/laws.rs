//! What holds of any text.

use graftage_syntax::{parse, read};
use proptest::prelude::*;

use crate::printer::print;

/// Every number leads somewhere (printing follows them all), every offset is where its name is.
fn is_sound(text: &str) -> Result<(), TestCaseError> {
    let facts = read(text);
    print(&facts);
    prop_assert_eq!(facts.decls.len(), facts.file.items.len());
    let plain = parse(text);
    let kept = facts.file.items.iter().zip(&facts.decls).filter(|(_, it)| !it.in_macro_call);
    let kept: Vec<_> = kept.map(|(item, _)| item).collect();
    prop_assert_eq!(kept.len(), plain.items.len());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn any_text_is_read(text in ".*") {
        is_sound(&text)?;
    }
}
