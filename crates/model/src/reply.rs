//! What servers of rerankers answer: `{"results": [{"index", "relevance_score"}]}`, or a bare list
//! of `{"index", "score"}`.

use serde::Deserialize;

use crate::breaker::Trouble;

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

/// The scores of `count` texts in their order: each has to have one.
pub(crate) fn scores(body: &[u8], count: usize) -> Result<Vec<f32>, Trouble> {
    let senseless = |reason: String| Trouble::Answer { reason };
    let reply: Reply = serde_json::from_slice(body)
        .map_err(|_| senseless("it is no list of scores".to_owned()))?;
    let (Reply::Results { results: scored } | Reply::Bare(scored)) = reply;
    let mut scores = vec![None; count];
    for Scored { index, score } in scored {
        let slot = scores
            .get_mut(index)
            .ok_or_else(|| senseless(format!("it scores text {index} of {count}")))?;
        if !score.is_finite() || slot.replace(score).is_some() {
            return Err(senseless(format!("text {index} has no one score")));
        }
    }
    let found = scores.iter().flatten().count();
    let all: Option<Vec<f32>> = scores.into_iter().collect();
    all.ok_or_else(|| senseless(format!("it scores {found} texts of {count}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_in_whatever_order() {
        let with_names = br#"{"model":"m","results":[{"index":1,"relevance_score":0.5},
            {"index":0,"relevance_score":-2,"document":{"text":"x"}}]}"#;
        assert_eq!(scores(with_names, 2), Ok(vec![-2.0, 0.5]));
        let bare = br#"[{"index":0,"score":0.25},{"index":1,"score":1e-3}]"#;
        assert_eq!(scores(bare, 2), Ok(vec![0.25, 1e-3]));
        assert_eq!(scores(b"[]", 0), Ok(vec![]));
    }

    #[test]
    fn what_does_not_score_each_text_once_is_refused() {
        for body in [
            &b"oops"[..],
            b"{}",
            br#"[{"index":0,"score":1}]"#,
            br#"[{"index":0,"score":1},{"index":0,"score":2}]"#,
            br#"[{"index":0,"score":1},{"index":2,"score":2}]"#,
            br#"[{"index":0,"score":1},{"index":1,"score":null}]"#,
            br#"[{"index":-1,"score":1},{"index":1,"score":1}]"#,
        ] {
            assert!(matches!(scores(body, 2), Err(Trouble::Answer { .. })), "{body:?}");
        }
    }
}
