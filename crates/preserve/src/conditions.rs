//! Attributes that hide code or silence diagnostics: `cfg`, lint levels, `ignore`.

use crate::align::Fate;
use crate::compare::Comparison;
use crate::layout::is_test_attribute;
use crate::outline::{Attribute, Element, ElementKind, Outline, is_keyword};
use crate::redefined::{is_test_crate, is_tool};
use crate::reported::Reported;
use crate::{Rule, Violation};

/// Attributes that hide code or silence its diagnostics.
const HIDING: &[&str] = &["allow", "expect", "ignore", "cfg", "cfg_attr", "should_panic"];
/// Words that no item may have as its name without `r#`, beside those of code.
const RESERVED: &[&str] = &[
    "abstract", "become", "box", "do", "false", "final", "gen", "macro", "override", "priv",
    "true", "try", "typeof", "unsized", "virtual",
];
/// Lints of rustc that are errors by themselves (`rustc -W help`, Rust 1.95).
const DENIED: &[&str] = &[
    "ambiguous_associated_items",
    "arithmetic_overflow",
    "binary_asm_labels",
    "bindings_with_variant_name",
    "conflicting_repr_hints",
    "dangerous_implicit_autorefs",
    "default_overrides_default_fields",
    "dependency_on_unit_never_type_fallback",
    "deref_nullptr",
    "elided_lifetimes_in_associated_constant",
    "enum_intrinsics_non_enums",
    "explicit_builtin_cfgs_in_flags",
    "ill_formed_attribute_input",
    "incomplete_include",
    "ineffective_unstable_trait_impl",
    "invalid_atomic_ordering",
    "invalid_from_utf8_unchecked",
    "invalid_macro_export_arguments",
    "invalid_null_arguments",
    "invalid_reference_casting",
    "invalid_type_param_default",
    "legacy_derive_helpers",
    "let_underscore_lock",
    "long_running_const_eval",
    "macro_expanded_macro_exports_accessed_by_absolute_paths",
    "mutable_transmutes",
    "named_asm_labels",
    "never_type_fallback_flowing_into_unsafe",
    "no_mangle_const_items",
    "out_of_scope_macro_calls",
    "overflowing_literals",
    "patterns_in_fns_without_body",
    "proc_macro_derive_resolution_fallback",
    "pub_use_of_private_extern_crate",
    "repr_transparent_non_zst_fields",
    "semicolon_in_expressions_from_macros",
    "soft_unstable",
    "test_unstable_lint",
    "text_direction_codepoint_in_comment",
    "text_direction_codepoint_in_literal",
    "unconditional_panic",
    "undropped_manually_drops",
    "unknown_crate_types",
    "useless_deprecated",
];
/// Attributes of a test that do not affect what it asserts.
const NEUTRAL: &[&str] = &["allow", "cold", "doc", "expect", "inline", "must_use", "track_caller"];
/// The first word of a path of which this is the last.
fn path_root(outline: &Outline<'_>, name: usize) -> usize {
    let mut at = name;
    while at >= 2 && outline.text(at - 1) == "::" {
        at -= 2;
    }
    at
}

impl Comparison<'_> {
    /// Conditions, lint levels, and attributes of tests.
    pub(crate) fn conditions(&self, reported: &Reported, found: &mut Vec<Violation>) {
        for attribute in &self.old.attributes {
            self.kept_attribute(attribute, found);
        }
        for attribute in &self.new.attributes {
            self.new_attribute(attribute, reported, found);
        }
        self.condition_macros(found);
        self.raw_names(found);
    }

    /// Reports an existing attribute if it or its arguments changed.
    fn kept_attribute(&self, attribute: &Attribute, found: &mut Vec<Violation>) {
        let name = self.old_text(attribute.name);
        let now = match self.fate(attribute.name) {
            Fate::Kept(new) => self.new.attributes.iter().find(|it| it.name == new),
            Fate::Renamed(_) | Fate::Gone => None,
        };
        let rule = match now {
            None => self.rule_of_lost(attribute, name),
            Some(now) => self.rule_of_edited(attribute, now, name),
        };
        if let Some(rule) = rule {
            found.push(self.violation(
                rule,
                attribute.name,
                description(&text_of(&self.old, attribute)),
            ));
        }
    }

    fn rule_of_lost(&self, attribute: &Attribute, name: &str) -> Option<Rule> {
        let moved = self.moved_attribute(&text_of(&self.old, attribute), true);
        if self.went_with_element(attribute.name) || moved || self.is_double(attribute) {
            return None;
        }
        let renamed = match self.fate(attribute.name) {
            Fate::Renamed(new) => self.new.text(new),
            Fate::Kept(_) | Fate::Gone => "",
        };
        match name {
            "cfg" | "cfg_attr" => Some(Rule::CfgChanged),
            "deny" | "forbid" | "warn" => {
                (level(renamed) < level(name)).then_some(Rule::LintWeakened)
            }
            "should_panic" => Some(Rule::TestWeakened),
            "test" => (!renamed.is_empty()).then_some(Rule::TestRemoved),
            _ if is_test_attribute(name) && !is_test_attribute(renamed) => Some(Rule::TestWeakened),
            _ => None,
        }
    }

    /// Whether the element has another attribute with the same text (or just the same name, if only
    /// the name matters) which stays.
    pub(crate) fn is_double(&self, attribute: &Attribute) -> bool {
        let name = self.old_text(attribute.name);
        if !is_test_attribute(name) && !HIDING.contains(&name) && level(name) == 0 {
            return self.repeated(attribute.name);
        }
        let owner = self.old_layout.owners[attribute.name];
        let text = text_of(&self.old, attribute);
        self.old.attributes.iter().any(|it| {
            it.name != attribute.name
                && self.old_layout.owners[it.name] == owner
                && self.fate(it.name).survives()
                && text_of(&self.old, it) == text
        })
    }

    fn rule_of_edited(&self, old: &Attribute, new: &Attribute, name: &str) -> Option<Rule> {
        let (was, is) = (text_of(&self.old, old), text_of(&self.new, new));
        let lost = || (old.name + 1..old.end).any(|at| !matches!(self.fate(at), Fate::Kept(_)));
        let added =
            || (new.name + 1..new.end).any(|at| self.is_new(at) && self.new.tokens[at].is_solid());
        if was == is {
            return None;
        }
        match name {
            "cfg" | "cfg_attr" | "path" => Some(Rule::CfgChanged),
            "deny" | "forbid" | "warn" => lost().then_some(Rule::LintWeakened),
            "allow" => (added() || self.renames_in(old)).then_some(Rule::AllowAdded),
            "expect" => (added() || self.renames_in(old)).then_some(Rule::AllowAdded),
            _ if NEUTRAL.contains(&name) || !self.old_layout.in_tests(old.name) => None,
            _ => Some(Rule::TestWeakened),
        }
    }

    fn renames_in(&self, attribute: &Attribute) -> bool {
        (attribute.name + 1..attribute.end).any(|at| matches!(self.fate(at), Fate::Renamed(_)))
    }

    /// Reports an attribute that is new or changed.
    fn new_attribute(
        &self,
        attribute: &Attribute,
        reported: &Reported,
        found: &mut Vec<Violation>,
    ) {
        let name = self.new.text(attribute.name);
        let origin = self.alignment.origins[attribute.name];
        let was = origin.map_or("", |it| self.old_text(it));
        let is_kept = origin.is_some_and(|it| {
            self.old.attributes.iter().any(|old| old.name == it) && self.old_text(it) == name
        });
        let is_fixed = !was.is_empty() && !is_known_attribute(was) && reported.names(was);
        let text = text_of(&self.new, attribute);
        if is_kept || is_fixed || self.moved_attribute(&text, false) {
            return;
        }
        let rule = if name == "warn" && self.lowers(attribute) {
            Rule::LintWeakened
        } else if !HIDING.contains(&name) && name != "path" {
            let on_test = self.new_layout.functions.iter().any(|it| {
                it.is_test
                    && (it.start..it.name).contains(&attribute.name)
                    && self.was_test(it.name)
            });
            if !on_test || self.is_neutral(attribute) {
                return;
            }
            Rule::TestWeakened
        } else if self.annotates_kept_code(attribute) {
            match name {
                "allow" | "expect" => Rule::AllowAdded,
                "ignore" | "should_panic" => Rule::TestWeakened,
                _ => Rule::CfgChanged,
            }
        } else if name.starts_with("cfg") && text.contains("not(test)") {
            // What no test sees.
            Rule::CfgChanged
        } else if self.is_known_condition(attribute, &text) {
            return;
        } else if name.starts_with("cfg") && self.new.text(attribute.end + 1) == "$" {
            // What a macro is given may be code that was there before.
            Rule::CfgChanged
        } else {
            Rule::HiddenCodeAdded
        };
        found.push(Violation {
            is_cfg_test: text == "#[cfg(test)]",
            ..self.violation_in_new(rule, attribute.name, description(&text))
        });
    }

    /// Whether a new attribute of a test drops nothing of it: one of the language, one of a crate of tests, or
    /// one that the file has already. Of any other name, the macro may be the project's.
    fn is_neutral(&self, attribute: &Attribute) -> bool {
        let (name, root) = (self.new.text(attribute.name), path_root(&self.new, attribute.name));
        let is_path = root != attribute.name;
        let root = self.new.text(root);
        let is_same = |it: &Attribute| {
            let old = path_root(&self.old, it.name);
            self.old_text(it.name) == name && self.old_text(old) == root
        };
        let is_imported = || {
            let imports = self.new.elements.iter().filter(|it| it.kind == ElementKind::Import);
            let words = |it: &Element| (it.start..it.end).map(|at| self.new.text(at));
            let is_from_tests = |it: &Element| {
                let root = words(it).skip_while(|it| *it != "use").nth(1);
                root.is_some_and(|it| is_test_crate(it, name))
            };
            let mut imports = imports.filter(|it| is_from_tests(it));
            imports.any(|it| words(it).any(|it| it == name || it == "*"))
        };
        let is_of_language = !is_path && (NEUTRAL.contains(&name) || name == "test");
        let is_of_tool = is_path && is_tool(root);
        let is_of_tests = if is_path { is_test_crate(root, name) } else { is_imported() };
        is_of_language || is_of_tool || is_of_tests || self.old.attributes.iter().any(is_same)
    }

    /// Whether a level of warnings names a lint that is an error without it.
    fn lowers(&self, attribute: &Attribute) -> bool {
        let words = attribute.name + 1..attribute.end;
        let is_error = |at: usize| {
            let is_correctness =
                self.new.text(at) == "correctness" && self.new.before(at, 2) == "clippy";
            DENIED.contains(&self.new.text(at)) || is_correctness
        };
        words.into_iter().any(is_error)
    }

    /// Whether an import has a `cfg` that the file had before: it adds a name only, where other code of the
    /// file is under the same condition.
    fn is_known_condition(&self, attribute: &Attribute, text: &str) -> bool {
        let owner = self.new_layout.owners[attribute.name].map(|it| self.new.elements[it].kind);
        owner == Some(ElementKind::Import)
            && self.new.text(attribute.name) == "cfg"
            && self.old.attributes.iter().any(|it| text_of(&self.old, it) == text)
    }

    fn was_test(&self, name: usize) -> bool {
        self.alignment.origins[name].is_some_and(|old| {
            self.old_layout.functions.iter().any(|it| it.name == old && it.is_test)
        })
    }

    /// Whether the annotated element existed before; for an inner attribute, anything around it.
    fn annotates_kept_code(&self, attribute: &Attribute) -> bool {
        let owner = self.new_layout.owners[attribute.name].map(|it| &self.new.elements[it]);
        match owner {
            Some(it) if it.kind != ElementKind::Other => {
                (it.start..it.end).any(|at| !self.is_new(at) && self.new.tokens[at].is_solid())
            }
            _ => self.alignment.origins.iter().any(Option::is_some),
        }
    }

    fn went_with_element(&self, at: usize) -> bool {
        self.innermost(at).is_some_and(|it| it.kind != ElementKind::Other && self.is_lost(it))
    }

    /// Whether an attribute with this text was moved from or to another position in the file.
    fn moved_attribute(&self, text: &str, to_new: bool) -> bool {
        let outline = if to_new { &self.new } else { &self.old };
        let moves = |it: &&Attribute| match to_new {
            true => self.is_new(it.name),
            false => !self.fate(it.name).survives() && !self.went_with_element(it.name),
        };
        let texts = self.moved_attributes[usize::from(to_new)].get_or_init(|| {
            outline.attributes.iter().filter(moves).map(|it| text_of(outline, it)).collect()
        });
        texts.contains(text)
    }

    /// `cfg!(test)` and `cfg_select!` give code another behaviour under test; so does another name of them.
    fn condition_macros(&self, found: &mut Vec<Violation>) {
        let view = self.new_view();
        for at in 0..self.new.tokens.len() {
            let name = self.new.text(at);
            let opens = matches!(name, "cfg" | "cfg_select") && self.new.text(at + 1) == "!";
            // `cfg(test)` in the input of a macro, and a macro that a macro is given: `$name!(test)`.
            let is_input = name == "cfg"
                && (self.new.text(at + 1) == "(" || self.new_view().in_code_macro(at))
                && self.new.text(at + 1) != "."
                && !matches!(self.new.before(at, 1), "." | "fn" | "::" | "[");
            // `$($name)+ !(test)`, `$($name)+ ! $input`.
            let is_list = name == "!"
                && at > 0
                && matches!(self.new.before(at, 1), "+" | "*" | "?" | ")")
                && matches!(self.new.text(at + 1), "(" | "[" | "{" | "$");
            let is_given = name == "$" && self.new.text(at + 2) == "!"
                || is_list && self.new_layout.in_macro(at);
            if (is_input || is_given) && self.is_new(at) && !view.in_attribute(at) {
                let detail = crate::compare::quote(self.after, &self.new, at, at + 4);
                found.push(self.violation_in_new(Rule::CfgChanged, at, detail));
            }
            let is_renamed = matches!(name, "cfg" | "cfg_select")
                && self.new.text(at + 1) == "as"
                && self.is_new(at + 1);
            if is_renamed {
                let detail = crate::compare::quote(self.after, &self.new, at, at + 3);
                found.push(self.violation_in_new(Rule::CfgChanged, at, detail));
            }
            if !opens || view.in_attribute(at) {
                continue;
            }
            let close = self.new.close.get(at + 2).copied().unwrap_or(at);
            let decides =
                |it: &usize| *it <= at + 2 || name == "cfg" || self.is_predicate(at + 2, *it);
            if (at..close).filter(decides).any(|it| self.is_new(it)) {
                let detail = crate::compare::quote(self.after, &self.new, at, close + 1);
                found.push(self.violation_in_new(Rule::CfgChanged, at, detail));
            }
        }
    }

    /// Whether a token directly in the input of `cfg_select!` is before the arrow of its arm.
    fn is_predicate(&self, open: usize, at: usize) -> bool {
        let close = self.new.close.get(open).copied().unwrap_or(open);
        let is_direct =
            |it: usize| self.new_layout.parents[it] == Some(open) && self.new.text(it) != "{";
        let around = std::iter::successors(Some(at), |it| self.new_layout.parents[*it]);
        let Some(own) = around.into_iter().find(|it| self.new_layout.parents[*it] == Some(open))
        else {
            return false;
        };
        let rest = (own..close)
            .find(|it| is_direct(*it) && matches!(self.new.text(*it), "=>" | "," | "}"));
        self.new.text(own) != "{" && rest.is_some_and(|it| self.new.text(it) == "=>")
    }

    /// Raw names that need no `r#`: rules look for names of attributes and macros as they are written.
    fn raw_names(&self, found: &mut Vec<Violation>) {
        for (at, token) in self.new.tokens.iter().enumerate() {
            let plain = token.text.strip_prefix("r#").filter(|it| !it.starts_with(['"', '#']));
            let needs_prefix = |it: &&str| is_keyword(it) || RESERVED.contains(it);
            let Some(plain) = plain.filter(|it| !needs_prefix(it) && self.is_new(at)) else {
                continue;
            };
            let rule = match plain {
                "cfg" | "cfg_attr" | "cfg_select" | "path" => Rule::CfgChanged,
                "allow" | "expect" => Rule::AllowAdded,
                _ if crate::compare::is_assertion_name(plain) || HIDING.contains(&plain) => {
                    Rule::TestWeakened
                }
                _ => Rule::HiddenCodeAdded,
            };
            let detail = format!("`{}` is `{plain}`, which is no keyword", token.text);
            found.push(self.violation_in_new(rule, at, detail));
        }
    }
}

/// Strictness of a lint level.
pub(crate) fn level(name: &str) -> u8 {
    match name {
        "forbid" => 3,
        "deny" => 2,
        "warn" => 1,
        _ => 0,
    }
}

fn is_known_attribute(name: &str) -> bool {
    HIDING.contains(&name)
        || is_test_attribute(name)
        || level(name) > 0
        || matches!(name, "derive" | "inline" | "repr" | "must_use" | "doc" | "path" | "macro_use")
}

/// The attribute's tokens as one text.
fn text_of(outline: &Outline<'_>, attribute: &Attribute) -> String {
    let mut start = attribute.name;
    while start > 0 && !matches!(outline.text(start), "#") {
        start -= 1;
    }
    let words: Vec<&str> = (start..=attribute.end).map(|at| outline.text(at)).collect();
    words.concat()
}

/// A text for a message, truncated.
fn description(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((at, _)) => format!("`{}…`", &text[..at]),
        None => format!("`{text}`"),
    }
}
