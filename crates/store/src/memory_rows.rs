//! The rows about rules, skills and episodes: a projection of files of the project and of its record.

/// All rows about what is known before a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryRows {
    /// Files of rules; each path once.
    pub rules: Vec<RuleRow>,
    /// Links from them.
    pub rule_references: Vec<RuleReferenceRow>,
    /// Skills; each name once.
    pub skills: Vec<SkillRow>,
    /// Their references.
    pub skill_references: Vec<SkillReferenceRow>,
    /// Finished runs, proposals and learned edits; each id once.
    pub episodes: Vec<EpisodeRow>,
}

/// One row of `rules`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleRow {
    /// The file.
    pub path: String,
    /// `root`, `reference`, `nested`.
    pub tier: &'static str,
    /// The hash of its text, by which it is refreshed.
    pub content_hash: String,
    /// Its text.
    pub content: String,
    /// When it was modified, in microseconds, as it was when its text was read.
    pub mtime: Option<u64>,
}

/// One row of `rule_references`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleReferenceRow {
    /// The file with the link.
    pub source_path: String,
    /// The number of the link in its file, from 0.
    pub ordinal: u64,
    /// The text of the link.
    pub display_text: String,
    /// The destination as it is written.
    pub relative_path: String,
    /// The file that it leads to; `None`: none that can be used.
    pub absolute_path: Option<String>,
    /// The line, from 1.
    pub line_number: u64,
}

/// One row of `skills`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillRow {
    /// The name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// `project`, `user`.
    pub scope: &'static str,
    /// Whether it may be used.
    pub is_trusted: bool,
    /// Its `SKILL.md`.
    pub path: String,
    /// The hash of that file.
    pub content_hash: String,
}

/// One row of `skill_references`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillReferenceRow {
    /// The skill.
    pub skill: String,
    /// The number of the reference, from 0.
    pub ordinal: u64,
    /// The path in the folder of the skill.
    pub path: String,
    /// The text of a link to it.
    pub title: Option<String>,
}

/// One row of `episodes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpisodeRow {
    /// The id.
    pub id: String,
    /// `episode`, `skill`.
    pub kind: &'static str,
    /// What was done.
    pub command: String,
    /// How it ended.
    pub outcome: String,
    /// It in one line.
    pub title: String,
    /// The errors of the tree before, code and message.
    pub errors: Vec<String>,
    /// The rules or the author.
    pub by: Vec<String>,
    /// The items as `FILE: PATH`.
    pub items: Vec<String>,
    /// The files.
    pub files: Vec<String>,
    /// The hash of the change.
    pub patch_set: Option<String>,
    /// The change in the undo journal.
    pub change: Option<String>,
    /// The number of verified candidates; of a skill, of the places where it was proven.
    pub candidates: u64,
    /// The tokens of language models.
    pub tokens: u64,
    /// The cost in millionths of a dollar.
    pub micro_dollars: u64,
    /// The duration in milliseconds.
    pub wall_ms: u64,
    /// When it ended, in microseconds.
    pub at: u64,
}
