//! The releases of a package that the user's copy of a registry's index lists. Start at [`releases`].

use std::path::Path;

use cargo_metadata::semver::Version;

use crate::fetch::fault::IndexFault;
use crate::fetch::index_entry;
use crate::{HostEnv, ResolvedPackage};

/// Maximum size of one entry of an index, in bytes.
const ENTRY_BYTES: u64 = 32 << 20;

/// One release of a package in a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRelease {
    /// Version.
    pub version: String,
    /// Whether it was withdrawn.
    pub yanked: bool,
    /// The oldest Rust that it declares to support.
    pub rust_version: Option<String>,
}

/// Why the releases of a package are not known.
#[derive(Debug, thiserror::Error)]
pub enum UnknownReleases {
    /// The package is from no registry.
    #[error("it is not in the user's registry")]
    NotInRegistry,
    /// The index has no file of it.
    #[error("the index has no entry of it")]
    NoEntry,
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] untrusted_fs::Fault),
    /// The file is no entry of it.
    #[error(transparent)]
    Entry(#[from] IndexFault),
}

/// The releases of a package in the registry that `of` is from, as last downloaded.
///
/// # Errors
/// Why they are unknown: the package is from no registry, or its index has another layout.
pub fn releases(
    host: &HostEnv,
    of: &ResolvedPackage,
) -> Result<Vec<ListedRelease>, UnknownReleases> {
    let registry = host.cargo_home.join("registry");
    let source = of.dir.parent().filter(|it| it.parent() == Some(registry.join("src").as_path()));
    let source = source.and_then(Path::file_name).filter(|_| of.is_registry && of.name.is_ascii());
    let source = source.ok_or(UnknownReleases::NotInRegistry)?;
    let path = registry.join("index").join(source).join(".cache").join(index_entry::path(&of.name));
    let bytes = untrusted_fs::read_regular(&path, ENTRY_BYTES)?;
    let bytes = bytes.ok_or(UnknownReleases::NoEntry)?;
    let listed = index_entry::listed(&of.name, &bytes)?;
    Ok(listed
        .into_iter()
        .map(|it| ListedRelease {
            version: it.version,
            yanked: it.yanked,
            rust_version: it.rust_version,
        })
        .collect())
}

/// The newest release that is neither withdrawn nor a pre-release and that this Rust can build, and a
/// newer one that needs a newer Rust, if there is one.
pub fn newest_release<'a>(
    releases: &'a [ListedRelease],
    rust: Option<&str>,
) -> (Option<&'a ListedRelease>, Option<&'a ListedRelease>) {
    let own = rust.and_then(rust_parts);
    let is_built = |it: &ListedRelease| {
        let needs = it.rust_version.as_deref().and_then(rust_parts);
        own.zip(needs).is_none_or(|(own, needs)| needs <= own)
    };
    let mut usable: Vec<(Version, &ListedRelease)> = releases
        .iter()
        .filter(|it| !it.yanked)
        .filter_map(|it| Some((Version::parse(&it.version).ok()?, it)))
        .filter(|(version, _)| version.pre.is_empty())
        .collect();
    usable.sort_by(|a, b| a.0.cmp(&b.0));
    let last = usable.last().map(|it| it.1);
    let newest = usable.iter().rev().map(|it| it.1).find(|it| is_built(it));
    (newest, last.filter(|it| newest.is_none_or(|newest| newest.version != it.version)))
}

/// `1.85`, `1.85.0` and `1.85.0-nightly` as numbers.
fn rust_parts(text: &str) -> Option<(u64, u64, u64)> {
    let text = text.split('-').next().unwrap_or(text);
    let mut parts = text.split('.').map(|it| it.parse::<u64>().ok());
    let major = parts.next()??;
    let minor = parts.next().flatten().unwrap_or(0);
    Some((major, minor, parts.next().flatten().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(version: &str, yanked: bool, rust: Option<&str>) -> ListedRelease {
        let (version, rust_version) = (version.to_owned(), rust.map(str::to_owned));
        ListedRelease { version, yanked, rust_version }
    }

    #[test]
    fn the_newest_release_is_one_that_can_be_built() {
        let all = [
            release("0.9.0", false, Some("1.60")),
            release("0.10.0", false, Some("1.70.0")),
            release("0.11.0", false, Some("1.90")),
            release("0.12.0", true, None),
            release("1.0.0-rc.1", false, None),
            release("0.2.0", false, None),
        ];
        let of = |rust: Option<&str>| {
            let (newest, newer) = newest_release(&all, rust);
            let version = |it: Option<&ListedRelease>| it.map(|it| it.version.clone());
            (version(newest), version(newer))
        };
        let some = |it: &str| Some(it.to_owned());
        assert_eq!(of(Some("1.70.0")), (some("0.10.0"), some("0.11.0")));
        assert_eq!(of(Some("1.90.0-nightly")), (some("0.11.0"), None));
        assert_eq!(of(None), (some("0.11.0"), None));
        assert_eq!(of(Some("1.5")), (some("0.2.0"), some("0.11.0")));
        assert_eq!(newest_release(&[], None), (None, None));
    }
}
