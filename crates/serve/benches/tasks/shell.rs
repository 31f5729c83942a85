//! The tools that every coding agent has: `grep`, `read`, `edit` and `bash`, with the answers that clients
//! give today, in their shortest forms: `path:line:text`, numbered lines, one line for an edit.

use regex::Regex;
use serde_json::json;

use crate::log::Log;
use crate::task::Edit;
use crate::tree::{Tree, lines};

/// The most lines of an answer of `grep`.
const GREP_LINES: usize = 100;
/// The most bytes of an answer of `bash`; the middle is left out.
const BASH_BYTES: usize = 30_000;

/// The descriptions of the four tools, which a session pays for once.
pub(crate) const TOOLS: &str = r#"[
{"name":"grep","description":"Searches file contents with a regular expression (ripgrep). output_mode: content (path:line:text) or files_with_matches.","input_schema":{"type":"object","properties":{"pattern":{"type":"string"},"path":{"type":"string","description":"File or directory; default: the project"},"glob":{"type":"string"},"output_mode":{"enum":["content","files_with_matches"]},"-i":{"type":"boolean"},"head_limit":{"type":"integer"}},"required":["pattern"]}},
{"name":"read","description":"Reads a file; the lines are numbered. Up to 2,000 lines, or from offset limit lines.","input_schema":{"type":"object","properties":{"file_path":{"type":"string"},"offset":{"type":"integer"},"limit":{"type":"integer"}},"required":["file_path"]}},
{"name":"edit","description":"Replaces old_string by new_string in a file. old_string must occur once, and must have been read before.","input_schema":{"type":"object","properties":{"file_path":{"type":"string"},"old_string":{"type":"string"},"new_string":{"type":"string"},"replace_all":{"type":"boolean"}},"required":["file_path","old_string","new_string"]}},
{"name":"bash","description":"Runs a command and returns its output, at most 30,000 characters.","input_schema":{"type":"object","properties":{"command":{"type":"string"},"timeout":{"type":"integer"}},"required":["command"]}}]"#;

/// One found line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// Lines that match a pattern, of all sources or below a path.
pub(crate) fn grep(tree: &Tree, log: &mut Log, pattern: &str, path: Option<&str>) -> Vec<Hit> {
    let found = matches(tree, pattern, path);
    let shown = &found[..found.len().min(GREP_LINES)];
    let mut output: String =
        shown.iter().map(|hit| format!("{}:{}:{}\n", hit.file, hit.line, hit.text)).collect();
    if found.len() > shown.len() {
        output.push_str(&format!("[{GREP_LINES} of {} lines]\n", found.len()));
    }
    let mut input = json!({"pattern": pattern, "glob": "*.rs", "output_mode": "content", "head_limit": GREP_LINES});
    if let Some(path) = path {
        input["path"] = path.into();
    }
    shown.iter().for_each(|hit| log.saw(&hit.text));
    log.add("grep", &input, output);
    shown.to_vec()
}

/// Files with lines that match a pattern.
pub(crate) fn grep_files(tree: &Tree, log: &mut Log, pattern: &str) -> Vec<String> {
    let mut files: Vec<String> =
        matches(tree, pattern, None).into_iter().map(|hit| hit.file).collect();
    files.dedup();
    let input = json!({"pattern": pattern, "glob": "*.rs", "output_mode": "files_with_matches"});
    log.add("grep", &input, files.join("\n"));
    files
}

fn matches(tree: &Tree, pattern: &str, path: Option<&str>) -> Vec<Hit> {
    let pattern = Regex::new(pattern).unwrap();
    let below = |file: &str| path.is_none_or(|path| file.starts_with(path));
    let mut found = Vec::new();
    for (file, text) in tree.sources().into_iter().filter(|(file, _)| below(file)) {
        for (number, line) in text.lines().enumerate().filter(|(_, line)| pattern.is_match(line)) {
            found.push(Hit { file: file.clone(), line: number + 1, text: line.to_owned() });
        }
    }
    found
}

/// Lines of a file, from `first` to `last`.
pub(crate) fn read(tree: &Tree, log: &mut Log, file: &str, first: usize, last: usize) {
    let first = first.max(1);
    let code = lines(&tree.text(file), first, last);
    log.saw(&code);
    let output: String =
        code.lines().enumerate().map(|(at, line)| format!("{}\t{line}\n", first + at)).collect();
    let input = json!({"file_path": file, "offset": first, "limit": last + 1 - first});
    log.add("read", &input, output);
}

/// Replaces a text that has been read.
pub(crate) fn edit(tree: &Tree, log: &mut Log, edit: &Edit) -> bool {
    let fits = log.has_seen(&edit.old) && tree.edit(edit);
    if fits {
        let input = json!({"file_path": edit.file, "old_string": edit.old, "new_string": edit.new});
        let output = format!("The file {} has been updated successfully.", edit.file);
        log.saw(&edit.new);
        log.add("edit", &input, output);
    }
    fits
}

/// Records a command that was run, with its output; notes the code that rustc prints.
pub(crate) fn bash(log: &mut Log, command: &str, output: &str) {
    let mut output = output.to_owned();
    if output.len() > BASH_BYTES {
        let head: String = output.chars().take(BASH_BYTES / 2).collect();
        let tail: Vec<char> = output.chars().rev().take(BASH_BYTES / 2).collect();
        output = format!("{head}\n[…]\n{}", tail.into_iter().rev().collect::<String>());
    }
    saw_snippets(log, &output);
    log.add("bash", &json!({"command": command}), output);
}

/// Notes the lines of code in the compiler's texts: `12 |     code`.
pub(crate) fn saw_snippets(log: &mut Log, text: &str) {
    for line in text.lines() {
        if let Some((number, code)) = line.split_once('|')
            && !number.trim().is_empty()
            && number.trim().chars().all(|c| c.is_ascii_digit())
        {
            log.saw(code);
        }
    }
}
