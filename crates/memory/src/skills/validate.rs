//! Strict validation of a skill: the verdicts and messages of the reference validator of AgentSkills
//! (`skills-ref` 0.1.1), except for the wording of errors in the YAML.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::fault::SkillFault;
use super::yaml::{self, Yaml};

/// Maximum length of a name, in characters.
pub(super) const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1024;
const LONGEST_COMPATIBILITY: usize = 500;

/// The fields of a head.
const FIELDS: [&str; 6] =
    ["allowed-tools", "compatibility", "description", "license", "metadata", "name"];

/// The head and the body of a `SKILL.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkillText {
    /// Fields of the head, in their order.
    pub head: Vec<(String, Yaml)>,
    /// Text after the head.
    pub body: String,
}

impl SkillText {
    /// Splits a text into head and body, and parses the head.
    ///
    /// # Errors
    /// A text without a head, or with one that is no mapping of strict YAML.
    pub(crate) fn parse(text: &str) -> Result<Self, SkillFault> {
        let (head, body) = split(text)?;
        Self::of(&head, &body)
    }

    pub(super) fn of(head: &str, body: &str) -> Result<Self, SkillFault> {
        match yaml::parse(head)? {
            Yaml::Map(head) => Ok(Self { head, body: trimmed(body).to_owned() }),
            _ => Err(SkillFault::NoMapping),
        }
    }

    /// A field of the head.
    pub(crate) fn field(&self, name: &str) -> Option<&Yaml> {
        self.head.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }
}

/// The head and the body of a text, as the reference splits them: at the first two `---`.
pub(super) fn split(text: &str) -> Result<(String, String), SkillFault> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let rest = text.strip_prefix("---");
    let rest = rest.ok_or(SkillFault::NoHead)?;
    let parts = rest.split_once("---");
    let (head, body) = parts.ok_or(SkillFault::OpenHead)?;
    Ok((head.to_owned(), body.to_owned()))
}

/// Validates a `SKILL.md` in a folder of this name: every problem, none for a valid skill.
pub fn validate_skill(text: &[u8], folder: &str) -> Vec<String> {
    let Ok(text) = std::str::from_utf8(text) else {
        return vec![SkillFault::TextNotUtf8.to_string()];
    };
    match SkillText::parse(text) {
        Ok(skill) => problems(&skill, folder),
        Err(fault) => vec![fault.to_string()],
    }
}

pub(super) fn problems(skill: &SkillText, folder: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let keys = skill.head.iter().map(|(key, _)| key.as_str());
    let mut unexpected: Vec<&str> = keys.filter(|key| !FIELDS.contains(key)).collect();
    if !unexpected.is_empty() {
        unexpected.sort_unstable();
        let allowed = FIELDS.map(|field| format!("'{field}'")).join(", ");
        let unexpected = unexpected.join(", ");
        problems.push(format!(
            "Unexpected fields in frontmatter: {unexpected}. Only [{allowed}] are allowed."
        ));
    }
    match skill.field("name") {
        None => problems.push("Missing required field in frontmatter: name".to_owned()),
        Some(name) => name_problems(name, folder, &mut problems),
    }
    match skill.field("description").map(|it| it.text().filter(|it| !trimmed(it).is_empty())) {
        None => problems.push("Missing required field in frontmatter: description".to_owned()),
        Some(None) => problems.push("Field 'description' must be a non-empty string".to_owned()),
        Some(Some(text)) => too_long("Description", text, LONGEST_DESCRIPTION, &mut problems),
    }
    match skill.field("compatibility").map(Yaml::text) {
        None => {}
        Some(None) => problems.push("Field 'compatibility' must be a string".to_owned()),
        Some(Some(text)) => too_long("Compatibility", text, LONGEST_COMPATIBILITY, &mut problems),
    }
    problems
}

fn name_problems(name: &Yaml, folder: &str, problems: &mut Vec<String>) {
    let Some(name) = name.text().map(trimmed).filter(|name| !name.is_empty()) else {
        problems.push("Field 'name' must be a non-empty string".to_owned());
        return;
    };
    let name: String = name.nfkc().collect();
    let subject = format!("Skill name '{name}'");
    too_long(&subject, &name, LONGEST_NAME, problems);
    if name != name.to_lowercase() {
        problems.push(format!("{subject} must be lowercase"));
    }
    if name.starts_with('-') || name.ends_with('-') {
        problems.push("Skill name cannot start or end with a hyphen".to_owned());
    }
    if name.contains("--") {
        problems.push("Skill name cannot contain consecutive hyphens".to_owned());
    }
    if !name.chars().all(|c| c == '-' || is_alphanumeric(c)) {
        problems.push(format!(
            "{subject} contains invalid characters. Only letters, digits, and hyphens are allowed."
        ));
    }
    if folder.nfkc().collect::<String>() != name {
        problems.push(format!("Directory name '{folder}' must match skill name '{name}'"));
    }
}

fn too_long(subject: &str, text: &str, limit: usize, problems: &mut Vec<String>) {
    let length = text.chars().count();
    if length > limit {
        problems.push(format!("{subject} exceeds {limit} character limit ({length} chars)"));
    }
}

/// Whether a character is a letter or a number; marks that belong to letters are neither.
fn is_alphanumeric(c: char) -> bool {
    use GeneralCategory as G;
    matches!(
        c.general_category(),
        G::UppercaseLetter
            | G::LowercaseLetter
            | G::TitlecaseLetter
            | G::ModifierLetter
            | G::OtherLetter
            | G::DecimalNumber
            | G::LetterNumber
            | G::OtherNumber
    )
}

/// Without white space at both ends, which the reference takes to include four control characters.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}'))
}
