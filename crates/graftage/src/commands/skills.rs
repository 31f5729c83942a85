//! `skills`: instructions, references and scripts for a purpose.

use std::fmt::Write as _;
use std::path::PathBuf;

use tools::{SkillCard, SkillShown, SkillVerdict};

use crate::args_guidance::Skills;
use crate::exit::{Failure, Status};
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: &Skills) -> Result<Status, Failure> {
    match command {
        Skills::List => list(session),
        Skills::Show { name, reference } => show(session, name, reference.as_deref()),
        Skills::Search { text, k } => search(session, text, *k),
        Skills::Validate { paths } => validate(session, paths),
        Skills::Run { name, script, timeout, args } => {
            run_script(session, (name, script), args, *timeout)
        }
        Skills::Trust => trust(session),
    }
}

fn list(session: &Session) -> Result<Status, Failure> {
    let answer = tools::skills_list(&session.ctx, &session.skill_places()?)?;
    if session.global.json {
        output::json(&answer)?;
        return Ok(Status::Done);
    }
    let mut text = String::new();
    for skill in &answer.skills {
        let _ = writeln!(text, "{}", headline(skill));
        let _ = writeln!(text, "  {}", output::brief(&skill.description));
        for warning in &skill.warnings {
            let _ = writeln!(text, "  {}: {}", paint(WARN, "warning"), output::brief(warning));
        }
    }
    for it in &answer.skipped {
        let (path, reason) = (output::safe(&it.path), output::brief(&it.reason));
        let _ = writeln!(text, "{}: {path}: {reason}", paint(WARN, "skipped"));
    }
    if answer.skills.iter().any(|it| !it.trusted) {
        text.push_str("`graftage skills trust` lets the skills of this project be read and run\n");
    }
    output::say(&text)?;
    Ok(Status::Done)
}

fn show(session: &Session, name: &str, reference: Option<&str>) -> Result<Status, Failure> {
    let shown = tools::skill_show(&session.ctx, &session.skill_places()?, name, reference)?;
    if session.global.json {
        output::json(&shown)?;
        return Ok(Status::Done);
    }
    let mut text = output::safe(&shown.text);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if reference.is_none() {
        text.push_str(&files(&shown));
    }
    output::say(&text)?;
    Ok(Status::Done)
}

/// What else a skill has, with the command for each.
fn files(shown: &SkillShown) -> String {
    let mut text = String::new();
    for it in &shown.reference_titles {
        let title =
            it.title.as_ref().map_or_else(String::new, |it| format!("  {}", output::brief(it)));
        let file = output::safe(it.file.as_str());
        let _ = writeln!(text, "{}: {file}{title}", paint(DIM, "reference"));
    }
    let rows = [("script", &shown.skill.scripts), ("asset", &shown.skill.assets)];
    for (kind, files) in rows {
        for file in files {
            let _ = writeln!(text, "{}: {}", paint(DIM, kind), output::safe(file.as_str()));
        }
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

fn search(session: &Session, intent: &str, limit: usize) -> Result<Status, Failure> {
    let found = tools::skills_search(&session.ctx, &session.skill_places()?, intent, limit)?;
    let status = if found.hits.is_empty() { Status::No } else { Status::Done };
    if session.global.json {
        output::json(&found)?;
        return Ok(status);
    }
    let mut text = String::new();
    for hit in &found.hits {
        let _ = writeln!(text, "{}", headline(&hit.skill));
        let _ = writeln!(text, "  {}", output::brief(&hit.skill.description));
    }
    if found.hits.is_empty() {
        text.push_str("no skill fits\n");
    }
    if found.untrusted > 0 {
        let count = base::counted(found.untrusted, "skill");
        let _ = writeln!(
            text,
            "{}: {count} of this project not searched: `graftage skills trust` trusts them",
            paint(WARN, "note")
        );
    }
    output::say(&text)?;
    Ok(status)
}

fn validate(session: &Session, paths: &[PathBuf]) -> Result<Status, Failure> {
    let verdicts: Vec<SkillVerdict> =
        paths.iter().map(|path| tools::skill_validate(path)).collect();
    let is_valid = verdicts.iter().all(|it| it.valid);
    let status = if is_valid { Status::Done } else { Status::No };
    if session.global.json {
        output::json(&serde_json::json!({ "skills": verdicts }))?;
        return Ok(status);
    }
    let mut text = String::new();
    for verdict in &verdicts {
        let mark = if verdict.valid { paint(GOOD, "valid") } else { paint(BAD, "not valid") };
        let _ = writeln!(text, "{mark}: {}", output::safe(&verdict.path));
        for problem in &verdict.problems {
            let _ = writeln!(text, "  - {}", output::brief(problem));
        }
    }
    output::say(&text)?;
    Ok(status)
}

fn run_script(
    session: &Session,
    script: (&str, &str),
    args: &[String],
    seconds: u64,
) -> Result<Status, Failure> {
    let (places, workspace) = (session.skill_places()?, session.map_workspace()?);
    let ran = tools::skill_run(&session.ctx, &workspace, &places, script, args, seconds)?;
    session.bar.clear();
    let status = if ran.output.exit_code == 0 { Status::Done } else { Status::No };
    if session.global.json {
        output::json(&ran)?;
        return Ok(status);
    }
    let out = &ran.output;
    if !out.stdout.is_empty() {
        output::say(&output::safe(&out.stdout))?;
    }
    if !out.stderr.is_empty() {
        output::note(output::safe(&out.stderr).trim_end());
    }
    if out.timed_out {
        output::note(&format!("{}: stopped after {seconds} s", paint(WARN, "note")));
    } else if out.exit_code != 0 {
        output::note(&format!("{}: exit status {}", paint(WARN, "note"), out.exit_code));
    }
    Ok(status)
}

fn trust(session: &Session) -> Result<Status, Failure> {
    let places = session.skill_places()?;
    if places.repository().is_none() {
        return Err(Failure::input(
            "there is no project here",
            "run inside a project, or pass its directory with `-C DIR`",
        ));
    }
    let file = &session.surroundings.config_file;
    let (folder, skills) = tools::trust_skills(&session.ctx, &places, file)?;
    if session.global.json {
        output::json(&serde_json::json!({ "trusted": folder, "skills": skills }))?;
    } else {
        let (folder, file) = (folder.display().to_string(), file.display().to_string());
        output::say(&format!(
            "the skills of {} are trusted as they are now (`trust.skills` in {}): {}\n",
            output::safe(&folder),
            output::safe(&file),
            output::safe(&skills.join(", "))
        ))?;
    }
    Ok(Status::Done)
}

/// `release  project, not trusted  DIR/.agents/skills/release/SKILL.md`.
fn headline(skill: &SkillCard) -> String {
    let trust = match (skill.trusted, skill.changed.is_empty()) {
        (true, _) => "",
        (false, true) => ", not trusted",
        (false, false) => ", changed since it was trusted",
    };
    format!(
        "{}  {}{}  {}",
        paint(BOLD, &output::safe(&skill.name)),
        skill.origin,
        paint(WARN, trust),
        paint(DIM, &output::safe(&skill.location))
    )
}
