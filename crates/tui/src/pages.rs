//! [`PagesPane`]: texts to read, whose lines lead on and back.

use agent::front::AnswerLine;

use crate::state::Screen;

/// Most texts that can be gone back to.
const MOST_PAGES: usize = 50;

/// A text to read.
#[derive(Clone, Debug, Default)]
pub(crate) struct PagePane {
    pub(crate) title: String,
    pub(crate) lines: Vec<AnswerLine>,
    /// First shown line.
    pub(crate) top: usize,
    /// Line of the cursor.
    pub(crate) at: usize,
}

impl PagePane {
    pub(crate) fn new(title: String, lines: Vec<AnswerLine>) -> Self {
        let at = lines.iter().position(|it| it.opens.is_some()).unwrap_or_default();
        Self { title, lines, top: 0, at }
    }

    /// Scrolls so that the cursor is visible in an area of these columns and rows.
    pub(crate) fn fit(&mut self, columns: usize, rows: usize) {
        self.top = self.top.min(self.at);
        let height = |line: &AnswerLine| crate::cells::wrapped(&line.text, columns).len();
        let shown = self.lines.iter().take(self.at + 1).skip(self.top);
        let mut used: usize = shown.map(height).sum();
        while used > rows && self.top < self.at {
            used -= self.lines.get(self.top).map_or(0, height);
            self.top += 1;
        }
    }
}

/// The texts to read.
#[derive(Clone, Debug, Default)]
pub(crate) struct PagesPane {
    /// The shown text.
    pub(crate) page: PagePane,
    /// Texts from which it was opened, the last one last.
    pub(crate) before: Vec<PagePane>,
    /// The screen from which the first was opened.
    pub(crate) from: Option<Screen>,
}

impl PagesPane {
    /// Shows another text; the shown one can be gone back to.
    pub(crate) fn show(&mut self, page: PagePane) {
        let old = std::mem::replace(&mut self.page, page);
        if !old.title.is_empty() && old.title != self.page.title {
            self.before.push(old);
        }
        if self.before.len() > MOST_PAGES {
            self.before.remove(0);
        }
    }

    /// Goes back to the text before; returns whether there is one.
    pub(crate) fn back(&mut self) -> bool {
        let before = self.before.pop();
        let has_one = before.is_some();
        self.page = before.unwrap_or_else(|| std::mem::take(&mut self.page));
        has_one
    }
}
