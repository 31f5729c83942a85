//! Links that lead what the product writes, removes or makes accessible to somewhere else.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use base::ContentHash;

use crate::Attack;
use crate::world::World;

type Defence = fn(&World, &dyn Fn(&World)) -> Vec<u8>;

/// A link: what it is for, where it is in the warm target (or in the working folder of
/// rust-analyzer), what of the victim it leads to, and what code without a defence does there.
struct Link {
    name: &'static str,
    at: &'static str,
    to: &'static str,
    then: Then,
    defence: Defence,
}

#[derive(Clone, Copy)]
enum Then {
    /// Removes the folder of that name below the link.
    Remove(&'static str),
    /// Writes the file of that name below the link, or the link itself.
    Write(&'static str),
    /// Gives the folder its permissions back.
    OpenUp,
}

const FINGERPRINT: &str = "google-1111111111111111";

const LINKS: &[Link] = &[
    link(
        "fingerprints of a profile",
        "evil/.fingerprint",
        ".fingerprint",
        Then::Remove(FINGERPRINT),
    ),
    link("fingerprints of debug", "debug/.fingerprint", ".fingerprint", Then::Remove(FINGERPRINT)),
    link(
        "fingerprints below a triple",
        "x/debug/.fingerprint",
        ".fingerprint",
        Then::Remove(FINGERPRINT),
    ),
    link("a whole profile", "evil", "", Then::Remove(".fingerprint")),
    link("a whole profile below a triple", "x/evil", "", Then::Remove(".fingerprint")),
    link("the profile debug", "debug", "", Then::Remove(".fingerprint")),
    link(
        "one fingerprint",
        "debug/.fingerprint/google-2222222222222222",
        "",
        Then::Write("lib-google"),
    ),
    link("a hash", "debug/.fingerprint/a-1111111111111111/lib-a", "lib-a", Then::Write("")),
    link(
        "the hash of a run",
        "debug/.fingerprint/a-3333333333333333/run-build-script-build-script-build",
        "secret",
        Then::Write(""),
    ),
    link("a folder of outputs", "debug/build", "", Then::Write("secret")),
    link("a folder of dependencies", "debug/deps", "", Then::Write("secret")),
    link("a folder without permissions", "debug/shut", "shut", Then::OpenUp),
    link("a folder without permissions in another", "evil/a/b", "shut", Then::OpenUp),
    Link {
        name: "key of an index",
        at: "index.key",
        to: "index.key",
        then: Then::Write(""),
        defence: keep_index,
    },
    Link {
        name: "index that is a link to a folder",
        at: "index.scip",
        to: "",
        then: Then::Remove(".fingerprint"),
        defence: keep_index,
    },
];

const fn link(name: &'static str, at: &'static str, to: &'static str, then: Then) -> Link {
    Link { name, at, to, then, defence: live }
}

pub(crate) fn attacks() -> Vec<Attack> {
    LINKS.iter().map(attack).collect()
}

fn attack(link: &'static Link) -> Attack {
    let at = |world: &World| -> PathBuf {
        match link.at {
            "index.key" | "index.scip" => world.path("work").join(link.at),
            at => world.target(at),
        }
    };
    Attack {
        name: format!("{}: link", link.name),
        plant: Box::new(move |world| world.link(world.path("victim").join(link.to), &at(world))),
        control: Box::new(move |world| {
            match link.then {
                Then::Remove(name) => fs::remove_dir_all(at(world).join(name)).unwrap(),
                Then::Write("") => fs::write(at(world), "graftage: stale").unwrap(),
                Then::Write(name) => fs::write(at(world).join(name), "graftage: stale").unwrap(),
                Then::OpenUp => {
                    fs::set_permissions(at(world), PermissionsExt::from_mode(0o700)).unwrap();
                }
            }
            Vec::new()
        }),
        defence: link.defence,
    }
}

fn live(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    world.live(plant)
}

fn keep_index(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    let work = world.path("work");
    plant(world);
    let _ = analyzer::keep_index(&work, ContentHash::of(b"key"));
    let _ = analyzer::drop_index(&work);
    Vec::new()
}
