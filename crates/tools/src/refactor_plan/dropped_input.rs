//! The input of the project's macros whose rules have a `cfg`: the compiler may not see all of it, so that
//! the absence of errors proves nothing there.

use base::{ByteSpan, SortedMap, SortedSet};
use preserve::outline::{Outline, Token};

use super::SourceText;

/// The project's macros whose rules have a `cfg`, or call such a macro, by name.
#[derive(Debug, Default)]
pub(super) struct ConditionalMacros {
    predicates: SortedMap<String, SortedSet<String>>,
}

/// A call of such a macro.
pub(super) struct DroppedInput<'m> {
    pub(super) span: ByteSpan,
    /// The macro.
    pub(super) name: &'m str,
    /// Predicates in its rules.
    pub(super) predicates: &'m SortedSet<String>,
}

/// The predicates and calls in the rules of a macro.
#[derive(Default)]
struct Rules {
    predicates: SortedSet<String>,
    calls: SortedSet<String>,
}

impl ConditionalMacros {
    pub(super) fn of(sources: &[SourceText]) -> Self {
        let mut rules: SortedMap<String, Rules> = SortedMap::new();
        for source in sources.iter().filter(|it| it.text.contains("macro_rules!")) {
            read(&Outline::of(&source.text), &mut rules);
        }
        let mut predicates: SortedMap<String, SortedSet<String>> =
            rules.iter().map(|(name, it)| (name.clone(), it.predicates.clone())).collect();
        // Those of the macros that a macro calls, until nothing is added.
        loop {
            let mut is_done = true;
            for (name, it) in &rules {
                let more = it.calls.iter().filter_map(|it| predicates.get(it)).flatten();
                let more: Vec<String> = more.cloned().collect();
                let own = predicates.entry(name.clone()).or_default();
                let count = own.len();
                own.extend(more);
                is_done &= own.len() == count;
            }
            if is_done {
                break;
            }
        }
        predicates.retain(|_, it| !it.is_empty());
        Self { predicates }
    }

    /// The calls in a text whose macro has a `cfg`: where each is, its name, and the predicates.
    pub(super) fn inputs(&self, outline: &Outline<'_>) -> Vec<DroppedInput<'_>> {
        if self.predicates.is_empty() {
            return Vec::new();
        }
        let call = |(idx, token): (usize, &Token<'_>)| {
            let (name, predicates) = self.predicates.get_key_value(token.text)?;
            let close = outline.close.get(idx + 2).and_then(|it| outline.tokens.get(*it))?;
            let span = ByteSpan::new(token.span.start, close.span.end);
            (outline.text(idx + 1) == "!").then_some(DroppedInput { span, name, predicates })
        };
        outline.tokens.iter().enumerate().filter_map(call).collect()
    }
}

/// Adds the macros of a text.
fn read(outline: &Outline<'_>, rules: &mut SortedMap<String, Rules>) {
    let text = |at: usize| outline.text(at);
    for at in 0..outline.tokens.len() {
        if text(at) != "macro_rules" || text(at + 1) != "!" {
            continue;
        }
        let end = outline.close.get(at + 3).copied().unwrap_or(at);
        let own = rules.entry(text(at + 2).to_owned()).or_default();
        for idx in at + 4..end {
            if text(idx + 1) == "!" {
                own.calls.insert(text(idx).to_owned());
            }
            if text(idx) == "#" && text(idx + 1) == "[" && text(idx + 2) == "cfg" {
                let close = outline.close.get(idx + 3).copied().unwrap_or(idx);
                let words: Vec<&str> = (idx + 4..close).map(text).collect();
                own.predicates.insert(words.join(" "));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_of_a_macro_is_behind_what_its_rules_and_their_macros_have() {
        let text = "\
macro_rules! narrow { ($($t:tt)+) => { #[cfg(not(target_pointer_width = \"64\"))] $($t)+ }; }
macro_rules! either { ($a:expr, $b:expr) => { narrow!($a); $b }; }
macro_rules! plain { ($a:expr) => { $a }; }
fn f() { either!(a(), b()); plain!(c()); }
";
        let source = SourceText {
            path: base::ProjectPath::new("src/lib.rs").unwrap(),
            text: text.into(),
            places: std::cell::OnceCell::new(),
        };
        let macros = ConditionalMacros::of(&[source]);
        let outline = Outline::of(text);
        let around = |place: &str| {
            let at = text.find(place).unwrap();
            let found = macros.inputs(&outline).into_iter();
            let found = found.filter(|it| it.span.start <= at && at < it.span.end);
            let line = |it: DroppedInput<'_>| format!("{} {:?}", it.name, it.predicates);
            found.map(line).collect::<Vec<_>>().join("; ")
        };
        let wanted = "either {\"not ( target_pointer_width = \\\"64\\\" )\"}";
        assert_eq!(around("a(), b"), wanted);
        assert_eq!(around("b());"), wanted);
        assert_eq!(around("c()"), "");
    }
}
