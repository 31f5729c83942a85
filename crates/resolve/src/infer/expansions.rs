//! Macro calls in bodies: a call of a `macro_rules!` macro of the workspace is expanded, and the
//! expansion is walked like the code around it. An edge from a name in the definition is at the call.
//!
//! Expansions belong to one resolution of one file and are in no map. An expansion that cannot be read
//! with certainty, or whose names depend on hygiene, is not walked. Start at [`Infer::expansion_of`].

use std::cell::OnceCell;

use syntax::TokenSource;
use syntax::facts::{Expr, FileFacts, Name, Pat, Stmt};

use super::Infer;
use super::body::BodyCtx;
use super::lower::Cx;
use super::sites::CallTarget;
use super::ty::{Ty, Types};
use crate::defs::sym;
use crate::hash::FastMap;
use crate::{DefId, Existence, FileIdx, NameScope, Symbol};

/// The name of the function whose body an expansion is, and the text before it.
const BODY: &str = "expansion";
const BEFORE: &str = "fn expansion() {\n";
/// The first index of an expansion; those of the map's sources are smaller.
const FIRST: u32 = 1 << 31;
/// The maximum number of expansions of one file, and the bytes of their texts.
const MAX_EXPANSIONS: usize = 2_000;
const MAX_BYTES: usize = 4 << 20;
/// The maximum nesting of expansions.
const MAX_DEPTH: u32 = 8;

/// The storage of the expansions of one file: a list that only grows.
#[derive(Default)]
pub(crate) struct ExpansionArena {
    first: OnceCell<Box<Link>>,
}

struct Link {
    expansion: BodyExpansion,
    next: OnceCell<Box<Link>>,
}

impl Drop for ExpansionArena {
    /// Drops the list without recursion.
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(mut link) = next {
            next = link.next.take();
        }
    }
}

/// The expansion of a macro call in a body.
pub(super) struct BodyExpansion {
    pub(super) facts: FileFacts,
    text: String,
    symbols: Vec<Symbol>,
    origins: Vec<syntax::Origin>,
    /// The root of the crate that `$crate` means.
    dollar_crate: Option<DefId>,
    /// The source that contains the call, the offsets of its tokens and of the macro's name in it.
    file: FileIdx,
    tokens: u32,
    site: u32,
}

impl BodyExpansion {
    pub(super) fn symbol(&self, name: Name) -> Symbol {
        self.symbols.get(name.idx()).copied().unwrap_or(sym::DOLLAR_CRATE)
    }

    /// The text that a token was copied from, with its offset there.
    fn origin(&self, offset: u32) -> (TokenSource, u32) {
        let offset = offset.saturating_sub(BEFORE.len() as u32);
        let after = self.origins.partition_point(|it| it.start <= offset);
        let origin = after.checked_sub(1).and_then(|it| self.origins.get(it));
        match origin.filter(|it| offset - it.start < it.len) {
            Some(it) => (it.source, it.offset + (offset - it.start)),
            None => (TokenSource::Definition, 0),
        }
    }

    /// Whether a name of the call may mean a variable of the definition, or a variable that the
    /// expansion declares would be visible after it.
    fn depends_on_hygiene(&self) -> bool {
        let Some(body) = self.facts.bodies.first() else { return true };
        let bound = body.pats.iter().filter_map(|pat| match pat {
            Pat::Bind { name, offset, .. } if self.origin(*offset).0 == TokenSource::Definition => {
                Some(*name)
            }
            _ => None,
        });
        let bound: Vec<Name> = bound.collect();
        self.facts.paths.iter().any(|path| match path.segments.as_slice() {
            [only] => bound.contains(&only.name) && self.origin(only.offset).0 == TokenSource::Call,
            _ => false,
        })
    }
}

/// The expansions of one file so far.
pub(crate) struct Expansions<'m> {
    all: Vec<&'m BodyExpansion>,
    by_call: FastMap<(FileIdx, u32), Option<FileIdx>>,
    /// The end of the list.
    free: &'m OnceCell<Box<Link>>,
    bytes: usize,
}

impl<'m> Expansions<'m> {
    pub(super) fn new(arena: &'m ExpansionArena) -> Self {
        Self { all: Vec::new(), by_call: FastMap::default(), free: &arena.first, bytes: 0 }
    }

    /// Whether no call was expanded.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn get(&self, file: FileIdx) -> Option<&'m BodyExpansion> {
        self.all.get(file.0.checked_sub(FIRST)? as usize).copied()
    }

    fn add(&mut self, expansion: BodyExpansion) -> FileIdx {
        self.bytes += expansion.text.len();
        let next = OnceCell::new();
        let link = self.free.get_or_init(|| Box::new(Link { expansion, next }));
        self.all.push(&link.expansion);
        self.free = &link.next;
        FileIdx(FIRST + self.all.len() as u32 - 1)
    }
}

impl<'m> Infer<'m> {
    /// The symbol of a name in a source.
    pub(super) fn file_symbol(&self, file: FileIdx, name: Name) -> Symbol {
        match self.expansions.get(file) {
            Some(made) => made.symbol(name),
            None => self.map.file_symbol(file, name),
        }
    }

    /// The scope in which a path is resolved: of one that begins with `$crate` in an expansion the crate
    /// of the macro.
    pub(super) fn path_scope(&self, cx: &Cx, segments: &mut [Symbol]) -> NameScope {
        if let Some(made) = self.expansions.get(cx.file)
            && let Some(first) = segments.first_mut().filter(|it| **it == sym::DOLLAR_CRATE)
            && let Some(root) = made.dollar_crate
        {
            *first = sym::CRATE;
            return self.map.scope_of(root);
        }
        cx.scope
    }

    /// The expansion of a call of `of`, whose name is at `site` of the source; `None`: it is not
    /// certain.
    pub(super) fn expansion_of(
        &mut self,
        at: &BodyCtx<'m>,
        of: DefId,
        site: u32,
        tokens: (u32, u32),
    ) -> Option<FileIdx> {
        if self.body.expansion_depth >= MAX_DEPTH {
            return None;
        }
        if let Some(known) = self.expansions.by_call.get(&(at.file, tokens.0)) {
            return *known;
        }
        let is_full =
            self.expansions.all.len() >= MAX_EXPANSIONS || self.expansions.bytes > MAX_BYTES;
        let made = if is_full { None } else { self.expand_call(at.file, of, site, tokens) };
        let made = made.map(|made| self.expansions.add(made));
        self.expansions.by_call.insert((at.file, tokens.0), made);
        made
    }

    fn expand_call(
        &mut self,
        file: FileIdx,
        of: DefId,
        site: u32,
        tokens: (u32, u32),
    ) -> Option<BodyExpansion> {
        self.map.signature(&mut self.deps, of);
        let def = self.map.def(of);
        if def.existence != Existence::Sure || !def.is_active {
            return None;
        }
        let source = self.map.source(def.file);
        let (_, item, _) = self.map.facts(of)?;
        let definition = source.text.get(item.code_span.start..item.code_span.end)?;
        let text = match self.expansions.get(file) {
            Some(made) => made.text.as_str(),
            None => &self.map.source(file).text,
        };
        let call = text.get(tokens.0 as usize..tokens.1 as usize)?;
        let expansion = syntax::expand(definition, call)?;
        let text = format!("{BEFORE}{}\n}}", expansion.text);
        let facts = syntax::read_made(&text);
        let is_whole = facts.file.parse_errors.is_empty()
            && facts.bodies.first().is_some_and(|body| body.item == 0)
            && facts.file.items.iter().skip(1).all(|item| item.parent.is_some());
        if !is_whole {
            return None;
        }
        // Names of the definition and of the call are symbols; only that of the body around is not.
        let own = |name: &str| (name == BODY).then_some(sym::DOLLAR_CRATE);
        let symbol = |name: &str| self.map.symbol(name).or_else(|| own(name));
        let symbols = facts.names.iter().map(|it| symbol(it)).collect::<Option<_>>()?;
        let made = BodyExpansion {
            facts,
            text,
            symbols,
            origins: expansion.origins,
            dollar_crate: self.map.dollar_crate_root(of),
            file,
            tokens: tokens.0,
            site,
        };
        (!made.depends_on_hygiene()).then_some(made)
    }

    /// Walks an expansion in the place of its call; returns the type of its value.
    pub(super) fn walk_expansion(
        &mut self,
        at: &BodyCtx<'m>,
        file: FileIdx,
        expected: Option<Ty>,
    ) -> Ty {
        let Some(body) = self.expansions.get(file).and_then(|made| made.facts.bodies.first())
        else {
            return Types::UNKNOWN;
        };
        let inner = BodyCtx { file, number: 0, body, def: at.def, scope: at.scope };
        let outer = self.body.at.replace(inner);
        let done = std::mem::replace(&mut self.body.done, vec![None; body.exprs.len()]);
        let too_deep = std::mem::take(&mut self.body.too_deep);
        let mark = self.body.locals.len();
        let outer_locals = std::mem::replace(&mut self.body.outer_locals, mark);
        self.body.expansion_depth += 1;
        let ty = self.expr(body.root, expected);
        let is_incomplete = !self.body.too_deep.is_empty()
            || body.exprs.iter().any(|expr| match expr {
                Expr::Block(_, stmts, _) => stmts.iter().any(|it| matches!(it, Stmt::Item(_))),
                _ => false,
            });
        if is_incomplete {
            // Items in an expansion are not in the map.
            let site = self.call_site(0, sym::DOLLAR_CRATE, false, CallTarget::Unread);
            self.push_call_site(site);
        }
        self.body.expansion_depth -= 1;
        self.body.outer_locals = outer_locals;
        self.body.locals.truncate(mark);
        self.body.too_deep = too_deep;
        self.body.done = done;
        self.body.at = outer;
        ty
    }

    /// The offset in the current source of an offset in the text that is walked: in an expansion the
    /// token's own in the call, or the call's, with the text that it was copied from.
    pub(super) fn position(&self, offset: u32) -> (u32, Option<TokenSource>) {
        let Some(at) = self.body.at else { return (offset, None) };
        let (mut file, mut offset, mut copied_from) = (at.file, offset, None);
        // Terminates: a call is in a source that was added earlier.
        while let Some(made) = self.expansions.get(file) {
            let (source, inside) = made.origin(offset);
            offset = match source {
                TokenSource::Call => made.tokens + inside,
                TokenSource::Definition => made.site,
            };
            if copied_from != Some(TokenSource::Definition) {
                copied_from = Some(source);
            }
            file = made.file;
        }
        (offset, copied_from)
    }

    /// The variable that a name at an offset means. A name of a macro's definition means no variable
    /// outside the expansion.
    pub(super) fn local_at(&self, name: Symbol, offset: u32) -> Option<Ty> {
        let made = self.body.at.and_then(|at| self.expansions.get(at.file));
        let from = match made.map(|made| made.origin(offset).0) {
            Some(TokenSource::Definition) => self.body.outer_locals,
            _ => 0,
        };
        let visible = self.body.locals.get(from..).unwrap_or_default();
        visible.iter().rev().find(|(of, _)| *of == name).map(|(_, ty)| *ty)
    }
}
