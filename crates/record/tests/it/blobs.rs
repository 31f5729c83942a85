use graftage_record::{Blobs, RecordError};

#[test]
fn a_text_is_kept_under_its_hash_once() {
    let dir = tempfile::tempdir().unwrap();
    let blobs = Blobs::at(dir.path().join("blobs"));
    let hash = blobs.put(&crate::ctx(), b"fn main() {}\n").unwrap();
    assert_eq!(blobs.put(&crate::ctx(), b"fn main() {}\n").unwrap(), hash);
    assert_eq!(blobs.text(hash).unwrap(), "fn main() {}\n");
}

#[test]
fn a_text_that_was_changed_is_refused_and_can_be_put_again() {
    let dir = tempfile::tempdir().unwrap();
    let blobs = Blobs::at(dir.path());
    let hash = blobs.put(&crate::ctx(), b"one").unwrap();
    let name = hash.to_string();
    let path = dir.path().join(&name[..2]).join(&name[2..]);
    std::fs::write(&path, "two").unwrap();
    assert!(matches!(blobs.get(hash), Err(RecordError::Blob { fault: "damaged", .. })));
    blobs.put(&crate::ctx(), b"one").unwrap();
    assert_eq!(blobs.get(hash).unwrap(), b"one");
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(blobs.get(hash), Err(RecordError::Blob { fault: "missing", .. })));
}
