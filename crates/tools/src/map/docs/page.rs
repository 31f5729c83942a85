//! The pages themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use base::{EdgeKind, ProjectPath};
use graph::ItemKind;

use super::Pages;
use super::book::{Book, CrateDoc, ItemDoc, ModuleDoc};
use super::links::{Links, Prose, all, page_of, relative, word};
use super::text::{first_example, for_page, summary};
use super::words::{
    cell, code, counted, counts, private_mark, title, undent, used, used_short, without_remarks,
};
use crate::map::Fresh;

/// The page to begin with.
pub(crate) const INDEX: &str = "index.md";

/// So many lines of a type's own text are shown.
const LINES_SHOWN: usize = 40;

/// So many uses in examples are shown.
const EXAMPLES_SHOWN: usize = 2;

/// What sections a page has, in their order.
const SECTIONS: &[(ItemKind, &str)] = &[
    (ItemKind::Macro, "Macros"),
    (ItemKind::Struct, "Structs"),
    (ItemKind::Enum, "Enums"),
    (ItemKind::Union, "Unions"),
    (ItemKind::Trait, "Traits"),
    (ItemKind::Function, "Functions"),
    (ItemKind::TypeAlias, "Type aliases"),
    (ItemKind::Const, "Constants"),
    (ItemKind::Static, "Statics"),
];

struct Writer<'a> {
    fresh: &'a Fresh<'a>,
    links: Links,
    /// From the folder of all pages up to the project.
    up: Option<&'a str>,
}

/// All pages. `up` leads from their folder to the project.
pub(crate) fn pages(fresh: &Fresh<'_>, book: &Book, up: Option<&str>) -> Pages {
    let writer = Writer { fresh, links: Links::of(book), up };
    let mut texts = BTreeMap::from([(INDEX.to_owned(), writer.index(book))]);
    for krate in &book.crates {
        for module in &krate.modules {
            texts.insert(page_of(krate, module), writer.module(krate, module));
        }
    }
    texts
        .into_iter()
        .filter_map(|(path, text)| Some((ProjectPath::new(&path).ok()?, text)))
        .collect()
}

impl Writer<'_> {
    fn index(&self, book: &Book) -> String {
        let mut out = String::from(
            "<!-- Made by `graftage docs`. Changes are lost when it runs again. -->\n\n# Crates\n\n",
        );
        for krate in &book.crates {
            let Some(root) = krate.modules.first() else { continue };
            let page = page_of(krate, root);
            let _ = writeln!(out, "## [{}]({page})\n", title(krate));
            let version = if krate.version.is_empty() { "" } else { &krate.version };
            let items: Vec<&ItemDoc> =
                krate.modules.iter().flat_map(|module| all(&module.items)).collect();
            let tests: usize = krate.modules.iter().map(|module| module.tests).sum();
            let _ = writeln!(
                out,
                "{} {version} · {} · {}\n",
                krate.kind,
                counted(krate.modules.len(), "module", "modules"),
                counts(&items, tests)
            );
            let first = self.summary(INDEX, "", &root.docs);
            if !first.is_empty() {
                let _ = writeln!(out, "{first}\n");
            }
            for module in krate.modules.iter().skip(1) {
                let indent = "  ".repeat(module.path.len() - 1);
                let name = module.path.last().map_or("", String::as_str);
                let line = self.summary(INDEX, "", &module.docs);
                let line = if line.is_empty() { line } else { format!(" – {line}") };
                let _ = writeln!(
                    out,
                    "{indent}- [`{name}`]({}){}{line}",
                    page_of(krate, module),
                    private_mark(&module.visibility)
                );
            }
            out.push('\n');
        }
        out.push_str(LEGEND);
        out
    }

    fn module(&self, krate: &CrateDoc, module: &ModuleDoc) -> String {
        let page = page_of(krate, module);
        let mut out = String::new();
        let _ = writeln!(out, "{}\n", self.trail(krate, module, &page));
        match module.path[..] {
            [] => {
                let _ = writeln!(out, "# Crate `{}`\n", title(krate));
            }
            _ => {
                let _ = writeln!(
                    out,
                    "# {}odule `{}`\n",
                    if module.visibility == "pub" { "M" } else { "Private m" },
                    module.path.join("::")
                );
            }
        }
        let items: Vec<&ItemDoc> = all(&module.items).collect();
        let place = self.file_link(&page, module.file);
        let counts = counts(&items, module.tests);
        let _ = writeln!(out, "{}\n", [place, counts].join(" · ").trim_start_matches(" · "));
        if !module.docs.is_empty() {
            let _ =
                writeln!(out, "{}\n", self.prose_of_many(&page, "", &for_page(&module.docs, 1)));
        }
        self.children(&mut out, krate, module, &page);
        self.exports(&mut out, module, &page);
        for (kind, heading) in SECTIONS {
            let public: Vec<&ItemDoc> =
                module.items.iter().filter(|item| item.kind == *kind && item.is_public).collect();
            if !public.is_empty() {
                let _ = writeln!(out, "## {heading}\n");
                public.iter().for_each(|item| self.item(&mut out, item, &page));
            }
        }
        self.impls(&mut out, module, &page);
        self.inside(&mut out, module, &page);
        let text = out.trim_end().to_owned();
        text + "\n"
    }

    /// `[index](…) › [crate](…) › module`.
    fn trail(&self, krate: &CrateDoc, module: &ModuleDoc, page: &str) -> String {
        let mut parts = vec![format!("[index]({})", relative(page, INDEX))];
        for above in &krate.modules {
            if above.path.len() < module.path.len() && module.path.starts_with(&above.path) {
                let name = above.path.last().cloned().unwrap_or_else(|| title(krate));
                parts.push(format!("[{name}]({})", relative(page, &page_of(krate, above))));
            }
        }
        parts.push(module.path.last().cloned().unwrap_or_else(|| title(krate)));
        parts.join(" › ")
    }

    fn children(&self, out: &mut String, krate: &CrateDoc, module: &ModuleDoc, page: &str) {
        let children: Vec<&ModuleDoc> = krate
            .modules
            .iter()
            .filter(|child| {
                child.path.len() == module.path.len() + 1 && child.path.starts_with(&module.path)
            })
            .collect();
        if children.is_empty() {
            return;
        }
        out.push_str("## Modules\n\n| module | what |\n|---|---|\n");
        for child in children {
            let name = child.path.last().map_or("", String::as_str);
            let _ = writeln!(
                out,
                "| [`{name}`]({}){} | {} |",
                relative(page, &page_of(krate, child)),
                private_mark(&child.visibility),
                cell(&self.summary(page, "", &child.docs))
            );
        }
        out.push('\n');
    }

    fn exports(&self, out: &mut String, module: &ModuleDoc, page: &str) {
        if module.exports.is_empty() {
            return;
        }
        out.push_str("## Re-exports\n\n```rust\n");
        for number in &module.exports {
            if let Some(item) = self.fresh.map().item(*number) {
                let _ = writeln!(out, "{};", self.fresh.signature(&item));
            }
        }
        out.push_str("```\n\n");
        self.exported(out, module, page);
    }

    /// What stands behind the re-exports, as far as these pages speak of it.
    fn exported(&self, out: &mut String, module: &ModuleDoc, page: &str) {
        let map = self.fresh.map();
        let mut rows = String::new();
        let mut seen = BTreeSet::new();
        for edge in module.exports.iter().flat_map(|number| map.edges_out(*number)) {
            let link = self.links.to(page, edge.dst).filter(|_| edge.kind == EdgeKind::Uses);
            let (Some(link), Some(item)) = (link, map.item(edge.dst)) else { continue };
            if !seen.insert(edge.dst) {
                continue;
            }
            let docs = match item.kind {
                ItemKind::Module => String::new(),
                _ => self.summary(page, "", &self.fresh.docs(&item)),
            };
            let (word, name) = (word(item.kind), code(&item.name()));
            let _ = writeln!(rows, "| {word} [{name}]({link}) | {} |", cell(&docs));
        }
        if !rows.is_empty() {
            let _ = writeln!(out, "| item | what |\n|---|---|\n{rows}");
        }
    }

    fn impls(&self, out: &mut String, module: &ModuleDoc, page: &str) {
        if module.impls.is_empty() {
            return;
        }
        out.push_str("## Impls of types elsewhere\n\n");
        for number in &module.impls {
            let Some(view) = self.fresh.map().item(*number) else { continue };
            let header = code(&self.fresh.signature(&view));
            let _ = match self.source_link(page, *number) {
                Some(link) => writeln!(out, "- [{header}]({link})"),
                None => writeln!(out, "- {header}"),
            };
        }
        out.push('\n');
    }

    fn item(&self, out: &mut String, item: &ItemDoc, page: &str) {
        let anchor = self.links.anchor(item.number);
        let _ = writeln!(out, "<a id=\"{anchor}\"></a>\n### {} `{}`\n", word(item.kind), item.name);
        let _ = writeln!(out, "```rust\n{}\n```\n", self.shown(item));
        let place = self.source(page, item.number);
        let _ =
            writeln!(out, "{}\n", [place, used(item.used)].join(" · ").trim_start_matches(" · "));
        if !item.docs.is_empty() {
            let _ = writeln!(
                out,
                "{}\n",
                self.prose_of_many(page, &item.name, &for_page(&item.docs, 3))
            );
        }
        if !item.traits.is_empty() {
            let names: Vec<String> = item
                .traits
                .iter()
                .map(|(name, number)| {
                    let link = number.and_then(|number| self.links.to(page, number));
                    link.map_or(code(name), |link| format!("[{}]({link})", code(name)))
                })
                .collect();
            let _ = writeln!(out, "Implements {}.\n", names.join(", "));
        }
        self.members(out, item, page);
        self.examples(out, item, page);
    }

    fn members(&self, out: &mut String, item: &ItemDoc, page: &str) {
        let variants: Vec<&ItemDoc> =
            item.members.iter().filter(|member| member.kind == ItemKind::Variant).collect();
        let documented = variants.iter().any(|variant| !variant.docs.is_empty());
        if documented {
            out.push_str("| variant | what | used by |\n|---|---|---|\n");
            variants.iter().for_each(|variant| self.row(out, variant, page));
            out.push('\n');
        }
        let others: Vec<&ItemDoc> = item
            .members
            .iter()
            .filter(|member| member.kind != ItemKind::Variant && member.is_public)
            .collect();
        if !others.is_empty() {
            out.push_str("| member | what | used by |\n|---|---|---|\n");
            others.iter().for_each(|member| self.row(out, member, page));
            out.push('\n');
        }
        for member in others {
            if let Some(example) = first_example(&member.docs) {
                let _ = writeln!(
                    out,
                    "<details><summary>Example: {}</summary>\n\n```rust\n{example}\n```\n\n</details>\n",
                    member.name
                );
            }
        }
    }

    fn row(&self, out: &mut String, item: &ItemDoc, page: &str) {
        let signature = self
            .fresh
            .map()
            .item(item.number)
            .map(|view| self.fresh.signature(&view))
            .filter(|signature| !signature.is_empty())
            .unwrap_or_else(|| item.name.clone());
        let anchor = self.links.anchor(item.number);
        let place = match self.source_link(page, item.number) {
            Some(link) => format!("[{}]({link})", code(&signature)),
            None => code(&signature),
        };
        let _ = writeln!(
            out,
            "| <a id=\"{anchor}\"></a>{} | {} | {} |",
            cell(&place),
            cell(&self.summary(page, "", &item.docs)),
            used_short(item.used)
        );
    }

    /// What is not for other crates: one line each.
    fn inside(&self, out: &mut String, module: &ModuleDoc, page: &str) {
        let mut inside: Vec<&ItemDoc> =
            module.items.iter().filter(|item| !item.is_public).collect();
        if inside.is_empty() {
            return;
        }
        inside.sort_by_key(|item| {
            SECTIONS.iter().position(|(kind, _)| *kind == item.kind).unwrap_or(SECTIONS.len())
        });
        out.push_str("## Inside the crate\n\n| item | what | used by |\n|---|---|---|\n");
        inside.iter().for_each(|item| self.row(out, item, page));
        out.push('\n');
    }

    /// The text of a type as it stands where it is short, else the signature.
    fn shown(&self, item: &ItemDoc) -> String {
        let Some(view) = self.fresh.map().item(item.number) else { return String::new() };
        let is_type = matches!(item.kind, ItemKind::Struct | ItemKind::Enum | ItemKind::Union);
        let whole = matches!(item.kind, ItemKind::Const | ItemKind::Static | ItemKind::TypeAlias);
        let text = if is_type || whole {
            Some(undent(&self.fresh.slice(&view, view.code_start, view.span.1)))
        } else {
            None
        };
        let signature = || {
            let end = view.signature_end;
            let text = self.fresh.slice(&view, view.code_start, end);
            undent(text.trim_end().trim_end_matches(['{', '=', ';']).trim_end())
        };
        match text {
            Some(text) if text.lines().count() <= LINES_SHOWN => text,
            // Long types are long by what is said of their parts, which stands below.
            Some(text) => {
                let bare = without_remarks(&text);
                if bare.lines().count() <= LINES_SHOWN { bare } else { signature() }
            }
            None => signature(),
        }
    }

    /// Where the examples of the workspace use it.
    fn examples(&self, out: &mut String, item: &ItemDoc, page: &str) {
        let map = self.fresh.map();
        let mut sites = Vec::new();
        let numbers =
            std::iter::once(item.number).chain(item.members.iter().map(|member| member.number));
        for edge in numbers.flat_map(|number| map.edges_in(number)) {
            let is_use = matches!(edge.kind, EdgeKind::Calls | EdgeKind::Uses);
            let user = map.item(edge.src).filter(|user| user.kind != ItemKind::Import);
            let krate = user.and_then(|user| map.krate(user.krate));
            if is_use && krate.is_some_and(|krate| krate.kind == "example") {
                sites.extend(map.sites(edge).map(|site| (site.file, site.line)));
            }
        }
        sites.sort_unstable();
        sites.dedup();
        for (file, line) in sites.into_iter().take(EXAMPLES_SHOWN) {
            let text = self.fresh.text(file);
            let text = text.as_deref().and_then(|text| text.lines().nth(line as usize - 1));
            let (Some(view), Some(text)) = (map.file(file), text) else { continue };
            let place = format!("{}:{line}", view.path);
            let place = match self.up_from(page) {
                Some(up) => format!("[{place}]({up}{}#L{line})", view.path),
                None => place,
            };
            let _ = writeln!(out, "In {place}:\n\n```rust\n{}\n```\n", text.trim());
        }
    }

    /// `[src/lib.rs](../../src/lib.rs)`.
    fn file_link(&self, page: &str, file: u32) -> String {
        let Some(file) = self.fresh.map().file(file) else { return String::new() };
        match self.up_from(page) {
            Some(up) => format!("[{0}]({up}{0})", file.path),
            None => file.path.to_owned(),
        }
    }

    /// `[src/lib.rs:7](../../src/lib.rs#L7)`.
    fn source(&self, page: &str, number: u32) -> String {
        let Some(view) = self.fresh.map().item(number) else { return String::new() };
        let text = format!("{}:{}", view.path().unwrap_or_default(), view.line);
        match self.source_link(page, number) {
            Some(link) => format!("[{text}]({link})"),
            None => text,
        }
    }

    fn source_link(&self, page: &str, number: u32) -> Option<String> {
        let map = self.fresh.map();
        let view = map.item(number)?;
        let up = self.up_from(page)?;
        Some(format!("{up}{}#L{}", view.path()?, view.line))
    }

    fn up_from(&self, page: &str) -> Option<String> {
        let folders = page.matches('/').count();
        self.up.map(|up| "../".repeat(folders) + up)
    }

    /// The first paragraph of some documentation.
    fn summary(&self, page: &str, own: &str, docs: &str) -> String {
        self.links.in_prose(page, &Prose::of(own, docs), &summary(docs))
    }

    /// Several lines, those of code blocks left alone.
    fn prose_of_many(&self, page: &str, own: &str, text: &str) -> String {
        let mut in_code = false;
        let prose = Prose::of(own, text);
        let lines = text.lines().map(|line| {
            let is_fence = line.trim_start().starts_with("```");
            in_code ^= is_fence;
            if in_code || is_fence {
                line.to_owned()
            } else {
                self.links.in_prose(page, &prose, line)
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

const LEGEND: &str = "---\n\n\"Used by 7, perhaps 2, 3 tests\": seven items certainly use it, of \
    two more it is not certain, three tests do. What is reached through macros or outside the \
    workspace is not counted.\n";
