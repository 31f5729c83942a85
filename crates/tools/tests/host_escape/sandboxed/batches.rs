//! The attacks that go through the sandbox, in batches that do not hide each other: where the host
//! gives a target up at the first of them, the others are in another batch.

use check::Tests;

use super::control::Control;

/// One attack: what is done inside, and what code without a defence would do with it.
pub(crate) struct Attack {
    pub(crate) name: String,
    /// Lines of a script, each with its phase: see `script.rs`.
    pub(crate) lines: Vec<String>,
    pub(crate) control: Control,
}

/// Attacks that one life tries together.
pub(crate) struct Batch {
    pub(crate) name: &'static str,
    pub(crate) attacks: Vec<Attack>,
    /// Whether the project has a procedural macro.
    pub(crate) has_macro: bool,
    /// Which tests the good candidate runs: those of a candidate plant in its own layer.
    pub(crate) candidate_tests: Tests,
    /// What a proof has to report of it.
    pub(crate) must_report: &'static str,
}

impl Batch {
    fn new(name: &'static str, attacks: Vec<Attack>) -> Self {
        Self { name, attacks, has_macro: false, candidate_tests: Tests::None, must_report: "" }
    }

    /// The script of all its attacks.
    pub(crate) fn script(&self) -> String {
        self.attacks.iter().map(Attack::script).collect()
    }

    /// How many attacks were made, and which were refused.
    pub(crate) fn made(&self, planted: &str) -> (usize, Vec<String>) {
        let mut refused = Vec::new();
        for attack in &self.attacks {
            let lines = || planted.lines().filter_map(|line| line.split_once('\t'));
            let own = || lines().filter(|(name, _)| *name == attack.name).map(|(_, how)| how);
            // A build script may run twice, and not be able to do again what it did.
            if own().filter(|how| *how == "made").count() < attack.lines.len() {
                let why = own().find(|how| *how != "made").unwrap_or("never tried");
                refused.push(format!("{}: {why}", attack.name));
            }
        }
        (self.attacks.len() - refused.len(), refused)
    }
}

impl Attack {
    fn new(name: impl Into<String>, lines: &[&str], control: Control) -> Self {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        Self { name: name.into(), lines, control }
    }

    /// `phase <tab> attack <tab> step`, each line.
    pub(crate) fn script(&self) -> String {
        let line = |line: &String| {
            let (phase, step) = line.split_once(": ").unwrap();
            format!("{phase}\t{}\t{}\n", self.name, step.replace(" | ", "\t"))
        };
        self.lines.iter().map(line).collect()
    }
}

/// A fingerprint, its dep-info and the output of a build script in a profile of their own, which
/// cargo never touches and the host looks at.
const FORGED: &str = "{T}/aevil/.fingerprint/a-1111111111111111/lib-a";
const FORGED_RUN: &str =
    "{T}/aevil/.fingerprint/a-3333333333333333/run-build-script-build-script-build";

/// The files of a target directory that the host reads, or that are beside such, as a name for the
/// attack, the step that makes the host look, and the path.
const FILES: &[(&str, &str, &str)] = &[
    ("dep-info of a unit", "", "{T}/debug/deps/a-*.d"),
    ("output of a build script", "", "{T}/debug/build/a-*/output"),
    ("mark of the target", "", "{T}/CACHEDIR.TAG"),
    ("facts about the compiler", "", "{T}/.rustc_info.json"),
    ("compiled library", "", "{T}/debug/deps/liba-*.rmeta"),
    ("forged dep-info", FORGED, "{T}/aevil/deps/a-1111111111111111.d"),
    ("forged output", FORGED_RUN, "{T}/aevil/build/a-3333333333333333/output"),
    ("a file in the home of the build", "", "{HOME}/named"),
    ("a file among its temporary ones", "", "{TMP}/named"),
    ("a file of the view", "", "{M}/named"),
];

/// What is put in the place of a file: a name and the step.
const ODD: &[(&str, &str)] = &[
    ("link to the secret", "link | PATH | {V}/secret"),
    ("link to a file without end", "link | PATH | /dev/zero"),
    ("pipe", "pipe | PATH"),
    ("hole of 4 GiB", "hole | PATH"),
    ("device without end", "device | PATH"),
];

pub(crate) fn all() -> Vec<Batch> {
    let names = ["links to the secret", "links without end", "pipes", "holes", "devices"];
    let mut batches: Vec<Batch> =
        names.into_iter().zip(ODD).map(|(name, odd)| Batch::new(name, odd_files(*odd))).collect();
    batches.push(Batch::new("links in fingerprints", links_in_fingerprints()));
    batches.push(Batch::new("links as profiles", links(PROFILES)));
    batches.push(Batch::new("links as folders of debug", links(FOLDERS)));
    batches.push(Batch::new("contents", contents()));
    batches.push(Batch {
        candidate_tests: Tests::All,
        ..Batch::new("trees", super::trees::attacks())
    });
    batches.push(Batch {
        has_macro: true,
        must_report: "were not kept: too many",
        ..Batch::new("messages", super::messages::attacks())
    });
    batches
}

/// One attack of each kind that can stand beside the others.
pub(crate) fn mixed() -> Batch {
    let mut attacks = odd_files(ODD[0]);
    attacks.extend(odd_files(ODD[2]).into_iter().skip(5).take(2));
    attacks.extend(contents());
    attacks.extend(super::trees::attacks().into_iter().filter(|it| it.name.contains("home")));
    // A later attack on a path would clear an earlier one away.
    let mut taken = base::SortedSet::new();
    attacks.retain(|it| it.lines.iter().all(|line| taken.insert(line.clone())));
    Batch::new("mixed", attacks)
}

fn odd_files((odd, step): (&str, &str)) -> Vec<Attack> {
    let attack = |(name, forged, path): &(&str, &str, &'static str)| {
        let mut lines = Vec::new();
        // Last of all, so that cargo does not write over it; what only a view has, before.
        let phase = if path.starts_with("{M}") { "build" } else { "test" };
        if !forged.is_empty() {
            lines.push(format!("{phase}: write | {forged} | 0123456789abcdef"));
        }
        lines.push(format!("{phase}: {}", step.replace("PATH", path)));
        let control = Control::Read(path);
        Attack { name: format!("{name}: {odd}"), lines, control }
    };
    let mut attacks: Vec<Attack> = FILES.iter().map(attack).collect();
    // A file that dep-info or a build script names, odd itself.
    for (name, path) in [("dep-info", "{TMP}/read"), ("a build script", "{HOME}/read")] {
        let step = format!("test: {}", step.replace("PATH", path));
        let naming = match name {
            "dep-info" => {
                forged_dep_info("2222222222222222", &format!("write | FILE | x: y\\n\\n{path}:\\n"))
            }
            _ => forged_output(
                "4444444444444444",
                &format!("write | FILE | cargo::rerun-if-changed={path}\\n"),
            ),
        };
        let mut lines = vec![step];
        lines.extend(naming.0);
        attacks.push(Attack {
            name: format!("file that {name} names: {odd}"),
            lines,
            control: Control::ReadNamed(naming.1),
        });
    }
    attacks
}

/// Steps that make a unit with this dep-info, and the file.
fn forged_dep_info(hash: &str, step: &str) -> (Vec<String>, String) {
    let file = format!("{{T}}/aevil/deps/a-{hash}.d");
    let unit = format!("test: write | {{T}}/aevil/.fingerprint/a-{hash}/lib-a | 0123456789abcdef");
    (vec![unit, format!("test: {}", step.replace("FILE", &file))], file)
}

/// Steps that make the run of a build script with this output, and the file.
fn forged_output(hash: &str, step: &str) -> (Vec<String>, String) {
    let file = format!("{{T}}/aevil/build/a-{hash}/output");
    let run = "run-build-script-build-script-build";
    let unit = format!("test: write | {{T}}/aevil/.fingerprint/a-{hash}/{run} | 0123456789abcdef");
    (vec![unit, format!("test: {}", step.replace("FILE", &file))], file)
}

fn links_in_fingerprints() -> Vec<Attack> {
    let files = ["lib-a", "lib-a.json", "invoked.timestamp", "dep-lib-a"];
    let to = ["{V}/lib-a", "{V}/secret"];
    let pairs = files.iter().zip(to.iter().cycle());
    let mut attacks: Vec<Attack> = pairs
        .map(|(file, to)| {
            let path = format!("{{T}}/debug/.fingerprint/a-*/{file}");
            let step = format!("test: link | {path} | {to}");
            let control = Control::Write(path);
            Attack { name: format!("fingerprint file {file}: link"), lines: vec![step], control }
        })
        .collect();
    let folder = "{T}/debug/.fingerprint/google-2222222222222222";
    attacks.push(Attack::new(
        "a whole fingerprint: link",
        &[&format!("test: link | {folder} | {{V}}")],
        Control::Write(format!("{folder}/lib-google")),
    ));
    attacks
}

/// A link, what of the victim it leads to, and what of it code without a defence removes.
type Link = (&'static str, &'static str, &'static str, &'static str);

const FINGERPRINT: &str = "google-1111111111111111";

const PROFILES: &[Link] = &[
    ("fingerprints of a profile", "{T}/evil/.fingerprint", "{V}/.fingerprint", FINGERPRINT),
    ("fingerprints below a triple", "{T}/x/evil/.fingerprint", "{V}/.fingerprint", FINGERPRINT),
    ("a whole profile", "{T}/whole", "{V}", ".fingerprint"),
    ("a whole profile below a triple", "{T}/y/evil", "{V}", ".fingerprint"),
    ("a folder of the home", "{HOME}/way", "{V}", ".fingerprint"),
    ("a folder of temporary files", "{TMP}/way", "{V}", ".fingerprint"),
    ("a folder of the view", "{M}/way", "{V}", ".fingerprint"),
    ("a folder without permissions", "{T}/evil/shut", "{V}/shut", ""),
];

const FOLDERS: &[Link] = &[
    ("the fingerprints of debug", "{T}/debug/.fingerprint", "{V}/.fingerprint", FINGERPRINT),
    ("the outputs of debug", "{T}/debug/build", "{V}", ".fingerprint"),
    ("the libraries of debug", "{T}/debug/deps", "{V}", ".fingerprint"),
    ("the incremental data of debug", "{T}/debug/incremental", "{V}", ".fingerprint"),
    ("the examples of debug", "{T}/debug/examples", "{V}", ".fingerprint"),
];

fn links(links: &[Link]) -> Vec<Attack> {
    let attack = |(name, path, to, then): &Link| {
        let phase = if path.starts_with("{M}") { "build" } else { "test" };
        let control = match *then {
            "" => Control::OpenUp((*path).to_owned()),
            then => Control::Remove(format!("{path}/{then}")),
        };
        Attack::new(format!("{name}: link"), &[&format!("{phase}: link | {path} | {to}")], control)
    };
    links.iter().map(attack).collect()
}

/// Files as cargo, rustc or a build script could have written them.
fn contents() -> Vec<Attack> {
    let mut attacks = Vec::new();
    let mut number = 0;
    let mut add = |name: &str, before: &str, text: &str| {
        number += 1;
        for is_dep_info in [true, false] {
            let hash = format!("{number:08x}{:08x}", u8::from(is_dep_info));
            let (mut lines, file) = match is_dep_info {
                true => forged_dep_info(&hash, &text.replace("NAME", "").replace("END", ":")),
                false => forged_output(
                    &hash,
                    &text.replace("NAME", "cargo::rerun-if-changed=").replace("END", ""),
                ),
            };
            if !before.is_empty() {
                lines.insert(0, before.replace("{n}", &hash));
            }
            let what = if is_dep_info { "dep-info" } else { "output" };
            lines.iter_mut().for_each(|line| *line = line.replace("{n}", &hash));
            let control = match name {
                "that is no text" => Control::Text(file),
                "that names 12000 files" => Control::Count(file),
                _ => Control::ReadNamed(file),
            };
            attacks.push(Attack { name: format!("{what} {name}"), lines, control });
        }
    };
    add("that names the secret", "", "write | FILE | NAME{V}/secretEND\\n");
    add(
        "that leads to the secret",
        "",
        "write | FILE | NAME{TMP}/../../../../../../../..{V}/secretEND\\n",
    );
    add(
        "that leads through a link",
        "test: link | {TMP}/way{n} | {V}",
        "write | FILE | NAME{TMP}/way{n}/secretEND\\n",
    );
    add("that names a file without end", "", "write | FILE | NAME/dev/zeroEND\\n");
    add(
        "that names one file 100 times",
        "test: bytes | {TMP}/big{n} | 65 | 1048576",
        "lines | FILE | 100 | NAME{TMP}/big{n}END",
    );
    add("that names 12000 files", "", "lines | FILE | 12000 | NAMEsrc/{i}END");
    add("that is no text", "", "bytes | FILE | 255 | 4096");
    attacks
}
