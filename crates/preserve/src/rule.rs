//! [`Rule`]: the ways in which a change can remove or weaken code, with their stable names.

use std::fmt;

/// A way in which a change can remove or weaken existing code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// An item or a whole file is removed.
    ItemRemoved,
    /// A statement is removed.
    StatementRemoved,
    /// A call, an assignment, a branch, `?` or `.await` is removed.
    EffectRemoved,
    /// A field or its initializer is removed.
    FieldRemoved,
    /// A variant is removed.
    VariantRemoved,
    /// A match arm is removed.
    ArmRemoved,
    /// An import is removed without replacement.
    ImportRemoved,
    /// A derived trait is removed.
    DeriveRemoved,
    /// An attribute is removed.
    AttributeRemoved,
    /// Code that does not work is added: `todo!()`, `panic!()`, a block comment around code.
    Placeholder,
    /// `unsafe` is added. The user has to decide whether an operation is sound, even where the
    /// compiler requires the keyword (E0133). The forms that the 2024 edition requires around code
    /// that is already unsafe do not count, nor, in a change that raises the edition, a block around
    /// one call of a function that the edition makes unsafe.
    UnsafeAdded,
    /// An item or a field is more visible than before, and no privacy error names it.
    VisibilityWidened,
    /// An item or a field is less visible than before, and no error is about its visibility.
    VisibilityReduced,
    /// A new item or statement has an attribute that hides it or silences lints.
    HiddenCodeAdded,
    /// A compiler suggestion changes more than its diagnostic covers, or decides what happens on
    /// failure. Reported by the search for
    /// repairs, which has the diagnostic, never by a comparison of texts.
    SuggestionOutside,
    /// Compiled code becomes text: a literal, tokens of a macro, a dead branch.
    CodeDisabled,
    /// An assertion is removed.
    AssertionRemoved,
    /// A test, or a file of tests, is removed or no longer found by the test harness.
    TestRemoved,
    /// A test asserts less: another attribute, an exit before an assertion, `ignore`.
    TestWeakened,
    /// A value or an operator that a test compares with is edited.
    TestEdited,
    /// A `cfg` on existing code is added, removed or edited.
    CfgChanged,
    /// A lint is silenced on existing code.
    AllowAdded,
    /// A lint level is lowered, or the attribute that raised it is removed.
    LintWeakened,
    /// Tables of a manifest about tests, features, profiles or targets are weakened.
    ManifestWeakened,
    /// A configuration of cargo, clippy, the toolchain or a test runner is weakened.
    ConfigWeakened,
    /// A dependency that only tests use is removed.
    DevDependencyRemoved,
    /// A dependency that tests name gets another version or other features, or becomes optional. Not of
    /// repairs by rules of graftage, which enable what the code asks for.
    DependencyChanged,
    /// A build script is added.
    BuildScriptAdded,
    /// A documentation example is no longer compiled or run.
    DoctestWeakened,
    /// Expected output that a test compares with is edited or removed.
    ExpectedOutputEdited,
    /// A call that can end the process with success is added outside of a program's `main`: a test that
    /// reaches it ends its process early.
    ExitAdded,
    /// A text is nested too deeply to be compared: more than 12,000 brackets or block comments around a token.
    NotCompared,
}

impl Rule {
    /// Every rule, in the order of the enum.
    pub const ALL: [Rule; 32] = [
        Rule::ItemRemoved,
        Rule::StatementRemoved,
        Rule::EffectRemoved,
        Rule::FieldRemoved,
        Rule::VariantRemoved,
        Rule::ArmRemoved,
        Rule::ImportRemoved,
        Rule::DeriveRemoved,
        Rule::AttributeRemoved,
        Rule::Placeholder,
        Rule::UnsafeAdded,
        Rule::VisibilityWidened,
        Rule::VisibilityReduced,
        Rule::HiddenCodeAdded,
        Rule::SuggestionOutside,
        Rule::CodeDisabled,
        Rule::AssertionRemoved,
        Rule::TestRemoved,
        Rule::TestWeakened,
        Rule::TestEdited,
        Rule::CfgChanged,
        Rule::AllowAdded,
        Rule::LintWeakened,
        Rule::ManifestWeakened,
        Rule::ConfigWeakened,
        Rule::DevDependencyRemoved,
        Rule::DependencyChanged,
        Rule::BuildScriptAdded,
        Rule::DoctestWeakened,
        Rule::ExpectedOutputEdited,
        Rule::ExitAdded,
        Rule::NotCompared,
    ];

    /// Stable name for settings, records and messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Rule::ItemRemoved => "item-removed",
            Rule::StatementRemoved => "statement-removed",
            Rule::EffectRemoved => "effect-removed",
            Rule::FieldRemoved => "field-removed",
            Rule::VariantRemoved => "variant-removed",
            Rule::ArmRemoved => "arm-removed",
            Rule::ImportRemoved => "import-removed",
            Rule::DeriveRemoved => "derive-removed",
            Rule::AttributeRemoved => "attribute-removed",
            Rule::Placeholder => "placeholder",
            Rule::UnsafeAdded => "unsafe-added",
            Rule::VisibilityWidened => "visibility-widened",
            Rule::VisibilityReduced => "visibility-reduced",
            Rule::HiddenCodeAdded => "hidden-code-added",
            Rule::SuggestionOutside => "suggestion-outside",
            Rule::CodeDisabled => "code-disabled",
            Rule::AssertionRemoved => "assertion-removed",
            Rule::TestRemoved => "test-removed",
            Rule::TestWeakened => "test-weakened",
            Rule::TestEdited => "test-edited",
            Rule::CfgChanged => "cfg-changed",
            Rule::AllowAdded => "allow-added",
            Rule::LintWeakened => "lint-weakened",
            Rule::ManifestWeakened => "manifest-weakened",
            Rule::ConfigWeakened => "config-weakened",
            Rule::DevDependencyRemoved => "dev-dependency-removed",
            Rule::DependencyChanged => "dependency-changed",
            Rule::BuildScriptAdded => "build-script-added",
            Rule::DoctestWeakened => "doctest-weakened",
            Rule::ExpectedOutputEdited => "expected-output-edited",
            Rule::ExitAdded => "exit-added",
            Rule::NotCompared => "not-compared",
        }
    }

    /// Whether the rule is about what checks the code: tests, assertions, lints, `cfg`, manifests
    /// and test configuration. No change may break it unless the user allows the rule by name. The
    /// other rules hold for repairs only: they are about ordinary code, which a user may remove.
    pub const fn protects_tests(self) -> bool {
        match self {
            Rule::ItemRemoved
            | Rule::StatementRemoved
            | Rule::EffectRemoved
            | Rule::FieldRemoved
            | Rule::VariantRemoved
            | Rule::ArmRemoved
            | Rule::ImportRemoved
            | Rule::DeriveRemoved
            | Rule::AttributeRemoved
            | Rule::Placeholder
            | Rule::UnsafeAdded
            | Rule::VisibilityWidened
            | Rule::VisibilityReduced
            | Rule::HiddenCodeAdded
            | Rule::SuggestionOutside
            | Rule::CodeDisabled => false,
            Rule::AssertionRemoved
            | Rule::TestRemoved
            | Rule::TestWeakened
            | Rule::TestEdited
            | Rule::CfgChanged
            | Rule::AllowAdded
            | Rule::LintWeakened
            | Rule::ManifestWeakened
            | Rule::ConfigWeakened
            | Rule::DevDependencyRemoved
            | Rule::DependencyChanged
            | Rule::BuildScriptAdded
            | Rule::DoctestWeakened
            | Rule::ExpectedOutputEdited
            | Rule::ExitAdded
            | Rule::NotCompared => true,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The given name is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no preservation rule is named `{name}`; the rules are: {}", rule_names())]
pub struct UnknownRule {
    /// Name that was given.
    pub name: String,
}

impl std::str::FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        Rule::ALL
            .into_iter()
            .find(|rule| rule.as_str() == name)
            .ok_or_else(|| UnknownRule { name: name.to_owned() })
    }
}

fn rule_names() -> String {
    Rule::ALL.map(Rule::as_str).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_leads_back_to_its_rule() {
        for rule in Rule::ALL {
            assert_eq!(rule.as_str().parse(), Ok(rule));
        }
        assert!("nothing".parse::<Rule>().is_err());
    }
}
