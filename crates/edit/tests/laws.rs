//! Laws of edits, on seeded random inputs and with proptest.
#![expect(clippy::unwrap_used, reason = "a test may")]

#[path = "../benches/laws_support/mod.rs"]
mod laws_support;

use std::path::Path;

use base::{ProjectPath, Timestamp};
use graftage_edit::{FileState, Overlay, Side, Splice, TextEdit, parse_request, stage};
use laws_support::random::Rng;
use laws_support::{adversary, round_trip};
use proptest::prelude::*;

#[test]
fn twenty_thousand_random_changes_round_trip_with_exact_maps() {
    for seed in 0..20_000 {
        if let Err(why) = round_trip::check(&mut Rng::new(seed)) {
            panic!("seed {seed}: {why}");
        }
    }
}

#[test]
fn no_adversarial_request_is_applied_in_a_wrong_place() {
    let mut count = adversary::Count::default();
    for seed in 0..5_000 {
        if let Err(why) = adversary::check(&mut Rng::new(seed), &mut count) {
            panic!("seed {seed}: {why}");
        }
    }
    assert!(count.placed > 500 && count.refused > 500, "{count:?}");
}

#[test]
fn a_file_that_moved_counts_the_lines_that_differ() {
    let path = |it: &str| ProjectPath::new(it).unwrap();
    let text = |it: &str| Some(FileState::from_text(it));
    let states = || {
        vec![
            (path("a.rs"), text("1\n2\n3\n"), None),
            (path("b.rs"), None, text("1\n2\nx\n")),
            (path("c.rs"), text("1\n"), None),
        ]
    };
    let mut overlay = Overlay::from_states("", Timestamp(0), states());
    let counts = |it: &Overlay| (it.stat().files, it.stat().added, it.stat().removed);
    assert_eq!(counts(&overlay), (3, 3, 4));
    assert!(overlay.mark_renamed(&path("a.rs"), &path("b.rs")));
    assert_eq!(counts(&overlay), (2, 1, 2));
    let of = |it: &str| (overlay.file_stat(&path(it)).added, overlay.file_stat(&path(it)).removed);
    assert_eq!([of("a.rs"), of("b.rs"), of("c.rs")], [(0, 0), (1, 1), (0, 1)]);
}

/// A base and an edit of it.
fn edit_of(base: &str, raw: &[(usize, usize, String)]) -> TextEdit {
    let at = |pos: usize| base.floor_char_boundary(pos % (base.len() + 1));
    let mut taken = 0;
    let mut splices = Vec::new();
    let mut spans: Vec<_> = raw.iter().map(|(a, b, text)| (at(*a), at(*b), text)).collect();
    spans.sort();
    for (a, b, text) in spans {
        let (start, end) = (a.min(b), a.max(b));
        if start >= taken {
            splices.push(Splice::new(start, end, text.clone()));
            taken = end;
        }
    }
    TextEdit::new(base, &splices).unwrap()
}

fn raw_edit() -> impl Strategy<Value = Vec<(usize, usize, String)>> {
    prop::collection::vec((0_usize..200, 0_usize..200, "[abä\\n\r]{0,5}"), 0..5)
}

fn is_normal(edit: &TextEdit) -> bool {
    edit.splices.windows(2).all(|pair| pair[0].span.end < pair[1].span.start)
        && edit.splices.iter().all(|it| !it.span.is_empty() || !it.insert.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn apply_and_invert_cancel(base in "[abcä🦀\\n\r]{0,40}", raw in raw_edit()) {
        let edit = edit_of(&base, &raw);
        let after = edit.apply(&base).unwrap();
        let back = edit.invert(&base).unwrap();
        prop_assert!(is_normal(&edit) && is_normal(&back));
        prop_assert_eq!(back.apply(&after).unwrap(), base.clone());
        let nothing = edit.compose(&back).unwrap();
        prop_assert_eq!(nothing.apply(&base).unwrap(), base);
    }

    #[test]
    fn composition_equals_sequential_application_and_is_associative(
        base in "[abcä🦀\\n\r]{0,40}", one in raw_edit(), two in raw_edit(), three in raw_edit(),
    ) {
        let a = edit_of(&base, &one);
        let second = a.apply(&base).unwrap();
        let b = edit_of(&second, &two);
        let third = b.apply(&second).unwrap();
        let c = edit_of(&third, &three);
        let last = c.apply(&third).unwrap();
        let left = a.compose(&b).unwrap().compose(&c).unwrap();
        let right = a.compose(&b.compose(&c).unwrap()).unwrap();
        prop_assert!(is_normal(&left));
        prop_assert_eq!(left.apply(&base).unwrap(), last);
        prop_assert_eq!(left, right);
    }

    #[test]
    fn positions_stay_in_bounds_and_in_order(base in "[abcä🦀\\n\r]{0,40}", raw in raw_edit()) {
        let edit = edit_of(&base, &raw);
        let len = edit.apply(&base).unwrap().len();
        for side in [Side::Before, Side::After] {
            let mapped: Vec<usize> = (0..=base.len()).map(|pos| edit.map_pos(pos, side)).collect();
            prop_assert!(mapped.is_sorted());
            prop_assert!(mapped.iter().all(|pos| *pos <= len));
        }
        for pos in 0..=base.len() {
            prop_assert!(edit.map_pos(pos, Side::Before) <= edit.map_pos(pos, Side::After));
        }
    }

    #[test]
    fn another_base_is_rejected_without_a_panic(
        base in "[abä\\n]{0,40}", other in "[aä🦀]{0,20}", raw in raw_edit(), more in raw_edit(),
    ) {
        let edit = edit_of(&base, &raw);
        let stranger = edit_of(&other, &more);
        let _ = edit.apply(&other);
        let _ = edit.invert(&other);
        let _ = edit.compose(&stranger);
        edit.map_pos(usize::MAX, Side::After);
    }

    #[test]
    fn overlays_compose_and_invert(states in prop::collection::vec((0_usize..4, prop::option::of("[ab\\n]{0,6}"), any::<bool>()), 1..12)) {
        // Three overlays over four paths, each applied to the result of the one before.
        let path = |idx: usize| ProjectPath::new(&format!("f{idx}")).unwrap();
        let mut now: Vec<Option<FileState>> = vec![None, Some(FileState::from_text("a\nb\n")), Some(FileState::from_text("")), None];
        let start = now.clone();
        let mut overlays = Vec::new();
        for part in states.chunks(states.len().div_ceil(3)) {
            let before = now.clone();
            for (idx, text, executable) in part {
                now[*idx] = text.as_ref().map(|text| FileState { text: text.as_str().into(), executable: *executable });
            }
            let triples = (0..4).map(|idx| (path(idx), before[idx].clone(), now[idx].clone())).collect();
            overlays.push(Overlay::from_states("law", Timestamp(7), triples));
        }
        let all = overlays.iter().skip(1).try_fold(overlays[0].clone(), |all, next| all.compose(next)).unwrap();
        let direct = Overlay::from_states("law", Timestamp(7), (0..4).map(|idx| (path(idx), start[idx].clone(), now[idx].clone())).collect());
        prop_assert_eq!(all.patch_set(), direct.patch_set());
        prop_assert_eq!(all.invert().invert(), all.clone());
        prop_assert!(all.compose(&all.invert()).unwrap().is_empty());
        let stored = serde_json::to_string(&direct).unwrap();
        prop_assert_eq!(serde_json::from_str::<Overlay>(&stored).unwrap(), direct);
        for (name, change) in all.changes() {
            prop_assert_eq!(change.edit.apply(all.base_text(name)).unwrap(), change.after_text());
        }
    }

    #[test]
    fn every_model_output_is_staged_or_rejected(parts in prop::collection::vec(prop::sample::select(vec![
        "--- a/f1\n", "+++ b/f1\n", "@@ -1,2 +1,2 @@\n", "@@ @@\n", "-a\n", "+b\n", " a\n", "\\ No newline at end of file\n",
        "diff --git a/f1 b/f1\n", "rename from f1\n", "rename to f9\n", "new file mode 100644\n", "deleted file mode 100755\n",
        "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "a\n", "b\n", "f1\n", "src/x.rs\n", "```\n", "```rust\n", "````\n",
        "{\"edits\": [", "{\"mode\": \"file\", ", "\"file_path\": \"f1\", ", "\"text\": \"\\u0000\"", "}", "]}", "🦀", "\r\n", "\0", "\u{feff}",
    ]), 0..14)) {
        let text = parts.concat();
        let mut files = round_trip::Map::default();
        files.0.insert(ProjectPath::new("f1").unwrap(), FileState::from_text("a\nb\na\n"));
        if let Ok(request) = parse_request(&text, Path::new("/project"))
            && let Ok(staged) = stage(&files, &request, "fuzz", Timestamp(1))
        {
            // The overlay starts from the current files and changes no others.
            for (path, change) in staged.overlay.changes() {
                prop_assert_eq!(change.before.as_ref(), files.0.get(path));
            }
        }
    }
}
