#!/bin/sh
# Passes a hook to graftage. Whatever is missing or fails, the client neither waits nor is blocked:
# status 2 would block it, so every failure becomes status 1.
if ! command -v graftage >/dev/null 2>&1; then
  cat >/dev/null
  if [ "${1:-}" = start ]; then
    echo '{"systemMessage":"graftage is not in the PATH, so its tools and hooks are off; in its checkout: cargo install --path crates/graftage --locked"}'
  fi
  exit 0
fi
graftage hook || exit 1
