//! The cost of confinement: the start of `/bin/true`, and of a real `cargo check`, each against the
//! same process without a sandbox, alternating in one run.
//!
//! `cargo bench -p graftage-sandbox --bench start -- [--runs N] [--srt PATH] [--cargo LINES]`
//!
//! `--srt` names the executable of Anthropic's sandbox-runtime; `--cargo` asks for the check of a
//! generated crate of about this many lines, from scratch except for the page cache.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use base::SortedMap;
use graftage_sandbox::{Job, JobLimits, Layers, Level, Mount, Network, Sandbox, View};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        args.iter().position(|arg| arg == name).and_then(|idx| args.get(idx + 1)).cloned()
    };
    let runs = value("--runs").and_then(|runs| runs.parse().ok()).unwrap_or(200);
    starts(runs, value("--srt"));
    if let Some(lines) = value("--cargo") {
        let folder = tempfile::tempdir().unwrap();
        make_crate(folder.path(), lines.parse().unwrap());
        check_inside(folder.path());
    }
}

fn sandbox(layers: Layers) -> Sandbox {
    Sandbox::with_layers(PathBuf::from(env!("CARGO_BIN_EXE_graftage-sandbox-inner")), layers)
}

fn bare() -> Layers {
    Layers { namespaces: false, overlay: false, ..Layers::default() }
}

fn true_job() -> Job {
    Job {
        program: "/bin/true".into(),
        args: Vec::new(),
        cwd: "/".into(),
        env: SortedMap::new(),
        stdin: Vec::new(),
        view: View::default(),
        limits: JobLimits::default(),
        network: Network::Off,
        require: Level::Standard,
    }
}

/// A name, the number of runs, and one run.
type Kind<'a> = (&'a str, usize, Box<dyn Fn() + 'a>);

fn starts(runs: usize, srt: Option<String>) {
    let ctx = testkit::FakeHost::new().ctx();
    let no_groups = Layers { cgroups: false, ..Layers::default() };
    let all = sandbox(Layers::default());
    let ungrouped = sandbox(no_groups);
    let landlock = sandbox(bare());
    let mut unlimited = true_job();
    (unlimited.limits.memory_bytes, unlimited.limits.pids) = (None, None);
    let confined = |sandbox: &Sandbox, job: &Job| {
        assert_eq!(sandbox.run(&ctx, job, &mut |_, _| {}).unwrap().exit_code, 0);
    };
    let job = true_job();
    let mut kinds: Vec<Kind<'_>> = vec![
        ("bare spawn", runs, Box::new(|| spawn("/bin/true", &[]))),
        ("namespaces, limits by control groups", runs, Box::new(|| confined(&all, &job))),
        ("namespaces, limits by rlimits and watch", runs, Box::new(|| confined(&ungrouped, &job))),
        ("namespaces, no limits", runs, Box::new(|| confined(&all, &unlimited))),
        ("landlock and seccomp alone", runs, Box::new(|| confined(&landlock, &job))),
    ];
    if let Some(srt) = srt {
        kinds.push(("sandbox-runtime", 20, Box::new(move || spawn(&srt, &["-c", "/bin/true"]))));
    }
    println!("start of /bin/true{:32}    min      p50      p90 ms   CPU ms", "");
    for (name, runs, run) in &kinds {
        run();
        let cpu = children_cpu();
        let mut times: Vec<Duration> = (0..*runs)
            .map(|_| {
                let started = Instant::now();
                run();
                started.elapsed()
            })
            .collect();
        let cpu = (children_cpu() - cpu) * 1e3 / *runs as f64;
        times.sort();
        let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!("{name:50} {:8.2} {:8.2} {:8.2} {cpu:8.2}", ms(at(0)), ms(at(50)), ms(at(90)));
    }
}

fn spawn(program: &str, args: &[&str]) {
    let status = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "{program} ends with {status}");
}

/// CPU seconds of all children that were waited for.
fn children_cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    fields[13..15].iter().map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

fn make_crate(folder: &Path, lines: usize) {
    let manifest =
        "[package]\nname = \"made-up\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::create_dir(folder.join("src")).unwrap();
    let mut text = String::from("#![allow(dead_code)]\nuse std::collections::BTreeMap;\n");
    for number in 0..lines / 12 {
        text += &format!(
            "pub struct S{number} {{ map: BTreeMap<String, Vec<u32>> }}
impl S{number} {{
    pub fn add(&mut self, key: &str, value: u32) -> usize {{
        let list = self.map.entry(key.to_owned()).or_default();
        list.extend((0..value).filter(|n| n % 3 == 0).map(|n| n ^ {number}));
        list.iter().zip(list.iter().skip(1)).filter(|(a, b)| a < b).count()
    }}
    pub fn sum(&self) -> u32 {{
        self.map.values().flatten().copied().fold(0, |a, b| a.wrapping_add(b))
    }}
}}
"
        );
    }
    std::fs::write(folder.join("src/lib.rs"), text).unwrap();
}

/// Pairs of checks, one inside and one outside.
const PAIRS: usize = 16;

/// `cargo check` after a touch, inside and outside by turns.
fn check_inside(folder: &Path) {
    let folder = folder.canonicalize().unwrap();
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    let sysroot = PathBuf::from(String::from_utf8(sysroot.stdout).unwrap().trim());
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(&std::env::var_os("HOME").unwrap()).join(".cargo"));
    let env = SortedMap::from([
        ("PATH".into(), format!("{}/bin:/usr/bin:/bin", sysroot.display()).into()),
        ("CARGO_HOME".into(), home.clone().into_os_string()),
        ("CARGO_INCREMENTAL".into(), "0".into()),
        ("CARGO_NET_OFFLINE".into(), "true".into()),
        ("RUSTC".into(), sysroot.join("bin/rustc").into_os_string()),
        ("HOME".into(), "/tmp".into()),
    ]);
    let same = |path: &Path| Mount::ReadOnly { host: path.into(), inside: path.into() };
    let job = Job {
        program: sysroot.join("bin/cargo"),
        args: vec!["check".into(), "--offline".into(), "--quiet".into()],
        cwd: folder.clone(),
        env: env.clone(),
        view: View {
            mounts: vec![
                same(&sysroot),
                same(&home.join("registry")),
                Mount::Writable { host: folder.clone(), inside: folder.clone() },
            ],
        },
        limits: JobLimits {
            wall: Duration::from_secs(600),
            memory_bytes: Some(8 << 30),
            pids: Some(4096),
            file_bytes: None,
            ..JobLimits::default()
        },
        ..true_job()
    };
    let ctx = testkit::FakeHost::new().ctx();
    for (name, layers) in
        [("namespaces", Layers::default()), ("landlock and seccomp alone", bare())]
    {
        let sandbox = sandbox(layers);
        let bare = || {
            touch(&folder);
            let (started, cpu) = (Instant::now(), children_cpu());
            let status = Command::new(&job.program)
                .args(&job.args)
                .env_clear()
                .envs(&env)
                .current_dir(&folder)
                .status()
                .unwrap();
            assert!(status.success());
            (started.elapsed().as_secs_f64(), children_cpu() - cpu)
        };
        let inside = || {
            touch(&folder);
            let (started, cpu) = (Instant::now(), children_cpu());
            let outcome = sandbox.run(&ctx, &job, &mut |_, _| {}).unwrap();
            assert_eq!(outcome.exit_code, 0, "{}", String::from_utf8_lossy(&outcome.stderr));
            // The inner stage's own time is in the count.
            (started.elapsed().as_secs_f64(), children_cpu() - cpu)
        };
        let (mut walls, mut cpus, mut spent) = (Vec::new(), Vec::new(), Vec::new());
        for pair in 0..=PAIRS {
            // The order alternates, so that a change of the machine's load favours neither.
            let (out, inn) = if pair % 2 == 0 {
                let out = bare();
                (out, inside())
            } else {
                let inn = inside();
                (bare(), inn)
            };
            // The first pair warms both up.
            if pair > 0 {
                walls.push(inn.0 / out.0);
                cpus.push(inn.1 / out.1);
                spent.push(out.1);
            }
        }
        let spread = |ratios: &mut Vec<f64>| {
            ratios.sort_by(f64::total_cmp);
            let at = |share: usize| ratios[(ratios.len() * share / 100).min(ratios.len() - 1)];
            (at(50), at(25), at(75))
        };
        let (cpu, wall, spent) = (spread(&mut cpus), spread(&mut walls), spread(&mut spent));
        println!(
            "cargo check, {name}: of {PAIRS} pairs inside / bare, medians (quartiles): \
             CPU {:.3} ({:.3}-{:.3}), wall {:.3} ({:.3}-{:.3}); bare {:.2} CPU s",
            cpu.0, cpu.1, cpu.2, wall.0, wall.1, wall.2, spent.0
        );
    }
}

fn touch(folder: &Path) {
    let file = ["src/lib.rs", "src/main.rs"].map(|name| folder.join(name));
    let file = file.iter().find(|file| file.exists()).unwrap();
    let file = std::fs::File::options().append(true).open(file).unwrap();
    file.set_modified(std::time::SystemTime::now()).unwrap();
}
