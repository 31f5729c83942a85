//! The rules by which edges are found; shown to users as evidence.

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $name:ident = $number:literal, $text:literal, $sentence:literal;)*) => {
        /// The rule by which an edge was found.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Rule {
            $(#[doc = $sentence] $name = $number,)*
        }

        impl Rule {
            /// All rules, by number.
            pub const ALL: &'static [Rule] = &[$(Self::$name,)*];

            /// The number for stored tables; it never changes (16 was a rule once).
            pub fn number(self) -> u8 {
                self as u8
            }

            /// The rule with a number.
            pub fn of_number(number: u8) -> Option<Rule> {
                match number {
                    $($number => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// The name: `path_call`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Whether the edge depends on an assumption about code outside the workspace; such edges
            /// are candidates.
            pub fn is_assumed(self) -> bool {
                matches!(self, Self::AssumedResult | Self::AssumedPinProject | Self::AssumedDerive)
            }

            /// A description for users.
            pub fn sentence(self) -> &'static str {
                match self {
                    $(Self::$name => $sentence,)*
                }
            }
        }
    };
}

rules! {
    PathCall = 1, "path_call", "the path resolves to this function";
    TypePath = 2, "type_path", "the path names a type, and this is its function with that name";
    InherentMethod = 3, "inherent_method", "the receiver's type is known, and this is its inherent method with that name";
    TraitImpl = 4, "trait_impl", "the type is known, and this is its impl of the trait's function";
    TraitDefault = 5, "trait_default", "the type is known, and its impl of the trait inherits this function";
    BoundedParameter = 6, "bounded_parameter", "the type is a parameter, and a bound on it names this trait";
    TraitObject = 7, "trait_object", "the value is a trait object of this trait";
    ImplTrait = 8, "impl_trait", "the value is only known to implement this trait";
    Operator = 9, "operator", "the operands' types are known, and this impl implements the operator";
    MacroCall = 10, "macro_call", "the path resolves to this macro";
    Import = 11, "import", "the import resolves to this item";
    ModuleImport = 12, "module_import", "the module imports from this module";
    Named = 13, "named", "the item contains a path to it";
    ImplHeader = 14, "impl_header", "an impl implements the trait for the type";
    ImplMember = 15, "impl_member", "the impl of the trait defines its function with that name";
    FunctionValue = 17, "function_value", "the item uses the function as a value";
    MacroExpansion = 18, "macro_expansion", "the macro call expands to code that names it";
    MacroBody = 19, "macro_body", "the body of the macro names it";
    AssumedResult = 24, "assumed_result", "assumed: an external type named `Result` is the standard library's";
    AssumedPinProject = 25, "assumed_pin_project", "assumed: `pin_project` generated the method or field";
    AssumedDerive = 26, "assumed_derive", "assumed: the derive macro implements the trait of its name";
    SeveralTargets = 32, "several_targets", "one of several possible targets";
    UnknownSelf = 33, "unknown_self", "the trait's function, for an unknown type";
    NameOnly = 34, "name_only", "the receiver's type is unknown, and this method has that name";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_of_rules_are_unique() {
        for (at, rule) in Rule::ALL.iter().enumerate() {
            assert_eq!(Rule::of_number(rule.number()), Some(*rule));
            for other in &Rule::ALL[at + 1..] {
                assert_ne!(rule.number(), other.number());
                assert_ne!(rule.name(), other.name());
            }
        }
    }
}
