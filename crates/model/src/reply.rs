//! Parser of reranker responses: `{"results": [{"index", "relevance_score"}]}`, or a bare list of
//! `{"index", "score"}`.

use serde::Deserialize;

use crate::breaker::RerankError;

#[derive(Deserialize)]
#[serde(untagged)]
enum Reply {
    Results { results: Vec<Scored> },
    Bare(Vec<Scored>),
}

#[derive(Deserialize)]
struct Scored {
    index: usize,
    #[serde(alias = "relevance_score")]
    score: f32,
}

/// The scores of `count` texts in their order; the response must have exactly one for each.
pub(crate) fn scores(body: &[u8], count: usize) -> Result<Vec<f32>, RerankError> {
    let invalid = |reason: String| RerankError::Answer { reason };
    let reply: Reply = serde_json::from_slice(body)
        .map_err(|_| invalid("it is not a list of scores".to_owned()))?;
    let (Reply::Results { results: scored } | Reply::Bare(scored)) = reply;
    let mut scores = vec![None; count];
    for Scored { index, score } in scored {
        let slot = scores
            .get_mut(index)
            .ok_or_else(|| invalid(format!("it scores text {index} of {count}")))?;
        if !score.is_finite() || slot.replace(score).is_some() {
            return Err(invalid(format!("text {index} has more than one score or an invalid one")));
        }
    }
    let found = scores.iter().flatten().count();
    let all: Option<Vec<f32>> = scores.into_iter().collect();
    all.ok_or_else(|| invalid(format!("it scores {found} texts of {count}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_are_parsed_in_any_order() {
        let with_names = br#"{"model":"m","results":[{"index":1,"relevance_score":0.5},
            {"index":0,"relevance_score":-2,"document":{"text":"x"}}]}"#;
        assert_eq!(scores(with_names, 2), Ok(vec![-2.0, 0.5]));
        let bare = br#"[{"index":0,"score":0.25},{"index":1,"score":1e-3}]"#;
        assert_eq!(scores(bare, 2), Ok(vec![0.25, 1e-3]));
        assert_eq!(scores(b"[]", 0), Ok(vec![]));
    }

    #[test]
    fn a_response_without_one_score_per_text_is_rejected() {
        for body in [
            &b"oops"[..],
            b"{}",
            br#"[{"index":0,"score":1}]"#,
            br#"[{"index":0,"score":1},{"index":0,"score":2}]"#,
            br#"[{"index":0,"score":1},{"index":2,"score":2}]"#,
            br#"[{"index":0,"score":1},{"index":1,"score":null}]"#,
            br#"[{"index":-1,"score":1},{"index":1,"score":1}]"#,
        ] {
            assert!(matches!(scores(body, 2), Err(RerankError::Answer { .. })), "{body:?}");
        }
    }
}
