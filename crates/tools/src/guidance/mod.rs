//! What holds where a change is made: the rules of the place, skills, plans.

mod plans;
mod rules;
mod skill_run;
mod skills;
mod trusted_skills;

use std::path::{Path, PathBuf};

pub(crate) use rules::rules_for_agents;

pub use plans::{PlanAnswer, PlanNode, Plans, StoredPlan, StoredStep, plan_id};
pub use rules::{
    BrokenLink, ReferenceCard, RefusedRule, RuleCard, RulesAnswer, RulesList, RulesRequest, rules,
    rules_list,
};
pub use skill_run::{SkillRun, skill_run};
pub use skills::{
    ReferenceTitle, ScoredSkill, SkillCard, SkillPlaces, SkillShown, SkillVerdict, SkillsFound,
    SkillsList, SkippedCard, skill_show, skill_validate, skills_list, skills_search, trust_skills,
};

/// The root of the repository that contains the project, which is that of its rules and skills; without
/// one, the project's own root.
fn repository_root(project: &Path) -> PathBuf {
    let has_git = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
    project.ancestors().find(has_git).unwrap_or(project).to_path_buf()
}
