//! Tokens that can be the name of a `macro_rules!` macro: `name!`, `path::name!`, the last name of a `use`
//! path, and a name of `#[macro_use(name)]`. A name with `::` after it is that of a crate or a module,
//! and macros have names of their own: a function or a module of that name is another item.

use syntax::places::DefinitionKind;

use super::shape::{QUOTED_PATH, SiteShape};
use super::verdict::{STANDARD, is_exported, is_owned};
use super::{KnownSites, RenameKind, RenameSite, Renaming, SiteRegion, SiteVerdict, passed};

/// Macros of the standard library that code names without an import.
const PRELUDE: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];
/// Folders of a package that have its code.
const CODE_FOLDERS: &[&str] = &["src", "tests", "benches", "examples"];

/// Whether the syntax can name a macro.
pub(super) fn can_be_macro(shape: &SiteShape) -> bool {
    match shape {
        SiteShape::MacroCall { .. } => true,
        SiteShape::Qualified { in_use, next, .. } | SiteShape::Bare { in_use, next } => {
            *in_use && next != "::"
        }
        _ => false,
    }
}

/// Whether code without an import means a macro of the standard library by the name.
pub(super) fn is_of_prelude(name: &str) -> bool {
    PRELUDE.contains(&name)
}

/// Path before the name of a macro.
enum Path {
    /// Nothing: `name!`.
    None,
    /// The crate or module that has the macro.
    Owner,
    /// `$crate`, `crate`, `self` or `super`: a crate or module that the path alone does not tell.
    Relative,
    /// A crate of the standard library, or the crates themselves.
    Crate,
    /// Another name.
    Foreign,
}

/// The verdict for a token of a macro's name before the compiler is asked.
pub(super) fn first(plan: &Renaming, known: &KnownSites, site: &RenameSite) -> SiteVerdict {
    let key = site.key();
    if !can_be_macro(&site.shape) || site.region.is_string() {
        // The compiler shows whether a macro calls it.
        let text = plan.source(&site.path).map_or("", |it| &it.text);
        let is_code = matches!(site.region, SiteRegion::Code | SiteRegion::MacroBody);
        return match is_code && passed::may_be_called(text, site) {
            true => SiteVerdict::Unlikely,
            false => SiteVerdict::Other,
        };
    }
    if known.item.contains(&key) {
        return SiteVerdict::Item;
    }
    let is_hidden = site.region == SiteRegion::Example && !is_exported(plan);
    if known.other.contains(&key) || is_hidden {
        return SiteVerdict::Other;
    }
    let path = path_of(plan, site);
    if let Some(is_own) = in_own_body(plan, site)
        && !matches!(path, Path::Crate | Path::Foreign)
    {
        // Of two macros of a crate, the exported one is meant by a path.
        let is_meant = is_own || (matches!(path, Path::Owner) && near(plan, site) != Near::Other);
        return if is_meant { SiteVerdict::Item } else { SiteVerdict::Other };
    }
    let is_open = known.open.contains(&key);
    let is_import = !matches!(site.shape, SiteShape::MacroCall { .. });
    let is_likely = match path {
        Path::Crate => return SiteVerdict::Other,
        Path::Foreign => is_open && site.region == SiteRegion::Code,
        Path::Owner | Path::Relative if is_elsewhere(plan, site) => return SiteVerdict::Other,
        Path::Owner => true,
        Path::Relative => plan.rivals == 0 || is_open || near(plan, site) == Near::Own,
        Path::None if is_import => return single(plan, site, is_open),
        Path::None => is_bare(plan, site) || is_open,
    };
    if is_likely { SiteVerdict::Likely } else { SiteVerdict::Unlikely }
}

/// The verdict for `use name;` and for `[name]` in a text: the name of a crate too.
fn single(plan: &Renaming, site: &RenameSite, is_open: bool) -> SiteVerdict {
    let is_crate = plan.target.owners.contains(&plan.target.from);
    let defines = |path: &_, at: usize| *path == site.path && at < site.span.start;
    let is_here = plan.target.definitions.iter().any(|(path, at)| defines(path, *at));
    let is_likely = match site.region {
        SiteRegion::Code if is_here => true,
        SiteRegion::Code if is_crate => return SiteVerdict::Other,
        SiteRegion::Code => plan.rivals == 0 || is_open,
        SiteRegion::Link => plan.rivals == 0 && !is_crate,
        SiteRegion::Example => return SiteVerdict::Other,
        _ => false,
    };
    if is_likely { SiteVerdict::Likely } else { SiteVerdict::Unlikely }
}

/// Whether `name!` without a path is assumed to be the macro: it is imported beside it; or nothing else
/// has the name, in an example by its imports and in code by the macros of the package.
fn is_bare(plan: &Renaming, site: &RenameSite) -> bool {
    let imports = || {
        plan.sites.iter().filter(|it| {
            let is_same = it.path == site.path && it.example == site.example;
            is_same && can_be_macro(&it.shape) && matches!(it.shape, SiteShape::Qualified { .. })
        })
    };
    let is_imported =
        imports().any(|it| matches!(path_of(plan, it), Path::Owner) && !is_elsewhere(plan, it));
    let is_alone = match site.region {
        SiteRegion::Example => imports().next().is_none(),
        _ => plan.rivals == 0 || near(plan, site) == Near::Own,
    };
    is_imported || (is_alone && !is_of_prelude(&plan.target.from))
}

/// Whether a token that stays as it is may name the macro, if the syntax allows it.
pub(super) fn may_be_left(plan: &Renaming, site: &RenameSite) -> bool {
    let is_named = matches!(path_of(plan, site), Path::Owner | Path::Relative);
    is_named || !is_of_prelude(&plan.target.from)
}

impl Renaming {
    /// Whether a word of a comment, string or text can be the name that is renamed, as far as its
    /// neighbours tell: of a macro no segment with `::` after it, and no name of its crate.
    pub(super) fn can_be_in_text(&self, text: &str, at: usize) -> bool {
        let (name, owners) = (&self.target.from, &self.target.owners);
        if self.target.kind != RenameKind::Macro {
            return true;
        }
        let (before, after) = (text.get(..at), text.get(at + name.len()..).unwrap_or(""));
        let before = before.and_then(|it| it.strip_suffix("::"));
        let owner = before.and_then(|it| it.rsplit(|it: char| !base::is_word(it)).next());
        let is_owned = owner.is_some_and(|it| owners.contains(it));
        !after.starts_with("::") && (after.starts_with('!') || is_owned || !owners.contains(name))
    }

    /// Whether a token in code outside of the project can name the item by its syntax; of a macro its
    /// definition cannot.
    pub fn can_be_elsewhere(&self, text: &str, at: usize) -> bool {
        if self.target.kind != RenameKind::Macro {
            return true;
        }
        let places = syntax::places::places(text);
        let found = super::shape::shapes(text, &places, &self.target.from);
        found.iter().any(|(span, shape)| span.start == at && can_be_macro(shape))
    }

    /// Whether code without the macro can mean something else by its name: another macro, or what an
    /// import adds that nothing proves to be this one.
    pub fn has_other_meanings(&self) -> bool {
        let is_import = |it: &&RenameSite| {
            can_be_macro(&it.shape)
                && matches!(it.region, SiteRegion::Code | SiteRegion::MacroBody)
                && !matches!(it.shape, SiteShape::MacroCall { .. })
        };
        let is_other = |it: &RenameSite| it.verdict > SiteVerdict::Likely;
        let mut imports = self.sites.iter().filter(is_import);
        self.target.kind != RenameKind::Macro || self.rivals > 0 || imports.any(is_other)
    }
}

fn path_of(plan: &Renaming, site: &RenameSite) -> Path {
    match &site.shape {
        SiteShape::MacroCall { before } | SiteShape::Qualified { before, .. } => {
            match before.as_str() {
                "" => Path::None,
                // `use ::name`.
                "use" => Path::Crate,
                _ if is_owned(plan, site) => Path::Owner,
                it if STANDARD.contains(&it) => Path::Crate,
                "$crate" | "crate" | "self" | "super" | QUOTED_PATH => Path::Relative,
                _ => Path::Foreign,
            }
        }
        _ => Path::None,
    }
}

/// For a token in the definition of a macro of the name: whether that is the renamed one, which the
/// token names then.
fn in_own_body(plan: &Renaming, site: &RenameSite) -> Option<bool> {
    let source = plan.source(&site.path).filter(|_| site.region == SiteRegion::MacroBody)?;
    let around = source.places.definitions.iter().filter(|it| {
        it.kind == DefinitionKind::Macro
            && it.name == plan.target.from
            && it.span.contains(site.span)
    });
    let inner = around.min_by_key(|it| it.span.len())?;
    Some(plan.target.definitions.contains(&(site.path.clone(), inner.name_span.start)))
}

/// The macros of the name that a package defines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Near {
    /// The renamed one alone.
    Own,
    /// Only others.
    Other,
    /// None, or both.
    Open,
}

fn near(plan: &Renaming, site: &RenameSite) -> Near {
    let package = package_of(site.path.as_str());
    let own = &plan.target.definitions;
    let (mut has_own, mut has_other) = (false, false);
    for source in plan.sources.iter().filter(|it| package_of(it.path.as_str()) == package) {
        let named = source
            .places
            .definitions
            .iter()
            .filter(|it| it.kind == DefinitionKind::Macro && it.name == plan.target.from);
        for it in named {
            let is_own = own.contains(&(source.path.clone(), it.name_span.start));
            has_own |= is_own;
            has_other |= !is_own;
        }
    }
    match (has_own, has_other) {
        (true, false) => Near::Own,
        (false, true) => Near::Other,
        _ => Near::Open,
    }
}

/// Whether a path that begins in its own crate is in a crate with a macro of its own of the name, and
/// without the renamed one.
fn is_elsewhere(plan: &Renaming, site: &RenameSite) -> bool {
    let is_relative = match &site.shape {
        SiteShape::MacroCall { before } | SiteShape::Qualified { before, .. } => {
            matches!(before.as_str(), "crate" | "$crate" | "self" | "super")
        }
        _ => false,
    };
    is_relative && near(plan, site) == Near::Other
}

/// The folder of the package that a file is in, by the folders that packages have.
fn package_of(path: &str) -> &str {
    let mut at = 0;
    for part in path.split('/') {
        if CODE_FOLDERS.contains(&part) {
            return &path[..at];
        }
        at += part.len() + 1;
    }
    path.rsplit_once('/').map_or("", |it| it.0)
}
