//! The input of the project's macros whose rules have a `cfg`, or leave out a part of their input: the compiler
//! may not see all of it, so that the absence of errors proves nothing there.

use base::{ByteSpan, SortedMap, SortedSet};
use preserve::outline::{Outline, Token};

use super::SourceText;

/// The project's macros that may drop their input, or call such a macro, by name.
#[derive(Debug, Default)]
pub(super) struct ConditionalMacros {
    all: SortedMap<String, Losses>,
}

/// How a macro may drop a part of its input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Losses {
    /// Predicates in its rules.
    pub(super) predicates: SortedSet<String>,
    /// Whether a rule leaves out code that it matches.
    pub(super) leaves_out: bool,
}

/// A call of such a macro.
pub(super) struct DroppedInput<'m> {
    pub(super) span: ByteSpan,
    /// The macro.
    pub(super) name: &'m str,
    pub(super) losses: &'m Losses,
}

/// The rules of a macro: what they drop, and the macros that they call.
#[derive(Default)]
struct Rules {
    losses: Losses,
    calls: SortedSet<String>,
}

impl ConditionalMacros {
    pub(super) fn of(sources: &[SourceText]) -> Self {
        let mut rules: SortedMap<String, Rules> = SortedMap::new();
        for source in sources.iter().filter(|it| it.text.contains("macro_rules!")) {
            read(&Outline::of(&source.text), &mut rules);
        }
        let mut all: SortedMap<String, Losses> =
            rules.iter().map(|(name, it)| (name.clone(), it.losses.clone())).collect();
        // Those of the macros that a macro calls, until nothing is added.
        loop {
            let mut is_done = true;
            for (name, it) in &rules {
                let more: Vec<Losses> =
                    it.calls.iter().filter_map(|it| all.get(it)).cloned().collect();
                let own = all.entry(name.clone()).or_default();
                let before = own.clone();
                for it in more {
                    own.predicates.extend(it.predicates);
                    own.leaves_out |= it.leaves_out;
                }
                is_done &= *own == before;
            }
            if is_done {
                break;
            }
        }
        all.retain(|_, it| it.leaves_out || !it.predicates.is_empty());
        Self { all }
    }

    /// The calls in a text whose macro may drop its input.
    pub(super) fn inputs(&self, outline: &Outline<'_>) -> Vec<DroppedInput<'_>> {
        if self.all.is_empty() {
            return Vec::new();
        }
        let call = |(idx, token): (usize, &Token<'_>)| {
            let (name, losses) = self.all.get_key_value(token.text)?;
            let close = outline.close.get(idx + 2).and_then(|it| outline.tokens.get(*it))?;
            let span = ByteSpan::new(token.span.start, close.span.end);
            (outline.text(idx + 1) == "!").then_some(DroppedInput { span, name, losses })
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
                own.losses.predicates.insert(words.join(" "));
            }
        }
        own.losses.leaves_out |= leaves_out(outline, at + 4, end);
    }
}

/// Whether one of the rules between two tokens matches code that its expansion does not have.
fn leaves_out(outline: &Outline<'_>, from: usize, end: usize) -> bool {
    let text = |at: usize| outline.text(at);
    let close = |at: usize| outline.close.get(at).copied().filter(|it| *it > at);
    let mut at = from;
    while at < end {
        let Some(matched) = close(at) else { return false };
        let Some(expanded) = close(matched + 2).filter(|_| text(matched + 1) == "=>") else {
            return false;
        };
        let is_used =
            |name: &str| (matched + 2..expanded).any(|it| text(it) == "$" && text(it + 1) == name);
        // A single `$x:tt` is a counter or a mark, and a name with `_` is meant to be unused.
        let is_code = |it: usize| match text(it + 3) {
            "block" | "expr" | "item" | "stmt" => true,
            "tt" => text(it.wrapping_sub(1)) == "(" && text(it.wrapping_sub(2)) == "$",
            _ => false,
        };
        let mut all = (at + 1..matched).filter(|it| text(*it) == "$" && text(*it + 2) == ":");
        if all.any(|it| is_code(it) && !text(it + 1).starts_with('_') && !is_used(text(it + 1))) {
            return true;
        }
        at = expanded + 1 + usize::from(text(expanded + 1) == ";");
    }
    false
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
            let line = |it: DroppedInput<'_>| format!("{} {:?}", it.name, it.losses.predicates);
            found.map(line).collect::<Vec<_>>().join("; ")
        };
        let wanted = "either {\"not ( target_pointer_width = \\\"64\\\" )\"}";
        assert_eq!(around("a(), b"), wanted);
        assert_eq!(around("b());"), wanted);
        assert_eq!(around("c()"), "");
    }

    #[test]
    fn a_macro_whose_expansion_has_not_all_that_it_matches_may_drop_its_input() {
        let check = |rules: &str, wanted: bool| {
            let text = format!("macro_rules! m {{ {rules} }}");
            let source = SourceText {
                path: base::ProjectPath::new("src/lib.rs").unwrap(),
                text: text.as_str().into(),
                places: std::cell::OnceCell::new(),
            };
            let found = ConditionalMacros::of(&[source]);
            assert_eq!(found.all.get("m").is_some_and(|it| it.leaves_out), wanted, "{rules}");
        };
        check("($($t:tt)*) => {};", true);
        check("(a { $($a:tt)* } b { $($b:tt)* }) => { $($b)* };", true);
        check("($i:item) => { $i }; (off $i:item) => {}", true);
        check("($($t:tt)*) => { $($t)* };", false);
        check(
            "(@count $x:tt $($rest:tt)*) => { 1 + m!(@count $($rest)*) }; (@count) => { 0 }",
            false,
        );
        check("($_unused:expr, $e:expr) => ($e)", false);
        check("($name:ident) => {}", false);
    }
}
