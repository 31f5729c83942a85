//! Macro calls and attributes: brackets whose tokens are mostly passed over.

use super::{Mark, Parser, Step, T};
use crate::lexer::sign_len;
use crate::tree::{Field, Kind};

impl Parser<'_> {
    /// Whether `!` and a bracket come next.
    pub(super) fn is_macro_call(&self, ahead: usize) -> bool {
        self.nth(ahead) == T::Bang && self.nth(ahead + 1).is_open()
    }

    /// `!(…)` behind the path that was just read.
    pub(super) fn macro_call(&mut self, mark: Mark) -> Step {
        if !matches!(self.last(), Kind::Identifier | Kind::ScopedIdentifier) {
            return None;
        }
        self.field(Field::Macro);
        self.sign(1, Kind::Bang);
        let tree = self.mark();
        self.token_tree()?;
        self.close(tree, Kind::TokenTree);
        self.close(mark, Kind::MacroInvocation);
        Some(())
    }

    /// The brackets of a call, and what stands in them where that is read as it stands: single
    /// words. The parser of the grammar gets no other tokens either ([`crate::compact`]).
    fn token_tree(&mut self) -> Step {
        let mate = self.token(0).mate as usize;
        if !self.is_kept(mate) {
            self.sign(1, Kind::Open);
            self.pass_to(mate);
            self.sign(1, Kind::Close);
            return Some(());
        }
        self.sign(1, Kind::Open);
        while self.at < mate {
            self.word_in_call()?;
        }
        self.sign(1, Kind::Close);
        Some(())
    }

    /// Whether nothing but words and commas stands in brackets, or nothing but signs and keywords.
    pub(super) fn is_kept(&self, mate: usize) -> bool {
        let (mut is_plain, mut is_bare) = (true, true);
        let mut at = self.at + 1;
        while at < mate {
            let ahead = at - self.at;
            match self.nth(ahead) {
                T::Metavariable => (is_plain, is_bare) = (false, false),
                T::Comma => {}
                T::Float if self.has_plus(ahead) => return false,
                T::Dot | T::Minus => at += self.signs(ahead) - 1,
                kind if kind.is_open() => return false,
                kind if kind.is_word() => is_bare &= self.is_bare_word(at, kind),
                _ => is_plain = false,
            }
            at += 1;
        }
        is_plain || is_bare
    }

    /// Whether a number has a sign in it: `1e+5`.
    fn has_plus(&self, ahead: usize) -> bool {
        let token = self.token(ahead);
        let number = self.text.get(token.start as usize..token.end as usize);
        number.is_some_and(|it| it.contains(&b'+'))
    }

    /// Of how many signs one is made that begins with a point or a minus: `..=`, `->`.
    fn signs(&self, ahead: usize) -> usize {
        let joint = |ahead: usize, kind: T| self.nth(ahead + 1) == kind && self.is_joint(ahead);
        match self.nth(ahead) {
            T::Dot if joint(ahead, T::Dot) => {
                2 + usize::from(joint(ahead + 1, T::Dot) || joint(ahead + 1, T::Equal))
            }
            T::Minus if joint(ahead, T::Equal) || joint(ahead, T::Greater) => 2,
            _ => 1,
        }
    }

    /// A keyword, as [`crate::compact`] counts them.
    fn is_bare_word(&self, at: usize, kind: T) -> bool {
        match kind {
            T::Name => {
                let word = self.tokens.get(at);
                let word = word.and_then(|it| self.text.get(it.start as usize..it.end as usize));
                matches!(word, Some(b"box" | b"do" | b"gen" | b"raw"))
            }
            T::Under | T::Prim | T::Metavariable | T::Lifetime => false,
            T::Crate | T::SelfWord | T::Super | T::Try => false,
            kind => !kind.is_literal(),
        }
    }

    /// One token of a call whose tokens are kept.
    fn word_in_call(&mut self) -> Step {
        match self.kind() {
            kind if kind.is_literal() => self.literal()?,
            T::Mut => self.leaf(Kind::MutableSpecifier),
            T::SelfWord => self.leaf(Kind::SelfWord),
            T::Super => self.leaf(Kind::SuperWord),
            T::Crate => self.leaf(Kind::CrateWord),
            T::Prim => self.leaf(Kind::PrimitiveType),
            T::Under => self.sign(1, Kind::Underscore),
            T::Name => {
                if self.is_word(0, "union") {
                    self.sign(1, Kind::Union);
                } else if self.is_word(0, "default") || self.is_word(0, "gen") {
                    self.sign(1, Kind::Other);
                } else {
                    self.leaf(Kind::Identifier);
                }
            }
            T::Comma => self.sign(1, Kind::Comma),
            T::Fn => self.sign(1, Kind::Fn),
            T::Struct => self.sign(1, Kind::Struct),
            T::Enum => self.sign(1, Kind::Enum),
            T::Trait => self.sign(1, Kind::Trait),
            T::Mod => self.sign(1, Kind::Mod),
            T::Type => self.sign(1, Kind::Type),
            T::Static => self.sign(1, Kind::Static),
            T::Async => self.sign(1, Kind::Async),
            T::Let => self.sign(1, Kind::Let),
            T::If => self.sign(1, Kind::If),
            T::As
            | T::Await
            | T::Break
            | T::Const
            | T::Continue
            | T::For
            | T::Impl
            | T::Loop
            | T::Match
            | T::Pub
            | T::Return
            | T::Unsafe
            | T::Use
            | T::Where
            | T::While => {
                self.sign(1, Kind::Other);
            }
            T::Dyn | T::Else | T::Extern | T::In | T::Move | T::Ref | T::Try | T::Yield => {
                self.leaf(Kind::Identifier);
            }
            T::Minus => {
                let signs = self.signs(0);
                self.sign(signs, if signs == 1 { Kind::Minus } else { Kind::Other });
            }
            T::Dot => {
                let signs = self.signs(0);
                // Numbers with points are cut otherwise here.
                let has_point = self.nth(1) == T::Int && self.nth(2) == T::Dot && self.is_joint(1);
                if signs == 1 && (has_point || self.nth(1) == T::Float) {
                    return None;
                }
                self.sign(signs, if signs == 1 { Kind::Dot } else { Kind::Dots });
            }
            kind if kind.is_plain_sign() => {
                let start = self.token(0).start as usize;
                let sign = |ahead: usize| self.text.get(start + ahead).copied().unwrap_or(0);
                let signs = sign_len([sign(0), sign(1), sign(2)]);
                let kind = match self.text.get(start..start + signs) {
                    Some(b"!") => Kind::Bang,
                    Some(b"&") => Kind::And,
                    Some(b"*") => Kind::Star,
                    Some(b"=") => Kind::Equal,
                    Some(b"=>") => Kind::FatArrow,
                    Some(b"::") => Kind::PathSep,
                    Some(b";") => Kind::Semicolon,
                    _ => Kind::Other,
                };
                self.sign(signs, kind);
            }
            // Quotes stand by themselves here.
            _ => return None,
        }
        Some(())
    }

    /// `#[…]`, `#![…]`.
    pub(super) fn attribute(&mut self, is_inner: bool) -> Step {
        let open = 1 + usize::from(is_inner);
        if self.nth(open) != T::OpenBracket || is_inner && self.nth(1) != T::Bang {
            return None;
        }
        let mate = self.token(open).mate as usize;
        let mut ahead = open + 1;
        loop {
            let is_word = self.nth(ahead).is_word() && !self.nth(ahead).is_literal();
            if !is_word || self.nth(ahead) == T::Lifetime {
                return None;
            }
            ahead += 1;
            if !self.is_path_sep(ahead) {
                break;
            }
            ahead += 2;
        }
        if self.nth(ahead) == T::Equal {
            ahead += 1;
            if self.nth(ahead).is_literal() {
                ahead += 1;
            } else if self.nth(ahead) == T::Name && self.is_macro_call(ahead + 1) {
                ahead = self.token(ahead + 2).mate as usize + 1 - self.at;
            }
        } else if self.nth(ahead).is_open() {
            ahead = self.token(ahead).mate as usize + 1 - self.at;
        }
        if self.at + ahead != mate {
            return None;
        }
        let kind = if is_inner { Kind::InnerAttributeItem } else { Kind::AttributeItem };
        self.whole(mate + 1, kind);
        Some(())
    }
}
