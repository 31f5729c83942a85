//! The relations about rules, skills and episodes.

use cozo::DataValue;

use super::encode::{int, maybe, maybe_int, text};
use super::schema::Relation;
use crate::MemoryRows;

pub(super) const RULES: Relation = Relation {
    name: "rules",
    keys: &[("path", "String")],
    values: &[
        ("tier", "String"),
        ("content_hash", "String"),
        ("content", "String"),
        ("mtime", "Int?"),
    ],
};

pub(super) const RULE_REFERENCES: Relation = Relation {
    name: "rule_references",
    keys: &[("source_path", "String"), ("ordinal", "Int")],
    values: &[
        ("display_text", "String"),
        ("relative_path", "String"),
        ("absolute_path", "String?"),
        ("line_number", "Int"),
    ],
};

pub(super) const SKILLS: Relation = Relation {
    name: "skills",
    keys: &[("name", "String")],
    values: &[
        ("description", "String"),
        ("scope", "String"),
        ("trusted", "Bool"),
        ("path", "String"),
        ("content_hash", "String"),
    ],
};

pub(super) const SKILL_REFERENCES: Relation = Relation {
    name: "skill_references",
    keys: &[("skill", "String"), ("ordinal", "Int")],
    values: &[("path", "String"), ("title", "String?")],
};

pub(super) const EPISODES: Relation = Relation {
    name: "episodes",
    keys: &[("id", "String")],
    values: &[
        ("kind", "String"),
        ("command", "String"),
        ("outcome", "String"),
        ("title", "String"),
        ("errors", "[String]"),
        ("by", "[String]"),
        ("items", "[String]"),
        ("files", "[String]"),
        ("patch_set", "String?"),
        ("change", "String?"),
        ("candidates", "Int"),
        ("tokens", "Int"),
        ("micro_dollars", "Int"),
        ("wall_ms", "Int"),
        ("at", "Int"),
    ],
};

/// The rows of each relation.
pub(super) fn rows(of: &MemoryRows) -> [(&'static Relation, Vec<Vec<DataValue>>); 5] {
    let rule = |it: &crate::RuleRow| {
        let mtime = it.mtime.map(|micros| i64::try_from(micros).unwrap_or(i64::MAX));
        vec![
            text(&it.path),
            text(it.tier),
            text(&it.content_hash),
            text(&it.content),
            maybe_int(mtime),
        ]
    };
    let reference = |it: &crate::RuleReferenceRow| {
        vec![
            text(&it.source_path),
            int(it.ordinal),
            text(&it.display_text),
            text(&it.relative_path),
            maybe(it.absolute_path.as_deref()),
            int(it.line_number),
        ]
    };
    let skill = |it: &crate::SkillRow| {
        vec![
            text(&it.name),
            text(&it.description),
            text(it.scope),
            DataValue::from(it.is_trusted),
            text(&it.path),
            text(&it.content_hash),
        ]
    };
    let skill_reference = |it: &crate::SkillReferenceRow| {
        vec![text(&it.skill), int(it.ordinal), text(&it.path), maybe(it.title.as_deref())]
    };
    [
        (&RULES, of.rules.iter().map(rule).collect()),
        (&RULE_REFERENCES, of.rule_references.iter().map(reference).collect()),
        (&SKILLS, of.skills.iter().map(skill).collect()),
        (&SKILL_REFERENCES, of.skill_references.iter().map(skill_reference).collect()),
        (&EPISODES, of.episodes.iter().map(episode).collect()),
    ]
}

fn episode(it: &crate::EpisodeRow) -> Vec<DataValue> {
    let list = |texts: &[String]| DataValue::List(texts.iter().map(|it| text(it)).collect());
    vec![
        text(&it.id),
        text(it.kind),
        text(&it.command),
        text(&it.outcome),
        text(&it.title),
        list(&it.errors),
        list(&it.by),
        list(&it.items),
        list(&it.files),
        maybe(it.patch_set.as_deref()),
        maybe(it.change.as_deref()),
        int(it.candidates),
        int(it.tokens),
        int(it.micro_dollars),
        int(it.wall_ms),
        int(it.at),
    ]
}
