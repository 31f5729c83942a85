//! Pictures of a page, as PNG.

use serde_json::{Value, json};

use super::page::Page;

impl Page {
    /// The picture of the window.
    pub(crate) fn picture(&mut self) -> Option<Vec<u8>> {
        self.captured(json!({ "format": "png" }))
    }

    /// The picture of a part of the window, in pixels of the document: left, top, width and height.
    pub(crate) fn picture_of(&mut self, [x, y, width, height]: [u32; 4]) -> Option<Vec<u8>> {
        let clip = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
        self.captured(json!({ "format": "png", "clip": clip }))
    }

    fn captured(&mut self, params: Value) -> Option<Vec<u8>> {
        let picture = self.call("Page.captureScreenshot", params).ok()?;
        base::from_base64(picture["data"].as_str()?)
    }
}
