//! The rule that no file names a registry host or a machine's folders.

use std::path::Path;

use super::{Report, files};

/// Hosts of package registries: their clients know them, the project must not name them.
const HOSTS: &[&str] = &[
    concat!("index.", "crates.io"),
    concat!("static.", "crates.io"),
    concat!("registry.", "npmjs.org"),
    concat!("pypi", ".org"),
    concat!("files.", "pythonhosted.org"),
    concat!("deb.", "debian.org"),
    concat!("static.", "rust-lang.org"),
];

/// Folders of the machines on which the project is built.
const PLACES: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/")];

/// Checks that no text of the repository names a machine or the host of a registry.
pub(super) fn inspect(root: &Path, report: &mut Report) {
    for path in files(root, "") {
        if path == "Cargo.lock" || path.ends_with("/Cargo.lock") {
            continue;
        }
        // Binary files contain no text.
        let Ok(text) = std::fs::read_to_string(root.join(&path)) else { continue };
        let may_name_home = path.contains("/tests/") || path.starts_with("fixtures/");
        for (line, text) in text.lines().enumerate() {
            for problem in line_problems(text, may_name_home) {
                report.problems.push(format!("{path}:{}: {problem}", line + 1));
            }
        }
    }
}

fn line_problems(line: &str, may_name_home: bool) -> Vec<String> {
    let mut problems = Vec::new();
    for host in HOSTS.iter().filter(|host| line.contains(**host)) {
        problems.push(format!("names the registry host `{host}`"));
    }
    for place in PLACES {
        // Tests of confinement name the superuser's home.
        if may_name_home && !place.contains("wo") {
            continue;
        }
        let starts_path = |at: usize| {
            let before = line[..at].chars().next_back();
            before.is_none_or(|c| !c.is_alphanumeric() && !"._-/}>*)".contains(c))
        };
        if line.match_indices(place).any(|(at, _)| starts_path(at)) {
            problems.push(format!("names the path `{place}` of one machine"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_one_machine_are_found_where_they_begin() {
        let place = PLACES[0];
        assert_eq!(line_problems(&format!("see {place}main"), false).len(), 1);
        assert_eq!(line_problems(&format!("overlay{place}x"), false).len(), 0);
        assert_eq!(line_problems(&format!("\"{}x\"", PLACES[1]), true).len(), 0);
    }

    #[test]
    fn hosts_are_found_anywhere() {
        assert_eq!(line_problems(&format!("https://{}/x", HOSTS[0]), false).len(), 1);
    }
}
