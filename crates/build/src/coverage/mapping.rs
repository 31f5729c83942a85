//! Reads the coverage map of a test binary (sections `__llvm_covmap` and `__llvm_covfun`, versions 4
//! to 7): the regions of each function and the counter of each. Start at [`CoverageMap::of`]. The
//! binary was made by foreign code.

use std::sync::Arc;

use base::SortedMap;
use md5::{Digest as _, Md5};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use object::{Object as _, ObjectSection as _};

use super::bytes::Bytes;

/// Maximum number of regions of one binary.
const REGIONS: usize = 5_000_000;
/// Maximum size of one list of file names.
const NAMES_BYTES: usize = 16 << 20;

/// The functions of one binary.
#[derive(Debug, Default)]
pub(crate) struct CoverageMap {
    pub(super) functions: Vec<CoveredFunction>,
}

/// One function with its regions.
#[derive(Debug)]
pub(super) struct CoveredFunction {
    /// Hashes of name and structure, by which a profile names it.
    pub(super) key: (u64, u64),
    /// The two sides of each expression.
    pub(super) expressions: Vec<(u64, u64)>,
    pub(super) regions: Vec<CodeRegion>,
}

/// Some code with a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CodeRegion {
    /// File as the compiler was given it, below the directory of the compilation.
    pub(super) file: Arc<str>,
    pub(super) first_line: u32,
    pub(super) last_line: u32,
    /// The counter as it is encoded: its kind in two bits, then its number.
    pub(super) counter: u64,
}

/// The file names of the parts of a binary, by the hash of their text.
type FileLists = SortedMap<u64, Vec<Arc<str>>>;

impl CoverageMap {
    /// The map of a binary; `None` without one, or for damaged ones.
    pub(crate) fn of(binary: &[u8]) -> Option<Self> {
        let file = object::File::parse(binary).ok()?;
        let section = |names: [&str; 2]| {
            let found = names.iter().find_map(|name| file.section_by_name(name))?;
            found.data().ok()
        };
        let files = file_lists(section(["__llvm_covmap", ".lcovmap"])?)?;
        functions(section(["__llvm_covfun", ".lcovfun"])?, &files)
    }
}

fn file_lists(section: &[u8]) -> Option<FileLists> {
    let mut lists = FileLists::new();
    let mut input = Bytes::new(section);
    while input.len() >= 16 {
        let _records = input.u32()?;
        let len = input.u32()? as usize;
        let _mappings = input.u32()?;
        let version = input.u32()?;
        let text = input.take(len)?;
        // The number of a version is one less than its name.
        if (3..=6).contains(&version) {
            let digest = Md5::digest(text);
            let key = Bytes::new(&digest).u64()?;
            lists.insert(key, file_list(text, version)?);
        }
        align(&mut input, section.len());
    }
    Some(lists)
}

fn file_list(text: &[u8], version: u32) -> Option<Vec<Arc<str>>> {
    let mut input = Bytes::new(text);
    let count = usize::try_from(input.uleb()?).ok()?;
    let (_plain, packed) = (input.uleb()?, input.uleb()?);
    let unpacked;
    if packed > 0 {
        let packed = input.take(usize::try_from(packed).ok()?)?;
        unpacked = decompress_to_vec_zlib_with_limit(packed, NAMES_BYTES).ok()?;
        input = Bytes::new(&unpacked);
    }
    if count > input.len() {
        return None;
    }
    let mut names: Vec<Arc<str>> = Vec::new();
    for nth in 0..count {
        let len = input.count(1)?;
        let name = std::str::from_utf8(input.take(len)?).ok()?;
        // From version 6 the first one is the directory of the others.
        let full = match names.first().filter(|_| version >= 5 && nth > 0) {
            Some(folder) if !name.starts_with('/') => format!("{folder}/{name}").into(),
            _ => name.into(),
        };
        names.push(full);
    }
    Some(names)
}

/// Skips to the next multiple of eight bytes of a section of `len` bytes.
fn align(input: &mut Bytes<'_>, len: usize) {
    let at = len - input.len();
    let _ = input.take((at.next_multiple_of(8) - at).min(input.len()));
}

fn functions(section: &[u8], files: &FileLists) -> Option<CoverageMap> {
    let mut map = CoverageMap::default();
    let mut input = Bytes::new(section);
    let mut left = REGIONS;
    while input.len() >= 28 {
        let name = input.u64()?;
        let len = input.u32()? as usize;
        let hash = input.u64()?;
        let list = input.u64()?;
        let data = input.take(len)?;
        align(&mut input, section.len());
        let Some(list) = files.get(&list) else { continue };
        let (expressions, regions) = regions(Bytes::new(data), list, &mut left)?;
        map.functions.push(CoveredFunction { key: (name, hash), expressions, regions });
    }
    Some(map)
}

type FunctionParts = (Vec<(u64, u64)>, Vec<CodeRegion>);

fn regions(mut input: Bytes<'_>, names: &[Arc<str>], left: &mut usize) -> Option<FunctionParts> {
    let mut files = Vec::new();
    for _ in 0..input.count(1)? {
        let idx = usize::try_from(input.uleb()?).ok()?;
        files.push(names.get(idx)?);
    }
    let mut expressions = Vec::new();
    for _ in 0..input.count(2)? {
        expressions.push((input.uleb()?, input.uleb()?));
    }
    let mut regions = Vec::new();
    for file in files {
        let mut line = 0u64;
        for _ in 0..input.count(5)? {
            *left = left.checked_sub(1)?;
            let counter = counter(&mut input)?;
            line = line.checked_add(input.uleb()?)?;
            let _column = input.uleb()?;
            let lines = input.uleb()?;
            let end = input.uleb()?;
            let is_gap = end & (1 << 31) != 0;
            let last = u32::try_from(line.checked_add(lines)?).ok()?;
            let first_line = u32::try_from(line).ok()?;
            if let Some(counter) = counter.filter(|_| !is_gap) {
                let file = Arc::clone(file);
                regions.push(CodeRegion { file, first_line, last_line: last, counter });
            }
        }
    }
    Some((expressions, regions))
}

/// The counter of the next region; an inner `None` for a region that is no code.
#[allow(clippy::option_option, reason = "damaged, no code, code")]
fn counter(input: &mut Bytes<'_>) -> Option<Option<u64>> {
    let head = input.uleb()?;
    if head & 3 != 0 {
        return Some(Some(head));
    }
    if head & 4 != 0 {
        // An expansion.
        return Some(None);
    }
    let numbers = match head >> 3 {
        0 => return Some(Some(0)),
        // Skipped code and gaps.
        2 | 3 => 0,
        // A branch has two counters, one of a decision also three numbers, a decision two.
        4 | 5 => 2,
        6 => 5,
        _ => return None,
    };
    for _ in 0..numbers {
        input.uleb()?;
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sections of a binary with one function: lines 3 to 9, of which 5 to 6 have their own
    /// counter.
    fn sections() -> (Vec<u8>, Vec<u8>) {
        let mut names = vec![2, 0, 0];
        for name in ["/p", "src/a.rs"] {
            names.push(name.len() as u8);
            names.extend(name.as_bytes());
        }
        let mut map = Vec::new();
        for number in [0, names.len() as u32, 0, 6] {
            map.extend(number.to_le_bytes());
        }
        map.extend(&names);
        let hash = Bytes::new(&Md5::digest(&names)).u64().unwrap();
        // One file, one expression, three regions: code, code of the expression, skipped.
        let data = [1u8, 1, 1, 1, 5, 3, 1, 3, 1, 6, 2, 2, 2, 1, 1, 9, 16, 1, 1, 0, 1];
        let mut functions = Vec::new();
        functions.extend(77u64.to_le_bytes());
        functions.extend((data.len() as u32).to_le_bytes());
        functions.extend(5u64.to_le_bytes());
        functions.extend(hash.to_le_bytes());
        functions.extend(data);
        (map, functions)
    }

    #[test]
    fn regions_have_their_lines_and_counters() {
        let (map, functions_section) = sections();
        let files = file_lists(&map).unwrap();
        let map = functions(&functions_section, &files).unwrap();
        let [function] = map.functions.as_slice() else { panic!("{map:?}") };
        assert_eq!(function.key, (77, 5));
        assert_eq!(function.expressions, [(1, 5)]);
        let found: Vec<_> = function
            .regions
            .iter()
            .map(|it| (&*it.file, it.first_line, it.last_line, it.counter))
            .collect();
        assert_eq!(found, [("/p/src/a.rs", 3, 9, 1), ("/p/src/a.rs", 5, 6, 2)]);
    }

    #[test]
    fn names_may_be_compressed() {
        // As rustc 1.95 writes them: a folder and `src/lib.rs`.
        let packed = [
            0x78, 0xda, 0xe3, 0xd4, 0x2f, 0xc9, 0x2d, 0xd0, 0xcf, 0xd5, 0x4f, 0x2e, 0x13, 0x81,
            0xb3, 0xf4, 0x8b, 0x8b, 0x92, 0xf5, 0x73, 0x32, 0x93, 0xf4, 0x8a, 0x8a, 0x01, 0x9c,
            0xd2, 0x0a, 0x56,
        ];
        let text = [&[2, 31, 31][..], &packed].concat();
        let names = file_list(&text, 6).unwrap();
        let shown: Vec<&str> = names.iter().map(|it| &**it).collect();
        assert_eq!(shown, ["/tmp/m/cv", "/tmp/m/cv/src/lib.rs"]);
    }

    #[test]
    fn damaged_sections_are_none_and_never_a_panic() {
        let (map, section) = sections();
        let files = file_lists(&map).unwrap();
        for at in 0..section.len() {
            let _ = functions(&section[..at], &files);
            for value in [0, 1, 0x3f, 0x80, 0xff] {
                let mut bad = section.clone();
                bad[at] = value;
                let _ = functions(&bad, &files);
            }
        }
        for at in 0..map.len() {
            let _ = file_lists(&map[..at]);
            let mut bad = map.clone();
            bad[at] = 0xff;
            let _ = file_lists(&bad);
        }
    }

    #[test]
    fn what_is_no_binary_has_no_map() {
        assert!(CoverageMap::of(b"").is_none());
        assert!(CoverageMap::of(b"\x7fELF\x02\x01\x01").is_none());
        assert!(CoverageMap::of(&[0xff; 4_096]).is_none());
    }
}
