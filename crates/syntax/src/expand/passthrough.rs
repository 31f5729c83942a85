//! Macros that hand on the items they get, with a cfg in front.

use proc_macro2::{Delimiter, TokenTree};

use super::definition::{Arm, Kind, Place, is_ident, is_punct};
use super::known_arms;
use crate::attribute::cfg_predicate;

/// A macro whose calls stand for the items between their delimiters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passthrough {
    /// The predicate of the `#[cfg(…)]` that it puts before each item, canonical spelling.
    pub cfg: Option<String>,
    /// The call begins with `#![predicate]`, and the predicate is a cfg of each item too.
    pub takes_cfg: bool,
}

impl Passthrough {
    /// The predicate under which the items of a call exist. `call_tokens` are the tokens of the
    /// call, delimiters included.
    pub fn cfg_of(&self, call_tokens: &str) -> Option<String> {
        let mut attributes: Vec<String> = Vec::new();
        attributes.extend(self.cfg.iter().map(|it| format!("#[cfg({it})]")));
        if self.takes_cfg {
            let inner = call_tokens.get(1..).unwrap_or("").trim_start();
            let inner = inner.strip_prefix("#![").unwrap_or("");
            // The bracket that closes the attribute.
            let mut depth = 0_usize;
            let end = inner.find(|ch| match ch {
                ']' if depth == 0 => true,
                '[' | '(' => {
                    depth += 1;
                    false
                }
                ']' | ')' => {
                    depth = depth.saturating_sub(1);
                    false
                }
                _ => false,
            });
            attributes.extend(end.and_then(|it| inner.get(..it)).map(|it| format!("#[cfg({it})]")));
        }
        cfg_predicate(&attributes)
    }
}

/// What `definition` does to items, where all it does is to hand them on with attributes before
/// them: `($($item:item)*) => { $( #[cfg(…)] $item )* }`.
pub fn passthrough(definition: &str) -> Option<Passthrough> {
    let arms = known_arms(definition)?;
    let mut all = arms.iter().map(|arm| passed_on(arm, definition));
    let first = all.next()??;
    all.all(|it| it.as_ref() == Some(&first)).then_some(first)
}

fn passed_on(arm: &Arm, definition: &str) -> Option<Passthrough> {
    let vars = &arm.matcher.vars;
    let (item, cfg) = match arm.matcher.places.as_slice() {
        [Place::Begin { op: '*' | '+', .. }, Place::Var(item, kind), Place::Finish { .. }]
            if is_items(*kind) =>
        {
            (*item, None)
        }
        [
            Place::Tok(hash),
            Place::Tok(bang),
            Place::Open(Delimiter::Bracket),
            Place::Var(cfg, Kind::Meta),
            Place::Close,
            Place::Begin { op: '*' | '+', .. },
            Place::Var(item, kind),
            Place::Finish { .. },
        ] if is_items(*kind) && hash.is_op("#") && bang.is_op("!") => (*item, Some(*cfg)),
        _ => return None,
    };
    let item = &vars.get(item)?.0;
    let cfg = match cfg {
        Some(cfg) => Some(vars.get(cfg)?.0.as_str()),
        None => None,
    };
    let body: Vec<TokenTree> = arm.body.stream().into_iter().collect();
    let [dollar, TokenTree::Group(round), op] = body.as_slice() else { return None };
    if !is_punct(dollar, '$') || !(is_punct(op, '*') || is_punct(op, '+')) {
        return None;
    }
    let round: Vec<TokenTree> = round.stream().into_iter().collect();
    let (attributes, last) = round.split_at_checked(round.len().checked_sub(2)?)?;
    let [dollar, name] = last else { return None };
    if !is_punct(dollar, '$') || !is_ident(name, item) {
        return None;
    }
    let mut passed = Passthrough { cfg: None, takes_cfg: false };
    let mut own: Vec<String> = Vec::new();
    for attribute in attributes.chunks(2) {
        let [hash, TokenTree::Group(attribute)] = attribute else { return None };
        if !is_punct(hash, '#') || attribute.delimiter() != Delimiter::Bracket {
            return None;
        }
        let inner: Vec<TokenTree> = attribute.stream().into_iter().collect();
        let [word, TokenTree::Group(predicate)] = inner.as_slice() else { continue };
        if !is_ident(word, "cfg") {
            // An attribute macro may do anything.
            if !is_harmless(word) {
                return None;
            }
            continue;
        }
        let tokens: Vec<TokenTree> = predicate.stream().into_iter().collect();
        match (tokens.as_slice(), cfg) {
            ([dollar, name], Some(cfg)) if is_punct(dollar, '$') && is_ident(name, cfg) => {
                passed.takes_cfg = true;
            }
            _ => {
                let range = predicate.span_open().byte_range().end;
                let range = range..predicate.span_close().byte_range().start;
                let predicate = definition.get(range)?;
                if predicate.contains('$') {
                    return None;
                }
                own.push(format!("#[cfg({predicate})]"));
            }
        }
    }
    passed.cfg = cfg_predicate(&own);
    Some(passed)
}

fn is_items(kind: Kind) -> bool {
    matches!(kind, Kind::Item | Kind::Tt)
}

/// Attributes that leave the item as it is.
fn is_harmless(word: &TokenTree) -> bool {
    ["allow", "cfg_attr", "deny", "deprecated", "doc", "expect", "inline", "must_use", "warn"]
        .iter()
        .any(|it| is_ident(word, it))
}
