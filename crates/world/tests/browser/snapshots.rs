//! Pictures and role trees of a page, kept in files beside the stories.

use std::path::Path;

use expect_test::expect;
use graftage_world::WorldReport;

use crate::{report, updated, verdicts};

const PAGE: &str = r##"
[page]
html = '''
<html lang=en><title>Shot</title><body style="margin:0;background:#fff"><h1 style="margin:0;font:16px monospace">Cart</h1>
<div style="width:100px;height:100px;background:COLOUR"></div><label>Code <input autofocus></label><button>Pay</button></body></html>
'''
"##;

const STORIES: &str = r##"
[[story]]
name = "picture"
timeout_ms = 400
width = 200
height = 200
play = [ { expect_page = { screenshot = "shots/cart.png" } } ]

[[story]]
name = "picture with a tolerance"
timeout_ms = 400
width = 200
height = 200
play = [ { expect_page = { screenshot = "shots/loose.png", tolerance = 0.3 } } ]

[[story]]
name = "role tree"
timeout_ms = 400
play = [ { expect_page = { role_tree_file = "cart.yml" } } ]
"##;

/// Writes what an update would write; the names.
fn write(folder: &Path, report: &WorldReport) -> Vec<String> {
    let files = report.stories.iter().flat_map(|it| &it.snapshots);
    let write = |it: &graftage_world::SnapshotFile| {
        let file = folder.join(&it.name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, &it.bytes).unwrap();
        it.name.clone()
    };
    files.map(write).collect()
}

fn text(colour: &str, page: &str) -> String {
    format!("{}{STORIES}", page.replace("COLOUR", colour))
}

#[test]
fn a_snapshot_is_written_on_request_and_compared_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let red = text("#c00000", PAGE);
    let Some(missing) = report(folder, &red) else { return };
    expect![[r#"
        no picture: 13: expect the page: there is no `shots/cart.png`; `graftage world test --update` writes it []
        no picture with a tolerance: 20: expect the page: there is no `shots/loose.png`; `graftage world test --update` writes it []
        no role tree: 25: expect the page: there is no `cart.yml`; `graftage world test --update` writes it []
    "#]]
    .assert_eq(&verdicts(&missing));
    assert!(write(folder, &missing).is_empty(), "nothing is written without a request");

    let first = updated(folder, &red).unwrap();
    assert_eq!(write(folder, &first), ["shots/cart.png", "shots/loose.png", "cart.yml"]);
    expect![[r#"
        - heading "Cart" [level=1]
        - text: Code
        - textbox "Code"
        - button "Pay"
    "#]]
    .assert_eq(&std::fs::read_to_string(folder.join("cart.yml")).unwrap());
    let all_pass = "ok picture\nok picture with a tolerance\nok role tree\n";
    assert_eq!(verdicts(&report(folder, &red).unwrap()), all_pass);
    assert!(write(folder, &updated(folder, &red).unwrap()).is_empty(), "nothing has changed");

    // Another colour of 100 × 100 pixels is a quarter of the window.
    let blue = text("#0000c0", PAGE);
    let other = report(folder, &blue).unwrap();
    expect![[r#"
        no picture: 13: expect the page: 25.00 % of the pixels differ from `shots/cart.png` (10000 pixels, tolerance 0.00 %) []
        ok picture with a tolerance
        ok role tree
    "#]]
    .assert_eq(&verdicts(&other));
    let difference = other.stories[0].difference.as_deref().unwrap();
    assert!(difference.starts_with(b"\x89PNG"), "the difference is a picture");
    assert_eq!(write(folder, &updated(folder, &blue).unwrap()), ["shots/cart.png"]);
    assert_eq!(verdicts(&report(folder, &blue).unwrap()), all_pass);
}

#[test]
fn other_roles_and_sizes_are_named_and_a_story_that_fails_updates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let Some(first) = updated(folder, &text("#fff", PAGE)) else { return };
    write(folder, &first);
    let renamed = text("#fff", &PAGE.replace("Pay<", "Buy<"));
    let renamed = renamed.replacen("width = 200", "width = 300", 1);
    let other = report(folder, &renamed).unwrap();
    expect![[r#"
        no picture: 13: expect the page: `shots/cart.png` is 200×200, the page 300×200 []
        ok picture with a tolerance
        no role tree: 25: expect the page: line 4 of `cart.yml` is `- button "Pay"`, the page has `- button "Buy"` [- heading "Cart" [level=1] | - text: Code | - textbox "Code" | - button "Buy"]
    "#]]
    .assert_eq(&verdicts(&other));
    std::fs::write(folder.join("shots/cart.png"), "no picture").unwrap();
    let broken = text("#fff", PAGE);
    let broken = report(folder, &broken).unwrap();
    let reason = &broken.stories[0].failure.as_ref().unwrap().reason;
    assert_eq!(reason, "`shots/cart.png` is no PNG of at most 4000 pixels a side");
    // A header alone passes the limits: the browser refuses the rest.
    let header = first.stories[0].snapshots[0].bytes[..40].to_vec();
    std::fs::write(folder.join("shots/cart.png"), header).unwrap();
    let broken = report(folder, &text("#fff", PAGE)).unwrap();
    let reason = &broken.stories[0].failure.as_ref().unwrap().reason;
    assert_eq!(reason, "`shots/cart.png` is no picture that the browser reads");
    let throws =
        text("#fff", &PAGE.replace("</body>", "<script>throw new Error('x')</script></body>"));
    let failed = updated(folder, &throws.replace("shots/", "new/")).unwrap();
    assert_eq!((failed.failed, write(folder, &failed).len()), (3, 0));
}

const CARDS: &str = r##"
[page]
html = '''
<html lang=en><title>Cards</title><body style="margin:0;background:#fff"><div style="height:900px"></div>
<div role=group aria-label=Ada style="width:80px;height:40px;background:COLOUR"></div>
<div role=group aria-label=Bob style="width:80px;height:40px;background:#0000c0"></div>
<div role=group aria-label=Wide style="width:3000px;height:10px"></div>
<iframe title=Frame srcdoc="<style>body{margin:0}</style><div role=group aria-label=Inner style='width:30px;height:20px;background:COLOUR'>" style="border:3px solid;margin-left:20px"></iframe></body></html>
'''

[[story]]
name = "one card"
timeout_ms = 800
width = 300
height = 200
[[story.play]]
expect = { role = "group", name = "Ada" }
screenshot = "ada.png"

[[story]]
name = "the other card"
timeout_ms = 800
[[story.play]]
expect = { role = "group", name = "Bob" }
screenshot = "bob.png"
tolerance = 0.01

[[story]]
name = "in a frame"
timeout_ms = 800
[[story.play]]
expect = { role = "group", name = "Inner" }
screenshot = "inner.png"
"##;

#[test]
fn one_element_has_a_picture_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let Some(first) = updated(folder, &CARDS.replace("COLOUR", "#c00000")) else { return };
    assert_eq!(write(folder, &first), ["ada.png", "bob.png", "inner.png"]);
    let size = |name: &str| {
        let png = std::fs::read(folder.join(name)).unwrap();
        [&png[16..20], &png[20..24]].map(|it| u32::from_be_bytes(it.try_into().unwrap()))
    };
    assert_eq!(
        [size("ada.png"), size("bob.png"), size("inner.png")],
        [[80, 40], [80, 40], [30, 20]]
    );
    let all_pass = "ok one card\nok the other card\nok in a frame\n";
    assert_eq!(verdicts(&report(folder, &CARDS.replace("COLOUR", "#c00000")).unwrap()), all_pass);
    let other = CARDS.replace("COLOUR", "#00c000").replace("margin-left:20px", "margin-left:21px");
    let other = report(folder, &other).unwrap();
    expect![[r#"
        no one card: 16: expect group "Ada": 100.00 % of the pixels differ from `ada.png` (3200 pixels, tolerance 0.00 %) []
        ok the other card
        no in a frame: 31: expect group "Inner": 100.00 % of the pixels differ from `inner.png` (600 pixels, tolerance 0.00 %) []
    "#]].assert_eq(&verdicts(&other));
    assert!(other.stories[0].difference.as_deref().unwrap().starts_with(b"\x89PNG"));
    let smaller = CARDS.replace("width:80px;height:40px", "width:81px;height:40px");
    let wide = smaller.replace("name = \"Inner\" }", "name = \"Wide\" }");
    expect![[r#"
        no one card: 16: expect group "Ada": `ada.png` is 80×40, group "Ada" 81×40 []
        no the other card: 23: expect group "Bob": `bob.png` is 80×40, group "Bob" 81×40 []
        no in a frame: 31: expect group "Wide": group "Wide" is 3000×10, larger than the window of 1024×768 []
    "#]].assert_eq(&verdicts(&report(folder, &wide).unwrap()));
}
