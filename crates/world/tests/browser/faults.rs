//! A page with planted faults: each is found by the stories that should find it.

use std::collections::BTreeMap;
use std::sync::Arc;

use expect_test::expect;
use graftage_world::{
    PageFiles, SharedBrowser, StoryFile, StoryFilter, WorldReport, WorldSettings, play_file,
};

use crate::fault_table::FAULTS;
use crate::program;

/// The page in memory, with one fault.
struct Faulty(BTreeMap<String, String>);

impl PageFiles for Faulty {
    fn read(&self, path: &str, _: u64) -> Option<Vec<u8>> {
        self.0.get(path).map(|it| it.clone().into_bytes())
    }
}

fn page() -> BTreeMap<String, String> {
    let folder = testkit::workspace_root().join("fixtures/pages/todo");
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        files.insert(name, std::fs::read_to_string(entry.path()).unwrap());
    }
    files
}

/// The stories on a page, with less time for what will not come, or only one of them.
fn played(
    shared: &mut SharedBrowser,
    files: BTreeMap<String, String>,
    (filter, timeout): (Option<&str>, u64),
) -> Option<WorldReport> {
    let (program, sandbox) = (program()?, testkit::inner::sandbox());
    let filter = filter.map(|it| StoryFilter::Contains(it.to_owned()));
    let settings = WorldSettings {
        sandbox: &sandbox,
        require: testkit::inner::level(),
        program: &program,
        at_once: 4,
        inspects: false,
        updates: false,
        filter: filter.as_ref(),
    };
    let text = files["todo.toml"].replace("timeout_ms = 1500\n", "");
    let text = text.replace("[[story]]", &format!("[[story]]\ntimeout_ms = {timeout}"));
    let file = StoryFile::parse("todo.toml", &text).unwrap();
    let files: Arc<dyn PageFiles> = Arc::new(Faulty(files));
    let mut report = WorldReport::default();
    play_file(&testkit::ctx(), &settings, shared, &file, (&files, None), &mut report).unwrap();
    Some(report)
}

/// Reason of the failure that finds one fault.
fn found(shared: &mut SharedBrowser, fault: &(&str, &str, &str, &str)) -> Option<String> {
    let (name, from, to, story) = *fault;
    let mut files = page();
    let text = &files[name];
    assert_eq!(text.matches(from).count(), 1, "{name}: {from}");
    let text = text.replace(from, to);
    files.insert(name.to_owned(), text);
    let report = played(shared, files, (Some(story), 1_000))?;
    let result = &report.stories[0];
    assert!(!result.passed && result.reward < 1_000, "{fault:?}");
    let failure = result.failure.as_ref().unwrap();
    Some(format!("{to:?}: line {}: {}", failure.line, failure.reason))
}

#[test]
fn planted_faults_are_found_by_the_stories_that_should() {
    let whole = played(&mut SharedBrowser::default(), page(), (None, 10_000));
    let Some(whole) = whole else { return };
    assert_eq!((whole.failed, whole.reward), (0, 1_000), "{whole:#?}");
    let lines: Vec<String> = std::thread::scope(|scope| {
        let halves = FAULTS.chunks(FAULTS.len().div_ceil(2)).map(|faults| {
            scope.spawn(move || {
                let mut shared = SharedBrowser::default();
                faults.iter().filter_map(|it| found(&mut shared, it)).collect::<Vec<_>>()
            })
        });
        let halves: Vec<_> = halves.collect();
        halves.into_iter().flat_map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(lines.len(), FAULTS.len());
    expect![[r##"
        "<label> ": line 9: no field labelled "New task"
        "New task <label></label><input": line 9: no field labelled "New task"
        "<button id=\"add\" disabled>Add": line 13: button "Add" is disabled
        "<button id=\"add\" type=\"button\">Add": line 16: no listitem within list "Tasks"
        "<button id=\"add\"><i></i>": line 13: no button "Add"
        "": line 159: image-alt: image "/logo.svg"
        "": line 159: html-lang: `html` has no `lang`
        "": line 159: the title is "", not "Tasks"
        "<title>Task": line 159: the title is "Task", not "Tasks"
        "<h4>List</h4>": line 159: heading-order: heading "List" of level 4 follows level 1
        "id=\"count\"": line 5: exception: TypeError: Cannot set properties of null (setting 'textContent')
        "": line 69: no alert
        "": line 20: no status
        "": line 55: 1 elements are listitem, not 0
        "href=\"/helps.html\"": line 167: no heading
        "href=\"http://example.com/help.html\"": line 167: no heading
        "href=\"/help.html\" target=\"_blank\"": line 167: 2 elements are heading; add `nth` or `within`
        "/missing.css": line 5: request: http://story.localhost/missing.css (status 404)
        "": line 123: no dialog "Remove all tasks?"
        "<ul id=\"list\">": line 16: no list "Tasks"
        "": line 109: no group "Show"
        "#b0b0b0": line 159: contrast: Saved (2.2)
        "#add { position: relative } #add::after { } form { pointer-events: none } body {": line 13: button "Add" is covered by main
        "nav { position: fixed; inset: 0; z-index: 9 } body {": line 13: button "Add" is covered by nav
        "p { display: none }": line 20: no status
        "": line 39: the value of field labelled "New task" is "Buy tea", not ""
        "draw();": line 24: field labelled "New task" is not focused
        "draw();": line 98: field labelled "New task" is not focused
        "": line 78: its value is 2, not 1
        "`${tasks.length} open`": line 88: the text of status is "1 open", not "0 open"
        "tasks.filter((task) => task.done)": line 20: the text of status is "0 open", not "1 open"
        "text.textContent = task.txt": line 16: the text of listitem within list "Tasks" is "Remove", without "Buy tea"
        "task.done !== (show === \"done\")": line 110: the text of listitem is "TeaRemove", without "Milk"
        "\"false\"": line 111: the role tree has no `- button "Open" [pressed]`
        "": line 127: 1 elements are listitem, not 0
        "tasks.length = 0; undefined.x;": line 126: dialog is visible
        "$(\"sure\").show()": line 124: 1 elements are button "Add", not 0
        "$(\"no\").onclick = () => $(\"yes\").onclick()": line 141: button "Clear all" is not focused
        "tasks.splice(0, 0)": line 97: 1 elements are listitem, not 0
        "box.checked = false": line 87: checkbox "Done: Tea" is not checked
        "": line 150: events: `added tasks = 1` did not happen
        "tell(\"added\", { tasks: 0 });": line 150: events: `added tasks = 1` did not happen
        "}, 60000);": line 67: no text "Saved"
        "tell(\"saved\"); tell(\"cleared\");": line 150: `cleared` happened
        "sending = true; console.error(\"debug\");": line 5: console: debug
        "sending = true; fetch(\"http://example.com/track\").catch(() => {});": line 5: outside: http://example.com/track
        "sending = true; alert(\"added\");": line 5: dialog: alert: added
        "sending = true; for (;;);": line 13: the page does not answer within 5000 ms: does its code end?
        "Error 17": line 69: the text of alert is "Error 17", not "That task is there already."
        "": line 122: button "Clear all" is disabled
        "$(\"no\").onclick = () => {};": line 140: dialog is visible
        "tell(\"cleared\");": line 126: dialog is visible
        "autocomplete=\"off\" required disabled": line 9: field labelled "New task" is disabled
        "<button id=\"no\" autofocus>Keep": line 137: button "Remove" is not focused
        "if (false) {": line 69: no alert
        "": line 150: events: `saved` did not happen
        "": line 69: no alert
        "": line 96: no button "Remove: Tea"
        "": line 86: no checkbox "Done: Tea"
        "setTimeout(() => tell(\"added\", { tasks: tasks.length }), 60);": line 150: events: `saved` did not happen
    "##]].assert_eq(&(lines.join("\n") + "\n"));
}
