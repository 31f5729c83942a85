//! Settings of the hooks of coding agents.

use super::keys::{SettingKey, set};

pub(super) const HOOK_KEYS: &[SettingKey] = &[SettingKey {
    name: "hook.strict",
    help: "let the hooks of coding agents refuse direct edits of Rust files",
    takes: "true or false",
    get: |s| s.hook_strict.to_string(),
    set: |s, v| set(&mut s.hook_strict, v.parse().ok()),
    tightens: Some(|old, new| new.hook_strict >= old.hook_strict),
}];
