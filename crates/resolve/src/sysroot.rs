//! The declarations of the standard library (`sysroot/*.rs`), parsed once per process.

use std::sync::{Arc, OnceLock};

use syntax::facts::FileFacts;

/// The files; the first is the root of the crate, the others are its modules by `mod x;`. `std`,
/// `core` and `alloc` are all names of this one crate.
const FILES: &[(&str, &str)] = &[
    ("std/lib.rs", include_str!("../sysroot/lib.rs")),
    ("std/alloc.rs", include_str!("../sysroot/alloc.rs")),
    ("std/any.rs", include_str!("../sysroot/any.rs")),
    ("std/array.rs", include_str!("../sysroot/array.rs")),
    ("std/ascii.rs", include_str!("../sysroot/ascii.rs")),
    ("std/borrow.rs", include_str!("../sysroot/borrow.rs")),
    ("std/boxed.rs", include_str!("../sysroot/boxed.rs")),
    ("std/cell.rs", include_str!("../sysroot/cell.rs")),
    ("std/char.rs", include_str!("../sysroot/char.rs")),
    ("std/clone.rs", include_str!("../sysroot/clone.rs")),
    ("std/cmp.rs", include_str!("../sysroot/cmp.rs")),
    ("std/collections.rs", include_str!("../sysroot/collections.rs")),
    ("std/collections/binary_heap.rs", include_str!("../sysroot/collections/binary_heap.rs")),
    ("std/collections/btree_map.rs", include_str!("../sysroot/collections/btree_map.rs")),
    ("std/collections/btree_set.rs", include_str!("../sysroot/collections/btree_set.rs")),
    ("std/collections/hash_map.rs", include_str!("../sysroot/collections/hash_map.rs")),
    ("std/collections/hash_set.rs", include_str!("../sysroot/collections/hash_set.rs")),
    ("std/collections/linked_list.rs", include_str!("../sysroot/collections/linked_list.rs")),
    ("std/collections/vec_deque.rs", include_str!("../sysroot/collections/vec_deque.rs")),
    ("std/convert.rs", include_str!("../sysroot/convert.rs")),
    ("std/default.rs", include_str!("../sysroot/default.rs")),
    ("std/env.rs", include_str!("../sysroot/env.rs")),
    ("std/error.rs", include_str!("../sysroot/error.rs")),
    ("std/ffi.rs", include_str!("../sysroot/ffi.rs")),
    ("std/fmt.rs", include_str!("../sysroot/fmt.rs")),
    ("std/fs.rs", include_str!("../sysroot/fs.rs")),
    ("std/future.rs", include_str!("../sysroot/future.rs")),
    ("std/hash.rs", include_str!("../sysroot/hash.rs")),
    ("std/hint.rs", include_str!("../sysroot/hint.rs")),
    ("std/io.rs", include_str!("../sysroot/io.rs")),
    ("std/iter.rs", include_str!("../sysroot/iter.rs")),
    ("std/marker.rs", include_str!("../sysroot/marker.rs")),
    ("std/mem.rs", include_str!("../sysroot/mem.rs")),
    ("std/net.rs", include_str!("../sysroot/net.rs")),
    ("std/num.rs", include_str!("../sysroot/num.rs")),
    ("std/ops.rs", include_str!("../sysroot/ops.rs")),
    ("std/option.rs", include_str!("../sysroot/option.rs")),
    ("std/os.rs", include_str!("../sysroot/os.rs")),
    ("std/panic.rs", include_str!("../sysroot/panic.rs")),
    ("std/path.rs", include_str!("../sysroot/path.rs")),
    ("std/pin.rs", include_str!("../sysroot/pin.rs")),
    ("std/prelude.rs", include_str!("../sysroot/prelude.rs")),
    ("std/process.rs", include_str!("../sysroot/process.rs")),
    ("std/ptr.rs", include_str!("../sysroot/ptr.rs")),
    ("std/rc.rs", include_str!("../sysroot/rc.rs")),
    ("std/result.rs", include_str!("../sysroot/result.rs")),
    ("std/slice.rs", include_str!("../sysroot/slice.rs")),
    ("std/str.rs", include_str!("../sysroot/str.rs")),
    ("std/string.rs", include_str!("../sysroot/string.rs")),
    ("std/sync.rs", include_str!("../sysroot/sync.rs")),
    ("std/sync/atomic.rs", include_str!("../sysroot/sync/atomic.rs")),
    ("std/sync/mpsc.rs", include_str!("../sysroot/sync/mpsc.rs")),
    ("std/task.rs", include_str!("../sysroot/task.rs")),
    ("std/thread.rs", include_str!("../sysroot/thread.rs")),
    ("std/time.rs", include_str!("../sysroot/time.rs")),
    ("std/vec.rs", include_str!("../sysroot/vec.rs")),
];

/// One file of the declarations.
pub(crate) struct SysrootFile {
    pub(crate) path: &'static str,
    pub(crate) text: Arc<str>,
    pub(crate) facts: Arc<FileFacts>,
}

/// All files, parsed once per process.
pub(crate) fn files() -> &'static [SysrootFile] {
    static READ: OnceLock<Vec<SysrootFile>> = OnceLock::new();
    READ.get_or_init(|| {
        FILES
            .iter()
            .map(|(path, text)| SysrootFile {
                path,
                text: Arc::from(*text),
                facts: Arc::new(syntax::read(text)),
            })
            .collect()
    })
}
