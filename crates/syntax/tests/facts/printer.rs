//! Facts as text, so that a test can show them.

use std::fmt::Write as _;

use graftage_syntax::facts::*;

/// All that the facts say, an item a line, its body behind it.
pub(crate) fn print(facts: &FileFacts) -> String {
    let printer = Printer { facts };
    let mut out = String::new();
    for attribute in &facts.inner_attributes {
        writeln!(out, "{attribute}").unwrap();
    }
    for (idx, (item, decl)) in facts.file.items.iter().zip(&facts.decls).enumerate() {
        writeln!(out, "{} {}{}", item.kind, item.canon, printer.decl(decl)).unwrap();
        for it in facts.uses.iter().filter(|it| it.item as usize == idx) {
            writeln!(out, "  {}", printer.import(it)).unwrap();
        }
        if let Some(body) = decl.body.and_then(|it| facts.bodies.get(it.idx())) {
            assert_eq!(body.item as usize, idx);
            let body = Bodied { printer: &printer, body };
            let params: Vec<_> = body.body.params.iter().map(|&it| body.pat(it)).collect();
            let params =
                if params.is_empty() { String::new() } else { format!("|{}| ", params.join(", ")) };
            writeln!(out, "  {params}{}", body.expr(body.body.root)).unwrap();
        }
    }
    out
}

struct Printer<'a> {
    facts: &'a FileFacts,
}

impl Printer<'_> {
    fn name(&self, name: Name) -> &str {
        &self.facts.names[name.idx()]
    }

    fn decl(&self, decl: &Decl) -> String {
        let mut out = String::new();
        if let Some(name) = decl.name {
            write!(out, " `{}`", self.name(name)).unwrap();
        }
        if decl.in_macro_call {
            out.push_str(" in-macro");
        }
        if let Some(cfg) = &decl.cfg {
            write!(out, " cfg({cfg})").unwrap();
        }
        if !decl.generics.is_empty() {
            let params: Vec<_> = decl.generics.iter().map(|it| self.param(it)).collect();
            write!(out, " <{}>", params.join(", ")).unwrap();
        }
        for (of, bounds) in &decl.wheres {
            write!(out, " where {}: {}", self.of(*of), self.bounds(bounds)).unwrap();
        }
        match &decl.shape {
            Shape::None | Shape::Import => {}
            Shape::Fn(it) => {
                let mut params: Vec<String> = Vec::new();
                params.extend(it.receiver.map(|it| match it {
                    Receiver::Value => "self".to_owned(),
                    Receiver::Ref => "&self".to_owned(),
                    Receiver::RefMut => "&mut self".to_owned(),
                    Receiver::Typed(of) => format!("self: {}", self.of(of)),
                }));
                params.extend(it.params.iter().map(|&it| self.of(it)));
                let is_async = if it.is_async { " async" } else { "" };
                write!(out, "{is_async} ({})", params.join(", ")).unwrap();
                out.push_str(&self.ret(it.ret));
            }
            Shape::Struct(fields) => out.push_str(&self.fields(fields)),
            Shape::Enum(variants) => {
                for variant in variants {
                    let fields = self.fields(&variant.fields);
                    write!(out, " | {}@{}{fields}", self.name(variant.name), variant.offset)
                        .unwrap();
                }
            }
            Shape::Trait(bounds) => write!(out, ": {}", self.bounds(bounds)).unwrap(),
            Shape::Impl { self_type, of_trait, is_negative } => {
                let not = if *is_negative { "!" } else { "" };
                let of_trait = of_trait.map(|it| format!(" {not}{} for", self.path(it)));
                write!(out, " impl{} {}", of_trait.unwrap_or_default(), self.of(*self_type))
                    .unwrap();
            }
            Shape::Alias { of, bounds } => {
                let of = of.map(|it| format!(" = {}", self.of(it)));
                write!(out, ": {}{}", self.bounds(bounds), of.unwrap_or_default()).unwrap();
            }
            Shape::Value(of) => write!(out, ": {}", self.some(*of)).unwrap(),
            Shape::Module { is_inline, path, macro_use } => {
                write!(out, " inline={is_inline} path={path:?} macro_use={macro_use}").unwrap();
            }
            Shape::MacroDef { is_exported } => write!(out, " exported={is_exported}").unwrap(),
            Shape::MacroCall(path) => write!(out, " {}!", self.path(*path)).unwrap(),
        }
        out
    }

    fn import(&self, it: &Use) -> String {
        let path: Vec<_> = it.path.iter().map(|&it| self.name(it)).collect();
        let global = if it.is_global { "::" } else { "" };
        let what = match it.what {
            UseWhat::Name(name) => format!(" as {}", self.name(name)),
            UseWhat::Underscore => " as _".to_owned(),
            UseWhat::Glob => "::*".to_owned(),
            UseWhat::ExternCrate(name) => format!(" extern crate as {}", self.name(name)),
        };
        format!("use {global}{}{what} @{}", path.join("::"), it.offset)
    }

    fn param(&self, it: &GenericParam) -> String {
        let mut out = if it.is_const { "const ".to_owned() } else { String::new() };
        out.push_str(self.name(it.name));
        if !it.bounds.is_empty() {
            write!(out, ": {}", self.bounds(&it.bounds)).unwrap();
        }
        if let Some(of) = it.default {
            write!(out, " = {}", self.of(of)).unwrap();
        }
        out
    }

    fn fields(&self, fields: &Fields) -> String {
        match fields {
            Fields::Unit => String::new(),
            Fields::Tuple(types) => format!("({})", self.types(types)),
            Fields::Named(fields) => {
                let of =
                    |(name, of): &(Name, TypeId)| format!("{}: {}", self.name(*name), self.of(*of));
                format!(" {{ {} }}", fields.iter().map(of).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn ret(&self, of: Option<TypeId>) -> String {
        of.map(|it| format!(" -> {}", self.of(it))).unwrap_or_default()
    }

    fn some(&self, of: Option<TypeId>) -> String {
        of.map_or_else(|| "?".to_owned(), |it| self.of(it))
    }

    fn types(&self, types: &[TypeId]) -> String {
        types.iter().map(|&it| self.of(it)).collect::<Vec<_>>().join(", ")
    }

    fn bounds(&self, bounds: &[Bound]) -> String {
        bounds.iter().map(|it| self.path(it.0)).collect::<Vec<_>>().join(" + ")
    }

    fn of(&self, of: TypeId) -> String {
        match &self.facts.types[of.idx()] {
            TypeRef::Path(path) => self.path(*path),
            TypeRef::Ref(of) => format!("&{}", self.of(*of)),
            TypeRef::Ptr(of) => format!("*{}", self.of(*of)),
            TypeRef::Slice(of) => format!("[{}]", self.of(*of)),
            TypeRef::Array(of) => format!("[{}; _]", self.of(*of)),
            TypeRef::Tuple(types) => format!("({})", self.types(types)),
            TypeRef::Fn(params, ret) => format!("fn({}){}", self.types(params), self.ret(*ret)),
            TypeRef::Dyn(bounds) => format!("dyn {}", self.bounds(bounds)),
            TypeRef::Impl(bounds) => format!("impl {}", self.bounds(bounds)),
            TypeRef::Never => "!".to_owned(),
            TypeRef::Unknown => "?".to_owned(),
        }
    }

    fn path(&self, path: PathId) -> String {
        let path = &self.facts.paths[path.idx()];
        let mut out = String::new();
        if let Some((of, of_trait)) = path.qself {
            let of_trait = of_trait.map(|it| format!(" as {}", self.path(it)));
            write!(out, "<{}{}>::", self.of(of), of_trait.unwrap_or_default()).unwrap();
        } else if path.is_global {
            out.push_str("::");
        }
        let segments = path.segments.iter().map(|it| {
            let mut args: Vec<String> = it.args.iter().map(|&it| self.of(it)).collect();
            args.extend(
                it.bindings
                    .iter()
                    .map(|&(name, of)| format!("{} = {}", self.name(name), self.of(of))),
            );
            let args =
                if args.is_empty() { String::new() } else { format!("<{}>", args.join(", ")) };
            format!("{}{args}", self.name(it.name))
        });
        out.push_str(&segments.collect::<Vec<_>>().join("::"));
        out
    }
}

struct Bodied<'a> {
    printer: &'a Printer<'a>,
    body: &'a Body,
}

impl Bodied<'_> {
    fn name(&self, name: Name) -> &str {
        self.printer.name(name)
    }

    fn exprs(&self, exprs: &[ExprId]) -> String {
        exprs.iter().map(|&it| self.expr(it)).collect::<Vec<_>>().join(", ")
    }

    fn some(&self, expr: Option<ExprId>) -> String {
        expr.map(|it| self.expr(it)).unwrap_or_default()
    }

    fn expr(&self, expr: ExprId) -> String {
        let printer = self.printer;
        match &self.body.exprs[expr.idx()] {
            Expr::Path(path) => printer.path(*path),
            Expr::Call(callee, args) => {
                format!("call({})({})", self.expr(*callee), self.exprs(args))
            }
            Expr::MethodCall { receiver, name, offset, generics, args } => {
                let generics = if generics.is_empty() {
                    String::new()
                } else {
                    format!("::<{}>", printer.types(generics))
                };
                let (receiver, name, args) =
                    (self.expr(*receiver), self.name(*name), self.exprs(args));
                format!("{receiver}.{name}@{offset}{generics}({args})")
            }
            Expr::Field(base, name, _) => format!("{}.{}", self.expr(*base), self.name(*name)),
            Expr::Index(base, index) => format!("{}[{}]", self.expr(*base), self.expr(*index)),
            Expr::Struct { path, fields, base } => {
                let mut parts: Vec<String> = fields
                    .iter()
                    .map(|(name, value)| format!("{}: {}", self.name(*name), self.expr(*value)))
                    .collect();
                parts.extend(base.map(|it| format!("..{}", self.expr(it))));
                format!("{} {{ {} }}", printer.path(*path), parts.join(", "))
            }
            Expr::Ref(of) => format!("&{}", self.expr(*of)),
            Expr::Deref(of) => format!("*{}", self.expr(*of)),
            Expr::Unary(op, offset, of) => format!("{op:?}@{offset} {}", self.expr(*of)),
            Expr::Binary(op, offset, left, right) => {
                let op = match op {
                    BinaryOp::Arithmetic(op, true) => format!("{op:?}Assign"),
                    BinaryOp::Arithmetic(op, false) => format!("{op:?}"),
                    op => format!("{op:?}"),
                };
                format!("({} {op}@{offset} {})", self.expr(*left), self.expr(*right))
            }
            Expr::Assign(left, right) => format!("{} = {}", self.expr(*left), self.expr(*right)),
            Expr::Await(of) => format!("{}.await", self.expr(*of)),
            Expr::Try(of) => format!("{}?", self.expr(*of)),
            Expr::Cast(of, to) => format!("({} as {})", self.expr(*of), printer.of(*to)),
            Expr::Tuple(parts) => format!("({})", self.exprs(parts)),
            Expr::Array(parts) => format!("[{}]", self.exprs(parts)),
            Expr::Repeat(value, count) => {
                format!("[{}; {}]", self.expr(*value), self.expr(*count))
            }
            Expr::Range(from, to) => format!("({}..{})", self.some(*from), self.some(*to)),
            Expr::Closure { params, ret, body, is_async } => {
                let params = params.iter().map(|(pat, of)| {
                    let of = of.map(|it| format!(": {}", printer.of(it)));
                    format!("{}{}", self.pat(*pat), of.unwrap_or_default())
                });
                let params = params.collect::<Vec<_>>().join(", ");
                let is_async = if *is_async { "async " } else { "" };
                format!("{is_async}|{params}|{} {}", printer.ret(*ret), self.expr(*body))
            }
            Expr::Block(kind, stmts, tail) => {
                let mut parts: Vec<String> = stmts.iter().map(|it| self.stmt(it)).collect();
                parts.extend(tail.map(|it| self.expr(it)));
                let kind = if *kind == BlockKind::Async { "async " } else { "" };
                format!("{kind}{{ {} }}", parts.join(" "))
            }
            Expr::If(condition, then, otherwise) => {
                let otherwise = otherwise.map(|it| format!(" else {}", self.expr(it)));
                let otherwise = otherwise.unwrap_or_default();
                format!("if {} {}{otherwise}", self.expr(*condition), self.expr(*then))
            }
            Expr::Match(on, arms) => {
                let arms = arms.iter().map(|arm| {
                    let guard = arm.guard.map(|it| format!(" if {}", self.expr(it)));
                    let guard = guard.unwrap_or_default();
                    format!("{}{guard} => {}", self.pat(arm.pat), self.expr(arm.value))
                });
                format!("match {} {{ {} }}", self.expr(*on), arms.collect::<Vec<_>>().join(", "))
            }
            Expr::Let(pat, of) => format!("let {} = {}", self.pat(*pat), self.expr(*of)),
            Expr::Loop(body) => format!("loop {}", self.expr(*body)),
            Expr::While(condition, body) => {
                format!("while {} {}", self.expr(*condition), self.expr(*body))
            }
            Expr::For(pat, of, body) => {
                format!("for {} in {} {}", self.pat(*pat), self.expr(*of), self.expr(*body))
            }
            Expr::Return(of) => format!("return {}", self.some(*of)),
            Expr::Break(of) => format!("break {}", self.some(*of)),
            Expr::Literal(literal) => self.literal(*literal),
            Expr::Macro { path, args, is_complete, .. } => {
                let rest = if *is_complete { "" } else { " …" };
                format!("{}!({}{rest})", printer.path(*path), self.exprs(args))
            }
            Expr::Other(parts) => format!("other({})", self.exprs(parts)),
        }
    }

    fn literal(&self, literal: Literal) -> String {
        match literal {
            Literal::Suffixed(name) => format!("#{}", self.name(name)),
            literal => format!("#{literal:?}"),
        }
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Let { pat, of, init, otherwise } => {
                let of = of.map(|it| format!(": {}", self.printer.of(it))).unwrap_or_default();
                let init = init.map(|it| format!(" = {}", self.expr(it))).unwrap_or_default();
                let otherwise = otherwise.map(|it| format!(" else {}", self.expr(it)));
                format!("let {}{of}{init}{};", self.pat(*pat), otherwise.unwrap_or_default())
            }
            Stmt::Expr(of) => format!("{};", self.expr(*of)),
            Stmt::Item(item) => {
                format!("item {};", self.printer.facts.file.items[*item as usize].canon)
            }
        }
    }

    fn pats(&self, pats: &[PatId], rest: Option<u32>) -> String {
        let mut parts: Vec<String> = pats.iter().map(|&it| self.pat(it)).collect();
        if let Some(rest) = rest {
            parts.insert(rest as usize, "..".to_owned());
        }
        parts.join(", ")
    }

    fn pat(&self, pat: PatId) -> String {
        match &self.body.pats[pat.idx()] {
            Pat::Bind { name, offset: _, by_ref, sub } => {
                let by_ref = if *by_ref { "ref " } else { "" };
                let sub = sub.map(|it| format!(" @ {}", self.pat(it))).unwrap_or_default();
                format!("{by_ref}{}{sub}", self.name(*name))
            }
            Pat::Path(path) => self.printer.path(*path),
            Pat::TupleStruct { path, pats, rest } => {
                format!("{}({})", self.printer.path(*path), self.pats(pats, *rest))
            }
            Pat::Struct(path, fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, pat)| format!("{}: {}", self.name(*name), self.pat(*pat)));
                let fields = fields.collect::<Vec<_>>().join(", ");
                format!("{} {{ {fields} }}", self.printer.path(*path))
            }
            Pat::Tuple { pats, rest } => format!("({})", self.pats(pats, *rest)),
            Pat::Slice(pats) => format!("[{}]", self.pats(pats, None)),
            Pat::Ref(of) => format!("&{}", self.pat(*of)),
            Pat::Or(pats) => pats.iter().map(|&it| self.pat(it)).collect::<Vec<_>>().join(" | "),
            Pat::Rest => "..".to_owned(),
            Pat::Literal(literal) => self.literal(*literal),
            Pat::Wild => "_".to_owned(),
        }
    }
}
