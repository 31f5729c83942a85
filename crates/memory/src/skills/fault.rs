//! Why a skill, its text or one of its files cannot be used.

use base::PathError;
use untrusted_fs::Fault;

/// Reason why a text is no skill, or a file of one cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum SkillFault {
    /// The text of the skill is not UTF-8.
    #[error("SKILL.md is not UTF-8")]
    TextNotUtf8,
    /// The text has no head.
    #[error("SKILL.md must start with YAML frontmatter (---)")]
    NoHead,
    /// The head has no end.
    #[error("SKILL.md frontmatter not properly closed with ---")]
    OpenHead,
    /// The head is no strict YAML.
    #[error("Invalid YAML in frontmatter: {0}")]
    Yaml(#[from] YamlFault),
    /// The head is a list or a scalar.
    #[error("SKILL.md frontmatter must be a YAML mapping")]
    NoMapping,
    /// The head has no description.
    #[error("it has no description")]
    NoDescription,
    /// A shipped skill has no file.
    #[error("it has no file")]
    NoFile,
    /// A shipped path is invalid.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The file cannot be read.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// There is no such file.
    #[error("it is missing")]
    Missing,
    /// The file is not the one that was trusted.
    #[error("it changed since the skill was trusted")]
    Changed,
    /// A file of the skill is not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
}

/// Reason why a head is no strict YAML.
#[derive(Debug, thiserror::Error)]
pub(super) enum YamlFault {
    /// The parser refuses the text.
    #[error("{0}")]
    Parser(#[from] saphyr_parser::ScanError),
    /// The parser has no more events.
    #[error("it ends early")]
    EndsEarly,
    /// A character that YAML excludes.
    #[error("character {0} is not allowed")]
    Character(usize),
    /// A tab outside of quotes and comments.
    #[error("character {0} is a tab")]
    Tab(usize),
    /// More than one document.
    #[error("it has a second document")]
    SecondDocument,
    /// A value that the strict form excludes.
    #[error("line {line}: {what}")]
    Value {
        /// Line, from 1.
        line: usize,
        /// What is wrong there.
        what: ValueFault,
    },
}

/// Reason why a value is no strict YAML.
#[derive(Debug, thiserror::Error)]
pub(super) enum ValueFault {
    /// Deeper than the limit.
    #[error("it is nested too deep")]
    TooDeep,
    /// An anchor, an alias or a tag.
    #[error("anchors, aliases and tags are not allowed")]
    Anchor,
    /// A key without a value.
    #[error("a value is missing")]
    Missing,
    /// A key that is a mapping or a list.
    #[error("a key is no text")]
    KeyNoText,
    /// A key of the same mapping twice.
    #[error("duplicate key '{0}' found")]
    DuplicateKey(String),
    /// Mappings of one mapping with other columns.
    #[error("mappings are not indented alike")]
    Indentation,
    /// A merge of something else.
    #[error("only mappings are merged")]
    Merge,
    /// Braces or brackets.
    #[error("flow style is not allowed")]
    Flow,
}

/// Reason why the files of a skill cannot be compared with those that were trusted.
#[derive(Debug, thiserror::Error)]
pub enum ContentsFault {
    /// The folder cannot be read.
    #[error(transparent)]
    Folder(#[from] Fault),
    /// A name of a file is not Unicode.
    #[error("a name in `{0}` is not Unicode")]
    NotUnicode(String),
    /// More files than the limit.
    #[error("it has more than {0} files")]
    TooMany(usize),
    /// An entry that cannot be trusted.
    #[error("`{path}`: {why}")]
    Entry {
        /// Path in the folder.
        path: String,
        /// The reason.
        why: EntryFault,
    },
}

/// Reason why an entry of a skill's folder cannot be trusted.
#[derive(Debug, thiserror::Error)]
pub enum EntryFault {
    /// It cannot be read.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// It was removed meanwhile.
    #[error("it is missing")]
    Missing,
    /// Deeper than the limit.
    #[error("it is nested too deep")]
    TooDeep,
    /// A symbolic link.
    #[error("it is a symbolic link")]
    Link,
    /// A device, socket or pipe.
    #[error("it is not a regular file")]
    Special,
}
