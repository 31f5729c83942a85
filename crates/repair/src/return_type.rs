use base::{Applicability, Diagnostic};
use edit::{Files, Splice};

use crate::conversions::quoted_after;
use crate::phase::errors;
use crate::{Fix, Reasoner};

/// For a value that is not of the type its function promises: the promise changed to what the
/// body gives. Right where the body was changed and its signature forgotten; the callers' proof
/// says whether they can live with it.
pub struct ReturnType;

impl Reasoner for ReturnType {
    fn name(&self) -> &'static str {
        "return-type"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut fixes = Vec::new();
        for (seed, diagnostic) in errors(diagnostics) {
            if diagnostic.code.as_deref() != Some("E0308") {
                continue;
            }
            let Some((promise, found)) = promise_and_found(diagnostic) else { continue };
            let Some(path) = promise.place.project() else { continue };
            let Some(state) = files.read(path).ok().flatten() else { continue };
            let Some(promised) = promise.bytes.slice(&state.text) else { continue };
            let Some(insert) = promise_of(promised, found) else { continue };
            fixes.push(Fix {
                rationale: format!("return `{insert}`, as the body does"),
                splices: vec![(path.clone(), Splice { span: promise.bytes, insert })],
                applicability: Applicability::Unspecified,
                reasoner: self.name(),
                seed,
            });
        }
        fixes
    }
}

/// The place of the return type, and the type that was found instead.
fn promise_and_found(diagnostic: &Diagnostic) -> Option<(&base::DiagnosticSpan, &str)> {
    let promise = diagnostic.spans.iter().find(|it| {
        it.expansion.is_none()
            && it.label.as_ref().is_some_and(|label| label.ends_with("because of return type"))
    })?;
    let label = diagnostic.primary()?.label.as_deref()?;
    Some((promise, quoted_after(label, "found")?))
}

/// The return type that `found` calls for; `None` where the compiler does not spell it out.
fn promise_of(promised: &str, found: &str) -> Option<String> {
    match found {
        "Option<_>" => Some(format!("Option<{promised}>")),
        _ if found.contains(['_', '{', '…']) || found.contains("...") || found == "()" => None,
        // References need lifetimes, which nobody can guess here.
        _ if found.contains('&') || found.contains("impl ") => None,
        _ => Some(found.to_owned()).filter(|it| it != promised),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_promise_follows_the_body_where_its_type_is_spelled_out() {
        assert_eq!(promise_of("u32", "usize").as_deref(), Some("usize"));
        assert_eq!(promise_of("Vec<u8>", "Option<_>").as_deref(), Some("Option<Vec<u8>>"));
        assert_eq!(promise_of("u32", "()"), None);
        assert_eq!(promise_of("u32", "Result<_, E>"), None);
        assert_eq!(promise_of("String", "&str"), None);
        assert_eq!(promise_of("u32", "{closure@src/lib.rs:1:1}"), None);
    }
}
