use graftage_repo::{Git, PastCommit};

use crate::support::{of, path};

fn commit(message: &str, files: &[&str]) -> PastCommit {
    let files = files.iter().map(|file| path(file)).collect();
    PastCommit { message: message.to_owned(), files }
}

#[test]
fn the_past_is_read_without_a_change_and_the_head_without_a_process() {
    let temp = testkit::crate_project(
        "
//- /src/lib.rs
pub mod a;
//- /src/a.rs
pub fn f() {}
",
    );
    let git = testkit::TestGit::init(temp.root());
    let b = of(temp);
    let write = |file: &str, text: &str| {
        std::fs::write(b.open().root().join(file), text).unwrap();
    };
    let past = |most: usize| {
        let project = b.open().with_git(Git::default());
        project.past(&b.ctx, &testkit::inner::sandbox(), most).unwrap()
    };
    assert_eq!(b.open().head_commit(), None);
    assert_eq!(past(9), None, "no commit yet");

    git.commit_all("Begin");
    write("src/a.rs", "pub fn g() {}\n");
    write("src/ö b.rs", "pub fn h() {}\n");
    git.commit_all("Call it g\n\nBecause f was taken.");
    write("README.md", "words\n");
    let head = git.commit_all("Say what it is");
    assert_eq!(b.open().head_commit(), Some(head.clone()));

    let found = past(9).unwrap();
    assert_eq!(found.head, head);
    let second = commit("Call it g\n\nBecause f was taken.", &["src/a.rs", "src/ö b.rs"]);
    assert_eq!(found.commits[0], second, "a commit without Rust is left out");
    assert_eq!((found.commits.len(), found.commits[1].message.as_str()), (2, "Begin"));
    assert_eq!(past(2).unwrap().commits, [second], "as many of the last as are asked for");
    assert_eq!(git.run(&["status", "--porcelain"]), "");
}
