//! Why a target was missed: its rank after each stage, and the stage that lost it.

use base::SortedMap;

use code::SearchAnswer;
use serde::{Deserialize, Serialize};

/// A target that is not among the first ten.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MissedTarget {
    /// Target: file and lines.
    pub target: String,
    /// Wording of the query: `raw`, `masked`.
    pub variant: String,
    /// Rank after each stage that ran, from 1; `None` if it was missing.
    pub places: SortedMap<String, Option<usize>>,
    /// Stages that ran, in order.
    pub stages: Vec<String>,
    /// Whether any retriever found it.
    pub in_union: bool,
    /// Stage after which it was first missing, or `ranking` if its rank is only too low.
    pub lost_by: String,
}

/// Follows a target through the stages of an explained answer. `items` are the numbers in the map
/// that would hit it.
pub(super) fn diagnose(
    answer: &SearchAnswer,
    items: &[u32],
    target: String,
    variant: &str,
) -> MissedTarget {
    let mut missed =
        MissedTarget { target, variant: variant.to_owned(), ..MissedTarget::default() };
    if items.is_empty() {
        missed.lost_by = "map".to_owned();
        return missed;
    }
    let mut lost_by = None;
    let mut was_there = false;
    for stage in answer.stages.iter().filter(|stage| stage.skipped.is_none()) {
        let place = stage.order.iter().position(|item| items.contains(item)).map(|at| at + 1);
        missed.places.insert(stage.name.to_owned(), place);
        missed.stages.push(stage.name.to_owned());
        if was_there && place.is_none() && !is_side(stage.name) {
            lost_by.get_or_insert(stage.name);
        }
        was_there |= place.is_some();
    }
    missed.in_union = was_there;
    missed.lost_by = match lost_by {
        Some(stage) => stage,
        None if was_there => "ranking",
        None => "candidates",
    }
    .to_owned();
    missed
}

/// Lexical and dense search run side by side: what one misses the other may find.
fn is_side(stage: &str) -> bool {
    matches!(stage, "words" | "vectors" | "spelling" | "expansion" | "files")
}

#[cfg(test)]
mod tests {
    use code::StageCard;

    use super::*;

    fn stage(name: &'static str, order: &[u32]) -> StageCard {
        StageCard {
            name,
            candidates: order.len(),
            skipped: None,
            took_us: None,
            order: order.to_vec(),
        }
    }

    #[test]
    fn the_stage_that_lost_a_target_is_named() {
        let answer = SearchAnswer {
            stages: vec![
                stage("words", &[1, 2, 3]),
                stage("vectors", &[4]),
                stage("fusion", &[4, 1, 2]),
            ],
            ..SearchAnswer::default()
        };
        let lost_by = |items: &[u32]| diagnose(&answer, items, String::new(), "raw").lost_by;
        assert_eq!(lost_by(&[3]), "fusion");
        assert_eq!(lost_by(&[2]), "ranking");
        assert_eq!(lost_by(&[9]), "candidates");
        assert_eq!(lost_by(&[]), "map");
        let missed = diagnose(&answer, &[2], String::new(), "raw");
        assert_eq!(missed.places["words"], Some(2));
        assert_eq!(missed.places["vectors"], None);
        assert!(missed.in_union);
    }
}
