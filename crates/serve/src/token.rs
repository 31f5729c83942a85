//! [`AccessToken`]: the secret of every HTTP request, and the file in which it is kept.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use base::Ctx;

use crate::ServeError;

/// Number of characters that a token of the user has at least.
const SHORTEST: usize = 32;
/// Number of bytes of a token file that are read.
const LONGEST: u64 = 4096;

/// The secret of an HTTP server. Its `Debug` form does not show it.
#[derive(Clone)]
pub struct AccessToken(String);

impl AccessToken {
    /// A new random token.
    pub fn random(ctx: &Ctx) -> Self {
        Self(format!("{}{}", ctx.fresh_name(), ctx.fresh_name()))
    }

    /// The token in `path`. A file that does not exist is created with a random token, readable by the
    /// user alone, so that the configuration of clients stays valid from run to run.
    ///
    /// # Errors
    /// A file that others can read or that is not the user's, a token that is too short, no permission.
    pub fn of_file(ctx: &Ctx, path: &Path) -> Result<Self, ServeError> {
        let fail = |reason: String| ServeError::TokenFile { path: path.to_owned(), reason };
        if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
            untrusted_fs::make_private(folder).map_err(|error| fail(error.to_string()))?;
        }
        let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        match created {
            Ok(mut file) => {
                let token = Self::random(ctx);
                let written = file.write_all(format!("{}\n", token.0).as_bytes());
                written.and_then(|()| file.sync_all()).map_err(|error| fail(error.to_string()))?;
                Ok(token)
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Self::read(path).map_err(|fault| fail(fault.to_string()))
            }
            Err(error) => Err(fail(error.to_string())),
        }
    }

    fn read(path: &Path) -> Result<Self, TokenFault> {
        // A pipe would wait for its other end.
        if untrusted_fs::leads_to_special(path) {
            return Err(TokenFault::Owner);
        }
        let file = std::fs::File::open(path)?;
        let meta = file.metadata()?;
        // The owner of `/proc/self` is the effective user.
        let user = std::fs::metadata("/proc/self").map(|it| it.uid()).unwrap_or(meta.uid());
        if !meta.is_file() || meta.uid() != user {
            return Err(TokenFault::Owner);
        }
        if meta.mode() & 0o077 != 0 {
            return Err(TokenFault::Mode);
        }
        let mut text = String::new();
        file.take(LONGEST).read_to_string(&mut text)?;
        let token = text.trim();
        if token.len() < SHORTEST || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(TokenFault::Text);
        }
        Ok(Self(token.to_owned()))
    }

    /// The token itself, for an address that the user opens.
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Whether `header`, the value of `Authorization`, has the token. Compared by hash, so that the time
    /// does not depend on how much of it is right.
    pub(crate) fn is_in(&self, header: &[u8]) -> bool {
        let Some((scheme, value)) = header.split_at_checked(b"Bearer ".len()) else { return false };
        scheme.eq_ignore_ascii_case(b"Bearer ")
            && blake3::hash(value.trim_ascii()) == blake3::hash(self.0.as_bytes())
    }
}

/// Why a file has no token that may be used.
#[derive(Debug, thiserror::Error)]
enum TokenFault {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("not a file of yours")]
    Owner,
    #[error("other users can read or write it")]
    Mode,
    #[error("no token of at least {SHORTEST} printable characters")]
    Text,
}

impl std::fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccessToken")
    }
}

#[cfg(test)]
impl AccessToken {
    pub(crate) fn for_tests(text: &str) -> Self {
        Self(text.to_owned())
    }
}
