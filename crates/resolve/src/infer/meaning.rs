//! What a macro of the workspace makes of its arguments where that shows at a glance in its
//! definition: `tri!`, `ready!`, `pin!` and their like, whatever they are called.

use syntax::facts::{Expr, ExprId};

use super::Infer;
use super::body::At;
use super::ty::{Kind, Ty, Types};
use crate::{DefId, Symbol};

/// What a call of a macro is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// `match $e { Ok(it) => it, … }`: the value inside of the only argument.
    Unwraps,
    /// `let mut $x = Pin::new_unchecked(&mut $x)`: the variables are pinned from here on.
    Pins,
    /// Anything else.
    Other,
}

impl<'m> Infer<'m> {
    pub(super) fn meaning(&mut self, of: DefId) -> Meaning {
        if let Some(meaning) = self.meanings.get(&of) {
            return *meaning;
        }
        self.map.signature(&mut self.deps, of);
        let meaning = match self.map.facts(of) {
            Some((_, item, _)) => {
                let text = &self.map.source(self.map.def(of).file).text;
                let text = text.get(item.code_span.start..item.code_span.end);
                text.map_or(Meaning::Other, read)
            }
            None => Meaning::Other,
        };
        self.meanings.insert(of, meaning);
        meaning
    }

    /// What is inside of an `Ok`, `Some` or `Ready`.
    pub(super) fn payload(&mut self, ty: Ty) -> Ty {
        if self.is_open(ty) {
            self.settle();
        }
        let Kind::Adt(def, args) = self.kind(ty).clone() else { return Types::UNKNOWN };
        let lang = self.lang;
        if [lang.result, lang.option, lang.poll].contains(&Some(def)) {
            return args.first().copied().unwrap_or(Types::UNKNOWN);
        }
        Types::UNKNOWN
    }

    /// The variables among the arguments of a macro that pins, as they are afterwards.
    pub(super) fn pinned_locals(&mut self, at: &At<'m>, args: &[ExprId]) -> Vec<(Symbol, Ty)> {
        let mut pinned = Vec::new();
        for arg in args {
            let Some(Expr::Path(path)) = at.body.exprs.get(arg.idx()) else { continue };
            let path = self.facts_of(at.file).paths.get(path.idx());
            let Some([only]) = path.map(|path| path.segments.as_slice()) else { continue };
            let name = self.map.file_symbol(at.file, only.name);
            if let (Some(ty), Some(pin)) = (self.local(name), self.lang.pin) {
                let to = self.types.reference(ty);
                pinned.push((name, self.types.make(Kind::Adt(pin, std::rc::Rc::from([to])))));
            }
        }
        pinned
    }
}

/// Reads a definition.
fn read(definition: &str) -> Meaning {
    let text = squeezed(definition);
    let Some((_, body)) = text.split_once('{') else { return Meaning::Other };
    if unwraps(body) {
        return Meaning::Unwraps;
    }
    if pins(body) { Meaning::Pins } else { Meaning::Other }
}

/// `($e:expr)=>{match$e{…}};` and nothing else, with an arm that gives what is inside.
fn unwraps(body: &str) -> bool {
    let Some((matcher, rest)) = body.split_once("=>") else { return false };
    let Some(name) = matcher.strip_prefix("($").and_then(|it| it.split_once(":expr")) else {
        return false;
    };
    let (name, tail) = name;
    if !matches!(tail, ")" | "$(,)?)" | ",)") || !is_word(name) {
        return false;
    }
    let body = rest.trim_start_matches(['{', '(']);
    let arms = body.strip_prefix("match$").and_then(|it| it.strip_prefix(name));
    let Some(arms) = arms.and_then(|it| it.strip_prefix('{')) else { return false };
    // The end of the match must be the end of the definition.
    let mut depth = 1_usize;
    let end = arms.find(|ch: char| {
        match ch {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let Some((arms, behind)) = end.and_then(|end| arms.split_at_checked(end)) else {
        return false;
    };
    if !behind.chars().all(|ch| matches!(ch, '}' | ')' | ';')) {
        return false;
    }
    ["Ok(", "Some(", "Ready("].iter().any(|constructor| {
        arms.match_indices(constructor).any(|(at, _)| {
            let before = arms.get(..at).unwrap_or("");
            let begins = before.is_empty() || before.ends_with([':', ',', '}']);
            let rest = arms.get(at + constructor.len()..).unwrap_or("");
            let Some((inner, rest)) = rest.split_once(")=>") else { return false };
            let value = rest.split([',', '}']).next().unwrap_or(rest);
            begins && is_word(inner) && value == inner
        })
    })
}

/// `let mut $x = … Pin::new_unchecked(&mut $x)`.
fn pins(body: &str) -> bool {
    body.match_indices("letmut$").any(|(at, word)| {
        let rest = body.get(at + word.len()..).unwrap_or("");
        let Some((name, rest)) = rest.split_once('=') else { return false };
        let statement = rest.split(';').next().unwrap_or(rest);
        is_word(name) && statement.contains(&format!("Pin::new_unchecked(&mut${name})"))
    })
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|ch| ch.is_alphanumeric() || ch == '_')
}

/// Without white space and line comments.
fn squeezed(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.flat_map(str::chars).filter(|ch| !ch.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_that_unwrap_or_leave_are_known_by_their_definition() {
        let check = |text: &str, want| assert_eq!(read(text), want, "{text}");
        check(
            "macro_rules! tri { ($expr:expr) => { match $expr { Ok(val) => val, Err(err) => return Err(err), } }; }",
            Meaning::Unwraps,
        );
        check(
            "macro_rules! ready { ($e:expr $(,)?) => { match $e { $crate::Poll::Ready(t) => t, // x\n $crate::Poll::Pending => return $crate::Poll::Pending, } }; }",
            Meaning::Unwraps,
        );
        check(
            "macro_rules! t { ($e:expr) => { match $e { Ok(val) => Some(val), Err(_) => None } } }",
            Meaning::Other,
        );
        check(
            "macro_rules! t { ($e:expr) => { match $e { Ok(val) => val, Err(_) => return } .f() } }",
            Meaning::Other,
        );
        check(
            "macro_rules! t { ($e:expr) => { match $e { Ok(v) => v, Err(_) => return } }; ($e:expr, $f:expr) => { $f } }",
            Meaning::Other,
        );
    }

    #[test]
    fn macros_that_pin_their_variables_are_known_by_their_definition() {
        let text = "macro_rules! pin { ($($x:ident),*) => { $( let mut $x = $x; let mut $x = unsafe { $crate::Pin::new_unchecked(&mut $x) }; )* } }";
        assert_eq!(read(text), Meaning::Pins);
        let text = "macro_rules! pin { ($x:ident) => { let mut $x = f(&mut $x); } }";
        assert_eq!(read(text), Meaning::Other);
    }
}
