//! Something odd in the place of each file that the product reads.

use std::path::PathBuf;

use base::{ContentHash, ProjectPath};
use edit::Files;

use crate::Attack;
use crate::world::{ODD, World, naive_read};

type Defence = fn(&World, &dyn Fn(&World)) -> Vec<u8>;

/// A file that is read: what it is for, where it is, and who reads it.
struct ReadFile {
    name: &'static str,
    place: Place,
    defence: Defence,
}

#[derive(Clone, Copy)]
enum Place {
    /// In the folder of the whole world.
    World(&'static str),
    /// In the warm target.
    Target(&'static str),
    /// Named by the dep-info of a unit, in the folder of the whole world.
    DepInfo(&'static str),
    /// Named by a build script with `rerun-if-changed`.
    Rerun(&'static str),
}

const FILES: &[ReadFile] = &[
    file("settings of the project", Place::World("project/graftage.toml"), settings),
    file("manifest on the way up", Place::World("project/Cargo.toml"), find_root),
    file("manifest of a path dependency", Place::World("project/Cargo.toml"), outside),
    file("ignore file of the root", Place::World("project/.gitignore"), snapshot),
    file("ignore file of a folder", Place::World("project/sub/.gitignore"), snapshot),
    file("ignore file of git", Place::World("project/.git/info/exclude"), snapshot),
    file("git file of a worktree", Place::World("project/.git"), snapshot),
    file("git file of a folder", Place::World("project/sub/.git"), snapshot),
    file("mark of a build folder", Place::World("project/sub/CACHEDIR.TAG"), snapshot),
    file("source that is read to be edited", Place::World("project/src/lib.rs"), read_source),
    file("HEAD", Place::World("project/.git/HEAD"), head),
    file("packed references", Place::World("project/.git/packed-refs"), head),
    file("index of rust-analyzer", Place::World("work/index.scip"), kept_index),
    file("key of that index", Place::World("work/index.key"), kept_index),
    file("dep-info", Place::Target("debug/deps/a-1111111111111111.d"), live),
    file("build output", Place::Target("debug/build/a-3333333333333333/output"), live),
    file("file that dep-info names", Place::DepInfo("elsewhere/file"), live),
    file("file of the project that dep-info names", Place::DepInfo("project/src/f.txt"), live),
    file("file that a build script names", Place::Rerun("elsewhere/file"), live),
    file("file of a path dependency", Place::World("dependency/src/data"), live),
];

const fn file(name: &'static str, place: Place, defence: Defence) -> ReadFile {
    ReadFile { name, place, defence }
}

impl Place {
    fn path(self, world: &World) -> PathBuf {
        match self {
            Place::World(path) | Place::DepInfo(path) | Place::Rerun(path) => world.path(path),
            Place::Target(path) => world.target(path),
        }
    }

    /// Has a build name the file.
    fn name_it(self, world: &World) {
        let path = self.path(world);
        let path = path.display();
        match self {
            Place::World(_) | Place::Target(_) => {}
            Place::DepInfo(_) => world.write(
                &world.target("debug/deps/a-1111111111111111.d"),
                format!("x: y\n\nsrc/lib.rs:\n{path}:\n"),
            ),
            Place::Rerun(_) => world.write(
                &world.target("debug/build/a-3333333333333333/output"),
                format!("cargo::rerun-if-changed={path}\n"),
            ),
        }
    }
}

pub(crate) fn attacks() -> Vec<Attack> {
    let mut attacks = Vec::new();
    for ReadFile { name, place, defence } in FILES {
        for odd in ODD {
            let place = *place;
            attacks.push(Attack {
                name: format!("{name}: {odd:?}"),
                plant: Box::new(move |world| {
                    world.odd(odd, &place.path(world));
                    place.name_it(world);
                }),
                control: Box::new(move |world| naive_read(&place.path(world))),
                defence: *defence,
            });
        }
    }
    attacks
}

fn shown(value: &impl std::fmt::Debug) -> Vec<u8> {
    format!("{value:?}").into_bytes()
}

fn settings(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    plant(world);
    let root = world.path("project");
    let none = base::SortedMap::new();
    shown(&project::Settings::load(&world.path("none"), Some(&root), &none).map(|_| ()))
}

fn find_root(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    plant(world);
    shown(&build::find_root(&world.path("project/src")))
}

fn outside(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    plant(world);
    shown(&build::outside_paths(&world.path("project"), &build::Trust::default()))
}

fn project(world: &World) -> repo::Project {
    let dirs = repo::Dirs { cache: world.path("cache"), state: world.path("state") };
    repo::Project::open(&testkit::ctx(), &world.path("project"), dirs).unwrap()
}

fn snapshot(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    plant(world);
    let project = project(world);
    let snapshot = shown(&project.snapshot(&testkit::ctx()));
    [snapshot, shown(&project.sources(&testkit::ctx(), &[]))].concat()
}

fn read_source(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    plant(world);
    let path = ProjectPath::new("src/lib.rs").unwrap();
    shown(&project(world).read(&path))
}

fn head(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    let git = world.path("project/.git");
    world.write(&git.join("HEAD"), "ref: refs/heads/main\n");
    plant(world);
    shown(&project(world).head_commit())
}

fn kept_index(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    let key = ContentHash::of(b"key");
    world.write(&world.path("work/index.key"), key.to_string());
    world.write(&world.path("work/index.scip"), "");
    plant(world);
    shown(&analyzer::kept_index(&world.path("work"), key))
}

fn live(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    world.live(plant)
}
