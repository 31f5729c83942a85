//! Tasks in a person's words that rules understand: `rename Foo::bar to baz` becomes the request that
//! `refactor rename` gets. What is not understood is `None`, never a guess: a phrase has to match from
//! its first to its last word.
//!
//! Start at [`recognise`]; the phrases are in `phrases.rs`.

mod item;
mod pattern;
mod phrases;
mod split;
#[cfg(test)]
mod tests;
mod tokens;

use refactor::{NewPart, PartPlace, Reshape};

pub(crate) use item::is_name;
pub(crate) use split::split_task;

/// A change that rules make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefactorRequest {
    /// Another name.
    Rename {
        /// The item, as the end of its path.
        item: String,
        /// The name.
        to: String,
    },
    /// Another module.
    Move {
        /// The item.
        item: String,
        /// The module, or its file.
        to: String,
    },
    /// The definition goes into its uses.
    Inline {
        /// The item.
        item: String,
        /// Whether the definition stays.
        keep: bool,
    },
    /// Another signature or type.
    Reshape {
        /// The item.
        item: String,
        /// The change.
        change: Reshape,
    },
}

/// The change that a text in imperative English asks for; `None` if it is not understood as a whole.
pub(crate) fn recognise(text: &str) -> Option<RefactorRequest> {
    let tokens = tokens::tokens(text)?;
    phrases::request(&tokens)
}

impl RefactorRequest {
    /// The change in the words of the command line: what was understood.
    pub fn command(&self) -> String {
        let quoted = |text: &str| {
            let is_plain =
                text.bytes().all(|it| it.is_ascii_alphanumeric() || b"_:.-/".contains(&it));
            if is_plain { text.to_owned() } else { format!("'{text}'") }
        };
        let words: Vec<String> = match self {
            Self::Rename { item, to } => vec!["rename".into(), quoted(item), quoted(to)],
            Self::Move { item, to } => vec!["move".into(), quoted(item), quoted(to)],
            Self::Inline { item, keep } => {
                let keep = keep.then(|| "--keep".to_owned());
                ["inline".into(), quoted(item)].into_iter().chain(keep).collect()
            }
            Self::Reshape { item, change } => reshape_words(&quoted(item), change, &quoted),
        };
        format!("refactor {}", words.join(" "))
    }
}

fn reshape_words(item: &str, change: &Reshape, quoted: &dyn Fn(&str) -> String) -> Vec<String> {
    let new = |command: &str, new: &NewPart| {
        let mut words = vec![command.to_owned(), item.to_owned(), quoted(&new.declaration)];
        if let Some(value) = &new.value {
            words.extend(["--value".to_owned(), quoted(value)]);
        }
        words
    };
    match change {
        Reshape::AddParameter { new: part, place } => {
            let mut words = new("add-parameter", part);
            words.extend(match place {
                Some(PartPlace::At(at)) => vec!["--at".to_owned(), at.to_string()],
                Some(PartPlace::Before(name)) => vec!["--before".to_owned(), quoted(name)],
                Some(PartPlace::After(name)) => vec!["--after".to_owned(), quoted(name)],
                None => Vec::new(),
            });
            words
        }
        Reshape::RemoveParameter { name } => {
            vec!["remove-parameter".to_owned(), item.to_owned(), quoted(name)]
        }
        Reshape::Reorder { names } => {
            vec!["reorder".to_owned(), item.to_owned(), names.join(",")]
        }
        Reshape::ChangeType { part, ty } => {
            let item = part.as_ref().map_or_else(|| item.to_owned(), |it| format!("{item}::{it}"));
            vec!["change-type".to_owned(), item, quoted(ty)]
        }
        Reshape::AddField { new: part } => new("add-field", part),
    }
}
