//! A seeded random number generator, and texts that are hard to place edits in.

/// SplitMix64: small, fast, the same everywhere.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 where `limit` is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// True once in `of`.
    pub(crate) fn once_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Few lines, so that they repeat; with characters and prefixes that are easy to split wrongly.
const LINES: &[&str] = &[
    "",
    "",
    "}",
    "{",
    "    x;",
    "    x;",
    "x;",
    "fn f() {",
    "let a = 1;",
    "grüße 🦀",
    "\u{feff}in",
    "日本",
    "--- a/x",
    "+++ b/x",
    "@@ -1 +1 @@",
    "-",
    "+",
    " ",
    "\\ no",
    "a\rb",
    "\t}",
    "=======",
    "diff --git a/x b/x",
    "e\u{301}",
];

/// The line endings of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Lf,
    CrLf,
    Mixed,
}

/// Lines with endings, which the last may lack; possibly with a byte order mark.
pub(crate) fn text(rng: &mut Rng, most: usize) -> String {
    let style = *rng.pick(&[Style::Lf, Style::Lf, Style::CrLf, Style::Mixed]);
    let count = rng.below(most);
    let mut out = String::new();
    if rng.once_in(10) {
        out.push('\u{feff}');
    }
    for _ in 0..count {
        out.push_str(&line(rng));
        out.push_str(ending(rng, style));
    }
    if rng.once_in(4) {
        let len = out.trim_end_matches(['\r', '\n']).len();
        out.truncate(len);
    }
    out
}

pub(crate) fn line(rng: &mut Rng) -> String {
    if rng.once_in(3) { format!("line {}", rng.below(40)) } else { (*rng.pick(LINES)).to_owned() }
}

pub(crate) fn ending(rng: &mut Rng, style: Style) -> &'static str {
    match style {
        Style::Lf => "\n",
        Style::CrLf => "\r\n",
        Style::Mixed => {
            if rng.once_in(2) {
                "\n"
            } else {
                "\r\n"
            }
        }
    }
}

/// A variant of a text: lines removed, added, changed, moved, or with another ending.
pub(crate) fn changed(rng: &mut Rng, before: &str) -> String {
    let mut lines: Vec<String> = before.split_inclusive('\n').map(str::to_owned).collect();
    for _ in 0..=rng.below(5) {
        let at = rng.below(lines.len() + 1);
        match rng.below(6) {
            0 | 1 => {
                let new = line(rng) + ending(rng, Style::Mixed);
                lines.insert(at, new);
            }
            2 if at < lines.len() => {
                lines.remove(at);
            }
            3 if at < lines.len() => lines[at] = line(rng) + "\n",
            4 if at < lines.len() => {
                let moved = lines.remove(at);
                let to = rng.below(lines.len() + 1);
                lines.insert(to, moved);
            }
            5 if at < lines.len() => {
                let turned = match lines[at].strip_suffix("\r\n") {
                    Some(bare) => format!("{bare}\n"),
                    None => lines[at].replace('\n', "\r\n"),
                };
                lines[at] = turned;
            }
            _ => {}
        }
    }
    let mut out = lines.concat();
    if rng.once_in(6) {
        let len = out.trim_end_matches(['\r', '\n']).len();
        out.truncate(len);
    }
    out
}

/// A random character boundary.
pub(crate) fn border(rng: &mut Rng, text: &str) -> usize {
    text.floor_char_boundary(rng.below(text.len() + 1))
}
