//! A registry for tests: a sparse index and its packages, served by HTTP on the loopback interface.
//! It records the requests.

use std::io::{BufRead, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use base::SortedMap;
use sha2::{Digest, Sha256};

#[derive(Default)]
struct Served {
    files: Mutex<SortedMap<String, Vec<u8>>>,
    requests: Mutex<Vec<String>>,
    wants_token: AtomicBool,
    stop: AtomicBool,
}

pub(crate) struct Registry {
    port: u16,
    served: Arc<Served>,
    thread: Option<JoinHandle<()>>,
}

impl Registry {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let served = Arc::new(Served::default());
        let own = Arc::clone(&served);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if own.stop.load(Ordering::SeqCst) {
                    return;
                }
                // An aborted connection does not matter.
                let _ = own.answer(&stream);
            }
        });
        let registry = Self { port, served, thread: Some(thread) };
        let address = format!("{{\"dl\":\"{}\"}}", registry.url("dl"));
        registry.serve("/index/config.json", address.into_bytes());
        registry
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }

    /// The address for cargo's configuration.
    pub(crate) fn index(&self) -> String {
        format!("sparse+{}", self.url("index/"))
    }

    pub(crate) fn serve(&self, path: &str, bytes: Vec<u8>) {
        lock(&self.served.files).insert(path.to_owned(), bytes);
    }

    /// Requires a token for all further requests.
    pub(crate) fn want_token(&self) {
        let address = format!("{{\"dl\":\"{}\",\"auth-required\":true}}", self.url("dl"));
        self.serve("/index/config.json", address.into_bytes());
        self.served.wants_token.store(true, Ordering::SeqCst);
    }

    /// Publishes a library without dependencies and returns its checksum.
    pub(crate) fn publish(&self, name: &str, version: &str) -> String {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2021\"\n\
             [lib]\npath = \"lib.rs\"\n"
        );
        let folder = format!("{name}-{version}");
        let bytes = packed(&[
            (format!("{folder}/Cargo.toml"), manifest),
            (format!("{folder}/lib.rs"), "pub fn one() -> u8 { 1 }\n".to_owned()),
        ]);
        let sum = sha256(&bytes);
        self.serve(&format!("/dl/{name}/{version}/download"), bytes);
        self.list(name, version, &sum);
        sum
    }

    /// Lists a release in the index without checks.
    pub(crate) fn list(&self, name: &str, version: &str, sum: &str) {
        let line = format!(
            "{{\"name\":\"{name}\",\"vers\":\"{version}\",\"deps\":[],\"features\":{{}},\
             \"cksum\":\"{sum}\",\"yanked\":false}}\n"
        );
        let path = format!("/index/{}/{}/{name}", &name[..2], &name[2..4]);
        lock(&self.served.files).entry(path).or_default().extend(line.into_bytes());
    }

    /// The requests so far, sorted.
    pub(crate) fn requests(&self) -> Vec<String> {
        let mut requests = lock(&self.served.requests).clone();
        requests.sort();
        requests
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.served.stop.store(true, Ordering::SeqCst);
        // Wakes the thread.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Served {
    fn answer(&self, stream: &TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream);
        let mut first = String::new();
        reader.read_line(&mut first)?;
        let mut has_token = false;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            has_token |= line.to_lowercase().starts_with("authorization:");
        }
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        lock(&self.requests).push(path.clone());
        let found = lock(&self.files).get(&path).cloned();
        let (status, body) = match found {
            _ if self.wants_token.load(Ordering::SeqCst) && !has_token => {
                ("401 Unauthorized", Vec::new())
            }
            Some(body) => ("200 OK", body),
            None => ("404 Not Found", Vec::new()),
        };
        let mut stream = stream;
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        )?;
        stream.write_all(&body)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A `.crate` with these files: a tar archive in a gzip file with uncompressed blocks.
fn packed(files: &[(String, String)]) -> Vec<u8> {
    let mut tar = Vec::new();
    for (name, text) in files {
        let mut header = [0u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        for (at, field) in [
            (100, "0000644\0".to_owned()),
            (108, "0000000\0".to_owned()),
            (116, "0000000\0".to_owned()),
            (124, format!("{:011o}\0", text.len())),
            (136, "00000000000\0".to_owned()),
            (148, "        ".to_owned()),
            (156, "0".to_owned()),
            (257, "ustar\x0000".to_owned()),
        ] {
            header[at..at + field.len()].copy_from_slice(field.as_bytes());
        }
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        tar.extend(header);
        tar.extend(text.bytes());
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.resize(tar.len() + 1024, 0);
    let mut gzip = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let count = tar.chunks(60_000).count();
    for (idx, block) in tar.chunks(60_000).enumerate() {
        let len = u16::try_from(block.len()).unwrap();
        gzip.push(u8::from(idx + 1 == count));
        gzip.extend(len.to_le_bytes());
        gzip.extend((!len).to_le_bytes());
        gzip.extend(block);
    }
    gzip.extend(crc32(&tar).to_le_bytes());
    gzip.extend(u32::try_from(tar.len()).unwrap().to_le_bytes());
    gzip
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    })
}
