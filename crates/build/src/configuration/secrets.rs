//! Removes credentials from a configuration file of cargo, so that a view can show the rest.

use toml::{Table, Value};

/// Keys of `registry` and `registries.*` that are secrets, or programs that print them.
const SECRETS: [&str; 5] = [
    "token",
    "secret-key",
    "secret-key-subject",
    "credential-provider",
    "global-credential-providers",
];

/// Reason why the secrets of a file are not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SecretsFault {
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("it is not valid TOML ({0}), so its tokens cannot be removed")]
    Toml(String),
}

/// The text without tokens, keys, credential providers and passwords in addresses; `None` if it has
/// none. `[env]` stays: builds need it.
///
/// # Errors
/// The text is not valid TOML, so it is unknown where its secrets are.
pub(super) fn without_secrets(bytes: &[u8]) -> Result<Option<Vec<u8>>, SecretsFault> {
    let text = std::str::from_utf8(bytes).map_err(|_| SecretsFault::NotUtf8)?;
    let table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| SecretsFault::Toml(error.message().to_owned()))?;
    Ok(stripped(&table, true).map(String::into_bytes))
}

/// The text of a project's configuration without them, its addresses whole but for the user of its proxy;
/// `None` if it has none, or is no TOML.
pub(super) fn without_own_secrets(text: &str) -> Option<String> {
    stripped(&text.parse().ok()?, false)
}

/// A configuration without secrets; `addresses`: without user and password in those that are no proxy's,
/// too. `None` if that leaves all of it.
fn stripped(table: &Table, addresses: bool) -> Option<String> {
    let mut kept = table.clone();
    kept.remove("credential-alias");
    for (key, value) in &mut kept {
        match key.as_str() {
            "env" => continue,
            "registry" => {
                remove(value);
                continue;
            }
            "registries" => {
                for (_, registry) in value.as_table_mut().into_iter().flatten() {
                    remove(registry);
                }
            }
            "http" => {
                let proxy = value.as_table_mut().and_then(|it| it.get_mut("proxy"));
                proxy.into_iter().for_each(|it| strip_addresses(it, true));
            }
            _ => {}
        }
        if addresses {
            strip_addresses(value, false);
        }
    }
    (kept != *table).then(|| kept.to_string())
}

fn remove(registry: &mut Value) {
    if let Some(registry) = registry.as_table_mut() {
        registry.retain(|key, _| !SECRETS.contains(&key));
    }
}

/// Removes user and password from all addresses in a value. `any`: also from one that is not of the
/// web, or has no scheme, as a proxy's.
fn strip_addresses(value: &mut Value, any: bool) {
    match value {
        Value::String(text) => {
            if let Some(stripped) = without_user(text, any) {
                *text = stripped;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| strip_addresses(value, any)),
        Value::Table(table) => {
            table.iter_mut().for_each(|(_, value)| strip_addresses(value, any));
        }
        _ => {}
    }
}

fn without_user(text: &str, any: bool) -> Option<String> {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, text),
    };
    let is_web = scheme.is_some_and(|it| {
        let it = it.to_ascii_lowercase();
        it.ends_with("http") || it.ends_with("https")
    });
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (user, _) = host.rsplit_once('@').filter(|_| is_web || any)?;
    let rest = rest.get(user.len() + 1..)?;
    Some(scheme.map_or_else(|| rest.to_owned(), |scheme| format!("{scheme}://{rest}")))
}
