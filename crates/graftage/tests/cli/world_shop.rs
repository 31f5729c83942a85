//! Stories of an app that renders on the server (`fixtures/apps/shop`), built and served in the sandbox.

use expect_test::expect;
use testkit::TempProject;

use super::support::graftage;

const FILE: &str = "stories/shop.toml";

/// The planted faults, each with the story that finds it.
const FAULTS: &[(&str, &str)] = &[
    ("label", "the goods are listed"),
    ("contrast", "the goods are listed"),
    ("title", "a good is opened by its link"),
    ("image", "a good is opened by its link"),
    ("link", "a good is opened by its link"),
    ("price", "a good is opened by its link"),
    ("escape", "a search without a result shows the text as it was typed"),
    ("stylesheet", "a search shows what matches"),
    ("script", "a search shows what matches"),
    ("outside", "a search shows what matches"),
    ("event", "a search shows what matches"),
    ("quantity", "pieces of a good are counted and removed"),
    ("total", "pieces of a good are counted and removed"),
    ("remove", "pieces of a good are counted and removed"),
    ("heading", "an order without an address is refused"),
    ("alert", "an order without an address is refused"),
    ("focus", "an order without an address is refused"),
    ("typed", "an order without an address is refused"),
    ("empty", "an order without an address is refused"),
    ("keeps", "an order empties the cart"),
];

/// A file with one story of the app with a fault.
fn with_fault(stories: &str, fault: &str, story: &str) -> String {
    let (head, rest) = stories.split_once("[[story]]\n").expect("a story");
    let head = head.replace("-p shop\"", &format!("-p shop -- --fault {fault}\""));
    let name = format!("name = \"{story}\"\n");
    let one = rest.split("[[story]]\n").find(|it| it.starts_with(&name)).expect("the story");
    let one = one.replacen(&name, &format!("{name}timeout_ms = 2000\n"), 1);
    format!("{head}[[story]]\n{one}")
}

/// The verdicts: `FILE: ok`, or the line of the file with step and reason.
fn verdicts(json: &serde_json::Value) -> String {
    let mut text = String::new();
    for story in json["stories"].as_array().into_iter().flatten() {
        let of = |key: &str| story["failure"][key].as_str().unwrap_or_default().to_owned();
        let file = story["file"].as_str().unwrap_or_default();
        let file = file.trim_start_matches("stories/").trim_end_matches(".toml");
        match story["passed"] == true {
            true => text.push_str(&format!("{file}: ok\n")),
            false => text.push_str(&format!("{file}: {}: {}\n", of("step"), of("reason"))),
        }
    }
    text
}

fn shop() -> Option<TempProject> {
    let project = testkit::copy_app("shop").filter(super::world::can_play)?;
    project.git();
    Some(project)
}

#[test]
fn stories_of_an_app_on_axum_pass_and_find_each_planted_fault() {
    let Some(project) = shop() else { return };
    let stories = project.read(FILE);
    for (idx, (fault, story)) in FAULTS.iter().enumerate() {
        let file = format!("stories/{idx:02}-{fault}.toml");
        project.write(&file, with_fault(&stories, fault, story));
    }
    let played = graftage(&project, &["world", "test", "--json"]).json();
    expect![[r#"
        00-label: expect the page: the role tree has no `- textbox "Search"`
        01-contrast: expect the page: contrast: Goods (1.9), and 4 more
        02-title: expect the page: the title is "Shop", not "Cup – Shop"
        03-image: expect the page: image-alt: image "/cup.svg"
        04-link: expect the page: the title is "", not "Cup – Shop"
        05-price: expect text "12.50 €": no text "12.50 €"
        06-escape: expect status: the text of status is "Nothing found for “milk”", not "Nothing found for “<b>milk</b>”"
        07-stylesheet: the whole story: request: http://127.0.0.1:8080/style.css (status 404)
        08-script: the whole story: exception: TypeError: Cannot read properties of null (reading 'remove')
        09-outside: the whole story: outside: http://203.0.113.1/pixel.png
        10-event: the constraints of its pages: `thanks` happened: `thanks after an order`: thanks are for an order (lever of stories/10-event.toml:7)
        11-quantity: expect row number 2: the text of row number 2 is "Green tea 1 4.80 € Remove", without "2 9.60 €"
        12-total: expect status: the text of status is "Total: 4.80 €", not "Total: 9.60 €"
        13-remove: expect status: the text of status is "Total: 9.60 €", not "The cart is empty"
        14-heading: expect the page: heading-order: heading "Address" of level 3 follows level 1
        15-alert: expect alert: no alert
        16-focus: expect field labelled "Name": field labelled "Name" is not focused
        17-typed: expect field labelled "Street": field labelled "Street" is not focused
        18-empty: expect alert: no alert
        19-keeps: expect link "Cart (0)": no link "Cart (0)"
        shop: ok
        shop: ok
        shop: ok
        shop: ok
        shop: ok
        shop: ok
        shop: ok
    "#]]
    .assert_eq(&verdicts(&played));
}
