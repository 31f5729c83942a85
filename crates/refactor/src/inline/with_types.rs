//! A call with its arguments and its result in variables that have the types of the function.

use preserve::outline::tokens;

use super::block::{Code, has_temporaries, lines, single};
use super::call::{Binding, Call, ends_statement, fresh, has_return, labelled, local_type, typed};
use super::expression::is_typed;
use super::function::InlineFunction;

/// The code with variables that have their types.
pub(super) fn with_types(
    function: &InlineFunction,
    call: &Call<'_>,
    body: &str,
    bindings: &[Binding],
) -> Code {
    let has_return = has_return(body);
    let output = function.output.as_deref().map(|it| local_type(it, call));
    let shape = single(body).filter(|_| !has_return);
    if let (Some(is_block), true) = (shape, bindings.is_empty())
        && is_typed(body, function.output.as_deref())
        && (!has_temporaries(body.trim()) || ends_statement(call))
    {
        let text = lines(body, call.indent).trim().to_owned();
        return if is_block { Code::Block(text) } else { Code::Expression(text) };
    }
    let by_match =
        bindings.iter().any(|it| has_temporaries(&it.value) && tokens(&it.value).len() > 1);
    let by_match = by_match && bindings.iter().all(|it| !it.name.is_empty());
    let outer = match by_match {
        true => format!("{}    ", call.indent),
        false => call.indent.to_owned(),
    };
    let indent = format!("{outer}    ");
    let mut inner = String::new();
    let list = |of: fn(&Binding) -> &String| -> String {
        let all: Vec<&str> = bindings.iter().map(|it| of(it).as_str()).collect();
        match all.as_slice() {
            [one] => (*one).to_owned(),
            all => format!("({})", all.join(", ")),
        }
    };
    let (names, values) = (list(|it| &it.name), list(|it| &it.value));
    if by_match {
        for it in bindings {
            let (pattern, ty) = (&it.pattern, typed(&it.ty));
            inner.push_str(&format!("{indent}let {pattern}{ty} = {};\n", it.name));
        }
    } else if !bindings.is_empty() {
        let is_open = bindings.iter().all(|it| it.ty == "_");
        let ty = if is_open { String::new() } else { typed(&list(|it| &it.ty)) };
        inner.push_str(&format!("{indent}let {}{ty} = {values};\n", list(|it| &it.pattern)));
    }
    inner.push_str(&statements(body, shape, has_return, output.as_deref(), &indent, call));
    let block = format!("{{\n{inner}\n{outer}}}");
    Code::Block(match by_match {
        false => block,
        true => format!("match {values} {{\n{outer}{names} => {block}\n{}}}", call.indent),
    })
}

/// The body as the last statements of a block.
fn statements(
    body: &str,
    shape: Option<bool>,
    has_return: bool,
    output: Option<&str>,
    indent: &str,
    call: &Call<'_>,
) -> String {
    let deeper = format!("{indent}    ");
    let (prefix, body) = labelled(body, call.label);
    match (output, shape) {
        (None, _) if !has_return => {
            let text = lines(&body, indent);
            let is_open = !text.trim_end().ends_with([';', '}']) && !text.trim().is_empty();
            format!("{text}{}", if is_open { ";" } else { "" })
        }
        (None, _) => format!("{indent}{prefix}{{\n{}\n{indent}}}", lines(&body, &deeper)),
        (Some(ty), Some(_)) => {
            let text = lines(&body, indent);
            let result = fresh("result", "");
            format!("{indent}let {result}: {ty} = {};\n{indent}{result}", text.trim())
        }
        (Some(ty), None) => {
            let text = lines(&body, &deeper);
            format!("{indent}let result: {ty} = {prefix}{{\n{text}\n{indent}}};\n{indent}result")
        }
    }
}
