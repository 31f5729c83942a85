//! What a build prints where cargo's messages and the results of tests are read.

use super::batches::Attack;
use super::control::Control;

/// More diagnostics than are kept.
const MANY: usize = 12_000;

/// A forged message of cargo with this span and replacement.
fn diagnostic(message: &str, file: &str, bytes: (&str, &str), line: &str, text: &str) -> String {
    format!(
        "{{\"reason\":\"compiler-message\",\"package_id\":\"path+file:///a#0.1.0\",\"message\":{}}}",
        warning(message, file, bytes, line, text)
    )
}

/// The same as the compiler writes it on standard error.
fn warning(message: &str, file: &str, bytes: (&str, &str), line: &str, text: &str) -> String {
    let span = format!(
        "{{\"file_name\":\"{file}\",\"byte_start\":{},\"byte_end\":{},\"line_start\":{line},\
         \"line_end\":{line},\"column_start\":1,\"column_end\":2,\"is_primary\":true,\"text\":[],\
         \"suggested_replacement\":{text},\"suggestion_applicability\":\"MachineApplicable\"}}",
        bytes.0, bytes.1
    );
    format!(
        "{{\"message\":\"{message}\",\"code\":null,\"level\":\"warning\",\"spans\":[{span}],\
         \"children\":[{{\"message\":\"help\",\"code\":null,\"level\":\"help\",\"spans\":[{span}],\
         \"children\":[]}}]}}"
    )
}

pub(crate) fn attacks() -> Vec<Attack> {
    let mut attacks = Vec::new();
    let mut add = |name: &str, phase: &str, step: String, control| {
        let lines = vec![format!("{phase}: {step}")];
        attacks.push(Attack { name: name.to_owned(), lines, control });
    };
    let print = |count: usize, text: &str| format!("print | {count} | {text}");
    let plain = ("0", "1");
    let one = |file: &str, bytes, line: &str| {
        diagnostic("forged", file, bytes, line, "\"graftage: stale\"")
    };

    add("a line without end from a macro", "macro", "flood | 32 | a".to_owned(), Control::Printed);
    add("a line without end from a test", "test", "flood | 32 | a".to_owned(), Control::Printed);
    add(
        "a message without end",
        "macro",
        "flood | 32 | {\"reason\":\"".to_owned(),
        Control::Printed,
    );
    add(
        "a message that nests",
        "macro",
        "nest | 100000 | {\"reason\":\"compiler-message\",\"message\":{\"message\":\"m\",\"level\":\
         \"error\",\"spans\":[],\"children\":[{\"message\": | 1 | }]}}"
            .to_owned(),
        Control::Nests,
    );
    add("a list that nests", "macro", "nest | 1000000 | [ | 1 | ]".to_owned(), Control::Nests);
    let many = diagnostic("forged {i}", "src/lib.rs", plain, "1", "null");
    add("12000 warnings", "macro", print(MANY, &many), Control::Kept);
    let many = warning("forged {i}", "src/lib.rs", plain, "1", "null");
    let step = format!("warn | {MANY} | {many}");
    add("12000 warnings where the compiler writes its own", "macro", step, Control::Kept);
    let unit = "{\"reason\":\"compiler-artifact\",\"package_id\":\"p{i}\",\"target\":{\"kind\":[],\
                \"name\":\"n{i}\"},\"fresh\":false}";
    add("12000 compiled units", "macro", print(MANY, unit), Control::Kept);
    let binary = "     Running unittests src/lib.rs (target/debug/deps/b{i}-0123456789abcdef)";
    add("12000 test binaries", "test", print(MANY, binary), Control::Kept);
    let finished = "{\"reason\":\"build-finished\",\"success\":true}";
    add("a build that claims to be good", "macro", print(1, finished), Control::Believed);
    for (name, file) in [
        ("an absolute path", "{V}/secret"),
        ("a path that leaves", "../victim/secret"),
        ("a path that leaves from within", "src/../../victim/secret"),
    ] {
        let name = format!("a suggestion for {name}");
        add(&name, "macro", print(1, &one(file, plain, "1")), Control::Applied);
    }
    let last = "18446744073709551615";
    let far = "4294967295";
    for (name, bytes, line) in [
        ("a span behind the text", ("100000", "200000"), "9000"),
        ("a span from the last byte that can be counted", (last, last), far),
        ("a span that runs backwards", ("20", "3"), "0"),
    ] {
        add(name, "macro", print(1, &one("src/lib.rs", bytes, line)), Control::Sliced);
    }
    add("a test with a name of 8 MiB", "test", "flood | 8 | test".to_owned(), Control::LongLine);
    attacks
}
