//! A page with planted faults: each is found by the stories that should find it.

use std::collections::BTreeMap;
use std::sync::Arc;

use expect_test::expect;
use graftage_world::{
    PageFiles, SharedBrowser, StoryFile, StoryFilter, WorldReport, WorldSettings, play_file,
};

use crate::program;

/// Faults: the file, the text, what is in its place, and the story that finds it.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    ("todo.html", "<label>New task ", "<label> ", "a task is added by the button"),
    (
        "todo.html",
        "<label>New task <input",
        "New task <label></label><input",
        "a task is added by the button",
    ),
    (
        "todo.html",
        "<button id=\"add\">Add",
        "<button id=\"add\" disabled>Add",
        "a task is added by the button",
    ),
    (
        "todo.html",
        "<button id=\"add\">Add",
        "<button id=\"add\" type=\"button\">Add",
        "a task is added by the button",
    ),
    (
        "todo.html",
        "<button id=\"add\">Add",
        "<button id=\"add\"><i></i>",
        "a task is added by the button",
    ),
    ("todo.html", "alt=\"A tick\"", "", "the page has a title, names and enough contrast"),
    ("todo.html", " lang=\"en\"", "", "the page has a title, names and enough contrast"),
    ("todo.html", "<title>Tasks</title>", "", "the page has a title, names and enough contrast"),
    ("todo.html", "<title>Tasks", "<title>Task", "the page has a title, names and enough contrast"),
    (
        "todo.html",
        "<h2>List</h2>",
        "<h4>List</h4>",
        "the page has a title, names and enough contrast",
    ),
    ("todo.html", "id=\"saved\"", "id=\"count\"", "a task is added by the button"),
    ("todo.html", "role=\"alert\"", "", "a task that is there already is reported"),
    ("todo.html", "role=\"status\"", "", "a task is added by the button"),
    ("todo.html", " required", "", "an empty task is not added"),
    ("todo.html", "href=\"/help.html\"", "href=\"/helps.html\"", "help is a page of its own"),
    (
        "todo.html",
        "href=\"/help.html\"",
        "href=\"http://example.com/help.html\"",
        "help is a page of its own",
    ),
    (
        "todo.html",
        "href=\"/help.html\"",
        "href=\"/help.html\" target=\"_blank\"",
        "help is a page of its own",
    ),
    ("todo.html", "/todo.css", "/missing.css", "a task is added by the button"),
    ("todo.html", "aria-labelledby=\"question\"", "", "all tasks are removed after a question"),
    (
        "todo.html",
        "<ul id=\"list\" aria-label=\"Tasks\">",
        "<ul id=\"list\">",
        "a task is added by the button",
    ),
    ("todo.html", "role=\"group\" aria-label=\"Show\"", "", "only open tasks are shown"),
    ("todo.css", "#595959", "#b0b0b0", "the page has a title, names and enough contrast"),
    (
        "todo.css",
        "body {",
        "#add { position: relative } #add::after { } form { pointer-events: none } body {",
        "a task is added by the button",
    ),
    (
        "todo.css",
        "body {",
        "nav { position: fixed; inset: 0; z-index: 9 } body {",
        "a task is added by the button",
    ),
    (
        "todo.css",
        "[hidden] { display: none }",
        "p { display: none }",
        "a task is added by the button",
    ),
    (
        "todo.js",
        "$(\"text\").value = \"\";",
        "",
        "a task is added by the Enter key, and the field is ready for the next one",
    ),
    ("todo.js", "$(\"text\").focus();\n  draw();", "draw();", "a task is added by the button"),
    (
        "todo.js",
        "draw();\n          $(\"text\").focus();",
        "draw();",
        "a task is removed, and the focus is in the field",
    ),
    ("todo.js", "if (sending) return;", "", "two quick submissions add one task"),
    ("todo.js", "`${open} open`", "`${tasks.length} open`", "a task is done"),
    (
        "todo.js",
        "tasks.filter((task) => !task.done)",
        "tasks.filter((task) => task.done)",
        "a task is added by the button",
    ),
    (
        "todo.js",
        "text.textContent = task.text",
        "text.textContent = task.txt",
        "a task is added by the button",
    ),
    (
        "todo.js",
        "task.done === (show === \"done\")",
        "task.done !== (show === \"done\")",
        "only open tasks are shown",
    ),
    ("todo.js", "String(other === button)", "\"false\"", "only open tasks are shown"),
    ("todo.js", "tasks.length = 0;", "", "all tasks are removed after a question"),
    (
        "todo.js",
        "tasks.length = 0;",
        "tasks.length = 0; undefined.x;",
        "all tasks are removed after a question",
    ),
    (
        "todo.js",
        "$(\"sure\").showModal()",
        "$(\"sure\").show()",
        "all tasks are removed after a question",
    ),
    (
        "todo.js",
        "$(\"no\").onclick = () => $(\"sure\").close()",
        "$(\"no\").onclick = () => $(\"yes\").onclick()",
        "the question can be left by the keyboard, and the focus returns",
    ),
    (
        "todo.js",
        "tasks.splice(tasks.indexOf(task), 1)",
        "tasks.splice(0, 0)",
        "a task is removed, and the focus is in the field",
    ),
    ("todo.js", "box.checked = task.done", "box.checked = false", "a task is done"),
    (
        "todo.js",
        "tell(\"added\", { tasks: tasks.length });",
        "",
        "each task that is added is saved",
    ),
    (
        "todo.js",
        "tell(\"added\", { tasks: tasks.length });",
        "tell(\"added\", { tasks: 0 });",
        "each task that is added is saved",
    ),
    ("todo.js", "}, 30);", "}, 60000);", "a task that is there already is reported"),
    (
        "todo.js",
        "tell(\"saved\");",
        "tell(\"saved\"); tell(\"cleared\");",
        "each task that is added is saved",
    ),
    (
        "todo.js",
        "sending = true;",
        "sending = true; console.error(\"debug\");",
        "a task is added by the button",
    ),
    (
        "todo.js",
        "sending = true;",
        "sending = true; fetch(\"http://example.com/track\").catch(() => {});",
        "a task is added by the button",
    ),
    (
        "todo.js",
        "sending = true;",
        "sending = true; alert(\"added\");",
        "a task is added by the button",
    ),
    ("todo.js", "sending = true;", "sending = true; for (;;);", "a task is added by the button"),
    (
        "todo.js",
        "That task is there already.",
        "Error 17",
        "a task that is there already is reported",
    ),
    (
        "todo.js",
        "$(\"clear\").disabled = tasks.length === 0;",
        "",
        "all tasks are removed after a question",
    ),
];

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
        "\"false\"": line 111: the role tree has no `- group "Show":`
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
    "##]].assert_eq(&(lines.join("\n") + "\n"));
}
