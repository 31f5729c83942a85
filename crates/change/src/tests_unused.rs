//! Calls of a function that has become fallible whose value nothing uses, as text.

use std::sync::Arc;

use base::{Diagnostic, ProjectPath, Severity};
use edit::Overlay;

use crate::tests::{Tree, finished, marked, since};
use crate::{LeftBehind, intents, left_behind};

const PLAIN: &str = "struct E;\nstruct S;\nimpl S { fn dec_depth(&mut self) { } }\n";
const FALLIBLE: &str =
    "struct E;\nstruct S;\nimpl S { fn dec_depth(&mut self) -> Result<(), E> { Ok(()) } }\n";
const OPTION: &str =
    "struct E;\nstruct S;\nimpl S { fn dec_depth(&mut self) -> Option<()> { Some(()) } }\n";

/// The callers with the edits, and the places without one, as `what` or `what; unproven`. `$0…$1` marks
/// the calls that the compiler warns about.
fn left(before: &str, after: &str, callers: &str) -> (String, Vec<String>) {
    let (now, mut warnings) = marked(
        &format!("{after}{callers}"),
        "unused_must_use",
        "unused `Result` that must be used",
    );
    warnings.iter_mut().for_each(|it| it.severity = Severity::Warning);
    let base = format!("{before}{}", callers.replace("$0", "").replace("$1", ""));
    let (found, text) = left_in(&base, &now, &warnings);
    let shown = |it: &LeftBehind| match it.unproven {
        Some(why) => format!("{}; {why}", it.what),
        None => it.what.clone(),
    };
    let open = found.iter().filter(|it| it.splice.is_none());
    (text.strip_prefix(after).unwrap().to_owned(), open.map(shown).collect())
}

fn left_in(base: &str, now: &str, warnings: &[Diagnostic]) -> (Vec<LeftBehind>, String) {
    let (base, tree) = (Tree::of(&[("src/lib.rs", base)]), Tree::of(&[("src/lib.rs", now)]));
    let difference = since(&base, &tree);
    let files: Vec<(ProjectPath, Arc<str>)> =
        vec![(ProjectPath::new("src/lib.rs").unwrap(), now.into())];
    let found = left_behind(&difference, &intents(&difference), warnings, &files);
    let splices: Vec<_> =
        found.iter().filter_map(|it| Some((it.path.clone(), it.splice.clone()?))).collect();
    let overlay = Overlay::from_splices("t", base::Timestamp(0), &tree, &splices).unwrap();
    let text = overlay.changes().next().map_or(now.to_owned(), |it| it.1.after_text().to_owned());
    (found, text)
}

/// Checks that each call of the callers is passed on, marked ones only.
fn passes(after: &str, callers: &str, wanted: &str) {
    let (text, open) = left(PLAIN, after, callers);
    assert_eq!(text, wanted);
    assert_eq!(open, [""; 0], "{callers}");
}

/// Checks that the callers stay as they are, with these places.
fn stays(after: &str, callers: &str, wanted: &[&str]) {
    let (text, open) = left(PLAIN, after, callers);
    assert_eq!(text, callers.replace("$0", "").replace("$1", ""));
    assert_eq!(open, wanted, "{callers}");
}

#[test]
fn a_statement_passes_the_failure_on() {
    passes(
        FALLIBLE,
        "fn k(s: &mut S) -> Result<u8, E> {\n    // Back.\n    $0s.dec_depth()$1;\n    loop { $0s.dec_depth()$1; }\n}\n",
        "fn k(s: &mut S) -> Result<u8, E> {\n    // Back.\n    s.dec_depth()?;\n    loop { s.dec_depth()?; }\n}\n",
    );
    // On a chain, and as the last one of a block.
    passes(
        FALLIBLE,
        "fn k(c: &mut C) -> Result<(), Box<dyn Error>> { if c.a { $0c\n    .s(1)\n    .dec_depth()$1; }\n Ok(()) }\n",
        "fn k(c: &mut C) -> Result<(), Box<dyn Error>> { if c.a { c\n    .s(1)\n    .dec_depth()?; }\n Ok(()) }\n",
    );
    // An alias has the error.
    passes(
        &FALLIBLE.replace(", E>", ", Error>"),
        "fn k(c: &mut C) -> Result<()> { $0c.s.dec_depth()$1; Ok(()) }\n",
        "fn k(c: &mut C) -> Result<()> { c.s.dec_depth()?; Ok(()) }\n",
    );
    passes(
        FALLIBLE,
        "#[test]\nfn k() { $0S.dec_depth()$1; }\n",
        "#[test]\nfn k() { S.dec_depth().unwrap(); }\n",
    );
}

#[test]
fn a_value_inside_that_is_new_is_passed_on_too() {
    let base = "struct E;\nfn f(a: u8) { }\n";
    let now = "struct E;\nfn f(a: u8) -> Result<u8, E> { Ok(a) }\n";
    let (text, open) =
        left(base, now, "async fn k() -> Result<(), E> { $0f(1)$1; let _g = f(2); Ok(()) }\n");
    assert_eq!(text, "async fn k() -> Result<(), E> { f(1)?; let _g = f(2)?; Ok(()) }\n");
    assert_eq!(open, [""; 0]);
}

#[test]
fn a_caller_that_cannot_pass_the_failure_on_is_listed() {
    stays(
        FALLIBLE,
        "fn k(s: &mut S) {\n    $0s.dec_depth()$1;\n}\n",
        &["`k` returns `()` and cannot pass `Result<(),E>` on; it compiles, and a failure is lost"],
    );
    stays(
        FALLIBLE,
        "fn k(s: &mut S) -> Result<(), Other> {\n    $0s.dec_depth()$1;\n    Ok(())\n}\n",
        &[
            "`k` returns `Result<(), Other>` and cannot pass `Result<(),E>` on; it compiles, and a failure is lost",
        ],
    );
    stays(
        FALLIBLE,
        "fn k(s: &mut S) -> Option<()> {\n    let _a = s.dec_depth();\n    Some(())\n}\n",
        &[
            "`k` returns `Option<()>` and cannot pass `Result<(),E>` on; it compiles, and a failure is lost",
        ],
    );
}

#[test]
fn a_closure_and_an_async_block_pass_on_what_they_return() {
    let closure = |head: &str, call: &str, end: &str| {
        format!("fn k(s: &mut S) -> Result<(), E> {{ {head} {{ {call}; {end} }}); Ok(()) }}\n")
    };
    let warned = "$0s.dec_depth()$1";
    let lost = "the closure around the call of `dec_depth` passes nothing on; \
                it compiles, and a failure is lost";
    for head in ["run(|a, b|", "let g = (move ||", "let g = (async move", "run(|a| match a"] {
        let (call, end) = match head.ends_with("match a") {
            true => (format!("1 => {{ {warned}; }} _ => {{ }}"), ""),
            false => (warned.to_owned(), ""),
        };
        stays(FALLIBLE, &closure(head, &call, end).replace("; ; ", "; "), &[lost]);
    }
    for head in ["run(|a, b|", "let g = (move ||", "let g = (async move", "run(|| -> Result<(), E>"]
    {
        for end in ["Ok(())", "Ok::<(), E>(())"] {
            passes(FALLIBLE, &closure(head, warned, end), &closure(head, "s.dec_depth()?", end));
        }
    }
}

#[test]
fn an_ignored_failure_is_a_remark() {
    stays(
        FALLIBLE,
        "fn k(s: &mut S) -> Result<(), E> {\n    let _ = s.dec_depth();\n    Ok(())\n}\n",
        &["`let _ =` ignores the failure of `dec_depth`"],
    );
}

#[test]
fn an_assignment_to_nothing_is_a_remark() {
    stays(
        FALLIBLE,
        "fn k(s: &mut S) -> Result<(), E> {\n    _ = s.dec_depth();\n    Ok(())\n}\n",
        &["`_ =` ignores the failure of `dec_depth`"],
    );
    stays(
        FALLIBLE,
        "fn k(s: &mut S) { select! { a => { _ = s.dec_depth(); let _ = s.dec_depth(); } } }\n",
        &[
            "`_ =` ignores the failure of `dec_depth`",
            "`let _ =` ignores the failure of `dec_depth`",
        ],
    );
}

#[test]
fn an_arm_of_select_that_drops_the_value_is_listed() {
    let base = "struct E;\nstruct Shut;\nimpl Shut { async fn recv(&mut self) { } }\n\
                struct H { shut: Shut, other: Other }\nstruct O { shut: bool }\n";
    let now = base.replace("(&mut self) { }", "(&mut self) -> Result<(), E> { Ok(()) }");
    let lost = "a call of `recv` in a macro, which loses its failure; \
                no check covers it, and a failure is lost";
    let check = |caller: &str, count: usize| {
        let (text, open) = left(base, &now, caller);
        assert_eq!(text, caller);
        assert_eq!(open, vec![lost; count], "{caller}");
    };
    let within = |arms: &str| {
        format!(
            "impl H {{ async fn k(&mut self, shut: &mut Shut, b: Other) {{ let c = Shut::new(b); tokio::select! {{ {arms} }}; }} }}\n"
        )
    };
    check(&within("r = d.e() => r?, _ = self.shut.recv() => { return; }"), 1);
    check(&within("biased; _ = shut.recv() => f(),\n_ = c.recv().fuse(), if g => {}"), 2);
    check(&within("_ = d.e() => { h(); } _gone = Shut::recv(&mut c) => {}"), 1);
    // Another type, or a value that is used.
    check(&within("_ = self.other.recv() => {} _ = b.recv() => {}, _ = d.recv() => {}"), 0);
    check(&within("r = shut.recv() => r?, Ok(()) = shut.recv() => {}"), 0);
    check(&within("_ = async { shut.recv().await?; Ok(()) } => {}"), 0);
}

#[test]
fn an_option_is_passed_on_without_a_warning() {
    passes(
        OPTION,
        "fn k(s: &mut S) -> Option<u8> { s.dec_depth(); let _a = s.dec_depth(); None }\n",
        "fn k(s: &mut S) -> Option<u8> { s.dec_depth()?; let _a = s.dec_depth()?; None }\n",
    );
    stays(
        OPTION,
        "fn k(s: &mut S) -> Result<(), E> {\n    s.dec_depth();\n    Ok(())\n}\n",
        &[
            "`k` returns `Result<(), E>` and cannot pass `Option<()>` on; it compiles, and a failure is lost",
        ],
    );
    // A method of one word may be that of another type.
    let base = "struct S;\nimpl S { fn insert(&mut self, a: u8) { } }\n";
    let now = "struct S;\nimpl S { fn insert(&mut self, a: u8) -> Option<()> { None } }\n";
    let callers = |a: &str| {
        format!("fn k(c: C, s: S) -> Option<u8> {{ c.map.insert(1); s.insert(1){a}; None }}\n")
    };
    let (text, open) = left(base, now, &callers(""));
    assert_eq!(text, callers("?"));
    assert_eq!(open, [""; 0]);
}

#[test]
fn code_that_no_check_builds_is_listed() {
    let lost = "no check covers it, and a failure is lost";
    stays(
        FALLIBLE,
        "#[cfg(feature = \"a\")]\nfn k(s: &mut S) -> Result<(), E> { s.dec_depth(); Ok(()) }\n\
         macro_rules! down { ($s:expr) => { $s.dec_depth(); } }\n\
         fn l(s: &mut S) -> Result<(), E> { s.dec_depth(); Ok(()) }\n",
        &[
            &format!("a call of `dec_depth` that loses its failure; {lost}"),
            &format!("a call of `dec_depth` in a macro, which loses its failure; {lost}"),
        ],
    );
    stays(
        OPTION,
        "fn k(s: &mut S) -> Option<u8> { select! { a => { s.dec_depth(); } } None }\n",
        &[&format!("a call of `dec_depth` in a macro, which loses its failure; {lost}")],
    );
    stays(
        OPTION,
        "fn k(s: &mut S) -> Option<u8> { run!({ s.dec_depth(); }, select! { a => b(s.dec_depth()); }); None }\n",
        &[&format!("a call of `dec_depth` that loses its failure; {lost}")],
    );
}

#[test]
fn a_function_that_ignored_a_failure_before_is_left() {
    // The warning of the other one is older.
    let other = "struct T;\nimpl T { fn dec_depth(&self) -> Result<(), E> { Ok(()) } }\n";
    let (text, open) = left(
        &format!("{PLAIN}{other}"),
        &format!("{FALLIBLE}{other}"),
        "fn k(t: C) -> Result<(), E> { $0t.dec_depth()$1; Ok(()) }\n",
    );
    assert_eq!(text, "fn k(t: C) -> Result<(), E> { t.dec_depth(); Ok(()) }\n");
    assert_eq!(open, ["unused `Result` that must be used; it compiles, and a failure is lost"]);
    // A method is no call of a function.
    let base = "struct E;\nfn send() { }\n";
    let now = "struct E;\nfn send() -> Result<(), E> { Ok(()) }\n";
    let (text, open) = left(base, now, "fn k(t: T) -> Result<(), E> { $0t.send()$1; Ok(()) }\n");
    assert_eq!(text, "fn k(t: T) -> Result<(), E> { t.send(); Ok(()) }\n");
    assert_eq!(open, ["unused `Result` that must be used"]);
    // So did this one.
    let option = "struct E;\nfn f() -> Option<()> { None }\n";
    let now = "struct E;\nfn f() -> Result<(), E> { Ok(()) }\n";
    let (text, open) = left(option, now, "fn k() -> Result<(), E> { $0f()$1; Ok(()) }\n");
    assert_eq!(text, "fn k() -> Result<(), E> { f(); Ok(()) }\n");
    assert_eq!(open, ["unused `Result` that must be used"]);
}

#[test]
fn statements_follow_with_the_first_error_of_the_function() {
    let callers = |call: &str| {
        format!(
            "fn k(s: &mut S) -> Result<(), E> {{ s.dec_depth(){call}; let _a = s.dec_depth(){call}; Ok(()) }}\n"
        )
    };
    let (before, now) =
        (callers(""), "impl S { fn dec_depth(&mut self) -> $0Result<(), E>$1 { g(); }\n}\n");
    let old = "impl S { fn dec_depth(&mut self) { g(); }\n}\n";
    let found =
        finished(&format!("{old}{before}"), &format!("{now}{before}"), "E0308", "mismatched types");
    assert!(found.iter().any(|it| it.ends_with(&callers("?"))), "{found:#?}");
}
