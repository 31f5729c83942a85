//! Evaluates cfg predicates.

use syntax::CfgPredicate;

use crate::CfgSet;

impl CfgSet {
    /// Whether a predicate as written (`all(unix, not(feature = "net"))`) holds. Unknown flags are
    /// off; so is a predicate that does not parse.
    pub fn holds(&self, predicate: &str) -> bool {
        let is_set = |key: &str, value: Option<&str>| match value {
            Some(value) => self.values.get(key).is_some_and(|values| values.contains(value)),
            None => self.flags.contains(key),
        };
        CfgPredicate::parse(predicate).and_then(|it| it.value(&is_set)) == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> CfgSet {
        let mut cfg = CfgSet::default();
        cfg.flags.insert("unix".to_owned());
        let values = cfg.values.entry("feature".to_owned()).or_default();
        values.insert("net".to_owned());
        cfg.values.entry("target_os".to_owned()).or_default().insert("linux".to_owned());
        cfg
    }

    #[test]
    fn predicates_are_evaluated_by_the_rules_of_the_language() {
        let check = |text: &str, want: bool| assert_eq!(set().holds(text), want, "{text}");
        check("unix", true);
        check("windows", false);
        check("feature = \"net\"", true);
        check("feature=\"rt\"", false);
        check("not(windows)", true);
        check("all()", true);
        check("any()", false);
        check("all(unix, target_os = \"linux\",)", true);
        check("any(windows, all(unix, not(feature = \"rt\")))", true);
        check("not(any(unix, windows))", false);
        check("true", true);
    }

    #[test]
    fn a_predicate_that_does_not_parse_is_off() {
        for text in
            ["", "unix unix", "not(unix, unix)", "all(unix", "feature = net", "not()", "= 3"]
        {
            assert!(!set().holds(text), "{text}");
        }
        let deep = "not(".repeat(100_000);
        assert!(!set().holds(&deep));
    }
}
