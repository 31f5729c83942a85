//! Tests of use without a store, and by several processes at once.

use base::{EdgeKind, ItemKind, ProjectPath};

use crate::kit::{assert_same, index, refresh, rows, scratch, shapes};

#[test]
fn one_text_has_its_nodes_without_a_store() {
    let path = ProjectPath::new("src/thing.rs").unwrap();
    let text = "pub struct A;\nimpl A { pub fn f(&self) { self.g() } fn g(&self) {} }\n";
    let update = graftage_ingest::ingest_file(&testkit::ctx(), &path, text).unwrap();
    let named = |name: &str| update.items.iter().position(|it| it.name == name).unwrap() as u32;
    let (f, g) = (named("f"), named("g"));
    assert!(update.edges.iter().any(|it| (it.src, it.kind, it.dst) == (f, EdgeKind::Calls, g)));
    assert_eq!(update.items[f as usize].canon, "thing/thing::A::f");
    assert!(update.items.iter().any(|it| it.kind == ItemKind::File));
    let broken = graftage_ingest::ingest_file(&testkit::ctx(), &path, "fn f( {").unwrap();
    assert!(!broken.problems.is_empty());
}

#[test]
fn readers_keep_the_map_they_have() {
    let project = shapes();
    let mut index = index(&project);
    refresh(&mut index);
    let reader = index.reader();
    let old = reader.map();
    let text = project.read("src/util.rs").replace("zero", "nought");
    project.write("src/util.rs", text);
    refresh(&mut index);
    assert!(!old.by_name("zero").is_empty());
    assert!(reader.map().by_name("zero").is_empty());
    assert!(!reader.map().by_name("nought").is_empty());
}

#[test]
fn several_writers_at_once_leave_one_correct_index() {
    let project = shapes();
    std::thread::scope(|scope| {
        for number in 0..4 {
            let project = &project;
            scope.spawn(move || {
                let mut index = index(project);
                for round in 0..5 {
                    project.write(&format!("src/n{number}.rs"), format!("pub fn r{round}() {{}}"));
                    refresh(&mut index);
                    assert!(index.map().item_count() > 0);
                }
            });
        }
    });
    let mut last = index(&project);
    refresh(&mut last);
    assert_same(&rows(&last), &scratch(&project), "after four writers");
    drop(last);
    assert_eq!(refresh(&mut index(&project)).parsed_files, 0);
}
