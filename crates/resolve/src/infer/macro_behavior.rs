//! Recognizes the effect of common macros from their definition: `tri!`, `ready!`, `pin!` and
//! similar ones under any name.

use syntax::facts::{Expr, ExprId};

use super::Infer;
use super::body::BodyCtx;
use super::ty::{Ty, TyKind, Types};
use crate::{DefId, Symbol};

/// The effect of a macro call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MacroBehavior {
    /// `match $e { Ok(it) => it, … }`: the payload of the only argument.
    Unwraps,
    /// `let mut $x = Pin::new_unchecked(&mut $x)`: the variables are pinned afterwards.
    Pins,
    /// Anything else.
    Other,
}

impl<'m> Infer<'m> {
    pub(super) fn macro_behavior(&mut self, of: DefId) -> MacroBehavior {
        if let Some(macro_behavior) = self.macro_behaviors.get(&of) {
            return *macro_behavior;
        }
        self.map.signature(&mut self.deps, of);
        let macro_behavior = match self.map.facts(of) {
            Some((_, item, _)) => {
                let text = &self.map.source(self.map.def(of).file).text;
                let text = text.get(item.code_span.start..item.code_span.end);
                text.map_or(MacroBehavior::Other, classify)
            }
            None => MacroBehavior::Other,
        };
        self.macro_behaviors.insert(of, macro_behavior);
        macro_behavior
    }

    /// The payload of an `Ok`, `Some` or `Ready`.
    pub(super) fn payload(&mut self, ty: Ty) -> Ty {
        if self.is_open(ty) {
            self.solve_obligations();
        }
        let TyKind::Adt(def, args) = self.kind(ty).clone() else { return Types::UNKNOWN };
        let lang = self.lang;
        if [lang.result, lang.option, lang.poll].contains(&Some(def)) {
            return args.first().copied().unwrap_or(Types::UNKNOWN);
        }
        Types::UNKNOWN
    }

    /// The variables among the arguments of a pinning macro, with their new types.
    pub(super) fn pinned_locals(&mut self, at: &BodyCtx<'m>, args: &[ExprId]) -> Vec<(Symbol, Ty)> {
        let mut pinned = Vec::new();
        for arg in args {
            let Some(Expr::Path(path)) = at.body.exprs.get(arg.idx()) else { continue };
            let path = self.facts_of(at.file).paths.get(path.idx());
            let Some([only]) = path.map(|path| path.segments.as_slice()) else { continue };
            let name = self.map.file_symbol(at.file, only.name);
            if let (Some(ty), Some(pin)) = (self.local(name), self.lang.pin) {
                let to = self.types.reference(ty);
                pinned.push((name, self.types.make(TyKind::Adt(pin, std::rc::Rc::from([to])))));
            }
        }
        pinned
    }
}

/// Classifies a definition.
fn classify(definition: &str) -> MacroBehavior {
    let text = squeezed(definition);
    let Some((_, body)) = text.split_once('{') else { return MacroBehavior::Other };
    if unwraps(body) {
        return MacroBehavior::Unwraps;
    }
    if pins(body) { MacroBehavior::Pins } else { MacroBehavior::Other }
}

/// Matches exactly `($e:expr)=>{match$e{…}};` with an arm that returns the payload.
fn unwraps(body: &str) -> bool {
    let Some((matcher, rest)) = body.split_once("=>") else { return false };
    let Some(name) = matcher.strip_prefix("($").and_then(|it| it.split_once(":expr")) else {
        return false;
    };
    let (name, tail) = name;
    if !matches!(tail, ")" | "$(,)?)" | ",)") || !is_identifier(name) {
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
    let Some((arms, rest)) = end.and_then(|end| arms.split_at_checked(end)) else {
        return false;
    };
    if !rest.chars().all(|ch| matches!(ch, '}' | ')' | ';')) {
        return false;
    }
    ["Ok(", "Some(", "Ready("].iter().any(|constructor| {
        arms.match_indices(constructor).any(|(at, _)| {
            let before = arms.get(..at).unwrap_or("");
            let begins = before.is_empty() || before.ends_with([':', ',', '}']);
            let rest = arms.get(at + constructor.len()..).unwrap_or("");
            let Some((inner, rest)) = rest.split_once(")=>") else { return false };
            let value = rest.split([',', '}']).next().unwrap_or(rest);
            begins && is_identifier(inner) && value == inner
        })
    })
}

/// Matches `let mut $x = … Pin::new_unchecked(&mut $x)`.
fn pins(body: &str) -> bool {
    body.match_indices("letmut$").any(|(at, found)| {
        let rest = body.get(at + found.len()..).unwrap_or("");
        let Some((name, rest)) = rest.split_once('=') else { return false };
        let statement = rest.split(';').next().unwrap_or(rest);
        is_identifier(name) && statement.contains(&format!("Pin::new_unchecked(&mut${name})"))
    })
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|ch| ch.is_alphanumeric() || ch == '_')
}

/// The text without white space and line comments.
fn squeezed(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.flat_map(str::chars).filter(|ch| !ch.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_that_unwrap_or_return_are_recognized() {
        let check = |text: &str, want| assert_eq!(classify(text), want, "{text}");
        check(
            "macro_rules! tri { ($expr:expr) => { match $expr { Ok(val) => val, Err(err) => return Err(err), } }; }",
            MacroBehavior::Unwraps,
        );
        check(
            "macro_rules! ready { ($e:expr $(,)?) => { match $e { $crate::Poll::Ready(t) => t, // x\n $crate::Poll::Obligation => return $crate::Poll::Obligation, } }; }",
            MacroBehavior::Unwraps,
        );
        check(
            "macro_rules! t { ($e:expr) => { match $e { Ok(val) => Some(val), Err(_) => None } } }",
            MacroBehavior::Other,
        );
        check(
            "macro_rules! t { ($e:expr) => { match $e { Ok(val) => val, Err(_) => return } .f() } }",
            MacroBehavior::Other,
        );
        check(
            "macro_rules! t { ($e:expr) => { match $e { Ok(v) => v, Err(_) => return } }; ($e:expr, $f:expr) => { $f } }",
            MacroBehavior::Other,
        );
    }

    #[test]
    fn macros_that_pin_their_variables_are_recognized() {
        let text = "macro_rules! pin { ($($x:ident),*) => { $( let mut $x = $x; let mut $x = unsafe { $crate::Pin::new_unchecked(&mut $x) }; )* } }";
        assert_eq!(classify(text), MacroBehavior::Pins);
        let text = "macro_rules! pin { ($x:ident) => { let mut $x = f(&mut $x); } }";
        assert_eq!(classify(text), MacroBehavior::Other);
    }
}
