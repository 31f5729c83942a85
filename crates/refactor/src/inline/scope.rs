//! What `self`, `Self` and the generic types of an impl are at a call.

use preserve::outline::{TokenKind, tokens};
use syntax::places::PartKind;

use super::fault::InlineFault;
use super::function::{FunctionReceiver, InlineFunction, impl_at, impl_generics};
use super::plan::Uses;
use crate::rename::Source;
use crate::text::spelled;

/// What the impl of a function is at a call.
#[derive(Default)]
pub(super) struct Scope {
    /// Generic types of the impl that mean something else, or nothing, at the call.
    pub(super) foreign: Vec<String>,
    /// What `Self` is, if it is not the same.
    pub(super) own: Option<String>,
    /// Whether the caller's `self` can be the function's.
    pub(super) is_own_self: bool,
}

impl Uses<'_> {
    /// What `Self`, `self` and the generic types of the impl are at a call.
    pub(super) fn scope(
        &self,
        source: &Source,
        at: usize,
        receiver: Option<&str>,
        function: &InlineFunction,
    ) -> Result<Scope, InlineFault> {
        let mut scope = Scope::default();
        let Some(home) = impl_at(&self.home.text, self.definition.span.start) else {
            return Ok(scope);
        };
        let generics = impl_generics(&home);
        let here = impl_at(&source.text, at);
        let is_same_impl =
            source.path == self.home.path && here.as_ref().is_some_and(|it| it.whole == home.whole);
        let is_same_type = here.as_ref().is_some_and(|it| {
            source.path == self.home.path && it.spelled(it.ty) == home.spelled(home.ty)
        });
        let is_self = receiver == Some("self");
        let has_same_types =
            generics.is_empty() && is_same_type || is_same_impl && (is_self || receiver.is_none());
        if has_same_types {
            scope.is_own_self = is_self && self.fits(source, at, function);
            return Ok(scope);
        }
        let ty = home.ty.slice(&self.home.text).unwrap_or("");
        let ty = self.moved_text(ty, source, at)?;
        let mut own = ty.clone();
        for token in tokens(&ty).iter().rev() {
            let is_generic = generics.iter().any(|it| token.is(it));
            if is_generic || token.kind == TokenKind::Lifetime && token.text != "'static" {
                let insert = if is_generic { "_" } else { "'_" };
                own.replace_range(token.span.start..token.span.end, insert);
            }
        }
        let names_self = tokens(&function.body).iter().any(|it| it.is("Self"));
        if names_self && tokens(&ty).len() > 1 && ty.contains('<') {
            return Err(InlineFault::NamesSelf(spelled(&ty)));
        }
        scope.foreign = generics;
        scope.own = Some(own);
        Ok(scope)
    }

    /// Whether the caller's `self` can be the function's.
    fn fits(&self, source: &Source, at: usize, function: &InlineFunction) -> bool {
        let around = source.places.function_at(at);
        let part = around.and_then(|it| it.parts.iter().find(|it| it.kind == PartKind::Receiver));
        let Some(part) = part else { return false };
        let written = source.slice(part.span.start..part.span.end);
        let is_ref = written.starts_with('&');
        let is_mut = tokens(written).iter().any(|it| it.is("mut"));
        let list = tokens(&function.body);
        let only_fields = list.iter().enumerate().all(|(at, it)| {
            !it.is("self") || list.get(at + 1).is_some_and(|it| it.is(".") || it.is("::"))
        });
        match function.receiver {
            Some(FunctionReceiver::Shared) => {
                is_ref && !is_mut || only_fields && written != "self: Self"
            }
            Some(FunctionReceiver::Unique) => is_mut && (is_ref || only_fields),
            _ => false,
        }
    }
}
