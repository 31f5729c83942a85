//! [`Exclusion`]: keeps the crates of the evaluation sets out of the training data.

use base::SortedSet;

use crate::CrateManifest;

/// The crates that must not be trained on because the evaluation sets use them.
#[derive(Clone, Debug, Default)]
pub struct Exclusion {
    names: SortedSet<String>,
    repositories: SortedSet<String>,
}

impl Exclusion {
    /// Parses a list of crate names and a list of repositories (`host/owner/name`): one per line,
    /// `#` begins a comment.
    pub fn new(names: &str, repositories: &str) -> Self {
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
            lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
        };
        Self {
            names: lines(names).iter().map(|name| normalized(name)).collect(),
            repositories: lines(repositories).iter().filter_map(|it| repository_of(it)).collect(),
        }
    }

    /// Why a crate is excluded: its name or a `-`-separated prefix of it is listed, or its
    /// repository is. `None`: it is not excluded.
    pub(crate) fn reason(&self, manifest: &CrateManifest) -> Option<String> {
        let name = normalized(&manifest.name);
        let ends = name.match_indices('-').map(|(at, _)| at).chain([name.len()]);
        for end in ends {
            let prefix = name.get(..end).unwrap_or_default();
            if self.names.contains(prefix) {
                return Some(format!("`{prefix}` is in the list of excluded crates"));
            }
        }
        let repository = repository_of(manifest.repository.as_deref()?)?;
        let listed = self.repositories.contains(&repository);
        listed.then(|| format!("its repository `{repository}` is excluded"))
    }
}

/// Lower case with `-` for `_`, since cargo treats both as the same in crate names.
fn normalized(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

/// `host/owner/name` of a repository URL; scheme, `.git`, query and subfolder are dropped.
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

    fn reason(name: &str, repository: Option<&str>) -> Option<String> {
        let exclusion = Exclusion::new("# a comment\ntoml\nserde_json\n", "github.com/a/toml\n");
        exclusion.reason(&CrateManifest {
            name: name.to_owned(),
            repository: repository.map(str::to_owned),
            ..CrateManifest::default()
        })
    }

    #[test]
    fn listed_names_prefixed_names_and_listed_repositories_are_excluded() {
        assert!(reason("toml", None).is_some());
        assert!(reason("toml_edit", None).is_some());
        assert!(reason("toml-span", None).is_some());
        assert!(reason("serde-json", None).is_some());
        assert!(reason("serde_json_path", None).is_some());
        assert!(reason("other", Some("https://github.com/A/toml.git")).is_some());
        assert!(reason("other", Some("http://www.github.com/a/toml/tree/main/x")).is_some());
        assert!(reason("other", Some("git@github.com:a/toml")).is_some());
    }

    #[test]
    fn names_that_only_look_similar_are_not_excluded() {
        assert!(reason("tomlish", None).is_none());
        assert!(reason("basic-toml", None).is_none());
        assert!(reason("serde", Some("https://github.com/b/toml")).is_none());
        assert!(reason("serde", Some("nowhere")).is_none());
    }
}
