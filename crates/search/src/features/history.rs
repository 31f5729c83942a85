//! Features from the commit history, if the caller provides it.

use super::{Candidate, Context, FeatureGroup, Unit};

relative!(
    Recent,
    "recent",
    "its file changed recently and often",
    FeatureGroup::Rules,
    |context, item| { context.history.past.map(|past| past.recent(item.file_number)) }
);
relative!(
    Alike,
    "past_alike",
    "commits with similar messages changed its file",
    FeatureGroup::Rules,
    |context, item| context.history.like.get(item.file_number).copied()
);
relative!(
    Together,
    "past_together",
    "its file changed together with files of high-ranking items",
    FeatureGroup::Graph,
    |context, item| context.history.together.get(item.file_number).copied()
);
