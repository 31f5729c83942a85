//! Secrets with a known format: a prefix and characters, by which their issuers make them
//! recognisable; private keys, web tokens, passwords in addresses, `Authorization` headers.

use std::ops::Range;

use super::SecretKind;
use super::random::{is_placeholder, looks_random};

/// A format: the prefix, the characters after it, and how many of them there are at least.
struct Format {
    kind: SecretKind,
    prefix: &'static str,
    also: &'static [u8],
    least: usize,
    most: usize,
}

const fn format(
    kind: SecretKind,
    prefix: &'static str,
    also: &'static [u8],
    least: usize,
    most: usize,
) -> Format {
    Format { kind, prefix, also, least, most }
}

/// The formats, the longest prefix of those with a common start first. `also` has the characters
/// beside letters and digits.
const FORMATS: &[Format] = &[
    format(SecretKind::ProviderKey, "sk-ant-", b"-_", 24, 256),
    format(SecretKind::ProviderKey, "sk-proj-", b"-_", 24, 256),
    format(SecretKind::ProviderKey, "sk-svcacct-", b"-_", 24, 256),
    format(SecretKind::ProviderKey, "sk-admin-", b"-_", 24, 256),
    format(SecretKind::ProviderKey, "sk-or-v1-", b"", 32, 128),
    format(SecretKind::ProviderKey, "sk-", b"", 32, 64),
    format(SecretKind::ProviderKey, "gsk_", b"", 40, 80),
    format(SecretKind::ProviderKey, "xai-", b"", 60, 120),
    format(SecretKind::ProviderKey, "hf_", b"", 30, 60),
    format(SecretKind::Aws, "AKIA", b"", 16, 16),
    format(SecretKind::Aws, "ASIA", b"", 16, 16),
    format(SecretKind::GitHost, "ghp_", b"", 36, 255),
    format(SecretKind::GitHost, "gho_", b"", 36, 255),
    format(SecretKind::GitHost, "ghu_", b"", 36, 255),
    format(SecretKind::GitHost, "ghs_", b"", 36, 255),
    format(SecretKind::GitHost, "ghr_", b"", 36, 255),
    format(SecretKind::GitHost, "github_pat_", b"_", 60, 255),
    format(SecretKind::GitHost, "glpat-", b"-_", 20, 100),
    format(SecretKind::Slack, "xoxb-", b"-", 24, 255),
    format(SecretKind::Slack, "xoxp-", b"-", 24, 255),
    format(SecretKind::Slack, "xoxa-", b"-", 24, 255),
    format(SecretKind::Slack, "xoxr-", b"-", 24, 255),
    format(SecretKind::Slack, "xoxs-", b"-", 24, 255),
    format(SecretKind::Slack, "xapp-", b"-", 24, 255),
    format(SecretKind::Slack, "https://hooks.slack.com/services/", b"/", 24, 100),
    format(SecretKind::Google, "AIza", b"-_", 35, 35),
    format(SecretKind::Google, "GOCSPX-", b"-_", 28, 28),
    format(SecretKind::Google, "ya29.", b"-_.", 40, 512),
    format(SecretKind::Stripe, "sk_live_", b"", 24, 128),
    format(SecretKind::Stripe, "rk_live_", b"", 24, 128),
    format(SecretKind::Stripe, "sk_test_", b"", 24, 128),
    format(SecretKind::Registry, "npm_", b"", 36, 36),
    format(SecretKind::Registry, "pypi-", b"-_", 80, 512),
    format(SecretKind::Registry, "cio", b"", 32, 32),
];

/// The secret with a known format that starts at the byte `at`.
pub(super) fn secret_at(text: &str, at: usize) -> Option<(SecretKind, Range<usize>)> {
    let bytes = text.as_bytes();
    match bytes[at] {
        b':' => url_password(bytes, at),
        b'-' => private_key(text, at),
        b'a'..=b'z' | b'A'..=b'Z' if at == 0 || !is_word(bytes[at - 1]) => {
            known(bytes, at).or_else(|| web_token(bytes, at)).or_else(|| authorization(text, at))
        }
        _ => None,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Length of the longest start of `bytes` of letters, digits and the bytes of `also`.
fn length(bytes: &[u8], also: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || also.contains(byte)).count()
}

fn known(bytes: &[u8], at: usize) -> Option<(SecretKind, Range<usize>)> {
    let rest = &bytes[at..];
    let format = FORMATS.iter().find(|format| rest.starts_with(format.prefix.as_bytes()))?;
    let body = &rest[format.prefix.len()..];
    let len = length(body, format.also);
    let body = std::str::from_utf8(&body[..len]).ok()?;
    let is_body = (format.least..=format.most).contains(&len)
        && body.bytes().any(|byte| byte.is_ascii_digit())
        && (format.kind != SecretKind::Aws || !body.bytes().any(|byte| byte.is_ascii_lowercase()))
        && !is_placeholder(body)
        && !is_repeated(body.as_bytes());
    is_body.then(|| (format.kind, at..at + format.prefix.len() + len))
}

/// Whether at most four different characters are used, as in placeholders.
fn is_repeated(bytes: &[u8]) -> bool {
    let mut seen = [false; 256];
    bytes.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    seen.iter().filter(|is_seen| **is_seen).count() <= 4
}

/// A signed JSON Web Token: two JSON objects in base64, which start with `{"`, and a signature.
fn web_token(bytes: &[u8], at: usize) -> Option<(SecretKind, Range<usize>)> {
    let mut end = at;
    for (part, least) in [(0, 12), (1, 12), (2, 20)] {
        let rest = bytes.get(end..)?;
        let len = length(rest, b"-_");
        if len < least || (part < 2 && !rest.starts_with(b"eyJ")) {
            return None;
        }
        end += len;
        if part < 2 {
            if bytes.get(end) != Some(&b'.') {
                return None;
            }
            end += 1;
        }
    }
    Some((SecretKind::Jwt, at..end))
}

/// `Bearer TOKEN` and `Basic TOKEN`, with a random token.
fn authorization(text: &str, at: usize) -> Option<(SecretKind, Range<usize>)> {
    let rest = &text.as_bytes()[at..];
    let prefix = ["Bearer ", "bearer ", "Basic "]
        .into_iter()
        .find(|prefix| rest.starts_with(prefix.as_bytes()))?;
    let start = at + prefix.len();
    let len = length(&rest[prefix.len()..], b"-_.~+/=");
    let token = text.get(start..start + len)?;
    looks_random(token, 20).then_some((SecretKind::Authorization, start..start + len))
}

/// The password in `scheme://user:password@host`; `at` is the colon after the scheme.
fn url_password(bytes: &[u8], at: usize) -> Option<(SecretKind, Range<usize>)> {
    let user = bytes[at..].strip_prefix(b"://")?;
    let has_scheme = at > 0 && bytes[at - 1].is_ascii_alphanumeric();
    let user_len = length(user, b"-_.~%+");
    if !has_scheme || user.get(user_len) != Some(&b':') {
        return None;
    }
    let password = &user[user_len + 1..];
    let len = length(password, b"-_.~%+!*,;&=$#^");
    let password = password.get(..len)?;
    let has = |is: fn(&u8) -> bool| password.iter().any(is);
    let classes = [u8::is_ascii_lowercase, u8::is_ascii_uppercase, u8::is_ascii_digit]
        .into_iter()
        .filter(|is| has(*is))
        .count();
    let start = at + 3 + user_len + 1;
    let is_password = user.get(user_len + 1 + len) == Some(&b'@')
        && len >= 8
        && has(u8::is_ascii_digit)
        && classes + usize::from(has(u8::is_ascii_punctuation)) >= 2
        && std::str::from_utf8(password).is_ok_and(|text| !is_placeholder(text));
    is_password.then_some((SecretKind::UrlPassword, start..start + len))
}

/// A private key in PEM format, in a file or in a string literal; also without its end.
fn private_key(text: &str, at: usize) -> Option<(SecretKind, Range<usize>)> {
    const MARK: &str = "-----";
    let bytes = text.as_bytes();
    let label = bytes[at..].strip_prefix(b"-----BEGIN ")?;
    let label_len =
        label.iter().take_while(|byte| byte.is_ascii_uppercase() || **byte == b' ').count();
    if !label[..label_len].ends_with(b"PRIVATE KEY")
        || !label[label_len..].starts_with(MARK.as_bytes())
    {
        return None;
    }
    let body = at + "-----BEGIN ".len() + label_len + MARK.len();
    let mut end = body;
    let mut data = 0;
    while let Some(&byte) = bytes.get(end) {
        if bytes[end..].starts_with(b"-----END ") {
            let tail = &text[end + MARK.len()..];
            end += MARK.len() + tail.find(MARK).map_or(0, |len| len + MARK.len());
            break;
        }
        let is_data = byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
        if !is_data && !byte.is_ascii_whitespace() && !b"\\\":,.-".contains(&byte) {
            break;
        }
        data += usize::from(is_data);
        end += 1;
    }
    (data >= 40).then_some((SecretKind::PrivateKey, at..end))
}
