//! What code without a defence does with what was planted: each attack must succeed on it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::batches::Attack;
use super::script;
use crate::world::{CAP, SECRET, World, naive_read};

/// More of one kind than a user needs.
const MANY: usize = 10_000;

/// The naive operation.
pub(crate) enum Control {
    /// Reads the file.
    Read(&'static str),
    /// Reads the files that it names.
    ReadNamed(String),
    /// Writes over the file.
    Write(String),
    /// Removes what is there.
    Remove(String),
    /// Removes a tree by paths.
    RemoveByPath(String),
    /// The same, which only an ordinary user is kept from.
    RemoveShut(String),
    /// Gives a folder its permissions back.
    OpenUp(String),
    /// Takes the file for a text.
    Text(String),
    /// Keeps all that the file names.
    Count(String),
    /// Keeps all that was printed.
    Printed,
    /// Keeps each line that was printed.
    Kept,
    /// Keeps a line as it is.
    LongLine,
    /// Reads JSON by recursion.
    Nests,
    /// Believes the last word on the build.
    Believed,
    /// Writes what a suggestion contains.
    Applied,
    /// Takes bytes of a text that a message names.
    Sliced,
}

/// What an attack achieves without the defence; `Err` where this user cannot make it.
pub(crate) fn harm(attack: &Attack) -> Result<Option<String>, String> {
    let world = World::new();
    world.build();
    fs::create_dir_all(world.target("debug/incremental")).unwrap();
    for file in ["lib-a", "lib-a.json", "invoked.timestamp", "dep-lib-a"] {
        world.write(&world.target("debug/.fingerprint/a-1111111111111111").join(file), "x");
    }
    for file in ["CACHEDIR.TAG", ".rustc_info.json", "debug/deps/liba-1111111111111111.rmeta"] {
        world.write(&world.target(file), "x");
    }
    let target = world.warm.dir().join("target");
    let values = [
        ("T", target),
        ("V", world.path("victim")),
        ("M", world.path("project")),
        ("HOME", world.path("elsewhere/home")),
        ("TMP", world.path("elsewhere/tmp")),
    ];
    fs::create_dir_all(world.path("elsewhere/home")).unwrap();
    fs::create_dir_all(world.path("elsewhere/tmp")).unwrap();
    let (mut printed, mut warned) = (Vec::new(), Vec::new());
    // The host has a directory for the victim beside the project, as a life has.
    for phase in ["build", "macro", "test"] {
        script::run(&attack.script(), phase, &values, (&mut printed, &mut warned));
    }
    printed.extend(warned);
    let planted = fs::read_to_string(world.target("planted")).unwrap();
    if let Some(line) = planted.lines().find(|line| !line.ends_with("\tmade")) {
        return Err(line.to_owned());
    }
    let at = |path: &str| -> PathBuf {
        let path = values.iter().fold(path.to_owned(), |path, (name, value)| {
            path.replace(&format!("{{{name}}}"), &value.display().to_string())
        });
        script::expand(Path::new(&path)).remove(0)
    };
    attack.control.harm(&world, &at, &printed)
}

impl Control {
    fn harm(
        &self,
        world: &World,
        at: &dyn Fn(&str) -> PathBuf,
        printed: &[u8],
    ) -> Result<Option<String>, String> {
        let mut seen = Vec::new();
        match self {
            Self::Read(path) => seen = read(&at(path)),
            Self::ReadNamed(path) => {
                let text = fs::read_to_string(at(path)).unwrap();
                for line in text.lines() {
                    let line = line.trim_start_matches("cargo::rerun-if-changed=");
                    let path = line.strip_suffix(':').unwrap_or(line);
                    if path.starts_with('/') && seen.len() <= CAP {
                        seen.extend(read(Path::new(path)));
                    }
                }
            }
            Self::Write(path) => fs::write(at(path), "graftage: stale").unwrap(),
            Self::Remove(path) => fs::remove_dir_all(at(path)).unwrap(),
            Self::OpenUp(path) => {
                fs::set_permissions(at(path), PermissionsExt::from_mode(0o700)).unwrap();
            }
            Self::RemoveByPath(path) => return Ok(left_behind(&at(path))),
            Self::RemoveShut(path) if rustix::process::geteuid().is_root() => {
                return Err(format!("{path}: permissions do not stop root"));
            }
            Self::RemoveShut(path) => return Ok(left_behind(&at(path))),
            Self::Text(path) => {
                let text = String::from_utf8(fs::read(at(path)).unwrap());
                return Ok(text.err().map(|error| format!("it is no text: {error}")));
            }
            Self::Count(path) => {
                let text = fs::read_to_string(at(path)).unwrap();
                return Ok(many(text.lines().count()));
            }
            Self::Applied => {
                let (file, text) = suggestion(printed);
                fs::write(world.path("project").join(file), text).unwrap();
            }
            _ => return Ok(self.harm_of_text(printed)),
        }
        Ok(world.harm(&seen))
    }

    /// What is printed does its harm where it is read.
    fn harm_of_text(&self, printed: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(printed);
        match self {
            Self::Kept => many(text.lines().count()),
            Self::Nests => {
                let depth = printed.iter().filter(|byte| matches!(byte, b'{' | b'[')).count();
                // A frame of a debug build has some hundred bytes, a thread 2 MiB.
                (depth > 50_000).then(|| format!("the stack overflows at {depth} levels"))
            }
            Self::Believed => {
                text.contains("\"success\":true").then(|| "a broken build is good".to_owned())
            }
            Self::Sliced => {
                let span = &message(printed)["message"]["spans"][0];
                let at = |name: &str| span[name].as_u64().unwrap() as usize;
                let text = fs::read_to_string(file!()).unwrap_or_else(|_| "text".to_owned());
                let text = &text[..text.len().min(100)];
                let bytes = (at("byte_start"), at("byte_end"));
                text.get(bytes.0..bytes.1).is_none().then(|| "it panics".to_owned())
            }
            Self::LongLine => {
                let longest = text.lines().map(str::len).max().unwrap_or(0);
                (longest > 1 << 20).then(|| format!("a name has {longest} bytes"))
            }
            _ => (printed.len() > CAP).then(|| "it reads without end".to_owned()),
        }
    }
}

fn many(count: usize) -> Option<String> {
    (count > MANY).then(|| format!("{count} are kept"))
}

/// Reads to the end; a pipe gets a writer first, or the test would never end.
fn read(path: &Path) -> Vec<u8> {
    use std::os::unix::fs::FileTypeExt;
    if path.metadata().unwrap().file_type().is_fifo() {
        let pipe = path.to_owned();
        let writer = std::thread::spawn(move || fs::write(pipe, SECRET));
        let bytes = naive_read(path);
        writer.join().unwrap().unwrap();
        return bytes;
    }
    naive_read(path)
}

/// Removes a tree as code does that makes a path for each name.
fn left_behind(path: &Path) -> Option<String> {
    fn remove(path: &Path) -> std::io::Result<()> {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => remove(&entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
        }
        fs::remove_dir(path)
    }
    let harm = remove(path).err().map(|error| format!("left behind: {error}"));
    let (all, name) = (path.parent().unwrap(), path.file_name().unwrap());
    untrusted_fs::Dir::open(all).unwrap().remove_all(name).unwrap();
    harm
}

fn message(printed: &[u8]) -> serde_json::Value {
    serde_json::from_slice(printed).unwrap()
}

/// The file of a suggestion and its text.
fn suggestion(printed: &[u8]) -> (String, String) {
    let span = &message(printed)["message"]["children"][0]["spans"][0];
    let text = |name: &str| span[name].as_str().unwrap().to_owned();
    (text("file_name"), text("suggested_replacement"))
}
