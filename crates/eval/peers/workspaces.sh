#!/usr/bin/env bash
# Puts published crates together as the workspaces that the map is compared with rust-analyzer on:
#   workspaces.sh DIR
# Their sources stay as published; benches and profiles are taken out of the manifests, which are
# made to depend on each other. Needs cargo, python3 and, for the first time, the registry.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
registry=${CARGO_HOME:-$HOME/.cargo}/registry/src

bring() { # crate=version…: their sources into the registry's folder
  local at="$out/.fetch"
  rm -rf "$at" && mkdir -p "$at/src" && : >"$at/src/lib.rs"
  printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n' >"$at/Cargo.toml"
  for it in "$@"; do echo "${it%=*} = \"=${it#*=}\"" >>"$at/Cargo.toml"; done
  (cd "$at" && cargo fetch --quiet) && rm -rf "$at"
}

workspace() { # name crate=version…
  local root="$out/$1" members="" patches="" name from
  shift
  rm -rf "$root" && mkdir -p "$root"
  bring "$@"
  for it in "$@"; do
    name=${it%=*}
    from=$(echo "$registry"/*/"$name-${it#*=}" | cut -d' ' -f1)
    cp -r "$from" "$root/$name"
    (cd "$root/$name" && rm -rf .cargo-ok .cargo_vcs_info.json Cargo.toml.orig Cargo.lock .cargo benches)
    python3 - "$root/$name/Cargo.toml" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
parts = re.split(r"(?m)^(?=\[)", text)
drop = ("[[bench]]", "[profile", "[workspace")
open(sys.argv[1], "w").write("".join(part for part in parts if not part.startswith(drop)))
PY
    members+="\"$name\", "
    patches+="$name = { path = \"$name\" }"$'\n'
  done
  printf '[workspace]\nresolver = "2"\nmembers = [%s]\n\n[patch.crates-io]\n%s' "$members" "$patches" >"$root/Cargo.toml"
  (cd "$root" && cargo fetch --quiet)
}

workspace ripgrep ripgrep=15.2.0 grep=0.4.1 grep-cli=0.1.12 grep-matcher=0.1.9 grep-printer=0.3.1 \
  grep-regex=0.1.14 grep-searcher=0.1.17 globset=0.4.21 ignore=0.4.34
workspace serde serde=1.0.229 serde_core=1.0.229 serde_derive=1.0.229
workspace tokio tokio=1.53.1
