//! Texts that the interface in lines prints: rows of a change, and answers.

use crate::diff_view::{DiffView, LineKind, LineRow, Row};

/// A row of a change as text.
pub(super) fn plain_row(view: &DiffView, row: &Row) -> String {
    let line = |it: &LineRow| {
        let sign = match it.kind {
            LineKind::Context => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
        };
        let number = it.new.or(it.old).map_or(0, |it| it + 1);
        format!("{number:>5} {sign} {}", view.side(*it).0)
    };
    match row {
        Row::File(file) => view.files.get(*file).map_or_else(String::new, |it| {
            let act = if it.act.is_empty() { String::new() } else { format!(" ({})", it.act) };
            format!("{}{act} +{} -{}", it.path, it.added, it.removed)
        }),
        Row::Gap(count) => format!("    … {}", base::counted(*count, "unchanged line")),
        Row::Line(it) => line(it),
        Row::Pair(old, new) => new.as_ref().or(old.as_ref()).map_or_else(String::new, line),
        Row::Diagnostic(severity, text) => format!("      ^ {severity:?}: {text}").to_lowercase(),
        Row::Heading(text) | Row::Why(text) => text.clone(),
    }
}

/// An answer as lines; rows have numbers.
pub(super) fn listed(answer: &agent::front::InquiryAnswer) -> String {
    use agent::front::InquiryAnswer as A;
    let mut text = String::new();
    match answer {
        A::Hits(query, found) => {
            text.push_str(&format!("{} for {query}\n", base::counted(found.hits.len(), "hit")));
            for hit in &found.hits {
                let file = hit.file.as_deref().unwrap_or_default();
                let line = hit.start_line.unwrap_or_default();
                text.push_str(&format!(
                    "{:>3}. {} {}  {file}:{line}\n",
                    hit.rank,
                    hit.kind.as_str(),
                    hit.canon
                ));
            }
        }
        A::Proposals(rows) => {
            text.push_str(&format!("{}\n", base::counted(rows.len(), "proposal")));
            for (number, card) in rows.iter().enumerate() {
                let line =
                    format!("{:>3}. {} {} {}\n", number + 1, card.id, card.state, card.summary);
                text.push_str(&line);
            }
        }
        A::History(rows) => {
            text.push_str(&format!("{}\n", base::counted(rows.len(), "written change")));
            for (number, (id, is_applied, summary)) in rows.iter().enumerate() {
                let word = if *is_applied { "applied" } else { "undone" };
                text.push_str(&format!("{:>3}. {id} {word} {summary}\n", number + 1));
            }
        }
        A::Text(title, lines) => {
            text.push_str(&format!("{title}\n"));
            let mut number = 0;
            for line in lines {
                // What leads on has a number for `follow`.
                let mark = match line.opens {
                    Some(_) => {
                        number += 1;
                        format!("{number:>3}. ")
                    }
                    None => "  ".to_owned(),
                };
                text.push_str(&format!("{mark}{}\n", line.text));
            }
        }
    }
    text
}
