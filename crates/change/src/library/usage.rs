//! How a dependency uses its own interface: the examples of its documentation, its tests, its guides.
//! Their difference between two versions shows what users have to rewrite.

use base::SortedMap;

use super::Release;

/// Most code of one version, in bytes.
const MAX_BYTES: usize = 3 << 20;

/// The code of each file in both versions, old and new, where it differs.
pub(super) fn pairs(old: &Release, new: &Release) -> Vec<(String, String)> {
    let (old, mut new) = (snippets(old), snippets(new));
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut found = Vec::new();
    let mut moved: Vec<(String, String)> = Vec::new();
    for (path, before) in old {
        match new.remove(&path) {
            Some(after) if after != before => found.push((before, after)),
            Some(_) => {}
            None => moved.push((path, before)),
        }
    }
    for (path, before) in moved {
        let mut there = new.iter().filter(|(it, _)| name(it) == name(&path));
        if let (Some((_, after)), None) = (there.next(), there.next()) {
            found.push((before, after.clone()));
        }
    }
    found
}

/// The code that uses a library, by file.
fn snippets(release: &Release) -> SortedMap<String, String> {
    let mut found = SortedMap::new();
    let mut left = MAX_BYTES;
    let mut add = |path: String, code: String| {
        if !code.trim().is_empty()
            && let Some(rest) = left.checked_sub(code.len())
        {
            left = rest;
            found.insert(path, code);
        }
    };
    for (path, text) in &release.uses {
        match path.ends_with(".rs") {
            true => add(path.clone(), text.to_string()),
            false => add(path.clone(), blocks(text.lines())),
        }
    }
    for (path, text) in release.crates.get(&release.name).into_iter().flat_map(|it| &it.files) {
        let comments = text.lines().filter_map(|it| {
            let line = it.trim_start();
            line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
        });
        add(format!("{path}#examples"), blocks(comments));
        let tests = text.find("#[cfg(test)]\nmod ").and_then(|at| text.get(at..));
        add(format!("{path}#tests"), tests.unwrap_or_default().to_owned());
    }
    found
}

/// The Rust code in the fences of a Markdown text; lines that the documentation hides included.
fn blocks<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    const OTHERS: [&str; 8] = ["text", "toml", "sh", "bash", "console", "json", "xml", "html"];
    let mut found = String::new();
    let (mut is_inside, mut is_code) = (false, false);
    for line in lines {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if let Some(info) = line.trim_start().strip_prefix("```") {
            let word = info.split([',', ' ']).next().unwrap_or_default();
            is_code = !is_inside && !OTHERS.contains(&word);
            is_inside = !is_inside;
        } else if is_code {
            let shown = line.strip_prefix("# ").unwrap_or(line);
            found.push_str(if shown.trim() == "#" { "" } else { shown });
            found.push('\n');
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_documentation_is_read_with_its_hidden_lines() {
        let text = " Text.\n ```\n # use a::b;\n b(1);\n ```\n ```toml\n [x]\n ```\n ```rust,no_run\n c();\n ```";
        assert_eq!(blocks(text.lines()), "use a::b;\nb(1);\nc();\n");
    }
}
