//! Helpers: a project, its index, and comparisons of maps.

use graftage_ingest::{Index, IndexReport, Options};
use graph::MapData;
use testkit::TempProject;

/// Opens an index of a project in a temporary directory, without a toolchain.
pub(crate) fn index(project: &TempProject) -> Index {
    let ctx = testkit::ctx();
    Index::open(&ctx, &opened(project), None).unwrap()
}

pub(crate) fn opened(project: &TempProject) -> repo::Project {
    let dirs = repo::Dirs { cache: project.beside("cache"), state: project.beside("state") };
    repo::Project::open(&testkit::ctx(), project.root(), dirs).unwrap()
}

pub(crate) fn refresh(index: &mut Index) -> IndexReport {
    index.refresh(&testkit::ctx(), &Options::default()).unwrap()
}

/// The rows of the map, without the epoch.
pub(crate) fn rows(index: &Index) -> MapData {
    MapData { epoch: 0, ..index.map().to_data().unwrap() }
}

/// The rows of a map built from scratch.
pub(crate) fn scratch(project: &TempProject) -> MapData {
    let data = graftage_ingest::data_of(&testkit::ctx(), project.root(), None).unwrap();
    MapData { epoch: 0, ..data }
}

/// Panics with the first difference.
pub(crate) fn assert_same(left: &MapData, right: &MapData, what: &str) {
    if left == right {
        return;
    }
    let name = |data: &MapData, number: u32| {
        data.items.get(number as usize).map_or("?".to_owned(), |row| {
            format!("{:?} {} [{}]", row.kind, row.key, row.disambiguator)
        })
    };
    for (a, b) in left.items.iter().zip(&right.items) {
        assert_eq!(a, b, "{what}: items differ");
    }
    assert_eq!(left.items.len(), right.items.len(), "{what}: numbers of items differ");
    for (a, b) in left.edges.iter().zip(&right.edges) {
        assert!(
            a == b,
            "{what}: edges differ: {a:?} ({} -> {})\n{b:?} ({} -> {})",
            name(left, a.src),
            name(left, a.dst),
            name(right, b.src),
            name(right, b.dst),
        );
    }
    assert_eq!(left.edges.len(), right.edges.len(), "{what}: numbers of edges differ");
    assert_eq!(left.sites, right.sites, "{what}: sites differ");
    assert_eq!(left.unresolved, right.unresolved, "{what}: unresolved sites differ");
    assert_eq!(left.problems, right.problems, "{what}: problems differ");
    assert_eq!(left.files, right.files, "{what}: files differ");
    assert_eq!(left.crates, right.crates, "{what}: crates differ");
}

/// A small crate with many dependencies between its items.
pub(crate) fn shapes() -> TempProject {
    testkit::project(
        r#"
//- /Cargo.toml
[package]
name = "shapes"
version = "0.1.0"
edition = "2021"
[features]
default = ["net"]
net = []
extra = []
//- /src/lib.rs
#[macro_use]
mod macros;
pub mod shape;
mod util;
pub use shape::{Shape, Square};
use util::*;
cfg_net! {
    pub mod net;
}
pub(crate) fn total(shapes: &[Box<dyn Shape>]) -> f64 {
    shapes.iter().map(|shape| shape.area()).sum::<f64>() + zero()
}
pub(crate) fn squares() -> f64 {
    let square = Square::new(2.0);
    square.area() + square.side() + double(square.side)
}
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn sums() {
        assert_eq!(squares(), total(&[]));
    }
}
//- /src/macros.rs
macro_rules! cfg_net {
    ($($item:item)*) => { $(#[cfg(feature = "net")] $item)* };
}
macro_rules! make {
    ($name:ident) => { pub fn $name() -> u32 { 1 } };
}
//- /src/shape.rs
use crate::util::double;
pub trait Shape {
    fn area(&self) -> f64;
    fn twice(&self) -> f64 { double(self.area()) }
}
#[derive(Clone, Debug)]
pub(crate) struct Square { pub side: f64 }
impl Square {
    pub(crate) fn new(side: f64) -> Self { Square { side } }
    pub(crate) fn side(&self) -> f64 { self.side }
}
impl Shape for Square {
    fn area(&self) -> f64 { self.side() * self.side }
}
pub enum Kind { Round, Flat(Square) }
impl Kind {
    pub(crate) fn area(&self) -> f64 {
        match self { Kind::Round => 0.0, Kind::Flat(square) => square.area() }
    }
}
//- /src/util.rs
pub(crate) fn double(n: f64) -> f64 { n * 2.0 }
pub(crate) fn zero() -> f64 { 0.0 }
make!(one);
#[cfg(unix)]
pub(crate) fn host() -> u32 { one() }
#[cfg(not(unix))]
pub(crate) fn host() -> u32 { 0 }
//- /src/net.rs
use super::shape::Shape;
pub(crate) struct Wire<T> { of: T }
impl<T: Shape> Wire<T> {
    pub(crate) fn send(&self) -> f64 { self.of.twice() }
}
//- /src/main.rs
use shapes::{squares, Square, Shape};
fn main() {
    let square = Square::new(squares());
    println!("{}", square.twice());
}
//- /tests/all.rs
use shapes::Shape;
#[test]
fn area() { assert_eq!(shapes::Square::new(1.0).area(), 1.0); }
"#,
    )
}
