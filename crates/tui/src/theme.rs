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
        match self.has_colours {
            true => style.fg(self.readable(colour)),
            false => style,
        }
    }

    /// The colour in a shade that is readable on a known background and on the tints: each has a contrast of at
    /// least 4.5. Of the sixteen colours, cyan is the one that most terminals make too light.
    fn readable(self, colour: Color) -> Color {
        match (self.background, self.has_all_colours, colour) {
            (Background::Light, true, Color::Green) => Color::Rgb(0x17, 0x74, 0x32),
            (Background::Light, true, Color::Red) => Color::Rgb(0xc6, 0x1f, 0x2b),
            (Background::Light, true, Color::Magenta) => Color::Rgb(0x7b, 0x2c, 0xbf),
            (Background::Light, true, Color::Blue) => Color::Rgb(0x05, 0x50, 0xae),
            (Background::Light, true, Color::Cyan) => Color::Rgb(0x0b, 0x6e, 0x84),
            (Background::Dark, true, Color::Green) => Color::Rgb(0x7e, 0xe7, 0x87),
            (Background::Dark, true, Color::Red) => Color::Rgb(0xff, 0x8b, 0x82),
            (Background::Dark, true, Color::Magenta) => Color::Rgb(0xd2, 0xa8, 0xff),
            (Background::Dark, true, Color::Blue) => Color::Rgb(0x79, 0xc0, 0xff),
            (Background::Dark, true, Color::Cyan) => Color::Rgb(0x76, 0xd9, 0xe6),
            (Background::Light, false, Color::Cyan) => Color::Blue,
            (_, _, colour) => colour,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour (WCAG 2.2).
    fn luminance(colour: Color) -> f64 {
        let Color::Rgb(red, green, blue) = colour else {
            panic!("{colour} has no shade of its own")
        };
        let part = |it: u8| {
            let it = f64::from(it) / 255.0;
            if it <= 0.04045 { it / 12.92 } else { ((it + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
    }

    #[test]
    fn text_on_known_backgrounds_is_readable() {
        is_readable_on(Background::Light, Color::Rgb(0xff, 0xff, 0xff));
        is_readable_on(Background::Dark, Color::Rgb(0x28, 0x2c, 0x34));
    }

    fn is_readable_on(background: Background, plain: Color) {
        let theme = Theme { background, has_colours: true, has_all_colours: true };
        let colours = [Color::Green, Color::Red, Color::Magenta, Color::Blue, Color::Cyan];
        let tints = [theme.added().bg, theme.removed().bg].into_iter().flatten();
        let grounds: Vec<Color> = [plain].into_iter().chain(tints).collect();
        for ground in grounds {
            for colour in colours {
                let text = luminance(theme.readable(colour));
                let (a, b) = (luminance(ground) + 0.05, text + 0.05);
                let contrast = a.max(b) / a.min(b);
                assert!(contrast >= 4.5, "{colour} on {ground}: {contrast:.2}");
            }
        }
    }
}
