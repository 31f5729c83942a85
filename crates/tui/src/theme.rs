//! [`Theme`]: the styles of all parts. Text has the sixteen colours of the terminal; tints only where the
//! background is known and the terminal has all colours. No information is by colour alone.

use ratatui_core::style::{Color, Modifier, Style};
use syntax::TokenColour;

/// The background of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// A dark one.
    Dark,
    /// A light one.
    Light,
    /// It is not known: no tints.
    Unknown,
}

/// How the interface is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Theme {
    /// The background.
    pub(crate) background: Background,
    /// Whether there are colours at all.
    pub(crate) has_colours: bool,
    /// Whether the terminal has all colours.
    pub(crate) has_all_colours: bool,
}

impl Theme {
    /// No colours; weight and underlines only.
    pub(crate) const PLAIN: Self =
        Self { background: Background::Unknown, has_colours: false, has_all_colours: false };

    fn colour(self, style: Style, colour: Color) -> Style {
        if self.has_colours { style.fg(colour) } else { style }
    }

    pub(crate) fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub(crate) fn bold(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(crate) fn good(self) -> Style {
        self.colour(Style::new(), Color::Green)
    }

    pub(crate) fn bad(self) -> Style {
        self.colour(self.bold(), Color::Red)
    }

    pub(crate) fn warn(self) -> Style {
        self.colour(self.bold(), Color::Magenta)
    }

    pub(crate) fn accent(self) -> Style {
        self.colour(Style::new(), Color::Cyan)
    }

    /// The selected row, or the focus.
    pub(crate) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// An added line.
    pub(crate) fn added(self) -> Style {
        let style = self.colour(Style::new(), Color::Green);
        match (self.has_all_colours, self.background) {
            (true, Background::Dark) => style.bg(Color::Rgb(0x1b, 0x33, 0x24)),
            (true, Background::Light) => style.bg(Color::Rgb(0xda, 0xfb, 0xe1)),
            _ => style,
        }
    }

    /// A removed line.
    pub(crate) fn removed(self) -> Style {
        let style = self.colour(Style::new(), Color::Red);
        match (self.has_all_colours, self.background) {
            (true, Background::Dark) => style.bg(Color::Rgb(0x42, 0x1f, 0x1b)),
            (true, Background::Light) => style.bg(Color::Rgb(0xff, 0xeb, 0xe9)),
            _ => style,
        }
    }

    /// A line of a part that is left out.
    pub(crate) fn left_out(self) -> Style {
        self.dim().add_modifier(Modifier::CROSSED_OUT)
    }

    pub(crate) fn token(self, of: TokenColour) -> Style {
        let style = Style::new();
        match of {
            TokenColour::Keyword => self.colour(style, Color::Magenta),
            TokenColour::Type => self.colour(style, Color::Cyan),
            TokenColour::Macro => self.colour(style, Color::Blue),
            TokenColour::Text => self.colour(style, Color::Green),
            TokenColour::Number => self.colour(style, Color::Cyan),
            TokenColour::Comment => self.dim(),
            TokenColour::Lifetime => self.colour(style, Color::Blue),
        }
    }
}
