//! Features from the project's past, where whoever searches hands it in.

use super::{Candidate, Context, Part, Unit};

/// A feature that the past gives to files.
macro_rules! past {
    ($unit:ident, $name:literal, $says:literal, $part:expr, |$told:ident, $file:ident| $value:expr) => {
        pub(super) struct $unit;

        impl Unit for $unit {
            fn name(&self) -> &'static str {
                $name
            }
            fn says(&self) -> &'static str {
                $says
            }
            fn part(&self) -> Part {
                $part
            }
            fn is_relative(&self) -> bool {
                true
            }
            fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
                let ($told, $file) = (&context.told, candidate.file_number);
                $value.unwrap_or(0.0)
            }
        }
    };
}

past!(Recent, "recent", "its file changed lately, and often", Part::Rules, |told, file| told
    .past
    .map(|past| past.recent(file)));
past!(
    Alike,
    "past_alike",
    "commits that said the like changed its file",
    Part::Rules,
    |told, file| told.like.get(file).copied()
);
past!(
    Together,
    "past_together",
    "its file changed together with files of what ranks high",
    Part::Graph,
    |told, file| told.together.get(file).copied()
);
