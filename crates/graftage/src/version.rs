//! The long version: what this program was built from and how.

/// A value that a build of a package sets; one from sources does not know it.
macro_rules! built {
    ($name:literal) => {
        match option_env!($name) {
            Some(value) => value,
            None => "unknown (built from sources)",
        }
    };
}

/// Date of the commit, as `2026-11-30`.
pub(crate) const DATE: &str = match option_env!("GRAFTAGE_BUILD_DATE") {
    Some(date) => date,
    None => "",
};
const STORE: &str = if cfg!(feature = "store") { " store" } else { "" };
const TLS: &str = if cfg!(feature = "tls") { " tls" } else { "" };
const CANDLE: &str = if cfg!(feature = "candle") { " candle" } else { "" };

/// The lines of `graftage --version`; the first one is that of `-V`.
pub(crate) static LONG: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
    let (commit, compiler) = (built!("GRAFTAGE_BUILD_COMMIT"), built!("GRAFTAGE_BUILD_COMPILER"));
    format!(
        "{}\ncommit: {commit}\ncompiler: {compiler}\ntarget: {}-{}\nfeatures:{STORE}{TLS}{CANDLE}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
    )
});
