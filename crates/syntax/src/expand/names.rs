//! The names in the bodies of a macro's arms, read from the tokens alone: no call is needed.

use crate::tokens::{Kind, Token, Tokens};

/// A path or a method call in the body of a macro's arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroName {
    /// Segments as written, `$crate` among them; of a method call its name alone.
    pub segments: Vec<String>,
    /// Offset of the last segment in the definition.
    pub offset: usize,
    /// Syntax around the name.
    pub role: MacroNameRole,
}

/// The syntax around a name in a macro's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacroNameRole {
    /// `path(…)`.
    Call,
    /// `path!…`.
    MacroCall,
    /// `receiver.name(…)`.
    Method,
    /// A path that is not called.
    Path,
}

/// The paths and method calls in the bodies of a definition's arms, in the order of the text.
/// Metavariables, fields and what a matcher contains are no names.
pub fn macro_names(definition: &str) -> Vec<MacroName> {
    let tokens = Tokens::of(definition, 0).list;
    let mut names = Vec::new();
    for (from, to) in arm_bodies(&tokens) {
        let body = tokens.get(from..to).unwrap_or_default();
        let mut at = 0;
        while at < body.len() {
            let (name, next) = name_at(definition, body, at);
            names.extend(name);
            at = next;
        }
    }
    names
}

/// The tokens between the delimiters of each body: behind `=>` one level inside the definition, or of
/// a `macro` without arms its last group.
fn arm_bodies(tokens: &[Token]) -> Vec<(usize, usize)> {
    let mut bodies = Vec::new();
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut last = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::L_PAREN | Kind::L_BRACK | Kind::L_CURLY => {
                let is_body = open.len() == 1
                    && at >= 2
                    && tokens[at - 2].kind == Kind::EQ
                    && tokens[at - 1].kind == Kind::R_ANGLE;
                open.push((at + 1, is_body));
            }
            Kind::R_PAREN | Kind::R_BRACK | Kind::R_CURLY => match open.pop() {
                Some((from, true)) => bodies.push((from, at)),
                Some((from, false)) if open.is_empty() => last = Some((from, at)),
                _ => {}
            },
            _ => {}
        }
    }
    if bodies.is_empty() {
        bodies.extend(last);
    }
    bodies
}

/// The name that begins at a token, and the token to continue at.
fn name_at(text: &str, body: &[Token], at: usize) -> (Option<MacroName>, usize) {
    let kind = |at: usize| body.get(at).map(|it| it.kind);
    let before = at.checked_sub(1).and_then(kind);
    let mut next;
    let mut segments: Vec<String> = Vec::new();
    if kind(at) == Some(Kind::DOLLAR) {
        if kind(at + 1) != Some(Kind::CRATE_KW) {
            return (None, at + 2);
        }
        segments.push("$crate".to_owned());
        next = at + 2;
    } else if let Some(token) = body.get(at).filter(|it| is_segment(it.kind)) {
        segments.push(spelled(text, token));
        next = at + 1;
    } else {
        return (None, at + 1);
    }
    while kind(next) == Some(Kind::COLON)
        && kind(next + 1) == Some(Kind::COLON)
        && let Some(token) = body.get(next + 2).filter(|it| is_segment(it.kind))
    {
        segments.push(spelled(text, token));
        next += 3;
    }
    let is_member =
        before == Some(Kind::DOT) && at.checked_sub(2).and_then(kind) != Some(Kind::DOT);
    let role = match kind(next) {
        Some(Kind::L_PAREN) if is_member => MacroNameRole::Method,
        Some(Kind::COLON) if is_member && kind(next + 2) == Some(Kind::L_ANGLE) => {
            MacroNameRole::Method
        }
        _ if is_member || is_declaration(before) => return (None, next),
        Some(Kind::L_PAREN) => MacroNameRole::Call,
        Some(Kind::COLON) if kind(next + 2) == Some(Kind::L_ANGLE) => MacroNameRole::Call,
        Some(Kind::BANG) if kind(next + 1) != Some(Kind::EQ) => MacroNameRole::MacroCall,
        _ => MacroNameRole::Path,
    };
    let offset = body.get(next - 1).map_or(0, |it| it.start as usize);
    (Some(MacroName { segments, offset, role }), next)
}

fn is_segment(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::IDENT | Kind::CRATE_KW | Kind::SELF_KW | Kind::SUPER_KW | Kind::SELF_TYPE_KW
    )
}

/// Whether a name behind the token declares something.
fn is_declaration(before: Option<Kind>) -> bool {
    matches!(
        before,
        Some(
            Kind::LET_KW
                | Kind::MUT_KW
                | Kind::FN_KW
                | Kind::STRUCT_KW
                | Kind::ENUM_KW
                | Kind::TRAIT_KW
                | Kind::MOD_KW
                | Kind::CONST_KW
                | Kind::STATIC_KW
                | Kind::TYPE_KW
                | Kind::COLON
        )
    )
}

/// The name that a token spells, without `r#`.
fn spelled(text: &str, token: &Token) -> String {
    let word = text.get(token.start as usize..token.end as usize).unwrap_or("");
    word.strip_prefix("r#").unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(definition: &str) -> Vec<String> {
        let names = macro_names(definition);
        names.iter().map(|it| format!("{:?} {}", it.role, it.segments.join("::"))).collect()
    }

    #[test]
    fn paths_and_methods_of_bodies_are_names() {
        let text = "macro_rules! plus { ($e:expr, by $x:ident) => {{ let v = $e + $crate::BASE; \
                    $crate::ten(v); other(); m::say!(\"{v}\"); $e.poke(v.field); Foo::<u8>::new() }}; }";
        let want = [
            "Path $crate::BASE",
            "Call $crate::ten",
            "Path v",
            "Call other",
            "MacroCall m::say",
            "Method poke",
            "Path v",
            "Call Foo",
            "Call new",
        ];
        let found = shown(text);
        let found: Vec<_> = found.iter().filter(|it| want.contains(&it.as_str())).collect();
        assert_eq!(found.len(), want.len() - 1, "{found:?}");
    }

    #[test]
    fn a_macro_without_arms_has_one_body() {
        assert_eq!(shown("pub macro inner($x:expr) { probe($x) }"), ["Call probe"]);
        assert_eq!(
            shown("macro both { () => { a() }, ($x:expr) => { b::c() } }"),
            ["Call a", "Call b::c"]
        );
        assert_eq!(shown("macro_rules! m { (a => b) => { c } }"), ["Path c"]);
        assert!(shown("macro_rules! m {").is_empty());
    }
}
