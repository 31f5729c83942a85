//! The edits of all uses, of the imports and of the definition.

use std::cell::RefCell;

use base::{ByteSpan, LineIndex, SortedMap};
use edit::{Splice, TextEdit};
use preserve::outline::{Token, TokenKind, tokens};
use syntax::places::{Definition, DefinitionKind, Use, UseKind};

use super::block::{Around, Code};
use super::call::{Call, Context, Style, inlined, local_type};
use super::callee::parameter_type;
use super::capture::captured;
use super::context::{context, is_reference, known_type, label, leaves_alike};
use super::expression::needs_type;
use super::fault::InlineFault;
use super::function::{InlineFunction, has_question, impl_at, impl_generics, removal};
use super::question::Certain;
use super::site::{around, path_span};
use super::{InlinePlan, Inlining, value};
use crate::relocate::{Modules, indent_of, left_import_spans, replaced};
use crate::rename::Source;
use crate::use_item::without_imports;
use crate::{Obstacle, RenameSite, SiteKey, SiteRegion, SiteShape, SiteVerdict};

/// What a token of the name means for the plan.
enum Role {
    Nothing,
    /// It may be a use.
    Doubt,
    /// Documentation.
    Mention,
    Import,
    /// A use that cannot follow, with the reason.
    Fixed(&'static str),
    Use,
}

/// Edits of one file, which may contain each other: the inner ones are part of the outer text.
type Edits = Vec<Splice>;

/// The edits; with [`Style::Asked`] those of the questions, with the calls that ask.
pub(super) fn plan(of: &Inlining, style: Style) -> (InlinePlan, Vec<SiteKey>) {
    let mut plan = InlinePlan::default();
    let asked = RefCell::default();
    let Some((home, definition)) = of.definition() else { return (plan, Vec::new()) };
    let uses = Uses { of, home, definition, style, asked };
    for source in of.uses.sources() {
        uses.file(source, &mut plan);
    }
    plan.splices.sort_by(|(a, x), (b, y)| (a, x.span).cmp(&(b, y.span)));
    plan.obstacles.sort();
    plan.obstacles.dedup();
    plan.doubts.dedup();
    plan.mentions.dedup();
    (plan, uses.asked.into_inner())
}

pub(super) struct Uses<'a> {
    pub(super) of: &'a Inlining,
    pub(super) home: &'a Source,
    pub(super) definition: &'a Definition,
    style: Style,
    /// The calls that ask for the types of their values.
    asked: RefCell<Vec<SiteKey>>,
}

impl Uses<'_> {
    fn file(&self, source: &Source, plan: &mut InlinePlan) {
        let list = tokens(&source.text);
        let lines = LineIndex::new(&source.text);
        let mut edits: Edits = Vec::new();
        let mut imports = Vec::new();
        for site in self.sites(source) {
            let (path, line) = (source.path.clone(), lines.line_of(site.span.start));
            let obstacle = |fault: InlineFault| Obstacle {
                path: path.clone(),
                line,
                reason: fault.to_string(),
            };
            match self.role(site) {
                Role::Nothing => {}
                Role::Doubt => plan.doubts.push((path, line)),
                Role::Mention => plan.mentions.push((path, line)),
                Role::Import => imports.push(site.span),
                Role::Fixed(reason) => plan.obstacles.push(obstacle(InlineFault::Fixed(reason))),
                Role::Use => match self.edit(source, &list, site, &edits) {
                    Ok(splice) => {
                        plan.uses += 1;
                        edits.retain(|it| !splice.span.contains(it.span));
                        edits.push(splice);
                    }
                    Err(fault) => plan.obstacles.push(obstacle(fault)),
                },
            }
        }
        if !self.of.keeps() {
            if source.path == self.home.path {
                edits.extend(removal(self.home, self.definition));
            }
            // Imports that only the definition needed.
            let now = TextEdit::new(&source.text, &edits).ok();
            let now = now.and_then(|it| it.apply(&source.text));
            imports.extend(now.iter().flat_map(|now| left_import_spans(&source.text, now)));
            edits.extend(without_imports(&source.text, imports));
        }
        plan.splices.extend(edits.into_iter().map(|it| (source.path.clone(), it)));
    }

    /// What a token of the name means for the plan.
    fn role(&self, site: &RenameSite) -> Role {
        match self.verdict(site) {
            None => return Role::Nothing,
            Some(false) => return Role::Doubt,
            Some(true) => {}
        }
        match site.region {
            SiteRegion::Link => return Role::Mention,
            SiteRegion::Example if self.of.keeps() => return Role::Nothing,
            SiteRegion::Example => return Role::Fixed("an example uses it"),
            SiteRegion::MacroBody => return Role::Fixed("a macro's body uses it"),
            SiteRegion::Code => {}
            _ => return Role::Fixed("a string names it"),
        }
        match &site.shape {
            SiteShape::Bare { in_use: true, next }
            | SiteShape::Qualified { in_use: true, next, .. } => match next.as_str() {
                "as" => Role::Fixed("it is imported under another name"),
                _ => Role::Import,
            },
            _ => Role::Use,
        }
    }

    /// The tokens of the name besides the definition, inner calls before the calls around them.
    fn sites<'s>(&'s self, source: &Source) -> Vec<&'s RenameSite> {
        let all = self.of.uses.sites().iter().filter(|it| it.path == source.path);
        let own = source.path == self.home.path;
        let mut found: Vec<&RenameSite> = all
            .filter(|it| it.shape != SiteShape::Definition)
            .filter(|it| !(own && self.definition.span.contains(it.span)))
            .collect();
        let extent = |site: &RenameSite| use_at(source, site).map_or(0, |it| it.span.len());
        found.sort_by_key(|it| (extent(it), it.span.start));
        found
    }

    /// Whether a token is a use; `Some(false)` if that is not known.
    fn verdict(&self, site: &RenameSite) -> Option<bool> {
        let is_listed = self.of.listed.as_ref().map(|it| it.contains(&site.key()));
        match (site.verdict, is_listed) {
            (SiteVerdict::Other, _) => None,
            _ if site.region != SiteRegion::Code => site.is_in().then_some(true),
            (SiteVerdict::Item, _) | (_, Some(true)) => Some(true),
            (SiteVerdict::Likely, None) => Some(true),
            _ => site.shape.is_use_of(self.of.uses.target().kind).then_some(false),
        }
    }

    fn edit(
        &self,
        source: &Source,
        list: &[Token<'_>],
        site: &RenameSite,
        inner: &Edits,
    ) -> Result<Splice, InlineFault> {
        match self.definition.kind {
            DefinitionKind::Function => self.call(source, list, site, inner),
            _ => self.value(source, list, site),
        }
    }

    /// A text of the definition, with names that mean the same at the use.
    pub(super) fn moved_text(
        &self,
        text: &str,
        source: &Source,
        at: usize,
    ) -> Result<String, InlineFault> {
        let from = (self.home.path.clone(), self.definition.name_span.start);
        let edits = self.of.modules.name_edits(text, &from, &(source.path.clone(), at))?;
        let mut free = Modules::free_names(text);
        free.retain(|it| !self.generics().contains(it));
        if let Some(name) = captured(source, at, &free) {
            return Err(InlineFault::Captured(name.to_owned()));
        }
        Ok(replaced(text, &edits))
    }

    /// The generic types of the function and of its impl.
    fn generics(&self) -> Vec<String> {
        let text = self.home.slice(self.definition.span.start..self.definition.span.end);
        let own = InlineFunction::read(text).map_or_else(Vec::new, |it| it.generics);
        let of = impl_at(&self.home.text, self.definition.span.start);
        own.into_iter().chain(of.iter().flat_map(impl_generics)).collect()
    }

    fn value(
        &self,
        source: &Source,
        list: &[Token<'_>],
        site: &RenameSite,
    ) -> Result<Splice, InlineFault> {
        let at = site.span.start;
        let text = value::text(self.home, self.definition)?;
        let text = self.moved_text(&text, source, at)?;
        if let SiteShape::FieldInit { is_shorthand: true, .. } = site.shape {
            let name = &self.definition.name;
            return Ok(Splice { span: site.span, insert: format!("{name}: {text}") });
        }
        let span = path_span(list, site.span).ok_or(InlineFault::UnusualPath)?;
        let around = around(list, span);
        let is_type = self.definition.kind == DefinitionKind::TypeAlias;
        let is_path = tokens(&text).iter().all(|it| it.kind == TokenKind::Word || it.is("::"));
        if is_type && around.after == "::" && !is_path {
            return Ok(Splice { span, insert: format!("<{text}>") });
        }
        if is_type && !is_path && matches!(around.after, "{" | "(") && around.before != ">" {
            let is_body = matches!(around.before, "->" | "for");
            if !is_body {
                return Err(InlineFault::Constructor);
            }
        }
        let needs = matches!((around.before, around.after), ("&" | "*" | "mut", _) | (_, "+"))
            && text.starts_with("dyn ")
            || !is_type && text.starts_with('-') && (around.after == "." || around.after == "as");
        Ok(Splice { span, insert: if needs { format!("({text})") } else { text } })
    }

    fn call(
        &self,
        source: &Source,
        list: &[Token<'_>],
        site: &RenameSite,
        inner: &Edits,
    ) -> Result<Splice, InlineFault> {
        let at = site.span.start;
        let used = use_at(source, site);
        let Some(used) = used.filter(|it| matches!(it.kind, UseKind::Call | UseKind::MethodCall))
        else {
            return Err(InlineFault::UsedAsValue);
        };
        let text = self.home.slice(self.definition.span.start..self.definition.span.end);
        let text = self.moved_text(text, source, at)?;
        let function = InlineFunction::read(&text).ok_or(InlineFault::Unread)?;
        if used.kind == UseKind::MethodCall && function.receiver.is_none() {
            return Err(InlineFault::NoMethod);
        }
        if source.text.get(site.span.end..).is_some_and(|it| it.starts_with("::<")) {
            return Err(InlineFault::GenericArguments);
        }
        let (receiver, arguments) = passed(source, list, used, &function, inner)?;
        let is_path = used.kind == UseKind::Call;
        let scope = self.scope(source, at, receiver.as_deref(), &function)?;
        // The path of a method call begins with its receiver, that of a call with its qualifier.
        let path = if is_path { path_span(list, site.span) } else { None };
        let start = path.map_or(used.span.start, |it| it.start);
        if is_path && path.is_none() {
            return Err(InlineFault::UnusualPath);
        }
        let span = ByteSpan::new(start, used.list.end);
        let around = around(list, span);
        if has_question(&function.body) && !leaves_alike(source, at, around, &function) {
            return Err(InlineFault::QuestionReturns);
        }
        let label = label(&source.text);
        let known = |name: &str| known_type(source, at, name);
        let parameter = |path: &[&str], index: usize| {
            parameter_type(self.of.uses.sources(), self.home, path, index)
        };
        let context = context(source, list, span, &function);
        let receiver_name = receiver.clone().unwrap_or_default();
        let certain = Certain::default();
        let call = Call {
            is_reference: is_reference(source, at, &receiver_name),
            receiver,
            is_path,
            is_own_self: scope.is_own_self,
            arguments,
            foreign: scope.foreign.iter().chain(&function.generics).cloned().collect(),
            own: scope.own,
            around,
            indent: indent_of(&source.text, span.start),
            label: &label,
            style: Style::Lean,
            certain: self.of.certain.get(&site.key()).unwrap_or(&certain),
            context,
            known: &known,
            parameter: &parameter,
        };
        let declared = function.output.as_deref().map(|it| local_type(it, &call));
        let is_written = |it: &String| !tokens(it).iter().any(|it| it.is("_"));
        let call = match (context, declared.as_ref().filter(|it| is_written(it))) {
            (Context::Variable(_), None) => Call { context: Context::Open, ..call },
            _ => call,
        };
        let (call, code) = self.replaced(&function, call, site)?;
        let splice = placed(&code, span, around, list, &function);
        Ok(match (call.context, declared) {
            (Context::Variable(end), Some(ty)) if needs_type(&call, &function, &code) => {
                let between = source.slice(end..splice.span.start);
                let insert = format!(": {ty}{between}{}", splice.insert);
                Splice { span: ByteSpan::new(end, splice.span.end), insert }
            }
            _ => splice,
        })
    }

    /// The code of a call in the style of the plan: a call without variables has no question.
    fn replaced<'c>(
        &self,
        function: &InlineFunction,
        call: Call<'c>,
        site: &RenameSite,
    ) -> Result<(Call<'c>, Code), InlineFault> {
        if self.style == Style::Typed {
            let call = Call { style: Style::Typed, ..call };
            let code = inlined(function, &call)?.code;
            return Ok((call, code));
        }
        let lean = inlined(function, &call)?;
        let is_declared =
            matches!(call.context, Context::Variable(_)) && needs_type(&call, function, &lean.code);
        if self.style == Style::Lean || !lean.has_variables && !is_declared {
            return Ok((call, lean.code));
        }
        let mut asked = self.asked.borrow_mut();
        let call = Call { style: Style::Asked(asked.len()), ..call };
        asked.push(site.key());
        let code = inlined(function, &call)?.code;
        Ok((call, code))
    }
}

/// The call whose name is a token.
fn use_at<'s>(source: &'s Source, site: &RenameSite) -> Option<&'s Use> {
    source
        .places
        .uses
        .iter()
        .find(|it| it.name_span.start == site.span.start && !it.name.is_empty())
}

/// The code in place of a call, with the semicolon that a block does not need.
fn placed(
    code: &Code,
    span: ByteSpan,
    around: Around<'_>,
    list: &[Token<'_>],
    function: &InlineFunction,
) -> Splice {
    let mut insert = code.text(around);
    let mut end = span.end;
    let is_place = matches!(around.before, "&" | "&&" | "mut") && !insert.ends_with(['}', ')']);
    if is_place {
        // A call is a value; a field alone would be a place.
        insert = format!("{{ {insert} }}");
    }
    if function.output.is_none()
        && insert.ends_with('}')
        && matches!(around.before, "{" | "}" | ";")
        && around.after == ";"
    {
        end = list.iter().find(|it| it.span.start >= end).map_or(end, |it| it.span.end);
    }
    Splice { span: ByteSpan::new(span.start, end), insert }
}

/// `self` and the other arguments of a call, with the edits inside of them.
fn passed(
    source: &Source,
    list: &[Token<'_>],
    used: &Use,
    function: &InlineFunction,
    inner: &Edits,
) -> Result<(Option<String>, Vec<String>), InlineFault> {
    let with_inner = |span: ByteSpan| -> String {
        let own = inner.iter().filter(|it| span.contains(it.span));
        let own: SortedMap<(usize, usize), String> = own
            .map(|it| ((it.span.start - span.start, it.span.end - span.start), it.insert.clone()))
            .collect();
        replaced(source.slice(span.start..span.end), &own)
    };
    let mut arguments: Vec<String> = used.args.iter().map(|it| with_inner(it.span)).collect();
    let is_path = used.kind == UseKind::Call;
    let receiver = match (function.receiver, is_path) {
        (None, _) => None,
        (Some(_), true) if arguments.is_empty() => return Err(InlineFault::NoSelf),
        (Some(_), true) => Some(arguments.remove(0)),
        (Some(_), false) => {
            let dot =
                list.partition_point(|it| it.span.start < used.name_span.start).checked_sub(1);
            let dot = dot.and_then(|it| list.get(it)).ok_or(InlineFault::NoReceiver)?;
            Some(with_inner(ByteSpan::new(used.span.start, dot.span.start)).trim().to_owned())
        }
    };
    Ok((receiver, arguments))
}
