use std::collections::BTreeSet;

use crate::CrateManifest;

/// Which crates may not be trained on, because answers are judged on them.
#[derive(Clone, Debug, Default)]
pub struct Exclusion {
    names: BTreeSet<String>,
    repositories: BTreeSet<String>,
}

impl Exclusion {
    /// From a list of names and one of repositories (`host/owner/name`), one a line, `#` before
    /// comments.
    pub fn new(names: &str, repositories: &str) -> Self {
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
            lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
        };
        Self {
            names: lines(names).iter().map(|name| plain(name)).collect(),
            repositories: lines(repositories).iter().filter_map(|it| repository_of(it)).collect(),
        }
    }

    /// Why a crate may not be used: its name or a beginning of it is on the list, or it comes from
    /// the repository of one that is.
    pub fn why(&self, manifest: &CrateManifest) -> Option<String> {
        let name = plain(&manifest.name);
        let ends = name.match_indices('-').map(|(at, _)| at).chain([name.len()]);
        for end in ends {
            let start = name.get(..end).unwrap_or_default();
            if self.names.contains(start) {
                return Some(format!("`{start}` is on the list"));
            }
        }
        let repository = repository_of(manifest.repository.as_deref()?)?;
        let listed = self.repositories.contains(&repository);
        listed.then(|| format!("it is from the repository `{repository}`"))
    }
}

/// `-` and `_` are one letter in names of crates.
fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

/// `host/owner/name` of an address, whatever its scheme, ending and folder.
fn repository_of(address: &str) -> Option<String> {
    let address = address.trim().to_ascii_lowercase();
    let address = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
    let address = address.strip_prefix("git@").unwrap_or(address).replacen(':', "/", 1);
    let address = address.strip_prefix("www.").unwrap_or(&address);
    let mut parts = address.split('/').filter(|part| !part.is_empty());
    let (host, owner, name) = (parts.next()?, parts.next()?, parts.next()?);
    let name = name.split(['#', '?']).next().unwrap_or(name);
    Some(format!("{host}/{owner}/{}", name.strip_suffix(".git").unwrap_or(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(name: &str, repository: Option<&str>) -> Option<String> {
        let exclusion = Exclusion::new("# judged\ntoml\nserde_json\n", "github.com/a/toml\n");
        exclusion.why(&CrateManifest {
            name: name.to_owned(),
            repository: repository.map(str::to_owned),
            ..CrateManifest::default()
        })
    }

    #[test]
    fn names_their_beginnings_and_their_repositories_are_excluded() {
        assert!(why("toml", None).is_some());
        assert!(why("toml_edit", None).is_some());
        assert!(why("toml-span", None).is_some());
        assert!(why("serde-json", None).is_some());
        assert!(why("serde_json_path", None).is_some());
        assert!(why("other", Some("https://github.com/A/toml.git")).is_some());
        assert!(why("other", Some("http://www.github.com/a/toml/tree/main/x")).is_some());
        assert!(why("other", Some("git@github.com:a/toml")).is_some());
    }

    #[test]
    fn names_that_only_look_alike_are_not() {
        assert!(why("tomlish", None).is_none());
        assert!(why("basic-toml", None).is_none());
        assert!(why("serde", Some("https://github.com/b/toml")).is_none());
        assert!(why("serde", Some("nowhere")).is_none());
    }
}
