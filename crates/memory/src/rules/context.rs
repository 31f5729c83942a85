//! [`PathRules`]: rules as text for a model, within a budget and with their provenance.

use std::fmt::Write;

use base::{ContentHash, ProjectPath};

use super::Refused;

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleTier {
    /// The rules of the root.
    Root,
    /// A file that the rules link to.
    Reference,
    /// The rules of a folder below the root.
    Nested,
}

/// The text of one file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleText {
    /// File.
    pub path: ProjectPath,
    /// RuleTier of the file.
    pub tier: RuleTier,
    /// Hash of the file.
    pub hash: ContentHash,
    /// Text, cut at the end of a line where the budget is exceeded.
    pub content: String,
    /// Number of bytes that were cut.
    pub left_out: usize,
}

/// The rules for a path, from the root to the nearest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathRules {
    /// Rules; the nearest, which has precedence, is last.
    pub rules: Vec<RuleText>,
    /// Files that were refused, and are not used.
    pub refused: Vec<Refused>,
}

impl PathRules {
    /// The same rules cut to a budget in bytes. Each has an equal share; what a short one does not need
    /// is shared by the others.
    #[must_use]
    pub fn within(mut self, budget: usize) -> Self {
        let mut shortest: Vec<usize> = (0..self.rules.len()).collect();
        shortest.sort_by_key(|at| self.rules[*at].content.len());
        let mut left = budget;
        for (done, at) in shortest.iter().enumerate() {
            let share = left / (shortest.len() - done);
            let text = &mut self.rules[*at];
            let length = text.content.len();
            left -= share.min(length);
            if share < length {
                let kept = cut(&text.content, share);
                text.left_out += length - kept;
                text.content.truncate(kept);
            }
        }
        self
    }

    /// All rules as one text. The mark around each file has the hash of its content, which the content
    /// cannot contain: no file can end its own part and imitate another.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for rule in &self.rules {
            let mark = rule.hash.short();
            let _ = writeln!(text, "<rules file=\"{}\" mark=\"{mark}\">", shown(&rule.path));
            text.push_str(rule.content.trim_end());
            text.push('\n');
            if rule.left_out > 0 {
                let _ = writeln!(text, "[{} bytes left out]", rule.left_out);
            }
            let _ = writeln!(text, "</rules {mark}>");
        }
        text
    }
}

/// The length of the text up to the last end of a line within `most` bytes.
fn cut(text: &str, most: usize) -> usize {
    let end = text.floor_char_boundary(most);
    text[..end].rfind('\n').map_or(end, |at| at + 1)
}

/// A path without characters that end the mark.
fn shown(path: &ProjectPath) -> String {
    path.as_str().replace(|c: char| c.is_control() || matches!(c, '"' | '<' | '>'), "?")
}
