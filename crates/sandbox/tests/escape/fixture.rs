//! The files and processes outside of the sandbox during one attack, and whether they changed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The programs of this crate, or their copies for another user.
pub(crate) fn program(variable: &str, built: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| PathBuf::from(built), PathBuf::from)
}

pub(crate) fn inner() -> PathBuf {
    program("ESCAPE_INNER", env!("CARGO_BIN_EXE_graftage-sandbox-inner"))
}

pub(crate) fn probe() -> PathBuf {
    program("ESCAPE_PROBE", env!("CARGO_BIN_EXE_graftage-sandbox-probe"))
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Root within a container lacks rights that some attacks need.
pub(crate) fn is_root_with_all_rights() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let rights = status.lines().find_map(|line| line.strip_prefix("CapEff:\t"));
    let rights = rights.and_then(|text| u64::from_str_radix(text, 16).ok()).unwrap_or(0);
    // Raw I/O, modules, administration, reboot, nodes, mandatory access, the kernel's log.
    let wanted = [16, 17, 21, 22, 27, 33, 34].iter().fold(0, |all, bit| all | 1u64 << bit);
    is_root() && rights & wanted == wanted
}

/// The surroundings of one attack.
pub(crate) struct Fixture {
    folder: tempfile::TempDir,
    victim: Child,
    victim_address: String,
    token: String,
    shm_key: u32,
    tcp: std::net::TcpListener,
    tcp6: Option<std::net::TcpListener>,
    udp: std::net::UdpSocket,
    _unix: (UnixListener, UnixDatagram, UnixListener),
    before: Vec<String>,
    victim_limits: String,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let token = format!("graftage-escape-{}-{number}", std::process::id());
        let shm_key = 0x6000_0000 | ((std::process::id() & 0xffff) << 12) | (number & 0xfff);
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in ["outside", "project/hidden", "readonly", "home/.ssh", "home/.cargo/registry"] {
            fs::create_dir_all(at(path)).unwrap();
        }
        for path in [
            "outside/victim",
            "project/hidden/secret",
            "readonly/file",
            "home/.ssh/id_ed25519",
            "home/.cargo/credentials.toml",
            "home/.git-credentials",
        ] {
            fs::write(at(path), "secret").unwrap();
        }
        symlink(at("outside"), at("project/trap")).unwrap();
        fs::write(at("outside/others"), "secret of another user").unwrap();
        fs::set_permissions(at("outside/others"), fs::Permissions::from_mode(0o600)).unwrap();
        if is_root() {
            std::os::unix::fs::chown(at("outside/others"), Some(65534), Some(65534)).unwrap();
        }
        let unix = UnixListener::bind(at("outside/socket")).unwrap();
        let datagram = UnixDatagram::bind(at("outside/datagram")).unwrap();
        let name = SocketAddr::from_abstract_name(&token).unwrap();
        let abstract_socket = UnixListener::bind_addr(&name).unwrap();
        let mut victim = Command::new(probe())
            .args(["victim", &token])
            .env("PROBE_SHM_KEY", shm_key.to_string())
            .current_dir(at("outside"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut victim_address = String::new();
        BufReader::new(victim.stdout.take().unwrap()).read_line(&mut victim_address).unwrap();
        let mut fixture = Self {
            victim_limits: limits_of(victim.id()),
            victim,
            victim_address: victim_address.trim().to_owned(),
            token,
            shm_key,
            tcp: std::net::TcpListener::bind("127.0.0.1:0").unwrap(),
            tcp6: std::net::TcpListener::bind("[::1]:0").ok(),
            udp: std::net::UdpSocket::bind("127.0.0.1:0").unwrap(),
            _unix: (unix, datagram, abstract_socket),
            before: Vec::new(),
            folder,
        };
        fixture.udp.set_nonblocking(true).unwrap();
        fixture.before = fixture.record_tree();
        fixture
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The environment with the targets of the probe.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let path = |name: &str| self.path(name).to_str().unwrap().to_owned();
        let port = |socket: Option<&std::net::TcpListener>| {
            socket.and_then(|s| s.local_addr().ok()).map_or(0, |a| a.port()).to_string()
        };
        [
            ("OUTSIDE", path("outside")),
            ("PROJECT", path("project")),
            ("READONLY", path("readonly")),
            ("HOME", path("home")),
            ("TMP_FILE", format!("/tmp/{}", self.token)),
            ("SHM_FILE", format!("/dev/shm/{}", self.token)),
            ("VICTIM", self.victim.id().to_string()),
            ("VICTIM_ADDRESS", self.victim_address.clone()),
            ("MARK", self.token.clone()),
            ("SURVIVOR", format!("{}-survivor", self.token)),
            ("SHM_KEY", self.shm_key.to_string()),
            ("TCP", port(Some(&self.tcp))),
            ("TCP6", port(self.tcp6.as_ref())),
            ("UDP", self.udp.local_addr().unwrap().port().to_string()),
            ("UNIX", path("outside/socket")),
            ("UNIX_DATAGRAM", path("outside/datagram")),
            ("ABSTRACT", self.token.clone()),
            ("ROOT", u8::from(is_root()).to_string()),
        ]
        .map(|(name, value)| (format!("PROBE_{name}"), value))
        .into()
    }

    /// Everything outside of the project, with modes and times.
    fn record_tree(&self) -> Vec<String> {
        let mut seen = Vec::new();
        for name in ["outside", "readonly", "home"] {
            record_tree(&self.path(name), &mut seen);
        }
        seen.sort();
        seen
    }

    /// The changes outside since the fixture was made.
    pub(crate) fn damage(&mut self) -> Option<String> {
        let now = self.record_tree();
        if now != self.before {
            let new = now.iter().filter(|line| !self.before.contains(line));
            return Some(format!("files outside changed: {:?}", new.collect::<Vec<_>>()));
        }
        for place in ["/tmp", "/dev/shm"] {
            if Path::new(place).join(&self.token).exists() {
                return Some(format!("a file in the host's {place}"));
            }
        }
        if !matches!(self.victim.try_wait(), Ok(None)) {
            return Some("the victim is dead".to_owned());
        }
        if limits_of(self.victim.id()) != self.victim_limits {
            return Some("the victim's limits or priority changed".to_owned());
        }
        if self.udp.recv(&mut [0; 8]).is_ok() {
            return Some("a packet arrived".to_owned());
        }
        let survivors = self.survivors();
        (!survivors.is_empty()).then(|| format!("survivors: {survivors:?}"))
    }

    /// Processes that have the survivors' mark.
    fn survivors(&self) -> Vec<rustix::process::Pid> {
        let mark = format!("{}-survivor", self.token);
        let entries = fs::read_dir("/proc").unwrap().flatten();
        entries
            .filter(|entry| {
                fs::read(entry.path().join("cmdline"))
                    .is_ok_and(|line| line.windows(mark.len()).any(|w| w == mark.as_bytes()))
            })
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter_map(rustix::process::Pid::from_raw)
            .collect()
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // Processes left by the positive controls: all of them have this fixture's mark.
        for pid in self.survivors() {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
        // Its input ends, so it removes its shared memory and exits.
        drop(self.victim.stdin.take());
        let _ = self.victim.wait();
        for place in ["/tmp", "/dev/shm"] {
            let _ = fs::remove_file(Path::new(place).join(&self.token));
        }
    }
}

fn limits_of(pid: u32) -> String {
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let nice = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(16));
    format!("{limits}{nice:?}")
}

fn record_tree(path: &Path, seen: &mut Vec<String>) {
    let Ok(metadata) = fs::symlink_metadata(path) else { return };
    let content = fs::read(path).map(|bytes| bytes.len()).ok();
    seen.push(format!(
        "{} {:o} {}:{} {}.{} {content:?}",
        path.display(),
        metadata.mode(),
        metadata.uid(),
        metadata.gid(),
        metadata.mtime(),
        metadata.mtime_nsec(),
    ));
    if metadata.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            record_tree(&entry.path(), seen);
        }
    }
}
