//! Files of stories: text in, faults out.

use base::Hint as _;
use expect_test::{Expect, expect};

use super::{StoryFile, StoryPage};

/// Faults of several files that are apart by lines of `----`.
fn check(files: &str, expected: &Expect) {
    let mut text = String::new();
    for file in files.split("----\n") {
        match StoryFile::parse("stories/a.toml", file) {
            Ok(file) => text.push_str(&format!("ok {} stories\n", file.stories.len())),
            Err(error) => {
                text.push_str(&error.to_string());
                text.extend(error.hint().map(|hint| format!("; {hint}")));
                text.push('\n');
            }
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn keys_are_named_with_the_nearest_right_one() {
    check(
        r#"
[page]
html = "x"
[[story]]
name = "a"
plya = []
----
[page]
html = "x"
[[story]]
name = "a"
[[story.play]]
clik = { role = "button" }
----
[[story]]
name = "a"
html = "x"
play = [ { expect = { rol = "button" } } ]
----
[[story]]
name = "a"
html = "x"
play = [ { expect = { role = "buton" }, count = 1 } ]
----
[[story]]
name = "a"
html = "x"
play = [ { press = "enter" } ]
----
[[story]]
name = "a"
html = "x"
play = [ { expect_page = { accessibility = ["labels"] } } ]
----
[[story]]
name = 3
----
[[story]
"#,
        &expect![[r#"
            stories/a.toml:6: unknown key `plya`; write `play`
            stories/a.toml:6: unknown key `clik`; write `click`
            stories/a.toml:4: unknown key `rol`; write `role`
            stories/a.toml:4: unknown role `buton`; write `button`
            stories/a.toml:4: unknown key of the keyboard: `enter`; write `Enter`
            stories/a.toml:4: unknown rule of accessibility: `labels`; write `label`
            stories/a.toml:2: invalid type: integer `3`, expected a string
            stories/a.toml:1: unclosed array table, expected `]`
        "#]],
    );
}

#[test]
fn a_step_has_one_action_and_its_own_parameters() {
    let head = "[page]\nhtml = 'x'\n[[story]]\nname = 'a'\nplay = [\n";
    let steps = [
        "{ click = { role = 'link' }, focus = { role = 'link' } }",
        "{ text = 'a' }",
        "{ click = { role = 'link' }, text = 'a' }",
        "{ type = { label = 'a' } }",
        "{ select = { label = 'a' } }",
        "{ expect = { role = 'link' } }",
        "{ expect_page = {} }",
        "{ expect = { role = 'link' }, count = 0, text = 'a' }",
        "{ expect = { role = 'link' }, visible = false, text = 'a' }",
        "{ expect = { role = 'link', css = 'a' }, count = 1 }",
        "{ expect = {}, count = 1 }",
        "{ expect = { name = 'a' }, count = 1 }",
        "{ expect = { text = ' ' }, count = 1 }",
        "{ expect = { role = 'link', nth = 0 }, count = 1 }",
        "{ click = { role = 'link' }, times = 0 }",
        "{ expect = { role = 'link' }, role_tree = '- button [open]' }",
        "{ expect = { role = 'link' }, role_tree = ' ' }",
        "{ expect_page = { role_tree = \"\"\"- list: a\n    - listitem\"\"\" } }",
        "{ expect_page = { never = ['a <'] } }",
        "{ expect_page = { tolerance = 0.1 } }",
        "{ expect_page = { screenshot = 'a.png', tolerance = 1.5 } }",
        "{ expect_page = { screenshot = '../a.png' } }",
        "{ expect_page = { screenshot = 'a.jpg' } }",
        "{ expect_page = { role_tree_file = '/etc/a.yml' } }",
        "{ click = { role = 'link' } }",
        "{ wait_for = { role = 'link' } }",
    ];
    let files: Vec<String> = steps.iter().map(|step| format!("{head}{step} ]\n")).collect();
    check(
        &files.join("----\n"),
        &expect![[r#"
            stories/a.toml:6: the step has 2 actions; give each `[[story.play]]` exactly one, such as `click`
            stories/a.toml:6: the step has 0 actions; give each `[[story.play]]` exactly one, such as `click`
            stories/a.toml:6: `text` is not for `click`
            stories/a.toml:6: `type` needs `text`
            stories/a.toml:6: `select` needs `option`
            stories/a.toml:6: `expect` expects nothing; add what it expects, such as `text`, `count` or `visible`
            stories/a.toml:6: `expect_page` expects nothing; add what it expects, such as `text`, `count` or `visible`
            stories/a.toml:6: `count` contradicts another expectation of the step
            stories/a.toml:6: `visible` contradicts another expectation of the step
            stories/a.toml:6: an element is named in more or less than one way; use one of `role` (with `name`), `label`, `text`, `test_id` and `css`
            stories/a.toml:6: an element is named in more or less than one way; use one of `role` (with `name`), `label`, `text`, `test_id` and `css`
            stories/a.toml:6: `name` is without `role`; add the role, or use `label` or `text`
            stories/a.toml:6: a locator has an empty text
            stories/a.toml:6: `nth` is counted from 1
            stories/a.toml:6: `times` is 0, not between 1 and 1000
            stories/a.toml:6: line 1 of `role_tree` is not `- role "name" [state=value]: text`
            stories/a.toml:6: `role_tree` is empty
            stories/a.toml:6: a line of `role_tree` is below none that can have it; indent by two blanks, below a line that ends with `:`
            stories/a.toml:6: `a <` is not a pattern of events: `a <` is no pattern of events: a condition does not begin with the name of a field; write `checked errors = 0, complete = true`
            stories/a.toml:6: `tolerance` needs `screenshot`
            stories/a.toml:6: `tolerance` is not between 0 and 1; it is a share of the pixels: `0.01` lets one of a hundred differ
            stories/a.toml:6: `../a.png` is not the name of a snapshot; use a name in the folder of the file, or below it, that ends with `.png`
            stories/a.toml:6: `a.jpg` is not the name of a snapshot; use a name in the folder of the file, or below it, that ends with `.png`
            stories/a.toml:6: `/etc/a.yml` is not the name of a snapshot; use a name in the folder of the file, or below it, that ends with `.yml`
            stories/a.toml:3: the story expects nothing: it would pass whatever the page shows; add a step with `expect`, `expect_page` or `wait_for`
            ok 1 stories
        "#]],
    );
}

#[test]
fn a_page_is_given_in_one_way() {
    let tail = "\n[[story]]\nname = 'a'\nplay = [ { wait_for = { role = 'link' } } ]\n";
    let pages = [
        "[page]\nhtml = 'x'\nfile = 'a.html'",
        "[page]",
        "[page]\nfile = '../a.html'",
        "[page]\nfile = '/etc/passwd'",
        "[page]\nhtml = 'x'\nready = '/health'",
        "[page]\nserve = 'npm start'",
        "[page]\nserve = 'cargo run -p web; rm -rf x'",
        "[page]\nserve = 'cargo run --profile bench'",
        "[page]\nserve = 'cargo run --release=yes'",
        "[page]\nserve = 'cargo run --features'",
        "[page]\nserve = 'cargo run -r --features a,b -F c --no-default-features -p web -- --release'",
        "[page]\nserve = 'cargo run -p'",
        "[page]\nserve = 'cargo run -p web'\nready = 'http://example.com/'",
        "[page]\nserve = 'cargo run -p web'\nready_ms = 0",
        "[page]\nserve = 'cargo run -p web --bin site -- --port 3000'\nport = 3000",
        "",
    ];
    let files: Vec<String> = pages.iter().map(|page| format!("{page}{tail}")).collect();
    check(
        &files.join("----\n"),
        &expect![[r#"
        stories/a.toml:1: `page` has 2 of `html`, `file` and `serve`; give exactly one of them
        stories/a.toml:1: `page` has 0 of `html`, `file` and `serve`; give exactly one of them
        stories/a.toml:1: `file` is not a name beside the file of stories: `../a.html`; use a name without `..` in the folder of the file, or below it
        stories/a.toml:1: `file` is not a name beside the file of stories: `/etc/passwd`; use a name without `..` in the folder of the file, or below it
        stories/a.toml:1: `ready` is for pages with `serve`
        stories/a.toml:1: `serve` is not a command: it does not begin with `cargo run`; write it without a shell: `cargo run -p web -- --port 8080`
        stories/a.toml:1: `serve` is not a command: it has characters of a shell; write it without a shell: `cargo run -p web -- --port 8080`
        stories/a.toml:1: `serve` is not a command: its options are `-p PACKAGE`, `--bin NAME`, `--features NAMES`, `--all-features`, `--no-default-features`, `--release` and, after `--`, those of the app; write it without a shell: `cargo run -p web -- --port 8080`
        stories/a.toml:1: `serve` is not a command: its options are `-p PACKAGE`, `--bin NAME`, `--features NAMES`, `--all-features`, `--no-default-features`, `--release` and, after `--`, those of the app; write it without a shell: `cargo run -p web -- --port 8080`
        stories/a.toml:1: `serve` is not a command: an option has no name; write it without a shell: `cargo run -p web -- --port 8080`
        ok 1 stories
        stories/a.toml:1: `serve` is not a command: an option has no name; write it without a shell: `cargo run -p web -- --port 8080`
        stories/a.toml:1: `open` is not a path: `http://example.com/`; begin it with one `/`
        stories/a.toml:1: `ready_ms` is 0, not between 1 and 60000
        ok 1 stories
        stories/a.toml:2: the story has no page; add `[page]` with `html`, `file` or `serve`, or `html` in the story
    "#]],
    );
}

#[test]
fn an_app_is_built_with_the_features_and_the_profile_of_its_command() {
    let serve = "cargo run -r --features=a,b -F c --no-default-features -p web -- --release";
    let text = format!(
        "[page]\nserve = '{serve}'\n[[story]]\nname = 'a'\nplay = [ {{ wait_for = {{ role = 'link' }} }} ]\n"
    );
    let file = StoryFile::parse("stories/a.toml", &text).unwrap();
    let StoryPage::Served(app) = file.page else { panic!("an app") };
    assert_eq!(app.build.features, ["a", "b", "c"]);
    assert!(app.build.release && app.build.no_default_features && !app.build.all_features);
    assert_eq!((app.package.as_deref(), app.args), (Some("web"), vec!["--release".to_owned()]));
}

#[test]
fn a_story_has_a_name_of_its_own_and_limits() {
    let head = "[page]\nhtml = 'x'\n";
    let stories = [
        "",
        "[[story]]\nname = ''",
        "[[story]]\nname = 'a'",
        "[[story]]\nname = 'a'\nopen = '//example.com'\nplay = []",
        "[[story]]\nname = 'a'\ntimeout_ms = 600000\nplay = [ { wait_for = { css = 'a' } } ]",
        "[[story]]\nname = 'a'\nwidth = 1\nplay = [ { wait_for = { css = 'a' } } ]",
        "[[story]]\nname = 'a'\nplay = [ { wait_for = { css = 'a' } } ]\n[[story]]\nname = 'a'",
    ];
    let files: Vec<String> = stories.iter().map(|story| format!("{head}{story}\n")).collect();
    check(
        &files.join("----\n"),
        &expect![[r#"
        stories/a.toml:4: no story; begin one with `[[story]]` and `name = "…"`
        stories/a.toml:4: the name of the story is empty or has a line break
        stories/a.toml:3: the story expects nothing: it would pass whatever the page shows; add a step with `expect`, `expect_page` or `wait_for`
        stories/a.toml:3: `open` is not a path: `//example.com`; begin it with one `/`
        stories/a.toml:3: `timeout_ms` is 600000, not between 1 and 60000
        stories/a.toml:3: `width` is 1, not between 100 and 4000
        stories/a.toml:7: a second story is named `a`
    "#]],
    );
}

#[test]
fn the_schema_names_every_key() {
    let schema = super::story_schema();
    for key in ["page", "story"] {
        assert!(schema["properties"][key].is_object(), "{schema:#}");
    }
    for (name, key) in [("Step", "click"), ("Locator", "role"), ("PageExpectation", "leads_to")] {
        assert!(schema["$defs"][name]["properties"][key].is_object(), "{schema:#}");
    }
}

#[test]
fn what_no_page_could_do_is_refused_before_a_browser_runs() {
    let story = "[[story]]\nname = 'a'\nhtml = 'x'\n[[story.play]]\n";
    let seen = format!("{story}expect_page = {{ events = ['add'] }}\n");
    let files = [
        format!("{story}expect_page = {{ events = ['save', 'lost'], never = ['lost'] }}\n"),
        format!("{story}expect_page = {{ leads_to = {{ save = 'saved' }}, never = ['saved'] }}\n"),
        format!(
            "{story}expect_page = {{ leads_to = {{ save = 'saved ok = true' }}, never = ['saved ok = false'] }}\n"
        ),
        format!("{story}expect = {{ css = 'p' }}\ntext = 'abc'\ncontains = 'd'\n"),
        "[[story]]\nname = 'a'\nhtml = 'x'\nopen = '/b'\nplay = [ { wait_for = { css = 'p' } } ]\n"
            .to_owned(),
        format!("{story}expect_page = {{ role_tree = '- heading [level=high]' }}\n"),
        format!(
            "{seen}[[lever]]\nname = 'cap'\nevent = 'add'\nlimit = {{ times = {{ most = 0 }} }}\n"
        ),
        format!(
            "{seen}[[lever]]\nname = 'cap'\nevent = 'add'\nlimit = {{ range = {{ field = 'n', least = 4, most = 3 }} }}\n"
        ),
        format!(
            "{seen}[[lever]]\nname = 'late'\nevent = 'pay'\nlimit = {{ after = {{ opens = ['agree'] }} }}\n\
            [[lever]]\nname = 'first'\nevent = 'agree'\nlimit = {{ after = {{ opens = ['pay'] }} }}\n"
        ),
        format!(
            "{seen}[[object]]\nname = 'task'\nmade_by = ['make']\nused_by = ['use']\nwithin = 'list'\n"
        ),
        format!(
            "{seen}[[loop]]\nname = 'save'\naction = 'save'\nresponse = 'saved'\n\
            [[block]]\nname = 'turn'\norder = ['saved', 'save']\n"
        ),
        format!(
            "{seen}[[loop]]\nname = 'a'\naction = 'b'\nresponse = 'c'\n[[loop]]\nname = 'a'\naction = 'd'\nresponse = 'e'\n"
        ),
        format!(
            "{seen}[[lever]]\nname = 'cap'\nevent = 'add'\nlimit = {{ times = {{ most = 90000 }} }}\n\
            [[block]]\nname = 'turn'\norder = ['add', 'sub']\n"
        ),
        format!(
            "{seen}[[channel]]\nname = 'c'\nevent = 'show'\nfield = 'what'\ncarries = {{ selektion = ['a'] }}\n"
        ),
        format!("{seen}[[lever]]\nname = 'cap'\nevent = 'add'\nlimt = 1\n"),
        format!(
            "{seen}[[lever]]\nname = 'cap'\nevent = 'add'\nlimit = {{ range = {{ field = 'n', most = 3 }} }}\n\
            [[loop]]\nname = 'save'\naction = 'save'\nresponse = 'saved'\nexclusive = true\n\
            [[channel]]\nname = 'show'\nevent = 'show'\nfield = 'what'\ncarries = {{ selection = ['all', 'open'] }}\n\
            [[object]]\nname = 'task'\nmade_by = ['make']\nused_by = ['use']\nremoved_by = ['drop']\n"
        ),
    ];
    check(
        &files.join("----\n"),
        &expect![[r#"
            stories/a.toml:4: impossible on any page: `save`, then `lost`; blocked by `never of line 4`; change the expectation, or the constraint that blocks it
            stories/a.toml:4: impossible on any page: `save`, then `saved`; blocked by `never of line 4`; change the expectation, or the constraint that blocks it
            ok 1 stories
            stories/a.toml:4: `contains` contradicts another expectation of the step
            stories/a.toml:1: a page of `html` has no path but `/`: `/b`; use a `file` or an app for several pages
            stories/a.toml:4: line 1 of `role_tree` is not `- role "name" [state=value]: text`
            stories/a.toml:6: impossible on any page: `add`; blocked by `cap`; change the expectation, or the constraint that blocks it
            stories/a.toml:6: `cap`: no number is from 4 to 3
            stories/a.toml:6: impossible on any page: `agree`, then `pay`; blocked by `late`, `first`; change the expectation, or the constraint that blocks it
            stories/a.toml:6: `task`: there is no object `list`
            ok 1 stories
            stories/a.toml:1: the constraints are no program: two threads are named `a`; a reason could not tell which one blocks
            stories/a.toml:6: the constraints have more than 10000 states, and are not verified; use fewer conditions on one event, or smaller numbers
            stories/a.toml:10: unknown variant `selektion`, expected one of `flag`, `number`, `selection`
            stories/a.toml:9: unknown key `limt`; write `limit`
            ok 1 stories
        "#]],
    );
}

#[test]
fn a_file_that_cannot_be_verified_in_time_is_refused() {
    let mut file =
        "[[story]]\nname = 'a'\nhtml = 'x'\nplay = [ { wait_for = { css = 'p' } } ]\n".to_owned();
    // Forty gates on one event: 2^40 states.
    for n in 0..40 {
        file.push_str(&format!(
            "[[lever]]\nname = 'l{n}'\nevent = 'pay'\nlimit = {{ after = {{ opens = ['a{n}'] }} }}\n"
        ));
    }
    check(
        &file,
        &expect![[r#"
            stories/a.toml:5: the constraints have more than 10000 states, and are not verified; use fewer conditions on one event, or smaller numbers
        "#]],
    );
}

#[test]
fn a_role_tree_is_read_as_playwright_writes_it() {
    let read = |text: &str| super::RoleTree::parse(text).map(|it| it.nodes);
    let nodes = read("- list:\n  - 'button \"Down: it''s\"': v\n  - text: \"a: b\"\n").unwrap();
    let below = &nodes[0].below;
    assert_eq!(below[0].name.as_deref(), Some("Down: it's"));
    assert_eq!(below[0].text.as_deref(), Some("v"));
    assert_eq!(below[1].text.as_deref(), Some("a: b"));
    assert!(read("- 'button").is_err());
}
