//! Plans as text: an indented tree with the status of each node, for a model's context and for people.

use std::fmt::Write;

use super::{Relation, RelationStatus, Relations};
use base::SortedSet;

/// Maximum number of lines of a tree; the rest is counted.
const MOST_LINES: usize = 1000;
/// Maximum length of a description, in characters.
const LONGEST_DESCRIPTION: usize = 400;
/// Maximum depth that is indented; deeper nodes have the same indentation.
const DEEPEST: usize = 40;

impl Relations {
    /// The relations `ids` and their descendants as an indented tree; no ids: all from the roots.
    ///
    /// Each node is one line: its status in brackets, its id, its description, and the field `note` if it
    /// has one, whose line breaks and control characters are replaced, so that it cannot imitate another node. A node with several
    /// parents is expanded once and marked where it is repeated. Unknown ids are left out.
    pub fn to_context(&self, ids: &[&str]) -> String {
        let mut starts: Vec<&Relation> = match ids {
            [] => self.roots(),
            ids => ids.iter().filter_map(|id| self.get(id)).collect(),
        };
        starts.reverse();
        let mut open: Vec<(&Relation, usize)> = starts.into_iter().map(|it| (it, 0)).collect();
        let mut printed = SortedSet::new();
        let mut text = String::new();
        let mut lines = 0;
        while let Some((relation, depth)) = open.pop() {
            if lines == MOST_LINES {
                let _ = writeln!(text, "… {} more", base::counted(open.len() + 1, "branch"));
                break;
            }
            lines += 1;
            let is_first = printed.insert(relation.id.as_str());
            let children = self.children(&relation.id);
            line(&mut text, relation, depth, !is_first && !children.is_empty());
            if is_first {
                open.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
            }
        }
        text
    }
}

fn line(text: &mut String, relation: &Relation, depth: usize, is_repeated: bool) {
    let mark = match relation.context.status {
        None => "-",
        Some(RelationStatus::Pending) => "[ ]",
        Some(RelationStatus::InProgress) => "[~]",
        Some(RelationStatus::Done) => "[x]",
        Some(RelationStatus::Failed) => "[!]",
    };
    let indent = "  ".repeat(depth.min(DEEPEST));
    let _ = write!(text, "{indent}{mark} {}", relation.id);
    let description = one_line(&relation.context.description);
    if !description.is_empty() {
        text.push_str(": ");
        text.extend(description.chars().take(LONGEST_DESCRIPTION));
    }
    let note = relation.context.fields.get("note").and_then(serde_json::Value::as_str);
    if let Some(note) = note.map(one_line).filter(|note| !note.is_empty()) {
        text.push_str(" (");
        text.extend(note.chars().take(LONGEST_DESCRIPTION));
        text.push(')');
    }
    text.push_str(if is_repeated { " (steps above)\n" } else { "\n" });
}

/// The words of a text on one line.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
