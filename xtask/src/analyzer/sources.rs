//! Parses apt's source lists for the mirror of the machine.

/// The mirror from which this machine gets its Debian packages; `None` if it is not Debian or has
/// none. `lists` are the texts of apt's source lists, `.list` and `.sources` alike.
pub(super) fn mirror(os_release: &str, lists: &[String]) -> Option<String> {
    let field = |name: &str| {
        let line =
            os_release.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
        Some(line.trim_matches('"'))
    };
    if field("ID")? != "debian" {
        return None;
    }
    // Debian's own suite is the one that is named like the release.
    let suites =
        ["stable", "testing", "unstable", "sid", field("VERSION_CODENAME").unwrap_or("sid")];
    lists
        .iter()
        .find_map(|list| one_line_style(list, &suites).or_else(|| stanza_style(list, &suites)))
}

/// `deb [options] URI SUITE main`.
fn one_line_style(list: &str, suites: &[&str]) -> Option<String> {
    list.lines().find_map(|line| {
        let mut rest = line.trim().strip_prefix("deb ")?.trim_start();
        if rest.starts_with('[') {
            rest = rest.split_once(']')?.1;
        }
        let mut words = rest.split_whitespace();
        let (uri, suite) = (words.next()?, words.next()?);
        (suites.contains(&suite) && words.any(|word| word == "main")).then(|| uri.to_owned())
    })
}

/// Stanzas of `Key: value` lines.
fn stanza_style(list: &str, suites: &[&str]) -> Option<String> {
    let lines: Vec<&str> =
        list.lines().filter(|line| !line.starts_with('#')).map(str::trim_end).collect();
    lines.split(|line| line.is_empty()).find_map(|stanza| {
        let words = |key: &str| {
            let line = stanza.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
            Some(line.split_whitespace().collect::<Vec<&str>>())
        };
        let fits = words("Types")?.contains(&"deb")
            && words("Suites")?.iter().any(|suite| suites.contains(suite))
            && words("Components")?.contains(&"main")
            && words("Enabled").is_none_or(|it| it != ["no"]);
        fits.then(|| words("URIs")?.first().map(|uri| (*uri).to_owned()))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OS: &str = "ID=debian\nVERSION_CODENAME=bookworm\n";

    fn check(lists: &[&str]) -> Option<String> {
        mirror(OS, &lists.iter().map(|list| (*list).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn the_mirror_is_that_of_the_release_itself() {
        let other = "deb https://packages.example.org/apt tool-bookworm main\n";
        let old = "# deb http://old.example.org/debian bookworm main\n\
            deb [arch=amd64] http://mirror.example.org/debian bookworm main contrib\n";
        assert_eq!(check(&[other, old]).as_deref(), Some("http://mirror.example.org/debian"));
        let new = "Types: deb\n# a remark\nURIs: http://sec.example.org/s\nSuites: bookworm-security\n\
            Components: main\n\nTypes: deb\nURIs: http://mirror.example.org/debian\n\
            Suites: bookworm bookworm-updates\nComponents: main\n";
        assert_eq!(check(&[other, new]).as_deref(), Some("http://mirror.example.org/debian"));
        let off = format!("Enabled: no\n{}", &new[new.rfind("Types").unwrap()..]);
        assert_eq!(check(&[&off]), None);
    }

    #[test]
    fn other_systems_have_no_mirror() {
        let list = ["deb http://mirror.example.org/u noble main".to_owned()];
        assert_eq!(mirror("ID=ubuntu\nVERSION_CODENAME=noble\n", &list), None);
        assert_eq!(check(&["deb http://x.example.org/debian\n", "garbage: ["]), None);
    }
}
