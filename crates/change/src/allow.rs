//! Lists what finishing a set of intents may remove, for the preservation rule. Never a test, an
//! assertion or a statement.

use preserve::Allowed;
use syntax::places::DefinitionKind;

use crate::carry::became_constant;
use crate::{Intent, What};

/// What finishing these intents may remove: initialisers and patterns of removed fields, arguments of
/// removed parameters, arms of removed variants, members of traits and imports of what is gone or has
/// another name, derives that a new impl replaces; tests may use the new names,
/// and constants take the places of calls.
pub fn allowances(intents: &[Intent]) -> Allowed {
    let mut allowed = Allowed::default();
    for intent in intents {
        if let Some((function, constant)) = became_constant(intents, intent) {
            allowed.constants.insert((function.to_owned(), constant.to_owned()));
        }
        let (of, name) = match &intent.what {
            What::Removed(of) => (of, of.name.clone()),
            What::Renamed { of, from } => {
                allowed.renamed.insert((from.clone(), of.name.clone()));
                (of, from.clone())
            }
            What::ParameterRemoved { of, at, count, .. } => {
                allowed.arguments.insert((of.name.clone(), *at, *count));
                continue;
            }
            What::Added { of, .. } => {
                if let Some(of_trait) = &of.of_trait {
                    allowed.derives.insert((of.owner.clone(), of_trait.clone()));
                }
                continue;
            }
            // A value that cannot be `None` any more.
            What::Retyped { of, at: None, from, to }
                if of.kind == DefinitionKind::Field && *from == format!("Option<{to}>") =>
            {
                allowed.patterns.insert(of.name.clone());
                continue;
            }
            _ => continue,
        };
        match of.kind {
            DefinitionKind::Field => drop(allowed.fields.insert(name)),
            DefinitionKind::Variant => drop(allowed.patterns.insert(name)),
            DefinitionKind::Function | DefinitionKind::Const | DefinitionKind::TypeAlias
                if !of.owner.is_empty() =>
            {
                allowed.members.insert(name);
            }
            _ => drop(allowed.imports.insert(name)),
        }
    }
    allowed
}
