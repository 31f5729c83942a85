//! Tests of the search index: reuse, damage, failures and snapshots.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use base::{Ctx, ProjectPath};
use graph::Map;
use search::{
    Encoder, Mode, ModelEncoder, Query, Searcher, Skipped, StaticTable, TextModel, TextModelError,
};

use super::*;
use crate::Options;
use crate::in_memory::ingest_file;

/// An encoder for three terms.
struct Toy;

impl Encoder for Toy {
    fn name(&self) -> &str {
        "toy"
    }

    fn dims(&self) -> usize {
        4
    }

    fn encode(&self, bag: &[(&str, f32)], out: &mut [f32]) {
        for (term, weight) in bag {
            let at = ["alpha", "beta", "gamma"].iter().position(|word| word == term);
            if let Some(sum) = at.and_then(|at| out.get_mut(at)) {
                *sum += weight;
            }
        }
    }

    fn neighbours(&self, _: &str, _: usize, _: f32) -> Vec<(String, f32)> {
        Vec::new()
    }
}

/// Counts two letters in a text, and the texts it reads.
#[derive(Default)]
struct ToyReader {
    texts: AtomicUsize,
    is_broken: AtomicBool,
}

impl TextModel for ToyReader {
    fn name(&self) -> &str {
        "letters"
    }

    fn dims(&self) -> usize {
        3
    }

    fn read(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, TextModelError> {
        if self.is_broken.load(Ordering::SeqCst) {
            return Err(TextModelError::Failed("it is broken".into()));
        }
        self.texts.fetch_add(texts.len(), Ordering::SeqCst);
        let count = |text: &str, c: char| text.matches(c).count() as f32;
        let of = |text: &&str| {
            let own = [count(text, 'g'), count(text, 'p'), 1.0];
            let length = own.iter().map(|n| n * n).sum::<f32>().sqrt();
            own.map(|n| n / length).to_vec()
        };
        Ok(texts.iter().map(of).collect())
    }
}

struct Project {
    _dir: tempfile::TempDir,
    root: std::path::PathBuf,
    project: repo::Project,
    ctx: Ctx,
}

fn project(files: &[(&str, &str)]) -> Project {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("tree");
    let ctx = testkit::ctx();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    for (path, text) in [("Cargo.toml", manifest)].iter().chain(files) {
        write(&root, path, text);
    }
    let base_dir = dir.path().canonicalize().unwrap();
    let dirs = repo::Dirs { cache: base_dir.join("cache"), state: base_dir.join("state") };
    let project = repo::Project::open(&ctx, &root, dirs).unwrap();
    Project { _dir: dir, root, project, ctx }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

impl Project {
    fn index(&self) -> Index {
        let mut index = Index::open(&self.ctx, &self.project, None).unwrap();
        index.refresh(&self.ctx, &Options::default()).unwrap();
        index
    }

    fn search_bytes(&self, index: &Index) -> Vec<u8> {
        std::fs::read(index.folder().join("search.bin")).unwrap()
    }
}

const LIB: &str = "pub mod io;\n/// Opens the alpha.\npub fn open_alpha() -> u8 { 1 }\n";
const IO: &str =
    "pub struct Beta;\nimpl Beta {\n    pub fn gamma(&self) -> u8 { crate::open_alpha() }\n}\n";

#[test]
fn the_stored_index_is_reused_and_a_change_reads_one_file() {
    let it = project(&[("src/lib.rs", LIB), ("src/io.rs", IO)]);
    let index = it.index();
    let first = index.retrieval(&it.ctx, Some(&Toy)).unwrap();
    assert_eq!((first.files_read, first.was_fresh), (2, false));
    assert_eq!(first.index.document_count(), 7, "five items and two files");
    assert_eq!(first.index.epoch(), index.map().epoch());
    let again = index.retrieval(&it.ctx, Some(&Toy)).unwrap();
    assert_eq!((again.files_read, again.was_fresh), (0, true));

    write(&it.root, "src/io.rs", &IO.replace("u8 {", "u16 {"));
    let index = it.index();
    let changed = index.retrieval(&it.ctx, Some(&Toy)).unwrap();
    assert_eq!((changed.files_read, changed.was_fresh), (1, false));
    let incremental = it.search_bytes(&index);
    for file in ["terms.bin", "search.bin"] {
        std::fs::remove_file(index.folder().join(file)).unwrap();
    }
    index.retrieval(&it.ctx, Some(&Toy)).unwrap();
    assert_eq!(it.search_bytes(&index), incremental, "incremental equals from scratch");
}

#[test]
fn another_encoder_has_new_vectors_and_reuses_the_terms() {
    let it = project(&[("src/lib.rs", LIB), ("src/io.rs", IO)]);
    let index = it.index();
    let words = index.retrieval(&it.ctx, None).unwrap();
    assert_eq!((words.index.vector_count(), words.index.encoder_name()), (0, None));
    let both = index.retrieval(&it.ctx, Some(&Toy)).unwrap();
    assert_eq!((both.files_read, both.was_fresh), (0, false));
    assert_eq!(both.index.encoder_name(), Some("toy"));
    assert!(both.index.vector_count() > 0);
}

#[test]
fn a_reading_encoder_reads_each_text_once_and_its_failure_keeps_the_previous_index() {
    let it = project(&[("src/lib.rs", LIB), ("src/io.rs", IO)]);
    let index = it.index();
    let reader = Arc::new(ToyReader::default());
    let read = || reader.texts.load(Ordering::SeqCst);
    let encoder = ModelEncoder::new(reader.clone(), StaticTable::embedded());
    let first = index.retrieval(&it.ctx, Some(&encoder)).unwrap();
    assert_eq!(first.index.encoder_name(), Some(encoder.name()));
    assert_eq!((first.index.vector_count(), read()), (7, 8), "two files, one doc comment");
    let map = index.map();
    let searcher = Searcher { encoder: Some(&encoder), ..Searcher::new(&map, &first.index) };
    let query = Query { mode: Mode::Dense, ..Query::new("gggggg", 3) };
    let answer = searcher.search(&query);
    assert!(answer.complete && answer.hits.len() == 3, "{answer:?}");
    assert_eq!(read(), 9);

    write(&it.root, "src/io.rs", &IO.replace("u8 {", "u16 {"));
    let index = it.index();
    let before = it.search_bytes(&index);
    reader.is_broken.store(true, Ordering::SeqCst);
    let error = index.retrieval(&it.ctx, Some(&encoder)).unwrap_err().to_string();
    assert_eq!(error, "the encoder failed on the project's texts: it is broken");
    assert_eq!(it.search_bytes(&index), before);
    let skipped = searcher.search(&query).stages;
    let skipped = skipped.iter().find(|stage| stage.name == "vectors").unwrap().skipped_because;
    assert_eq!(skipped, Some(Skipped::Unread));
    reader.is_broken.store(false, Ordering::SeqCst);
    let changed = index.retrieval(&it.ctx, Some(&encoder)).unwrap();
    assert_eq!((changed.files_read, changed.index.vector_count()), (1, 7));
    assert!((10..16).contains(&read()), "the other file must not be read: {}", read());
}

#[test]
fn any_damage_is_detected_repaired_and_reported() {
    let it = project(&[("src/lib.rs", LIB), ("src/io.rs", IO)]);
    let index = it.index();
    index.retrieval(&it.ctx, Some(&Toy)).unwrap();
    let whole = it.search_bytes(&index);
    for file in ["search.bin", "terms.bin"] {
        let path = index.folder().join(file);
        let bytes = std::fs::read(&path).unwrap();
        for at in (0..bytes.len()).step_by(bytes.len() / 23 + 1) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            std::fs::write(&path, &damaged).unwrap();
            if file == "terms.bin" {
                // Read only if the index is missing.
                std::fs::remove_file(index.folder().join("search.bin")).unwrap();
            }
            let found = index.retrieval(&it.ctx, Some(&Toy)).unwrap();
            assert_eq!(found.index.document_count(), 7, "{file} at {at}");
            if !found.was_fresh {
                assert_eq!(it.search_bytes(&index), whole, "{file} at {at}");
            }
        }
        std::fs::write(&path, b"").unwrap();
        std::fs::remove_file(index.folder().join("search.bin")).unwrap();
        let found = index.retrieval(&it.ctx, Some(&Toy)).unwrap();
        assert_eq!(it.search_bytes(&index), whole);
        assert_eq!(found.problems.is_empty(), file == "search.bin", "{:?}", found.problems);
    }
}

#[test]
fn a_file_that_differs_from_the_map_is_reported_and_the_previous_index_stays() {
    let it = project(&[("src/lib.rs", LIB), ("src/io.rs", IO)]);
    let index = it.index();
    index.retrieval(&it.ctx, None).unwrap();
    let before = it.search_bytes(&index);
    drop(index);
    write(&it.root, "src/io.rs", &IO.replace("gamma", "delta"));
    let index = it.index();
    write(&it.root, "src/io.rs", &IO.replace("gamma", "other"));
    drop(index);
    // A new process finds the map of `delta` and the text of `other`.
    let index = Index::open(&it.ctx, &it.project, None).unwrap();
    let error = index.retrieval(&it.ctx, None).unwrap_err();
    assert_eq!(error.to_string(), "`src/io.rs` changed since the map was built");
    assert_eq!(it.search_bytes(&index), before);
}

#[test]
fn an_index_is_written_in_the_background_and_stays_after_a_failure() {
    let it = project(&[("src/lib.rs", LIB), ("src/io.rs", IO)]);
    let mut index = it.index();
    let retriever = Retriever::spawn(&it.ctx, &index, Some(Arc::new(Toy))).unwrap();
    let finalize = |map| retriever.finalize(map).recv().unwrap();
    finalize(index.map()).unwrap();
    assert!(index.retrieval(&it.ctx, Some(&Toy)).unwrap().was_fresh);
    let first = it.search_bytes(&index);
    write(&it.root, "src/io.rs", &IO.replace("gamma", "epsilon"));
    index.refresh(&it.ctx, &Options::default()).unwrap();
    finalize(index.map()).unwrap();
    assert!(index.retrieval(&it.ctx, Some(&Toy)).unwrap().was_fresh);
    let second = it.search_bytes(&index);
    assert_ne!(second, first);

    write(&it.root, "src/io.rs", &IO.replace("gamma", "zeta"));
    let mut other = Index::open(&it.ctx, &it.project, None).unwrap();
    other.refresh(&it.ctx, &Options::default()).unwrap();
    write(&it.root, "src/io.rs", "");
    let error = finalize(other.map()).unwrap_err();
    assert!(error.to_string().contains("changed since the map was built"), "{error}");
    assert_eq!(it.search_bytes(&index), second);
}

#[test]
fn documents_have_no_doc_comments_in_their_code_and_blocks_have_the_names_of_their_members() {
    let text = "/// One alpha.\npub fn f() { //! in\n g() }\nimpl S { fn member(&self) { inside() } }\nmacro_rules! m { () => {} }\nfn outer() { fn local() {} }\n";
    let path = ProjectPath::new("src/a.rs").unwrap();
    let data = ingest_file(&testkit::ctx(), &path, text).unwrap();
    let map = Map::open(Arc::new(data.to_bytes())).unwrap();
    let files = super::documents::of_map(&map);
    assert_eq!(files.len(), 1);
    let terms = files[0].terms(&map, text);
    // The file, f, the impl, its member, the macro and outer: items in a function are found by it.
    assert_eq!(terms.document_count(), 6);
    assert_eq!(terms, files[0].terms(&map, text));
}
