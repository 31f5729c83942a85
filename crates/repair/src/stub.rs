//! Compiler suggestions with `todo!()`, which rules complete. Never a fix themselves.

use base::{ByteSpan, Diagnostic, ProjectPath};

/// A compiler suggestion that contains `todo!()`.
pub(crate) struct Stub<'a> {
    pub(crate) path: &'a ProjectPath,
    /// Span that it replaces.
    pub(crate) at: ByteSpan,
    pub(crate) text: &'a str,
}

/// The suggestions with `todo!()` that replace one span, of an error with this code.
pub(crate) fn stubs<'a>(diagnostic: &'a Diagnostic, code: &str) -> Vec<Stub<'a>> {
    if diagnostic.code.as_deref() != Some(code) {
        return Vec::new();
    }
    let mut stubs: Vec<Stub<'_>> = Vec::new();
    for child in &diagnostic.children {
        let [replacement] = child.replacements.as_slice() else { continue };
        if let Some(path) = replacement.place.project().filter(|_| !replacement.from_expansion)
            && replacement.text.contains("todo!()")
        {
            stubs.push(Stub { path, at: replacement.bytes, text: &replacement.text });
        }
    }
    stubs
}
