//! All definitions that have to be renamed together: a trait's member with those of its impls, and
//! the alternatives of an item for other `cfg`s.

use base::{EdgeKind, ItemKind, ProjectPath, SortedSet};
use graph::ItemView;
use refactor::{RenameKind, RenameTarget, SiteKey};
use syntax::places::{Definition, DefinitionKind};

use super::fault::RefactorFault;
use super::find::Named;
use super::{RefactorContext, SourceText};

/// The definitions of one name that belong together.
pub(super) struct Family<'a> {
    /// The definitions, the one that the user named first.
    pub(super) members: Vec<(&'a SourceText, &'a Definition)>,
    pub(super) definitions: SortedSet<SiteKey>,
    /// Numbers in the map.
    pub(super) items: SortedSet<u32>,
    pub(super) owners: SortedSet<String>,
}

impl Family<'_> {
    /// The family under another name; under its own where only its uses are of interest.
    pub(super) fn target(&self, named: &Named<'_>, to: &str) -> RenameTarget {
        RenameTarget {
            kind: named.kind(),
            from: named.name().to_owned(),
            to: to.to_owned(),
            owners: self.owners.clone(),
            definitions: self.definitions.clone(),
            within: named.within(),
        }
    }
}

/// The definitions that change with `named`; the reason if they cannot.
pub(super) fn family<'a>(
    context: &'a RefactorContext<'_>,
    named: &Named<'a>,
) -> Result<Family<'a>, RefactorFault> {
    let mut family = Family {
        members: Vec::new(),
        definitions: SortedSet::new(),
        items: SortedSet::new(),
        owners: SortedSet::new(),
    };
    let source = named.source;
    let Some(definition) = named.definition() else {
        family.definitions.insert((source.path.clone(), named.token().start));
        return Ok(family);
    };
    if let Some(fault) = super::alternatives::alternative(source, definition) {
        return Err(fault);
    }
    let own = item_at(context, &source.path, definition);
    if own.as_ref().is_some_and(|it| it.flags.from_macro) && is_in_macro_input(definition) {
        return Err(RefactorFault::FromMacro);
    }
    match &definition.of_trait {
        Some(of_trait) => {
            let of = own.as_ref().and_then(|it| implemented(context, it, of_trait));
            let of = of.ok_or_else(|| RefactorFault::OutsideTrait(of_trait.clone()))?;
            family.add_trait_member(context, &of, definition)?;
        }
        None => match own.as_ref().and_then(|it| parent(context, it)) {
            Some(of) if of.kind == ItemKind::Trait => {
                family.add_trait_member(context, &of, definition)?;
            }
            _ => {
                family.add(context, source, definition);
                family.add_alternatives(context, own.as_ref());
                family.add_gated_macros(context, source, definition);
                super::modules::add_sharing(context, &mut family);
            }
        },
    }
    if definition.owner.is_empty()
        && let Some(of) = own.as_ref().and_then(|it| parent(context, it))
    {
        family.owners.extend(module_names(&of));
        // A `pub use` makes the item a member of another module too.
        let passed_on = own.iter().flat_map(|it| context.map.map().passed_on_to(it));
        family.owners.extend(passed_on.flat_map(|it| module_names(&it)));
        // An exported macro is a member of its crate.
        let head = source.text.get(definition.span.start..definition.name_span.start);
        if definition.kind == DefinitionKind::Macro && head.unwrap_or("").contains("macro_export") {
            let mut around = std::iter::successors(Some(of), |it| parent(context, it));
            let root = around.find(|it| it.kind == ItemKind::Crate);
            family.owners.extend(root.iter().flat_map(module_names));
        }
    }
    // The owner of a variant's field is the variant.
    if let Some((of, variant)) = definition.owner.split_once("::") {
        family.owners.remove(of);
        family.owners.insert(variant.to_owned());
    }
    Ok(family)
}

/// Whether a definition, or a module around it in its file, has a `cfg`.
fn is_behind_cfg(source: &SourceText, of: &Definition) -> bool {
    let around = source
        .definitions()
        .iter()
        .filter(|it| it.kind == DefinitionKind::Module && it.span.contains(of.span));
    std::iter::once(of).chain(around).any(|it| change::is_gated(&source.text, it))
}

/// Whether a definition is in the input of a macro, which may make something else of it. `cfg_if!` gives its items
/// as they are; the file of a module that a macro declares is no input of it.
fn is_in_macro_input(definition: &Definition) -> bool {
    let name = definition.macro_name.as_deref().and_then(|it| it.rsplit("::").next());
    name.is_some_and(|it| it.trim() != "cfg_if")
}

/// The packages of the other traits of a name, as far as they are known.
fn other_traits(context: &RefactorContext<'_>, of: &ItemView<'_>) -> SortedSet<Option<String>> {
    let map = context.map.map();
    let same = map.by_name(&of.name()).into_iter().filter_map(|it| map.item(it));
    let others = same.filter(|it| it.kind == ItemKind::Trait && it.number != of.number);
    others.map(|it| it.krate().map(|it| it.package().to_owned())).collect()
}

/// The package whose target a file is in; `None` if the map has no item of it.
fn package_of(context: &RefactorContext<'_>, path: &ProjectPath) -> Option<String> {
    let map = context.map.map();
    let number = map.file_by_path(path.as_str())?;
    let mut items = map.items_of_file(number).filter_map(|it| map.item(it));
    items.find_map(|it| Some(it.krate()?.package().to_owned()))
}

/// The names by which a path reaches the members of a module.
fn module_names(module: &ItemView<'_>) -> Vec<String> {
    if module.kind != ItemKind::Crate {
        return vec![module.name().into_owned()];
    }
    let target = module.crate_name().and_then(|it| it.rsplit('/').next()).unwrap_or("");
    vec!["crate".to_owned(), "$crate".to_owned(), target.replace('-', "_")]
}

/// Whether the name has a meaning outside of Rust.
pub(super) fn is_renameable(source: &SourceText, it: &Definition) -> Result<(), RefactorFault> {
    let head = source.text.get(it.span.start..it.name_span.start).unwrap_or("");
    if let Some(attribute) = interface(head) {
        return Err(RefactorFault::Interface(attribute));
    }
    let is_foreign = match it.kind {
        DefinitionKind::Function => it.body.is_none() && it.owner.is_empty(),
        DefinitionKind::Static => !source.slice(it.head).contains('='),
        _ => false,
    };
    match is_foreign {
        true => Err(RefactorFault::Foreign),
        false => Ok(()),
    }
}

/// The attribute that makes the name of an item a part of an interface, of the text before the name. A derive
/// has its own name in the attribute.
fn interface(head: &str) -> Option<&'static str> {
    const NAMES: [&str; 5] = ["no_mangle", "export_name", "proc_macro", "panic_handler", "lang"];
    let list = preserve::outline::tokens(head);
    let is_it = |name: &str, it: &str| {
        it == name || name == "proc_macro" && it.starts_with(name) && it != "proc_macro_derive"
    };
    NAMES.into_iter().find(|name| list.iter().any(|it| is_it(name, it.text)))
}

impl<'a> Family<'a> {
    /// Adds a definition, once.
    pub(super) fn add(
        &mut self,
        context: &RefactorContext<'_>,
        source: &'a SourceText,
        it: &'a Definition,
    ) {
        if !self.definitions.insert((source.path.clone(), it.name_span.start)) {
            return;
        }
        self.members.push((source, it));
        self.owners.extend((!it.owner.is_empty()).then(|| it.owner.clone()));
        self.items.extend(item_at(context, &source.path, it).map(|it| it.number));
    }

    /// The member's declaration in the trait and its definitions in all impls.
    fn add_trait_member(
        &mut self,
        context: &'a RefactorContext<'_>,
        of: &ItemView<'_>,
        named: &Definition,
    ) -> Result<(), RefactorFault> {
        let trait_name = of.name().into_owned();
        let written = super::find::definition_of(context, of).and_then(|it| it.definition());
        if of.flags.from_macro && written.is_none_or(is_in_macro_input) {
            return Err(RefactorFault::TraitFromMacro(trait_name));
        }
        let wanted = |it: &&Definition| it.kind == named.kind && it.name == named.name;
        let rivals = other_traits(context, of);
        for source in &context.sources {
            if !source.text.contains(&named.name) {
                continue;
            }
            // By its name alone a trait is known where no other one has it.
            let is_known_here = rivals.is_empty() || {
                let own = package_of(context, &source.path);
                own.is_some()
                    && own == of.krate().map(|it| it.package().to_owned())
                    && !rivals.contains(&own)
            };
            for it in source.definitions().iter().filter(wanted) {
                let item = item_at(context, &source.path, it);
                let is_member = match (&it.of_trait, &item) {
                    (Some(name), Some(item)) if *name == trait_name => {
                        implemented(context, item, name).is_some_and(|it| it.number == of.number)
                    }
                    (None, Some(item)) => {
                        parent(context, item).is_some_and(|it| it.number == of.number)
                    }
                    // What is not in the map, such as code in a macro call.
                    (Some(name), None) => *name == trait_name && is_known_here,
                    _ => false,
                };
                if is_member {
                    self.add(context, source, it);
                }
            }
        }
        self.owners.insert(trait_name);
        match self.members.is_empty() {
            true => Err(RefactorFault::NoDeclaration),
            false => Ok(()),
        }
    }

    /// The items with the same path, for other `cfg`s.
    fn add_alternatives(&mut self, context: &'a RefactorContext<'_>, own: Option<&ItemView<'_>>) {
        // A local item and another one of its name are in different blocks, if neither has a condition.
        let Some(own) = own.filter(|it| !it.flags.is_local) else { return };
        for number in context.map.map().by_canon(&own.canon()) {
            let item = context.map.map().item(number).filter(|it| it.kind == own.kind);
            let named = item.and_then(|it| super::find::definition_of(context, &it));
            if let Some(named) = named
                && let Some(definition) = named.definition()
            {
                self.add(context, named.source, definition);
            }
        }
    }

    /// The macros of the same name in the file, each behind a `cfg` of its own or of a module around it: one macro
    /// for other builds, since a textual scope has no path.
    fn add_gated_macros(
        &mut self,
        context: &'a RefactorContext<'_>,
        source: &'a SourceText,
        definition: &'a Definition,
    ) {
        if definition.kind != DefinitionKind::Macro || !is_behind_cfg(source, definition) {
            return;
        }
        let same = source.definitions().iter().filter(|it| {
            it.kind == DefinitionKind::Macro
                && it.name == definition.name
                && it.name_span != definition.name_span
                && is_behind_cfg(source, it)
        });
        for it in same {
            self.add(context, source, it);
        }
    }

    /// A definition of the new name in the same scope, as text.
    pub(super) fn collision(&self, context: &RefactorContext<'_>, to: &str) -> Option<String> {
        let to = to.trim_start_matches("r#");
        for source in context.sources.iter().filter(|it| it.text.contains(to)) {
            for it in source.definitions().iter().filter(|it| it.name == to) {
                let is_same = self.members.iter().any(|(of, own)| {
                    let is_kind = RenameKind::of(it) == RenameKind::of(own);
                    let is_owner = match own.owner.is_empty() {
                        true => is_same_module(context, (of, own), (source, it)),
                        false => {
                            it.owner == own.owner
                                && it.of_trait == own.of_trait
                                && !are_of_two_types(context, (of, own), (source, it))
                        }
                    };
                    is_kind && is_owner
                });
                if is_same {
                    let line = source.line(it.name_span.start);
                    return Some(format!("{}:{line}", source.path));
                }
            }
        }
        None
    }

    /// What the rename changes besides names in code.
    pub(super) fn notes(
        &self,
        context: &RefactorContext<'_>,
        named: &Named<'_>,
        to: Option<&str>,
    ) -> Vec<String> {
        let mut notes = Vec::new();
        let map = context.map.map();
        if self.items.iter().filter_map(|it| map.item(*it)).any(|it| is_public(context, &it)) {
            notes.push(
                "the item is public: code outside the workspace that uses it does not follow"
                    .to_owned(),
            );
        }
        notes.extend(super::run_time_name::note(named, to));
        notes
    }
}

/// Whether code outside of its crate can name an item: the crate is a library, the item is `pub`, and so
/// is each module around it, unless a `pub use` leads past that module.
pub(super) fn is_public(context: &RefactorContext<'_>, item: &ItemView<'_>) -> bool {
    let map = context.map.map();
    let is_pub = |it: &ItemView<'_>| it.visibility() == "pub";
    let is_library = item.krate().is_some_and(|it| matches!(it.kind, "lib" | "proc-macro"));
    let of_trait = parent(context, item).filter(|it| it.kind == ItemKind::Trait);
    if !is_library || !(is_pub(item) || of_trait.is_some_and(|it| is_pub(&it))) {
        return false;
    }
    let is_exported = |it: &ItemView<'_>| map.exports(it).next().is_some();
    let mut is_passed = is_exported(item);
    for around in std::iter::successors(parent(context, item), |it| parent(context, it)) {
        is_passed |= is_exported(&around);
        if around.kind == ItemKind::Module && !is_pub(&around) && !is_passed {
            return false;
        }
    }
    true
}

fn is_same_module(
    context: &RefactorContext<'_>,
    own: (&SourceText, &Definition),
    other: (&SourceText, &Definition),
) -> bool {
    let (a, b) = (parent_of(context, own), parent_of(context, other));
    other.1.owner.is_empty() && a.is_some() && a == b
}

/// Whether two fields or variants are those of two types of one name.
fn are_of_two_types(
    context: &RefactorContext<'_>,
    own: (&SourceText, &Definition),
    other: (&SourceText, &Definition),
) -> bool {
    let is_part = matches!(own.1.kind, DefinitionKind::Field | DefinitionKind::Variant);
    let parents = (parent_of(context, own), parent_of(context, other));
    is_part && matches!(parents, (Some(a), Some(b)) if a != b)
}

/// What the definition is a member of, by its number in the map.
fn parent_of(
    context: &RefactorContext<'_>,
    (source, it): (&SourceText, &Definition),
) -> Option<u32> {
    item_at(context, &source.path, it).and_then(|it| it.parent)
}

/// The item of the map with this definition.
pub(super) fn item_at<'m>(
    context: &'m RefactorContext<'_>,
    path: &ProjectPath,
    of: &Definition,
) -> Option<ItemView<'m>> {
    let map = context.map.map();
    let starts_here = |it: &ItemView<'_>| {
        it.name_span.0 as usize == of.name_span.start && it.path() == Some(path.as_str())
    };
    let plain = map.by_name(&of.name);
    let named_macro = map.by_name(&format!("{}!", of.name));
    let raw = map.by_name(&format!("r#{}", of.name));
    plain.into_iter().chain(named_macro).chain(raw).filter_map(|it| map.item(it)).find(starts_here)
}

fn parent<'m>(context: &'m RefactorContext<'_>, item: &ItemView<'_>) -> Option<ItemView<'m>> {
    context.map.map().item(item.parent?)
}

/// The trait of the workspace, with this name, whose impl the item is in.
pub(super) fn implemented<'m>(
    context: &'m RefactorContext<'_>,
    item: &ItemView<'_>,
    name: &str,
) -> Option<ItemView<'m>> {
    let map = context.map.map();
    let is_trait =
        |number: u32| map.item(number).filter(|it| it.kind == ItemKind::Trait && it.name() == name);
    let of = map.edges_out(item.number).filter(|it| it.kind == EdgeKind::Implements);
    let direct = of.filter_map(|it| map.item(it.dst)?.parent).find_map(is_trait);
    direct.or_else(|| {
        let block = parent(context, item)?;
        let text = &context.source(block.path()?)?.text;
        let head = |site: u32| text.get(block.span.0 as usize..site as usize);
        map.edges_out(block.number)
            .filter(|it| it.kind == EdgeKind::Uses)
            .filter(|it| map.sites(*it).any(|it| head(it.offset).is_some_and(ends_in_trait)))
            .find_map(|it| is_trait(it.dst))
    })
}

/// Whether a text from the beginning of an impl ends where the name of its trait comes: neither in the generics
/// nor behind `for`, where bounds name others.
fn ends_in_trait(head: &str) -> bool {
    let list = preserve::outline::tokens(head);
    let start = list.iter().position(|it| it.is("impl")).unwrap_or(0);
    let list = &list[start..];
    let mut depth = 0_usize;
    for (at, token) in list.iter().enumerate() {
        let is_arrow = at > 0 && matches!(list[at - 1].text, "-" | "=");
        match token.text {
            "<" => depth += 1,
            ">" if !is_arrow => depth = depth.saturating_sub(1),
            "for" if list.get(at + 1).is_none_or(|it| !it.is("<")) && depth == 0 => return false,
            _ => {}
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::{ends_in_trait, interface};

    #[test]
    fn attributes_that_give_a_name_a_meaning_outside_are_found() {
        assert_eq!(interface("/// Not `#[no_mangle]`.\n#[proc_macro_derive(Own)]\npub fn "), None);
        assert_eq!(interface("#[unsafe(no_mangle)]\npub extern \"C\" fn "), Some("no_mangle"));
        for head in ["#[proc_macro]\npub fn ", "#[proc_macro_attribute]\n", "#[proc_macro_hack]\n"]
        {
            assert_eq!(interface(head), Some("proc_macro"), "{head}");
        }
    }

    #[test]
    fn only_the_trait_of_an_impl_is_implemented() {
        for head in
            ["impl ", "/// impl\nunsafe impl<T: A<u8>> x::", "impl<F: Fn() -> u8> !", "impl a::"]
        {
            assert!(ends_in_trait(head), "{head}");
        }
        for head in ["impl<T: ", "impl Other<", "impl Other for ", "impl<T> O for S<T> where T: "] {
            assert!(!ends_in_trait(head), "{head}");
        }
    }
}
