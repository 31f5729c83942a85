use super::support::graftage;

fn project() -> testkit::TempProject {
    testkit::crate_project(
        "
//- /src/lib.rs
pub mod shape;
use shape::Shape as _;

/// ```
/// assert_eq!(fixture::scaled(2, 3), 6);
/// ```
pub fn scaled(size: u32, by: u32) -> u32 {
    size * by
}

macro_rules! double {
    ($x:expr) => {
        $crate::scaled($x, 2)
    };
}

pub fn total(c: &shape::Circle) -> String {
    format!(\"{}\", scaled(c.size(1), double!(3)))
}

pub fn each(list: &[u32]) -> Vec<u32> {
    list.iter().copied().map(shape::half).collect()
}

#[cfg(windows)]
pub fn elsewhere() -> u32 {
    scaled(1, 2)
}
//- /src/shape.rs
#[derive(Debug, PartialEq)]
pub struct Circle {
    pub r: u32,
}

pub struct Square;

pub trait Shape {
    fn size(&self, unit: u32) -> u32;
}

impl Shape for Circle {
    fn size(&self, unit: u32) -> u32 {
        self.r * unit
    }
}

impl Shape for Square {
    fn size(&self, _: u32) -> u32 {
        1
    }
}

impl Square {
    pub fn area(self, scale: u32, _offset: u32) -> u32 {
        scale
    }
}

pub fn half(of: u32) -> u32 {
    of / 2
}
//- /tests/it.rs
use fixture::shape::{Circle, Shape, Square};

#[test]
fn sizes() {
    let c = Circle { r: 2 };
    assert_eq!(Shape::size(&c, 3), 6);
    assert_eq!(fixture::scaled(c.size(1), 2), 4);
    let Circle { r } = c;
    assert_eq!(Square.area(r, 5), 2);
}
",
    )
}

fn texts(project: &testkit::TempProject) -> [String; 3] {
    ["src/lib.rs", "src/shape.rs", "tests/it.rs"].map(|it| project.read(it))
}

fn lines<'a>(diff: &'a str, sign: &str) -> Vec<&'a str> {
    let own = diff.lines().filter(|it| it.starts_with(sign) && !it.starts_with("+++"));
    own.map(|it| it[1..].trim()).collect()
}

/// The lines that the verified change adds.
fn proven(project: &testkit::TempProject, args: &[&str]) -> Vec<String> {
    let args: Vec<&str> = ["refactor"].iter().chain(args).chain(&["--json"]).copied().collect();
    let result = graftage(project, &args);
    let json = result.json();
    assert_eq!(json["outcome"], "proven", "{json:#}");
    lines(json["diff"].as_str().unwrap_or_default(), "+").into_iter().map(str::to_owned).collect()
}

/// The reason of a change that was refused.
fn refused(project: &testkit::TempProject, args: &[&str]) -> (i32, String) {
    let args: Vec<&str> = ["refactor"].iter().chain(args).chain(&["--json"]).copied().collect();
    let result = graftage(project, &args);
    let json = result.json();
    let reason = json["reason"].as_str().or(json["error"]["message"].as_str());
    let reason = reason.unwrap_or_default().to_owned();
    (result.status, reason)
}

#[test]
fn a_parameter_is_added_with_its_arguments_and_removed_again() {
    let project = project();
    let before = texts(&project);
    let add = ["add-parameter", "scaled", "exact: bool", "--before", "by", "--value", "true"];
    assert_eq!(
        proven(&project, &add),
        [
            "/// assert_eq!(fixture::scaled(2, true, 3), 6);",
            "pub fn scaled(size: u32, exact: bool, by: u32) -> u32 {",
            "$crate::scaled($x, true, 2)",
            "format!(\"{}\", scaled(c.size(1), true, double!(3)))",
            "scaled(1, true, 2)",
            "assert_eq!(fixture::scaled(c.size(1), true, 2), 4);",
        ]
    );
    assert_eq!(texts(&project), before);
    let add: Vec<&str> = ["refactor"].iter().chain(&add).chain(&["--apply"]).copied().collect();
    let added = graftage(&project, &add);
    assert_eq!(added.status, 0, "{added:#?}");
    assert_ne!(texts(&project), before);
    let removed = ["refactor", "remove-parameter", "scaled", "exact", "--apply"];
    let removed = graftage(&project, &removed);
    assert_eq!(removed.status, 0, "{removed:#?}");
    assert_eq!(texts(&project), before);
}

#[test]
fn a_parameter_of_a_trait_is_added_in_all_impls_and_a_guessed_value_is_a_draft() {
    let project = project();
    let add = ["add-parameter", "Shape::size", "twice: bool", "--at", "1"];
    let guessed: Vec<&str> = ["refactor"].iter().chain(&add).chain(&["--json"]).copied().collect();
    let guessed = graftage(&project, &guessed);
    assert_eq!((guessed.status, &guessed.json()["outcome"]), (1, &"draft".into()));
    let add: Vec<&str> = add.iter().chain(&["--value", "false"]).copied().collect();
    assert_eq!(
        proven(&project, &add),
        [
            "format!(\"{}\", scaled(c.size(false, 1), double!(3)))",
            "fn size(&self, twice: bool, unit: u32) -> u32;",
            "fn size(&self, twice: bool, unit: u32) -> u32 {",
            "fn size(&self, twice: bool, _: u32) -> u32 {",
            "assert_eq!(Shape::size(&c, false, 3), 6);",
            "assert_eq!(fixture::scaled(c.size(false, 1), 2), 4);",
        ]
    );
}

#[test]
fn parameters_change_their_order_with_the_arguments_of_every_call() {
    let project = project();
    assert_eq!(
        proven(&project, &["reorder", "Square::area", "_offset,scale"]),
        [
            "pub fn area(self, _offset: u32, scale: u32) -> u32 {",
            "assert_eq!(Square.area(5, r), 2);",
        ]
    );
    let (status, reason) = refused(&project, &["reorder", "scaled", "by,size"]);
    assert_eq!(
        (status, reason.as_str()),
        (1, "src/lib.rs:18: the order in which the arguments are evaluated matters")
    );
}

#[test]
fn another_type_changes_what_follows_from_it() {
    let project = project();
    assert_eq!(
        proven(&project, &["change-type", "Square::area::_offset", "&u32"]),
        [
            "pub fn area(self, scale: u32, _offset: &u32) -> u32 {",
            "assert_eq!(Square.area(r, &5), 2);",
        ]
    );
}

#[test]
fn a_field_is_added_to_literals_and_patterns() {
    let project = project();
    assert_eq!(
        proven(&project, &["add-field", "Circle", "filled: bool", "--value", "true"]),
        [
            "pub r: u32,",
            "pub filled: bool,",
            "let c = Circle { r: 2, filled: true };",
            "let Circle { r, filled: _ } = c;",
        ][1..]
    );
}

#[test]
fn what_cannot_follow_is_refused_with_its_place() {
    let project = project();
    let before = texts(&project);
    let cases: [(&[&str], i32, &str); 5] = [
        (
            &["add-parameter", "half", "up: bool", "--value", "true"],
            1,
            "src/lib.rs:22: it is used as a value: calls of the value would pass the old arguments",
        ),
        (&["remove-parameter", "scaled", "by"], 1, "src/lib.rs:7: the body uses `by` in line 8"),
        (
            &["add-parameter", "half", "up: bool", "--value", "1); evil("],
            2,
            "`1); evil(` is not one expression on one line, without comments",
        ),
        (
            &["add-parameter", "half", "up: bool) {} fn evil(x: u8", "--value", "true"],
            2,
            "`bool) {} fn evil(x: u8` is not one type on one line, without comments",
        ),
        (&["remove-parameter", "nowhere", "x"], 1, "no item named `nowhere`"),
    ];
    for (args, status, reason) in cases {
        assert_eq!(refused(&project, args), (status, reason.to_owned()));
    }
    assert_eq!(texts(&project), before);
}

#[test]
fn the_imports_of_a_removed_parameter_go_with_it() {
    let text = "
//- /src/lib.rs
pub mod level;
pub mod log;
pub mod job;
//- /src/level.rs
#[derive(Clone, Copy)]
pub enum Level {
    Low,
}
//- /src/log.rs
use crate::level::Level;

pub fn line(_level: Level, text: &str) -> usize {
    text.len()
}
//- /src/job.rs
use crate::level::Level;
use crate::log::line;

pub fn run() -> usize {
    line(Level::Low, \"a\")
}
";
    let project = testkit::crate_project(text);
    let remove = ["refactor", "remove-parameter", "log::line", "_level", "--apply"];
    let result = graftage(&project, &remove);
    assert_eq!(result.status, 0, "{result:#?}");
    assert_eq!(
        project.read("src/log.rs"),
        "pub fn line(text: &str) -> usize {\n    text.len()\n}\n"
    );
    let job = project.read("src/job.rs");
    assert_eq!(job.lines().next(), Some("use crate::log::line;"), "{job}");
}
