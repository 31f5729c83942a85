//! `doctor --bundle`: facts of a machine and of past runs for a report of a problem, without code, names or secrets.
//! One rule makes that so: a text gets in only if it is a word of this program, a number or a version. Everything
//! else of the machine – paths, values of settings, messages – is left out.

use base::{SortedMap, SortedSet};
use project::{DoctorReport, SettingOrigin, Settings};
use serde::Serialize;
use tools::{RetrievalStats, RunStats, StatsReport, ToolStats};

use crate::exit::Failure;
use crate::help;
use crate::output;
use crate::session::Session;

/// Systems whose names are shown.
const SYSTEMS: &[&str] = &[
    "alpine",
    "arch",
    "centos",
    "debian",
    "fedora",
    "gentoo",
    "manjaro",
    "nixos",
    "opensuse-leap",
    "opensuse-tumbleweed",
    "pop",
    "rhel",
    "rocky",
    "ubuntu",
    "void",
];

/// The facts, as JSON.
#[derive(Serialize)]
struct Bundle {
    /// Lines of `graftage --version`.
    graftage: Vec<&'static str>,
    system: String,
    kernel: String,
    processors: usize,
    memory_mib: Option<u64>,
    parts: Vec<Part>,
    sandbox: SortedMap<&'static str, bool>,
    /// Settings that differ from the defaults: flags with their value, others as `set`.
    settings: Vec<Setting>,
    stats: Option<Stats>,
}

/// A row of `doctor`.
#[derive(Serialize)]
struct Part {
    part: &'static str,
    present: bool,
    optional: bool,
    versions: Vec<String>,
}

#[derive(Serialize)]
struct Setting {
    key: &'static str,
    value: String,
    origin: SettingOrigin,
}

/// `stats` without names of others.
#[derive(Serialize)]
struct Stats {
    runs: RunStats,
    retrieval: RetrievalStats,
    tools: Vec<ToolStats>,
    proposals: SortedMap<&'static str, usize>,
}

/// Prints the bundle.
pub(super) fn print(
    session: &Session,
    settings: &Settings,
    doctor: &DoctorReport,
) -> Result<(), Failure> {
    // Without a project, or with a damaged record, there are no statistics.
    let stats = session.map_workspace().ok().and_then(|it| tools::stats(&it).ok());
    let release = read("/proc/sys/kernel/osrelease");
    let bundle = Bundle {
        graftage: crate::version::LONG.lines().collect(),
        system: system(&read("/etc/os-release")),
        kernel: versions(&release).into_iter().next().unwrap_or_default(),
        processors: std::thread::available_parallelism().map_or(0, usize::from),
        memory_mib: memory_mib(&read("/proc/meminfo")),
        parts: parts(doctor),
        sandbox: sandbox(doctor),
        settings: set(settings),
        stats: stats.map(of_record),
    };
    output::json(&bundle)?;
    session.bar.clear();
    if !session.global.quiet {
        output::note(
            "read it before you send it: it has numbers, versions and names of graftage's own, no paths",
        );
    }
    Ok(())
}

fn parts(doctor: &DoctorReport) -> Vec<Part> {
    let part = |row: &project::DoctorRow| Part {
        part: row.part,
        present: row.present,
        optional: row.optional,
        // Other details have paths, and names in them.
        versions: match row.part {
            "Rust toolchain" => versions(&row.detail).into_iter().take(1).collect(),
            _ => Vec::new(),
        },
    };
    doctor.findings.iter().map(part).collect()
}

fn sandbox(doctor: &DoctorReport) -> SortedMap<&'static str, bool> {
    let of = &doctor.sandbox;
    SortedMap::from([
        ("landlock", of.landlock.works),
        ("memory", of.memory.works),
        ("namespaces", of.namespaces.works),
        ("overlay", of.overlay.works),
        ("processes", of.processes.works),
        ("seccomp", of.seccomp.works),
    ])
}

fn set(settings: &Settings) -> Vec<Setting> {
    let changed: SortedSet<String> = settings.changed().into_iter().map(|it| it.0).collect();
    let rows = settings.rows().into_iter().filter(|it| changed.contains(it.key));
    rows.map(|row| Setting { key: row.key, value: plain(&row.value), origin: row.origin }).collect()
}

/// A flag as it is, anything else as `set`: a name may be a number.
fn plain(value: &str) -> String {
    match matches!(value, "true" | "false") {
        true => value.to_owned(),
        false => "set".to_owned(),
    }
}

fn of_record(stats: StatsReport) -> Stats {
    let own = own_words(&help::command());
    let StatsReport { runs, retrieval, mut tools, proposals, .. } = stats;
    for tool in tools.iter_mut().filter(|it| !own.contains(it.tool.as_str())) {
        tool.tool = "other".to_owned();
    }
    Stats { runs, retrieval, tools, proposals }
}

/// The names of all commands.
fn own_words(command: &clap::Command) -> SortedSet<String> {
    let below = command.get_subcommands().flat_map(own_words);
    below.chain([command.get_name().to_owned()]).collect()
}

/// The words of a text that are versions: two or three short numbers with dots between. An address has four.
fn versions(text: &str) -> Vec<String> {
    let words = text.split(|it: char| !it.is_ascii_alphanumeric() && !"._-/+:@".contains(it));
    let versions = words.filter_map(|word| {
        // `6.1.0-18-amd64` is one, a part of a path is none.
        let word = word.trim_matches(':').split(['-', '+']).next()?;
        let numbers: Vec<&str> = word.split('.').collect();
        let is_short =
            |it: &&str| (1..=4).contains(&it.len()) && it.bytes().all(|byte| byte.is_ascii_digit());
        ((2..=3).contains(&numbers.len()) && numbers.iter().all(is_short)).then(|| word.to_owned())
    });
    versions.take(4).collect()
}

/// Name and version of a known system.
fn system(os_release: &str) -> String {
    let value = |key: &str| {
        let line = os_release.lines().find_map(|it| it.strip_prefix(key)?.strip_prefix('='));
        line.unwrap_or_default().trim_matches('"')
    };
    let id = SYSTEMS.iter().find(|it| **it == value("ID")).copied().unwrap_or("other");
    let version = value("VERSION_ID");
    let is_plain =
        version.len() <= 8 && version.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    format!("{id} {}", if is_plain { version } else { "" }).trim_end().to_owned()
}

fn memory_mib(meminfo: &str) -> Option<u64> {
    let total = meminfo.lines().find_map(|it| it.strip_prefix("MemTotal:"))?;
    total.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|it| it >> 10)
}

/// A file of the system; empty where there is none.
fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_versions_numbers_and_known_names_get_in() {
        for (text, expected) in [
            ("cargo 1.95.0 (f2d3ce0bd 2026-03-21), /home/anna/.cargo/bin/cargo", "1.95.0"),
            ("6.1.0-18-amd64", "6.1.0"),
            ("10.0.0.5 build.corp.example 2026-03-21", ""),
            ("/srv/1.2/x v1.2", ""),
            ("token 123456.7890123", ""),
        ] {
            assert_eq!(versions(text).join(" "), expected, "{text}");
        }
        assert_eq!(["true", "12", "sk-1", ""].map(plain), ["true", "set", "set", "set"]);
        assert_eq!(system("NAME=\"Debian\"\nID=debian\nVERSION_ID=\"12\"\n"), "debian 12");
        assert_eq!(system("ID=acme-linux\nVERSION_ID=internal-7\n"), "other");
        assert_eq!(memory_mib("MemTotal:       2048000 kB\n"), Some(2000));
    }
}
