//! Role, name and role tree beside those of `playwright-core`, on the same Chromium.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{Pages, World};

/// The time after which a page is at rest.
const REST: &str = "{ eval = \"new Promise(r => setTimeout(() => r(1), 800))\", equals = 1 }";

pub(crate) fn run(world: &mut World, folder: Option<&String>) {
    let Some(folder) = folder else {
        return println!("name the folder with `node_modules/playwright-core`");
    };
    let (mut located, mut trees, mut differences) = (0, 0, 0);
    for kind in ["widgets", "todo"] {
        let pages = Pages::of(kind);
        let names: Vec<&String> = pages.0.keys().filter(|it| it.ends_with(".html")).collect();
        let asked: Vec<Value> = names
            .iter()
            .map(|name| json!({ "name": name, "pairs": pairs(&own_tree(world, &pages, name)) }))
            .collect();
        let reference = reference(world, folder, kind, &asked);
        for page in reference.as_array().unwrap() {
            let name = page["name"].as_str().unwrap();
            let counts = page["counts"].as_array().unwrap();
            located += counts.len();
            trees += 1;
            let found = differing(world, &pages, name, counts, page["snapshot"].as_str().unwrap());
            for line in &found {
                println!("{kind}/{name}: {line}");
            }
            differences += found.len();
        }
    }
    println!("{located} roles with names and {trees} role trees, {differences} differences");
}

/// Our role tree of a page at rest.
fn own_tree(world: &mut World, pages: &Pages, name: &str) -> String {
    let text = format!(
        "[page]\nfile = {name:?}\n[[story]]\nname = \"tree\"\nplay = [ {REST}, {{ expect_page = {{ role_tree_file = \
         \"tree.yml\" }} }} ]\n"
    );
    let report = world.play(pages, "tree.toml", &text, true);
    let snapshot = report.stories.first().and_then(|it| it.snapshots.first());
    let snapshot = snapshot.unwrap_or_else(|| panic!("{name}: {:?}", report.stories[0].failure));
    String::from_utf8(snapshot.bytes.clone()).unwrap()
}

/// The roles with names of a tree.
fn pairs(tree: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = tree.lines().filter_map(pair).collect();
    all.sort();
    all.dedup();
    all
}

fn pair(line: &str) -> Option<(String, String)> {
    let rest = line.trim_start().strip_prefix("- ")?;
    let (role, rest) = rest.split_once(' ')?;
    let mut names = serde_json::Deserializer::from_str(rest).into_iter::<String>();
    Some((role.to_owned(), names.next()?.ok()?))
}

fn reference(world: &World, folder: &str, kind: &str, pages: &[Value]) -> Value {
    let root = testkit::workspace_root();
    let input = json!({
        "executable": world.program.path, "folder": root.join("fixtures/pages").join(kind), "pages": pages,
    });
    let mut node = Command::new("node")
        .arg(root.join("crates/world/benches/evidence/reference.mjs"))
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    node.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success(), "node: {}", output.status);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The differences of a page: our number of elements for each role and name, and whether our tree has theirs.
fn differing(
    world: &mut World,
    pages: &Pages,
    name: &str,
    counts: &[Value],
    snapshot: &str,
) -> Vec<String> {
    let mut text = format!("[page]\nfile = {name:?}\n");
    let mut story = |title: String, step: String| {
        text.push_str(&format!(
            "[[story]]\nname = {}\ntimeout_ms = 300\nplay = [ {REST}, {step} ]\n",
            json!(title)
        ));
    };
    for it in counts {
        let (role, accessible, count) = (&it[0], &it[1], &it[2]);
        let step =
            format!("{{ expect = {{ role = {role}, name = {accessible} }}, count = {count} }}");
        story(format!("{} {accessible} {count}", role.as_str().unwrap()), step);
    }
    let tree = comparable(snapshot);
    let step = format!("{{ expect_page = {{ role_tree = {} }} }}", json!(tree));
    story("role tree".to_owned(), step);
    let report = world.play(pages, "reference.toml", &text, false);
    let failed = report.stories.iter().filter(|it| !it.passed);
    let reason = |it: &graftage_world::StoryResult| {
        let reason = it.failure.as_ref().map_or("", |it| it.reason.as_str());
        format!("playwright has {}; {reason}", it.name)
    };
    failed.map(reason).collect()
}

/// A tree without what our form does not have: addresses of links, and marks of the pointer.
fn comparable(snapshot: &str) -> String {
    let lines = snapshot.lines().filter(|it| !it.trim_start().starts_with("- /"));
    let line = |it: &str| it.replace(" [active]", "").replace(" [cursor=pointer]", "");
    lines.map(line).collect::<Vec<_>>().join("\n")
}
