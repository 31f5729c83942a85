//! Extracts documentation text from doc comments and attributes.

/// The documentation in the text before an item (its doc comments and attributes), without comment
/// markers.
pub(crate) fn doc_text(before: &str, included: Included<'_>) -> String {
    read(before, "///", "/**", "#[doc", included)
}

/// Reads the file at a path relative to the current file, for `include_str!`.
pub(crate) type Included<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The inner documentation of a file: `//!`, `/*!` and `#![doc = "…"]`.
pub(crate) fn inner_doc_text(file: &str, included: Included<'_>) -> String {
    let file = file.trim_start_matches('\u{feff}');
    let mut end = 0;
    let mut in_block = false;
    // Attributes may span several lines.
    let mut open_brackets = 0_usize;
    for line in file.split_inclusive('\n') {
        let text = line.trim();
        let is_head = in_block
            || open_brackets > 0
            || text.is_empty()
            || text.starts_with("//")
            || text.starts_with("/*")
            || text.starts_with("#![");
        if !is_head {
            break;
        }
        in_block = (in_block || text.starts_with("/*")) && !text.contains("*/");
        if open_brackets > 0 || text.starts_with("#![") {
            let count = |bracket| text.matches(bracket).count();
            open_brackets = (open_brackets + count('[')).saturating_sub(count(']'));
        }
        end += line.len();
    }
    read(file.get(..end).unwrap_or_default(), "//!", "/*!", "#![doc", included)
}

fn read(
    text: &str,
    line_marker: &str,
    block_marker: &str,
    attribute: &str,
    included: Included<'_>,
) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if in_block {
            let (inside, ended) = match trimmed.split_once("*/") {
                Some((inside, _)) => (inside, true),
                None => (trimmed, false),
            };
            let inside = inside.strip_prefix('*').unwrap_or(inside);
            lines.push(inside.strip_prefix(' ').unwrap_or(inside).to_owned());
            in_block = !ended;
        } else if let Some(rest) = trimmed.strip_prefix(line_marker) {
            // `////` is an ordinary comment.
            if !(line_marker == "///" && rest.starts_with('/')) {
                lines.push(rest.strip_prefix(' ').unwrap_or(rest).to_owned());
            }
        } else if let Some(rest) = trimmed.strip_prefix(block_marker) {
            match rest.split_once("*/") {
                Some((inside, _)) => lines.push(inside.trim().to_owned()),
                None => {
                    lines.push(rest.trim().to_owned());
                    in_block = true;
                }
            }
        } else if let Some(rest) = trimmed.strip_prefix(attribute) {
            let value = rest.trim_start().strip_prefix('=').map(str::trim);
            let value = value.and_then(|value| value.strip_suffix(']')).map(str::trim);
            let quoted = value.and_then(|v| v.strip_prefix('"')?.strip_suffix('"'));
            lines.extend(quoted.map(|text| text.replace("\\n", "\n").replace("\\\"", "\"")));
            let file = value.and_then(|v| v.strip_prefix("include_str!(")?.strip_suffix(')'));
            let file = file.and_then(|it| it.trim().strip_prefix('"')?.strip_suffix('"'));
            let text = file.and_then(included);
            lines.extend(text.iter().flat_map(|text| text.lines()).map(str::to_owned));
        }
    }
    let text = lines.join("\n");
    text.trim_matches('\n').trim_end().to_owned()
}

/// The first paragraph, joined to one line.
pub(crate) fn summary(docs: &str) -> String {
    let is_before = |line: &&str| line.is_empty() || is_badge(line) || line.starts_with('#');
    let lines = docs.lines().map(str::trim);
    let paragraph = lines.clone().skip_while(is_before);
    let paragraph = paragraph.take_while(|line| !line.is_empty() && !line.starts_with("```"));
    let paragraph = paragraph.collect::<Vec<_>>().join(" ");
    if !paragraph.is_empty() {
        return paragraph;
    }
    // A text with only a title and code has the title as its summary.
    let title = lines.clone().find(|line| line.starts_with('#'));
    title.map(|title| title.trim_start_matches('#').trim().to_owned()).unwrap_or_default()
}

/// Whether a line is a badge or HTML, as at the start of READMEs.
fn is_badge(line: &str) -> bool {
    line.starts_with("[![") || line.starts_with("![") || line.starts_with('<')
}

/// The first Rust example, without hidden lines.
pub(crate) fn first_example(docs: &str) -> Option<String> {
    let mut code: Option<Vec<&str>> = None;
    for line in docs.lines() {
        let fence = line.trim_start().strip_prefix("```");
        match (&mut code, fence) {
            (None, Some(language)) if is_rust(language) => code = Some(Vec::new()),
            (None, Some(_)) => code = Some(vec!["\0"]),
            (Some(lines), Some(_)) if lines.first() == Some(&"\0") => code = None,
            (Some(lines), Some(_)) => {
                let text = lines.join("\n");
                return (!text.trim().is_empty()).then(|| text.trim_matches('\n').to_owned());
            }
            (Some(lines), None) => {
                let bare = line.trim_start();
                if bare != "#" && !bare.starts_with("# ") {
                    lines.push(line);
                }
            }
            (None, None) => {}
        }
    }
    None
}

fn is_rust(language: &str) -> bool {
    let mut words = language.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty());
    words.all(|word| {
        matches!(word, "rust" | "no_run" | "should_panic" | "edition2018" | "edition2021")
            || word == "edition2024"
    })
}

/// Documentation for a page: headings are moved below those of the page, hidden lines of examples are
/// removed, and code blocks without a language are marked as Rust.
pub(crate) fn for_page(docs: &str, below: usize) -> String {
    let mut out = String::new();
    let mut in_rust = None;
    for line in docs.lines() {
        let fence = line.trim_start().strip_prefix("```");
        match (in_rust, fence) {
            (None, Some(language)) => {
                in_rust = Some(is_rust(language));
                let indent = &line[..line.len() - line.trim_start().len()];
                match is_rust(language) {
                    true => out.push_str(&format!("{indent}```rust\n")),
                    false => out.push_str(&format!("{line}\n")),
                }
                continue;
            }
            (Some(_), Some(_)) => in_rust = None,
            (Some(true), None) => {
                let bare = line.trim_start();
                if bare == "#" || bare.starts_with("# ") {
                    continue;
                }
            }
            (None, None) if line.starts_with('#') => {
                let level = line.len() - line.trim_start_matches('#').len();
                if line[level..].starts_with(' ') {
                    out.push_str(&"#".repeat((level + below).min(6)));
                    out.push_str(&line[level..]);
                    out.push('\n');
                    continue;
                }
            }
            _ => {}
        }
        out.push_str(line);
        out.push('\n');
    }
    if in_rust.is_some() {
        out.push_str("```\n");
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn doc_comments_lose_their_markers() {
        let before = "/// One.\n///\n///   Two.\n//// Not this.\n#[derive(Debug)]\n";
        assert_eq!(doc_text(before, &none), "One.\n\n  Two.");
        assert_eq!(doc_text("/** Block\n * more\n */\n", &none), "Block\nmore");
        assert_eq!(doc_text("#[doc = \"A \\\"quote\\\"\"]", &none), "A \"quote\"");
    }

    #[test]
    fn inner_documentation_ends_with_the_first_item() {
        let file = "// Licence.\n//! Crate.\n//! More.\n#![no_std]\n\nuse a;\n//! not this\n";
        assert_eq!(inner_doc_text(file, &none), "Crate.\nMore.");
        let attributes =
            "#![doc(test(\n    attr(deny(warnings))\n))]\n#![no_std]\n//! Crate.\nfn f() {}\n";
        assert_eq!(inner_doc_text(attributes, &none), "Crate.");
        let include = "#![doc = include_str!(\"../README.md\")]\n//! More.\n";
        let readme = |path: &str| (path == "../README.md").then(|| "# Title\nText.".to_owned());
        assert_eq!(inner_doc_text(include, &readme), "# Title\nText.\nMore.");
        assert_eq!(inner_doc_text(include, &none), "More.");
    }

    #[test]
    fn a_summary_is_the_first_paragraph_after_badges() {
        assert_eq!(summary("[![x](y)](z)\n\n# Title\n\nWhat\nit is.\n\nMore."), "What it is.");
        assert_eq!(summary("# Title\n\n```\ncode\n```"), "Title");
        assert_eq!(summary("One\ntwo.\n\nThree."), "One two.");
    }

    #[test]
    fn the_first_rust_example_is_found_without_hidden_lines() {
        let docs = "```text\nno\n```\n\n```no_run\n# use a::b;\nlet x = b();\n#[cfg(x)]\n```\n";
        assert_eq!(first_example(docs).unwrap(), "let x = b();\n#[cfg(x)]");
        assert_eq!(first_example("no code"), None);
    }

    #[test]
    fn headings_are_moved_below_those_of_the_page() {
        let docs = "# Examples\n```\n# hidden\nshown();\n```\n#hash\n";
        assert_eq!(for_page(docs, 3), "#### Examples\n```rust\nshown();\n```\n#hash");
    }
}
