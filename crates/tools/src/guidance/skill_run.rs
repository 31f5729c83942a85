//! [`skill_run`]: a script of a skill, in the sandbox on a view of the project that is removed
//! afterwards. The script reads the folder of its skill and nothing else of the user's.

use std::path::PathBuf;
use std::time::Duration;

use base::Ctx;
use memory::{Skill, SkillError, SkillFile, SkillScope};
use project::{ExitKind, Workspace, recorded};
use serde::Serialize;

use super::SkillPlaces;
use crate::files::{Confined, ExecOutput, SkillFolder, passable};
use crate::{Error, ToolError};

/// Longest time limit in seconds.
const LONGEST: u64 = 600;

/// Programs for scripts that are not executable, by extension.
const PROGRAMS: [(&str, &str); 4] =
    [("sh", "sh"), ("py", "python3"), ("js", "node"), ("mjs", "node")];

/// Result of `skills run`, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkillRun {
    /// Name of the skill.
    pub skill: String,
    /// Path of the script in the skill's folder.
    pub script: String,
    /// What it returned.
    #[serde(flatten)]
    pub output: ExecOutput,
}

/// Runs `script` of the skill `name`: its path in the skill's folder, or its name below `scripts`.
///
/// # Errors
/// No such skill or script, a skill that is not trusted, a script that no program runs, or a sandbox
/// that is not available. A script that fails is a result.
pub fn skill_run(
    ctx: &Ctx,
    workspace: &Workspace,
    places: &SkillPlaces,
    (name, script): (&str, &str),
    args: &[String],
    seconds: u64,
) -> Result<SkillRun, ToolError> {
    let skills = places.discover(ctx)?;
    let skill = skills.get(name).ok_or_else(|| SkillError::NoSkill { name: name.to_owned() });
    let skill = skill.map_err(Error::from)?;
    skill.trusted().map_err(Error::from)?;
    for (index, arg) in args.iter().enumerate() {
        passable(&format!("args[{index}]"), arg)?;
    }
    if !(1..=LONGEST).contains(&seconds) {
        let reason = format!("{seconds} seconds are not possible");
        return Err(ToolError::field("timeout", reason, format!("use 1 to {LONGEST}")));
    }
    let file = script_of(skill, script)?;
    let folder = folder(skill)?;
    let path = folder.join(file.path.as_str()).display().to_string();
    let (program, first) = match (file.is_executable, program(file)) {
        (true, _) => (path, None),
        (false, Some(program)) => (program.to_owned(), Some(path)),
        (false, None) => {
            let reason = format!("`{}` is not executable", file.path);
            let known = "make it executable, or name it *.sh, *.py or *.js";
            return Err(ToolError::field("script", reason, known));
        }
    };
    let confined = Confined {
        program,
        args: first.into_iter().chain(args.iter().cloned()).collect(),
        cwd: None,
        timeout: Duration::from_secs(seconds),
        beside: Some(SkillFolder { path: folder, skill: skill.clone() }),
    };
    let asked = serde_json::json!({ "skill": name, "script": file.path, "args": args });
    let run = || confined.run(ctx, workspace, "script");
    let result = |it: &ExecOutput| serde_json::json!({ "exit_code": it.exit_code });
    let output = recorded(ctx, workspace, "skills run", asked, run, result)?;
    Ok(SkillRun { skill: name.to_owned(), script: file.path.to_string(), output })
}

fn script_of<'s>(skill: &'s Skill, script: &str) -> Result<&'s SkillFile, ToolError> {
    let is_it = |it: &&SkillFile| {
        let path = it.path.as_str();
        path == script || path.strip_prefix("scripts/") == Some(script)
    };
    skill.scripts.iter().find(is_it).ok_or_else(|| {
        let all: Vec<&str> = skill.scripts.iter().map(|it| it.path.as_str()).collect();
        let fix = match all.as_slice() {
            [] => "the skill has no script".to_owned(),
            all => format!("its scripts: {}", all.join(", ")),
        };
        let reason = format!("the skill `{}` has no script `{script}`", skill.name);
        ToolError::new(ExitKind::No, reason, fix)
    })
}

fn program(script: &SkillFile) -> Option<&'static str> {
    let extension = script.path.extension()?;
    PROGRAMS.iter().find(|(known, _)| *known == extension).map(|(_, program)| *program)
}

/// The folder of a skill on disk, which no link leads out of.
fn folder(skill: &Skill) -> Result<PathBuf, ToolError> {
    let unusable = |reason: String| {
        let (name, path) = (skill.name.clone(), skill.folder.to_string());
        ToolError::from(Error::from(SkillError::File { name, path, reason }))
    };
    if skill.scope == SkillScope::Shipped {
        return Err(unusable("it is part of graftage".to_owned()));
    }
    let root = skill.root.canonicalize().map_err(|error| unusable(error.to_string()))?;
    let folder = skill.folder.join_to(&root);
    match folder.canonicalize() {
        Ok(real) if real == folder => Ok(folder),
        Ok(_) => Err(unusable("it is reached through a symbolic link".to_owned())),
        Err(error) => Err(unusable(error.to_string())),
    }
}
