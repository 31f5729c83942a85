//! The shipped skills, found by what a user asks. The intents were written before the descriptions were
//! ranked.

use graftage_memory::{SkillSource, Skills, validate_skill};

use crate::ctx;

/// Skill, and four intents for it.
const INTENTS: [(&str, [&str; 4]); 5] = [
    (
        "rust-analyzer-with-graftage",
        [
            "why does the editor show an error that cargo does not",
            "resolve method calls and types that the map only guesses",
            "use the language server to find who really calls this function",
            "quick fixes from rust-analyzer are not offered",
        ],
    ),
    (
        "behavioural-threads",
        [
            "no change may touch more than three files without tests",
            "forbid applying edits after a failed check",
            "write a rule that blocks apply until something happened",
            "my policy is refused or never opens the gate",
        ],
    ),
    (
        "stories",
        [
            "check in a real browser that the login button works",
            "describe a page test with clicks and typing",
            "accessibility of the form after an edit",
            "does the web page still render after my change",
        ],
    ),
    (
        "composing-tools",
        [
            "where do I start to change this code base",
            "how do I make an edit and get it into the tree safely",
            "which graftage commands do I run one after another",
            "find the code, get context, propose a patch and have it checked",
        ],
    ),
    (
        "rust-standards",
        [
            "how should I name this test",
            "may I use unwrap here",
            "review my Rust code for style before I commit",
            "write error messages and doc comments the way this project wants",
        ],
    ),
];

#[test]
fn each_shipped_skill_is_found_by_what_a_user_asks() {
    let skills = Skills::discover(&ctx(), vec![SkillSource::shipped()]).unwrap();
    let mut first = 0;
    for (name, intents) in INTENTS {
        for intent in intents {
            let hits = skills.search(intent, 2);
            let rank = hits.iter().position(|hit| hit.name == name);
            assert!(rank.is_some(), "{intent}: {hits:#?}");
            first += usize::from(rank == Some(0));
        }
    }
    // "which graftage commands do I run one after another" also fits the skill on rust-analyzer.
    assert_eq!(first, 19);
}

#[test]
fn the_shipped_skills_are_valid_and_short() {
    let skills = Skills::discover(&ctx(), vec![SkillSource::shipped()]).unwrap();
    let names: Vec<&str> = skills.list().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, INTENTS.map(|(name, _)| name));
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills");
    for name in names {
        let text = std::fs::read(folder.join(name).join("SKILL.md")).unwrap();
        assert_eq!(validate_skill(&text, name), Vec::<String>::new());
        let text = String::from_utf8(text).unwrap();
        assert!(text.ends_with(skills.body(name).unwrap().trim_end()) || text.ends_with('\n'));
        assert!(text.lines().count() < 500, "{name}");
        assert!(search::count_tokens_in_code(&text) < 5000, "{name}");
        for reference in skills.references(name).unwrap() {
            let text = skills.reference_content(name, &reference.path).unwrap();
            assert!(!text.is_empty(), "{name}: {}", reference.path);
        }
    }
    assert_eq!(skills.skipped(), []);
}
