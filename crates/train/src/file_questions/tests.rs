//! Questions about small made-up crates, one line each.

use super::sources::Sources;
use super::{FileQuestion, questions_about};

/// The questions of some kinds.
fn questions(files: &[(&str, &str)], guide: &str, kinds: &[&str]) -> String {
    let texts = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let sources = Sources::of("my-app", texts.collect(), vec![guide.to_owned()]);
    let line = |it: &FileQuestion| {
        let blank = it.blank.as_ref().map(|(file, range)| format!(" (blank {file} {range:?})"));
        let files = it.files.join(", ");
        format!("{}: {} -> {files}{}\n", it.kind.as_str(), it.text, blank.unwrap_or_default())
    };
    let all = questions_about(&sources);
    all.iter().filter(|it| kinds.contains(&it.kind.as_str())).map(line).collect()
}

#[test]
fn module_docs_ask_for_their_file_and_are_blanked() {
    let text = "// Licence.\n#![no_std]\n//! # Title\n//!\n//! Reads the lock file\n//! of a project. More.\n//!\n//! Other.\nfn f() {}\n//! no docs\n";
    assert_eq!(
        questions(&[("src/lock.rs", text), ("tests/a.rs", text)], "", &["module", "how"]),
        "module: Reads the lock file of a project. -> src/lock.rs (blank src/lock.rs 39..86)\n\
         how: what reads the lock file of a project? -> src/lock.rs (blank src/lock.rs 39..86)\n"
    );
}

#[test]
fn names_ask_for_the_definition_and_paths_for_both_files() {
    let files = [
        ("src/lib.rs", "mod a;\npub use a::Reader;\npub struct Twice;\n"),
        ("src/a.rs", "pub struct Reader;\npub enum Twice {}\nfn hidden() {}\n"),
    ];
    assert_eq!(
        questions(&files, "", &["name", "presented"]),
        "name: Reader -> src/a.rs\npresented: my_app::Reader -> src/a.rs, src/lib.rs\n"
    );
}

#[test]
fn sentences_of_guides_lose_the_name_that_they_mention() {
    let files = [("src/a.rs", "pub struct Reader;\n")];
    let guide = "# Reader\n\nUse [`Reader`](https://x) to take one record after the other from disk. No.\n\
                 ```\nlet a = `Reader` of all the records here on disk;\n```\n";
    assert_eq!(
        questions(&files, guide, &["guide", "how"]),
        "guide: Use to take one record after the other from disk -> src/a.rs\n\
         how: where is the code for use to take one record after the other from disk? -> src/a.rs\n"
    );
}

#[test]
fn messages_ask_for_what_raises_them() {
    let files = [
        (
            "src/error.rs",
            "enum Error {\n    #[error(\"cannot open file {0:?} of {{x}}\")]\n    /// Docs.\n    Open(String),\n}\n",
        ),
        (
            "src/io.rs",
            "fn f() {\n    // panic!(\"not at all a message\")\n    panic!(\"the lock is \\\n        poisoned for ever\");\n    Err(Error::Open(x))\n}\n\
             fn g() {\n    match e {\n        Error::Open(_) => 1,\n    }\n}\n\
             #[test]\nfn t() { panic!(\"this is only a test\") }\n",
        ),
        ("src/see.rs", "fn g() {\n    match e {\n        Error::Open(_) => 1,\n    }\n}\n"),
    ];
    assert_eq!(
        questions(&files, "", &["message"]),
        "message: cannot open file 42 of {x} -> src/io.rs\n\
         message: the lock is poisoned for ever -> src/io.rs\n"
    );
}
