//! Skills: strict validation beside the reference, and what is found leniently.

mod intents;
mod verdicts;

use base::{Hint, ProjectPath};
use expect_test::expect;
use graftage_memory::{SkillScope, SkillSource, Skills};
use testkit::TempProject;

use crate::ctx;

const PROJECT: &str = r#"
//- /.agents/skills/release/SKILL.md
---
name: release
description: Publishes a release. Use for tags, changelogs and the registry.
license: MIT
metadata:
  author: us
allowed-tools: Bash(git:*) Read
---
# Steps
Read [the checklist](references/checklist.md) and [outside](../../../secret.md).
//- /.agents/skills/release/references/checklist.md
Bump the version, write the changelog.
//- /.agents/skills/release/references/rollback.md
Yank the version and tell the users.
//- /.agents/skills/release/scripts/tag.sh
echo tag
//- /.agents/skills/release/assets/logo.svg
<svg/>
//- /.agents/skills/group/deep/SKILL.md
---
name: Deep
description: Use when: nothing else fits
version: 2
---
Body.
//- /.agents/skills/broken/SKILL.md
No head.
//- /.agents/skills/silent/SKILL.md
---
name: silent
---
//- /.agents/skills/node_modules/package/SKILL.md
---
name: package
description: Is left out.
---
//- /.claude/skills/release/SKILL.md
---
name: release
description: Hidden by the one above.
---
//- /secret.md
Secret.
"#;

fn discover(project: &TempProject, is_trusted: bool) -> Skills {
    let root = project.root().to_owned();
    let source = SkillSource { root, scope: SkillScope::Project, is_trusted, contents: None };
    Skills::discover(&ctx(), vec![source]).unwrap()
}

fn path(text: &str) -> ProjectPath {
    ProjectPath::new(text).unwrap()
}

#[test]
fn skills_are_found_leniently_with_warnings_and_reasons() {
    let project = testkit::project(PROJECT);
    std::os::unix::fs::symlink("release", project.root().join(".agents/skills/link")).unwrap();
    let skills = discover(&project, true);
    let mut text = String::new();
    for skill in skills.list() {
        let (name, description, folder) = (&skill.name, &skill.description, &skill.folder);
        text += &format!("{name} ({folder}): {description}\n");
        for warning in &skill.warnings {
            text += &format!("  warning: {}\n", warning.replace('\n', " "));
        }
        for file in [&skill.scripts, &skill.references, &skill.assets].into_iter().flatten() {
            text += &format!("  {}\n", file.path);
        }
    }
    for skipped in skills.skipped() {
        text += &format!("skipped {}: {}\n", skipped.path, skipped.reason);
    }
    let text = text.replace(&project.root().display().to_string(), "ROOT");
    expect![[r#"
        Deep (.agents/skills/group/deep): Use when: nothing else fits
          warning: Invalid YAML in frontmatter: mapping values are not allowed in this context at byte 33 line 3 column 22
          warning: Unexpected fields in frontmatter: version. Only ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name'] are allowed.
          warning: Skill name 'Deep' must be lowercase
          warning: Directory name 'deep' must match skill name 'Deep'
        release (.agents/skills/release): Publishes a release. Use for tags, changelogs and the registry.
          scripts/tag.sh
          references/checklist.md
          references/rollback.md
          assets/logo.svg
        skipped ROOT/.agents/skills/broken/SKILL.md: SKILL.md must start with YAML frontmatter (---)
        skipped ROOT/.agents/skills/link: it is a symbolic link
        skipped ROOT/.agents/skills/silent/SKILL.md: it has no description
        skipped ROOT/.claude/skills/release/SKILL.md: the skill `release` of `ROOT/.agents/skills/release/SKILL.md` is used
    "#]]
    .assert_eq(&text);
    let release = skills.get("release").unwrap();
    assert_eq!(release.allowed_tools, ["Bash(git:*)", "Read"]);
    assert_eq!(release.metadata["author"], "us");
}

#[test]
fn bodies_and_references_are_read_by_need_and_stay_in_the_skill() {
    let project = testkit::project(PROJECT);
    let skills = discover(&project, true);
    assert!(skills.body("release").unwrap().starts_with("# Steps\nRead"));
    let references = skills.references("release").unwrap();
    let shown: Vec<_> =
        references.iter().map(|it| (it.path.as_str(), it.title.as_deref())).collect();
    assert_eq!(
        shown,
        [("references/checklist.md", Some("the checklist")), ("references/rollback.md", None)]
    );
    let hits = skills.search_references("release", "yank a bad version", 1).unwrap();
    assert_eq!(hits[0].file.path, path("references/rollback.md"));
    let text = skills.reference_content("release", &path("references/checklist.md")).unwrap();
    assert_eq!(text, "Bump the version, write the changelog.\n");
    let err = skills.reference_content("release", &path("assets/logo.svg")).unwrap_err();
    assert_eq!(
        err.to_string(),
        "`assets/logo.svg` of the skill `release` cannot be used: it is no reference of the skill"
    );
    // A folder that has become a link is not followed.
    let skill = project.root().join(".agents/skills/release");
    std::fs::rename(&skill, project.root().join("moved")).unwrap();
    std::os::unix::fs::symlink("../../moved", &skill).unwrap();
    assert!(skills.body("release").unwrap_err().to_string().contains("symbolic link"));
}

#[test]
fn skills_of_a_project_that_is_not_trusted_are_listed_only() {
    let project = testkit::project(PROJECT);
    let skills = discover(&project, false);
    assert_eq!(skills.list().len(), 2);
    assert!(skills.search("publish a release", 5).is_empty());
    let err = skills.body("release").unwrap_err();
    expect!["the skill `release` belongs to a project that you do not trust"]
        .assert_eq(&err.to_string());
    assert!(err.hint().unwrap().contains("trust the project"));
    assert_eq!(skills.body("absent").unwrap_err().to_string(), "no skill `absent`");
}

#[test]
fn skills_are_found_by_intent_and_again_when_files_change() {
    let project = testkit::project(PROJECT);
    let mut skills = discover(&project, true);
    assert_eq!(skills.search("publish the crate with a tag", 5)[0].name, "release");
    assert!(!skills.refresh(&ctx()).unwrap());
    project.write(
        ".agents/skills/release/SKILL.md",
        "---\nname: release\ndescription: Formats <code> & 'text'.\n---\n",
    );
    assert!(skills.refresh(&ctx()).unwrap());
    assert_eq!(skills.search("format code", 5)[0].name, "release");
}

#[test]
fn a_project_hides_a_skill_of_the_user_and_the_collision_is_reported() {
    let (project, home) = (testkit::project(PROJECT), testkit::project(PROJECT));
    let source = |project: &TempProject, scope| SkillSource {
        root: project.root().to_owned(),
        scope,
        is_trusted: true,
        contents: None,
    };
    let sources = vec![source(&project, SkillScope::Project), source(&home, SkillScope::User)];
    let skills = Skills::discover(&ctx(), sources).unwrap();
    assert_eq!(skills.get("release").unwrap().scope, SkillScope::Project);
    let hidden = skills.skipped().iter().filter(|it| it.reason.starts_with("the skill `release`"));
    assert_eq!(hidden.count(), 3);
}
