//! What of the standard library and of well-known crates reaches outside of the program: files,
//! processes, the network, the environment. The lists name modules, types, functions and methods; a
//! method counts on any receiver, because its type is not known here.

/// Modules of the standard library that reach outside of the program.
const MODULES: &[&str] = &["env", "fs", "net", "os", "process"];

/// Types with their modules, wherever they are imported from.
const TYPES: &[(&str, &str)] = &[
    ("Child", "process"),
    ("Command", "process"),
    ("DirBuilder", "fs"),
    ("File", "fs"),
    ("OpenOptions", "fs"),
    ("TcpListener", "net"),
    ("TcpStream", "net"),
    ("UdpSocket", "net"),
    ("UnixDatagram", "net"),
    ("UnixListener", "net"),
    ("UnixStream", "net"),
];

/// Methods and associated functions with the modules that they belong to.
const METHODS: &[(&str, &str)] = &[
    ("bind", "net"),
    ("canonicalize", "fs"),
    ("connect", "net"),
    ("connect_timeout", "net"),
    ("create_dir", "fs"),
    ("create_dir_all", "fs"),
    ("create_new", "fs"),
    ("current_dir", "env"),
    ("exec", "process"),
    ("exists", "fs"),
    ("hard_link", "fs"),
    ("is_dir", "fs"),
    ("is_file", "fs"),
    ("is_symlink", "fs"),
    ("metadata", "fs"),
    ("pre_exec", "process"),
    ("read_dir", "fs"),
    ("read_link", "fs"),
    ("remove_dir", "fs"),
    ("remove_dir_all", "fs"),
    ("remove_file", "fs"),
    ("set_len", "fs"),
    ("set_permissions", "fs"),
    ("spawn", "process"),
    ("symlink_metadata", "fs"),
    ("to_socket_addrs", "net"),
    ("try_exists", "fs"),
];

/// Methods of common names with their modules: refused where the file does not use one of that name.
const COMMON: &[(&str, &str)] =
    &[("create", "fs"), ("open", "fs"), ("output", "process"), ("status", "process")];

/// Crates whose purpose is to reach outside.
const CRATES: &[&str] = &[
    "async_std",
    "cap_std",
    "curl",
    "duct",
    "fs_err",
    "fs_extra",
    "hyper",
    "libc",
    "libloading",
    "memmap2",
    "mio",
    "nix",
    "reqwest",
    "rustix",
    "smol",
    "socket2",
    "subprocess",
    "tempfile",
    "tokio",
    "ureq",
    "walkdir",
    "winapi",
    "windows",
    "windows_sys",
    "xshell",
];

/// Roots of the standard library.
pub(super) const ROOTS: &[&str] = &["std", "core", "alloc"];

/// Macros of the standard library that define and read nothing, beside those whose input is values.
const OTHER_MACROS: [&str; 7] =
    ["column", "concat", "file", "line", "module_path", "stringify", "thread_local"];

/// Whether a macro is one of the standard library that defines and reads nothing.
pub(super) fn is_value_macro(name: &str) -> bool {
    preserve::VALUE_MACROS.contains(&name) || OTHER_MACROS.contains(&name)
}

/// Names of the prelude and of the language, which no import adds.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Hash",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    "bool",
    "char",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "str",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];

/// The module that reaches outside by which a word is known; methods only where `is_member`.
pub(super) fn module_of(word: &str, is_member: bool) -> Option<&'static str> {
    let listed = |list: &[(&str, &'static str)]| {
        list.iter().find(|(name, _)| *name == word).map(|(_, module)| *module)
    };
    let module = MODULES.iter().find(|it| **it == word).copied();
    let member = || is_member.then(|| listed(METHODS).or_else(|| listed(COMMON))).flatten();
    module.or_else(|| listed(TYPES)).or_else(member)
}

/// Whether a word is the name of a type that reaches outside.
pub(super) fn is_type(word: &str) -> bool {
    TYPES.iter().any(|(name, _)| *name == word)
}

/// Whether a word is a method that reaches outside.
pub(super) fn is_method(word: &str) -> bool {
    METHODS.iter().chain(COMMON).any(|(name, _)| *name == word)
}

/// Whether a method that reaches outside has a name that many others have.
pub(super) fn is_common(word: &str) -> bool {
    COMMON.iter().any(|(name, _)| *name == word)
}

/// Whether a word is a module that reaches outside.
pub(super) fn is_module(word: &str) -> bool {
    MODULES.contains(&word)
}

/// Whether a crate reaches outside.
pub(super) fn is_crate(name: &str) -> bool {
    CRATES.contains(&name)
}

/// Whether a name needs no import.
pub(super) fn is_prelude(name: &str) -> bool {
    PRELUDE.contains(&name)
}
