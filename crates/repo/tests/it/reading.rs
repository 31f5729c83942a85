use std::os::unix::fs::symlink;
use std::sync::Arc;

use edit::{Files, Unreadable};
use graftage_repo::{Project, RepoError, Snapshot};

use crate::support::{bench, path};

#[test]
fn text_is_read_with_its_bytes_and_mode() {
    let b = bench("//- /a executable bom crlf\nx\n");
    let state = b.open().read(&path("a")).unwrap().unwrap();
    assert_eq!(&*state.text, "\u{feff}x\r\n");
    assert!(state.executable);
    assert_eq!(b.open().read(&path("none")), Ok(None));
    assert_eq!(b.open().read(&path("a/below/a/file")), Ok(None));
}

#[test]
fn what_is_no_text_of_the_project_is_refused() {
    let b = bench("//- /d/a\nx\n");
    b.temp.write("latin", b"\xe4");
    let outside = b.temp.beside("outside");
    std::fs::write(outside.join("secret"), "s").unwrap();
    symlink(outside.join("secret"), b.temp.path("link")).unwrap();
    symlink(&outside, b.temp.path("folder-link")).unwrap();
    symlink("d", b.temp.path("inner-link")).unwrap();
    let project = b.open();
    let read = |name| project.read(&path(name));
    assert_eq!(read("latin"), Err(Unreadable::NotUtf8));
    assert_eq!(read("link"), Err(Unreadable::Symlink));
    assert_eq!(read("folder-link/secret"), Err(Unreadable::Symlink));
    assert_eq!(read("inner-link/a"), Err(Unreadable::Symlink));
    assert_eq!(read("d"), Err(Unreadable::NotAFile));
}

#[test]
fn a_folder_that_is_not_there_is_no_project() {
    let b = bench("//- /file\nx\n");
    for name in ["none", "file"] {
        let err = Project::open(&b.ctx, &b.temp.path(name), b.dirs.clone()).unwrap_err();
        assert!(matches!(err, RepoError::Root { .. }), "{err}");
    }
}

#[test]
fn the_same_project_through_a_link_has_the_same_id() {
    let b = bench("//- /a\nx\n");
    let link = b.temp.beside("links").join("l");
    symlink(b.temp.root(), &link).unwrap();
    let other = Project::open(&b.ctx, &link, b.dirs.clone()).unwrap();
    assert_eq!(other.id(), b.open().id());
    assert_eq!(other.root(), b.temp.root());
}

#[test]
fn a_snapshot_holds_the_sources_and_nothing_else() {
    let b = bench(
        "//- /Cargo.toml\n//- /src/lib.rs\nx\n//- /.cargo/config.toml\n//- /.gitignore\n/gen\n*.log\n\
         //- /gen/a.rs\n//- /x.log\n//- /target/debug/a\n//- /src/target/mod.rs\n\
         //- /build/CACHEDIR.TAG\nSignature: 8a477f597d28d172789f06886806bc55\n//- /build/a.rs\n",
    );
    let git = b.temp.git();
    symlink("src/lib.rs", b.temp.path("link")).unwrap();
    let names = || -> Vec<String> {
        let snapshot = b.open().snapshot(&b.ctx).unwrap();
        snapshot.files.keys().map(ToString::to_string).collect()
    };
    // What git tracks is a source, whatever its folder looks like.
    let tracked = ["build/CACHEDIR.TAG", "build/a.rs", "target/debug/a"];
    assert!(tracked.iter().all(|it| names().iter().any(|name| name == it)), "{:?}", names());
    git.run(&["rm", "-rq", "--cached", "build", "target"]);
    assert_eq!(
        names(),
        [
            ".cargo/config.toml",
            ".gitignore",
            "Cargo.toml",
            "link",
            "src/lib.rs",
            "src/target/mod.rs"
        ]
    );
}

#[test]
fn a_snapshot_sees_contents_and_not_times() {
    let b = bench("//- /a\n1\n//- /b\n1\n//- /c\n1\n");
    let project = b.open();
    let before = project.snapshot(&b.ctx).unwrap();
    b.temp.write("a", "1\n");
    assert_eq!(project.snapshot(&b.ctx).unwrap(), before);
    b.temp.write("a", "2\n");
    b.temp.remove("b");
    b.temp.write("d", "");
    let after = project.snapshot(&b.ctx).unwrap();
    let mut all = ["a", "b", "c", "d"].map(path).to_vec();
    all.retain(|it| after.files.get(it) != before.files.get(it));
    assert_eq!(all, ["a", "b", "d"].map(path));
}

#[test]
fn big_files_have_the_hash_of_their_bytes() {
    let b = bench("//- /a\n");
    let big = vec![7; 9 << 20];
    b.temp.write("big", &big);
    let snapshot = Snapshot::of_folder(&b.ctx, b.temp.root()).unwrap();
    assert_eq!(snapshot.files[&path("big")], base::ContentHash::of(&big));
}

#[test]
fn a_snapshot_that_the_user_stops_ends() {
    let b = bench("//- /a\n");
    let host = testkit::TestHost::new();
    let project = b.open();
    host.cancel();
    let err = project.snapshot(&host.ctx()).unwrap_err();
    assert!(matches!(err, RepoError::Cancelled(_)), "{err}");
}

#[test]
fn a_source_that_git_ignores_is_part_of_the_tree_and_of_no_snapshot() {
    let b = bench(
        "//- /.gitignore\n/target\n/gen\n/node\n/more\n*.log\n//- /Cargo.toml\n//- /src/lib.rs\n//- \
         /gen/code.rs\nfn a() {}\n//- /gen/deep/b.rs\n//- /src/a.log\n//- /target/debug/x.rs\n//- \
         /node/.git/HEAD\n//- /node/x.rs\n//- /.hid/x.rs\n//- /more/.cargo-checksum.json\n//- /more/lib.rs\n",
    );
    let project = b.open();
    let tree = || project.tree_state(&b.ctx, &Arc::default()).unwrap().0;
    let before = tree();
    let ignored: Vec<&str> = before.ignored().keys().map(|it| it.as_str()).collect();
    assert_eq!(ignored, ["gen/code.rs", "gen/deep/b.rs"]);
    let snapshot = project.snapshot(&b.ctx).unwrap();
    assert!(!snapshot.files.keys().any(|it| it.as_str().starts_with("gen/")));
    b.temp.write("gen/code.rs", "fn b() {}\n");
    b.temp.write("src/a.log", "line\n");
    assert_ne!(tree().hash(), before.hash());
    assert_eq!(tree().changed_since(&before), ["gen/code.rs"]);
    b.temp.write("gen/code.rs", "fn a() {}\n");
    assert_eq!(tree(), before);
}

#[test]
fn what_a_configuration_of_git_includes_leads_there() {
    let b = bench("//- /team.gitconfig\n//- /more.gitconfig\n//- /a\n");
    b.temp.git();
    let plain = std::fs::read_to_string(b.temp.path(".git/config")).unwrap();
    let named = |added: &str| {
        b.temp.write(".git/config", format!("{plain}{added}"));
        let (tree, _) = b.open().tree_state(&b.ctx, &Arc::default()).unwrap();
        let links = tree.links().iter().filter(|it| it.0.as_str().starts_with(".git/config-"));
        links.map(|it| it.1.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(named(""), "");
    b.temp.write("team.gitconfig", "[include]\n\tpath = more.gitconfig\n");
    assert_eq!(named("[include]\n\tpath = ../team.gitconfig\n"), "more.gitconfig team.gitconfig");
    // One that is made later.
    assert_eq!(named("[include]\n\tpath = ../later.gitconfig\n"), "later.gitconfig");
}

#[test]
fn the_texts_that_git_runs_are_hooks_and_values_of_its_configuration() {
    let b = bench("//- /tools/clean.sh\n//- /a\n");
    b.temp.git();
    let plain = std::fs::read_to_string(b.temp.path(".git/config")).unwrap();
    let texts = |added: &str| {
        b.temp.write(".git/config", format!("{plain}{added}"));
        let (tree, _) = b.open().tree_state(&b.ctx, &Arc::default()).unwrap();
        let texts = tree.outside().texts().iter().filter(|it| it.by == ".git");
        let text = |it: &policy::OutsideText| it.text.as_deref().unwrap_or("unread").to_owned();
        texts.map(text).collect::<Vec<_>>()
    };
    let before = texts("");
    let added = |added: &str| {
        let mut now = texts(added);
        now.retain(|it| !before.contains(it));
        now.join(" | ")
    };
    assert_eq!(added("[filter \"x\"]\n\tclean = sh tools/clean.sh %f\n"), "sh tools/clean.sh %f");
    assert_eq!(added("[alias]\n\tx = \"!sh -c 'word'\"\n"), "!sh -c 'word'");
    assert_eq!(
        added("[remote \"o\"]\n\turl = https://u:p@example.org/a\n[user]\n\tname = n\n"),
        ""
    );
    b.temp.write(".git/hooks/pre-commit", "exec ./tools/clean.sh\n");
    b.temp.write(".git/hooks/pre-commit.d/more", "sh docs/x.md\n");
    b.temp.write(".git/hooks/x.sample", "no\n");
    assert_eq!(added(""), "exec ./tools/clean.sh\n | sh docs/x.md\n");
    let large = vec![b'x'; 17 << 20];
    b.temp.write(".git/hooks/pre-commit", &large);
    assert_eq!(added(""), "unread | sh docs/x.md\n");
}

/// Files that git may run as hooks, by the links of the tree.
fn hooks(b: &crate::support::Bench) -> Vec<String> {
    let (tree, _) = b.open().tree_state(&b.ctx, &Arc::default()).unwrap();
    let links = tree.links().iter().filter(|it| it.0.as_str().starts_with(".git/hooks"));
    links.map(|it| it.1.to_string()).collect()
}

#[test]
fn the_folder_that_git_takes_hooks_from_is_what_its_own_folder_leads_to() {
    let b = bench("//- /scripts/hooks/pre-commit\n//- /a\n");
    let git = b.temp.git();
    assert_eq!(hooks(&b), [""; 0]);
    let plain = std::fs::read_to_string(b.temp.path(".git/config")).unwrap();
    b.temp.write(".git/more", "[core]\n\thooksPath = scripts/hooks\n");
    for spelled in [
        "[core]\n\thooksPath = scripts/hooks\n",
        "[CORE]hooksPath=\"scripts/hooks/\"\n",
        "[core] ; c\n\thooksPath = scripts/\\\nhooks # x\n",
        "[core]\n\thooksPath = \"scripts\"/./x/../hooks ; c\n",
        "[include]\n\tpath = more\n",
        "[includeIf \"onbranch:x\"]\n\tpath = more\n",
    ] {
        b.temp.write(".git/config", format!("{plain}{spelled}"));
        assert_eq!(hooks(&b), ["scripts/hooks"], "{spelled}");
    }
    b.temp.write(".git/config", &plain);
    b.temp.write(".git/config.worktree", "[core]\n\thooksPath = scripts/hooks\n");
    assert_eq!(hooks(&b), ["scripts/hooks"]);
    // A folder outside, and one that is not there yet.
    std::fs::remove_file(b.temp.path(".git/config.worktree")).unwrap();
    git.run(&["config", "core.hooksPath", "/tmp"]);
    assert_eq!(hooks(&b), [""; 0]);
    git.run(&["config", "core.hooksPath", "new/hooks"]);
    assert_eq!(hooks(&b), ["new/hooks"]);
    // The hooks of the root are files beside others.
    git.run(&["config", "core.hooksPath", "."]);
    let at_root = hooks(&b);
    assert!(at_root.contains(&"pre-push".to_owned()) && !at_root.contains(&"a".to_owned()));
}

#[test]
fn a_hook_that_is_a_link_into_the_project_leads_there() {
    let b = bench("//- /scripts/hooks/pre-commit\n//- /a\n");
    b.temp.git();
    let own = b.temp.path(".git/hooks");
    std::fs::create_dir_all(&own).unwrap();
    symlink("../../scripts/hooks/pre-commit", own.join("pre-commit")).unwrap();
    symlink("/bin/true", own.join("pre-push")).unwrap();
    symlink("../../scripts/new", own.join("post-merge")).unwrap();
    assert_eq!(hooks(&b), ["scripts/new", "scripts/hooks/pre-commit"]);
    std::fs::remove_dir_all(&own).unwrap();
    symlink("../scripts/hooks", &own).unwrap();
    assert_eq!(hooks(&b), ["scripts/hooks"]);
}

#[test]
fn a_source_that_is_a_pipe_or_a_device_is_named_and_not_waited_for() {
    let b = bench("//- /Cargo.toml\n//- /.gitignore\ngen\n//- /a/x.rs\n//- /gen/x.rs\n");
    let pipe = |name: &str| {
        let path = b.temp.path(name);
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
    };
    pipe("gen/Cargo.toml");
    pipe("a/other");
    assert_eq!(b.open().snapshot(&b.ctx).unwrap().files.len(), 3);
    for name in ["a/Cargo.toml", "a/y.rs", "Cargo.lock"] {
        pipe(name);
        let error = b.open().snapshot(&b.ctx).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
        std::fs::remove_file(b.temp.path(name)).unwrap();
    }
    // A link to a device is one; other names are no sources.
    std::os::unix::fs::symlink("/dev/zero", b.temp.path("a/z")).unwrap();
    std::os::unix::fs::symlink("x.rs", b.temp.path("a/l.rs")).unwrap();
    assert_eq!(b.open().snapshot(&b.ctx).unwrap().files.len(), 5);
    std::os::unix::fs::symlink("/dev/zero", b.temp.path("a/z.rs")).unwrap();
    let error = b.open().snapshot(&b.ctx).unwrap_err().to_string();
    assert!(error.contains("a/z.rs"), "{error}");
}

#[test]
fn a_file_of_any_size_is_named_and_not_read() {
    let b = bench("//- /a\n");
    let state = || b.open().tree_state(&b.ctx, &Arc::default()).map(|it| it.0.files().len());
    assert_eq!(state().unwrap(), 1);
    let big = std::fs::File::create(b.temp.path("big.rs")).unwrap();
    // A sparse file, without blocks on the disk.
    big.set_len(120 << 30).unwrap();
    let error = state().unwrap_err().to_string();
    assert!(error.contains("big.rs") && error.contains("larger than"), "{error}");
    assert!(b.open().snapshot(&b.ctx).is_err());
}
