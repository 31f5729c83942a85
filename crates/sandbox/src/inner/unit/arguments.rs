//! The arguments of a compiler, as cargo passes them.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::fault::{UnitFault, UnreadableCause};

/// Maximum size of a file of arguments.
const BYTES: u64 = 64 << 20;

/// One call of a compiler that writes files.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CompilerCall {
    /// The folder for its files.
    pub(super) out_dir: PathBuf,
    /// The folder for incremental data of all units.
    pub(super) incremental: Option<PathBuf>,
    /// Name of the crate with cargo's hash: `serde-0123456789abcdef`.
    pub(super) unit: String,
    /// Whether it compiles a build script.
    pub(super) is_build_script: bool,
    /// The units whose libraries it is given.
    pub(super) given: Vec<String>,
    /// The other arguments.
    rest: Vec<OsString>,
}

impl CompilerCall {
    /// `Ok(None)` for a call without a folder for output.
    pub(super) fn parse(args: &[OsString]) -> Result<Option<Self>, UnitFault> {
        let mut args = args.iter().cloned();
        let (mut out_dir, mut incremental) = (None, None);
        let (mut name, mut extra, mut is_bin) = (String::new(), String::new(), false);
        let (mut rest, mut given) = (Vec::new(), Vec::new());
        while let Some(arg) = args.next() {
            let text = arg.to_string_lossy().into_owned();
            let flags =
                ["--out-dir", "--crate-name", "--crate-type", "-C", "--codegen", "--extern"];
            let flag = flags.into_iter().find(|flag| text == *flag);
            let (flag, value) = match flag {
                Some(flag) => (flag.to_owned(), args.next()),
                None => split(&arg),
            };
            let text = value.as_ref().map(|it| it.to_string_lossy().into_owned());
            let text = text.unwrap_or_default();
            match flag.as_str() {
                "--out-dir" => {
                    out_dir = value.map(PathBuf::from);
                    continue;
                }
                "-C" | "--codegen" if text.starts_with("incremental=") => {
                    let bytes = value.unwrap_or_default().into_vec();
                    let path = OsString::from_vec(bytes["incremental=".len()..].to_vec());
                    incremental = Some(path.into());
                    continue;
                }
                "-C" | "--codegen" => {
                    if let Some(hash) = text.strip_prefix("extra-filename=") {
                        hash.clone_into(&mut extra);
                    }
                }
                "--crate-name" => text.clone_into(&mut name),
                "--crate-type" => is_bin |= text == "bin",
                "--extern" => given.extend(library_unit(&text)),
                _ => {
                    rest.push(arg);
                    continue;
                }
            }
            rest.push(flag.into());
            rest.extend(value);
        }
        let Some(out_dir) = out_dir else { return Ok(None) };
        let unit = format!("{name}{extra}");
        if unit.is_empty() || unit.contains(['/', '\0']) || unit.starts_with('.') {
            return Err(UnitFault::UnitName(unit));
        }
        let is_build_script = is_bin && name.starts_with("build_script_");
        Ok(Some(Self { out_dir, incremental, unit, is_build_script, given, rest }))
    }

    /// The arguments with other folders.
    pub(super) fn arguments(&self, out_dir: &Path, incremental: Option<&Path>) -> Vec<OsString> {
        let mut args = self.rest.clone();
        args.extend(["--out-dir".into(), out_dir.into()]);
        if let Some(folder) = incremental {
            let mut flag = OsString::from("incremental=");
            flag.push(folder);
            args.extend(["-C".into(), flag]);
        }
        args
    }
}

/// `--out-dir=x` and `-Cincremental=x` as flag and value; anything else as a flag alone.
fn split(arg: &OsString) -> (String, Option<OsString>) {
    let bytes = arg.as_bytes();
    let value = |from: usize| Some(OsString::from_vec(bytes[from..].to_vec()));
    for flag in ["--out-dir", "--crate-name", "--crate-type", "--codegen", "--extern"] {
        if let Some(rest) = bytes.strip_prefix(flag.as_bytes())
            && rest.first() == Some(&b'=')
        {
            return (flag.to_owned(), value(flag.len() + 1));
        }
    }
    match bytes.strip_prefix(b"-C") {
        Some(rest) if !rest.is_empty() => ("-C".to_owned(), value(2)),
        _ => (arg.to_string_lossy().into_owned(), None),
    }
}

/// The unit of the library in `name=path`; none of a library of the compiler's, which has no path.
fn library_unit(given: &str) -> Option<String> {
    let path = Path::new(given.split_once('=')?.1);
    super::sight::unit_of(path.file_name()?).map(str::to_owned)
}

/// The arguments with those in files (`@FILE`, one a line), which cargo uses for long lists.
pub(super) fn expand(args: Vec<OsString>) -> Result<Vec<OsString>, UnitFault> {
    let mut expanded = Vec::new();
    for arg in args {
        let Some(file) = arg.as_bytes().strip_prefix(b"@") else {
            expanded.push(arg);
            continue;
        };
        let file = PathBuf::from(OsString::from_vec(file.to_vec()));
        let failed = |why| UnitFault::Unreadable { path: file.clone(), why };
        let bytes = untrusted_fs::read_regular(&file, BYTES)
            .map_err(|fault| failed(fault.into()))?
            .ok_or_else(|| failed(UnreadableCause::Missing))?;
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        expanded.extend(lines.map(|line| OsString::from_vec(line.to_vec())));
    }
    Ok(expanded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Option<CompilerCall> {
        let args: Vec<_> = line.split(' ').map(OsString::from).collect();
        CompilerCall::parse(&args).unwrap()
    }

    fn shown(call: &CompilerCall) -> String {
        let args = call.arguments(Path::new("/p"), Some(Path::new("/i")));
        args.join(" ".as_ref()).into_string().unwrap()
    }

    #[test]
    fn the_folders_of_a_call_are_replaced() {
        let line = "--crate-name a src/lib.rs --crate-type lib -C extra-filename=-1f --out-dir /t/deps \
                    -C incremental=/t/inc --extern b=/t/deps/libb-2e.rmeta --extern proc_macro";
        let call = parsed(line).unwrap();
        assert_eq!(call.unit, "a-1f");
        assert_eq!(call.incremental.as_deref(), Some(Path::new("/t/inc")));
        assert_eq!(call.given, ["b-2e"]);
        assert!(!call.is_build_script);
        let expected = "--crate-name a src/lib.rs --crate-type lib -C extra-filename=-1f --extern \
                        b=/t/deps/libb-2e.rmeta --extern proc_macro --out-dir /p -C incremental=/i";
        assert_eq!(shown(&call), expected);
        let short = "--crate-name=build_script_build --crate-type=bin -Cextra-filename=-2 \
                     --out-dir=/t/build/x -Cincremental=/t/inc";
        let call = parsed(short).unwrap();
        assert!(call.is_build_script);
        assert_eq!(call.out_dir, Path::new("/t/build/x"));
        assert_eq!(
            shown(&call),
            "--crate-name build_script_build --crate-type bin -C extra-filename=-2 --out-dir /p -C \
             incremental=/i"
        );
    }

    #[test]
    fn a_call_without_output_is_a_question() {
        assert_eq!(parsed("-vV"), None);
        assert_eq!(parsed("- --crate-name ___ --print=file-names"), None);
    }

    #[test]
    fn a_name_that_is_a_path_is_refused() {
        let args = ["--out-dir", "/t", "--crate-name", "../x"].map(OsString::from);
        assert!(CompilerCall::parse(&args).is_err());
    }
}
