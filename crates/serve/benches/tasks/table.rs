//! The table of a run.

use std::time::Duration;

use crate::shell_agent::Width;
use crate::task::{Ask, Split};
use base::SortedMap;

/// Figures of one agent on one task.
pub(crate) struct Run {
    pub(crate) tokens: usize,
    pub(crate) calls: usize,
    pub(crate) wall: Duration,
    pub(crate) right: bool,
}

/// Both agents on one task.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) kind: Ask,
    pub(crate) split: Split,
    pub(crate) shell: SortedMap<Width, Run>,
    pub(crate) graftage: Run,
}

fn yes(right: bool) -> &'static str {
    if right { "yes" } else { "no" }
}

/// One row for the terminal, with all variants.
pub(crate) fn line(row: &Row) -> String {
    let run = |name: String, it: &Run| {
        format!("{name} {} {} ({} calls, {:.0?})", it.tokens, yes(it.right), it.calls, it.wall)
    };
    let mut parts: Vec<String> =
        row.shell.iter().map(|(width, it)| run(format!("{width:?}").to_lowercase(), it)).collect();
    parts.push(run("graftage".to_owned(), &row.graftage));
    format!("{}: {}", row.id, parts.join("; "))
}

/// The variant of the shell agent that is best for a kind: most right answers, then fewest tokens.
fn best(rows: &[&Row]) -> Option<Width> {
    let variants = rows.first()?.shell.keys().copied();
    let rank = |width: &Width| {
        let runs = || rows.iter().filter_map(|row| row.shell.get(width));
        let right = runs().filter(|it| it.right).count();
        (std::cmp::Reverse(right), runs().map(|it| it.tokens).sum::<usize>())
    };
    variants.min_by_key(rank)
}

/// The table by task, by kind, and the sums.
pub(crate) fn markdown(rows: &[Row], (shell_list, graftage_list): (usize, usize)) -> String {
    let mut text = String::from(
        "| task | part | peer | tokens: peer | graftage | ratio | right: peer | graftage | calls | s |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut pairs: Vec<(&Row, &Run)> = Vec::new();
    for kind in Ask::ALL {
        let of_kind: Vec<&Row> = rows.iter().filter(|row| row.kind == kind).collect();
        let Some(width) = best(&of_kind) else { continue };
        for row in of_kind {
            let Some(peer) = row.shell.get(&width) else { continue };
            text.push_str(&task_line(row, width, peer));
            pairs.push((row, peer));
        }
    }
    text.push_str("\n| kind | tasks | right: peer | graftage | tokens: peer | graftage | ratio |\n|---|---|---|---|---|---|---|\n");
    for kind in Ask::ALL {
        let of_kind: Vec<_> = pairs.iter().filter(|(row, _)| row.kind == kind).copied().collect();
        if !of_kind.is_empty() {
            text.push_str(&sum_line(&kind.name(), &of_kind));
        }
    }
    text.push_str(&sum_line("all", &pairs));
    let both: Vec<_> =
        pairs.iter().filter(|(row, peer)| row.graftage.right && peer.right).copied().collect();
    text.push_str(&sum_line("both right", &both));
    text.push_str(&format!(
        "\nTool descriptions, once a session, in tokens: {shell_list} for grep, read, edit and bash; {graftage_list} \
         more for graftage's tools (name, description, input).\nMedian ratio where both are right: {:.2}.\n",
        median(both.iter().map(|(row, peer)| ratio(row.graftage.tokens, peer.tokens)).collect())
    ));
    text
}

fn task_line(row: &Row, width: Width, peer: &Run) -> String {
    let own = &row.graftage;
    format!(
        "| {} | {} | {} | {} | {} | {:.2} | {} | {} | {}, {} | {:.0}, {:.0} |\n",
        row.id,
        format!("{:?}", row.split).to_lowercase(),
        format!("{width:?}").to_lowercase(),
        peer.tokens,
        own.tokens,
        ratio(own.tokens, peer.tokens),
        yes(peer.right),
        yes(own.right),
        peer.calls,
        own.calls,
        peer.wall.as_secs_f64(),
        own.wall.as_secs_f64(),
    )
}

fn sum_line(name: &str, pairs: &[(&Row, &Run)]) -> String {
    let peer: usize = pairs.iter().map(|(_, peer)| peer.tokens).sum();
    let own: usize = pairs.iter().map(|(row, _)| row.graftage.tokens).sum();
    let right = |is: &dyn Fn(&(&Row, &Run)) -> bool| pairs.iter().filter(|it| is(it)).count();
    format!(
        "| {name} | {} | {} | {} | {peer} | {own} | {:.2} |\n",
        pairs.len(),
        right(&|(_, peer)| peer.right),
        right(&|(row, _)| row.graftage.right),
        ratio(own, peer),
    )
}

#[allow(clippy::cast_precision_loss, reason = "numbers of tokens are small")]
fn ratio(own: usize, peer: usize) -> f64 {
    own as f64 / peer.max(1) as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
