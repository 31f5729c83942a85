//! The areas of the screen, as pure functions of the state: drawing and the mouse use the same.

use std::ops::Range;

use ratatui_core::layout::Rect;

use crate::cells;
use crate::state::{Screen, State};

/// Most rows of the prompt and of a request.
const MOST_PROMPT: u16 = 6;

/// The areas of the screen, from top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Areas {
    pub(crate) tabs: Rect,
    pub(crate) content: Rect,
    /// The request that waits; no rows without one.
    pub(crate) request: Rect,
    pub(crate) prompt: Rect,
    pub(crate) status: Rect,
}

/// The areas for the present size. On a small terminal the content keeps at least two rows; the request
/// comes before the prompt.
pub(crate) fn layout(state: &State) -> Areas {
    let (columns, rows) = (state.size.0.max(1), state.size.1.max(1));
    let left = rows.saturating_sub(2);
    let lines = u16::try_from(state.prompt.lines().len()).unwrap_or(u16::MAX);
    let wish = state.request.as_ref().map_or(0, |it| {
        let rows = it.lines.iter().map(|line| cells::wrapped(line, usize::from(columns)).len());
        u16::try_from(rows.sum::<usize>() + 1).unwrap_or(u16::MAX)
    });
    let request = wish.min(left.saturating_sub(3).min(rows / 2));
    let prompt = lines.clamp(1, MOST_PROMPT).min(left.saturating_sub(request + 2).max(1));
    let content = left.saturating_sub(request + prompt);
    let mut y = 0;
    let mut area = |height: u16| {
        let height = height.min(rows - y);
        let area = Rect { x: 0, y, width: columns, height };
        y += height;
        area
    };
    Areas {
        tabs: area(1),
        content: area(content),
        request: area(request),
        prompt: area(prompt),
        status: area(1),
    }
}

/// The tabs of the screens: their columns. On a narrow terminal they have their numbers only.
pub(crate) fn tabs(state: &State) -> Vec<(Screen, Range<u16>)> {
    let long: usize = Screen::ALL.iter().map(|it| it.name().len() + 4).sum();
    let is_long = long <= usize::from(state.size.0);
    let mut at = 0_u16;
    let tab = |(number, screen): (usize, &Screen)| {
        let is_shown = is_long || *screen == state.screen;
        let text = tab_text(number + 1, *screen, is_shown);
        let width = u16::try_from(text.len()).unwrap_or(u16::MAX);
        let range = at..at.saturating_add(width);
        at = range.end;
        (*screen, range)
    };
    Screen::ALL.iter().enumerate().map(tab).collect()
}

/// The text of a tab.
pub(crate) fn tab_text(number: usize, screen: Screen, is_long: bool) -> String {
    match is_long {
        true => format!(" {number} {} ", screen.name()),
        false => format!(" {number} "),
    }
}
