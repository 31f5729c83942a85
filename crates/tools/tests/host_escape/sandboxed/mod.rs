//! The second escape suite: what a build plants from inside the sandbox, against the host that
//! reads, walks and removes it. Every batch of attacks lives a life of its own under all layers,
//! and under all but one.

pub(crate) mod batches;
mod control;
mod life;
mod messages;
#[allow(unreachable_pub, reason = "the hostile project compiles the file too")]
pub(crate) mod script;
mod trees;

use sandbox::Layers;

use batches::Batch;
pub(crate) use life::{Life, live};

/// All layers, and all but one: with the name of what is left out.
pub(crate) fn layer_sets() -> [(&'static str, Layers); 6] {
    let all = Layers::default();
    [
        ("none", all),
        ("namespaces", Layers { namespaces: false, ..all }),
        ("overlay", Layers { overlay: false, ..all }),
        ("landlock", Layers { landlock: false, ..all }),
        ("seccomp", Layers { seccomp: false, ..all }),
        ("cgroups", Layers { cgroups: false, ..all }),
    ]
}

/// Lives the batch under each of the layer sets, prints a row for each, and returns what harm was
/// done.
pub(crate) fn lives(batch: &Batch, sets: &[(&str, Layers)]) -> Vec<String> {
    let mut harm = Vec::new();
    for (left_out, layers) in sets {
        let life = live(batch, *layers);
        print_row(batch, left_out, &life);
        let of = |it: &String| format!("{} without {left_out}: {it}", batch.name);
        harm.extend(life.harm.iter().map(of));
    }
    harm
}

fn print_row(batch: &Batch, left_out: &str, life: &Life) {
    let user = if rustix::process::geteuid().is_root() { "root" } else { "ordinary" };
    eprintln!(
        "   {:28} {left_out:12} {user:9} {:3} of {:3} made, {} succeed, {:5.1} s, {:4} MiB{}",
        batch.name,
        life.made,
        batch.attacks.len(),
        life.harm.len(),
        life.wall.as_secs_f64(),
        life.peak >> 20,
        if life.level == "met" { String::new() } else { format!("; level {}", life.level) },
    );
    for refused in &life.refused {
        eprintln!("      not made: {refused}");
    }
    for harm in &life.harm {
        eprintln!("   !! {harm}");
    }
}

/// Tries each attack on code without a defence; those that fail there, and how many succeed.
pub(crate) fn controls() -> (usize, Vec<String>) {
    let mut failed = Vec::new();
    let mut succeeded = 0;
    for batch in batches::all() {
        for attack in &batch.attacks {
            let name = format!("{}: {}", batch.name, attack.name);
            match control::harm(attack) {
                Ok(Some(harm)) => {
                    eprintln!("   {name:80} {harm}");
                    succeeded += 1;
                }
                Ok(None) => failed.push(name),
                Err(why) => eprintln!("   {name:80} not for this user: {why}"),
            }
        }
    }
    (succeeded, failed)
}
