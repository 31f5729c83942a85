//! An index of rust-analyzer with contents that no rust-analyzer writes.

use std::fs;

use analyzer::scip::{ScipLookup, calls};
use base::{ContentHash, SortedMap};

use crate::Attack;
use crate::world::World;

/// The text of each file that an index names.
const TEXT: &str = "fn f() {}\n";

/// A field of protobuf: its number and bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length > 0x7f {
        field.push(length as u8 | 0x80);
        length >>= 7;
    }
    field.push(length as u8);
    field.extend(bytes);
    field
}

/// A number of 32 bits as protobuf has it: a negative one has the bytes of 64.
fn number(value: i32) -> Vec<u8> {
    let mut rest = i64::from(value).cast_unsigned();
    let mut bytes = Vec::new();
    while rest > 0x7f {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

/// An index of one document in which something is named at this range.
fn index(path: &str, range: &[i32]) -> Vec<u8> {
    let range: Vec<u8> = range.iter().copied().flat_map(number).collect();
    let symbol = b"rust-analyzer cargo a 0.1.0 f().";
    let occurrence = [field(1, &range), field(2, symbol)].concat();
    // Columns are UTF-8 bytes.
    let encoding = vec![6 << 3, 1];
    let document = [field(1, path.as_bytes()), field(2, &occurrence), encoding].concat();
    field(2, &document)
}

pub(crate) fn attacks() -> Vec<Attack> {
    let mut attacks = Vec::new();
    let mut add = |name: &str, bytes: fn(&World) -> Vec<u8>, control: fn(&World) -> Vec<u8>| {
        attacks.push(Attack {
            name: format!("index: {name}"),
            plant: Box::new(move |world| world.write(&world.path("work/index.scip"), bytes(world))),
            control: Box::new(control),
            defence: read_index,
        });
    };
    add(
        "an absolute path",
        |world| index(&world.path("victim/secret").display().to_string(), &[0, 3, 4]),
        |world| fs::read(world.path("project").join(world.path("victim/secret"))).unwrap(),
    );
    add(
        "a path that leaves",
        |_| index("../victim/secret", &[0, 3, 4]),
        |world| fs::read(world.path("project").join("../victim/secret")).unwrap(),
    );
    add(
        "a path that leaves from within",
        |_| index("src/../../victim/secret", &[0, 3, 4]),
        |world| fs::read(world.path("project").join("src/../../victim/secret")).unwrap(),
    );
    add(
        "a length of 2 GiB",
        |_| vec![2 << 3 | 2, 0xff, 0xff, 0xff, 0xff, 0x07, 0],
        // Allocates what is announced.
        |_| vec![0; 0x7fff_ffff],
    );
    add(
        "groups in groups",
        |_| vec![5 << 3 | 3; 1 << 20],
        |world| {
            let depth = fs::read(world.path("work/index.scip")).unwrap().len();
            assert!(depth < 50_000, "the stack overflows");
            Vec::new()
        },
    );
    add("a line behind the text", |_| index("src/lib.rs", &[7, 0, 3]), |_| slice(7, 0, 3));
    add("a column behind the line", |_| index("src/lib.rs", &[0, 70, 99]), |_| slice(0, 70, 99));
    add(
        "the last column that can be counted",
        |_| index("src/lib.rs", &[0, i32::MAX, i32::MAX]),
        |_| slice(0, i32::MAX, i32::MAX),
    );
    add("a negative column", |_| index("src/lib.rs", &[0, -4, 3]), |_| slice(0, -4, 3));
    add("a range that runs backwards", |_| index("src/lib.rs", &[0, 8, 2]), |_| slice(0, 8, 2));
    attacks
}

/// Takes the range of a text as it is named.
fn slice(line: usize, from: i32, to: i32) -> Vec<u8> {
    let line = TEXT.lines().nth(line).unwrap();
    line[usize::try_from(from).unwrap()..usize::try_from(to).unwrap()].into()
}

/// Reads the index and asks about each place in it, with the files that it names.
fn read_index(world: &World, plant: &dyn Fn(&World)) -> Vec<u8> {
    let key = ContentHash::of(b"key");
    world.write(&world.path("work/index.key"), key.to_string());
    plant(world);
    let Some(facts) = analyzer::kept_index(&world.path("work"), key) else { return Vec::new() };
    let mut seen = format!("{facts:?}").into_bytes();
    for path in &facts.files {
        seen.extend(fs::read(path.join_to(&world.path("project"))).unwrap_or_default());
    }
    let found = calls(&facts, &mut |_| Some(TEXT.to_owned()));
    let texts: SortedMap<u32, String> =
        (0..facts.files.len()).map(|file| (file as u32, TEXT.to_owned())).collect();
    let places = ScipLookup::new(&facts, texts);
    for it in &facts.references {
        if let Some(offset) = places.offset(it.file, it.range.start) {
            let named = places.named_at(it.file, offset).len();
            let is_called = places.is_called(it.file, offset);
            let defined = places.defined(it.symbol, it.file, offset).len();
            seen.extend(format!("{named} {is_called} {defined}").into_bytes());
        }
    }
    seen.extend(format!("{found:?}").into_bytes());
    seen
}
