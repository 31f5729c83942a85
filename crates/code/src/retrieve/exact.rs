//! Items whose code contains a whole query: a message, as a person copies it from a terminal.

use memchr::memmem;

use super::finder::Finder;

/// Least number of words of a query that is looked for as a whole.
const FEWEST_WORDS: usize = 3;
/// Maximum number of items; a text in more of them distinguishes none.
const MOST: usize = 5;

impl Finder<'_> {
    /// The innermost items that contain the query as it is, those that have it in a comment last; none
    /// for a short query, or where many have it.
    pub(super) fn exact(&self, query: &str) -> Vec<u32> {
        let query = query.trim().trim_matches(['"', '\'']);
        if query.split_whitespace().count() < FEWEST_WORDS {
            return Vec::new();
        }
        // A tenth of a search was the standard library's; this one looks at 32 bytes at a time.
        let whole = memmem::Finder::new(query);
        let mut found: Vec<(bool, u32)> = Vec::new();
        for file in 0..self.map().file_count() {
            let Some(text) = self.current.read(file) else { continue };
            for at in whole.find_iter(text.as_bytes()) {
                let line = &text[text[..at].rfind('\n').map_or(0, |it| it + 1)..];
                let is_comment = line.trim_start().starts_with("//");
                found.extend(self.map().item_at(file, at as u32).map(|item| (is_comment, item)));
            }
            if found.len() > 4 * MOST {
                return Vec::new();
            }
        }
        found.sort_unstable();
        let mut items: Vec<u32> = Vec::new();
        for (_, item) in found {
            if !items.contains(&item) {
                items.push(item);
            }
        }
        if items.len() > MOST { Vec::new() } else { items }
    }
}
