//! The tiers before the browser: the file alone, then, by option, a reviewer. Start at [`examine_file`].

use std::fmt;

use base::{Cancelled, Ctx};

use crate::report::{TierVerdict, WorldReport, WorldTier};
use crate::{StoryFile, WorldError};

/// Most bytes of a change, and of a file of stories, that a reviewer is shown.
const MOST_BYTES: usize = 100_000;
/// Most characters of a reason.
const MOST_REASON: usize = 300;

/// A reviewer of a change and the stories that it must pass. It can only refuse: no story passes by it.
pub trait StoryReviewer: fmt::Debug + Send + Sync {
    /// The reason of a refusal; `None` without an objection. A reviewer that has no answer refuses.
    ///
    /// # Errors
    /// The user stopped the run.
    fn refusal(&self, ctx: &Ctx, change: &str, stories: &str) -> Result<Option<String>, Cancelled>;
}

/// A change that a reviewer sees before a browser plays its stories.
#[derive(Clone, Copy, Debug)]
pub struct ReviewedChange<'a> {
    /// The reviewer.
    pub reviewer: &'a dyn StoryReviewer,
    /// The change, as a diff.
    pub diff: &'a str,
}

/// Adds the verdicts of the tiers before the browser on a file with this text; whether the browser may play it.
///
/// # Errors
/// The user stopped the run; a refusal is a verdict.
pub fn examine_file(
    ctx: &Ctx,
    file: &StoryFile,
    text: &str,
    reviewed: Option<ReviewedChange<'_>>,
    report: &mut WorldReport,
) -> Result<bool, WorldError> {
    report.verified(file);
    let Some(ReviewedChange { reviewer, diff }) = reviewed else { return Ok(true) };
    let refusal = if diff.len() > MOST_BYTES {
        Some(format!("the change has more than {MOST_BYTES} bytes"))
    } else if text.len() > MOST_BYTES {
        Some(format!("the file has more than {MOST_BYTES} bytes"))
    } else {
        reviewer.refusal(ctx, diff, text)?
    };
    let passed = refusal.is_none();
    let reason = refusal.unwrap_or_else(|| "no objection".to_owned());
    let detail = base::visible_line(&reason).chars().take(MOST_REASON).collect();
    let (file, tier) = (file.path.clone(), WorldTier::Review);
    report.tiers.push(TierVerdict { file, tier, passed, detail });
    Ok(passed)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Refuses a change with this text.
    #[derive(Debug)]
    struct Refuses(&'static str, AtomicUsize);

    impl StoryReviewer for Refuses {
        fn refusal(
            &self,
            _: &Ctx,
            change: &str,
            stories: &str,
        ) -> Result<Option<String>, Cancelled> {
            assert!(stories.contains("[[story]]"));
            self.1.fetch_add(1, Ordering::Relaxed);
            Ok(change.contains(self.0).then(|| format!("it has\n{}", self.0)))
        }
    }

    #[test]
    fn a_review_refuses_before_the_browser_and_is_shown_no_more_than_its_limit() {
        let text = "[[story]]\nname = 'a'\nhtml = '<p>a</p>'\n[[story.play]]\nexpect = { text = 'a' }\ncount = 1\n";
        let file = StoryFile::parse("stories/a.toml", text).unwrap();
        let reviewer = Refuses("skip", AtomicUsize::new(0));
        let ctx = testkit::ctx();
        let verdict = |diff: &str| {
            let mut report = WorldReport::default();
            let reviewed = Some(ReviewedChange { reviewer: &reviewer, diff });
            let passed = examine_file(&ctx, &file, text, reviewed, &mut report).unwrap();
            assert_eq!(report.tiers[0].tier, WorldTier::Static);
            (passed, report.tiers[1].detail.clone())
        };
        assert_eq!(verdict("+ if true { show }"), (true, "no objection".to_owned()));
        assert_eq!(verdict("+ skip"), (false, "it has\\u{a}skip".to_owned()));
        let large = verdict(&"x".repeat(MOST_BYTES + 1));
        assert_eq!(large, (false, "the change has more than 100000 bytes".to_owned()));
        assert_eq!(reviewer.1.load(Ordering::Relaxed), 2, "the reviewer is not asked about it");
        let mut report = WorldReport::default();
        assert!(examine_file(&ctx, &file, text, None, &mut report).unwrap());
        assert_eq!(report.tiers.len(), 1);
    }
}
