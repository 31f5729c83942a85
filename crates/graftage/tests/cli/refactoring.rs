use super::support::graftage;

fn project() -> testkit::TempProject {
    testkit::crate_project(
        "
//- /src/lib.rs
//! See [`shape::Circle`].
pub mod shape;
pub use shape::{area as surface, Circle};

/// Makes a [`Circle`].
/// ```
/// use fixture::Circle;
/// assert_eq!(fixture::make(1).r, Circle { r: 1 }.r);
/// ```
pub fn make(r: u32) -> Circle {
    let c = Circle { r };
    let Circle { r } = c;
    shape::area(&Circle { r });
    Circle { r }
}

#[cfg(windows)]
pub fn elsewhere(c: &Circle) -> u32 {
    shape::area(c)
}
//- /src/shape.rs
#[derive(Debug, PartialEq)]
pub struct Circle {
    pub r: u32,
}

pub trait Shape {
    fn size(&self) -> u32;
}

impl Shape for Circle {
    fn size(&self) -> u32 {
        self.r
    }
}

pub fn area(c: &Circle) -> u32 {
    c.size() * 3
}
//- /tests/it.rs
use fixture::{shape, Circle};

#[test]
fn area() {
    assert_eq!(shape::area(&Circle { r: 2 }), 6);
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

#[test]
fn a_rename_changes_uses_imports_tests_and_code_for_other_systems() {
    let project = project();
    let before = texts(&project);
    let result = graftage(&project, &["refactor", "rename", "shape::area", "measure", "--json"]);
    assert_eq!(result.status, 0, "{result:#?}");
    let json = result.json();
    assert_eq!(json["outcome"], "proven", "{json:#}");
    assert_eq!(
        lines(json["diff"].as_str().unwrap(), "+"),
        [
            "pub use shape::{measure as surface, Circle};",
            "shape::measure(&Circle { r });",
            "shape::measure(c)",
            "pub fn measure(c: &Circle) -> u32 {",
            "assert_eq!(shape::measure(&Circle { r: 2 }), 6);",
        ]
    );
    assert_eq!(texts(&project), before);
}

#[test]
fn a_renamed_field_keeps_the_variables_of_its_name_and_changes_the_examples() {
    let project = project();
    let result = graftage(&project, &["refactor", "rename", "Circle::r", "radius", "--json"]);
    let json = result.json();
    assert_eq!(json["outcome"], "proven", "{json:#}");
    assert_eq!(
        lines(json["diff"].as_str().unwrap(), "+"),
        [
            "/// assert_eq!(fixture::make(1).radius, Circle { radius: 1 }.radius);",
            "let c = Circle { radius: r };",
            "let Circle { radius: r } = c;",
            "shape::area(&Circle { radius: r });",
            "Circle { radius: r }",
            "pub radius: u32,",
            "self.radius",
            "assert_eq!(shape::area(&Circle { radius: 2 }), 6);",
        ]
    );
}

#[test]
fn a_renamed_module_moves_its_file_and_back() {
    let project = project();
    let before = texts(&project);
    let there = graftage(&project, &["refactor", "rename", "shape", "form", "--apply"]);
    assert_eq!(there.status, 0, "{there:#?}");
    assert!(project.read("src/form.rs").contains("pub trait Shape"));
    assert!(project.read("src/lib.rs").starts_with("//! See [`form::Circle`].\npub mod form;\n"));
    let back = graftage(&project, &["refactor", "rename", "form", "shape", "--apply"]);
    assert_eq!(back.status, 0, "{back:#?}");
    assert_eq!(texts(&project), before);
}

#[test]
fn what_cannot_be_renamed_is_refused_with_the_reason() {
    let project = project();
    let refused = |args: &[&str]| {
        let args: Vec<&str> = ["refactor", "rename"].iter().chain(args).copied().collect();
        let result = graftage(&project, &args);
        let first = result.stderr.lines().next().unwrap_or_default().to_owned();
        (result.status, first)
    };
    assert_eq!(refused(&["nowhere", "x"]), (1, "error: no item named `nowhere`".to_owned()));
    assert_eq!(
        refused(&["make", "match"]),
        (2, "error: `match` cannot be a name: it is a keyword; `r#match` is possible".to_owned())
    );
    assert_eq!(
        refused(&["Circle", "Shape"]),
        (
            1,
            "error: `Circle` cannot be renamed: `Shape` exists already in the same scope: \
             src/shape.rs:6"
                .to_owned()
        )
    );
}

#[test]
fn a_generic_parameter_of_an_impl_is_renamed_by_its_place() {
    let text = "//- /src/lib.rs\n\
                pub struct Pair<T>(pub T, pub T);\n\
                impl<T: Copy> Pair<T> {\n    pub fn first(&self) -> T {\n        self.0\n    }\n}\n";
    let project = testkit::crate_project(text);
    let result =
        graftage(&project, &["refactor", "rename", "src/lib.rs:2:6", "Item", "--apply", "--json"]);
    assert_eq!(result.json()["outcome"], "applied", "{result:#?}");
    let after = project.read("src/lib.rs");
    assert_eq!(
        after,
        "pub struct Pair<T>(pub T, pub T);\n\
         impl<Item: Copy> Pair<Item> {\n    pub fn first(&self) -> Item {\n        self.0\n    }\n}\n"
    );
}
