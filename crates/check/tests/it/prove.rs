use graftage_check::{Ladder, Tests};

use crate::kit::{kit, rungs};

const TINY: &str = "
//- /src/lib.rs
pub fn double(n: u32) -> u32 {
    n * 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        assert_eq!(super::double(2), 4);
    }
}
";

#[test]
fn a_good_candidate_passes_and_a_bad_one_fails_in_any_order() {
    let kit = kit(TINY);
    let before = kit.project.digest();
    let ladder = Ladder { tests: Tests::All, ..Ladder::default() };
    let base = kit.baseline(&ladder);
    assert!(base.passed(), "{}", rungs(&base));
    let good = "pub fn double(n: u32) -> u32 {\n    n + n\n}\n";
    let bad = "pub fn double(n: u32) -> u32 {\n    n + m\n}\n";
    let plain = Ladder::default();
    for (text, passes) in [(good, true), (bad, false), (good, true), (bad, false)] {
        let checked = kit.prove(&[("src/lib.rs", Some(text))], &plain);
        assert_eq!(checked.passed(), passes, "{}", rungs(&checked));
    }
    let checked = kit.prove(&[], &ladder);
    println!("{}", rungs(&checked));
    println!("{:?}", checked.evidence);
    assert!(checked.passed());
    assert_eq!(before, kit.project.digest());
}
