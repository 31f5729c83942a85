//! [`Rule`]: rules of accessibility over the tree that the browser computes, and over the styles of texts.

use serde_json::json;

use super::locate::NotOne;
use super::tree::{PageNode, PageTree};
use crate::browser::{Page, shortened};

base::named_enum! {
    /// A rule of accessibility.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Rule {
        /// Elements that can be used have a name.
        Name = "name",
        /// Fields of forms have a label.
        Label = "label",
        /// Images have a text in their place, or are marked as decoration.
        ImageAlt = "image-alt",
        /// The document has a title.
        DocumentTitle = "document-title",
        /// The document names its language.
        HtmlLang = "html-lang",
        /// No two elements have one id.
        DuplicateId = "duplicate-id",
        /// A heading is at most one level below the one before it.
        HeadingOrder = "heading-order",
        /// Text has enough contrast to its background.
        Contrast = "contrast",
    }
}

/// Most violations that are named.
const MOST: usize = 20;

const DOCUMENT: &str = "(() => { \
    const ids = new Map(); \
    for (const e of document.querySelectorAll('[id]')) if (e.id) ids.set(e.id, (ids.get(e.id) || 0) + 1); \
    const images = [...document.querySelectorAll('img:not([alt])')] \
        .filter(e => e.checkVisibility() && !/^(none|presentation)$/.test(e.getAttribute('role')) && \
            !e.getAttribute('aria-label') && !e.getAttribute('aria-labelledby')); \
    return { title: document.title, lang: document.documentElement.lang, \
        images: images.slice(0, 20).map(e => e.getAttribute('src') || ''), \
        ids: [...ids].filter(([, n]) => n > 1).slice(0, 20).map(([id]) => id) } })()";

/// Texts whose contrast is below what WCAG 2 demands (AA), where colour and background are known: a background
/// that is a picture or lets something through is not looked at.
const CONTRAST: &str = "(() => { \
    const rgb = text => { const m = text.match(/^rgba?\\(([^)]*)\\)$/); \
        const n = m && m[1].split(/[ ,/]+/).map(Number); return n && { c: n.slice(0, 3), a: n[3] ?? 1 } }; \
    const light = c => { const [r, g, b] = c.map(v => (v /= 255, v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)); \
        return .2126 * r + .7152 * g + .0722 * b }; \
    const under = e => { for (; e; e = e.parentElement) { const s = getComputedStyle(e); \
        if (s.backgroundImage !== 'none' || s.opacity !== '1') return null; \
        const c = rgb(s.backgroundColor); if (!c) return null; \
        if (c.a === 1) return c.c; if (c.a !== 0) return null } return [255, 255, 255] }; \
    const found = []; \
    for (const e of document.body ? document.body.querySelectorAll('*') : []) { \
        const text = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join(' ').trim(); \
        if (!text || found.length >= 20 || !e.checkVisibility({ visibilityProperty: true }) || e.matches(':disabled')) continue; \
        const s = getComputedStyle(e), fore = rgb(s.color), back = under(e); \
        if (!fore || fore.a !== 1 || !back) continue; \
        const [a, b] = [light(fore.c), light(back)].sort((x, y) => y - x); \
        const size = parseFloat(s.fontSize), large = size >= 24 || size >= 18.66 && s.fontWeight >= 700; \
        const ratio = (a + .05) / (b + .05); \
        if (ratio < (large ? 3 : 4.5)) found.push(text.slice(0, 60) + ' (' + ratio.toFixed(1) + ')') } \
    return found })()";

/// The violations of some rules, each as a line.
pub(super) fn violations(page: &mut Page, rules: &[Rule]) -> Result<Vec<String>, NotOne> {
    let tree = PageTree::read(page)?;
    let frame = tree.frames.first().cloned().unwrap_or_default();
    let world = page.world(&frame)?;
    let mut evaluate = |code: &str| {
        let call = json!({ "expression": code, "contextId": world, "returnByValue": true });
        page.call("Runtime.evaluate", call).map(|it| it["result"]["value"].clone())
    };
    let document = evaluate(DOCUMENT)?;
    let contrast = match rules.contains(&Rule::Contrast) {
        true => evaluate(CONTRAST)?,
        false => json!([]),
    };
    let Some(low) = contrast.as_array().filter(|_| document.is_object()) else {
        // What could not be looked at is no success.
        let reason = "the page could not be looked at for accessibility".to_owned();
        return Err(NotOne::Elements { reason, there: Vec::new() });
    };
    let mut found = Vec::new();
    let nodes: Vec<&PageNode> = tree.walk(None).into_iter().map(|idx| &tree.nodes[idx]).collect();
    let nodes: Vec<&PageNode> = nodes.into_iter().filter(|it| !it.is_ignored).collect();
    for rule in rules {
        let mut add = |text: String| found.push(format!("{}: {}", rule.as_str(), shortened(&text)));
        let texts = |key: &str| {
            let texts = document[key].as_array().cloned().unwrap_or_default();
            texts.into_iter().filter_map(|it| it.as_str().map(str::to_owned)).collect::<Vec<_>>()
        };
        match rule {
            Rule::Name => nameless(&nodes, USED).for_each(&mut add),
            Rule::Label => nameless(&nodes, LABELLED).for_each(&mut add),
            Rule::ImageAlt => {
                texts("images").into_iter().for_each(|it| add(format!("image {it:?}")))
            }
            Rule::DocumentTitle
                if document["title"].as_str().is_none_or(|it| it.trim().is_empty()) =>
            {
                add("the document has no title".to_owned());
            }
            Rule::HtmlLang if document["lang"].as_str().is_none_or(|it| it.trim().is_empty()) => {
                add("`html` has no `lang`".to_owned());
            }
            Rule::DuplicateId => texts("ids").into_iter().for_each(|it| add(format!("id {it:?}"))),
            Rule::HeadingOrder => headings(&nodes, &mut add),
            Rule::Contrast => {
                low.iter().filter_map(|it| it.as_str()).for_each(|it| add(it.to_owned()))
            }
            Rule::DocumentTitle | Rule::HtmlLang => {}
        }
    }
    found.truncate(MOST);
    Ok(found)
}

/// Roles that a person uses.
const USED: &[&str] = &["button", "link", "menuitem", "tab", "menuitemcheckbox", "menuitemradio"];
/// Roles of fields.
const LABELLED: &[&str] = &[
    "textbox",
    "searchbox",
    "combobox",
    "listbox",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
];

fn nameless<'n>(nodes: &'n [&PageNode], roles: &'n [&str]) -> impl Iterator<Item = String> + 'n {
    let of_role = nodes.iter().filter(|it| roles.contains(&it.role.as_str()));
    of_role
        .filter(|it| it.name.trim().is_empty())
        .map(|it| format!("a {} has no accessible name", it.role))
}

fn headings(nodes: &[&PageNode], add: &mut dyn FnMut(String)) {
    let mut last = 0_u32;
    for node in nodes.iter().filter(|it| it.role == "heading") {
        let level = node.states.iter().find(|it| it.name == "level");
        let level = level.and_then(|it| it.value.parse().ok()).unwrap_or(last);
        if last > 0 && level > last + 1 {
            add(format!("heading {:?} of level {level} follows level {last}", node.name));
        }
        last = level;
    }
}
