//! The terminal interface as a person uses it: the real program on a pseudo terminal, and in lines.

#![allow(clippy::unwrap_used, reason = "a test that fails ends")]

use std::time::Duration;

use rustix::process::Signal;
use testkit::{Chance, TempProject};

use crate::support::{graftage, graftage_with_input};
use crate::terminal::TestTerminal;

const LIB: &str = "/// One.\npub fn one() -> u8 {\n    1\n}\n\n/// Two.\npub fn two() -> u8 {\n    2\n}\n\n\
                   /// Three.\npub fn three() -> u8 {\n    one() + two()\n}\n\n#[test]\nfn sums() {\n    \
                   assert_eq!(three(), 3);\n}\n";

fn project() -> TempProject {
    let project = testkit::crate_project("\n//- /src/lib.rs\n");
    project.write("src/lib.rs", LIB);
    project
}

/// Proposes two changes of one file, far apart; returns the id.
fn propose_two(project: &TempProject) -> String {
    let block = |old: &str, new: &str| {
        format!("src/lib.rs\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n")
    };
    let text = block("    1\n}\n\n/// Two.", "    2 - 1\n}\n\n/// Two.")
        + &block("    one() + two()", "    two() + one()");
    let file = project.beside("requests").join("edit");
    std::fs::write(&file, text).unwrap();
    let file = file.display().to_string();
    let proposed = graftage(project, &["edit", "propose", &file, "--json"]);
    proposed.json()["proposals"][0]["id"].as_str().unwrap().to_owned()
}

/// Gives the focus to the request that waits, and answers it with yes.
fn answer_yes(terminal: &mut TestTerminal) {
    terminal.keys("\x19");
    terminal.wait_for("y yes   n no   esc later");
    terminal.read_for(Duration::from_millis(150));
    terminal.keys("y");
}

fn lib(project: &TempProject) -> String {
    std::fs::read_to_string(project.root().join("src/lib.rs")).unwrap()
}

#[test]
fn from_a_broken_crate_to_an_accepted_change_and_its_undo() {
    let project = project();
    let broken = LIB.replace("pub fn two() -> u8", "pub fn second() -> u8");
    project.git().commit_all("before");
    project.write("src/lib.rs", &broken);
    let mut terminal = TestTerminal::start(&project, &[], (80, 24));
    terminal.wait_for("fix, finish");
    terminal.keys("finish\r");
    terminal.wait_for("finish  1 of 1 part  proven: 1 test passed, 0 failed");
    assert_eq!(lib(&project), broken, "nothing is written yet");
    terminal.keys("A");
    terminal.wait_for("Write this change to the project?");
    // A person who types on answers nothing.
    terminal.keys("\x1b");
    terminal.read_for(Duration::from_millis(400));
    terminal.keys(":y yes\x15");
    terminal.read_for(Duration::from_millis(400));
    assert_eq!(lib(&project), broken, "letters of the prompt are no answer");
    answer_yes(&mut terminal);
    terminal.wait_for("applied as");
    assert!(lib(&project).contains("one() + second()"));
    terminal.keys("\x1b5");
    terminal.wait_for("applied src/lib.rs");
    terminal.keys("u");
    terminal.wait_for("Undo this change?");
    terminal.read_for(Duration::from_millis(400));
    answer_yes(&mut terminal);
    terminal.wait_for("is undone");
    assert_eq!(lib(&project), broken);
    terminal.keys("\x11");
    assert_eq!(terminal.wait(), Some(0));
}

#[test]
fn a_part_is_proven_and_taken_and_the_rest_stays_a_proposal() {
    let project = project();
    let id = propose_two(&project);
    let mut terminal = TestTerminal::start(&project, &[&format!("open {id}")], (80, 24));
    terminal.wait_for("2 of 2 parts  not proven");
    terminal.keys(" ");
    terminal.wait_for("1 of 2 parts  not proven");
    terminal.keys("A");
    terminal.wait_for("exactly this part is not proven yet");
    terminal.keys("t");
    terminal.wait_for("1 of 2 parts  proven");
    terminal.keys("A");
    terminal.wait_for("1 of 2 parts");
    terminal.wait_for("Write this change to the project?");
    terminal.read_for(Duration::from_millis(400));
    answer_yes(&mut terminal);
    // What was left out is under review at once.
    terminal.wait_for("1 of 1 part  not proven");
    let text = lib(&project);
    assert!(text.contains("    1\n") && text.contains("two() + one()"), "{text}");
    terminal.keys("\x11");
    assert_eq!(terminal.wait(), Some(0));
    let open = graftage(&project, &["edit", "list", "--json"]).json();
    let open = open["proposals"].as_array().unwrap();
    assert_eq!(open.len(), 1, "{open:#?}");
    assert!(open[0]["diff"].as_str().unwrap().contains("+    2 - 1"), "{open:#?}");
}

#[test]
fn edits_survive_a_kill() {
    let project = project();
    let mut chance = Chance::new(7);
    let before = project.digest();
    for run in 0..4 {
        let id = propose_two(&project);
        let mut terminal = TestTerminal::start(&project, &[&format!("open {id}")], (80, 24));
        terminal.wait_for("2 of 2 parts");
        terminal.keys("e");
        terminal.wait_for("esc ends the edit");
        let mark = format!("// run {run} ");
        terminal.keys(&mark);
        terminal.read_for(Duration::from_millis(600));
        // The pause has passed: what follows may be lost, what was typed before may not.
        terminal.read_for(Duration::from_millis(300));
        terminal.keys("more");
        terminal.read_for(Duration::from_millis(chance.below(500)));
        terminal.kill();
        assert_eq!(project.digest(), before, "the tree");
        let open = graftage(&project, &["edit", "list", "--json"]).json();
        let newest = open["proposals"][0]["diff"].as_str().unwrap();
        assert!(newest.contains(mark.trim_end()), "{newest}");
    }
}

#[test]
fn sizes_pastes_and_signals_leave_the_terminal_as_it_was() {
    let project = project();
    let mut terminal = TestTerminal::start(&project, &[], (80, 24));
    terminal.wait_for("fix, finish");
    for step in 0..40_u16 {
        terminal.resize(20 + step * 4, 5 + step);
        terminal.read_for(Duration::from_millis(5));
    }
    terminal.resize(80, 24);
    terminal.wait_for("? shows the keys");
    let lines: String = (0..10_000).map(|it| format!("line {it}\r")).collect();
    terminal.keys("\x1b[200~");
    for part in lines.as_bytes().chunks(1_000) {
        terminal.keys(std::str::from_utf8(part).unwrap());
        terminal.read_for(Duration::ZERO);
    }
    terminal.keys("\x1b[201~");
    terminal.wait_for("line 9999");
    terminal.keys("\x03");
    terminal.wait_for("? shows the keys");
    terminal.signal(Signal::TERM);
    assert_eq!(terminal.wait(), Some(0));

    let mut terminal = TestTerminal::start(&project, &[], (80, 24));
    terminal.wait_for("fix, finish");
    assert!(terminal.hang_up().is_some(), "it ends with its terminal");
}

#[test]
fn the_same_in_lines_from_a_pipe() {
    let project = project();
    let id = propose_two(&project);
    let input = format!("open {id}\nleave 1\ncheck\naccept\n1\nhistory\nundo\n1\n");
    let result = graftage_with_input(&project, &["tui", "--plain"], &input);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{result:#?}");
    let expected = [
        "part 1 (taken):",
        "1 of 2 parts",
        "proven: builds, tests not run; exactly this part may be accepted",
        "Write this change to the project?",
        "1. yes",
        "applied as",
        "what was left out is proposal",
        "1 written change",
        "Undo this change?",
        "is undone: src/lib.rs",
    ];
    let mut rest = result.stdout.as_str();
    for text in expected {
        let at = rest.find(text).unwrap_or_else(|| panic!("no `{text}` in {}", result.stdout));
        rest = &rest[at + text.len()..];
    }
    assert_eq!(lib(&project), LIB);
}

#[test]
fn keys_of_the_settings_are_listed_and_conflicts_named() {
    let project = project();
    let listed = graftage(&project, &["tui", "--keys", "--config", "tui.keys=accept=ctrl-a"]);
    assert!(listed.stdout.contains("  ctrl-a         accept"), "{listed:#?}");
    let refused = graftage(&project, &["tui", "--keys", "--config", "tui.keys=accept=t"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("the key `t` is for both"), "{refused:#?}");
}

#[test]
fn the_steps_of_a_task_are_taken_one_by_one() {
    let project = project();
    project.git().commit_all("before");
    let task = "task 1. rename `one` to `first` 2. rename `two` to `second`";
    let lines = [task, "accept", "1", "accept", "1", "plans", "quit"].join("\n");
    let result = graftage_with_input(&project, &["tui", "--plain"], &lines);
    assert_eq!(result.status, 0, "{result:#?}");
    assert!(lib(&project).contains("first() + second()"), "{result:#?}");
    assert_eq!(result.stdout.matches("applied as").count(), 2, "{result:#?}");
    assert!(result.stdout.contains("the next step of the plan"), "{result:#?}");
    let plans = result.stdout.rsplit("> plans").next().unwrap();
    assert_eq!(plans.matches("[x]").count(), 3, "{result:#?}");
}
