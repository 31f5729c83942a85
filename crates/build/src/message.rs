//! Converts one line of `--message-format=json` to a [`CargoMessage`] with the types of `base`.

use std::path::Path;

use base::{
    Applicability, ByteSpan, Diagnostic, DiagnosticFile, DiagnosticSpan, Expansion, LineCol,
    ProjectPath, Replacement, Severity, SubDiagnostic,
};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// One message of cargo.
#[derive(Clone, Debug, PartialEq)]
pub enum CargoMessage {
    /// A diagnostic of the compiler or clippy.
    Diagnostic(Box<Diagnostic>),
    /// A target was compiled or was fresh.
    Unit {
        /// Package name.
        package: String,
        /// `lib`, `bin foo`, `test bar`.
        target: String,
        /// Whether it was fresh.
        fresh: bool,
    },
    /// A build script of a local package was run, or its last run is still current.
    BuildScript {
        /// Package name.
        package: String,
        /// Flags that it passes to the compiler: `name` or `key="value"`.
        cfgs: Vec<String>,
    },
    /// The build ended.
    Finished {
        /// Whether it succeeded.
        success: bool,
    },
    /// Any other message.
    Other,
}

/// Parses one line of cargo's standard output, or of `rustc --error-format=json`; `None` if it is
/// no message (for example output of a build script). Relative paths are taken as relative to
/// `root`; paths outside of `root` are foreign.
pub fn read_message(root: &Path, line: &[u8]) -> Option<CargoMessage> {
    let line = line.trim_ascii();
    if !line.starts_with(b"{") {
        return None;
    }
    let reader = MessageReader { root };
    // A macro that calls itself often nests the call sites deeper than the parser allows. The error
    // must not be lost, so the shallow form is parsed then.
    if let Ok(line) = serde_json::from_slice::<Line<RawDiagnostic>>(line) {
        return Some(reader.message(line, |raw| reader.diagnostic(raw)));
    }
    if let Ok(line) = serde_json::from_slice::<Line<Shallow>>(line) {
        return Some(reader.message(line, |raw| Some(reader.shallow(raw))));
    }
    // rustc prints diagnostics without cargo's envelope.
    let bare = match serde_json::from_slice::<RawDiagnostic>(line) {
        Ok(raw) => reader.diagnostic(raw),
        Err(_) => Some(reader.shallow(serde_json::from_slice::<Shallow>(line).ok()?)),
    };
    Some(
        bare.map_or(CargoMessage::Other, |diagnostic| {
            CargoMessage::Diagnostic(Box::new(diagnostic))
        }),
    )
}

#[derive(Deserialize)]
struct Line<D> {
    reason: String,
    package_id: Option<String>,
    target: Option<RawTarget>,
    profile: Option<RawProfile>,
    message: Option<D>,
    #[serde(default)]
    fresh: bool,
    #[serde(default)]
    cfgs: Vec<String>,
    success: Option<bool>,
}

#[derive(Deserialize)]
struct RawTarget {
    #[serde(default)]
    kind: Vec<String>,
    name: String,
}

#[derive(Deserialize)]
struct RawProfile {
    #[serde(default)]
    test: bool,
}

#[derive(Deserialize)]
struct RawDiagnostic {
    message: String,
    code: Option<RawCode>,
    level: String,
    #[serde(default)]
    spans: Vec<RawSpan>,
    #[serde(default)]
    children: Vec<RawDiagnostic>,
    rendered: Option<String>,
}

/// A diagnostic without the parts that nest, which are skipped without recursion.
#[derive(Deserialize)]
struct Shallow {
    message: String,
    code: Option<RawCode>,
    level: String,
    rendered: Option<String>,
}

#[derive(Deserialize)]
struct RawCode {
    code: String,
}

#[derive(Deserialize)]
struct RawSpan {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    line_start: u32,
    line_end: u32,
    column_start: u32,
    column_end: u32,
    #[serde(default)]
    is_primary: bool,
    label: Option<String>,
    suggested_replacement: Option<String>,
    suggestion_applicability: Option<String>,
    expansion: Option<Box<RawExpansion>>,
}

#[derive(Deserialize)]
struct RawExpansion {
    span: RawSpan,
    macro_decl_name: String,
    #[serde(rename = "def_site_span", default)]
    _def_site_span: IgnoredAny,
}

struct MessageReader<'a> {
    root: &'a Path,
}

/// Maximum number of notes and helps in a message, and of spans in each: macros can print messages
/// of any size. The rest is dropped; a suggestion is dropped as a whole.
const MAX_CHILDREN: usize = 64;
const MAX_SPANS: usize = 256;
/// Maximum number of flags of a build script.
const MAX_FLAGS: usize = 256;
/// Maximum number of nested macro calls of a span.
const MAX_CALL_SITES: usize = 32;
/// Maximum size of a message or a label, of a replacement, and of the rendered text.
const MAX_TEXT_BYTES: usize = 16 * 1024;
const MAX_REPLACEMENT_BYTES: usize = 16 * 1024;
const MAX_RENDERED_BYTES: usize = 128 * 1024;
/// Maximum size of names: packages, targets, files, codes.
const MAX_NAME_BYTES: usize = 4 * 1024;

/// Truncates the text to a limit, with a mark.
fn bounded(mut text: String, most: usize) -> String {
    if text.len() > most {
        let mut end = most;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Whether a package is in a local folder rather than from a registry or a repository. The others
/// are not to be edited, whatever their messages suggest.
fn is_local(package_id: &str) -> bool {
    let source = package_id.rsplit_once('(').map_or(package_id, |(_, source)| source);
    source.starts_with("path+file:")
}

impl MessageReader<'_> {
    fn message<D>(
        &self,
        line: Line<D>,
        convert: impl FnOnce(D) -> Option<Diagnostic>,
    ) -> CargoMessage {
        let is_local = line.package_id.as_deref().is_none_or(is_local);
        let package =
            line.package_id.as_deref().map(|id| bounded(package_name(id), MAX_NAME_BYTES));
        let target = line.target.as_ref().map(|target| {
            target_name(target, line.profile.as_ref().is_some_and(|profile| profile.test))
        });
        match (line.reason.as_str(), line.message) {
            ("compiler-message", Some(raw)) => match convert(raw) {
                Some(mut diagnostic) => {
                    if !is_local {
                        diagnostic.children.iter_mut().for_each(|it| it.replacements.clear());
                    }
                    CargoMessage::Diagnostic(Box::new(Diagnostic { package, target, ..diagnostic }))
                }
                None => CargoMessage::Other,
            },
            ("compiler-artifact", _) => CargoMessage::Unit {
                package: package.unwrap_or_default(),
                target: target.unwrap_or_default(),
                fresh: line.fresh,
            },
            ("build-script-executed", _) if is_local => CargoMessage::BuildScript {
                package: package.unwrap_or_default(),
                cfgs: line
                    .cfgs
                    .into_iter()
                    .take(MAX_FLAGS)
                    .map(|it| bounded(it, MAX_NAME_BYTES))
                    .collect(),
            },
            ("build-finished", _) => {
                CargoMessage::Finished { success: line.success.unwrap_or(false) }
            }
            _ => CargoMessage::Other,
        }
    }

    /// `None` for the closing lines that only count earlier diagnostics.
    fn diagnostic(&self, raw: RawDiagnostic) -> Option<Diagnostic> {
        if raw.level == "failure-note" || (raw.spans.is_empty() && is_tally(&raw.message)) {
            return None;
        }
        let mut spans: Vec<_> = self.spans(&raw.spans);
        spans.sort_by_key(|span| !span.primary);
        Some(Diagnostic {
            severity: severity(&raw.level),
            code: raw.code.map(|code| bounded(code.code, MAX_NAME_BYTES)),
            message: bounded(raw.message, MAX_TEXT_BYTES),
            spans,
            children: raw
                .children
                .into_iter()
                .take(MAX_CHILDREN)
                .map(|child| self.child(child))
                .collect(),
            rendered: raw.rendered.map(|it| bounded(it, MAX_RENDERED_BYTES)),
            package: None,
            target: None,
        })
    }

    fn child(&self, raw: RawDiagnostic) -> SubDiagnostic {
        // A truncated suggestion would be wrong, so it is dropped.
        let fits = raw.spans.len() <= MAX_SPANS
            && raw.spans.iter().all(|span| {
                span.suggested_replacement
                    .as_ref()
                    .is_none_or(|it| it.len() <= MAX_REPLACEMENT_BYTES)
            });
        let replacements = raw.spans.iter().filter(|_| fits).filter_map(|span| {
            Some(Replacement {
                place: self.place(&span.file_name),
                bytes: ByteSpan::new(span.byte_start, span.byte_end),
                text: span.suggested_replacement.clone()?,
                applicability: applicability(span.suggestion_applicability.as_deref()),
                from_expansion: span.expansion.is_some(),
            })
        });
        SubDiagnostic {
            severity: severity(&raw.level),
            replacements: replacements.collect(),
            spans: self.spans(&raw.spans),
            message: bounded(raw.message, MAX_TEXT_BYTES),
        }
    }

    fn spans(&self, raw: &[RawSpan]) -> Vec<DiagnosticSpan> {
        raw.iter().take(MAX_SPANS).map(|span| self.span(span, MAX_CALL_SITES)).collect()
    }

    fn span(&self, raw: &RawSpan, call_sites: usize) -> DiagnosticSpan {
        let expansion = raw.expansion.as_deref().filter(|_| call_sites > 0);
        DiagnosticSpan {
            place: self.place(&raw.file_name),
            bytes: ByteSpan::new(raw.byte_start, raw.byte_end),
            start: LineCol { line: raw.line_start, col: raw.column_start },
            end: LineCol { line: raw.line_end, col: raw.column_end },
            primary: raw.is_primary,
            label: raw.label.clone().map(|it| bounded(it, MAX_TEXT_BYTES)),
            expansion: expansion.map(|expansion| {
                Box::new(Expansion {
                    macro_name: bounded(expansion.macro_decl_name.clone(), MAX_NAME_BYTES),
                    call_site: self.span(&expansion.span, call_sites - 1),
                })
            }),
        }
    }

    fn shallow(&self, raw: Shallow) -> Diagnostic {
        let span = raw.rendered.as_deref().and_then(|text| self.rendered_place(text));
        Diagnostic {
            severity: severity(&raw.level),
            code: raw.code.map(|code| bounded(code.code, MAX_NAME_BYTES)),
            message: bounded(raw.message, MAX_TEXT_BYTES),
            spans: span.into_iter().collect(),
            children: Vec::new(),
            rendered: raw.rendered.map(|it| bounded(it, MAX_RENDERED_BYTES)),
            package: None,
            target: None,
        }
    }

    /// The position in `  --> src/lib.rs:3:5`; its bytes are unknown and set to 0.
    fn rendered_place(&self, rendered: &str) -> Option<DiagnosticSpan> {
        let line = rendered.lines().find_map(|line| line.trim_start().strip_prefix("--> "))?;
        let mut parts = line.trim().rsplitn(3, ':');
        let col = parts.next()?.parse().ok()?;
        let line = parts.next()?.parse().ok()?;
        let at = LineCol { line, col };
        Some(DiagnosticSpan {
            place: self.place(parts.next()?),
            bytes: ByteSpan::new(0, 0),
            start: at,
            end: at,
            primary: true,
            label: None,
            expansion: None,
        })
    }

    fn place(&self, name: &str) -> DiagnosticFile {
        ProjectPath::within(self.root, Path::new(name)).map_or_else(
            |_| DiagnosticFile::Foreign(bounded(name.to_owned(), MAX_NAME_BYTES)),
            DiagnosticFile::Project,
        )
    }
}

/// `aborting due to 2 previous errors`, `1 warning emitted`.
fn is_tally(message: &str) -> bool {
    message.starts_with("aborting due to")
        || message.ends_with(" warning emitted")
        || message.ends_with(" warnings emitted")
}

fn severity(level: &str) -> Severity {
    match level {
        "warning" => Severity::Warning,
        "note" | "failure-note" => Severity::Note,
        "help" => Severity::Help,
        // `error`, `error: internal compiler error`, and unknown levels.
        _ => Severity::Error,
    }
}

fn applicability(text: Option<&str>) -> Applicability {
    match text {
        Some("MachineApplicable") => Applicability::MachineApplicable,
        Some("MaybeIncorrect") => Applicability::MaybeIncorrect,
        Some("HasPlaceholders") => Applicability::HasPlaceholders,
        _ => Applicability::Unspecified,
    }
}

/// `path+file:///x/a#0.1.0` is `a`; `registry+…#serde@1.0.1` is `serde`.
pub(crate) fn package_name(id: &str) -> String {
    let (source, fragment) = id.rsplit_once('#').unwrap_or((id, ""));
    match fragment.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => {
            let path = source.split('?').next().unwrap_or(source);
            path.trim_end_matches('/').rsplit('/').next().unwrap_or(path).to_owned()
        }
    }
}

fn target_name(target: &RawTarget, test: bool) -> String {
    let kind = target.kind.first().map_or("", String::as_str);
    let target_name = bounded(target.name.clone(), MAX_NAME_BYTES);
    let name = match kind {
        "bin" | "test" | "example" | "bench" => format!("{kind} {target_name}"),
        "custom-build" => "build script".to_owned(),
        _ => "lib".to_owned(),
    };
    if test && kind != "test" && kind != "bench" { format!("{name} test") } else { name }
}

#[cfg(test)]
mod tests;
