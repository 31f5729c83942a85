use base::{ByteSpan, Diagnostic, ProjectPath};

/// A draft of the compiler: code with a `todo!()` in it.
pub(crate) struct Stub<'a> {
    pub(crate) path: &'a ProjectPath,
    /// What it replaces.
    pub(crate) at: ByteSpan,
    pub(crate) text: &'a str,
}

/// The drafts among the compiler's suggestions, those of one place each.
pub(crate) fn stubs(diagnostic: &Diagnostic) -> Vec<Stub<'_>> {
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
