//! What processes write into a view, and what the host finds of it afterwards.

use std::sync::Arc;

use edit::Overlay;
use graftage_repo::{Project, ShownFiles, Strategy, ViewOptions};
use policy::TreeInputs;

use crate::support::{Bench, bench, overlay, path};
use crate::views::{each_strategy, materialise, run_in, write_in};

const CRATE: &str = "//- /Cargo.toml\nm\n//- /Cargo.lock\nl\n//- /src/lib.rs\nold\n\
    //- /src/sub/m.rs\nm\n//- /d/gone\ng\n//- /.gitignore\nignored.rs\n//- /ignored.rs\ni\n";

fn change(project: &Project) -> Overlay {
    overlay(
        project,
        &[("src/lib.rs", Some("new\n")), ("d/gone", None), ("src/n/x.rs", Some("x\n"))],
    )
}

/// The files of a view after a script, which is checked to have done what it is for.
fn after(script: &str, options: &ViewOptions, may_write: bool) -> (ShownFiles, Overlay, Bench) {
    let b = bench(CRATE);
    let project = b.open();
    let change = change(&project);
    let made = materialise(&b, &project, &change, options).unwrap();
    let (tree, _) = project.tree_state(&b.ctx, &Arc::new(TreeInputs::default())).unwrap();
    let script = format!("{script}\n[ $? = 0 ] && echo done");
    match may_write {
        true => assert_eq!(write_in(&b, &made, &script), "done\n", "{script}: {options:?}"),
        false => assert!(!run_in(&b, &made, &script).contains("done"), "{script}: {options:?}"),
    }
    let found = made.compare(&change, &tree).unwrap();
    (found, change, b)
}

/// Scripts, and one of the files that each alters.
const ALTERS: [(&str, &str); 16] = [
    ("echo x > src/lib.rs", "src/lib.rs"),
    ("cp src/lib.rs k && echo x > src/lib.rs && cat k > src/lib.rs", "src/lib.rs"),
    ("cp -p src/lib.rs k && rm src/lib.rs && cp -p k src/lib.rs", "src/lib.rs"),
    ("touch -r Cargo.toml src/lib.rs", "src/lib.rs"),
    ("rm src/sub/m.rs", "src/sub"),
    ("rm src/sub/m.rs && ln -s ../lib.rs src/sub/m.rs", "src/sub"),
    ("ln src/sub/m.rs h && echo x > h", "src/sub"),
    ("mv src kept && cp -r kept src && echo x > src/lib.rs", "src"),
    ("mv src kept && mkdir src && echo x > src/lib.rs && rm -r src && mv kept src", "src"),
    ("mv src/sub kept && mkdir src/sub && rmdir src/sub && mv kept src/sub", "src/sub"),
    ("rm -r src/sub && mkdir src/sub && echo x > src/sub/other.rs", "src/sub"),
    ("rm -r src/sub && ln -s n src/sub", "src/sub"),
    ("echo x >> Cargo.toml", "Cargo.toml"),
    ("echo x > Cargo.lock", "Cargo.lock"),
    ("mkdir .cargo && echo x > .cargo/config.toml", ".cargo"),
    ("mkdir -p a/b && echo x > a/b/Cargo.toml", "a/b/Cargo.toml"),
];

#[test]
fn a_process_in_a_view_writes_no_file_of_it() {
    each_strategy(|options| {
        // Landlock alone lets a process set times and modes, and changes no content by that.
        for (script, _) in ALTERS.iter().filter(|it| !it.0.starts_with("touch")) {
            // Control: with a layer the same script works, below.
            let (found, change, _b) = after(&format!("({script}) 2>/dev/null"), &options, false);
            assert_eq!(found.patch_set, change.patch_set(), "{script}: {options:?}");
            assert_eq!((found.altered.len(), found.made.len()), (0, 0), "{script}: {found:?}");
        }
    });
}

#[test]
fn every_way_to_change_what_is_compiled_is_found_also_if_it_is_restored() {
    each_strategy(|options| {
        for (script, file) in ALTERS {
            let (found, _, _b) = after(script, &options, true);
            let is_named = found.altered.iter().any(|it| it.starts_with(file));
            assert!(is_named, "{script}: {found:?} {options:?}");
        }
    });
}

#[test]
fn generated_files_are_no_files_of_the_candidate() {
    each_strategy(|options| {
        let script = "mkdir out && echo x > out/made.rs && echo x > ignored.rs";
        let (found, change, _b) = after(script, &options, true);
        let made = ["ignored.rs", "out/made.rs"].map(str::to_owned);
        assert_eq!(found.patch_set, change.patch_set());
        assert_eq!((found.altered.len(), found.made), (0, made.into()), "{options:?}");
        // Beside sources only a layer distinguishes them from a folder that was replaced for a time.
        let (found, _, _b) = after("echo x > src/made.rs", &options, true);
        let expected = match options.strategy {
            Some(Strategy::OverlayMount) => "ShownFiles {} {\"src/made.rs\"}",
            _ => "ShownFiles {\"src\"} {\"src/made.rs\"}",
        };
        assert_eq!(format!("ShownFiles {:?} {:?}", found.altered, found.made), expected);
    });
}

#[test]
fn extra_files_are_shown_and_are_no_part_of_the_change() {
    each_strategy(|mut options| {
        let b = bench(CRATE);
        let project = b.open();
        let change = change(&project);
        options.extra.insert(path("Cargo.lock"), b"fitting\n".to_vec());
        let made = materialise(&b, &project, &change, &options).unwrap();
        assert_eq!(run_in(&b, &made, "cat Cargo.lock src/lib.rs"), "fitting\nnew\n");
        let (tree, _) = project.tree_state(&b.ctx, &Arc::new(TreeInputs::default())).unwrap();
        let found = made.compare(&change, &tree).unwrap();
        assert_eq!((found.patch_set, found.altered.len()), (change.patch_set(), 0), "{found:?}");
        // Not in place of a file that the change has.
        options.extra.insert(path("src/lib.rs"), b"other\n".to_vec());
        let made = materialise(&b, &project, &change, &options).unwrap();
        assert_ne!(made.compare(&change, &tree).unwrap().patch_set, change.patch_set());
    });
}

#[test]
fn a_view_of_one_change_is_no_view_of_another() {
    each_strategy(|options| {
        let b = bench(CRATE);
        let project = b.open();
        let (tree, _) = project.tree_state(&b.ctx, &Arc::new(TreeInputs::default())).unwrap();
        let made = materialise(&b, &project, &change(&project), &options).unwrap();
        for other in [Overlay::empty(), overlay(&project, &[("src/lib.rs", Some("newer\n"))])] {
            let found = made.compare(&other, &tree).unwrap();
            let is_same = found.altered.is_empty() && found.patch_set == other.patch_set();
            assert!(!is_same, "{found:?} {options:?}");
        }
    });
}

#[test]
fn an_extra_file_is_shown_where_the_change_removes_one() {
    each_strategy(|mut options| {
        let b = bench(CRATE);
        let project = b.open();
        b.temp.write("Cargo.lock", "untracked\n");
        options.extra.insert(path("Cargo.lock"), b"fitting\n".to_vec());
        let change = overlay(&project, &[("Cargo.lock", None)]);
        let made = materialise(&b, &project, &change, &options).unwrap();
        assert_eq!(run_in(&b, &made, "cat Cargo.lock"), "fitting\n");
    });
}
