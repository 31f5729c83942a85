//! Resolves the focus of a search: a file, a directory or an item.

use base::ProjectPath;
use graph::Map;
use search::Focus;

use crate::CodeError;

/// Resolves a focus: a file, a directory with all files in it, or items.
pub(super) fn parse_focus(map: &Map, text: &str) -> Result<Focus, CodeError> {
    let path = text.trim_start_matches("./").trim_end_matches('/');
    if ProjectPath::new(path).is_ok() {
        let is_in = |file: &str| {
            file == path || file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
        };
        let files: Vec<u32> =
            (0..).zip(map.files()).filter(|(_, it)| is_in(it.path)).map(|(n, _)| n).collect();
        if !files.is_empty() {
            return Ok(Focus { files, prune: true, ..Focus::default() });
        }
    }
    let items = map.find(text);
    if items.is_empty() {
        return Err(CodeError::NoItem { query: text.to_owned(), nearest: map.nearest(text, 5) });
    }
    Ok(Focus { items, prune: true, ..Focus::default() })
}
