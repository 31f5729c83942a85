//! Names in the input of `quote!` and the like, which the map has no edges for: a derive or a build script writes
//! code from it that no file of the project has. Start at [`CurrentMap::quoted`].

use base::{ItemKind, LineIndex, SortedSet};
use graph::ItemView;
use preserve::outline::{STRINGIFY, Token, TokenKind, quoting, tokens};

use super::{CurrentMap, SiteCard};

/// The crate whose macros quote code.
const QUOTE: &str = "quote";

/// A name to look for.
struct QuotedName {
    name: String,
    /// Name of the type, trait or enum that it is a member of.
    owner: Option<String>,
    kind: ItemKind,
}

impl CurrentMap<'_> {
    /// The places in quoted code that may name one of these items: in packages that depend on `quote`.
    pub(super) fn quoted(&self, items: &[u32]) -> Vec<SiteCard> {
        let items = items.iter().filter_map(|it| self.map().item(*it));
        let names: Vec<QuotedName> = items.filter_map(|it| QuotedName::of(&it)).collect();
        let folders = self.quoting_folders();
        if names.is_empty() || folders.is_empty() {
            return Vec::new();
        }
        let mut found = SortedSet::new();
        for file in self.map().files() {
            let is_near = folders.iter().any(|it| file.path.starts_with(it.as_str()));
            let Some(text) = is_near.then(|| self.read(file.number)).flatten() else { continue };
            if !names.iter().any(|it| text.contains(&it.name)) {
                continue;
            }
            let lines = LineIndex::new(&text);
            for at in names_in(&text, &names) {
                found.insert(SiteCard { file: file.path.to_owned(), line: lines.line_of(at) });
            }
        }
        found.into_iter().collect()
    }

    /// The folders of the crates that depend on `quote`, each with a `/` unless it is the project.
    fn quoting_folders(&self) -> SortedSet<String> {
        let map = self.map();
        let quote = map.by_name(QUOTE).into_iter();
        let quote =
            quote.filter(|it| map.item(*it).is_some_and(|it| it.kind == ItemKind::External));
        let users = quote.flat_map(|it| map.edges_in(it)).filter_map(|it| map.item(it.src));
        let roots = users.filter_map(|it| map.file(it.krate()?.root));
        roots
            .map(|it| it.path.rsplit_once('/').map_or(String::new(), |it| format!("{}/", it.0)))
            .collect()
    }
}

impl QuotedName {
    /// The name of an item that code can name.
    fn of(item: &ItemView<'_>) -> Option<Self> {
        use ItemKind as K;
        let is_code = !matches!(
            item.kind,
            K::Crate | K::File | K::Impl | K::Import | K::External | K::Feature | K::MacroCall
        );
        let canon = item.canon();
        let above = canon.rsplit_once("::").map_or("", |it| it.0);
        // `<Type as Trait>` and `<Type>` of an impl.
        let above = above.trim_end_matches('>').rsplit(['<', ' ']).next().unwrap_or(above);
        let owner = above.rsplit("::").next().filter(|it| it.starts_with(char::is_uppercase));
        is_code.then(|| Self {
            name: item.name().trim_end_matches('!').to_owned(),
            owner: owner.map(str::to_owned),
            kind: item.kind,
        })
    }

    /// Whether the token at `at` may be the name, by the tokens before it.
    fn may_be(&self, tokens: &[Token<'_>], at: usize) -> bool {
        let before = |back: usize| at.checked_sub(back).map_or("", |it| tokens[it].text);
        let is_callable = matches!(self.kind, ItemKind::Method | ItemKind::Function);
        match before(1) {
            "#" | "$" | "'" => false,
            "." => self.kind == ItemKind::Method,
            // A variable of the macro, or a type with arguments.
            "::" if before(3) == "#" || before(2) == ">" => true,
            "::" => match &self.owner {
                Some(owner) => before(2) == owner || before(2) == "Self",
                None => !before(2).starts_with(char::is_uppercase),
            },
            "fn" | "const" | "type" => self.owner.is_some(),
            _ => {
                let next = tokens.get(at + 1).map_or("", |it| it.text);
                self.owner.is_none() && (!is_callable || next == "(")
            }
        }
    }
}

/// The tokens in quoted code that may be one of the names.
fn names_in(text: &str, names: &[QuotedName]) -> Vec<usize> {
    let mut quoted = quoting(text);
    quoted.retain(|it| it.1 != STRINGIFY);
    if quoted.is_empty() {
        return Vec::new();
    }
    let tokens = tokens(text);
    let is_named = |at: usize| {
        let token = &tokens[at];
        let may_be = |it: &QuotedName| it.name == token.text && it.may_be(&tokens, at);
        token.kind == TokenKind::Word
            && quoted.iter().any(|it| it.0.contains(token.span))
            && names.iter().any(may_be)
    };
    (0..tokens.len()).filter(|at| is_named(*at)).map(|at| tokens[at].span.start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(kind: ItemKind, owner: Option<&str>, text: &str) -> Vec<usize> {
        let names = [QuotedName { name: "old".to_owned(), owner: owner.map(str::to_owned), kind }];
        names_in(text, &names)
    }

    #[test]
    fn a_member_is_named_by_its_type_a_variable_or_a_call() {
        let method = |text: &str| found(ItemKind::Method, Some("S"), text).len();
        assert_eq!(method("quote! { S::old() }"), 1);
        assert_eq!(method("quote! { #ty::old(a.old()) }"), 2);
        assert_eq!(method("quote! { fn old() {} }"), 1);
        assert_eq!(method("quote! { T::old(old, #old) } S::old();"), 0);
        assert_eq!(method("stringify!(S::old)"), 0);
    }

    #[test]
    fn a_free_item_is_named_alone_or_by_a_module() {
        let function = |text: &str| found(ItemKind::Function, None, text).len();
        assert_eq!(function("quote! { old(1); a::old; #krate::old(2) }"), 3);
        assert_eq!(function("quote! { let old = T::old(); }"), 0);
        assert_eq!(found(ItemKind::Struct, None, "quote! { x: old }").len(), 1);
    }
}
