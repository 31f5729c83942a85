//! Features from the project's past, where whoever searches hands it in.

use super::{Candidate, Context, Part, Unit};

relative!(Recent, "recent", "its file changed lately, and often", Part::Rules, |context, item| {
    context.told.past.map(|past| past.recent(item.file_number))
});
relative!(
    Alike,
    "past_alike",
    "commits that said the like changed its file",
    Part::Rules,
    |context, item| context.told.like.get(item.file_number).copied()
);
relative!(
    Together,
    "past_together",
    "its file changed together with files of what ranks high",
    Part::Graph,
    |context, item| context.told.together.get(item.file_number).copied()
);
