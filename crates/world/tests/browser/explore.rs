//! Random actions find what no story plays, and are shortened to a story.

use std::path::PathBuf;
use std::sync::Arc;

use expect_test::expect;
use graftage_world::{Exploration, ExploreSettings, PageFiles, StoryFile, WorldSettings, explore};

use crate::{Folder, program};

fn explored(html: &str, seed: u64) -> Option<Exploration> {
    let program = program()?;
    let text = format!(
        "[page]\nhtml = '''{html}'''\n[[story]]\nname = 'a'\nplay = [ {{ wait_for = {{ css = 'body' }} }} ]\n"
    );
    let file = StoryFile::parse("stories/a.toml", &text).unwrap();
    let sandbox = testkit::inner::sandbox();
    let settings = WorldSettings {
        sandbox: &sandbox,
        require: testkit::inner::level(),
        program: &program,
        at_once: 1,
        inspects: false,
        updates: false,
        filter: None,
    };
    let files: Arc<dyn PageFiles> = Arc::new(Folder(PathBuf::from("/tmp")));
    let how = ExploreSettings { seed, walks: 5, actions: 25 };
    Some(explore(&testkit::ctx(), &settings, &file, (&files, None), how).unwrap())
}

#[test]
fn a_fault_behind_several_actions_is_found_and_shortened() {
    let html = "<title>t</title><label><input type=checkbox id=gift> Gift</label> \
        <label>Name <input></label><button>Back</button><button>Next</button> \
        <button onclick=\"if (gift.checked) throw new Error('no gift')\">Send</button>";
    let Some(first) = explored(html, 7) else { return };
    let finding = first.finding.as_ref().unwrap();
    expect![[r#"
        [[story]]
        name = "explored: exception: Error: no gift"

        [[story.play]]
        click = { role = "checkbox", name = "Gift" }

        [[story.play]]
        click = { role = "button", name = "Send" }

        [[story.play]]
        expect = { css = "body" }
        visible = true
    "#]]
    .assert_eq(&finding.story);
    let again = StoryFile::parse("a.toml", &format!("[page]\nhtml = 'x'\n{}", finding.story));
    assert_eq!(again.unwrap().stories.len(), 1);
    assert_eq!(explored(html, 7), Some(first), "the same beginning does the same");
}

#[test]
fn a_page_without_faults_has_no_finding() {
    let html = "<title>t</title><label>Name <input></label><button>Back</button>";
    let Some(explored) = explored(html, 1) else { return };
    assert_eq!((explored.actions, explored.finding), (125, None));
}
