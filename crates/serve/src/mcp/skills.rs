//! Skills over the protocol: the trusted skills of the project, of the user, and those of graftage, as
//! resources `skill://NAME/FILE`, and by the skills extension with sizes and digests.

use base::{Ctx, ProjectPath};
use memory::Skills;
use project::ExitKind;
use rmcp::model::{Resource, Skill, SkillFrontmatter, SkillResource, SkillResources};
use tools::ToolError;

use super::projects::percent_decoded;

const SCHEME: &str = "skill://";
/// The file with head and instructions, as the protocol names it.
const MAIN: &str = "SKILL.md";

/// The skills that clients get: what is not trusted is not listed.
fn names(skills: &Skills) -> impl Iterator<Item = &memory::Skill> {
    skills.list().into_iter().filter(|skill| skill.is_trusted)
}

fn uri(name: &str, file: &str) -> String {
    let mut uri = format!("{SCHEME}{name}/");
    for c in file.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' | '/' => uri.push(c),
            _ => c.to_string().bytes().for_each(|byte| uri.push_str(&format!("%{byte:02X}"))),
        }
    }
    uri
}

/// The skills as resources.
pub(super) fn resources(skills: &Skills) -> Vec<Resource> {
    let resource = |skill: &memory::Skill| {
        Resource::new(uri(&skill.name, MAIN), skill.name.as_str())
            .with_description(skill.description.as_str())
            .with_mime_type("text/markdown")
    };
    names(skills).map(resource).collect()
}

/// The skills as the extension lists them. One that the extension does not allow is left out.
pub(super) fn list(skills: &Skills) -> Vec<Skill> {
    names(skills).filter_map(|it| described(skills, it)).collect()
}

/// The skill with this `SKILL.md`.
pub(super) fn get(skills: &Skills, wanted: &str) -> Result<Skill, ToolError> {
    let found = names(skills).find(|it| uri(&it.name, MAIN) == wanted);
    found.and_then(|it| described(skills, it)).ok_or_else(missing)
}

fn described(skills: &Skills, skill: &memory::Skill) -> Option<Skill> {
    let main = SkillResource::from_bytes(
        uri(&skill.name, MAIN),
        skills.text(&skill.name).ok()?.as_bytes(),
    );
    let mut files = vec![main];
    for reference in skills.references(&skill.name).ok()? {
        // A reference that cannot be read is not offered.
        if let Ok(text) = skills.reference_content(&skill.name, &reference.path) {
            let uri = uri(&skill.name, reference.path.as_str());
            files.push(SkillResource::from_bytes(uri, text.as_bytes()));
        }
    }
    let head = SkillFrontmatter::new(skill.name.as_str(), skill.description.as_str());
    let skill = Skill::new(uri(&skill.name, MAIN), head, SkillResources::Files(files));
    skill.validate().is_ok().then_some(skill)
}

/// The text of a file of a skill.
pub(super) fn read(skills: &Skills, uri: &str) -> Result<String, ToolError> {
    let (name, file) =
        uri.strip_prefix(SCHEME).and_then(|it| it.split_once('/')).ok_or_else(missing)?;
    let file =
        percent_decoded(file).and_then(|it| String::from_utf8(it).ok()).ok_or_else(missing)?;
    let text = match file.as_str() {
        MAIN => skills.text(name),
        file => skills.reference_content(name, &ProjectPath::new(file).map_err(|_| missing())?),
    };
    text.map_err(|error| ToolError::of(ExitKind::No, &error))
}

/// Whether the resource is a file of a skill.
pub(super) fn is_file(uri: &str) -> bool {
    uri.starts_with(SCHEME)
}

fn missing() -> ToolError {
    ToolError::new(ExitKind::No, "there is no such skill", "list the skills for their names")
}

/// The skills that `places` names.
pub(super) fn discover(ctx: &Ctx, places: &tools::SkillPlaces) -> Result<Skills, ToolError> {
    Ok(places.discover(ctx)?)
}
