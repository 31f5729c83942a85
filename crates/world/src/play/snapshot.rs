//! Compares a page with a file beside its story: a picture of the window or of one element, with a tolerance, or the
//! whole role tree.
//!
//! Pictures are decoded by the browser, in a page of its own: a file of the project is foreign input, and the sandbox
//! has it already. The crate writes no file: what an update would write is part of the result.

use std::time::Duration;

use serde_json::{Value, json};

use super::Play;
use super::locate::{self, NotOne};
use super::role_tree;
use super::tree::PageTree;
use crate::Story;
use crate::browser::{Page, Source, Unanswered, shortened};
use crate::report::SnapshotFile;
use crate::story::{ExpectedPage, Locator, Screenshot};

/// Most bytes of a snapshot.
const MOST_BYTES: u64 = 8 << 20;
/// Most pixels of a side: that of a window.
const MOST_SIDE: u32 = 4_000;
/// Most lines of a role tree.
const MOST_LINES: usize = 2_000;
/// The pause between two pictures that must be the same before one is kept.
const STILL: Duration = Duration::from_millis(100);
/// Most pictures until two in a row are the same.
const MOST_TRIES: u32 = 20;

/// A caret blinks: no picture has it.
const HIDE_CARET: &str = "(() => { const sheet = new CSSStyleSheet(); \
    sheet.replaceSync('* { caret-color: transparent !important }'); \
    document.adoptedStyleSheets.push(sheet); globalThis.graftageSheet = sheet })()";
const SHOW_CARET: &str = "(() => { const all = document.adoptedStyleSheets; \
    const at = all.indexOf(globalThis.graftageSheet); if (at >= 0) all.splice(at, 1) })()";

/// Scrolls an element into view: its left, top, width and height in whole pixels of the document, or why it has no
/// whole picture.
const AREA: &str = "function () { \
    this.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' }); \
    const rect = this.getBoundingClientRect(); \
    let x = rect.left, y = rect.top, top = this.ownerDocument.defaultView; \
    for (; top.frameElement; top = top.parent) { \
        const frame = top.frameElement, r = frame.getBoundingClientRect(); \
        x += r.left + frame.clientLeft; y += r.top + frame.clientTop } \
    const [left, above] = [Math.floor(x), Math.floor(y)]; \
    const [right, below] = [Math.ceil(x + rect.width), Math.ceil(y + rect.height)]; \
    const [width, height] = [right - left, below - above]; \
    const window = top.innerWidth + '×' + top.innerHeight; \
    if (width < 1 || height < 1) return 'has no size'; \
    if (width > top.innerWidth || height > top.innerHeight) \
        return 'is ' + width + '×' + height + ', larger than the window of ' + window; \
    if (left < 0 || above < 0 || right > top.innerWidth || below > top.innerHeight) \
        return 'is not whole in the window of ' + window; \
    return [left + Math.round(top.scrollX), above + Math.round(top.scrollY), width, height] }";

/// Counts the pixels of which a channel differs by more than 16 of 255, and paints them red on a pale page.
const COMPARE: &str = "async (before, after) => { \
    const decoded = async text => { \
        const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0)); \
        const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' })); \
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d'); \
        context.drawImage(image, 0, 0); \
        return context.getImageData(0, 0, image.width, image.height) }; \
    const [a, b] = [await decoded(before), await decoded(after)]; \
    const out = new ImageData(b.width, b.height); \
    let differ = 0; \
    for (let at = 0; at < b.data.length; at += 4) { \
        let most = 0; \
        for (let c = at; c < at + 4; c++) most = Math.max(most, Math.abs(a.data[c] - b.data[c])); \
        const grey = 255 - (255 - (b.data[at] + b.data[at + 1] + b.data[at + 2]) / 3) / 4; \
        const is = most > 16; \
        differ += is; \
        out.data.set(is ? [220, 0, 0, 255] : [grey, grey, grey, 255], at) } \
    const canvas = new OffscreenCanvas(b.width, b.height); \
    canvas.getContext('2d').putImageData(out, 0, 0); \
    const blob = await canvas.convertToBlob({ type: 'image/png' }); \
    const url = await new Promise(done => { const reader = new FileReader(); \
        reader.onload = () => done(reader.result); reader.readAsDataURL(blob) }); \
    return { differ, all: b.width * b.height, picture: url.slice(url.indexOf(',') + 1) } }";

/// The snapshots of one play.
pub(super) struct Snapshots<'a> {
    play: &'a Play<'a>,
    /// The page in which pictures are compared, once it is needed.
    comparer: Option<Page>,
    /// The last picture that differed, which is not compared twice.
    last: Option<(Vec<u8>, String)>,
    /// Files that an update writes.
    pub(super) files: Vec<SnapshotFile>,
    /// The last difference, as a picture.
    pub(super) difference: Option<Vec<u8>>,
}

impl<'a> Snapshots<'a> {
    pub(super) fn new(play: &'a Play<'a>) -> Self {
        Self { play, comparer: None, last: None, files: Vec::new(), difference: None }
    }

    /// Compares a page with the files that a step names.
    pub(super) fn compare(
        &mut self,
        page: &mut Page,
        expected: &ExpectedPage,
    ) -> Result<(), NotOne> {
        if let Some(name) = &expected.role_tree_file {
            self.role_tree(page, name)?;
        }
        match &expected.screenshot {
            Some(screenshot) => self.screenshot(page, screenshot, "the page", &mut picture),
            None => Ok(()),
        }
    }

    /// Compares an element with its picture.
    pub(super) fn element(
        &mut self,
        page: &mut Page,
        at: &Locator,
        expected: &Screenshot,
    ) -> Result<(), NotOne> {
        let look = &mut |page: &mut Page| element_picture(page, at);
        self.screenshot(page, expected, &at.to_string(), look)
    }

    /// The state that a page shows now; for an update, once it is the same twice in a row.
    fn seen<T: PartialEq>(
        &self,
        page: &mut Page,
        look: &mut dyn FnMut(&mut Page) -> Result<T, NotOne>,
    ) -> Result<T, NotOne> {
        let mut there = look(page)?;
        let tries = if self.play.updates { MOST_TRIES } else { 0 };
        for _ in 0..tries {
            page.wait(STILL)?;
            let before = std::mem::replace(&mut there, look(page)?);
            if before == there {
                return Ok(there);
            }
        }
        match self.play.updates {
            true => Err(differs("the page does not come to rest".to_owned())),
            false => Ok(there),
        }
    }

    fn role_tree(&mut self, page: &mut Page, name: &str) -> Result<(), NotOne> {
        let there = self.seen(page, &mut tree_lines)?;
        let expected = self.play.files.read(name, MOST_BYTES);
        let expected = expected.as_deref().map(String::from_utf8_lossy);
        let lines: Vec<&str> = expected.iter().flat_map(|it| it.lines()).collect();
        if expected.is_some() && lines == there {
            return Ok(());
        }
        if self.play.updates {
            return self.keep(name, (there.join("\n") + "\n").into_bytes());
        }
        if expected.is_none() {
            return Err(missing(name));
        }
        let at = lines.iter().zip(&there).take_while(|(a, b)| *a == b).count();
        let is = there.get(at).map_or("the end", |it| it.trim());
        let wanted = lines.get(at).map_or("the end", |it| it.trim());
        let reason = format!("line {} of `{name}` is `{wanted}`, the page has `{is}`", at + 1);
        Err(NotOne::Elements { reason: base::visible_line(&reason), there })
    }

    /// Compares a picture of `subject` with its file.
    fn screenshot(
        &mut self,
        page: &mut Page,
        expected: &Screenshot,
        subject: &str,
        look: &mut dyn FnMut(&mut Page) -> Result<Vec<u8>, NotOne>,
    ) -> Result<(), NotOne> {
        let name = &expected.name;
        let there = self.seen(page, look)?;
        let Some(before) = self.play.files.read(name, MOST_BYTES) else {
            return if self.play.updates { self.keep(name, there) } else { Err(missing(name)) };
        };
        if before == there {
            self.difference = None;
            return Ok(());
        }
        if let Some((_, reason)) = self.last.as_ref().filter(|(last, _)| *last == there) {
            return Err(differs(reason.clone()));
        }
        match self.difference((expected, subject), &before, &there)? {
            None => {
                self.difference = None;
                Ok(())
            }
            Some(_) if self.play.updates => self.keep(name, there),
            Some(reason) => {
                self.last = Some((there, reason.clone()));
                Err(differs(reason))
            }
        }
    }

    /// The difference of two pictures, if it is over the tolerance.
    fn difference(
        &mut self,
        (expected, subject): (&Screenshot, &str),
        before: &[u8],
        there: &[u8],
    ) -> Result<Option<String>, NotOne> {
        let name = &expected.name;
        self.difference = None;
        let Some(size) = size(before) else {
            return Ok(Some(format!("`{name}` is no PNG of at most {MOST_SIDE} pixels a side")));
        };
        if let Some((is_wide, is_high)) = self::size(there).filter(|it| *it != size) {
            let (was_wide, was_high) = size;
            return Ok(Some(format!(
                "`{name}` is {was_wide}×{was_high}, {subject} {is_wide}×{is_high}"
            )));
        }
        let answer = self.compared(before, there)?;
        let answer = &answer["result"]["value"];
        let (Some(differ), Some(all)) = (answer["differ"].as_u64(), answer["all"].as_u64()) else {
            return Ok(Some(format!("`{name}` is no picture that the browser reads")));
        };
        let millionths = differ * 1_000_000 / all.max(1);
        if millionths <= u64::from(expected.tolerance) && (expected.tolerance > 0 || differ == 0) {
            return Ok(None);
        }
        self.difference = answer["picture"].as_str().and_then(base::from_base64);
        let tolerance = percent(expected.tolerance.into());
        Ok(Some(format!(
            "{} of the pixels differ from `{name}` ({differ} pixels, tolerance {tolerance})",
            percent(millionths)
        )))
    }

    fn compared(&mut self, before: &[u8], there: &[u8]) -> Result<Value, NotOne> {
        let comparer = match &mut self.comparer {
            Some(comparer) => comparer,
            None => {
                let source = Source::Html("".into());
                let page = self.play.browser.page(self.play.ctx, source, &Story::probe());
                self.comparer.insert(page.map_err(Unanswered::from)?)
            }
        };
        let (before, there) = (json!(base::to_base64(before)), json!(base::to_base64(there)));
        let call = json!({ "expression": format!("({COMPARE})({before}, {there})"),
            "returnByValue": true, "awaitPromise": true });
        Ok(comparer.call("Runtime.evaluate", call)?)
    }

    fn keep(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), NotOne> {
        self.difference = None;
        match self.files.iter().find(|it| it.name == name) {
            None => {
                self.files.push(SnapshotFile { name: name.to_owned(), bytes });
                Ok(())
            }
            Some(kept) if kept.bytes == bytes => Ok(()),
            Some(_) => Err(differs(format!("`{name}` is another snapshot of this story already"))),
        }
    }
}

fn tree_lines(page: &mut Page) -> Result<Vec<String>, NotOne> {
    let lines = role_tree::lines(&PageTree::read(page)?.perceived(0), MOST_LINES);
    match lines.len() > MOST_LINES {
        true => Err(differs(format!("the role tree has more than {MOST_LINES} lines"))),
        false => Ok(lines),
    }
}

/// The picture of the window, without a caret.
fn picture(page: &mut Page) -> Result<Vec<u8>, NotOne> {
    without_caret(page, |page| Ok(page.picture()))
}

/// The picture of an element, without a caret.
fn element_picture(page: &mut Page, at: &Locator) -> Result<Vec<u8>, NotOne> {
    without_caret(page, |page| {
        let element = locate::one(page, at)?;
        let area = locate::on(page, element, AREA, json!([]))?;
        let side = |idx: usize| area[idx].as_u64().and_then(|it| u32::try_from(it).ok());
        match (side(0), side(1), side(2), side(3)) {
            (Some(x), Some(y), Some(width), Some(height)) => {
                Ok(page.picture_of([x, y, width, height]))
            }
            _ => {
                let why = shortened(area.as_str().unwrap_or("has no place in the window"));
                Err(differs(format!("{at} {why}")))
            }
        }
    })
}

/// Takes a picture while no caret is shown.
fn without_caret(
    page: &mut Page,
    take: impl FnOnce(&mut Page) -> Result<Option<Vec<u8>>, NotOne>,
) -> Result<Vec<u8>, NotOne> {
    let frame = page.frames()?.into_iter().next().unwrap_or_default();
    let world = page.world(&frame)?;
    let evaluate = |code: &str| json!({ "expression": code, "contextId": world });
    page.call("Runtime.evaluate", evaluate(HIDE_CARET))?;
    let picture = take(page);
    page.call("Runtime.evaluate", evaluate(SHOW_CARET))?;
    match picture? {
        Some(picture) if picture.len() as u64 <= MOST_BYTES => Ok(picture),
        Some(_) => {
            Err(differs(format!("the picture of the page has more than {MOST_BYTES} bytes")))
        }
        None => Err(differs("the browser has no picture of the page".to_owned())),
    }
}

fn differs(reason: String) -> NotOne {
    NotOne::Elements { reason, there: Vec::new() }
}

fn missing(name: &str) -> NotOne {
    differs(format!("there is no `{name}`; `graftage world test --update` writes it"))
}

/// Width and height of a PNG; `None` where it is none, or too large to be decoded.
fn size(png: &[u8]) -> Option<(u32, u32)> {
    let header = png.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")?;
    let side = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    let (wide, high) = (side(0)?, side(4)?);
    let is_side = |it: u32| (1..=MOST_SIDE).contains(&it);
    (is_side(wide) && is_side(high)).then_some((wide, high))
}

/// A share in millionths as per cent.
fn percent(millionths: u64) -> String {
    format!("{}.{:02} %", millionths / 10_000, millionths % 10_000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_picture_is_that_of_its_header_within_limits() {
        let png = |wide: u32, high: u32| {
            let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
            bytes.extend(wide.to_be_bytes());
            bytes.extend(high.to_be_bytes());
            bytes
        };
        assert_eq!(size(&png(1_024, 768)), Some((1_024, 768)));
        assert_eq!(size(&png(100_000, 768)), None);
        assert_eq!(size(&png(0, 768)), None);
        assert_eq!(size(&png(1, 1)[..20]), None);
        assert_eq!(size(b"GIF89a"), None);
        assert_eq!(percent(32_100), "3.21 %");
    }
}
