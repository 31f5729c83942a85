//! The edits of the uses: calls, literals and patterns.

use edit::Splice;
use syntax::places::{DefinitionKind, Use, UseKind};

use super::fault::ReshapeFault;
use super::purity::{can_be_reordered, is_pure};
use super::view::{Examples, Piece, View, list_end};
use super::{Edit, ListEdit, ReshapePlan, Reshaping, obstacle};
use crate::list::{ElementList, with_field};
use crate::rename::Source;
use crate::{RenameSite, SiteRegion, SiteShape, SiteVerdict};

/// The argument for the parameter that [`Reshaping::counted`] adds.
const COUNTED: &str = "()";

/// Adds the edits of all uses in a file to the plan, and those that cannot follow.
pub(super) fn uses(of: &Reshaping, source: &Source, counted: bool, plan: &mut ReshapePlan) {
    let examples = Examples::of(source);
    let file = View::file(source);
    let uses = Uses { of, source, counted };
    let sites = of.uses.sites().iter().filter(|it| it.path == source.path && it.is_in());
    let sites = sites.filter(|it| {
        it.shape != SiteShape::Definition && it.region != SiteRegion::Link && !it.region.is_string()
    });
    let mut all: Vec<(usize, Token<'_>)> =
        sites.map(|it| (it.span.start, Token::Name(it))).collect();
    all.extend(uses.of_self().into_iter().map(|it| (it.name_span.start, Token::Own(it))));
    // The calls in the arguments of a call first: they move with the argument.
    all.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let mut splices: Vec<Splice> = Vec::new();
    for (at, token) in all {
        let found = match &token {
            Token::Name(site) => uses.site(site, &file, &examples, &splices),
            Token::Own(it) => uses.edit(&file, it, &splices).unwrap_or_else(|| Ok(Vec::new())),
        };
        match found {
            Ok(found) => {
                plan.uses += usize::from(!found.is_empty());
                if !found.is_empty() {
                    plan.changed.insert((source.path.clone(), at));
                }
                plan.has_examples |= !found.is_empty() && token.is_example();
                splices.retain(|inner| {
                    !found.iter().any(|it| !it.span.is_empty() && it.span.contains(inner.span))
                });
                splices.extend(found);
            }
            Err(fault) => plan.obstacles.push(obstacle(source, at, fault.to_string())),
        }
    }
    plan.splices.extend(splices.into_iter().map(|it| (source.path.clone(), it)));
}

/// Adds the places in quoted code that have the form of a definition or use and that no edit changes: the build of
/// the macro cannot contradict them.
pub(super) fn quoted(of: &Reshaping, plan: &mut ReshapePlan) {
    let is_field = matches!(of.edit, Edit::Field { .. });
    let is_list = matches!(of.edit, Edit::List(_));
    for site in of.uses.in_quotes() {
        let Some(source) = of.uses.source(&site.path) else { continue };
        let takes_list = match &site.shape {
            SiteShape::Generated { .. } => true,
            SiteShape::MethodCall { .. } => is_list,
            SiteShape::Bare { next, .. } | SiteShape::Qualified { next, .. } => {
                next == "(" && is_list || next == "{" && is_field
            }
            _ => false,
        };
        let rest = source.slice(site.span.start..source.text.len());
        let end = list_end(rest).map_or(site.span.end, |it| site.span.start + it);
        let is_edited = plan.splices.iter().any(|(path, it)| {
            *path == site.path && site.span.start <= it.span.start && it.span.end <= end
        });
        if takes_list && !is_edited {
            let found = obstacle(source, site.span.start, ReshapeFault::Quoted.to_string());
            plan.obstacles.retain(|it| (&it.path, it.line) != (&found.path, found.line));
            plan.obstacles.push(found);
        }
    }
}

/// What names the item.
enum Token<'a> {
    /// A token of its name.
    Name(&'a RenameSite),
    /// `Self` in an impl.
    Own(&'a Use),
}

impl Token<'_> {
    fn is_example(&self) -> bool {
        matches!(self, Self::Name(it) if it.region == SiteRegion::Example)
    }
}

struct Uses<'a> {
    of: &'a Reshaping,
    source: &'a Source,
    counted: bool,
}

impl Uses<'_> {
    /// The edits of one token of the name.
    fn site(
        &self,
        site: &RenameSite,
        file: &View<'_>,
        examples: &Examples,
        inner: &[Splice],
    ) -> Result<Vec<Splice>, ReshapeFault> {
        let at = site.span.start;
        let in_example = || examples.views().find_map(|view| Some((view.use_at(at)?, view)));
        let edits = match file.use_at(at) {
            Some(it) => self.edit(file, it, inner),
            None if site.region == SiteRegion::Example => {
                in_example().and_then(|(it, view)| self.edit(&view, it, &[]))
            }
            None => {
                Piece::at(self.source, at, site.region == SiteRegion::MacroBody).and_then(|piece| {
                    let view = piece.view();
                    self.edit(&view, view.use_at(at)?, &[])
                })
            }
        };
        match edits {
            Some(Err(_)) if site.verdict != SiteVerdict::Item => Ok(Vec::new()),
            Some(edits) => edits,
            // The compiler refuses what is left of one that is the item's after all.
            None if site.verdict != SiteVerdict::Item && site.region == SiteRegion::Code => {
                Ok(Vec::new())
            }
            None => self.without_list(site).map_or_else(|| Ok(Vec::new()), Err),
        }
    }

    /// Why a token that names the item without a list cannot stay as it is; `None` if it can.
    fn without_list(&self, site: &RenameSite) -> Option<ReshapeFault> {
        let (in_use, next) = match &site.shape {
            SiteShape::Bare { in_use, next } | SiteShape::Qualified { in_use, next, .. } => {
                (*in_use, next.as_str())
            }
            SiteShape::Generated { .. } => {
                return Some(ReshapeFault::Generated);
            }
            _ => (false, ""),
        };
        if in_use {
            let is_alias = next == "as";
            return is_alias.then_some(ReshapeFault::Renamed);
        }
        let before = self.source.text.get(..site.span.start).unwrap_or("").trim_end();
        match self.of.kind {
            DefinitionKind::Function if before.ends_with("fn") => {
                Some(ReshapeFault::DefinedInExample)
            }
            DefinitionKind::Function => Some(ReshapeFault::FunctionValue),
            DefinitionKind::Variant => Some(ReshapeFault::VariantValue),
            _ => None,
        }
    }

    /// `Self(…)` and `Self { … }` in the impls of a struct.
    fn of_self(&self) -> Vec<&Use> {
        if self.of.kind != DefinitionKind::Struct {
            return Vec::new();
        }
        let name = &self.of.uses.target().from;
        let definitions = &self.source.places.definitions;
        let is_own = |it: &&Use| {
            let around = definitions
                .iter()
                .filter(|of| of.kind == DefinitionKind::Function && of.span.contains(it.span));
            let mut owners = around.filter(|it| !it.owner.is_empty()).map(|it| &it.owner);
            it.name == "Self" && it.qualifier.is_empty() && owners.next_back() == Some(name)
        };
        self.source.places.uses.iter().filter(is_own).collect()
    }

    /// The edits of a use; `None` if it is no call, literal or pattern.
    /// `inner` are the edits so far, some of which may be inside of it.
    fn edit(
        &self,
        view: &View<'_>,
        it: &Use,
        inner: &[Splice],
    ) -> Option<Result<Vec<Splice>, ReshapeFault>> {
        let found = match &self.of.edit {
            Edit::List(edit) => match it.kind {
                UseKind::Call | UseKind::MethodCall => self.call(view, it, edit, inner),
                UseKind::TuplePattern => self.pattern(view, it, edit),
                _ => return None,
            },
            Edit::Field { name, value, .. } => match it.kind {
                UseKind::Literal | UseKind::RecordPattern if it.has_rest => Ok(Vec::new()),
                UseKind::Literal => {
                    let value = value.as_deref().unwrap_or_default();
                    Ok(vec![with_field(view.text, it, name, value)])
                }
                UseKind::RecordPattern => Ok(vec![with_field(view.text, it, name, "_")]),
                _ => return None,
            },
            Edit::Type { .. } => return None,
        };
        Some(found.and_then(|it| view.in_file(it).ok_or(ReshapeFault::NoPlace)))
    }

    fn call(
        &self,
        view: &View<'_>,
        it: &Use,
        edit: &ListEdit,
        inner: &[Splice],
    ) -> Result<Vec<Splice>, ReshapeFault> {
        // `Type::method(&value, …)` passes `self` as an argument.
        let offset = usize::from(self.of.has_receiver && it.kind == UseKind::Call);
        let expected = self.of.count + offset;
        if it.args.len() != expected {
            return Err(ReshapeFault::ArgumentCount { has: it.args.len(), wanted: expected });
        }
        let list = ElementList::of(view.text, it);
        let text = |at: usize| it.args.get(at).map_or("", |it| view.slice(it.span));
        match edit {
            ListEdit::Insert { at, value, .. } => {
                let value = value.as_deref().unwrap_or_default();
                Ok(vec![list.insert(at + offset, value)])
            }
            ListEdit::Remove { at } => match is_pure(text(at + offset)) {
                true => Ok(list.remove(at + offset).into_iter().collect()),
                false => Err(ReshapeFault::Impure(short(text(at + offset)))),
            },
            ListEdit::Order(order) => {
                let arguments: Vec<&str> =
                    it.args.iter().skip(offset).map(|it| view.slice(it.span)).collect();
                if !can_be_reordered(&arguments, order, &self.of.numbers) {
                    return Err(ReshapeFault::Order);
                }
                let order = after(offset, order);
                Ok(list.reorder(&order, inner, self.counted.then_some(COUNTED)))
            }
        }
    }

    fn pattern(
        &self,
        view: &View<'_>,
        it: &Use,
        edit: &ListEdit,
    ) -> Result<Vec<Splice>, ReshapeFault> {
        let list = ElementList::of(view.text, it);
        let rest = view.slice(it.list).trim_end_matches([')', ',']).trim_end();
        if it.has_rest && !rest.ends_with("..") {
            return Err(ReshapeFault::PatternRest);
        }
        match edit {
            ListEdit::Insert { at, .. } => match it.has_rest && *at >= it.args.len() {
                true => Ok(Vec::new()),
                false => Ok(vec![list.insert(*at, "_")]),
            },
            ListEdit::Remove { at } => Ok(list.remove(*at).into_iter().collect()),
            ListEdit::Order(_) => Ok(Vec::new()),
        }
    }
}

/// An order of elements after others that keep their place.
pub(super) fn after(offset: usize, order: &[usize]) -> Vec<usize> {
    (0..offset).chain(order.iter().map(|it| it + offset)).collect()
}

/// The first characters of a text on one line.
fn short(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
