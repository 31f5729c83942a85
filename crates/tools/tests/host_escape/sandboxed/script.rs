// A little language of attacks, standard library only. This file is compiled twice: into the suite,
// whose controls run scripts on the host, and into a hostile project, whose build script, macro and
// test run them inside the sandbox. A line is `PHASE <tab> ATTACK <tab> VERB <tab> ARGUMENTS`.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the lines of a phase. Paths and texts may hold `{NAME}`, which `values` replace, and paths
/// one `*` in a component. What the program prints goes to `out`, and its warnings to `errors`. Each attack
/// gets a line in the file `planted` of the target directory: whether it could be made.
pub fn run(
    script: &str,
    phase: &str,
    values: &[(&str, PathBuf)],
    (out, errors): (&mut dyn Write, &mut dyn Write),
) {
    let with_values = |text: &str| {
        let all = values.iter().fold(text.replace("\\n", "\n"), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), &value.display().to_string())
        });
        all.replace("\\t", "\t")
    };
    let target = &values.iter().find(|(name, _)| *name == "T").expect("a target directory").1;
    for line in script.lines() {
        let mut fields = line.split('\t');
        if fields.next() != Some(phase) {
            continue;
        }
        let name = fields.next().unwrap_or_default();
        let fields: Vec<String> = fields.map(with_values).collect();
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        let made = match step(&fields, out, errors) {
            Ok(()) => "made".to_owned(),
            Err(error) => format!("refused: {error}"),
        };
        let log = OpenOptions::new().create(true).append(true).open(target.join("planted"));
        let _ = log.and_then(|mut log| writeln!(log, "{name}\t{made}"));
    }
}

fn step(fields: &[&str], out: &mut dyn Write, errors: &mut dyn Write) -> io::Result<()> {
    let number = |text: &str| text.parse::<usize>().expect("a number");
    match fields {
        ["print", count, text] => print_lines(out, number(count), text),
        ["warn", count, text] => print_lines(errors, number(count), text),
        ["flood", megabytes, text] => {
            let piece = text.repeat((1 << 20) / text.len());
            (0..number(megabytes)).try_for_each(|_| out.write_all(piece.as_bytes()))?;
            out.write_all(b"\n")
        }
        ["nest", depth, open, text, close] => {
            out.write_all(open.repeat(number(depth)).as_bytes())?;
            out.write_all(text.as_bytes())?;
            out.write_all(close.repeat(number(depth)).as_bytes())?;
            out.write_all(b"\n")
        }
        [verb, pattern, rest @ ..] => {
            let paths = expand(Path::new(pattern));
            if paths.is_empty() {
                return Err(io::ErrorKind::NotFound.into());
            }
            paths.iter().try_for_each(|path| make(verb, path, rest))
        }
        _ => panic!("a step without a path: {fields:?}"),
    }
}

fn print_lines(out: &mut dyn Write, count: usize, text: &str) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    for number in 0..count {
        writeln!(out, "{}", text.replace("{i}", &number.to_string()))?;
    }
    out.flush()
}

fn make(verb: &str, path: &Path, rest: &[&str]) -> io::Result<()> {
    if verb == "shut" {
        return fs::set_permissions(path, Permissions::from_mode(0o0));
    }
    clear(path)?;
    match (verb, rest) {
        ("link", [to]) => symlink(to, path),
        ("pipe", []) => made_by(Command::new("mkfifo").arg(path)),
        ("device", []) => made_by(Command::new("mknod").arg(path).args(["c", "1", "5"])),
        ("socket", []) => UnixListener::bind(path).map(drop),
        ("hole", []) => File::create(path)?.set_len(4 << 30),
        ("folder", []) => fs::create_dir(path),
        ("write", [text]) => fs::write(path, text),
        ("bytes", [byte, count]) => {
            let byte = byte.parse().expect("a byte");
            fs::write(path, vec![byte; count.parse().expect("a count")])
        }
        ("lines", [count, text]) => {
            print_lines(&mut File::create(path)?, count.parse().expect("a count"), text)
        }
        ("deep", [depth, name_bytes]) => {
            fs::create_dir(path)?;
            deep(path, depth.parse().expect("a depth"), name_bytes.parse().expect("a length"))
        }
        ("wide", [count]) => {
            fs::create_dir(path)?;
            let count: usize = count.parse().expect("a count");
            (0..count).try_for_each(|number| fs::create_dir(path.join(number.to_string())))
        }
        _ => panic!("no such step: {verb} {rest:?}"),
    }
}

fn made_by(command: &mut Command) -> io::Result<()> {
    let output = command.output()?;
    let output_text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    if output.status.success() { Ok(()) } else { Err(io::Error::other(output_text)) }
}

/// Folders in folders, also beyond the longest path: built from the innermost outwards.
fn deep(path: &Path, depth: usize, name_bytes: usize) -> io::Result<()> {
    let (top, new, name) = (path.join("top"), path.join("new"), "d".repeat(name_bytes));
    fs::create_dir(&top)?;
    for _ in 0..depth {
        fs::create_dir(&new)?;
        fs::rename(&top, new.join(&name))?;
        fs::rename(&new, &top)?;
    }
    Ok(())
}

/// Frees the name, and makes the folders above it.
fn clear(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path.parent().expect("a path in a folder"))?;
    match path.symlink_metadata() {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

/// The path, or those that it matches.
pub fn expand(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        let component = component.as_os_str().to_str().expect("UTF-8");
        let Some((before, after)) = component.split_once('*') else {
            found.iter_mut().for_each(|path| path.push(component));
            continue;
        };
        let matches = |name: &str| {
            name.len() >= before.len() + after.len()
                && name.starts_with(before)
                && name.ends_with(after)
        };
        let below = |path: &PathBuf| {
            let names = fs::read_dir(path).into_iter().flatten().flatten();
            let names = names.filter_map(|entry| entry.file_name().into_string().ok());
            names.filter(|name| matches(name)).map(|name| path.join(name)).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(below).collect();
    }
    found
}
