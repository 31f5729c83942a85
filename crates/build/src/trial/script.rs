//! The shell scripts of trials: their texts never change, and all that varies is an argument.

/// The compiler wrapper. Build scripts and macros are foreign to the question, and have no profile.
pub(super) const WRAPPER: &str = r#"#!/bin/sh
case " $* " in
*" --crate-name build_script_"*|*" proc-macro "*) exec "$@" ;;
*) exec "$@" FLAGS ;;
esac
"#;

/// `$0` the script of one run, `$1` the folder of results, `$2` seconds, `$3` KiB of memory, then for
/// each run: binary, folder, test, candidate. Prints number and exit status of each run; nothing else
/// has that standard output.
pub(super) const SCRIPT: &str = r#"
one=$0; d=$1; seconds=$2; kib=$3; shift 3; n=0
exec 3>&1
while [ $# -ge 4 ]; do
  n=$((n+1))
  {
    /bin/sh -c "$one" "$d" "$n" "$seconds" "$kib" "$1" "$2" "$3" "$4" 3>&- </dev/null
    echo "$n $?" >&3
  } 2>&1 | head -c 1000000 >"$d/$n.out" 3>&-
  b="$d/binary-${1##*/}"
  if [ -f "$d/$n.profraw" ] && [ ! -e "$b" ]; then cp "$1" "$b" 2>/dev/null; fi
  shift 4
done
"#;

/// One run: `$0` the folder of results, `$1` number, `$2` seconds, `$3` KiB, then as above.
pub(super) const ONE_TEST: &str = r#"
cd "$5" || exit 127
ulimit -c 0 2>/dev/null
ulimit -t "$2" 2>/dev/null
ulimit -v "$3" 2>/dev/null
export LLVM_PROFILE_FILE="$0/$1.profraw" CARGO_MANIFEST_DIR="$5" GRAFTAGE_CANDIDATE="$7"
if [ -n "$6" ]; then exec "$4" --exact "$6"; else exec "$4"; fi
"#;
