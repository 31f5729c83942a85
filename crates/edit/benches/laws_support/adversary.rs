//! Requests that are easy to apply in the wrong place: repeated lines, other line endings, byte
//! order marks, wide characters, wrong line numbers, stale hashes. Each is built from a file of
//! known parts, so the only correct result – one exact text, or a rejection – is known
//! independently.

use std::fmt::Write as _;
use std::path::Path;

use base::{ContentHash, Timestamp};
use graftage_edit::{FileState, parse_request, stage};

use super::random::{Rng, Style, border, ending, line};
use super::round_trip::{Map, path};

/// The number of cases by result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) placed: usize,
    pub(crate) refused: usize,
}

/// A file in parts: a byte order mark, lines, and the ending of each.
struct File {
    bom: bool,
    style: Style,
    lines: Vec<(String, &'static str)>,
}

impl File {
    fn random(rng: &mut Rng) -> Self {
        let style = *rng.pick(&[Style::Lf, Style::CrLf, Style::Mixed]);
        let repeats = rng.below(4) + 1;
        let mut lines: Vec<(String, &'static str)> = Vec::new();
        for _ in 0..=rng.below(12) {
            // Often repeats an existing line or pair of lines.
            let content = match lines.len() {
                len if len > 0 && rng.below(5) < repeats => lines[rng.below(len)].0.clone(),
                _ => line(rng).replace(['\u{feff}', '\r'], ""),
            };
            lines.push((content, ending(rng, style)));
        }
        // A file whose mixed endings are all alike has another style.
        let crlf = lines.iter().filter(|(_, end)| *end == "\r\n").count();
        let style = match crlf {
            0 => Style::Lf,
            all if all == lines.len() => Style::CrLf,
            _ => Style::Mixed,
        };
        Self { bom: rng.once_in(4), style, lines }
    }

    fn text(&self) -> String {
        let mark = if self.bom { "\u{feff}" } else { "" };
        self.lines.iter().fold(mark.to_owned(), |out, (line, end)| out + line + end)
    }

    /// The text with the lines `at..at + old` replaced by `new`. Lines that both have in common
    /// keep their endings, by the same alignment from both ends. Only for uniform files, where the
    /// alignment makes no difference.
    fn replaced(&self, at: usize, old: usize, new: &[String]) -> String {
        let end = if self.style == Style::CrLf { "\r\n" } else { "\n" };
        let mark = if self.bom { "\u{feff}" } else { "" };
        let mut out = mark.to_owned();
        for (line, end) in &self.lines[..at] {
            out = out + line + end;
        }
        for line in new {
            out = out + line + end;
        }
        for (line, end) in &self.lines[at + old..] {
            out = out + line + end;
        }
        out
    }

    /// The positions where `old` matches, compared by `same`.
    fn places(&self, old: &[String], same: &dyn Fn(&str, &str) -> bool) -> Vec<usize> {
        if old.is_empty() || old.len() > self.lines.len() {
            return Vec::new();
        }
        (0..=self.lines.len() - old.len())
            .filter(|at| {
                old.iter().enumerate().all(|(idx, line)| same(&self.lines[at + idx].0, line))
            })
            .collect()
    }
}

/// The expected result.
enum Truth {
    /// This text.
    Text(String),
    /// The lines `at..at + old` become `new`, the rest stays byte for byte; the endings of new
    /// lines are not checked (a mixed file).
    Lines {
        at: usize,
        old: usize,
        new: Vec<String>,
    },
    Refusal,
}

/// Runs one case; `Err` describes a wrong result.
pub(crate) fn check(rng: &mut Rng, count: &mut Count) -> Result<(), String> {
    let file = File::random(rng);
    let (request, truth) = match rng.below(5) {
        0 | 1 => block(rng, &file),
        2 => diff(rng, &file),
        3 => splice(rng, &file),
        _ => return canonical(rng, count),
    };
    compare_result(&file, &request, &truth, count)
}

fn compare_result(
    file: &File,
    request: &str,
    truth: &Truth,
    count: &mut Count,
) -> Result<(), String> {
    let text = file.text();
    let got = run(&text, request)?;
    let fail = |what: &str| Err(format!("{what}\nfile {text:?}\nrequest\n{request}\ngot {got:?}"));
    match (truth, &got) {
        (Truth::Refusal, Err(_)) => count.refused += 1,
        (Truth::Refusal, Ok(_)) => return fail("accepted, expected an error"),
        (_, Err(_)) => return fail("rejected, but has one correct position"),
        (Truth::Text(want), Ok(got)) if want == got => count.placed += 1,
        (Truth::Text(want), Ok(_)) => return fail(&format!("should be {want:?}")),
        (Truth::Lines { at, old, new }, Ok(got)) => {
            let whole = |lines: &[(String, &str)]| -> String {
                lines.iter().map(|(line, end)| format!("{line}{end}")).collect()
            };
            let mark = if file.bom { "\u{feff}" } else { "" };
            let head = mark.to_owned() + &whole(&file.lines[..*at]);
            let tail = whole(&file.lines[at + old..]);
            let middle = got.strip_prefix(&head).and_then(|rest| rest.strip_suffix(&tail));
            let lines: Option<Vec<&str>> = middle.map(|middle| middle.lines().collect());
            if lines != Some(new.iter().map(String::as_str).collect()) {
                return fail(&format!("lines {at}+{old} should become {new:?}"));
            }
            count.placed += 1;
        }
    }
    Ok(())
}

/// The result of the request: the text, or the error.
fn run(text: &str, request: &str) -> Result<Result<String, String>, String> {
    let name = path("f.rs")?;
    let mut files = Map::default();
    files.0.insert(name.clone(), FileState::from_text(text));
    let staged = parse_request(request, Path::new("/project"))
        .and_then(|request| stage(&files, &request, "adversary", Timestamp(1)));
    Ok(match staged {
        Err(error) => Err(error.to_string()),
        Ok(staged) => match staged.overlay.get(&name) {
            None if staged.overlay.is_empty() => Ok(text.to_owned()),
            Some(change) if staged.overlay.changes().count() == 1 => {
                Ok(change.after_text().to_owned())
            }
            _ => return Err("files changed that the request does not name".into()),
        },
    })
}

fn range(rng: &mut Rng, file: &File) -> (usize, usize) {
    let at = rng.below(file.lines.len());
    (at, 1 + rng.below((file.lines.len() - at).min(3)))
}

fn fresh(rng: &mut Rng) -> Vec<String> {
    (0..rng.below(3)).map(|idx| format!("new {idx} é{}", rng.below(9))).collect()
}

fn truth(file: &File, places: &[usize], old: usize, new: &[String]) -> Truth {
    match (places, file.style) {
        ([at], Style::Mixed) => Truth::Lines { at: *at, old, new: new.to_vec() },
        ([at], _) => Truth::Text(file.replaced(*at, old, new)),
        _ => Truth::Refusal,
    }
}

/// A search/replace block whose search text is right, repeated, different in white space, or
/// missing; written with either line ending.
fn block(rng: &mut Rng, file: &File) -> (String, Truth) {
    let (at, len) = range(rng, file);
    let mut old: Vec<String> =
        file.lines[at..at + len].iter().map(|(line, _)| line.clone()).collect();
    match rng.below(5) {
        0 => old.iter_mut().for_each(|line| line.push_str("  ")),
        1 => old[rng.below(len)].push('X'),
        2 => old.iter_mut().filter(|it| !it.is_empty()).for_each(|it| it.insert_str(0, "  ")),
        _ => {}
    }
    let new = fresh(rng);
    let end = if rng.once_in(3) { "\r\n" } else { "\n" };
    let mut request = format!("f.rs{end}<<<<<<<< SEARCH{end}");
    for line in &old {
        let _ = write!(request, "{line}{end}");
    }
    let _ = write!(request, "========{end}");
    for line in &new {
        let _ = write!(request, "{line}{end}");
    }
    let _ = write!(request, ">>>>>>>> REPLACE{end}");
    if old.iter().all(|line| line.trim().is_empty()) {
        return (request, Truth::Refusal);
    }
    // The documented order: exact, then without trailing space, then without indentation.
    let mut places = file.places(&old, &|a, b| a == b);
    if places.is_empty() {
        places = file.places(&old, &|a, b| a.trim_end() == b.trim_end());
    }
    let mut shift = String::new();
    if places.is_empty() {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let mut shifts = Vec::new();
        places = file.places(&old, &|a, b| a.trim() == b.trim());
        places.retain(|at| {
            let all: Vec<isize> = old
                .iter()
                .enumerate()
                .filter(|(_, line)| !line.trim().is_empty())
                .map(|(idx, line)| indent(&file.lines[at + idx].0) as isize - indent(line) as isize)
                .collect();
            let same = all.windows(2).all(|pair| pair[0] == pair[1]);
            // A shift of tabs cannot become one of spaces.
            let plain = old.iter().enumerate().all(|(idx, line)| {
                let (a, b) = (&file.lines[at + idx].0, line);
                let (a, b) = (&a[..indent(a)], &b[..indent(b)]);
                a.ends_with(b) || b.ends_with(a)
            });
            shifts.push(all.first().copied().unwrap_or(0));
            same && plain
        });
        if let [at] = places.as_slice() {
            let first = old.iter().position(|line| !line.trim().is_empty()).unwrap_or(0);
            let there = &file.lines[at + first].0;
            let more = indent(there).saturating_sub(indent(&old[first]));
            shift = there[..more].to_owned();
        }
    }
    let new: Vec<String> = new.iter().map(|line| format!("{shift}{line}")).collect();
    let answer = truth(file, &places, old.len(), &new);
    (request, answer)
}

/// A diff of one hunk with the right or a wrong line number, in either line ending.
fn diff(rng: &mut Rng, file: &File) -> (String, Truth) {
    let (at, len) = range(rng, file);
    let before = rng.below(3).min(at);
    let after = rng.below(3).min(file.lines.len() - at - len);
    let (from, to) = (at - before, at + len + after);
    let mut old: Vec<String> = file.lines[from..to].iter().map(|(line, _)| line.clone()).collect();
    if rng.once_in(6) {
        let idx = rng.below(old.len());
        old[idx].push('X');
    }
    let new = fresh(rng);
    let stated = if rng.once_in(2) { from } else { rng.below(file.lines.len() + 4) };
    let end = if rng.once_in(3) { "\r\n" } else { "\n" };
    let (old_len, new_len) = (old.len(), before + new.len() + after);
    let mut request = format!("--- a/f.rs{end}+++ b/f.rs{end}");
    if rng.once_in(8) {
        let _ = write!(request, "@@ -{},{} +1,99 @@{end}", stated + 1, old_len + 1);
    } else {
        let _ = write!(request, "@@ -{},{old_len} +1,{new_len} @@{end}", stated + 1);
    }
    for (idx, line) in old.iter().enumerate() {
        let sign = if idx < before || idx >= before + len { ' ' } else { '-' };
        let _ = write!(request, "{sign}{line}{end}");
        if idx + 1 == before + len {
            for line in &new {
                let _ = write!(request, "+{line}{end}");
            }
        }
    }
    let mut places = file.places(&old, &|a, b| a == b);
    if places.contains(&stated) {
        places = vec![stated];
    }
    let all: Vec<String> =
        old[..before].iter().chain(&new).chain(&old[before + len..]).cloned().collect();
    let mut answer = truth(file, &places, old.len(), &all);
    // Where the diff's own ending is that of all old lines in the file, its new lines are inserted
    // literally; that is the file's ending, unless the file is mixed.
    if let (Truth::Lines { .. }, [_]) = (&answer, places.as_slice()) {
        answer = Truth::Lines { at: places[0], old: old.len(), new: all };
    }
    (request, answer)
}

/// A splice with right, stale or no offsets and hashes.
fn splice(rng: &mut Rng, file: &File) -> (String, Truth) {
    let text = file.text();
    let (mut start, mut end) = (border(rng, &text), border(rng, &text));
    if start > end && !rng.once_in(6) {
        (start, end) = (end, start);
    }
    match rng.below(6) {
        0 => start = rng.below(text.len() + 3),
        1 => end = rng.below(text.len() + 3),
        _ => {}
    }
    let insert = fresh(rng).join("\n");
    let stale = rng.once_in(5);
    // The hash of a text that differs in one byte, or only in its endings or its byte order mark.
    let locked = match rng.below(3) {
        _ if !stale => text.clone(),
        0 => text.replace("\r\n", "\n") + " ",
        1 => format!("\u{feff}{text}"),
        _ => text.replace('\n', "\r\n"),
    };
    let hash = ContentHash::of(locked.as_bytes());
    let request = serde_json::json!({"edits": [{
        "mode": "splice", "file_path": "f.rs", "expected_file_hash": hash.to_string(),
        "start_byte": start, "end_byte": end, "replacement": insert,
    }]});
    let sound = start <= end
        && end <= text.len()
        && text.is_char_boundary(start)
        && text.is_char_boundary(end)
        && locked == text;
    let answer = if sound {
        let insert = match file.style {
            Style::CrLf => insert.replace('\n', "\r\n"),
            _ => insert,
        };
        Truth::Text([&text[..start], &insert, &text[end..]].concat())
    } else {
        Truth::Refusal
    };
    (request.to_string(), answer)
}

/// A Rust file of known functions, some of the same name, and new code for one of them.
fn canonical(rng: &mut Rng, count: &mut Count) -> Result<(), String> {
    let end = if rng.once_in(2) { "\r\n" } else { "\n" };
    let mark = if rng.once_in(4) { "\u{feff}" } else { "" };
    let mut pieces: Vec<(String, String, String, String)> = Vec::new();
    for idx in 0..=rng.below(6) {
        let name = format!("f{}", rng.below(4));
        let lead = match rng.below(3) {
            0 => format!("/// Doc 日本 of `{name}`.{end}#[inline]{end}"),
            1 => format!("// fn {name}() {{}}{end}"),
            _ => String::new(),
        };
        let code = format!("fn {name}() {{{end}    \"fn {name}() {{}} 🦀\";{end}    {idx};{end}}}");
        let (canon, open, close) = match rng.below(3) {
            0 => (format!("m{idx}::{name}"), format!("mod m{idx} {{{end}"), format!("{end}}}")),
            1 => (format!("T::{name}"), format!("impl T {{{end}"), format!("{end}}}")),
            _ => (name.clone(), String::new(), String::new()),
        };
        pieces.push((canon, format!("{open}{lead}"), code, format!("{close}{end}{end}")));
    }
    let asked = if rng.once_in(8) { "f9".to_owned() } else { rng.pick(&pieces).0.clone() };
    let repeats: Vec<usize> = (0..pieces.len()).filter(|idx| pieces[*idx].0 == asked).collect();
    let ordinal = rng.once_in(3).then(|| 1 + rng.below(3));
    let name = asked.rsplit("::").next().unwrap_or("");
    let code = format!("fn {name}() {{\n    99;\n}}");
    let target = match (repeats.as_slice(), ordinal) {
        ([only], None | Some(1)) => Some(*only),
        (many, Some(ordinal)) => many.get(ordinal - 1).copied(),
        _ => None,
    };
    // `f9` does not exist; a bare name may be the last part of exactly one other item.
    let by_suffix: Vec<usize> =
        (0..pieces.len()).filter(|idx| pieces[*idx].0.ends_with(&format!("::{asked}"))).collect();
    let target = if repeats.is_empty() { by_suffix.first().copied() } else { target };
    let canon = ordinal.map_or(asked.clone(), |ordinal| format!("{asked}-{ordinal}"));
    let request = serde_json::json!({"edits": [{
        "mode": "canonical", "file": "f.rs", "canon": canon, "node_type": "function", "code": code,
    }]});
    let whole = |swap: Option<usize>| {
        pieces.iter().enumerate().fold(mark.to_owned(), |out, (idx, piece)| {
            let code = match swap {
                Some(at) if at == idx => code.replace('\n', end),
                _ => piece.2.clone(),
            };
            out + &piece.1 + &code + &piece.3
        })
    };
    let text = whole(None);
    let got = run(&text, &request.to_string())?;
    let want = target.map(|at| whole(Some(at)));
    match (&want, &got) {
        (Some(want), Ok(got)) if want == got => count.placed += 1,
        (None, Err(_)) => count.refused += 1,
        _ => {
            return Err(format!("canon {canon} should give {want:?}\nfile\n{text}\ngot {got:?}"));
        }
    }
    Ok(())
}
