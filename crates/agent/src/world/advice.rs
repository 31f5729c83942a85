//! rust-analyzer's proposals, recorded or from a record.

use base::{ByteSpan, ProjectPath};
use edit::Splice;
use repair::{Advice, Advisor, Overlaid};
use serde::{Deserialize, Serialize};

use super::Tape;
use crate::trace::Question;

/// An advisor whose answers are recorded.
pub(crate) struct TapedAdvisor {
    tape: Tape,
    /// `None`: only recorded answers.
    live: Option<Box<dyn Advisor>>,
}

impl TapedAdvisor {
    pub(crate) fn new(tape: Tape, live: Option<Box<dyn Advisor>>) -> Self {
        Self { tape, live }
    }
}

/// [`Advice`] as a trace keeps it.
#[derive(Serialize, Deserialize)]
struct AdviceRecord {
    title: String,
    /// File, start and end of the replaced bytes, and the text in their place.
    splices: Vec<(ProjectPath, usize, usize, String)>,
}

impl AdviceRecord {
    fn of(advice: &Advice) -> Self {
        let splice = |(path, it): &(ProjectPath, Splice)| {
            (path.clone(), it.span.start, it.span.end, it.insert.clone())
        };
        Self { title: advice.title.clone(), splices: advice.splices.iter().map(splice).collect() }
    }

    fn restored(self) -> Advice {
        let splice =
            |(path, start, end, insert)| (path, Splice { span: ByteSpan { start, end }, insert });
        Advice { title: self.title, splices: self.splices.into_iter().map(splice).collect() }
    }
}

impl Advisor for TapedAdvisor {
    fn advise(&self, places: &[(ProjectPath, ByteSpan)], files: &Overlaid<'_>) -> Vec<Vec<Advice>> {
        let question =
            Question::Advice { patch_set: files.overlay.patch_set(), places: places.to_vec() };
        let live = self.live.as_ref().map(|it| || Ok(it.advise(places, files)));
        let stored = |found: &Vec<Vec<Advice>>| -> Vec<Vec<AdviceRecord>> {
            found.iter().map(|it| it.iter().map(AdviceRecord::of).collect()).collect()
        };
        let restored = |found: Vec<Vec<AdviceRecord>>| {
            found
                .into_iter()
                .map(|it| it.into_iter().map(AdviceRecord::restored).collect())
                .collect()
        };
        // A record without the answer ends a replay at the next check.
        self.tape.ask_as(question, live, stored, restored).unwrap_or_default()
    }
}
