//! The code that a position is in: its target and the `cfg`s around it, by which a proof's coverage of
//! the position is known.

use base::{ProjectPath, SortedMap};
use check::{BuiltCode, CodeTarget};
use graph::ItemView;
use preserve::outline::{Outline, tokens};
use refactor::{Renaming, SiteKey};
use syntax::CfgPredicate;

use super::dropped_input::{ConditionalMacros, DroppedInput};
use super::{RefactorContext, SourceText, reexports};

/// The target that a position belongs to, and the predicates of all `cfg`s around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CodePlace {
    package: String,
    kind: String,
    target: String,
    predicates: Vec<String>,
    /// The macros that it is the input of and that may drop it: name, predicates that are in the rules, and
    /// whether a rule leaves out code that it matches.
    dropped: Vec<(String, Vec<String>, bool)>,
}

impl CodePlace {
    /// The place of a page, whose examples are tested with `cfg(doctest)`.
    fn in_doctest(mut self) -> Self {
        for predicate in &mut self.predicates {
            *predicate = in_one_spelling(&base::with_word(predicate, "doctest", "all()"));
        }
        self
    }

    /// Why `built` does not compile it, or may not; `None` if it does.
    pub(crate) fn why_not(&self, built: &BuiltCode) -> Option<String> {
        self.why_not_there(built).or_else(|| {
            self.dropped.iter().find_map(|(name, predicates, leaves_out)| {
                let behind = |it: &String| {
                    let mut place = self.clone();
                    place.predicates.push(it.clone());
                    place.why_not_there(built)
                };
                match predicates.iter().find_map(behind) {
                    Some(why) => Some(format!("in the input of `{name}!`, of which {why}")),
                    None => leaves_out.then(|| {
                        format!(
                            "in the input of `{name}!`, of which its rules may leave out a part"
                        )
                    }),
                }
            })
        })
    }

    /// Why `built` does not compile what is written there.
    fn why_not_there(&self, built: &BuiltCode) -> Option<String> {
        let target = CodeTarget { package: &self.package, kind: &self.kind, name: &self.target };
        let predicates: Vec<&str> = self.predicates.iter().map(String::as_str).collect();
        built.why_not(target, &predicates)
    }
}

/// The code that each token of a name is in; no entry: no target of the workspace has its file.
#[derive(Clone, Debug, Default)]
pub struct CodePlaces {
    places: SortedMap<SiteKey, CodePlace>,
    /// Places where the library of the item, a public one, passes on names of other crates.
    reexports: Vec<CodePlace>,
}

impl CodePlaces {
    pub(super) fn of(context: &RefactorContext<'_>, renaming: &Renaming) -> Self {
        let mut places = SortedMap::new();
        let macros = ConditionalMacros::of(&context.sources);
        let mut file: Option<OpenFile<'_>> = None;
        for site in renaming.sites() {
            let key = (site.path.clone(), site.span.start);
            // An included file is compiled where it is included, and a page tested where it is.
            let page = context.pages.get(&site.path);
            let includes = context.included.get(&site.path).or(page);
            let (path, at) = includes.unwrap_or(&key);
            if file.as_ref().is_none_or(|it| it.source.path != *path) {
                file = OpenFile::of(context, &macros, path);
            }
            let place = file.as_ref().and_then(|it| it.place(context, *at));
            let place = place.map(|it| if page.is_some() { it.in_doctest() } else { it });
            places.extend(place.map(|it| (key, it)));
        }
        let packages = reexports::packages(context, &renaming.target().definitions);
        let keys = if packages.is_empty() { Vec::new() } else { reexports::reexports(context) };
        let place =
            |(path, at): &SiteKey| OpenFile::of(context, &macros, path)?.place(context, *at);
        let of_item = |it: &CodePlace| it.kind == "lib" && packages.contains(&it.package);
        let reexports = keys.iter().filter_map(place).filter(of_item).collect();
        Self { places, reexports }
    }

    /// The number of names of other crates that the library of the item passes on where `built` does
    /// not compile it: macros among them may write code with the item.
    pub fn unseen_reexports(&self, built: &BuiltCode) -> usize {
        self.reexports.iter().filter(|it| it.why_not(built).is_some()).count()
    }

    /// The tokens that `built` does not compile, with the reason.
    pub fn unseen(&self, renaming: &Renaming, built: &BuiltCode) -> SortedMap<SiteKey, String> {
        let reason = |key: &SiteKey| match self.places.get(key) {
            Some(place) => place.why_not(built),
            None => Some("no target of the workspace has the file".to_owned()),
        };
        let keys = renaming.sites().iter().map(|it| (it.path.clone(), it.span.start));
        keys.filter_map(|key| reason(&key).map(|reason| (key, reason))).collect()
    }

    /// The tokens outside of the `cfg` that all definitions of the item are behind, with that predicate as
    /// [`BuiltCode::shown`] shows it: where it is off, the name means something else there. Those that
    /// `built` compiles without it too are left out, and those that nothing builds, which
    /// [`CodePlaces::unseen`] has. A name that only the item has means nothing there.
    pub fn ungated(&self, renaming: &Renaming, built: &BuiltCode) -> SortedMap<SiteKey, String> {
        if !renaming.has_other_meanings() {
            return SortedMap::new();
        }
        let definitions = &renaming.target().definitions;
        let known = definitions.iter().map(|key| self.places.get(key));
        let Some(known) = known.collect::<Option<Vec<&CodePlace>>>() else {
            return SortedMap::new();
        };
        let Some((first, others)) = known.split_first() else { return SortedMap::new() };
        let is_test = |it: &str| base::has_word(it, "test");
        let gates: Vec<&String> = first
            .predicates
            .iter()
            .filter(|it| !is_test(it) && others.iter().all(|other| other.predicates.contains(it)))
            .collect();
        let mut found = SortedMap::new();
        for site in renaming.sites().iter().filter(|it| it.is_in() && !it.region.is_documentation())
        {
            let key = (site.path.clone(), site.span.start);
            let place = self.places.get(&key).filter(|it| it.why_not(built).is_none());
            let Some(place) = place else { continue };
            let is_built_without = |gate: &str| {
                let mut without = place.clone();
                without.predicates.push(format!("not({gate})"));
                without.why_not(built).is_none()
            };
            let gate =
                gates.iter().find(|it| !is_behind(&place.predicates, it) && !is_built_without(it));
            found.extend(gate.map(|it| (key, BuiltCode::shown(it))));
        }
        found
    }
}

/// A file with its number in the map.
struct OpenFile<'g> {
    source: &'g SourceText,
    number: u32,
    outline: Outline<'g>,
    dropped: Vec<DroppedInput<'g>>,
}

impl<'g> OpenFile<'g> {
    fn of(
        context: &'g RefactorContext<'_>,
        macros: &'g ConditionalMacros,
        path: &ProjectPath,
    ) -> Option<Self> {
        let map = context.map.map();
        let source = context.source(path.as_str())?;
        let number = map.file_by_path(path.as_str())?;
        let outline = Outline::of(&source.text);
        let dropped = macros.inputs(&outline);
        Some(Self { source, number, outline, dropped })
    }

    /// The code that a position is in; `None` if no target has the file.
    fn place(&self, context: &RefactorContext<'_>, at: usize) -> Option<CodePlace> {
        let map = context.map.map();
        let offset = u32::try_from(at).ok()?;
        let innermost = map.item_at(self.number, offset).and_then(|it| map.item(it));
        let item = innermost.or_else(|| {
            let own = map.items_of_file(self.number).filter_map(|it| map.item(it));
            own.into_iter().find(|it| it.krate().is_some())
        })?;
        // The map gives a file that no module declares to the crate of the folder it is in.
        let is_alone = format!("::{{{}}}", self.source.path);
        if item.canon().contains(&is_alone) {
            return None;
        }
        let krate = item.krate()?;
        let mut predicates = self.outline.gates(&self.source.text, at);
        // Those of the modules in other files, down to the one that declares this file.
        let path = item.path();
        let parent = |it: &ItemView<'_>| it.parent.and_then(|it| map.item(it));
        let around = std::iter::successors(Some(item), parent).filter(|it| it.path() != path);
        predicates.extend(around.map(|it| it.cfg().to_owned()).filter(|it| !it.is_empty()));
        let around = self.dropped.iter().filter(|it| it.span.start <= at && at < it.span.end);
        let dropped = around.map(|it| {
            let predicates = it.losses.predicates.iter().map(|it| in_one_spelling(it)).collect();
            (it.name.to_owned(), predicates, it.losses.leaves_out)
        });
        Some(CodePlace {
            dropped: dropped.collect(),
            package: krate.package().to_owned(),
            kind: krate.kind.to_owned(),
            target: krate.target().to_owned(),
            predicates: predicates.iter().map(|it| in_one_spelling(it)).collect(),
        })
    }
}

/// A predicate without comments and line ends, so that two of one meaning are mostly equal.
fn in_one_spelling(predicate: &str) -> String {
    let code: Vec<&str> = tokens(predicate).iter().map(|it| it.text).collect();
    let code = code.join(" ");
    CfgPredicate::parse(&code).map_or_else(|| code.clone(), |it| it.to_string())
}

/// Whether code behind these predicates is behind another one, too: `all(unix, test)` is behind `unix`, and
/// `unix` behind `any(unix, windows)`.
fn is_behind(predicates: &[String], gate: &str) -> bool {
    let Some(wanted) = CfgPredicate::parse(gate) else {
        return predicates.iter().any(|it| it == gate);
    };
    let mut known = Vec::new();
    for predicate in predicates.iter().filter_map(|it| CfgPredicate::parse(it)) {
        add_parts(predicate, &mut known);
    }
    follows(&known, &wanted)
}

/// Adds what holds where a predicate does.
fn add_parts<'p>(predicate: CfgPredicate<'p>, to: &mut Vec<CfgPredicate<'p>>) {
    match predicate {
        CfgPredicate::All(parts) => parts.into_iter().for_each(|it| add_parts(it, to)),
        other => to.push(other),
    }
}

/// Whether a predicate holds where these do, as far as the syntax shows.
fn follows(known: &[CfgPredicate<'_>], wanted: &CfgPredicate<'_>) -> bool {
    match wanted {
        CfgPredicate::All(parts) => parts.iter().all(|it| follows(known, it)),
        CfgPredicate::Any(parts) if parts.iter().any(|it| follows(known, it)) => true,
        other => known.contains(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_behind_a_predicate_that_follows_from_those_around_it() {
        let written =
            "any(\n    // All have it.\n    feature = \"a\",\n    all(unix, not(test)),\n)";
        for (around, gate, expected) in [
            (&["unix"][..], "unix", true),
            (&["all(unix, test)"], "unix", true),
            (&["not(unix)"], "unix", false),
            (&["any(unix, test)"], "unix", false),
            (&["unix", "feature = \"a\""], "all(feature = \"a\", unix)", true),
            (&["windows"], "any(unix, windows)", true),
            (&["any(feature = \"a\", all(unix, not(test)))"], written, true),
            (&[written], "any(feature = \"a\", all(unix, not(test)))", true),
            (&["feature = \"b\""], written, false),
            (&[], "unix", false),
        ] {
            let around: Vec<String> = around.iter().map(|it| in_one_spelling(it)).collect();
            assert_eq!(is_behind(&around, &in_one_spelling(gate)), expected, "{around:?} {gate}");
        }
    }
}
